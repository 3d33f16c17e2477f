//! Which threads of a state are expanded: the seam to the partial-order reductions.

use super::{Node, Origin, Search, StateId, Taken};
use crate::bdd::Bdd;
use crate::engine::counter::history::places;
use crate::engine::counter::population::Population;
use crate::engine::ledger::{AtBound, Halt};
use crate::engine::partial_order::{Blocking, Region, Selection};
use crate::engine::symmetry::{LocalId, Spawn};
use crate::index_types;
use crate::system::template::LocationId;

index_types! {
    /// Threads that were disabled together.
    DisabledId,
}

/// A thread that goes on at once, in a state that is not stored.
pub(super) struct Passing {
    state: StateId,
    active: LocalId,
    region: Option<Region>,
}

/// What is done with a thread.
#[derive(Clone, Default)]
pub(super) struct Plan {
    /// The threads that are disabled from its step on.
    pub(super) disabled: Option<DisabledId>,
    /// Through which it runs without a stop.
    pub(super) region: Option<Region>,
}

impl Search<'_> {
    pub(super) fn expand(&mut self, state: StateId) -> Result<(), Halt> {
        let population = self.nodes[state].population.clone();
        let shared = self.nodes[state].shared;
        let holder = population.pairs().iter().find(|pair| self.locals.holds_atomic(pair.0));
        if let Some(&(holder, _)) = holder {
            return self.run_thread(state, shared, holder, &Plan::default());
        }
        match self.reduction.select(places(&self.locals, &population)) {
            Selection::Everyone => self.run_all(state, shared, &[]),
            Selection::One(location) => self.expand_one(state, location),
            Selection::Groups(groups) => self.expand_groups(state, &groups),
            Selection::Regions(regions) => self.run_all(state, shared, &regions),
        }
    }

    /// Expands all threads, each through its region if it has one.
    fn run_all(&mut self, state: StateId, shared: Bdd, regions: &[(LocationId, Region)]) -> Result<(), Halt> {
        let population = self.nodes[state].population.clone();
        for &(active, _) in population.pairs() {
            let location = self.locals.get(active).location;
            let region = regions.iter().find(|region| region.0 == location);
            let region = region.map(|region| region.1.clone());
            self.run_thread(state, shared, active, &Plan { disabled: None, region })?;
        }
        Ok(())
    }

    /// Expands one thread where it is surely not stuck, and all where it may be.
    fn expand_one(&mut self, state: StateId, location: LocationId) -> Result<(), Halt> {
        let population = self.nodes[state].population.clone();
        let shared = self.nodes[state].shared;
        let mut locals = population.pairs().iter().map(|pair| pair.0);
        let active = locals.find(|&local| self.locals.get(local).location == location);
        let active = active.expect("a thread is selected that is there");
        if self.reduction.blocking(location) != Blocking::Perhaps {
            return self.run_thread(state, shared, active, &Plan::default());
        }
        let sure = self.locals.surely_enabled(active, shared)?;
        let doubtful = self.locals.manager().minus(shared, sure)?;
        self.run_thread(state, sure, active, &Plan::default())?;
        self.run_all(state, doubtful, &[])
    }

    /// Expands each group with the others disabled.
    fn expand_groups(&mut self, state: StateId, groups: &[Vec<LocationId>]) -> Result<(), Halt> {
        let population = self.nodes[state].population.clone();
        let shared = self.nodes[state].shared;
        for group in groups {
            let within = |pair: &(LocalId, u32)| group.contains(&self.locals.get(pair.0).location);
            let (members, others): (Vec<_>, Vec<_>) = population.pairs().iter().copied().partition(within);
            let (disabled, _) = self.disabled.insert_full(Population::of(others));
            let disabled = Some(crate::ground::index::Index::new(disabled));
            for (active, _) in members {
                self.run_thread(state, shared, active, &Plan { disabled, region: None })?;
            }
        }
        Ok(())
    }

    /// Takes all steps of a thread, from some shared values of a state.
    fn run_thread(&mut self, state: StateId, shared: Bdd, active: LocalId, plan: &Plan) -> Result<(), Halt> {
        let population = self.nodes[state].population.clone();
        let full = self.is_full(&population);
        let suppressed = full && matches!(self.ledger.at_bound(), AtBound::Skip(_));
        let spawn = if suppressed { Spawn::Suppressed } else { Spawn::Done };
        for &transition in self.locals.transitions(active, spawn)?.iter() {
            self.run.limits.check()?;
            let taken = Taken { active, transition, spawn, disabled: plan.disabled };
            self.take(state, shared, &population, taken, plan)?;
        }
        Ok(())
    }

    /// Stores the state after a step, or lets the thread that took it go on at once.
    pub(super) fn arrive(
        &mut self,
        population: Population,
        shared: Bdd,
        (state, taken): (StateId, Taken),
        plan: &Plan,
    ) -> Result<(), Halt> {
        let from = taken.transition.step.location;
        let inner = plan.region.as_ref().filter(|region| region.binary_search(&from).is_ok()).cloned();
        let Some(active) = taken.transition.target.filter(|&target| {
            inner.is_some() || self.reduction.passes_through(self.locals.get(target).location)
        }) else {
            return self.insert(population, shared, Some((state, taken)));
        };
        let origins = vec![Origin { shared, step: Some((state, taken)) }];
        let state = self.nodes.push(Node { population: population.clone(), shared, origins });
        self.passing.push(Passing { state, active, region: inner });
        self.look(state, &population, shared)
    }

    /// Lets all threads go on that do so at once.
    pub(super) fn pass_through(&mut self) -> Result<(), Halt> {
        while let Some(Passing { state, active, region }) = self.passing.pop() {
            let plan = Plan { disabled: None, region };
            self.run_thread(state, self.nodes[state].shared, active, &plan)?;
        }
        Ok(())
    }
}
