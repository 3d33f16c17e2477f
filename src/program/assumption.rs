//! What a verdict on C may rest on, and what it may not.
//!
//! `holds` rests on the [`Assumption`]s of a closed list and on nothing else: what the user chose by an option,
//! sequential consistency, memory and threads that do not run out, and the absence of faults that nobody asked for.
//! README explains the list to users. Everything else that the program model leaves out has one of two fates:
//!
//! - where a run *gets to* what is not modelled, there is an edge `Action::Unsupported`: nothing holds if it is reached;
//! - where a check that was asked for *does not look*, there is a [`Gap`]: then the result as a whole is unknown.
//!
//! That a check never assumes itself is a matter of types: [`Assumption::No`] needs an [`Unasked`] fault, and only
//! [`Asked::without`] makes one, from a fault that is not among those that were asked for.

use crate::ir::Place;
use crate::ir::undefined::Fault;
use std::collections::BTreeSet;

/// What a verdict on C rests on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Assumption {
    /// Runs with a fault of this kind end there.
    No(Unasked),
    /// An undefined function returns anything and does nothing else: `--undefined-functions pure`.
    Pure(String),
    /// An undefined function returns anything and may change what it gets at: what its arguments and global variables that are
    /// not `static` lead to. It calls none of the program's functions by name: `--undefined-functions havoc`.
    Havoc(String),
    /// Pointers that undefined functions return or leave behind point to objects of their own: `--undefined-functions`.
    OutsideApart,
    /// What one thread writes, all others see at once and in the same order.
    SequentialConsistency,
    /// No more threads than this are alive at a time: `--threads`.
    Threads(usize),
    /// No more threads than this are ever started.
    ThreadsInAll(usize),
    /// Memory never runs out, and no thread fails to start.
    AllocationSucceeds,
}

/// The faults that were asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked(BTreeSet<Fault>);

/// A fault that nobody asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unasked(Fault);

impl Unasked {
    /// Which one.
    #[must_use]
    pub fn fault(self) -> Fault {
        self.0
    }
}

impl Asked {
    /// These faults are asked for.
    #[must_use]
    pub fn new(faults: impl IntoIterator<Item = Fault>) -> Self {
        Self(faults.into_iter().collect())
    }

    /// Whether a fault was asked for.
    #[must_use]
    pub fn contains(&self, fault: Fault) -> bool {
        self.0.contains(&fault)
    }

    /// A fault whose absence may be assumed; none if it was asked for.
    #[must_use]
    pub fn without(&self, fault: Fault) -> Option<Unasked> {
        (!self.contains(fault)).then_some(Unasked(fault))
    }
}

/// A place where a fault that was asked for is not looked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Gap {
    /// Which fault.
    pub fault: Fault,
    /// Where, if it is about a place.
    pub place: Option<Place>,
    /// What is not looked at there, in words that complete "faults of kind race are not looked for: …".
    pub what: &'static str,
}
