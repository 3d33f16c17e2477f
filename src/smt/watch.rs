//! Ending queries that take too long.
//!
//! Z3 looks at nothing of ours while it works, but can be interrupted from another thread. Each thread that asks queries has
//! one watcher for that: while a query runs, the watcher looks every few milliseconds whether the limits of the run were
//! raised. Between queries it goes to sleep, but not at once, so that many short queries
//! cost two uncontended locks each and no wake-up.

use crate::ground::limits::Limits;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use z3::{Context, ContextHandle};

/// How often the watcher looks.
const PERIOD: Duration = Duration::from_millis(5);
/// How often it looks in vain before it sleeps.
const PATIENCE: u32 = 40;

enum State {
    Idle,
    Busy(Limits),
    Gone,
}

struct Desk {
    state: State,
    asleep: bool,
}

struct Shared {
    desk: Mutex<Desk>,
    wake: Condvar,
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watcher of this thread; it ends with the thread.
struct Watcher {
    shared: Arc<Shared>,
}

thread_local! {
    static WATCHER: Watcher = Watcher::start();
}

impl Watcher {
    fn start() -> Self {
        let desk = Mutex::new(Desk { state: State::Idle, asleep: false });
        let shared = Arc::new(Shared { desk, wake: Condvar::new() });
        // A handle borrows its context; this clone of the reference lives as long as the process, once per thread.
        let context: &'static Context = Box::leak(Box::new(Context::thread_local()));
        let (handle, seen) = (context.handle(), shared.clone());
        let watch = move || watch(&handle, &seen);
        std::thread::Builder::new()
            .name("smt watcher".into())
            .spawn(watch)
            .expect("a thread for the watcher");
        Self { shared }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.shared.desk().state = State::Gone;
        self.shared.wake.notify_one();
    }
}

fn watch(handle: &ContextHandle<'static>, shared: &Shared) {
    let mut idle = 0;
    let mut desk = shared.desk();
    loop {
        match &desk.state {
            State::Gone => return,
            State::Idle => idle += 1,
            State::Busy(limits) => {
                idle = 0;
                // The desk stays locked meanwhile: no query but this one can be hit.
                if limits.raised().is_some() {
                    handle.interrupt();
                }
            }
        }
        desk = if idle > PATIENCE { sleep(shared, desk) } else { nap(shared, desk) };
    }
}

fn nap<'a>(shared: &'a Shared, desk: MutexGuard<'a, Desk>) -> MutexGuard<'a, Desk> {
    shared.wake.wait_timeout(desk, PERIOD).unwrap_or_else(PoisonError::into_inner).0
}

fn sleep<'a>(shared: &'a Shared, mut desk: MutexGuard<'a, Desk>) -> MutexGuard<'a, Desk> {
    desk.asleep = true;
    let mut desk = shared.wake.wait(desk).unwrap_or_else(PoisonError::into_inner);
    desk.asleep = false;
    desk
}

/// Watches over a query until it is dropped.
pub(super) struct Watch {
    shared: Arc<Shared>,
}

impl Watch {
    /// A query of this thread starts.
    pub(super) fn start(limits: &Limits) -> Self {
        let shared = WATCHER.with(|watcher| watcher.shared.clone());
        let mut desk = shared.desk();
        desk.state = State::Busy(limits.clone());
        if desk.asleep {
            shared.wake.notify_one();
        }
        drop(desk);
        Self { shared }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.shared.desk().state = State::Idle;
    }
}
