//! The recurrence diameter of a loop: the fall-back where the check for a fixed point takes too much [Bas10, corollary 4.4].
//!
//! A run that was at a head of a loop twice with the same values can be shortened: what comes between is left out, and
//! it goes on as before. So the unrollings suffice as soon as every run that would go on was somewhere twice. That is one
//! question to one solver: is there a run that goes on, and was nowhere twice?
//!
//! In unrollings this is never sooner than the fixed point (`cover`): a run that can be shortened ends in a pair that
//! an earlier unrolling has. But `cover` looks for other choices that lead to this pair, and an instance of those may
//! cover one value only of what is arbitrary. Here the choices are those of the run itself, so that there is no
//! alternation of quantifiers. That decides loops that soon do nothing more, whatever their values are.
//!
//! All pairs of states at a head are compared, as in the definition; only variables that may still be read matter.

use super::cover::Pair;
use super::encode::Encoder;
use super::formula::{Formula, Store};
use super::stage::Stage;
use crate::boolean::cfg::NodeId;
use crate::ground::reason::Stop;
use crate::sat::{Answer, Effort};
use std::collections::BTreeMap;

/// How many values are compared at most: their number grows with the square of the unrollings.
const COMPARISONS: usize = 1 << 18;

/// How much a solver may learn for one question, in bytes for each instance that a check for a fixed point has.
const EFFORT: u64 = 16 << 10;

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recurs {
    /// Every run that goes on was somewhere twice: these formulas contradict each other.
    Always(Vec<Formula>),
    /// There is a run that goes on and was nowhere twice.
    NotYet,
    /// The solver has worked too long.
    OutOfEffort,
}

/// The states at the heads of a loop that runs may have been in.
#[derive(Default)]
pub struct Recurrence {
    seen: BTreeMap<NodeId, Vec<Pair>>,
    /// Nothing of it was twice.
    different: Vec<Formula>,
    comparisons: usize,
}

impl Recurrence {
    /// The heads so far.
    pub fn heads(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.seen.keys().copied()
    }

    /// How many states at a head are known.
    pub fn seen(&self, head: NodeId) -> usize {
        self.seen.get(&head).map_or(0, Vec::len)
    }

    /// Another state at a head.
    pub fn add(&mut self, store: &mut Store, head: NodeId, state: Pair) {
        let before = self.seen.entry(head).or_default();
        self.comparisons += before.len() * state.values.len();
        if self.comparisons > COMPARISONS {
            return;
        }
        self.different.extend(before.iter().map(|old| !same(store, old, &state)));
        before.push(state);
    }

    /// Whether all runs that would go on with these arrivals were somewhere twice.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn ask(&self, stage: &mut Stage<'_>, arrivals: &[(NodeId, Pair)]) -> Result<Recurs, Stop> {
        if self.comparisons > COMPARISONS {
            return Ok(Recurs::OutOfEffort);
        }
        let mut question = stage.switches();
        question.extend(&self.different);
        for (head, arrival) in arrivals {
            stage.check()?;
            let before = self.seen.get(head).into_iter().flatten();
            question.extend(before.map(|old| !same(&mut stage.store, old, arrival)));
        }
        let goes_on = stage.store.any(arrivals.iter().map(|(_, arrival)| arrival.guard));
        question.push(goes_on);
        stage.covering.questions += 1;
        let effort = Effort::Learned(EFFORT * stage.mode.instances as u64);
        let mut encoder = Encoder::default();
        question.iter().for_each(|&formula| encoder.assert(&stage.store, formula));
        Ok(match encoder.ask(&stage.store, &[], effort, stage.limits())? {
            Answer::Unsatisfiable => Recurs::Always(question),
            Answer::Satisfiable => Recurs::NotYet,
            Answer::OutOfEffort => Recurs::OutOfEffort,
        })
    }
}

/// A run is in both states, and they are the same.
fn same(store: &mut Store, one: &Pair, other: &Pair) -> Formula {
    let both = store.and(one.guard, other.guard);
    one.values.iter().zip(&other.values).fold(both, |all, (&value, &there)| {
        let equal = store.equal(value, there);
        store.and(all, equal)
    })
}
