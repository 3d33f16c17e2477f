//! Library functions that Boolero knows by name: one table says what each of them is, what it does to memory as far as
//! addresses are concerned, and which argument is a format. Bodies in C are in [`models`](super::models), and
//! [`libc`] says of all others whether they do more than return a value. The machine has functions of its own.

use super::libc;
use crate::ir::analysis::points_to::External;
use crate::ir::scan::scan;
use crate::ir::transform::opaque::{self, Changes};

/// What a function without a body is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
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
    /// `getenv`: null, or a text that is apart from the program's objects.
    Environment,
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
    /// Our own, in models: the thread is about to wait, and not for a lock; for what.
    Wait,
    /// A library function that calls back, jumps or writes memory, and has no model: never taken for pure.
    Unmodelled,
}

/// What happens to a lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockStep {
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
    /// It is misused if a model says so.
    Misuse,
    /// The thread reads under it: who does is not kept.
    Reads,
}

/// What a function is called that the program calls through a pointer, and that is none of its own.
pub const OUTSIDE_FUNCTION: &str = "a function from outside";

/// What a function without a body does that nobody knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// Nobody knows: a run that calls it has no verdict.
    Unknown,
    /// It returns anything and does nothing else.
    Pure,
    /// It returns anything, and changes what it gets at.
    Havoc,
}

/// What pointers from outside lead to: those that functions without a body return, that variables from elsewhere hold, and that
/// the function to start with gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternalPointers {
    /// They are null, or lead to an object of their own, or to one of the program's.
    Any,
    /// They are null, or lead to objects of their own.
    Fresh,
    /// They are null.
    Null,
}

/// Whether a function without a body returns anything: an input, or what nobody knows.
#[must_use]
pub fn returns_anything(name: &str, errors: &[String]) -> bool {
    known(name, errors).is_none_or(|known| known == Known::Arbitrary)
}

/// What a function without a body does, where the user has said this of such functions. What stands for assembly does what the
/// assembly says.
#[must_use]
pub fn undefined(name: &str, said: Undefined) -> Undefined {
    match opaque::changes(name) {
        None => said,
        Some(Changes::Outputs) => Undefined::Pure,
        Some(Changes::Memory) => Undefined::Havoc,
    }
}

/// What is known of some functions that are alike.
struct Row {
    names: &'static [&'static str],
    known: Known,
    /// What it does to memory.
    memory: External,
    /// The number of the argument that is a format, for functions that print by one.
    format: Option<usize>,
}

const fn row(names: &'static [&'static str], known: Known, memory: External) -> Row {
    Row { names, known, memory, format: None }
}

const fn plain(names: &'static [&'static str], known: Known) -> Row {
    row(names, known, External::Nothing)
}

const fn prints(names: &'static [&'static str], known: Known, format: usize) -> Row {
    Row { names, known, memory: External::Prints, format: Some(format) }
}

const STARTS: External = External::StartsThread { handle: 0, routine: 2, argument: 3 };

/// The table.
const TABLE: &[Row] = &[
    plain(&["__VERIFIER_assume"], Known::Assume),
    plain(&["__VERIFIER_atomic_begin"], Known::AtomicBegin),
    plain(&["__VERIFIER_atomic_end"], Known::AtomicEnd),
    plain(&["abort", "exit", "_exit", "_Exit", "__VERIFIER_silent_exit", "quick_exit"], Known::End),
    plain(&["__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail"], Known::AssertionFailed),
    plain(&["assert", "__VERIFIER_assert"], Known::Assert),
    row(&["malloc", "valloc", "__builtin_malloc"], Known::Allocate, External::Allocates(&[0])),
    row(&["calloc"], Known::AllocateZeroed, External::Allocates(&[0, 1])),
    row(&["realloc"], Known::Reallocate, External::Reallocates(0, 1)),
    row(&["alloca", "__builtin_alloca"], Known::AllocateLocally, External::Allocates(&[])),
    row(&["free", "cfree"], Known::Free, External::Frees),
    row(&["memcpy", "__builtin_memcpy", "__memcpy"], Known::Copy, External::CopiesMemory(0, 1)),
    row(&["memmove", "__builtin_memmove"], Known::Move, External::CopiesMemory(0, 1)),
    row(&["memset", "__builtin_memset"], Known::Set, External::ReturnsArgument(0)),
    plain(&["rand", "random"], Known::Random),
    row(&["getenv", "secure_getenv"], Known::Environment, External::Invents),
    // Our own: `errno`, where nobody knows when it changes.
    plain(&["boolero_unmodelled_errno"], Known::Unmodelled),
    // Our own: what `sscanf` does besides its conversions.
    plain(&["boolero_reads_text"], Known::Harmless),
    row(&["pthread_create"], Known::StartThread, STARTS),
    row(&["pthread_join"], Known::JoinThread, External::JoinsThread { result: 1 }),
    row(&["pthread_exit"], Known::EndThread, External::EndsThread { result: 0 }),
    plain(&["pthread_self", "boolero_self"], Known::OwnThread),
    plain(&["boolero_unsupported"], Known::Unsupported),
    plain(&["boolero_wants"], Known::Lock(LockStep::Wants)),
    plain(&["boolero_takes"], Known::Lock(LockStep::Takes)),
    plain(&["boolero_leaves"], Known::Lock(LockStep::Leaves)),
    plain(&["boolero_needs"], Known::Lock(LockStep::Needs)),
    plain(&["boolero_again"], Known::Lock(LockStep::Again)),
    plain(&["boolero_anew"], Known::Lock(LockStep::Anew)),
    plain(&["boolero_misuse"], Known::Lock(LockStep::Misuse)),
    plain(&["boolero_reads"], Known::Lock(LockStep::Reads)),
    plain(&["boolero_blocks"], Known::Wait),
    prints(&["printf", "vprintf"], Known::Harmless, 0),
    prints(&["fprintf", "vfprintf"], Known::Harmless, 1),
    // These write, and have models.
    prints(&["sprintf", "vsprintf"], Known::Unmodelled, 1),
    prints(&["snprintf", "vsnprintf"], Known::Unmodelled, 2),
    plain(&["puts", "putchar", "fputs", "fputc", "putc", "fflush", "perror", "fclose"], Known::Harmless),
    plain(&["fesetround", "fesetenv", "feupdateenv", "fesetmode"], Known::Unmodelled),
    plain(&["srand", "srandom", "usleep", "sleep", "sched_yield", "isatty", "getpid"], Known::Harmless),
];

fn of(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.names.contains(&name))
}

/// The function with this name, if it has no body. Those that must not be called are given.
#[must_use]
pub fn known(name: &str, errors: &[String]) -> Option<Known> {
    if errors.iter().any(|error| error == name) {
        return Some(Known::Error);
    }
    if name.starts_with("__VERIFIER_nondet_") || name.starts_with("boolero_nondet_") {
        return Some(Known::Arbitrary);
    }
    if let Some(row) = of(name) {
        return Some(row.known);
    }
    let unmodelled = libc::has_effects(name) || is_of_threads(name) || scan(name).is_some();
    unmodelled.then_some(Known::Unmodelled)
}

/// The number of the argument that is a format, for functions that print by one.
#[must_use]
pub fn format_of(name: &str) -> Option<usize> {
    of(name).and_then(|row| row.format)
}

/// Functions of the libraries for threads: what is not known of them is never taken for pure.
fn is_of_threads(name: &str) -> bool {
    ["pthread_", "sem_", "thrd_", "mtx_", "cnd_"].iter().any(|prefix| name.starts_with(prefix))
}

/// What a function without a body does to memory.
#[must_use]
pub fn effect_on_memory(name: &str, errors: &[String], undefined: Undefined) -> External {
    match known(name, errors) {
        // What an address that it returns points to is an object of its own.
        Some(Known::Arbitrary) => External::Invents,
        Some(Known::Error) => External::Nothing,
        Some(_) => of(name).map_or(External::Nothing, |row| row.memory),
        None => match self::undefined(name, undefined) {
            Undefined::Havoc => External::Anything,
            Undefined::Pure | Undefined::Unknown => External::Invents,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_name_stands_in_one_row() {
        let names: Vec<&str> = TABLE.iter().flat_map(|row| row.names).copied().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn who_prints_by_a_format_is_asked_what_it_points_to() {
        for row in TABLE.iter().filter(|row| row.format.is_some()) {
            assert_eq!(row.memory, External::Prints, "{:?}", row.names);
        }
    }
}
