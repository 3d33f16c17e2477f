//! Engines: each decides properties of Boolean programs in its own way.

#[cfg(test)]
mod agreement;
pub mod auto;
pub mod backward;
pub mod bounded;
pub mod context_bounded;
#[cfg(test)]
mod corners;
pub mod counter;
pub mod coverability;
pub mod cutoff;
pub mod explicit;
pub mod hunt;
pub mod induction;
#[cfg(test)]
mod initial_threads;
pub mod interleaving;
pub mod karp_miller;
mod ledger;
#[cfg(test)]
mod metamorphic;
pub mod partial_order;
pub mod portfolio;
pub mod possible;
pub mod reducing;
pub mod relay;
pub mod summary;
pub mod symmetry;
mod way_back;

use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::trace::Trace;
use crate::ground::assurance::Assurance;
use crate::ground::event::Statistics;
use crate::ground::reason::{Reason, Stop};
use crate::ground::run::Run;

pub use crate::boolean::interpret::Threads;
pub use bounded::Kept;

/// What is asked of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// The properties to decide, in source order.
    pub properties: Vec<PropertyId>,
    /// The number of threads.
    pub threads: Threads,
}

/// What an engine answers about one property. A reachable error is not yet a violation: its trace must
/// be replayed first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// No run violates the property.
    Unreachable,
    /// This run violates the property.
    Reachable(Box<Trace>),
    /// No answer.
    Unknown(Reason),
}

/// The answers of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answers {
    /// One answer per property of the query, in its order.
    pub answers: Vec<Answer>,
    /// How far they can be trusted.
    pub assurance: Assurance,
    /// Figures of the run.
    pub statistics: Statistics,
}

impl Answers {
    /// The engine does not take the program.
    #[must_use]
    pub fn unsupported(query: &Query, why: &str) -> Self {
        let answer = Answer::Unknown(Reason::Unsupported(why.to_owned()));
        let answers = vec![answer; query.properties.len()];
        Self { answers, assurance: Assurance::exact(), statistics: Statistics::default() }
    }
}

/// Decides properties of Boolean programs.
pub trait Engine {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Decides the properties of the query.
    ///
    /// # Errors
    /// A [`Stop`] when nothing at all can be said; an engine that has some answers returns those.
    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop>;

    /// What the last check leaves to a check of a similar program, if the engine keeps anything.
    fn kept(&self) -> Option<&Kept> {
        None
    }
}

impl Engine for Box<dyn Engine> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        (**self).check(program, query, run)
    }

    fn kept(&self) -> Option<&Kept> {
        (**self).kept()
    }
}
