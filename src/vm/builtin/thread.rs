//! Threads and condition variables.

use super::sync::{key, meet, misuse};
use super::{Arguments, Flow, Key, Run, Step, Table};
use crate::vm::choices::{ChoiceKind, Domain};
use crate::vm::instruction::call;
use crate::vm::memory::{Contents, Lifetime, Origin};
use crate::vm::run::ThreadState;
use crate::vm::run::schedule::{Signal, Wait};
use crate::vm::value::{ObjectId, Slot};
use crate::vm::{Exactness, exact};

pub(super) const TABLE: Table = &[
    ("pthread_create", create),
    ("pthread_join", join),
    ("pthread_exit", exit),
    ("pthread_self", this),
    ("pthread_equal", equal),
    ("pthread_detach", detach),
    ("pthread_attr_init", nothing),
    ("pthread_attr_destroy", nothing),
    ("pthread_attr_setdetachstate", nothing),
    ("pthread_attr_setscope", nothing),
    ("pthread_attr_setstacksize", nothing),
    ("pthread_setconcurrency", nothing),
    ("pthread_cond_init", nothing),
    ("pthread_cond_destroy", nothing),
    ("pthread_condattr_init", nothing),
    ("pthread_condattr_destroy", nothing),
    ("pthread_cond_wait", cond_wait),
    ("pthread_cond_timedwait", cond_timedwait),
    ("pthread_cond_signal", cond_signal),
    ("pthread_cond_broadcast", cond_broadcast),
    ("pthread_key_create", key_create),
    ("pthread_key_delete", nothing),
    ("pthread_setspecific", set_specific),
    ("pthread_getspecific", get_specific),
];

const NO_SUCH_THREAD: i32 = 3;
const INVALID: i32 = 22;
const TIMED_OUT: i32 = 110;

fn nothing(_: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    Flow::zero()
}

/// What a `pthread_t` holds: one more than the number, so that zero is no thread. Where nothing may be settled, it is the address of
/// an object that stands for the thread: so nobody can tell more from it than which thread it is.
fn handle(run: &mut Run<'_>, id: u32) -> Step<Slot> {
    if run.settings.exactness != Exactness::Explored {
        return Ok(Slot::number(u64::from(id) + 1));
    }
    if let Some(object) = run.thread_of(id as usize).handle {
        return Ok(Slot::address(object, 0));
    }
    let object = run.new_object(Origin::Environment("thread"), 1, 1, Contents::Zeros)?;
    run.thread_mut(id as usize).handle = Some(object);
    Ok(Slot::address(object, 0))
}

/// A thread was joined, or nobody will: another one may get what its `pthread_t` holds.
fn end_handle(run: &mut Run<'_>, id: u32) {
    if let Some(object) = run.thread_mut(id as usize).handle.take() {
        run.memory.end(object, Lifetime::Ended);
    }
}

fn create(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    // Others may go on between two threads that are started.
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let function = call::function_of(run, arguments.get(2))?;
    if !run.module.functions[function].is_defined() {
        return run.unsupported("a thread that runs an undefined function");
    }
    let argument = arguments.get(3);
    if argument.is_address() {
        run.publish(argument.object);
    }
    let id = run.add_thread(function, argument)?;
    let handle = handle(run, id)?;
    run.store(arguments.get(0), handle, run.memory.word, run.pointer_bits())?;
    Flow::zero()
}

/// The number of the thread that an argument names.
fn named(run: &mut Run<'_>, arguments: &Arguments) -> Step<Option<u32>> {
    let wanted = arguments.get(0);
    if wanted.is_address() {
        let found = (0..run.threads.len()).find(|&id| run.thread_of(id).handle == Some(wanted.object));
        return match found.filter(|_| wanted.bits == 0) {
            Some(id) => Ok(Some(id as u32)),
            None => run.unsupported("what is no thread any more, where one is named"),
        };
    }
    exact::settle(run, "a number that names a thread")?;
    let value = arguments.number(run, 0)?;
    Ok((1..=run.threads.len() as u64).contains(&value).then(|| value as u32 - 1))
}

fn join(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let Some(id) = named(run, arguments)? else { return Flow::int(NO_SUCH_THREAD) };
    if id == run.thread.id {
        return Ok(Flow::Blocked(Wait::Join(id)));
    }
    if run.threads[id as usize].detached {
        return Flow::int(INVALID);
    }
    let value = match run.threads[id as usize].state {
        ThreadState::Alive => return Ok(Flow::Blocked(Wait::Join(id))),
        ThreadState::Joined => return Flow::int(NO_SUCH_THREAD),
        ThreadState::Finished(value) => value,
    };
    if arguments.get(1) != Slot::ZERO {
        if run.pauses(arguments.get(1)) {
            return Ok(Flow::Again);
        }
        run.store(arguments.get(1), value, run.memory.word, run.pointer_bits())?;
    }
    run.threads[id as usize].state = ThreadState::Joined;
    end_handle(run, id);
    Flow::zero()
}

fn exit(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if next_destructor(run)? {
        return Ok(Flow::Elsewhere);
    }
    run.finish_thread(arguments.get(0))?;
    Ok(Flow::Elsewhere)
}

fn this(run: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    let id = run.thread.id;
    Ok(Flow::Return(handle(run, id)?))
}

fn equal(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let (left, right) = (arguments.get(0), arguments.get(1));
    if left.is_address() && right.is_address() {
        let lives = |slot: Slot| run.memory[slot.object].lifetime == Lifetime::Live;
        if !lives(left) || !lives(right) {
            return run.unsupported("a comparison with a thread that was joined");
        }
        return Flow::int((left == right).into());
    }
    let same = arguments.number(run, 0)? == arguments.number(run, 1)?;
    Flow::int(same.into())
}

fn detach(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    exact::settle(run, "a thread that is detached")?;
    let Some(id) = named(run, arguments)? else { return Flow::int(NO_SUCH_THREAD) };
    if id == run.thread.id {
        run.thread.detached = true;
    } else {
        run.threads[id as usize].detached = true;
    }
    Flow::zero()
}

/// Whether a wait ends by itself one day.
#[derive(Clone, Copy, PartialEq)]
enum Patience {
    Forever,
    Timed,
}

fn cond_wait(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    wait(run, arguments, Patience::Forever)
}

fn cond_timedwait(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    wait(run, arguments, Patience::Timed)
}

/// First the mutex is released; once there is a signal (or none was needed: a choice), it is taken again.
fn wait(run: &mut Run<'_>, arguments: &Arguments, patience: Patience) -> Step<Flow> {
    let (condition, mutex) = (key(run, arguments, 0)?, key(run, arguments, 1)?);
    let thread = run.thread.id;
    if let Some(signal) = run.thread.signal.take() {
        run.thread.granted = false;
        run.sync.lock(mutex, thread);
        return Flow::int(if signal.expired { TIMED_OUT } else { 0 });
    }
    meet(run, mutex)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let other = !run.sync.holds(mutex, thread);
    misuse(run, mutex, other, "is not held by the thread that waits with it")?;
    let name = if patience == Patience::Timed { "timeout" } else { "spurious" };
    let woken = run.choose_whether(ChoiceKind::Wake, name)?;
    run.sync.unlock(mutex);
    run.thread.signal = Some(Signal { condition, woken, expired: woken && patience == Patience::Timed });
    Ok(Flow::Blocked(Wait::Condition(condition, mutex)))
}

/// Threads that wait at a condition variable.
fn waiting(run: &Run<'_>, condition: Key) -> Vec<u64> {
    let waits = |signal: &Signal| signal.condition == condition && !signal.woken;
    let threads = (0..).zip(&run.threads).filter(|(_, thread)| thread.signal.as_ref().is_some_and(waits));
    threads.map(|(id, _)| id).collect()
}

fn wake(run: &mut Run<'_>, id: u64) {
    if let Some(signal) = &mut run.threads[id as usize].signal {
        signal.woken = true;
    }
}

fn cond_signal(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let condition = key(run, arguments, 0)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let waiting = waiting(run, condition);
    match waiting[..] {
        [] => {}
        [only] => wake(run, only),
        _ => {
            let chosen = run.choose(ChoiceKind::Wake, "signal", Domain::Among(waiting))?;
            wake(run, chosen as u64);
        }
    }
    Flow::zero()
}

fn cond_broadcast(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let condition = key(run, arguments, 0)?;
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    waiting(run, condition).into_iter().for_each(|id| wake(run, id));
    Flow::zero()
}

fn key_create(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let destructor = arguments.get(1);
    let destructor = if destructor == Slot::ZERO { None } else { Some(call::function_of(run, destructor)?) };
    let key = run.environment.keys.len() as u64;
    run.store(arguments.get(0), Slot::number(key), 4, 32)?;
    run.environment.keys.push(destructor);
    Flow::zero()
}

fn set_specific(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let key = arguments.number(run, 0)?;
    let value = arguments.get(1);
    if value.is_address() {
        run.publish(value.object);
    }
    run.environment.specific.insert((run.thread.id, key), value);
    Flow::zero()
}

fn get_specific(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let key = arguments.number(run, 0)?;
    let value = run.environment.specific.get(&(run.thread.id, key)).copied();
    Ok(Flow::Return(value.unwrap_or(Slot::ZERO)))
}

/// Sets `errno` of this thread.
pub(super) fn set_errno(run: &mut Run<'_>, value: i32) -> Step {
    let existing: Option<ObjectId> = run.environment.errno.get(&run.thread.id).copied();
    if let Some(id) = existing {
        run.write(id, 0, 4, Slot::number(value as u64))?;
    }
    Ok(())
}

/// Starts the destructor of a key that this thread has a value for; the current instruction is run again after it.
pub(super) fn next_destructor(run: &mut Run<'_>) -> Step<bool> {
    let thread = run.thread.id;
    if run.environment.keys.iter().flatten().count() > 1 {
        exact::settle(run, "the order in which destructors of keys run")?;
    }
    for (number, destructor) in run.environment.keys.clone().into_iter().enumerate() {
        let value = run.environment.specific.remove(&(thread, number as u64));
        let value = value.filter(|value| *value != Slot::ZERO);
        if let (Some(destructor), Some(value)) = (destructor, value) {
            let again = run.thread.position - 1;
            run.push_frame(destructor, &[value], again, 0, 0)?;
            return Ok(true);
        }
    }
    Ok(false)
}
