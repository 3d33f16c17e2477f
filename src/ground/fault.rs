//! Faults: what C leaves undefined, and what nobody wants. One table says all that is known of each: `--checks` and its help,
//! ids and texts of properties, property files of SV-COMP and the last line of `--svcomp`, and what a program does after a
//! fault that nobody asked for. The machine and the program model are both tested against it.

use serde::{Deserialize, Serialize};

/// What C leaves undefined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Fault {
    /// Division by zero, or of the least integer by −1.
    Division,
    /// A signed result that does not fit, also of a left shift; a left shift of a negative number. If it is checked and division is not, the least integer divided by −1 belongs here.
    Overflow,
    /// A shift by a negative number or by the width or more.
    Shift,
    /// An access through a null pointer.
    Null,
    /// An access outside the object that the pointer points to.
    Bounds,
    /// An access to an object that has ended, or through a pointer to nothing, or a write to a constant.
    Pointer,
    /// `free` of what was freed before, or never allocated.
    Free,
    /// A branch, an access, or an argument of the environment that depends on an uninitialised value.
    Uninitialised,
    /// Memory that nobody can free any more when the program ends.
    Leak,
    /// Two threads can access the same bytes next, one of them writes, and not both accesses are atomic.
    Race,
    /// Threads wait for each other's mutexes in a circle, or all wait, and none can go on. C does not call it undefined;
    /// nobody wants it.
    Deadlock,
    /// A plain mutex, a spin lock or a read-write lock is unlocked by a thread that does not hold it, locked again by the
    /// one that does, or destroyed while it is held; a thread waits at a condition variable without its mutex.
    Lock,
    /// Control gets where the program says it never does: `__builtin_unreachable()`, or the return of a function that
    /// was declared not to return.
    Unreachable,
}

/// What happens where a fault is not checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The result is taken modulo `2^width`.
    Wraps,
    /// The result is arbitrary.
    Arbitrary,
    /// The run ends; what holds then holds under the assumption that it does not happen.
    EndsTheRun,
    /// Nothing.
    Ignored,
}

/// What is known of a fault: one row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The fault.
    pub fault: Fault,
    /// Its name in `--checks` and in the ids of properties (`open.bounds.3`).
    pub name: &'static str,
    /// What goes wrong, for the help of `--checks`.
    pub help: &'static str,
    /// What a property claims that the fault would violate.
    pub claim: &'static str,
    /// What happens where it is not checked.
    pub without_check: Meaning,
    /// Whether it takes several threads.
    pub of_threads: bool,
    /// Whether `boolero run` stops at it if nobody says which faults to stop at.
    pub stops_runs: bool,
    /// Whether the machine looks for it everywhere in a run: then the only run of a program without choices decides. Where
    /// nothing is known of blocks (bitcode without debug information) it may miss accesses to variables of blocks that have
    /// ended, and values of theirs that are uninitialised again; and memory that is still reachable at the end is no leak to it.
    pub settled_by_a_run: bool,
    /// The properties of SV-COMP that it violates, as `false(…)` names them. The first one counts if no property file says
    /// which one is meant.
    pub competition: &'static [&'static str],
    /// Faults that the machine may call it: it knows which object a pointer comes from, and the program model only addresses.
    pub alike: &'static [Fault],
    /// Whether the compiler must be asked which shifts are of signed integers.
    pub of_signed_shifts: bool,
    /// Whether the models of locks must say what happens to them.
    pub of_locks: bool,
    /// Whether it counts between which accesses of a thread another one runs, and not only between which steps.
    pub of_accesses: bool,
}

/// Most faults are like this.
const PLAIN: Row = Row {
    fault: Fault::Division,
    name: "",
    help: "",
    claim: "",
    without_check: Meaning::Ignored,
    of_threads: false,
    stops_runs: true,
    settled_by_a_run: true,
    competition: &[],
    alike: &[],
    of_signed_shifts: false,
    of_locks: false,
    of_accesses: false,
};

/// The table: all faults, in the order of [`Fault`].
pub const TABLE: [Row; 13] = [
    Row {
        fault: Fault::Division,
        name: "division",
        help: "Division by zero",
        claim: "no division by zero",
        without_check: Meaning::EndsTheRun,
        ..PLAIN
    },
    Row {
        fault: Fault::Overflow,
        name: "overflow",
        help: "Signed overflow",
        claim: "no signed overflow",
        without_check: Meaning::Wraps,
        competition: &["no-overflow"],
        of_signed_shifts: true,
        ..PLAIN
    },
    Row {
        fault: Fault::Shift,
        name: "shift",
        help: "Shift by a negative number, or by the width or more",
        claim: "shift by less than the width",
        without_check: Meaning::Arbitrary,
        ..PLAIN
    },
    Row {
        fault: Fault::Null,
        name: "null",
        help: "Access through a null pointer",
        claim: "no access through a null pointer",
        without_check: Meaning::EndsTheRun,
        competition: &["valid-deref"],
        ..PLAIN
    },
    Row {
        fault: Fault::Bounds,
        name: "bounds",
        help: "Access outside of an object",
        claim: "access within the object",
        without_check: Meaning::EndsTheRun,
        competition: &["valid-deref"],
        alike: &[Fault::Pointer],
        ..PLAIN
    },
    Row {
        fault: Fault::Pointer,
        name: "pointer",
        help: "Access to an object that has ended, or to none",
        claim: "access to a living object",
        without_check: Meaning::EndsTheRun,
        settled_by_a_run: false,
        competition: &["valid-deref"],
        alike: &[Fault::Bounds],
        ..PLAIN
    },
    Row {
        fault: Fault::Free,
        name: "free",
        help: "`free` of what is not allocated",
        claim: "free of what is allocated",
        without_check: Meaning::EndsTheRun,
        competition: &["valid-free"],
        ..PLAIN
    },
    Row {
        fault: Fault::Uninitialised,
        name: "uninitialised",
        help: "Use of an uninitialised value",
        claim: "value is initialised",
        stops_runs: false,
        settled_by_a_run: false,
        ..PLAIN
    },
    // A leak is memory that is not freed when the program ends. That is more than `valid-memtrack` asks for, which allows
    // memory that something still leads to: so what holds holds. What is told as violated was judged by the machine, which
    // only takes memory for leaked that nothing leads to: so what is violated is violated.
    Row {
        fault: Fault::Leak,
        name: "leak",
        help: "Memory that is never freed",
        claim: "all memory is freed",
        stops_runs: false,
        settled_by_a_run: false,
        competition: &["valid-memcleanup", "valid-memtrack"],
        ..PLAIN
    },
    Row {
        fault: Fault::Race,
        name: "race",
        help: "Data races of threads",
        claim: "no data race",
        of_threads: true,
        stops_runs: false,
        competition: &["no-data-race"],
        of_accesses: true,
        ..PLAIN
    },
    Row {
        fault: Fault::Deadlock,
        name: "deadlock",
        help: "Threads that wait for each other (`verify` looks at mutexes and spin locks only)",
        claim: "no deadlock",
        of_threads: true,
        stops_runs: false,
        of_locks: true,
        ..PLAIN
    },
    Row {
        fault: Fault::Lock,
        name: "lock",
        help: "Locks that are unlocked by others, locked again, or destroyed while they are held",
        claim: "no misuse of a lock",
        of_threads: true,
        of_locks: true,
        ..PLAIN
    },
    Row {
        fault: Fault::Unreachable,
        name: "unreachable",
        help: "Control gets where the program says it never does",
        claim: "never reached",
        ..PLAIN
    },
];

impl Fault {
    /// All faults.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.fault)
    }

    /// All faults of a single thread.
    pub fn of_one_thread() -> impl Iterator<Item = Self> {
        TABLE.iter().filter(|row| !row.of_threads).map(|row| row.fault)
    }

    /// The fault of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.name == name).map(|row| row.fault)
    }

    /// What is known of it.
    #[must_use]
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// What happens where it is not checked.
    #[must_use]
    pub fn without_check(self) -> Meaning {
        self.row().without_check
    }

    /// Its name in `--checks` and in the ids of properties (`open.bounds.3`).
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What a property claims that it would violate.
    #[must_use]
    pub fn claim(self) -> &'static str {
        self.row().claim
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_its_row() {
        for (number, row) in TABLE.iter().enumerate() {
            assert_eq!(row.fault as usize, number, "{}", row.name);
            assert_eq!(Fault::named(row.name), Some(row.fault));
            assert_eq!(row.fault.name(), row.name);
        }
    }
}
