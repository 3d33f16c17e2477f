//! Threads: when they switch, and who can go on.
//!
//! A thread that is about to touch what others can reach stops before it, the scheduler chooses among all threads that
//! can go on, and the chosen one is granted its access. A thread that waits runs its instruction again when what it
//! waits for has come.

use super::{Run, Step, Thread, ThreadState};
use crate::ground::reason::Stop;
use crate::ir::undefined::Fault;
use crate::vm::builtin::Key;
use crate::vm::choices::{ChoiceKind, Domain};
use crate::vm::outcome::{Bound, End, FaultReport, Location};
use crate::vm::state::{Stops, is_visible};
use crate::vm::value::Slot;
use crate::vm::{names, race};

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::vm) enum Wait {
    /// A mutex (or a spin lock).
    Mutex(Key),
    /// To read under a read-write lock.
    Read(Key),
    /// To write under a read-write lock.
    Write(Key),
    /// The end of a thread.
    Join(u32),
    /// A signal, and then the mutex.
    Condition(Key, Key),
    /// A semaphore above zero.
    Semaphore(Key),
    /// That all have come to a barrier, in this round.
    Barrier(Key, u64),
    /// That another thread has finished the routine of a `pthread_once`.
    Once(Key),
    /// Nothing that will come: what the thread assumes does not hold.
    Never,
}

impl Wait {
    /// What it says besides where things lie.
    pub(in crate::vm) fn name(self) -> String {
        match self {
            Self::Mutex(_) => "mutex".to_owned(),
            Self::Read(_) => "read".to_owned(),
            Self::Write(_) => "write".to_owned(),
            Self::Join(id) => format!("join {id}"),
            Self::Condition(..) => "condition".to_owned(),
            Self::Semaphore(_) => "semaphore".to_owned(),
            Self::Barrier(_, round) => format!("barrier {round}"),
            Self::Once(_) => "once".to_owned(),
            Self::Never => "never".to_owned(),
        }
    }

    /// Where things lie.
    pub(in crate::vm) fn keys(self) -> Vec<Key> {
        match self {
            Self::Mutex(key) | Self::Read(key) | Self::Write(key) => vec![key],
            Self::Semaphore(key) | Self::Barrier(key, _) | Self::Once(key) => vec![key],
            Self::Condition(condition, mutex) => vec![condition, mutex],
            Self::Join(_) | Self::Never => Vec::new(),
        }
    }
}

/// A condition variable that a thread waits at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::vm) struct Signal {
    pub condition: Key,
    pub woken: bool,
    /// It woke because its time was up.
    pub expired: bool,
}

/// The mutex that a thread waits for, if it waits for nothing else.
fn awaited(thread: &Thread) -> Option<Key> {
    match thread.wait? {
        Wait::Mutex(mutex) => Some(mutex),
        Wait::Condition(_, mutex) => thread.signal.is_none_or(|signal| signal.woken).then_some(mutex),
        _ => None,
    }
}

/// A deadlock as a fault.
fn told(waiting: &[(Location, String)]) -> FaultReport {
    let one = |(location, text): &(Location, String)| format!("thread {} {text}", location.thread);
    let text = waiting.iter().map(one).collect::<Vec<_>>().join(", ");
    let others = waiting[1..].iter().map(|(location, _)| location.clone()).collect();
    FaultReport { fault: Fault::Deadlock, text, location: waiting[0].0.clone(), others }
}

impl Run<'_> {
    /// Whether the thread must stop before it accesses this address.
    pub(in crate::vm) fn pauses(&mut self, address: Slot) -> bool {
        self.is_shared(address) && self.pauses_here()
    }

    /// Whether other threads may access this address, and one of them may change it.
    pub(in crate::vm) fn is_shared(&self, address: Slot) -> bool {
        let object = if address.is_address() {
            address.object
        } else if let Some((object, _)) = self.memory.find(address.bits) {
            object
        } else {
            return false;
        };
        let known = &self.memory[object];
        match &self.stepping {
            Some(stepping) if stepping.cut.stops == Stops::Visible => {
                !known.constant && is_visible(self, object)
            }
            _ => known.shared && !known.constant,
        }
    }

    /// Whether the thread must stop before it synchronises.
    pub(in crate::vm) fn pauses_here(&mut self) -> bool {
        if self.thread.atomic > 0 || !self.concurrent {
            return false;
        }
        let granted = std::mem::take(&mut self.thread.granted);
        // Who looks for races wants to see every access wait for its turn.
        let carried = race::is_checked(self) && self.thread.granted_at != Some(self.thread.position - 1);
        !granted || carried
    }

    /// Chooses a thread, and switches to it. The current instruction is run again when its thread's turn comes.
    pub(in crate::vm) fn switch(&mut self) -> Step {
        self.undone += 1;
        self.switch_after_effect()
    }

    /// The same, where the instruction has done something already.
    pub(in crate::vm) fn switch_after_effect(&mut self) -> Step {
        if self.stepping.is_some() {
            self.thread.position -= 1;
            return self.pause();
        }
        let next = self.choose_thread()?;
        self.thread.position -= 1;
        self.resume(next);
        Ok(())
    }

    /// The step ends, in a run that is made in steps.
    pub(in crate::vm) fn pause(&mut self) -> Step {
        if let Some(stepping) = &mut self.stepping {
            stepping.paused = true;
        }
        Err(Box::new(End::Interrupted(Stop::Interrupted)))
    }

    /// Lets others go on before the next instruction.
    pub(in crate::vm) fn give_way(&mut self) -> Step {
        self.thread.position += 1;
        self.switch_after_effect()
    }

    /// Chooses a thread that can go on.
    fn choose_thread(&mut self) -> Step<usize> {
        self.asked = self.steps;
        let enabled: Vec<u64> = self.enabled();
        self.look_back()?;
        let next = match enabled[..] {
            [] => return Err(Box::new(self.stuck())),
            [only] => only,
            _ => self.choose(ChoiceKind::Thread, "", Domain::Among(enabled))? as u64,
        };
        Ok(next as usize)
    }

    /// Threads that can go on. Whoever is in an atomic section goes on alone, unless it has to wait.
    pub(in crate::vm) fn enabled(&self) -> Vec<u64> {
        let threads = (0..self.threads.len()).map(|id| self.thread_of(id));
        let all: Vec<&Thread> = threads.filter(|thread| self.can_go_on(thread)).collect();
        let alone = all.iter().find(|thread| thread.atomic > 0);
        match alone {
            Some(thread) => vec![u64::from(thread.id)],
            None => all.iter().map(|thread| u64::from(thread.id)).collect(),
        }
    }

    fn can_go_on(&self, thread: &Thread) -> bool {
        if thread.state != ThreadState::Alive {
            return false;
        }
        match thread.wait {
            None => true,
            Some(Wait::Mutex(key)) => self.sync.can_lock(key, thread.id),
            Some(Wait::Read(key)) => self.sync.can_read(key),
            Some(Wait::Write(key)) => self.sync.can_write(key),
            Some(Wait::Join(id)) => self.thread_of(id as usize).state != ThreadState::Alive,
            Some(Wait::Condition(_, mutex)) => {
                thread.signal.is_none_or(|signal| signal.woken) && self.sync.can_lock(mutex, thread.id)
            }
            Some(Wait::Semaphore(key)) => self.sync.semaphore(key) > 0,
            Some(Wait::Barrier(key, round)) => self.sync.barrier_round(key) != round,
            Some(Wait::Once(key)) => self.sync.is_once_done(key),
            Some(Wait::Never) => false,
        }
    }

    /// Makes another thread the one that runs.
    pub(in crate::vm) fn resume(&mut self, next: usize) {
        let current = self.thread.id as usize;
        if next != current {
            std::mem::swap(&mut self.thread, &mut self.threads[current]);
            std::mem::swap(&mut self.thread, &mut self.threads[next]);
        }
        let fresh = self.thread.position == 0 && self.thread.next.is_empty();
        self.thread.granted_at = (!fresh).then_some(self.thread.position);
        self.thread.next.clear();
        self.thread.granted = true;
        self.thread.wait = None;
        self.reload();
    }

    /// Nobody can go on: a deadlock, unless everybody has finished. A run with an assumption that does not hold does not
    /// count.
    pub(in crate::vm) fn stuck(&self) -> End {
        let waiting: Vec<(Location, String)> = self.waiting();
        let others = self.threads.iter().enumerate().filter(|(id, _)| *id != self.thread.id as usize);
        let mut all = others.map(|(_, thread)| thread).chain(std::iter::once(&self.thread));
        let never = |thread: &Thread| thread.state == ThreadState::Alive && thread.wait == Some(Wait::Never);
        match waiting[..] {
            [] => End::Exit(0),
            _ if all.any(never) => End::AssumptionFailed,
            _ if self.settings.checks.contains(&Fault::Deadlock) => End::Fault(told(&waiting)),
            _ => End::Deadlock(waiting),
        }
    }

    /// The current thread is about to wait for a mutex: does it wait for itself then, by way of others that hold what it
    /// waits for, and wait? Or for a thread that has ended?
    pub(in crate::vm) fn closes_circle(&self, mutex: Key) -> Step {
        if !self.settings.checks.contains(&Fault::Deadlock) {
            return Ok(());
        }
        let text = |key: Key| {
            format!("waits for the mutex `{}`", names::path(self, key.object, key.offset as usize, 0))
        };
        let mut circle = vec![(self.location(), text(mutex))];
        let mut wanted = mutex;
        // Whoever waits in a circle that does not lead here is not followed round and round.
        for _ in 0..=self.threads.len() {
            match self.sync.owner(wanted) {
                Some(owner) if owner == self.thread.id => return Err(Box::new(End::Fault(told(&circle)))),
                Some(owner) if self.threads[owner as usize].state != ThreadState::Alive => {
                    if let Some((_, text)) = circle.last_mut() {
                        *text += &format!(", which thread {owner} held when it ended");
                    }
                    return Err(Box::new(End::Fault(told(&circle))));
                }
                Some(owner) => {
                    let other = &self.threads[owner as usize];
                    let Some(next) = awaited(other) else { return Ok(()) };
                    wanted = next;
                    circle.push((self.location_of(other), text(wanted)));
                }
                None => return Ok(()),
            }
        }
        Ok(())
    }

    fn waiting(&self) -> Vec<(Location, String)> {
        let threads = (0..self.threads.len()).map(|id| self.thread_of(id));
        let alive = threads.filter(|thread| thread.state == ThreadState::Alive);
        alive.map(|thread| (self.location_of(thread), self.wait_text(thread))).collect()
    }

    fn location_of(&self, thread: &Thread) -> Location {
        let frame = thread.frames.last();
        let function = frame.map_or("", |frame| &self.module.functions[frame.function].name).to_owned();
        // The others are before the instruction that they will run again.
        let position = thread.position + usize::from(thread.id != self.thread.id);
        let place = frame.and_then(|frame| self.place_in(frame.function, position));
        Location { thread: thread.id, function, place }
    }

    fn wait_text(&self, thread: &Thread) -> String {
        let name = |key: Key| names::path(self, key.object, key.offset as usize, 0);
        match thread.wait {
            None => "can go on".to_owned(),
            Some(Wait::Mutex(key)) => format!("waits for the mutex `{}`", name(key)),
            Some(Wait::Read(key) | Wait::Write(key)) => format!("waits for the lock `{}`", name(key)),
            Some(Wait::Join(id)) => format!("waits for the end of thread {id}"),
            Some(Wait::Condition(key, _)) => format!("waits for a signal at `{}`", name(key)),
            Some(Wait::Semaphore(key)) => format!("waits for the semaphore `{}`", name(key)),
            Some(Wait::Barrier(key, _)) => format!("waits at the barrier `{}`", name(key)),
            Some(Wait::Once(key)) => format!("waits for the routine of `{}`", name(key)),
            Some(Wait::Never) => "assumes what does not hold".to_owned(),
        }
    }

    /// Adds a thread; it starts when it is chosen. Its number is returned.
    pub(in crate::vm) fn add_thread(&mut self, function: crate::ir::FunctionId, argument: Slot) -> Step<u32> {
        if self.threads.len() >= self.settings.threads {
            return Err(Box::new(End::Bound(Bound::Threads)));
        }
        let id = self.threads.len() as u32;
        let current = self.thread.id as usize;
        self.threads.push(Thread::new(id));
        std::mem::swap(&mut self.thread, &mut self.threads[current]);
        std::mem::swap(&mut self.thread, &mut self.threads[id as usize]);
        let slots = self.image.functions[function].parameter_slots as usize;
        let started = self.push_frame(function, &[argument][..slots.min(1)], 0, 0, 0);
        std::mem::swap(&mut self.thread, &mut self.threads[id as usize]);
        std::mem::swap(&mut self.thread, &mut self.threads[current]);
        self.reload();
        self.concurrent = true;
        // Whatever was granted was so before there was a new thread to choose.
        self.thread.granted = false;
        started.map(|()| id)
    }

    /// The thread has ended.
    pub(in crate::vm) fn finish_thread(&mut self, value: Slot) -> Step {
        while !self.thread.frames.is_empty() {
            self.pop_frame();
        }
        self.thread.state = ThreadState::Finished(value);
        self.thread.slots = Vec::new();
        self.thread.atomic = 0;
        // An empty thread stands in for the one that runs.
        let others = self.threads.iter().enumerate().filter(|(id, _)| *id != self.thread.id as usize);
        let alive = others.filter(|(_, other)| other.state == ThreadState::Alive).count();
        self.concurrent = alive > 1;
        if self.stepping.is_some() {
            return self.pause();
        }
        let next = self.choose_thread()?;
        self.resume(next);
        Ok(())
    }
}
