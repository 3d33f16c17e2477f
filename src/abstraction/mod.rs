//! Predicate abstraction: from a program and a precision to a Boolean program [Ball, Majumdar, Millstein, Rajamani,
//! PLDI 2001].
//!
//! The Boolean program keeps procedures and control flow. A predicate over global variables is a global Boolean
//! variable, one that mentions local variables a local one. Each edge is one step; its statement relates the predicates
//! that are tracked before and behind it, so that every step of the program has its abstract step: whatever state a
//! run is in, the values of the tracked predicates there are those of a run of the Boolean program.
//!
//! | file | what |
//! |---|---|
//! | `tracking` | which predicates are tracked where |
//! | `signature` | formal and returned predicates, what procedures write |
//! | `oracle` | all-SAT, cubes, and the memory of answers |
//! | `unary`, `samples` | questions that need no solver |
//! | `table` | sets of assignments, covers by cubes |
//! | `relevant` | which facts say something about a term |
//! | `related` | which edges a new predicate concerns |
//! | `image` | the transition of one step |
//! | `exclusions` | predicates that exclude each other |
//! | `edges`, `calls`, `statements` | statements of edges, and which of them are kept |
//! | `threads` | what a step does to what other threads know |
//! | `emit` | the syntax |
//! | `path` | from an abstract trace back to edges |
//! | `claims` | what is claimed of a program with threads, for its certificate |
//!
//! Programs that start threads must have no calls: see [`inline`](crate::program::inline).

mod calls;
mod claims;
mod edges;
mod emit;
mod exclusions;
mod image;
mod oracle;
mod path;
mod related;
mod relevant;
mod samples;
mod signature;
mod statements;
mod table;
#[cfg(test)]
mod tests;
mod threads;
mod tracking;
mod unary;
mod variables;

pub use claims::Flag;

use crate::boolean::ast;
use crate::ground::event::Event;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::predicate::{Precision, PredicateId, PredicateScope};
use crate::program::names::ProgramNames;
use crate::program::{
    Action, EdgeId, LocationId, ProcedureId, Program, PropertyId, Role, Scope, Variable as ProgramVariable,
};
use crate::smt::Budget;
use crate::term::{Symbol, Term};
use claims::Claims;
use edges::{Context, Exclusions};
use emit::Emitter;
use indexmap::IndexMap;
use oracle::Oracle;
use related::Related;
use rustc_hash::FxHashMap;
use statements::{Known, Pieces, entry_exclusions, statements};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use threads::Threads;
use tracking::{Lives, Tracking};

/// How precise an abstraction is.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many facts a value may depend on.
    pub literals: usize,
    /// How many facts are related to each other by a part of a guard.
    pub guard: usize,
    /// How many facts and undetermined values are related to each other at once.
    pub joint: usize,
    /// What one query may cost.
    pub budget: Budget,
    /// Whether answers are kept for the same question.
    pub remembers: bool,
    /// Whether reads of what a step has written are resolved before the solver is asked.
    pub resolves: bool,
    /// Whether local predicates of sequential programs are tracked only where their variables are live. Those of threads are in any case.
    pub live_only: bool,
}

/// What one query costs at most: what is quick takes a hundredth of it.
const RESOURCES: u32 = 300_000;

impl Default for Options {
    fn default() -> Self {
        let budget = Budget { resources: Some(RESOURCES) };
        Self { literals: 6, guard: 4, joint: 6, budget, remembers: true, resolves: true, live_only: true }
    }
}

/// What abstractions have cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Queries to the solver.
    pub queries: u64,
    /// Questions that were answered from memory.
    pub cache_hits: u64,
    /// Questions that the solver gave up on.
    pub given_up: u64,
    /// Edges whose statements were computed.
    pub edges_computed: u64,
    /// Edges whose statements were kept from an earlier abstraction.
    pub edges_kept: u64,
    /// The time of all abstractions together.
    pub time: Duration,
    /// The part of it that the solver took.
    pub solver_time: Duration,
}

impl Statistics {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            queries: self.queries + other.queries,
            cache_hits: self.cache_hits + other.cache_hits,
            given_up: self.given_up + other.given_up,
            edges_computed: self.edges_computed + other.edges_computed,
            edges_kept: self.edges_kept + other.edges_kept,
            time: self.time + other.time,
            solver_time: self.solver_time + other.solver_time,
        }
    }
}

/// What a property of the Boolean program is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Goal {
    /// A property of the program.
    Property(PropertyId),
    /// Reaching this edge, which is not modelled.
    Unsupported(ProcedureId, EdgeId),
}

/// Which statement of an edge this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// Before a call: saving what it may change, and what it is given.
    Prepare,
    /// Taking the edge.
    Take,
    /// Behind a call: bringing the caller's predicates up to date.
    Returned,
    /// The assertion that fails.
    Violated,
}

/// Where a statement comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Origin {
    procedure: ProcedureId,
    edge: EdgeId,
    part: Part,
}

/// A Boolean program, and the way back.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The Boolean program; it starts with `main`.
    pub program: ast::Program,
    origins: Vec<Origin>,
    goals: Vec<Goal>,
    /// Predicates by the names of their variables.
    variables: IndexMap<Arc<str>, PredicateId>,
    /// What is tracked behind edges.
    behind: FxHashMap<(ProcedureId, EdgeId), Rc<[PredicateId]>>,
    /// Where local predicates are tracked that are not tracked everywhere in their procedures.
    places: BTreeMap<PredicateId, BTreeSet<LocationId>>,
    /// What is tracked at the entries that calls lead to.
    behind_calls: FxHashMap<(ProcedureId, EdgeId), Rc<[PredicateId]>>,
    /// What is tracked at locations of templates, and which flags say so.
    claims: Claims,
}

impl Abstraction {
    /// What a property of the Boolean program is about. Several may be about the same.
    #[must_use]
    pub fn property(&self, id: crate::boolean::cfg::PropertyId) -> Goal {
        self.goals[crate::ground::index::Index::index(id)]
    }

    /// The predicate that a variable of the Boolean program stands for.
    #[must_use]
    pub fn predicate(&self, variable: &str) -> Option<PredicateId> {
        self.variables.get(variable).copied()
    }

    /// Whether a predicate is tracked at a location of its procedure.
    #[must_use]
    pub fn is_tracked(&self, id: PredicateId, location: LocationId) -> bool {
        self.places.get(&id).is_none_or(|places| places.contains(&location))
    }

    /// All goals, in the order of the properties of the Boolean program.
    #[must_use]
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }
}

/// Abstracts one program again and again, as its precision grows.
pub struct Abstractor {
    options: Options,
    oracle: Oracle,
    exclusions: Exclusions,
    results: BTreeMap<ProcedureId, Symbol>,
    old: BTreeMap<Symbol, Symbol>,
    passive: threads::PassiveSymbols,
    /// Live variables.
    lives: Option<Lives>,
    /// The threads of the last precision.
    threads: Option<Threads>,
    edges: Known,
    /// The predicates of the last precision, and where they were tracked.
    predicates: Vec<(Term, PredicateScope, Option<BTreeSet<LocationId>>)>,
    statistics: Statistics,
}

impl Abstractor {
    /// One that knows nothing yet. It serves one program.
    #[must_use]
    pub fn new(options: Options, limits: &Limits) -> Self {
        Self {
            options,
            oracle: Oracle::new(&options, limits),
            exclusions: Exclusions::default(),
            results: BTreeMap::new(),
            old: BTreeMap::new(),
            passive: BTreeMap::new(),
            lives: None,
            threads: None,
            edges: FxHashMap::default(),
            predicates: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// What all abstractions have cost.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let solver = self.oracle.statistics();
        Statistics {
            queries: solver.queries,
            cache_hits: self.oracle.hits,
            given_up: self.oracle.given_up,
            solver_time: solver.time,
            ..self.statistics
        }
    }

    /// From now on predicates of a sequential program are tracked where their variables are dead, too; tells how many were not.
    pub fn track_everywhere(&mut self, program: &Program, precision: &Precision) -> usize {
        let threads = program.starts_threads();
        let Some(lives) = self.lives.take_if(|_| !threads) else { return 0 };
        self.options.live_only = false;
        let mut tracked = |lives| Tracking::new(program, precision, lives, &mut self.oracle);
        let (before, after) = (tracked(Some(&lives)), tracked(None));
        precision.predicates.ids().filter(|&id| before.places(id) != after.places(id)).count()
    }

    /// The Boolean program of a precision. The program gets new terms, and symbols for results of calls; its edges
    /// stay as they are.
    ///
    /// # Errors
    /// If the limits are raised, or the program starts threads and has calls.
    pub fn abstract_program(
        &mut self,
        program: &mut Program,
        precision: &Precision,
        run: Run<'_>,
    ) -> Result<Abstraction, Stop> {
        let start = Instant::now();
        run.observer.event(Event::Phase("abstraction".into()));
        let result = self.compute(program, precision, run);
        self.statistics.time += start.elapsed();
        result
    }

    fn compute(
        &mut self,
        program: &mut Program,
        precision: &Precision,
        run: Run<'_>,
    ) -> Result<Abstraction, Stop> {
        if program.starts_threads() && threads::has_calls(program) {
            return Err(Stop::Bound("calls in a program with threads".into()));
        }
        self.forget_others(precision);
        self.symbols_of_results(program);
        if self.lives.is_none() && (self.options.live_only || program.starts_threads()) {
            self.lives = Some(Lives::of(program));
        }
        let lives = self.lives.as_ref();
        let tracking = Tracking::new(program, precision, lives, &mut self.oracle);
        let signatures = signature::signatures(program, precision, &tracking, &mut self.oracle);
        let written = signature::written_globals(program);
        let names = emit::procedure_names(program);
        let threads = Threads::of(program, precision, &tracking, &signatures, &mut self.oracle);
        if self.threads != threads {
            self.edges.clear();
            self.threads.clone_from(&threads);
        }
        let mut context = Context {
            program,
            precision,
            tracking: &tracking,
            signatures: &signatures,
            written: &written,
            results: &self.results,
            old: &mut self.old,
            passive: &mut self.passive,
            threads: threads.as_ref(),
            names: &names,
            oracle: &mut self.oracle,
            exclusions: &mut self.exclusions,
            options: &self.options,
        };
        let related = Related::new(context.program, precision, context.oracle);
        let pieces = statements(&mut context, &related, &mut self.edges, &mut self.statistics, run)?;
        let entries = entry_exclusions(&mut context)?;
        let mut emitter = Emitter {
            program,
            precision,
            tracking: &tracking,
            signatures: &signatures,
            names: &names,
            pieces: &pieces,
            entries: &entries,
            threads: threads.as_ref(),
            texts: ProgramNames::new(program),
            origins: Vec::new(),
            goals: Vec::new(),
        };
        let syntax = emitter.program();
        let (origins, goals) = (emitter.origins, emitter.goals);
        let claims = Claims::of(program, &tracking, threads.as_ref());
        Ok(abstraction(program, precision, &tracking, (syntax, origins, goals, claims)))
    }

    /// Statements are kept only as long as predicates mean the same, and are tracked where they were.
    fn forget_others(&mut self, precision: &Precision) {
        let now: Vec<_> = precision
            .predicates
            .enumerate()
            .map(|(id, it)| (it.term, it.scope, precision.places.get(&id).cloned()))
            .collect();
        if !now.starts_with(&self.predicates) {
            self.edges.clear();
        }
        self.predicates = now;
    }

    /// Symbols that stand for what procedures return.
    fn symbols_of_results(&mut self, program: &mut Program) {
        for id in program.procedures.ids() {
            let Some(result) = program.procedures[id].result else { continue };
            self.results.entry(id).or_insert_with(|| {
                let origin = format!("result of {}", program.procedures[id].name);
                let sort = program.store.sort_of_symbol(result);
                let ty = program.variables[result].ty;
                program.variables.push(ProgramVariable {
                    scope: Scope::Input,
                    ty,
                    role: Role::Input(origin.clone()),
                });
                program.store.fresh(origin, sort)
            });
        }
    }
}

fn abstraction(
    program: &Program,
    precision: &Precision,
    tracking: &Tracking,
    (syntax, origins, goals, claims): (ast::Program, Vec<Origin>, Vec<Goal>, Claims),
) -> Abstraction {
    let name = |id| variables::Variable::Predicate(id).name().text;
    let variables = precision.predicates.ids().map(|id| (name(id), id)).collect();
    let (mut behind, mut behind_calls) = (FxHashMap::default(), FxHashMap::default());
    for (id, procedure) in program.procedures.enumerate() {
        for (edge, contents) in procedure.edges.enumerate() {
            behind.insert((id, edge), tracking.at(id, contents.to).collect());
            if let Action::Call { procedure: callee, .. } | Action::Start { procedure: callee, .. } =
                contents.action
            {
                let entry = program.procedures[callee].entry;
                behind_calls.insert((id, edge), tracking.at(callee, entry).collect());
            }
        }
    }
    let places = tracking.all_places().clone();
    Abstraction { program: syntax, origins, goals, variables, behind, places, behind_calls, claims }
}
