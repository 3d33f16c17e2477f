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
//! These need nothing, since the machine asks: inputs, `rand` and `time`, uninitialised bytes (padding, too), results of
//! undefined operations, numbers of addresses, the schedule, allocations that may fail. The order of evaluation was settled by
//! clang for every reading of the program; so were the sizes of types. The rounding mode is that at the start of a program: no
//! function that changes it is in the tables. A local variable of a block keeps its value from one entry of the block to
//! the next, so a run does not decide what is about uninitialised values or about accesses to objects that have ended.

use super::Exactness;
use super::run::{Run, Step};
use super::value::Slot;

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

/// Functions whose names begin so ask for their result.
const INPUTS: &[&str] = &["__VERIFIER_nondet_", "boolero_nondet_"];

/// Whether nothing may be settled here.
pub(super) fn is_strict(run: &Run<'_>) -> bool {
    run.settings.exactness == Exactness::Strict
}

/// Something is about to be settled.
///
/// # Errors
/// If nothing may be.
pub(super) fn settle(run: &Run<'_>, what: &str) -> Step {
    if is_strict(run) { run.unsupported(what) } else { Ok(()) }
}

/// A function of the machine is about to be called.
///
/// # Errors
/// If it settles something, and nothing may be.
pub(super) fn settle_by(run: &Run<'_>, name: &str) -> Step {
    let known = DETERMINED.contains(&name)
        || OUTPUT.contains(&name)
        || INPUTS.iter().any(|prefix| name.starts_with(prefix));
    if known { Ok(()) } else { settle(run, "a function of the library that settles something") }
}

/// The result of a function of the machine: without a value, if it is open.
pub(super) fn result_of(run: &Run<'_>, name: &str, value: Slot) -> Slot {
    if is_strict(run) && OUTPUT.contains(&name) { Slot::UNCHOSEN } else { value }
}
