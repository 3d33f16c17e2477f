//! Checks: one file per fault.
//!
//! A check says what would be a fault: at an operation, an access, a call, the end of an object, a wait. The lowering goes
//! through a program once and *offers* every such event to every check ([`Check::offer`]); each check answers. What becomes of
//! an answer is decided in one place, and depends on whether the user asked for the fault:
//!
//! | answer | asked for | not asked for |
//! |---|---|---|
//! | [`Answer::Never`] | nothing | nothing |
//! | [`Answer::If`] | a property; the run goes on where the condition does not hold | what is proved rests on the absence of the fault |
//! | [`Answer::Always`] | a property; the run ends | the absence of the fault is an assumption |
//! | [`Answer::Unseen`] | an *uncovered place*: no `holds` | the absence of the fault is an assumption |
//! | [`Answer::Unmodelled`] | a run that gets here has no verdict | the same |
//! | [`Answer::Unanswered`] | an uncovered place | an assumption, if the run ends with the fault |
//!
//! A check that does not know an event answers [`Answer::Unanswered`]: so a new kind of event, or a check that forgets one, can
//! never make a proof. The machine (`vm`) looks for the same faults in its own way and shares nothing with this folder.
//!
//! | file | what it holds |
//! |---|---|
//! | `event` | what is offered |
//! | `code` | what a check may ask of the lowering |
//! | `ghosts`, `objects`, `held` | what several checks share: which objects live, where an access leaves them, who holds a lock |
//! | `division` … `unreachable` | one fault each |

pub mod bounds;
pub mod code;
pub mod deadlock;
pub mod division;
pub mod event;
pub mod free;
pub mod held;
pub mod leak;
pub mod lock;
pub mod null;
pub mod objects;
pub mod overflow;
pub mod pointer;
pub mod race;
pub mod shift;
pub mod uninitialised;
pub mod unreachable;

pub use crate::library::functions::LockStep;
pub use code::{Code, Cut, Whole};
pub use event::{At, Event, Manner, Topic};

use crate::ground::fault::Fault;
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;

/// What a check says of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The fault cannot happen here, or the check has said so at another event.
    Never,
    /// The fault happens if a condition holds.
    If(Condition),
    /// The fault always happens here; what the property claims.
    Always(&'static str),
    /// Nobody looks for the fault here; what is not looked at.
    Unseen(&'static str),
    /// A run that gets here has no verdict; why.
    Unmodelled(&'static str),
    /// The check has made its properties itself.
    Asserted,
    /// The check does not know the event.
    Unanswered,
}

/// When a fault happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The condition, over the state here.
    pub holds: Term,
    /// What people are told about.
    pub subject: Term,
    /// If the subject is the address of an access: how many bits are accessed, if that is known.
    pub accessed: Option<u32>,
    /// What happens where the fault was not asked for and the run would end with it.
    pub unasked: Unasked,
}

/// What happens where nobody asked for a fault that ends the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unasked {
    /// The run goes on where the condition does not hold.
    Excluded,
    /// The run goes on either way: what the program does then is left open, and nothing is gained by a condition.
    Open,
}

impl Answer {
    /// The fault happens if this holds; people are told about the subject.
    #[must_use]
    pub fn when(holds: Term, subject: Term) -> Self {
        Self::If(Condition { holds, subject, accessed: None, unasked: Unasked::Excluded })
    }

    /// The same for an access to so many bytes at an address.
    #[must_use]
    pub fn at(holds: Term, address: Term, accessed: Option<u32>) -> Self {
        Self::If(Condition { holds, subject: address, accessed, unasked: Unasked::Excluded })
    }
}

/// What the lowering must keep account of for a check.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Needs {
    /// Sizes of objects that come into being at run time, and whether they live.
    pub objects: bool,
    /// Whether local variables live.
    pub lives: bool,
    /// Which bits of values are undefined.
    pub shadows: bool,
    /// That a thread has ended.
    pub ends_of_threads: bool,
}

impl Needs {
    fn or(self, other: Self) -> Self {
        Self {
            objects: self.objects || other.objects,
            lives: self.lives || other.lives,
            shadows: self.shadows || other.shadows,
            ends_of_threads: self.ends_of_threads || other.ends_of_threads,
        }
    }
}

/// Looks for one fault.
pub trait Check {
    /// The fault.
    fn fault(&self) -> Fault;

    /// What events are about at which the fault can happen: only these are offered.
    fn concerns(&self) -> &'static [Topic];

    /// What the lowering must keep account of, if the fault is asked for.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// Makes the variables of its own, if the fault is asked for: before any function is lowered.
    fn prepare(&mut self, _: &mut dyn Whole) {}

    /// What a proof rests on as a whole, if the fault is not asked for.
    fn unasked(&self, _: &mut dyn Whole) {}

    /// What its variables hold when the program starts.
    fn at_first(&self, _: &mut dyn Whole) -> Vec<(Symbol, Term)> {
        Vec::new()
    }

    /// What becomes of its variables when a thread ends.
    fn at_end_of_thread(&self, _: &mut dyn Whole) -> Vec<(Symbol, Term)> {
        Vec::new()
    }

    /// Something happens in the program.
    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer;
}

/// All checks, in the order in which they are asked: whether an object lives comes last, because nobody may end it between
/// the check and the access.
#[must_use]
pub fn all() -> Vec<Box<dyn Check>> {
    vec![
        Box::new(uninitialised::Uninitialised),
        Box::new(division::Division),
        Box::new(shift::Shift),
        Box::new(overflow::Overflow),
        Box::new(unreachable::Unreachable),
        Box::new(null::Null),
        Box::new(lock::Lock),
        Box::new(deadlock::Deadlock::default()),
        Box::new(race::Race::default()),
        Box::new(leak::Leak),
        Box::new(free::Free),
        Box::new(bounds::Bounds),
        Box::new(pointer::Pointer),
    ]
}

/// What all checks that are asked for need.
#[must_use]
pub fn needs(checks: &[Box<dyn Check>], asked: &BTreeSet<Fault>) -> Needs {
    let asked = checks.iter().filter(|check| asked.contains(&check.fault()));
    asked.map(|check| check.needs()).fold(Needs::default(), Needs::or)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_one_check() {
        let mut found: Vec<Fault> = all().iter().map(|check| check.fault()).collect();
        found.sort_unstable();
        assert_eq!(found, Fault::all().collect::<Vec<_>>());
    }
}
