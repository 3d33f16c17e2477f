//! The process: how it ends, assertions, and what surrounds it.

use super::{Arguments, Flow, Run, Step, Table};
use crate::ir::undefined::Fault;
use crate::vm::builtin::thread;
use crate::vm::choices::ChoiceKind;
use crate::vm::instruction::call;
use crate::vm::memory::{Contents, Lifetime, Origin};
use crate::vm::outcome::End;
use crate::vm::run::ThreadState;
use crate::vm::value::{ObjectId, Slot};
use crate::vm::{names, range};

pub(super) const TABLE: Table = &[
    ("abort", abort),
    ("exit", exit),
    ("_exit", exit_at_once),
    ("_Exit", exit_at_once),
    ("atexit", at_exit),
    ("__assert_fail", assert_fail),
    ("__assert", assert_fail),
    ("__assert_rtn", assert_rtn),
    ("rand", rand),
    ("random", rand),
    ("srand", nothing),
    ("srandom", nothing),
    ("time", time),
    ("getenv", getenv),
    ("secure_getenv", getenv),
    ("sleep", nothing),
    ("usleep", nothing),
    ("nanosleep", nothing),
    ("sched_yield", sched_yield),
    ("pthread_yield", sched_yield),
    ("__errno_location", errno),
    ("boolero_unmodelled_errno", errno),
];

fn nothing(_: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    Flow::zero()
}

fn sched_yield(run: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    if run.pauses_here() { Ok(Flow::Again) } else { Flow::zero() }
}

/// Whatever ends the process waits for its turn first: others may come before it.
fn abort(run: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    Err(Box::new(End::Abort))
}

fn exit_at_once(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let code = arguments.number(run, 0)?;
    Err(Box::new(End::Exit(code as u8)))
}

fn exit(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    if next_at_exit(run)? {
        return Ok(Flow::Elsewhere);
    }
    let code = arguments.number(run, 0)?;
    look_for_leaks(run)?;
    Err(Box::new(End::Exit(code as u8)))
}

fn at_exit(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let function = call::function_of(run, arguments.get(0))?;
    run.environment.at_exit.push(function);
    Flow::zero()
}

fn assert_fail(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    failed(run, arguments.get(0))
}

/// As macOS spells it: function, file, line, expression.
fn assert_rtn(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    failed(run, arguments.get(3))
}

fn failed(run: &mut Run<'_>, text: Slot) -> Step<Flow> {
    if run.pauses_here() {
        return Ok(Flow::Again);
    }
    let text = range::string(run, text)?;
    Err(Box::new(End::AssertionFailed(String::from_utf8_lossy(&text).into_owned())))
}

/// `rand` returns 0 to `RAND_MAX`, which is the largest `int`.
fn rand(run: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    Flow::number(run.choose_bits(ChoiceKind::Input, "rand", 31)?)
}

fn time(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let bits = run.pointer_bits();
    let now = Slot::number(run.choose_bits(ChoiceKind::Input, "time", bits - 1)?);
    let target = arguments.get(0);
    if target != Slot::ZERO {
        run.store(target, now, bits as usize / 8, bits)?;
    }
    Ok(Flow::Return(now))
}

fn errno(run: &mut Run<'_>, _: &Arguments) -> Step<Flow> {
    let thread = run.thread.id;
    if let Some(&id) = run.environment.errno.get(&thread) {
        return Ok(Flow::Return(Slot::address(id, 0)));
    }
    let id = run.new_object(Origin::Environment("errno"), 4, 4, Contents::Zeros)?;
    run.memory[id].shared = false;
    run.environment.errno.insert(thread, id);
    Ok(Flow::Return(Slot::address(id, 0)))
}

/// Null, or an address of a text from outside; for one name always the same.
fn getenv(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let name = range::string(run, arguments.get(0))?;
    let known = run.environment.texts.get(&name).copied();
    let text = match known {
        Some(text) => text,
        None => run.choose_bits(ChoiceKind::Result, "getenv", run.pointer_bits())?,
    };
    run.outside.note(text);
    run.environment.texts.insert(name, text);
    Flow::number(text)
}

/// Starts the next function that was registered for the end; the current instruction is run again after it.
fn next_at_exit(run: &mut Run<'_>) -> Step<bool> {
    let Some(function) = run.environment.at_exit.pop() else { return Ok(false) };
    let again = run.thread.position - 1;
    run.push_frame(function, &[], again, 0, 0)?;
    Ok(true)
}

/// The outermost function of a thread returns.
pub(in crate::vm) fn return_from_thread(run: &mut Run<'_>, value: Slot) -> Step {
    if run.thread.id != 0 {
        if thread::next_destructor(run)? {
            return Ok(());
        }
        return run.finish_thread(value);
    }
    // Others may come before the end of the process.
    if run.pauses_here() {
        return run.switch();
    }
    if next_at_exit(run)? {
        return Ok(());
    }
    let value = run.number(value, 32)?;
    end_locals(run);
    // What is wrong from here on is wrong with the function as a whole.
    run.thread.position = usize::MAX;
    look_for_leaks(run)?;
    Err(Box::new(End::Exit(value.bits as u8)))
}

/// The variables of the innermost function end, and so does what its registers refer to.
fn end_locals(run: &mut Run<'_>) {
    if let Some(frame) = run.thread.frames.last_mut() {
        for id in std::mem::take(&mut frame.objects) {
            run.memory.end(id, Lifetime::Ended);
        }
    }
    run.thread.slots.clear();
}

/// The process ends: memory that nothing leads to any more was leaked.
fn look_for_leaks(run: &mut Run<'_>) -> Step {
    let globals = run.memory.ids().filter(|id| matches!(run.memory[*id].origin, Origin::Global(_)));
    let frames = run.threads.iter().chain(std::iter::once(&run.thread));
    let frames = frames.filter(|thread| thread.state == ThreadState::Alive).flat_map(|thread| &thread.frames);
    let locals = frames.flat_map(|frame| frame.objects.iter().copied());
    let roots: Vec<ObjectId> = globals.chain(locals).chain(run.roots()).collect();
    let lost = run.stepping.as_ref().is_some_and(|stepping| stepping.lost);
    if lost {
        run.fault(Fault::Leak, |_| "memory that nothing leads to any more was not freed".into())?;
    }
    let Some(&leaked) = run.memory.leaked(roots.into_iter()).first() else { return Ok(()) };
    run.fault(Fault::Leak, |run| {
        let size = run.memory[leaked].size;
        let name = names::of_object(run, leaked);
        format!("nothing leads to `{name}` ({size} bytes) any more when the program ends")
    })
}
