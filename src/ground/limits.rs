//! Limits: deadline, memory, interruption.
//!
//! Long work calls [`Limits::check`] often: it is one atomic load. Solver calls are cut into slices
//! between which the limits are checked. A [`Watchdog`] thread measures time and the resident memory
//! of the whole process (so the solvers' memory counts) and raises the flag that `check` sees. If the
//! work does not answer within a grace period, the watchdog calls its last resort.

use super::reason::Stop;
use super::rounds::Pace;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const RUNNING: u8 = 0;
const TIMEOUT: u8 = 1;
const MEMORY: u8 = 2;
const INTERRUPTED: u8 = 3;

/// The limits of a run; clones share one flag.
#[derive(Clone, Debug)]
pub struct Limits {
    flag: Arc<AtomicU8>,
    checks: Arc<AtomicU64>,
    fire_at: u64,
    work: Arc<AtomicU64>,
    fire_after: u64,
    timeout: Option<Duration>,
    memory: Option<u64>,
    start: Instant,
    pace: Option<Arc<Pace>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self::none()
    }
}

impl Limits {
    /// No limit; [`interrupt`](Self::interrupt) still works.
    #[must_use]
    pub fn none() -> Self {
        Self::new(None, None)
    }

    /// A time limit from now and a limit on resident memory in bytes. They take effect through a [`Watchdog`].
    #[must_use]
    pub fn new(timeout: Option<Duration>, memory: Option<u64>) -> Self {
        Self {
            flag: Arc::new(AtomicU8::new(RUNNING)),
            checks: Arc::new(AtomicU64::new(0)),
            fire_at: u64::MAX,
            work: Arc::new(AtomicU64::new(0)),
            fire_after: u64::MAX,
            timeout,
            memory,
            start: Instant::now(),
            pace: None,
        }
    }

    /// Limits that report a timeout at the n-th check and at every later one: for tests.
    #[must_use]
    pub fn firing_at(check: u64) -> Self {
        Self { fire_at: check, ..Self::none() }
    }

    /// The same limits, which also report a timeout once so many units of work are done ([`spend`](Self::spend)): for tests.
    #[must_use]
    pub fn or_after(self, units: u64) -> Self {
        Self { fire_after: units, ..self }
    }

    /// Whether the run may go on.
    ///
    /// # Errors
    /// The [`Stop`] that was raised.
    pub fn check(&self) -> Result<(), Stop> {
        if self.fire_at != u64::MAX && self.checks.fetch_add(1, Ordering::Relaxed) + 1 >= self.fire_at {
            return Err(Stop::Timeout);
        }
        self.raised().map_or(Ok(()), Err)
    }

    /// Some units of work are done: of a worker in a race ([`paced`](Self::paced)) they are counted. A unit is what one step of a BDD
    /// operation takes: some ten nanoseconds.
    ///
    /// # Errors
    /// The [`Stop`] that was raised; that of an interruption, if the race is over.
    pub fn spend(&self, units: u64) -> Result<(), Stop> {
        self.check()?;
        if self.fire_after != u64::MAX && self.work.fetch_add(units, Ordering::Relaxed) >= self.fire_after {
            return Err(Stop::Timeout);
        }
        match &self.pace {
            Some(pace) if !pace.spend(units) => Err(Stop::Interrupted),
            _ => Ok(()),
        }
    }

    /// The same limits for a worker in a race: its work is counted, and it is stopped when it has lost.
    #[must_use]
    pub fn paced(&self, pace: Arc<Pace>) -> Self {
        Self { pace: Some(pace), ..self.clone() }
    }

    /// Asks the run to stop because the user wants it.
    pub fn interrupt(&self) {
        self.raise(INTERRUPTED);
    }

    fn raise(&self, reason: u8) {
        // The first reason stays.
        let _ = self.flag.compare_exchange(RUNNING, reason, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The limit on resident memory in bytes, if there is one.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// The stop that was raised, if any.
    #[must_use]
    pub fn raised(&self) -> Option<Stop> {
        match self.flag.load(Ordering::Relaxed) {
            TIMEOUT => Some(Stop::Timeout),
            MEMORY => Some(Stop::Memory),
            INTERRUPTED => Some(Stop::Interrupted),
            _ => None,
        }
    }

    fn measure(&self) {
        if self.timeout.is_some_and(|timeout| self.start.elapsed() >= timeout) {
            self.raise(TIMEOUT);
        }
        if self.memory.is_some_and(|limit| resident_memory().is_some_and(|used| used > limit)) {
            self.raise(MEMORY);
        }
    }

    /// Resident memory so large that there is no time for a grace period.
    fn overrun(&self) -> bool {
        let slack = |limit: u64| limit.saturating_add(limit / 8);
        self.memory.is_some_and(|limit| resident_memory().is_some_and(|used| used > slack(limit)))
    }
}

/// The resident memory of this process in bytes, where the system tells.
#[must_use]
pub fn resident_memory() -> Option<u64> {
    memory_figure("VmRSS:")
}

/// The largest resident memory that this process has had, in bytes, where the system tells.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    memory_figure("VmHWM:")
}

fn memory_figure(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// How often the watchdog measures.
const PERIOD: Duration = Duration::from_millis(10);
/// How long the work may take to answer a raised flag.
const GRACE: Duration = Duration::from_millis(1500);

/// The thread that measures; it ends with the process.
pub struct Watchdog;

impl Watchdog {
    /// Starts measuring. `last_resort` is called once, if the work has not ended the process within the
    /// grace period; it is expected to end it.
    pub fn start(limits: &Limits, last_resort: impl FnOnce(Stop) + Send + 'static) {
        let limits = limits.clone();
        let watch = move || {
            let mut raised_at: Option<Instant> = None;
            loop {
                std::thread::sleep(PERIOD);
                limits.measure();
                let Some(stop) = limits.raised() else { continue };
                let since = raised_at.get_or_insert_with(Instant::now);
                if since.elapsed() >= GRACE || limits.overrun() {
                    return last_resort(stop);
                }
            }
        };
        std::thread::Builder::new().name("watchdog".into()).spawn(watch).expect("a thread for the watchdog");
    }
}
