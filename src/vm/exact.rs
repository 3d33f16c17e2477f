//! What the machine settles without a choice, though the C standard or the environment leaves it open.
//!
//! A program that has no choice has one run, and one run decides it. But that a run asked nothing is not enough: the machine
//! answers some questions by itself, because one usual answer is good enough to replay a counterexample. With
//! [`Exactness::Strict`](super::Exactness) a run ends as unsupported where that happens:
//!
//! - `main` has parameters: the machine passes the name of the program, and no environment;
//! - a function of the library is called that is not in the tables below: what `getenv` returns, how long `sleep` sleeps,
//!   threads and their synchronisation. What undefined functions do under
//!   `--undefined-functions` is open as well;
//! - what `printf` and the like return: output may fail. The result has no value there, so that its use is a choice;
//! - an allocation of no bytes, which may be null or not;
//! - an address of an ended object is compared with that of another one, which may have taken its place; addresses of two
//!   constants are compared, which may be one;
//! - intrinsics whose result depends on the compiler: object sizes, `__builtin_constant_p`, fused multiplication and addition;
//! - floating-point results that are no numbers, whose bits are open, and all floating-point arithmetic on 32-bit machines, where
//!   it may be more precise.
//!
//! With [`Exactness::Explored`](super::Exactness) threads and their synchronisation are no such place: all that can happen there is
//! a choice. Functions that access memory without stopping before it are made to stop.
//!
//! These need nothing, since the machine asks: inputs, `rand` and `time`, uninitialised bytes (padding, too), results of
//! undefined operations, numbers of addresses, the schedule, allocations that may fail. The order of evaluation was settled by
//! clang for every reading of the program; so were the sizes of types. The rounding mode is that at the start of a program: no
//! function that changes it is in the tables. A local variable of a block keeps its value from one entry of the block to
//! the next, so a run does not decide what is about uninitialised values or about accesses to objects that have ended.

use super::builtin::Arguments;
use super::code::Code;
use super::memory::Origin;
use super::run::{Run, Step};
use super::state::reads;
use super::value::{ObjectId, Slot};
use super::{Exactness, race};
use crate::ir::FunctionId;
use crate::ir::undefined::Fault;

/// Library functions whose effect and result are determined, or that ask. They are those of the machine: the models in C
/// run as any other code.
const DETERMINED: &[&str] = &[
    "abort",
    "exit",
    "atexit",
    "__assert_fail",
    "__assert",
    "__assert_rtn",
    "rand",
    "random",
    "srand",
    "srandom",
    "time",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "cfree",
    "alloca",
    "__builtin_alloca",
    "abs",
    "labs",
    "llabs",
    "memcpy",
    "memmove",
    "memset",
    "bzero",
    "memchr",
    "strlen",
    "strnlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strchr",
    "strrchr",
    "strstr",
    "strdup",
    "sscanf",
    "__isoc99_sscanf",
    "__isoc23_sscanf",
    "__VERIFIER_assume",
    "assume_abort_if_not",
    "__VERIFIER_assert",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
];

/// Functions of threads that are determined once it is known who goes on, or that ask.
const THREADS: &[&str] = &[
    "pthread_create",
    "pthread_join",
    "pthread_exit",
    "pthread_self",
    "pthread_equal",
    "pthread_detach",
    "pthread_attr_init",
    "pthread_attr_destroy",
    "pthread_attr_setdetachstate",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_mutexattr_init",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_settype",
    "pthread_spin_init",
    "pthread_spin_destroy",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_cond_init",
    "pthread_cond_destroy",
    "pthread_cond_wait",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_condattr_init",
    "pthread_condattr_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "sem_init",
    "sem_destroy",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "sem_getvalue",
    "pthread_barrier_init",
    "pthread_barrier_destroy",
    "pthread_once",
    "pthread_key_create",
    "pthread_setspecific",
    "pthread_getspecific",
    "sched_yield",
    "pthread_yield",
];

/// Functions that change what threads share and do not stop before, unless misuse of locks is looked for.
const ABRUPT: &[&str] = &[
    "atexit",
    "pthread_detach",
    "pthread_key_create",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_spin_init",
    "pthread_spin_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_destroy",
    "sem_init",
    "sem_destroy",
    "pthread_barrier_init",
    "pthread_barrier_destroy",
];

/// Functions whose result is open: how much is left of a time, which thread is the one that a barrier names.
const OPEN: &[&str] = &["sleep", "usleep", "pthread_barrier_wait"];

/// Functions that write; what they return is open.
const OUTPUT: &[&str] = &[
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "vfprintf",
    "vsprintf",
    "vsnprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fwrite",
    "fflush",
    "perror",
];

/// Functions that access memory and do not stop before.
const HASTY: &[&str] = &["time"];

/// Functions that stop before they access memory, and do not tell which bytes they access.
const SILENT: &[&str] = &[
    "sscanf",
    "__isoc99_sscanf",
    "__isoc23_sscanf",
    "memchr",
    "strlen",
    "strnlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strchr",
    "strrchr",
    "strstr",
    "strdup",
];

/// Functions whose names begin so ask for their result.
const INPUTS: &[&str] = &["__VERIFIER_nondet_", "boolero_nondet_"];

/// Whether nothing may be settled here.
pub(super) fn is_strict(run: &Run<'_>) -> bool {
    run.settings.exactness != Exactness::Usual
}

/// Something is about to be settled.
///
/// # Errors
/// If nothing may be.
pub(super) fn settle(run: &Run<'_>, what: &str) -> Step {
    if is_strict(run) { run.unsupported(what) } else { Ok(()) }
}

/// Whether it does not matter what the first function gets, since it puts its parameters aside and never looks at them.
pub(super) fn ignores_parameters(run: &Run<'_>, entry: FunctionId) -> bool {
    let function = &run.image.functions[entry];
    let plain = function.parameters.iter().all(|parameter| parameter.copied.is_none());
    let explored = run.settings.exactness == Exactness::Explored;
    let looks = |local: u32| {
        function
            .code
            .iter()
            .any(|code| matches!(code, Code::LoadLocal { local: other, .. } if *other == local))
    };
    let uses = |code: &Code| match code {
        Code::StoreLocal { local, value, .. }
            if value.as_constant().is_none() && value.0 < function.parameter_slots =>
        {
            looks(*local)
        }
        code => {
            let mut used = false;
            reads(code, |register| used |= register < function.parameter_slots);
            used
        }
    };
    explored && plain && !function.code.iter().any(uses)
}

/// A function of the machine is about to be called.
///
/// # Errors
/// If it settles something, and nothing may be.
pub(super) fn settle_by(run: &Run<'_>, name: &str) -> Step {
    let known = DETERMINED.contains(&name)
        || OUTPUT.contains(&name)
        || INPUTS.iter().any(|prefix| name.starts_with(prefix))
        || run.settings.exactness == Exactness::Explored && (THREADS.contains(&name) || OPEN.contains(&name));
    if known || !is_strict(run) {
        return Ok(());
    }
    settle(run, &format!("a call of `{name}`, whose result is open"))
}

/// The arguments through which a function accesses memory without telling which bytes.
fn untold(name: &str) -> std::ops::Range<usize> {
    match name {
        "pthread_create" | "pthread_key_create" => 0..1,
        "pthread_join" | "sem_getvalue" => 1..2,
        _ if OUTPUT.contains(&name) || HASTY.contains(&name) || SILENT.contains(&name) => 0..usize::MAX,
        _ => 0..0,
    }
}

/// Whether a run in steps must stop before a function of the machine that does not stop by itself.
///
/// # Errors
/// If races are looked for, and the function would not tell of one.
pub(super) fn stops(run: &mut Run<'_>, name: &str, arguments: &Arguments) -> Step<bool> {
    if run.settings.exactness != Exactness::Explored || !run.concurrent {
        return Ok(false);
    }
    if ABRUPT.contains(&name) {
        // Whoever looks for misuse of locks makes most of them stop by themselves.
        let lock = ["mutex", "spin", "rwlock"].iter().any(|kind| name.contains(kind));
        let own = lock && run.settings.checks.contains(&Fault::Lock);
        return Ok(!own && run.pauses_here());
    }
    let mut accessed = untold(name).take_while(|&number| number < arguments.len());
    if !accessed.any(|number| may_meet(run, arguments.get(number))) {
        return Ok(false);
    }
    if race::is_checked(run) {
        settle(run, "a function of the library that accesses what other threads can reach")?;
    }
    Ok((OUTPUT.contains(&name) || HASTY.contains(&name)) && run.pauses_here())
}

/// A struct is about to be copied for a call: the machine does that in the step at hand.
///
/// # Errors
/// If other threads can reach it, and all that they can do is to be taken into account.
pub(super) fn settle_copy(run: &Run<'_>, from: Slot) -> Step {
    let shared = run.concurrent && run.settings.exactness == Exactness::Explored && may_meet(run, from);
    if shared { settle(run, "a struct that other threads can reach, passed by value") } else { Ok(()) }
}

/// Several bytes are about to be copied or set in one step. Other threads could run between them.
///
/// # Errors
/// If other threads can reach one side, and all that they can do is to be taken into account.
pub(super) fn settle_range(run: &Run<'_>, sides: &[Slot], bytes: u64) -> Step {
    let explored = run.concurrent && run.settings.exactness == Exactness::Explored;
    let interrupted = explored && run.thread.atomic == 0 && bytes > 1;
    if interrupted && sides.iter().any(|&side| may_meet(run, side)) {
        settle(run, "a copy of memory that other threads can reach")?;
    }
    Ok(())
}

/// A function is about to return, and its local variables end in the same step.
///
/// # Errors
/// If other threads can reach one of them, and all that they can do is to be taken into account.
pub(super) fn settle_end_of_frame(run: &Run<'_>) -> Step {
    let explored = run.concurrent && run.settings.exactness == Exactness::Explored;
    let reached = |id: &ObjectId| may_meet(run, Slot::address(*id, 0));
    if explored && run.thread.frames.last().is_some_and(|frame| frame.objects.iter().any(reached)) {
        settle(run, "the end of a local variable that other threads can reach")?;
    }
    Ok(())
}

/// Whether an argument leads to memory that other threads can reach.
fn may_meet(run: &Run<'_>, argument: Slot) -> bool {
    let stream = argument.is_address() && matches!(run.memory[argument.object].origin, Origin::Stream(_));
    !stream && !argument.is_unchosen() && run.is_shared(argument)
}

/// The result of a function of the machine: without a value, if it is open.
pub(super) fn result_of(run: &Run<'_>, name: &str, value: Slot) -> Slot {
    let open = OUTPUT.contains(&name) || OPEN.contains(&name);
    if is_strict(run) && open { Slot::UNCHOSEN } else { value }
}
