//! Runs of k steps in a solver that knows them: it grows by a step at a time.

use super::state::State;
use super::step::Step;
use crate::engine::bounded::encode::Encoder;
use crate::engine::bounded::evaluate::Valuation;
use crate::engine::bounded::formula::{Formula, Store};
use crate::ground::bits::Bits;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::sat::{Answer, Effort};
use crate::system::template::{LocationId, Template};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Runs of some length, as formulas.
pub struct Runs<'t> {
    template: &'t Template,
    pub store: Store,
    encoder: Encoder,
    /// The states, the first one first.
    pub states: Vec<State>,
    /// The steps between them.
    pub steps: Vec<Step>,
    /// How many pairs of states must differ.
    pub pairs: usize,
}

/// The values of a state that matter: for each place for a thread where it is, and its live slots.
#[derive(PartialEq, Eq, Hash)]
struct Snapshot {
    shared: Bits,
    threads: Vec<Option<(LocationId, Bits)>>,
}

/// The most nodes of formulas: about a gigabyte.
const MOST_NODES: usize = 1 << 24;

impl<'t> Runs<'t> {
    /// Runs of no step, from where runs start.
    pub fn from_start(template: &'t Template, threads: usize) -> Self {
        let mut store = Store::default();
        let state = State::first(&mut store, template, threads);
        Self::new(template, store, state)
    }

    /// Runs of no step, from any state.
    pub fn from_anywhere(template: &'t Template, threads: usize) -> Self {
        let mut store = Store::default();
        let (state, meant) = State::any(&mut store, template, threads);
        let mut runs = Self::new(template, store, state);
        runs.require(meant);
        runs
    }

    fn new(template: &'t Template, store: Store, first: State) -> Self {
        let (states, steps) = (vec![first], Vec::new());
        Self { template, store, encoder: Encoder::default(), states, steps, pairs: 0 }
    }

    /// Something is true of all runs from now on.
    pub fn require(&mut self, formula: Formula) {
        self.encoder.assert(&self.store, formula);
    }

    /// One more step.
    pub fn grow(&mut self, limits: &Limits) -> Result<(), Stop> {
        let last = self.states.last().expect("a run has a state");
        let step = Step::from(last, &mut self.store, self.template, limits)?;
        if self.store.len() > MOST_NODES {
            return Err(Stop::Bound(format!("formulas of more than {MOST_NODES} nodes")));
        }
        self.require(step.valid);
        self.states.push(step.after.clone());
        self.steps.push(step);
        Ok(())
    }

    /// For each property of the last state, in the order of `checks`: whether it is violated there.
    pub fn violated(&mut self, checks: &[(LocationId, usize)]) -> Vec<Formula> {
        let (states, store, template) = (&self.states, &mut self.store, self.template);
        let last = states.last().expect("a run has a state");
        let moves = last.may_move(store, template);
        let violated = checks.iter().map(|&(location, number)| {
            let check = &template.locations[location].checks[number];
            last.fails(store, template, (location, check), &moves)
        });
        violated.collect()
    }

    /// Whether there is a run of which this is true, and in which no state comes twice.
    pub fn ask(&mut self, wanted: Formula, effort: Effort, limits: &Limits) -> Result<Answer, Stop> {
        loop {
            let answer = self.encoder.ask(&self.store, &[wanted], effort, limits)?;
            if answer != Answer::Satisfiable || !self.tell_equal_states_apart(limits)? {
                return Ok(answer);
            }
        }
    }

    /// Requires of states that were equal in the run that was found to be different. Whether there were any.
    fn tell_equal_states_apart(&mut self, limits: &Limits) -> Result<bool, Stop> {
        let found = self.found();
        let mut first_of: FxHashMap<&Snapshot, usize> = FxHashMap::default();
        let mut equal = Vec::new();
        for (later, snapshot) in found.iter().enumerate() {
            match first_of.entry(snapshot) {
                Entry::Occupied(earlier) => equal.push((*earlier.get(), later)),
                Entry::Vacant(place) => _ = place.insert(later),
            }
        }
        for &(earlier, later) in &equal {
            limits.check()?;
            let (one, other) = (&self.states[earlier], &self.states[later]);
            let differs = one.differs(other, &mut self.store, self.template);
            self.require(differs);
        }
        self.pairs += equal.len();
        Ok(!equal.is_empty())
    }

    /// The states of the run that was found, as far as they matter.
    fn found(&self) -> Vec<Snapshot> {
        let mut values = Valuation::new(|input| self.encoder.value(input));
        let mut snapshot = |state: &State| {
            let mut read = |formula| values.value(&self.store, formula);
            let shared = state.shared.iter().map(|&value| read(value)).collect();
            let threads = state.threads.iter().map(|thread| {
                let (location, _) = thread.at.enumerate().find(|&(_, &at)| read(at))?;
                let live = &self.template.locations[location].live;
                Some((location, live.iter().map(|&slot| read(thread.slots[slot])).collect()))
            });
            Snapshot { threads: threads.collect(), shared }
        };
        self.states.iter().map(&mut snapshot).collect()
    }

    /// The values of formulas in the run that was found.
    pub fn values(&self) -> impl FnMut(Formula) -> bool + '_ {
        let mut values = Valuation::new(|input| self.encoder.value(input));
        move |formula| values.value(&self.store, formula)
    }

    /// How many questions the solver was asked.
    pub fn questions(&self) -> u64 {
        self.encoder.questions
    }
}
