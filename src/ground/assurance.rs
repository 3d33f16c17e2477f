//! What a verdict rests on, and how far it can be trusted: one vocabulary for Boolean programs, nets and C.
//!
//! `holds` rests on the [`Assumption`]s of a closed list and on nothing else: what the user chose by an option,
//! sequential consistency, memory and threads that do not run out, and the absence of faults that nobody asked for.
//! README explains the list to users. Everything else that a program model leaves out has one of two fates:
//!
//! - where a run *gets to* what is not modelled, there is an edge `Action::Unsupported`: nothing holds if it is reached;
//! - where a check that was asked for *does not look*, there is a [`Gap`](crate::program::Gap): then the result as a whole
//!   is unknown.
//!
//! That a check never assumes itself is a matter of types: [`Assumption::No`] needs an [`Unasked`] fault, and only
//! [`Asked::without`] makes one, from a fault that is not among those that were asked for.

use super::fault::Fault;
use std::collections::BTreeSet;
use std::fmt;

/// Something that a verdict rests on and that was not checked. Reports list assumptions in this order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assumption {
    /// Runs with a fault of this kind end there.
    No(Unasked),
    /// An undefined function returns anything and does nothing else: `--undefined-functions pure`.
    Pure(String),
    /// An undefined function returns anything and may change what it gets at: what its arguments and global variables that are
    /// not `static` lead to. It calls none of the program's functions by name: `--undefined-functions havoc`.
    Havoc(String),
    /// Assembly that is not understood gives anything. It may change what it gets at, if it says that it clobbers memory:
    /// `--assembly havoc`.
    Assembly {
        /// What it is called, with its place.
        name: String,
        /// Whether it clobbers memory.
        memory: bool,
    },
    /// Pointers that undefined functions return or leave behind point to objects of their own: `--undefined-functions`.
    OutsideApart,
    /// Pointers that undefined functions return, and those that the function to start with gets, are null:
    /// `--external-pointers null`.
    OutsideNull,
    /// What one thread writes, all others see at once and in the same order.
    SequentialConsistency,
    /// No more threads than this are alive at a time: `--threads`.
    Threads(usize),
    /// The running thread changes at most so often: `--context-bound`.
    ContextSwitches(usize),
    /// No more threads than this are ever started.
    ThreadsInAll(usize),
    /// Floating-point numbers are computed in the format of their type, also where an x87 unit would be more precise.
    FloatsAsTyped,
    /// Memory never runs out.
    AllocationSucceeds,
    /// No thread fails to start.
    ThreadsStart,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::No(fault) => write!(f, "no fault of kind {}", fault.fault().name()),
            Self::Pure(name) => write!(f, "{name} returns anything and does nothing else, it calls nothing"),
            Self::Havoc(name) => write!(
                f,
                "{name} returns anything, changes only what its arguments and global variables lead to, and calls nothing"
            ),
            Self::Assembly { name, memory: false } => {
                write!(f, "{name} are anything, and it changes nothing else, it calls nothing")
            }
            Self::Assembly { name, memory: true } => write!(
                f,
                "{name} gives anything, changes only what its operands and global variables lead to, and calls nothing"
            ),
            Self::OutsideApart => f.write_str("pointers from outside point to none of the program's objects"),
            Self::OutsideNull => f.write_str("pointers from outside are null"),
            Self::SequentialConsistency => f.write_str("memory is sequentially consistent"),
            Self::Threads(1) => f.write_str("at most 1 thread at a time"),
            Self::Threads(count) => write!(f, "at most {count} threads at a time"),
            Self::ContextSwitches(1) => f.write_str("at most 1 context switch"),
            Self::ContextSwitches(count) => write!(f, "at most {count} context switches"),
            Self::ThreadsInAll(count) => write!(f, "at most {count} threads in all"),
            Self::FloatsAsTyped => f.write_str("floating-point results are rounded to their type"),
            Self::AllocationSucceeds => f.write_str("memory never runs out"),
            Self::ThreadsStart => f.write_str("no thread fails to start"),
        }
    }
}

/// The faults that were asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked(BTreeSet<Fault>);

/// A fault that nobody asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

/// How far a result can be trusted. Assurances of the steps of a run are and-combined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assurance {
    /// No behaviour was left out: "holds" may be said.
    pub sound: bool,
    /// No behaviour was added: "violated" may be said.
    pub precise: bool,
    /// What the result rests on.
    pub assumptions: BTreeSet<Assumption>,
}

impl Assurance {
    /// Sound and precise, without assumptions.
    #[must_use]
    pub fn exact() -> Self {
        Self { sound: true, precise: true, assumptions: BTreeSet::new() }
    }

    /// With one more assumption.
    #[must_use]
    pub fn assuming(mut self, assumption: Assumption) -> Self {
        self.assumptions.insert(assumption);
        self
    }

    /// What holds of two steps in a row: each may spoil soundness and precision, and none can repair them.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        let both = Self { sound: self.sound && other.sound, precise: self.precise && other.precise, ..self };
        other.assumptions.iter().cloned().fold(both, Self::assuming)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_leaves_something_out_spoils_the_whole() {
        let unsound = Assurance { sound: false, ..Assurance::exact() }.assuming(Assumption::Threads(2));
        let both = Assurance::exact().assuming(Assumption::OutsideApart).and(&unsound);
        assert!(!both.sound && both.precise);
        let told: Vec<String> = both.assumptions.iter().map(ToString::to_string).collect();
        let outside = "pointers from outside point to none of the program's objects";
        assert_eq!(told, [outside, "at most 2 threads at a time"]);
    }

    #[test]
    fn what_was_asked_for_is_never_assumed() {
        let asked = Asked::new([Fault::Null]);
        assert_eq!(asked.without(Fault::Null), None);
        assert_eq!(asked.without(Fault::Race).map(Unasked::fault), Some(Fault::Race));
    }
}
