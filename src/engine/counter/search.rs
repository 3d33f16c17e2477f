//! The search [Bas10, Algorithm 7.1].

mod expand;

use super::history::History;
use super::population::Population;
use crate::bdd::Bdd;
use crate::boolean::cfg::Program;
use crate::boolean::trace::Trace;
use crate::engine::ledger::{AtBound, Halt, Ledger};
use crate::engine::partial_order::Reduction;
use crate::engine::symmetry::concretise::{self, End, Move};
use crate::engine::symmetry::{ClassId, Crowd, Inhabited, LocalId, Locals, Spawn, Transition, Violation};
use crate::engine::{Answers, Query};
use crate::ground::event::{Event, Statistics};
use crate::ground::index::{Index, IndexVec};
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::index_types;
use expand::{DisabledId, Passing, Plan};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

index_types! {
    /// A state of the search.
    StateId,
}

/// A state: what is new in a population when it is expanded.
struct Node {
    population: Population,
    shared: Bdd,
    origins: Vec<Origin>,
}

/// Where some of the shared values of a state come from.
#[derive(Clone, Copy)]
struct Origin {
    shared: Bdd,
    /// The state before and what was done in it; `None`: the start.
    step: Option<(StateId, Taken)>,
}

/// A step of the search.
#[derive(Clone, Copy)]
struct Taken {
    active: LocalId,
    transition: Transition,
    spawn: Spawn,
    /// The threads that are disabled by it.
    disabled: Option<DisabledId>,
}

/// How often progress is told, in states.
const PROGRESS: usize = 1 << 10;

pub(super) struct Search<'a> {
    program: &'a Program,
    locals: Locals<'a>,
    reduction: Reduction<'a>,
    run: Run<'a>,
    ledger: Ledger<'a>,
    nodes: IndexVec<StateId, Node>,
    /// The states that wait for expansion, by population; those of the next round come in while one is worked off.
    frontier: IndexMap<Population, StateId, FxBuildHasher>,
    history: History,
    passing: Vec<Passing>,
    disabled: IndexSet<Population>,
    most_states: usize,
    steps: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        program: &'a Program,
        locals: Locals<'a>,
        reduction: Reduction<'a>,
        query: &'a Query,
        run: Run<'a>,
        at_bound: AtBound,
    ) -> Self {
        Self {
            program,
            locals,
            reduction,
            run,
            ledger: Ledger::new(query, at_bound),
            nodes: IndexVec::new(),
            frontier: IndexMap::default(),
            history: History::default(),
            passing: Vec::new(),
            disabled: IndexSet::new(),
            most_states: usize::MAX,
            steps: 0,
        }
    }

    /// With a bound on the number of states.
    pub(super) fn within(self, most_states: usize) -> Self {
        Self { most_states, ..self }
    }

    /// Runs the search and tells what it found.
    pub(super) fn answers(mut self) -> Result<Answers, Stop> {
        let end = self.explore();
        let statistics = self.statistics();
        self.ledger.answers(end, statistics)
    }

    fn explore(&mut self) -> Result<(), Halt> {
        self.ledger.halt_if_all_found()?;
        let start = Population::one(self.locals.start());
        let everything = self.locals.manager().constant(true);
        self.insert(start, everything, None)?;
        while !self.frontier.is_empty() {
            for (_, state) in std::mem::take(&mut self.frontier) {
                self.expand(state)?;
                self.pass_through()?;
            }
        }
        Ok(())
    }

    /// Whether one more thread would be one too many.
    fn is_full(&self, population: &Population) -> bool {
        self.ledger.at_bound().is_reached(population.threads() as usize)
    }

    /// Takes a step from a state.
    fn take(
        &mut self,
        state: StateId,
        shared: Bdd,
        population: &Population,
        taken: Taken,
        plan: &Plan,
    ) -> Result<(), Halt> {
        let transition = &taken.transition;
        let shared = self.locals.shared_after(shared, transition)?;
        if shared == self.locals.manager().constant(false) {
            return Ok(());
        }
        self.steps += 1;
        let wants_thread = self.wants_thread(transition);
        if wants_thread && taken.spawn == Spawn::Suppressed {
            self.ledger.suppress();
        }
        if wants_thread && taken.spawn == Spawn::Done && self.is_full(population) {
            self.ledger.give_up();
            return Ok(());
        }
        let mut rest = population.clone();
        rest.remove(taken.active);
        if let Some(disabled) = taken.disabled {
            rest.disable(&self.disabled[disabled.index()]);
        }
        let heard = match transition.class {
            Some(class) => self.broadcast(&rest, class)?,
            None => Some(rest),
        };
        let Some(mut after) = heard else { return Ok(()) };
        transition.target.into_iter().chain(transition.started).for_each(|local| after.add(local, 1));
        self.arrive(after, shared, (state, taken), plan)
    }

    fn wants_thread(&self, transition: &Transition) -> bool {
        self.locals.relations.step(transition.step).starts.is_some()
    }

    /// What the passive threads become; `None` if one of them blocks.
    fn broadcast(&mut self, rest: &Population, class: ClassId) -> Result<Option<Population>, Stop> {
        let Some(pairs) = self.locals.broadcast(rest.pairs(), class)? else { return Ok(None) };
        let mut after = rest.clone();
        after.clear();
        pairs.into_iter().for_each(|(local, count)| after.add(local, count));
        Ok(Some(after))
    }

    /// Stores what is new in a state and looks for violations in it.
    fn insert(
        &mut self,
        population: Population,
        shared: Bdd,
        step: Option<(StateId, Taken)>,
    ) -> Result<(), Halt> {
        let new = self.history.insert(&mut self.locals, &population, shared)?;
        if new == self.locals.manager().constant(false) {
            return Ok(());
        }
        let origin = Origin { shared: new, step };
        let state = match self.frontier.get(&population) {
            Some(&waiting) => {
                let all = self.locals.manager().or(self.nodes[waiting].shared, new)?;
                self.nodes[waiting].shared = all;
                self.nodes[waiting].origins.push(origin);
                waiting
            }
            None if self.nodes.len() >= self.most_states => {
                let text = format!("more than {} states", self.most_states);
                return Err(Stop::Bound(text).into());
            }
            None => {
                let node = Node { population: population.clone(), shared: new, origins: vec![origin] };
                let state = self.nodes.push(node);
                self.frontier.insert(population.clone(), state);
                self.progress();
                state
            }
        };
        self.look(state, &population, new)
    }

    fn progress(&self) {
        if self.nodes.len().is_multiple_of(PROGRESS) {
            let text = format!(
                "{} states, {} in the frontier, {} local sets, {} BDD nodes",
                self.nodes.len(),
                self.frontier.len(),
                self.locals.len(),
                self.locals.relations.manager.stored_nodes()
            );
            self.run.observer.event(Event::Progress(text));
        }
    }

    /// Looks for violations in a state.
    fn look(&mut self, state: StateId, population: &Population, shared: Bdd) -> Result<(), Halt> {
        let crowd = |count| if count > 1 { Crowd::Several } else { Crowd::One };
        let inhabited: Vec<Inhabited> =
            population.pairs().iter().map(|&(local, count)| (local, crowd(count))).collect();
        let ledger = &self.ledger;
        for violation in self.locals.violations_in(&inhabited, shared, |property| ledger.is_open(property))? {
            self.record(state, violation)?;
        }
        Ok(())
    }

    fn record(&mut self, state: StateId, violation: Violation) -> Result<(), Halt> {
        if !self.ledger.is_open(violation.property) {
            return Ok(());
        }
        let trace = self.trace(state, violation)?;
        self.ledger.record(violation.property, trace)
    }

    /// The concrete run to a violation in a state.
    fn trace(&mut self, state: StateId, violation: Violation) -> Result<Option<Trace>, Stop> {
        let shared = self.locals.one_shared(violation.shared)?;
        let (moves, disabled) = self.moves(state, shared)?;
        let population = self.nodes[state].population.with(&disabled);
        let end = End { shared, population, violation };
        concretise::trace(self.program, &mut self.locals, &moves, &end)
    }

    /// The moves that lead to these shared values in a state, and the threads that they have disabled.
    fn moves(&mut self, mut state: StateId, mut shared: Bdd) -> Result<(Vec<Move>, Population), Stop> {
        let mut moves: Vec<(Move, Option<DisabledId>)> = Vec::new();
        while let Some((before, taken)) = self.origin(state, shared)? {
            let node = &self.nodes[before];
            let population = node.population.pairs().to_vec();
            let earlier = self.locals.shared_before(node.shared, &taken.transition, shared)?;
            shared = self.locals.one_shared(earlier)?;
            let Taken { active, transition, spawn, disabled } = taken;
            moves.push((Move { shared, population, active, transition, spawn }, disabled));
            state = before;
        }
        Ok(self.with_disabled(moves))
    }

    /// The moves in order, with the threads that were disabled earlier back in the populations.
    fn with_disabled(&self, backwards: Vec<(Move, Option<DisabledId>)>) -> (Vec<Move>, Population) {
        let mut disabled = Population::default();
        let mut moves = Vec::with_capacity(backwards.len());
        for (mut step, more) in backwards.into_iter().rev() {
            step.population = Population::of(step.population).with(&disabled);
            moves.push(step);
            let more = more.map(|more| &self.disabled[more.index()]);
            more.into_iter().flat_map(Population::pairs).for_each(|&(local, n)| disabled.add(local, n));
        }
        (moves, disabled)
    }

    /// Where a valuation of the shared variables comes from that a state has.
    fn origin(&mut self, state: StateId, shared: Bdd) -> Result<Option<(StateId, Taken)>, Stop> {
        for origin in self.nodes[state].origins.clone() {
            let common = self.locals.manager().and(shared, origin.shared)?;
            if common != self.locals.manager().constant(false) {
                return Ok(origin.step);
            }
        }
        Ok(None)
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.add("states", self.nodes.len() as u64);
        statistics.add("populations", self.history.len() as u64);
        statistics.add("local sets", self.locals.len() as u64);
        statistics.add("steps", self.steps);
        statistics.add("BDD nodes", self.locals.relations.manager.stored_nodes() as u64);
        statistics
    }
}
