//! Faults: what C leaves undefined, and what nobody wants. Here are their names; [`ir::undefined`](crate::ir::undefined)
//! says what each means where it is not checked.

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
}

/// All faults of several threads.
pub const OF_THREADS: [Fault; 3] = [Fault::Race, Fault::Deadlock, Fault::Lock];

/// All faults of a single thread.
pub const FAULTS: [Fault; 9] = [
    Fault::Division,
    Fault::Overflow,
    Fault::Shift,
    Fault::Null,
    Fault::Bounds,
    Fault::Pointer,
    Fault::Free,
    Fault::Uninitialised,
    Fault::Leak,
];

impl Fault {
    /// Its name in `--checks` and in the ids of properties (`open.bounds.3`).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Division => "division",
            Self::Overflow => "overflow",
            Self::Shift => "shift",
            Self::Null => "null",
            Self::Bounds => "bounds",
            Self::Pointer => "pointer",
            Self::Free => "free",
            Self::Uninitialised => "uninitialised",
            Self::Leak => "leak",
            Self::Race => "race",
            Self::Deadlock => "deadlock",
            Self::Lock => "lock",
        }
    }
}
