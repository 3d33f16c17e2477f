//! The summary engine: exact reachability for recursive sequential programs [BR00; RHS95; Bas10, 4.1].
//!
//! Program counters are explicit, values symbolic (BDDs). Path edges relate the entry of a procedure to its nodes;
//! a path edge at a return is a summary, which serves every call with the same entry. There are finitely many, so the
//! search ends, recursion or not.
//!
//! | file | what |
//! |---|---|
//! | `order` | the static order of BDD variables |
//! | `symbolic` | statements as relations |
//! | `scope` | what is in scope, live, changed |
//! | `transfer` | the transfer functions on path edges, entries and summaries |
//! | `rank` | the order of the work-list |
//! | `fixpoint` | the search |
//! | `shortest` | the search by distance, for counterexamples |
//! | `history` | what was reached when |
//! | `reached` | path edges for others: where invariants come from |
//! | `plan`, `concretise` | from a violating path edge back to the start, and forward to a concrete trace |
//!
//! Deviations from \[BR00\]: what a procedure cannot change needs no entry copy; variables that are dead are
//! quantified away at once [Bas10, 10.9]; counterexamples come from a search by distance of its own.

mod concretise;
mod fixpoint;
mod history;
mod order;
mod plan;
mod rank;
mod reached;
mod scope;
mod shortest;
mod symbolic;
#[cfg(test)]
mod tests;
mod transfer;

pub use reached::{Decision, Diagram, Moment, Reached};

use crate::bdd::{self, BackEnd, Manager};
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::trace::Trace;
use crate::engine::Answer;
use crate::engine::{Answers, Engine, Query};
use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Defect, Stop};
use crate::ground::run::Run;
use concretise::Concretiser;
use fixpoint::{Fixpoint, Hit};
use history::History;
use indexmap::IndexMap;
use order::Levels;
use plan::{Failure, Planner};
use scope::Scopes;
use shortest::Shortest;
use symbolic::Symbolic;
use transfer::Transfer;

/// The search by distance may compute this many images, and
const SHORTEST_IMAGES: u64 = 20_000;
/// this many times the images of the fixpoint.
const SHORTEST_FACTOR: u64 = 4;

/// The engine.
pub struct Summary {
    back_end: BackEnd,
    counterexamples: Counterexamples,
}

/// Which counterexamples are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counterexamples {
    /// Shortest ones, unless that would cost much more than the verdict.
    Shortest,
    /// Whatever the search for the verdict came along: cheap.
    Any,
}

impl Summary {
    /// The engine on a BDD back end.
    #[must_use]
    pub fn new(back_end: BackEnd) -> Self {
        Self { back_end, counterexamples: Counterexamples::Shortest }
    }

    /// With another kind of counterexamples.
    #[must_use]
    pub fn with(self, counterexamples: Counterexamples) -> Self {
        Self { counterexamples, ..self }
    }

    /// A manager for this many levels: on the other back end where ours cannot have as many.
    fn manager(&self, levels: usize, run: Run<'_>) -> Result<Box<dyn Manager>, Stop> {
        match bdd::create(self.back_end, levels, run.limits) {
            Err(Stop::Bound(reason)) if self.back_end == BackEnd::Biodivine => {
                run.observer.event(Event::Note(format!("BDDs by {}: {reason}", BackEnd::Oxidd)));
                bdd::create(BackEnd::Oxidd, levels, run.limits)
            }
            manager => manager,
        }
    }

    /// How many images the search by distance may compute.
    fn budget(&self, images: u64) -> u64 {
        match self.counterexamples {
            Counterexamples::Shortest => {
                SHORTEST_IMAGES.saturating_add(SHORTEST_FACTOR.saturating_mul(images))
            }
            Counterexamples::Any => 0,
        }
    }
}

impl Engine for Summary {
    fn name(&self) -> &'static str {
        "summary"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        if program.starts_threads() {
            return Ok(Answers::unsupported(query, unsupported_text()));
        }
        run.observer.event(Event::Phase("summaries".into()));
        let levels = Levels::new(program);
        run.limits.check()?;
        let manager = self.manager(levels.meanings.len(), run)?;
        let scopes = Scopes::new(program, &query.properties);
        let mut transfer = Transfer::new(Symbolic::new(program, levels, manager), scopes);
        let mut statistics = Statistics::default();
        let mut fixpoint = Fixpoint::new(&mut transfer, &query.properties, run);
        let end = fixpoint.search();
        statistics.add("expansions", fixpoint.expansions());
        statistics.add("summarised procedures", fixpoint.procedures_summarised() as u64);
        let (history, hits) = (fixpoint.history, fixpoint.hits);
        statistics.add("images", transfer.symbolic.images);
        let budget = self.budget(transfer.symbolic.images);
        let traces = traces(&mut transfer, &history, &hits, budget, run);
        statistics.add("images for traces", transfer.symbolic.images - statistics.get("images"));
        statistics.add("BDD nodes", transfer.symbolic.manager.stored_nodes() as u64);
        let answer = |property: &PropertyId| match (traces.get(property), &end) {
            (Some(answer), _) => answer.clone(),
            (None, Ok(())) => Answer::Unreachable,
            (None, Err(stop)) => Answer::Unknown(stop.clone().into()),
        };
        let answers = query.properties.iter().map(answer).collect();
        Ok(Answers { answers, assurance: Assurance::exact(), statistics })
    }
}

fn unsupported_text() -> &'static str {
    "the summary engine checks programs that start no thread"
}

/// A trace for every property that was hit: a shortest one if the search by distance finds it.
fn traces(
    transfer: &mut Transfer<'_>,
    history: &History,
    hits: &IndexMap<PropertyId, Hit>,
    budget: u64,
    run: Run<'_>,
) -> IndexMap<PropertyId, Answer> {
    if hits.is_empty() {
        return IndexMap::new();
    }
    run.observer.event(Event::Phase("counterexample".into()));
    let wanted: Vec<PropertyId> = hits.keys().copied().collect();
    let mut shortest = Shortest::new(transfer, &wanted, run);
    // Where a limit stops this search, the walks below meet the same limit and say so.
    let _ = shortest.search(budget);
    let (near_history, near_hits) = (shortest.history, shortest.hits);
    let near = Planner::new(transfer.symbolic.program, &near_history);
    let far = Planner::new(transfer.symbolic.program, history);
    let mut answers = IndexMap::new();
    for (&property, hit) in hits {
        let found = match near_hits.get(&property) {
            Some(hit) => trace(transfer, &near, property, *hit),
            None => trace(transfer, &far, property, *hit),
        };
        answers.insert(property, answer(found));
    }
    answers
}

fn trace(
    transfer: &mut Transfer<'_>,
    planner: &Planner<'_>,
    property: PropertyId,
    hit: Hit,
) -> Result<Trace, Failure> {
    let plan = planner.plan_program(transfer, hit.node, hit.stamp, hit.edges)?;
    Concretiser::new(transfer, planner).trace(plan, property)
}

fn answer(found: Result<Trace, Failure>) -> Answer {
    match found {
        Ok(trace) => Answer::Reachable(Box::new(trace)),
        Err(Failure::Stopped(stop)) => Answer::Unknown(stop.into()),
        Err(Failure::Unjustified(node)) => {
            let text = format!("the counterexample cannot be read back at {node:?}");
            Answer::Unknown(Defect::ReplayMismatch(text).into())
        }
    }
}
