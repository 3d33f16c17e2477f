//! Plain symbolic exploration of N threads, program counters explicit [Bas10, chapter 5]: the baseline.
//!
//! A state is a vector of locations, one for each thread in the order of their creation, and one diagram over the
//! shared variables and the slots of all threads. States with the same vector are merged; the frontier is breadth
//! first, so that without a [reduction](super::partial_order) counterexamples are as short as any. A broadcast is one
//! relation between the active thread and all the others. A thread that ends leaves the vector and the later ones move
//! up. No use is made of the threads' being copies of one template: that is what [`counter`](super::counter) is for.

mod concretise;
mod levels;
mod relations;
mod search;
mod vector;

use super::counter::refused;
use super::ledger::AtBound;
use super::partial_order::{PartialOrder, Reduction};
use super::{Answers, Engine, Query, Run, Threads};
use crate::bdd::{self, BackEnd};
use crate::boolean::cfg::Program;
use crate::ground::event::Event;
use crate::ground::reason::Stop;
use crate::system::template::{Refusal, Template};
use levels::Levels;
use relations::Relations;
use search::Search;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Interleaving {
    back_end: BackEnd,
    most_threads: usize,
    reduction: PartialOrder,
}

impl Interleaving {
    /// The engine, on this library, without a reduction.
    #[must_use]
    pub fn new(back_end: BackEnd) -> Self {
        Self { back_end, most_threads: 8, reduction: PartialOrder::None }
    }

    /// With another number of threads at which runs are given up when the question sets no bound.
    #[must_use]
    pub fn up_to(self, most_threads: usize) -> Self {
        Self { most_threads, ..self }
    }

    /// With a reduction.
    #[must_use]
    pub fn reduced(self, reduction: PartialOrder) -> Self {
        Self { reduction, ..self }
    }
}

/// The most variables of a diagram that are worth trying.
const MOST_LEVELS: usize = 1 << 15;

impl Engine for Interleaving {
    fn name(&self) -> &'static str {
        "interleaving"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        let template = match Template::new(program, run.limits) {
            Ok(template) => template,
            Err(Refusal::Stopped(stop)) => return Err(stop),
            Err(refusal) => return Ok(refused(query, refusal)),
        };
        run.observer.event(Event::Phase("interleaving".into()));
        let (at_bound, bound) = match query.threads {
            Threads::AtMost(bound) => (AtBound::Skip(bound), bound),
            Threads::Unbounded => (AtBound::GiveUp(self.most_threads), self.most_threads),
        };
        let threads = if template.starts_threads() { bound.max(1) } else { 1 };
        let variables = (template.slots + template.shared).saturating_mul(2);
        if threads.saturating_add(2).saturating_mul(variables) > MOST_LEVELS {
            return Err(Stop::Bound(format!("too many variables for {threads} threads")));
        }
        let levels = Levels::new(&template, threads);
        let manager = bdd::create(self.back_end, levels.count, run.limits)?;
        let relations = Relations::new(&template, levels, manager);
        let reduction = Reduction::new(self.reduction, program, &template, run.limits)?;
        Search::new(program, relations, reduction, query, run, at_bound).answers()
    }
}
