//! Functions that Boolero knows by name.

use super::{Settings, Undefined};
use crate::ir::analysis::points_to::External;
use crate::ir::scan::scan;
use crate::library::libc;

/// What a function without a body is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Returns an arbitrary value.
    Arbitrary,
    /// Cuts off runs in which its argument is zero.
    Assume,
    /// Ends the run.
    End,
    /// `__assert_fail`: violates an assertion whose text is the first argument.
    AssertionFailed,
    /// `assert` as a function.
    Assert,
    /// Must not be called.
    Error,
    /// An atomic section starts.
    AtomicBegin,
    /// An atomic section ends.
    AtomicEnd,
    /// `malloc`: the size.
    Allocate,
    /// `calloc`: number and size.
    AllocateZeroed,
    /// `realloc`: an address and the new size.
    Reallocate,
    /// Memory until the function returns.
    AllocateLocally,
    /// `free`.
    Free,
    /// `memcpy`.
    Copy,
    /// `memmove`.
    Move,
    /// `memset`.
    Set,
    /// `rand`: a number that is not negative.
    Random,
    /// No effect on the program; returns an arbitrary value.
    Harmless,
    /// `pthread_create`.
    StartThread,
    /// `pthread_join`.
    JoinThread,
    /// `pthread_exit`.
    EndThread,
    /// `pthread_self`.
    OwnThread,
    /// Our own, in models: what is not modelled, in words.
    Unsupported,
    /// Our own, in models: a lock is used.
    Lock(LockStep),
    /// A library function that calls back, jumps or writes memory, and has no model: never taken for pure.
    Unmodelled,
}

/// What happens to a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LockStep {
    /// A thread is about to wait for it.
    Wants,
    /// The thread has it.
    Takes,
    /// The thread gives it back.
    Leaves,
    /// The thread must have it.
    Needs,
    /// The thread must not have it.
    Again,
    /// Nobody must have it.
    Anew,
    /// It is misused if the second argument says so.
    Misuse,
    /// The thread is about to wait in a way that nobody looks at: for what, says the argument.
    Blocks,
    /// The thread reads under it: who does is not kept.
    Reads,
}

/// The function with this name, if it has no body.
pub(super) fn known(name: &str, settings: &Settings) -> Option<Known> {
    if settings.error_functions.iter().any(|error| error == name) {
        return Some(Known::Error);
    }
    if name.starts_with("__VERIFIER_nondet_") || name.starts_with("boolero_nondet_") {
        return Some(Known::Arbitrary);
    }
    Some(match name {
        "__VERIFIER_assume" => Known::Assume,
        "__VERIFIER_atomic_begin" => Known::AtomicBegin,
        "__VERIFIER_atomic_end" => Known::AtomicEnd,
        "abort" | "exit" | "_exit" | "_Exit" | "__VERIFIER_silent_exit" | "quick_exit" => Known::End,
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" => Known::AssertionFailed,
        "assert" | "__VERIFIER_assert" => Known::Assert,
        "malloc" | "valloc" | "__builtin_malloc" => Known::Allocate,
        "calloc" => Known::AllocateZeroed,
        "realloc" => Known::Reallocate,
        "alloca" | "__builtin_alloca" => Known::AllocateLocally,
        "free" | "cfree" => Known::Free,
        "memcpy" | "__builtin_memcpy" | "__memcpy" => Known::Copy,
        "memmove" | "__builtin_memmove" => Known::Move,
        "memset" | "__builtin_memset" => Known::Set,
        "rand" | "random" => Known::Random,
        "pthread_create" => Known::StartThread,
        "pthread_join" => Known::JoinThread,
        "pthread_exit" => Known::EndThread,
        "pthread_self" | "boolero_self" => Known::OwnThread,
        "boolero_unsupported" => Known::Unsupported,
        "boolero_wants" => Known::Lock(LockStep::Wants),
        "boolero_takes" => Known::Lock(LockStep::Takes),
        "boolero_leaves" => Known::Lock(LockStep::Leaves),
        "boolero_needs" => Known::Lock(LockStep::Needs),
        "boolero_again" => Known::Lock(LockStep::Again),
        "boolero_anew" => Known::Lock(LockStep::Anew),
        "boolero_misuse" => Known::Lock(LockStep::Misuse),
        "boolero_blocks" => Known::Lock(LockStep::Blocks),
        "boolero_reads" => Known::Lock(LockStep::Reads),
        "printf" | "fprintf" | "vprintf" | "vfprintf" | "puts" | "putchar" | "fputs" | "fputc" | "putc"
        | "fflush" | "perror" | "srand" | "srandom" | "clock" | "usleep" | "sleep" | "sched_yield"
        | "fclose" | "isatty" | "getpid" => Known::Harmless,
        _ if libc::has_effects(name) || is_of_threads(name) || scan(name).is_some() => Known::Unmodelled,
        _ => return None,
    })
}

/// The number of the argument that is a format, for functions that print by one.
pub(super) fn format_of(name: &str) -> Option<usize> {
    match name {
        "printf" | "vprintf" => Some(0),
        "fprintf" | "vfprintf" | "sprintf" | "vsprintf" => Some(1),
        "snprintf" | "vsnprintf" => Some(2),
        _ => None,
    }
}

/// Functions of the libraries for threads: what is not known of them is never taken for pure.
fn is_of_threads(name: &str) -> bool {
    ["pthread_", "sem_", "thrd_", "mtx_", "cnd_"].iter().any(|prefix| name.starts_with(prefix))
}

/// The result has no address in it.
const NO_ADDRESS: [&str; 23] = [
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "putchar",
    "fputs",
    "fputc",
    "putc",
    "fflush",
    "perror",
    "srand",
    "rand",
    "random",
    "srandom",
    "clock",
    "usleep",
    "sleep",
    "sched_yield",
    "fclose",
    "isatty",
    "getpid",
    "free",
];

/// What a function without a body does to memory.
pub(super) fn effect_on_memory(name: &str, settings: &Settings) -> External {
    match known(name, settings) {
        Some(Known::Allocate) => External::Allocates(&[0]),
        Some(Known::AllocateZeroed) => External::Allocates(&[0, 1]),
        Some(Known::AllocateLocally) => External::Allocates(&[]),
        Some(Known::Free) => External::Frees,
        Some(Known::Copy | Known::Move) => External::CopiesMemory(0, 1),
        Some(Known::Set) => External::ReturnsArgument(0),
        Some(Known::Reallocate) => External::Reallocates(0, 1),
        Some(Known::StartThread) => External::StartsThread { handle: 0, routine: 2, argument: 3 },
        Some(Known::JoinThread) => External::JoinsThread { result: 1 },
        Some(Known::EndThread) => External::EndsThread { result: 0 },
        // What an address that it returns points to is an object of its own.
        Some(Known::Arbitrary) => External::Invents,
        Some(_) => External::Nothing,
        None if NO_ADDRESS.contains(&name) => External::Nothing,
        None => match settings.undefined {
            Undefined::Havoc => External::Anything,
            Undefined::Pure | Undefined::Unknown => External::Invents,
        },
    }
}
