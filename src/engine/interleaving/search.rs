//! The search: breadth first, states with the same vector merged.

use super::concretise::{self, Leg};
use super::relations::Relations;
use super::vector::{Act, Vector};
use crate::bdd::Bdd;
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::trace::Trace;
use crate::engine::ledger::{AtBound, Halt, Ledger};
use crate::engine::partial_order::{Blocking, Reduction, Region, Selection};
use crate::engine::symmetry::{Spawn, StepId};
use crate::engine::{Answers, Query};
use crate::ground::event::{Event, Statistics};
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::index_types;
use crate::system::template::LocationId;
use indexmap::IndexMap;
use std::rc::Rc;

index_types! {
    /// A state of the search.
    StateId,
}

/// A state: what is new with a vector when it is expanded.
struct Node {
    vector: Rc<Vector>,
    set: Bdd,
    origins: Vec<Origin>,
}

/// Where some of the values of a state come from.
#[derive(Clone)]
struct Origin {
    set: Bdd,
    /// The state before and what was done in it; `None`: the start.
    step: Option<(StateId, Taken)>,
}

/// A step of the search.
#[derive(Clone)]
struct Taken {
    act: Act,
    /// The positions that are disabled from now on.
    disabled: Rc<[usize]>,
}

/// A thread that goes on at once, in a state that is not stored.
struct Passing {
    state: StateId,
    position: usize,
    region: Option<Region>,
}

/// What is done with the threads of a state.
struct Plan {
    disabled: Rc<[usize]>,
    region: Option<Region>,
}

/// How often progress is told, in states.
const PROGRESS: usize = 1 << 10;

pub(super) struct Search<'a> {
    program: &'a Program,
    relations: Relations<'a>,
    reduction: Reduction<'a>,
    run: Run<'a>,
    ledger: Ledger<'a>,
    nodes: IndexVec<StateId, Node>,
    seen: IndexMap<Rc<Vector>, Bdd>,
    /// The states that wait for expansion; those of the next round come in while one is worked off.
    frontier: IndexMap<Rc<Vector>, StateId>,
    passing: Vec<Passing>,
    steps: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        program: &'a Program,
        relations: Relations<'a>,
        reduction: Reduction<'a>,
        query: &'a Query,
        run: Run<'a>,
        at_bound: AtBound,
    ) -> Self {
        Self {
            program,
            relations,
            reduction,
            run,
            ledger: Ledger::new(query, at_bound),
            nodes: IndexVec::new(),
            seen: IndexMap::new(),
            frontier: IndexMap::new(),
            passing: Vec::new(),
            steps: 0,
        }
    }

    /// Runs the search and tells what it found.
    pub(super) fn answers(mut self) -> Result<Answers, Stop> {
        let end = self.explore();
        let statistics = self.statistics();
        self.ledger.answers(end, statistics)
    }

    fn explore(&mut self) -> Result<(), Halt> {
        self.ledger.halt_if_all_found()?;
        let start = Vector::one(self.relations.template.start);
        let everything = self.relations.manager.constant(true);
        self.store(start, everything, None)?;
        while !self.frontier.is_empty() {
            for (_, state) in std::mem::take(&mut self.frontier) {
                self.expand(state)?;
                while let Some(Passing { state, position, region }) = self.passing.pop() {
                    let plan = Plan { disabled: Rc::from([]), region };
                    self.run_thread(state, self.nodes[state].set, position, &plan)?;
                }
            }
        }
        Ok(())
    }

    fn expand(&mut self, state: StateId) -> Result<(), Halt> {
        let vector = self.nodes[state].vector.clone();
        let set = self.nodes[state].set;
        let plain = Plan { disabled: Rc::from([]), region: None };
        if let Some(holder) = vector.holder(self.relations.template) {
            return self.run_thread(state, set, holder, &plain);
        }
        match self.reduction.select(vector.crowd()) {
            Selection::Everyone => self.run_all(state, set, |_| Some(plain.region.clone())),
            Selection::One(location) => self.expand_one(state, location),
            Selection::Groups(groups) => self.expand_groups(state, &groups),
            Selection::Regions(regions) => self.run_all(state, set, |location| {
                let place = regions.iter().find(|region| region.0 == location);
                Some(place.map(|region| region.1.clone()))
            }),
        }
    }

    /// Expands the threads whose location has a plan: a region, or none.
    fn run_all(
        &mut self,
        state: StateId,
        set: Bdd,
        plan: impl Fn(LocationId) -> Option<Option<Region>>,
    ) -> Result<(), Halt> {
        let vector = self.nodes[state].vector.clone();
        for (position, &location) in vector.locations.iter().enumerate() {
            if let Some(region) = plan(location) {
                self.run_thread(state, set, position, &Plan { disabled: Rc::from([]), region })?;
            }
        }
        Ok(())
    }

    /// Expands one thread where it is not stuck, and the others where it is.
    fn expand_one(&mut self, state: StateId, location: LocationId) -> Result<(), Halt> {
        let vector = self.nodes[state].vector.clone();
        let set = self.nodes[state].set;
        let position = vector.locations.iter().position(|&other| other == location);
        let position = position.expect("a thread is selected that is there");
        let plan = Plan { disabled: Rc::from([]), region: None };
        self.run_thread(state, set, position, &plan)?;
        if self.reduction.blocking(location) != Blocking::Perhaps {
            return Ok(());
        }
        let enabled = self.relations.enabled(location, position)?;
        let stuck = self.relations.manager.minus(set, enabled)?;
        if stuck == self.relations.manager.constant(false) {
            return Ok(());
        }
        for other in (0..vector.locations.len()).filter(|&other| other != position) {
            self.run_thread(state, stuck, other, &plan)?;
        }
        Ok(())
    }

    /// Expands each group with the others disabled.
    fn expand_groups(&mut self, state: StateId, groups: &[Vec<LocationId>]) -> Result<(), Halt> {
        let vector = self.nodes[state].vector.clone();
        let set = self.nodes[state].set;
        for group in groups {
            let within = |&position: &usize| group.contains(&vector.locations[position]);
            let (members, disabled): (Vec<usize>, Vec<usize>) = (0..vector.locations.len()).partition(within);
            let plan = Plan { disabled: disabled.into(), region: None };
            for member in members {
                self.run_thread(state, set, member, &plan)?;
            }
        }
        Ok(())
    }

    /// Takes all steps of a thread, from some values of a state.
    fn run_thread(&mut self, state: StateId, set: Bdd, active: usize, plan: &Plan) -> Result<(), Halt> {
        let vector = self.nodes[state].vector.clone();
        let location = vector.locations[active];
        let is_full = self.ledger.at_bound().is_reached(vector.threads());
        for number in 0..self.relations.template.locations[location].steps.len() {
            self.run.limits.check()?;
            let step = StepId { location, number };
            let starts = self.relations.step(step).starts.is_some();
            let spawn = if starts && is_full { Spawn::Suppressed } else { Spawn::Done };
            self.take(state, set, Act { step, active, spawn }, plan)?;
        }
        Ok(())
    }

    fn take(&mut self, state: StateId, set: Bdd, act: Act, plan: &Plan) -> Result<(), Halt> {
        let vector = self.nodes[state].vector.clone();
        let step = self.relations.step(act.step);
        let landing = vector.after(act, step, &plan.disabled);
        let body = self.relations.body(&vector.locations, act)?;
        let passage = self.relations.passage(&vector.locations, act, &landing);
        let set = self.relations.image(set, body, &passage)?;
        if set == self.relations.manager.constant(false) {
            return Ok(());
        }
        self.steps += 1;
        if act.spawn == Spawn::Suppressed {
            if matches!(self.ledger.at_bound(), AtBound::GiveUp(_)) {
                self.ledger.give_up();
                return Ok(());
            }
            self.ledger.suppress();
        }
        let goes_on = step.target.zip(landing.position_of(act.active));
        let disabled = vector.disabled + plan.disabled.len();
        let after = Vector { locations: landing.locations, disabled };
        let origin = Some((state, Taken { act, disabled: plan.disabled.clone() }));
        let inner = plan.region.as_ref().filter(|region| region.binary_search(&act.step.location).is_ok());
        match goes_on {
            Some((target, position)) if inner.is_some() || self.reduction.passes_through(target) => {
                let region = inner.cloned();
                self.pass(after, set, origin, position, region)
            }
            _ => self.store(after, set, origin),
        }
    }

    /// Adds a state that is not stored: the thread that has come here goes on at once.
    fn pass(
        &mut self,
        vector: Vector,
        set: Bdd,
        step: Option<(StateId, Taken)>,
        position: usize,
        region: Option<Region>,
    ) -> Result<(), Halt> {
        let origins = vec![Origin { set, step }];
        let state = self.nodes.push(Node { vector: Rc::new(vector), set, origins });
        self.passing.push(Passing { state, position, region });
        self.look(state, set)
    }

    /// Stores what is new in a state and looks for violations in it.
    fn store(&mut self, vector: Vector, set: Bdd, step: Option<(StateId, Taken)>) -> Result<(), Halt> {
        let vector = Rc::new(vector);
        let nothing = self.relations.manager.constant(false);
        let before = self.seen.get(&vector).copied().unwrap_or(nothing);
        let new = self.relations.manager.minus(set, before)?;
        if new == nothing {
            return Ok(());
        }
        let all = self.relations.manager.or(before, new)?;
        self.seen.insert(vector.clone(), all);
        let origin = Origin { set: new, step };
        let state = match self.frontier.get(&vector) {
            Some(&waiting) => {
                let all = self.relations.manager.or(self.nodes[waiting].set, new)?;
                self.nodes[waiting].set = all;
                self.nodes[waiting].origins.push(origin);
                waiting
            }
            None => {
                let node = Node { vector: vector.clone(), set: new, origins: vec![origin] };
                let state = self.nodes.push(node);
                self.frontier.insert(vector, state);
                self.progress();
                state
            }
        };
        self.look(state, new)
    }

    fn progress(&self) {
        if self.nodes.len().is_multiple_of(PROGRESS) {
            let (states, waiting) = (self.nodes.len(), self.frontier.len());
            let text = format!("{states} states, {waiting} in the frontier");
            self.run.observer.event(Event::Progress(text));
        }
    }

    /// Looks for violations in a state.
    fn look(&mut self, state: StateId, set: Bdd) -> Result<(), Halt> {
        let vector = self.nodes[state].vector.clone();
        let holder = vector.holder(self.relations.template);
        for (active, &location) in vector.locations.iter().enumerate() {
            if holder.is_some_and(|holder| holder != active) {
                continue;
            }
            let checks = &self.relations.template.locations[location].checks;
            for (number, check) in checks.iter().enumerate() {
                if !self.ledger.is_open(check.property) {
                    continue;
                }
                let fails = self.relations.fails(&vector.locations, active, number)?;
                let violating = self.relations.manager.and(set, fails)?;
                self.record(state, check.property, active, violating)?;
            }
        }
        Ok(())
    }

    fn record(
        &mut self,
        state: StateId,
        property: PropertyId,
        violator: usize,
        violating: Bdd,
    ) -> Result<(), Halt> {
        if violating == self.relations.manager.constant(false) {
            return Ok(());
        }
        let trace = self.trace(state, property, violator, violating)?;
        self.ledger.record(property, trace)
    }

    /// The concrete run to a violation in a state: backwards, a point of each state on the way is chosen.
    fn trace(
        &mut self,
        mut state: StateId,
        property: PropertyId,
        violator: usize,
        violating: Bdd,
    ) -> Result<Option<Trace>, Stop> {
        let last = self.nodes[state].vector.clone();
        let Some(mut point) = concretise::point(&mut self.relations, &last.locations, violating)? else {
            return Ok(None);
        };
        let mut legs: Vec<Leg> = Vec::new();
        while let Some((before, taken)) = self.origin(state, &point)? {
            let node = &self.nodes[before];
            let (vector, set) = (node.vector.clone(), node.set);
            let leg = Leg { vector, act: taken.act, disabled: taken.disabled, after: point };
            let Some(earlier) = leg.before(&mut self.relations, set)? else { return Ok(None) };
            legs.push(leg);
            (state, point) = (before, earlier);
        }
        legs.reverse();
        concretise::trace(self.program, &mut self.relations, &point, &legs, violator, property)
    }

    /// Where a point of a state comes from.
    fn origin(
        &mut self,
        state: StateId,
        point: &concretise::Point,
    ) -> Result<Option<(StateId, Taken)>, Stop> {
        let cube = crate::bdd::ops::cube(&mut *self.relations.manager, point)?;
        for number in 0..self.nodes[state].origins.len() {
            let origin = self.nodes[state].origins[number].clone();
            let common = self.relations.manager.and(cube, origin.set)?;
            if common != self.relations.manager.constant(false) {
                return Ok(origin.step);
            }
        }
        Ok(None)
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.add("states", self.nodes.len() as u64);
        statistics.add("vectors", self.seen.len() as u64);
        statistics.add("steps", self.steps);
        statistics.add("BDD nodes", self.relations.manager.stored_nodes() as u64);
        statistics
    }
}
