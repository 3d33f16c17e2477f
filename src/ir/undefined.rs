//! Undefined behaviour: the one table.
//!
//! A fault is something that C leaves undefined. [`Fault::without_check`] says what a program does after it if nobody
//! asked for it to be checked; `vm` and the lowering to terms are both tested against this table.
//!
//! Besides: an uninitialised byte of a local variable or of the heap is one arbitrary value, chosen when the object is
//! created and the same at every read. `undef` is an arbitrary value at every use; `poison` likewise, and `freeze` picks
//! one value. Pointers to different objects may be compared; their order is arbitrary.

#[cfg(test)]
pub(crate) mod snippets;

pub use crate::ground::fault::{FAULTS, Fault, OF_THREADS};

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

impl Fault {
    /// What happens where it is not checked.
    #[must_use]
    pub fn without_check(self) -> Meaning {
        match self {
            Self::Division | Self::Null | Self::Bounds | Self::Pointer | Self::Free => Meaning::EndsTheRun,
            Self::Overflow => Meaning::Wraps,
            Self::Shift => Meaning::Arbitrary,
            Self::Uninitialised | Self::Leak | Self::Race | Self::Deadlock | Self::Lock => Meaning::Ignored,
        }
    }
}
