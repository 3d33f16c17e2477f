//! Read-write locks, semaphores, barriers, `pthread_once`.

use super::sync::{BUSY, Barrier, Key, Once, ReadWrite, checks_locks, key, misuse};
use super::thread::set_errno;
use super::{Arguments, Flow, Run, Step, Table};
use crate::vm::instruction::call;
use crate::vm::run::schedule::Wait;
use crate::vm::value::Slot;

const AGAIN: i32 = 11;

pub(super) const TABLE: Table = &[
    ("pthread_rwlock_init", rwlock_init),
    ("pthread_rwlock_destroy", rwlock_destroy),
    ("pthread_rwlock_rdlock", rwlock_rdlock),
    ("pthread_rwlock_wrlock", rwlock_wrlock),
    ("pthread_rwlock_tryrdlock", rwlock_tryrdlock),
    ("pthread_rwlock_trywrlock", rwlock_trywrlock),
    ("pthread_rwlock_unlock", rwlock_unlock),
    ("sem_init", sem_init),
    ("sem_destroy", sem_destroy),
    ("sem_wait", sem_wait),
    ("sem_trywait", sem_trywait),
    ("sem_post", sem_post),
    ("sem_getvalue", sem_getvalue),
    ("pthread_barrier_init", barrier_init),
    ("pthread_barrier_destroy", barrier_destroy),
    ("pthread_barrier_wait", barrier_wait),
    ("pthread_once", once),
];

fn rwlock_init(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let lock = key(run, arguments, 0)?;
    if checks_locks(run) && run.pauses_here() {
        return Ok(Flow::Again);
    }
    let written = run.sync.locks.get(&lock).is_some_and(|state| state.writer.is_some());
    misuse(run, lock, written, "is initialised while it is held")?;
    run.sync.locks.insert(lock, ReadWrite::default());
    Flow::zero()
}

fn rwlock_destroy(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let lock = key(run, arguments, 0)?;
    if checks_locks(run) && run.pauses_here() {
        return Ok(Flow::Again);
    }
    misuse(run, lock, !run.sync.can_write(lock), "is destroyed while it is held")?;
    run.sync.locks.insert(lock, ReadWrite::default());
    Flow::zero()
}

/// Who locks for writing must not lock again. That of readers is not checked: the program model does not know them.
fn not_again(run: &mut Run<'_>, lock: Key) -> Step {
    let writer = run.sync.locks.get(&lock).and_then(|state| state.writer);
    misuse(run, lock, writer == Some(run.thread.id), "is locked again by the thread that holds it")
}

fn rwlock_rdlock(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let lock = key(run, arguments, 0)?;
    not_again(run, lock)?;
    if run.pauses_here() || !run.sync.can_read(lock) {
        return Ok(Flow::Blocked(Wait::Read(lock)));
    }
    run.sync.locks.entry(lock).or_default().readers.push(run.thread.id);
    Flow::zero()
}

fn rwlock_wrlock(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let lock = key(run, arguments, 0)?;
    not_again(run, lock)?;
    if run.pauses_here() || !run.sync.can_write(lock) {
        return Ok(Flow::Blocked(Wait::Write(lock)));
    }
    run.sync.locks.entry(lock).or_default().writer = Some(run.thread.id);
    Flow::zero()
}

fn rwlock_tryrdlock(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let lock = key(run, arguments, 0)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    if !run.sync.can_read(lock) {
        return Flow::int(BUSY);
    }
    run.sync.locks.entry(lock).or_default().readers.push(run.thread.id);
    Flow::zero()
}

fn rwlock_trywrlock(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let lock = key(run, arguments, 0)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    if !run.sync.can_write(lock) {
        return Flow::int(BUSY);
    }
    run.sync.locks.entry(lock).or_default().writer = Some(run.thread.id);
    Flow::zero()
}

fn rwlock_unlock(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let lock = key(run, arguments, 0)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let thread = run.thread.id;
    let free = run.sync.can_write(lock);
    let other = run.sync.locks.get(&lock).and_then(|state| state.writer).is_some_and(|it| it != thread);
    misuse(run, lock, free || other, "is unlocked by a thread that does not hold it")?;
    let state = run.sync.locks.entry(lock).or_default();
    if state.writer == Some(thread) {
        state.writer = None;
    } else if let Some(at) = state.readers.iter().position(|reader| *reader == thread) {
        state.readers.remove(at);
    }
    Flow::zero()
}

fn sem_init(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let semaphore = key(run, arguments, 0)?;
    let value = arguments.number(run, 2)?;
    run.sync.semaphores.insert(semaphore, value);
    Flow::zero()
}

fn sem_destroy(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let semaphore = key(run, arguments, 0)?;
    run.sync.semaphores.remove(&semaphore);
    Flow::zero()
}

fn sem_wait(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let semaphore = key(run, arguments, 0)?;
    if run.pauses_here() || run.sync.semaphore(semaphore) == 0 {
        return Ok(Flow::Blocked(Wait::Semaphore(semaphore)));
    }
    *run.sync.semaphores.entry(semaphore).or_default() -= 1;
    Flow::zero()
}

fn sem_trywait(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let semaphore = key(run, arguments, 0)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    if run.sync.semaphore(semaphore) == 0 {
        set_errno(run, AGAIN)?;
        return Flow::int(-1);
    }
    *run.sync.semaphores.entry(semaphore).or_default() -= 1;
    Flow::zero()
}

fn sem_post(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let semaphore = key(run, arguments, 0)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    *run.sync.semaphores.entry(semaphore).or_default() += 1;
    Flow::zero()
}

fn sem_getvalue(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let semaphore = key(run, arguments, 0)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let value = run.sync.semaphore(semaphore);
    run.store(arguments.get(1), Slot::number(value), 4, 32)?;
    Flow::zero()
}

fn barrier_init(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let barrier = key(run, arguments, 0)?;
    let wanted = arguments.number(run, 2)?;
    run.sync.barriers.insert(barrier, Barrier { wanted, ..Barrier::default() });
    Flow::zero()
}

fn barrier_destroy(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let barrier = key(run, arguments, 0)?;
    run.sync.barriers.remove(&barrier);
    Flow::zero()
}

/// The last one to come gets −1 (`PTHREAD_BARRIER_SERIAL_THREAD`), the others 0.
fn barrier_wait(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let barrier = key(run, arguments, 0)?;
    // The others have come.
    if run.thread.barrier.take().is_some_and(|round| run.sync.barrier_round(barrier) != round) {
        run.thread.granted = false;
        return Flow::zero();
    }
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let state = run.sync.barriers.entry(barrier).or_default();
    state.come += 1;
    if state.come >= state.wanted {
        state.come = 0;
        state.round += 1;
        return Flow::int(-1);
    }
    let round = state.round;
    run.thread.barrier = Some(round);
    Ok(Flow::Blocked(Wait::Barrier(barrier, round)))
}

fn once(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let control = key(run, arguments, 0)?;
    let thread = run.thread.id;
    match run.sync.once.get(&control) {
        Some(Once::Done) => return Flow::zero(),
        // The routine has just returned to this call.
        Some(Once::Running(owner)) if *owner == thread => {
            run.sync.once.insert(control, Once::Done);
            return Flow::zero();
        }
        Some(Once::Running(_)) => return Ok(Flow::Blocked(Wait::Once(control))),
        None => {}
    }
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let routine = call::function_of(run, arguments.get(1))?;
    run.sync.once.insert(control, Once::Running(thread));
    let again = run.thread.position - 1;
    run.push_frame(routine, &[], again, 0, 0)?;
    Ok(Flow::Elsewhere)
}
