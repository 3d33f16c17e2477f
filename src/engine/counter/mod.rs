//! Symbolic counter abstraction [Bas10, chapter 7; BMWK09]: threads are counted, not told apart.
//!
//! A state is a set of shared values and a *population*: how many threads are in which local set,
//! ⟨S, (L₁,n₁) … (Lₖ,nₖ)⟩, only counters that are not zero, in the order of the local sets' ids. Threads run the same
//! template, so that nothing is lost, and the number of states no longer grows with the number of ways to distribute
//! the threads' numbers. What a thread does is translated when it is first met ([`symmetry`](super::symmetry)).
//!
//! Two states with the same population are merged: their shared sets are joined. Of two states whose populations match
//! pair by pair, local set within local set, the larger one subsumes what the smaller one has in common with it. (To
//! join local sets of pairs with counters above 1 would be inexact: {0},2 and {1},2 is not {0,1},2.) The frontier is
//! breadth first, so that counterexamples have as few steps as any.

mod history;
mod population;
mod search;

use super::ledger::AtBound;
use super::partial_order::{PartialOrder, Reduction};
use super::symmetry::{Levels, Locals};
use super::{Answers, Engine, Query, Run, Threads};
use crate::bdd::{self, BackEnd};
use crate::boolean::cfg::Program;
use crate::engine::Answer;
use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Reason, Stop};
use crate::system::template::{Refusal, Template};
use search::Search;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    back_end: BackEnd,
    most_threads: usize,
    most_states: usize,
    reduction: PartialOrder,
}

impl Counter {
    /// The engine, on this library, without a partial-order reduction.
    #[must_use]
    pub fn new(back_end: BackEnd) -> Self {
        Self { back_end, most_threads: 8, most_states: usize::MAX, reduction: PartialOrder::None }
    }

    /// With another number of threads at which runs are given up when the question sets no bound.
    #[must_use]
    pub fn up_to(self, most_threads: usize) -> Self {
        Self { most_threads, ..self }
    }

    /// With a bound on the number of states.
    #[must_use]
    pub fn within(self, most_states: usize) -> Self {
        Self { most_states, ..self }
    }

    /// With a partial-order reduction.
    #[must_use]
    pub fn reduced(self, reduction: PartialOrder) -> Self {
        Self { reduction, ..self }
    }
}

impl Engine for Counter {
    fn name(&self) -> &'static str {
        "counter"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let template = match Template::new(program, run.limits) {
            Ok(template) => template,
            Err(Refusal::Stopped(stop)) => return Err(stop),
            Err(refusal) => return Ok(refused(query, refusal)),
        };
        run.observer.event(Event::Phase("counter abstraction".into()));
        let levels = Levels::new(&template);
        let manager = bdd::create(self.back_end, levels.count, run.limits)?;
        let locals = Locals::new(&template, levels, manager, run.limits);
        let at_bound = match query.threads {
            Threads::AtMost(bound) => AtBound::Skip(bound),
            Threads::Unbounded => AtBound::GiveUp(self.most_threads),
        };
        let reduction = Reduction::new(self.reduction, program, &template, run.limits)?;
        Search::new(program, locals, reduction, query, run, at_bound).within(self.most_states).answers()
    }
}

/// The answers when a program has no template.
pub(super) fn refused(query: &Query, refusal: Refusal) -> Answers {
    let reason: Reason = refusal.into();
    Answers {
        answers: vec![Answer::Unknown(reason); query.properties.len()],
        assurance: Assurance { sound: false, ..Assurance::exact() },
        statistics: Statistics::default(),
    }
}
