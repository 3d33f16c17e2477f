//! Undefined behaviour.
//!
//! A fault is something that C leaves undefined. [`Fault::without_check`] says what a program does after it if nobody
//! asked for it to be checked; `vm` and the lowering to terms are both tested against this table.
//!
//! Besides: an uninitialised byte of a local variable or of the heap is one arbitrary value, chosen when the object is
//! created and the same at every read. `undef` is an arbitrary value at every use; `poison` likewise, and `freeze` picks
//! one value. Pointers to different objects may be compared; their order is arbitrary.

#[cfg(test)]
pub(crate) mod snippets;

pub use crate::ground::fault::{Fault, Meaning};
