//! The state of all that threads synchronise by; mutexes and spin locks.
//!
//! The state of each is kept by address, beside the program's memory; what was never initialised is free, and its kind
//! is read from the bytes that a static initialiser leaves there.

mod saved;

use super::{Arguments, Flow, Run, Step, Table};
use crate::ir::undefined::Fault;
use crate::vm::choices::ChoiceKind;
use crate::vm::code::Access;
use crate::vm::names;
use crate::vm::run::schedule::Wait;
use crate::vm::value::{ObjectId, Slot};
use std::collections::BTreeMap;

/// Where a synchronisation object lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::vm) struct Key {
    pub object: ObjectId,
    pub offset: u64,
}

/// What a mutex does if its owner locks it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Kind {
    /// The owner waits for ever.
    #[default]
    Normal,
    /// It counts.
    Recursive,
    /// It refuses.
    Checking,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mutex {
    kind: Kind,
    owner: Option<u32>,
    count: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ReadWrite {
    pub(super) readers: Vec<u32>,
    pub(super) writer: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Barrier {
    pub(super) wanted: u64,
    pub(super) come: u64,
    pub(super) round: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Once {
    Running(u32),
    Done,
}

/// All synchronisation objects.
#[derive(Default)]
pub(in crate::vm) struct Synchronisation {
    mutexes: BTreeMap<Key, Mutex>,
    pub(super) locks: BTreeMap<Key, ReadWrite>,
    pub(super) semaphores: BTreeMap<Key, u64>,
    pub(super) barriers: BTreeMap<Key, Barrier>,
    pub(super) once: BTreeMap<Key, Once>,
    /// Kinds in attributes of mutexes.
    attributes: BTreeMap<Key, Kind>,
}

impl Synchronisation {
    /// Whether a thread can lock a mutex now, or is told at once that it cannot.
    pub(in crate::vm) fn can_lock(&self, key: Key, thread: u32) -> bool {
        self.mutexes.get(&key).is_none_or(|mutex| match mutex.owner {
            None => true,
            Some(owner) => owner == thread && mutex.kind != Kind::Normal,
        })
    }

    pub(in crate::vm) fn can_read(&self, key: Key) -> bool {
        self.locks.get(&key).is_none_or(|lock| lock.writer.is_none())
    }

    pub(in crate::vm) fn can_write(&self, key: Key) -> bool {
        self.locks.get(&key).is_none_or(|lock| lock.writer.is_none() && lock.readers.is_empty())
    }

    pub(in crate::vm) fn semaphore(&self, key: Key) -> u64 {
        self.semaphores.get(&key).copied().unwrap_or(0)
    }

    pub(in crate::vm) fn barrier_round(&self, key: Key) -> u64 {
        self.barriers.get(&key).map_or(0, |barrier| barrier.round)
    }

    pub(in crate::vm) fn is_once_done(&self, key: Key) -> bool {
        self.once.get(&key).is_none_or(|once| *once == Once::Done)
    }

    /// Whether a thread has locked a mutex.
    pub(super) fn holds(&self, key: Key, thread: u32) -> bool {
        self.mutexes.get(&key).is_some_and(|mutex| mutex.owner == Some(thread))
    }

    /// Who has locked a mutex.
    pub(in crate::vm) fn owner(&self, key: Key) -> Option<u32> {
        self.mutexes.get(&key)?.owner
    }

    /// Releases a mutex, whoever has it.
    pub(super) fn unlock(&mut self, key: Key) {
        if let Some(mutex) = self.mutexes.get_mut(&key) {
            mutex.count = mutex.count.saturating_sub(1);
            if mutex.count == 0 {
                mutex.owner = None;
            }
        }
    }

    /// Gives a free mutex to a thread.
    pub(super) fn lock(&mut self, key: Key, thread: u32) {
        let mutex = self.mutexes.entry(key).or_default();
        mutex.owner = Some(thread);
        mutex.count += 1;
    }

    /// Where they lie, and a text for the state of each.
    pub(in crate::vm) fn states(&self) -> Vec<(Key, String)> {
        fn texts<T: std::fmt::Debug>(map: &BTreeMap<Key, T>) -> impl Iterator<Item = (Key, String)> {
            map.iter().map(|(key, state)| (*key, format!("{state:?}")))
        }
        let first = texts(&self.mutexes).chain(texts(&self.locks)).chain(texts(&self.semaphores));
        let second = texts(&self.barriers).chain(texts(&self.once)).chain(texts(&self.attributes));
        first.chain(second).collect()
    }

    /// Objects that they lie in.
    pub(in crate::vm) fn objects(&self) -> impl Iterator<Item = ObjectId> {
        let first = self.mutexes.keys().chain(self.locks.keys()).chain(self.semaphores.keys());
        let second = self.barriers.keys().chain(self.once.keys()).chain(self.attributes.keys());
        first.chain(second).map(|key| key.object)
    }
}

pub(super) const BUSY: i32 = 16;
const DEADLOCK: i32 = 35;
const TIMED_OUT: i32 = 110;
const NOT_PERMITTED: i32 = 1;

pub(super) const TABLE: Table = &[
    ("pthread_mutex_init", mutex_init),
    ("pthread_mutex_destroy", mutex_destroy),
    ("pthread_mutex_lock", mutex_lock),
    ("pthread_mutex_trylock", mutex_trylock),
    ("pthread_mutex_timedlock", mutex_timedlock),
    ("pthread_mutex_unlock", mutex_unlock),
    ("pthread_mutexattr_init", attribute_init),
    ("pthread_mutexattr_destroy", attribute_init),
    ("pthread_mutexattr_settype", attribute_settype),
    ("pthread_spin_init", spin_init),
    ("pthread_spin_destroy", mutex_destroy),
    ("pthread_spin_lock", mutex_lock),
    ("pthread_spin_trylock", mutex_trylock),
    ("pthread_spin_unlock", mutex_unlock),
];

/// Where an argument points to. It must be an object that lives.
pub(super) fn key(run: &mut Run<'_>, arguments: &Arguments, number: usize) -> Step<Key> {
    let (object, offset) = run.resolve(arguments.get(number), 1, Access::Read)?;
    run.publish(object);
    Ok(Key { object, offset: offset as u64 })
}

/// A mutex that is seen for the first time has the kind that its initialiser says.
pub(super) fn meet(run: &mut Run<'_>, key: Key) -> Step {
    if run.sync.mutexes.contains_key(&key) {
        return Ok(());
    }
    // Where glibc keeps the kind: behind lock, count, owner, and on 64 bits the number of users.
    let at = key.offset as usize + if run.image.word == 8 { 16 } else { 12 };
    let object = &run.memory[key.object];
    let readable = object.contains(at as u64, 4) && object.is_defined(at, 4);
    let kind = match readable.then(|| object.read(at, 4)) {
        Some(1) => Kind::Recursive,
        Some(2) => Kind::Checking,
        _ => Kind::Normal,
    };
    run.sync.mutexes.insert(key, Mutex { kind, ..Mutex::default() });
    Ok(())
}

/// A lock is not used as it should be, if somebody wants to know.
pub(super) fn misuse(run: &mut Run<'_>, lock: Key, happens: bool, what: &str) -> Step {
    if !happens || !run.settings.checks.contains(&Fault::Lock) {
        return Ok(());
    }
    let name = names::path(run, lock.object, lock.offset as usize, 0);
    run.fault(Fault::Lock, |_| format!("`{name}` {what}"))
}

fn mutex_init(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let mutex = key(run, arguments, 0)?;
    if checks_locks(run) && run.pauses_here() {
        return Ok(Flow::Again);
    }
    misuse(run, mutex, run.sync.owner(mutex).is_some(), "is initialised while it is held")?;
    let attribute = arguments.get(1);
    let kind = if attribute == Slot::ZERO {
        Kind::Normal
    } else {
        let attribute = key(run, arguments, 1)?;
        run.sync.attributes.get(&attribute).copied().unwrap_or_default()
    };
    run.sync.mutexes.insert(mutex, Mutex { kind, ..Mutex::default() });
    Flow::zero()
}

fn spin_init(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let lock = key(run, arguments, 0)?;
    if checks_locks(run) && run.pauses_here() {
        return Ok(Flow::Again);
    }
    misuse(run, lock, run.sync.owner(lock).is_some(), "is initialised while it is held")?;
    run.sync.mutexes.insert(lock, Mutex::default());
    Flow::zero()
}

fn mutex_destroy(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let mutex = key(run, arguments, 0)?;
    if checks_locks(run) && run.pauses_here() {
        return Ok(Flow::Again);
    }
    misuse(run, mutex, run.sync.owner(mutex).is_some(), "is destroyed while it is held")?;
    run.sync.mutexes.insert(mutex, Mutex::default());
    Flow::zero()
}

/// Whether misuse of locks is checked: then it matters when they are destroyed.
pub(super) fn checks_locks(run: &Run<'_>) -> bool {
    run.settings.checks.contains(&Fault::Lock)
}

fn attribute_init(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let attribute = key(run, arguments, 0)?;
    run.sync.attributes.insert(attribute, Kind::Normal);
    Flow::zero()
}

fn attribute_settype(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let attribute = key(run, arguments, 0)?;
    let kind = match arguments.number(run, 1)? {
        1 => Kind::Recursive,
        2 => Kind::Checking,
        _ => Kind::Normal,
    };
    run.sync.attributes.insert(attribute, kind);
    Flow::zero()
}

fn mutex_lock(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let mutex = key(run, arguments, 0)?;
    meet(run, mutex)?;
    let thread = run.thread.id;
    let again = run.sync.holds(mutex, thread) && !run.sync.can_lock(mutex, thread);
    misuse(run, mutex, again, "is locked again by the thread that holds it")?;
    if !run.sync.can_lock(mutex, thread) {
        run.closes_circle(mutex)?;
    }
    if run.pauses_here() || !run.sync.can_lock(mutex, thread) {
        return Ok(Flow::Blocked(Wait::Mutex(mutex)));
    }
    let state = run.sync.mutexes[&mutex];
    if state.owner == Some(thread) && state.kind == Kind::Checking {
        return Flow::int(DEADLOCK);
    }
    run.sync.lock(mutex, thread);
    Flow::zero()
}

fn mutex_trylock(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let mutex = key(run, arguments, 0)?;
    meet(run, mutex)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let (state, thread) = (run.sync.mutexes[&mutex], run.thread.id);
    let mine = state.owner == Some(thread) && state.kind == Kind::Recursive;
    if state.owner.is_some() && !mine {
        return Flow::int(BUSY);
    }
    run.sync.lock(mutex, thread);
    Flow::zero()
}

/// If somebody else has it, time may be up, or never.
fn mutex_timedlock(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let mutex = key(run, arguments, 0)?;
    meet(run, mutex)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    run.thread.granted = true;
    if !run.sync.can_lock(mutex, run.thread.id) && run.choose_whether(ChoiceKind::Wake, "timeout")? {
        run.thread.granted = false;
        return Flow::int(TIMED_OUT);
    }
    mutex_lock(run, arguments)
}

fn mutex_unlock(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let mutex = key(run, arguments, 0)?;
    meet(run, mutex)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let state = run.sync.mutexes[&mutex];
    if state.kind != Kind::Normal && state.owner != Some(run.thread.id) {
        return Flow::int(NOT_PERMITTED);
    }
    let other = !run.sync.holds(mutex, run.thread.id);
    misuse(run, mutex, other, "is unlocked by a thread that does not hold it")?;
    run.sync.unlock(mutex);
    Flow::zero()
}
