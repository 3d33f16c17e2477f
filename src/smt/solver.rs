//! Queries.
//!
//! A query is asked in one of two modes (`mode`). In the *incremental* mode one solver of Z3 lives as long as ours. An assumption is a literal of its own that implies the term: so any term can be assumed, the core comes back as terms,
//! and what the solver learnt about a term under one query serves the next. Literals live as long as the scope in which they
//! were first needed; where they are not assumed, they are assumed to be false, or the solver might work on a term that
//! nobody asks for. No core needs that: a literal that is false asks for nothing. In the *one-shot* mode (`once`) assertions and
//! assumptions go to a new solver, which may preprocess them.

use super::mode::{Kind, Mode, Round};
use super::translate::Translator;
use super::watch::Watch;
use super::{Answer, Model, mode, model, once, profile, translate};
use crate::ground::index::Index as _;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::term::evaluate::Assignment;
use crate::term::free::FreeSymbols;
use crate::term::{Store, Symbol, Term};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::{Duration, Instant};
use z3::SatResult;
use z3::ast::{Ast as _, Bool};

/// What one query may cost. Resources are counted by Z3 and are the same on every machine; there is no limit of time, so that no
/// decision depends on how fast the machine is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Steps of Z3 (its `rlimit`).
    pub resources: Option<u32>,
}

/// What the queries of a solver have cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// How many queries there were; those answered without Z3 do not count.
    pub queries: u64,
    /// How many had a model.
    pub sat: u64,
    /// How many had none.
    pub unsat: u64,
    /// How many were given up.
    pub unknown: u64,
    /// The time of all together.
    pub time: Duration,
}

/// Why there is no answer if a model of Z3 is not one.
pub(super) const NO_MODEL: &str = "the model of the solver is none";

/// How deep terms may be on a stack of two megabytes, the usual size of a thread's.
const DEEPEST: u32 = 2_500;

/// A solver that takes no signals. While a query runs, Z3 would by default replace the process's handler of SIGINT by one of
/// its own, which ends the query and tells nobody else: the run would go on with the next query.
pub(super) fn leaving_signals_alone(solver: z3::Solver) -> z3::Solver {
    let mut parameters = z3::Params::new();
    parameters.set_bool("ctrl_c", false);
    solver.set_params(&parameters);
    solver
}

/// What a scope adds.
#[derive(Default)]
struct Scope {
    /// Terms whose literals were made in it.
    literals: Vec<Term>,
    /// The symbols of what is asserted in it.
    symbols: Vec<Rc<BTreeSet<Symbol>>>,
    /// What is asserted in it.
    assertions: Vec<Term>,
    /// Why something that should have been asserted was not.
    refused: Option<String>,
}

/// A solver for the terms of one store, which every call is given.
pub struct Solver {
    pub(super) kind: Kind,
    /// The one of the incremental mode.
    solver: z3::Solver,
    /// What its next query may cost. Z3 reads all its parameters anew when one is set, which takes longer than many a query.
    allowed: Option<u32>,
    pub(super) translator: Translator,
    free: FreeSymbols,
    literals: BTreeMap<Term, Bool>,
    scopes: Vec<Scope>,
    pub(super) limits: Limits,
    budget: Budget,
    statistics: Statistics,
}

impl Solver {
    /// A solver without assertions for queries of a kind, which end when these limits are raised.
    #[must_use]
    pub fn new(kind: Kind, limits: &Limits) -> Self {
        Self {
            kind,
            solver: leaving_signals_alone(z3::Solver::new()),
            allowed: None,
            translator: Translator::new(DEEPEST),
            free: FreeSymbols::default(),
            literals: BTreeMap::new(),
            scopes: vec![Scope::default()],
            limits: limits.clone(),
            budget: Budget::default(),
            statistics: Statistics::default(),
        }
    }

    /// Sets what each later query may cost in each mode; more is "unknown".
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Sets how deep terms may be: about four hundred levels for each megabyte of the stack that there is for sure.
    pub fn set_depth(&mut self, levels: u32) {
        self.translator.deepest = levels;
    }

    /// What the queries have cost.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The terms that are asserted, oldest first.
    pub fn assertions(&self) -> impl Iterator<Item = Term> {
        self.scopes.iter().flat_map(|scope| scope.assertions.iter().copied())
    }

    /// Asserts a truth value, until the scope ends. If it is one that Z3 is not given, all queries of the scope are
    /// "unknown".
    pub fn assert(&mut self, store: &Store, term: Term) {
        let symbols = self.free.of(store, term);
        let tree = self.translator.boolean(store, term);
        let scope = self.scopes.last_mut().expect("there is always the outermost scope");
        scope.symbols.push(symbols);
        scope.assertions.push(term);
        match tree {
            Ok(tree) => self.solver.assert(&tree),
            Err(reason) => scope.refused = Some(reason),
        }
    }

    /// Starts a scope.
    pub fn push(&mut self) {
        self.solver.push();
        self.scopes.push(Scope::default());
    }

    /// Ends the scope that was started last: its assertions are gone.
    ///
    /// # Panics
    /// If there is none.
    pub fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "a scope ends that was not started");
        let scope = self.scopes.pop().expect("just counted");
        for term in scope.literals {
            self.literals.remove(&term);
        }
        self.solver.pop(1);
    }

    /// Whether the assertions have a model.
    ///
    /// # Errors
    /// If the limits are raised.
    pub fn check(&mut self, store: &Store) -> Result<Answer, Stop> {
        self.check_assuming(store, &[])
    }

    /// Whether the assertions have a model in which the assumptions hold.
    ///
    /// # Errors
    /// If the limits are raised.
    pub fn check_assuming(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Stop> {
        self.limits.check()?;
        if let Some(&never) = assumptions.iter().find(|&&term| store.truth(term) == Some(false)) {
            return Ok(Answer::Unsat { core: vec![never] });
        }
        let mut terms = assumptions.to_vec();
        terms.retain(|&term| store.truth(term) != Some(true));
        let refused = self.scopes.iter().find_map(|scope| scope.refused.clone());
        let answer = match refused {
            None => self.answer(store, &terms)?,
            Some(reason) => Answer::Unknown(reason),
        };
        self.count(&answer);
        Ok(answer)
    }

    /// Asks in both modes by turns, each time with a greater budget, until there is an answer or the budget is spent.
    fn answer(&mut self, store: &Store, terms: &[Term]) -> Result<Answer, Stop> {
        let floats = self.has_floats(store, terms);
        if floats && let Some(model) = self.guessed(store, terms) {
            return Ok(Answer::Sat(model));
        }
        for Round { mode, resources } in mode::rounds(self.kind, floats, self.budget) {
            let start = Instant::now();
            let answer = match mode {
                Mode::Incremental => self.incremental(store, terms, resources),
                Mode::OneShot => once::answer(self, store, terms, resources),
            };
            self.limits.check()?;
            self.statistics.time += start.elapsed();
            profile::note(self.kind, mode, &answer, start.elapsed());
            match answer {
                Answer::Unknown(reason) if !mode::is_spent(&reason) => return Ok(Answer::Unknown(reason)),
                Answer::Unknown(_) => {}
                answer => return Ok(answer),
            }
        }
        Ok(Answer::Unknown("resource limit of the query".to_owned()))
    }

    /// A model in which all numbers are the same corner value, if there is one.
    fn guessed(&self, store: &Store, terms: &[Term]) -> Option<Model> {
        let all: Vec<Term> = self.assertions().chain(terms.iter().copied()).collect();
        Model::guessed(store, &all)
    }

    /// Whether a query is about floating-point numbers.
    fn has_floats(&mut self, store: &Store, terms: &[Term]) -> bool {
        let all: Vec<Term> = self.assertions().chain(terms.iter().copied()).collect();
        all.into_iter().any(|term| self.translator.has_floats(store, term))
    }

    /// Asks the solver that remembers earlier queries.
    pub(super) fn incremental(&mut self, store: &Store, terms: &[Term], resources: u32) -> Answer {
        let literals: Result<Vec<Bool>, String> =
            terms.iter().map(|&term| self.literal(store, term)).collect();
        let literals = match literals {
            Ok(literals) => literals,
            Err(reason) => return Answer::Unknown(reason),
        };
        if self.allowed.replace(resources) != Some(resources) {
            mode::allow(&self.solver, resources);
        }
        match self.ask(&self.with_others_false(terms, &literals)) {
            SatResult::Sat => self.model(store, terms, self.solver.get_model()),
            SatResult::Unsat => Answer::Unsat { core: self.core(terms, &literals) },
            SatResult::Unknown => Answer::Unknown(self.solver.get_reason_unknown().unwrap_or_default()),
        }
    }

    fn with_others_false(&self, terms: &[Term], literals: &[Bool]) -> Vec<Bool> {
        let assumed: FxHashSet<Term> = terms.iter().copied().collect();
        let others = self.literals.iter().filter(|(term, _)| !assumed.contains(term));
        literals.iter().cloned().chain(others.map(|(_, literal)| literal.not())).collect()
    }

    fn ask(&self, literals: &[Bool]) -> SatResult {
        let _watch = Watch::start(&self.limits);
        self.solver.check_assumptions(literals)
    }

    fn count(&mut self, answer: &Answer) {
        let statistics = &mut self.statistics;
        statistics.queries += 1;
        match answer {
            Answer::Sat(_) => statistics.sat += 1,
            Answer::Unsat { .. } => statistics.unsat += 1,
            Answer::Unknown(_) => statistics.unknown += 1,
        }
    }

    /// The literal that stands for a term.
    fn literal(&mut self, store: &Store, term: Term) -> Result<Bool, String> {
        if let Some(known) = self.literals.get(&term) {
            return Ok(known.clone());
        }
        let tree = self.translator.boolean(store, term)?;
        let literal = Bool::new_const(format!("assume!{}", term.index()));
        self.solver.assert(literal.implies(&tree));
        self.literals.insert(term, literal.clone());
        self.scopes.last_mut().expect("there is always the outermost scope").literals.push(term);
        Ok(literal)
    }

    fn core(&self, terms: &[Term], literals: &[Bool]) -> Vec<Term> {
        let core: FxHashSet<_> = self.solver.get_unsat_core().iter().map(Bool::get_z3_ast).collect();
        let in_core = |literal: &Bool| core.contains(&literal.get_z3_ast());
        let mut terms: Vec<Term> = terms
            .iter()
            .zip(literals)
            .filter(|(_, literal)| in_core(literal))
            .map(|(&term, _)| term)
            .collect();
        terms.dedup();
        terms
    }

    /// The model of a solver's last query; "unknown" if it cannot be read, or is none.
    pub(super) fn model(&mut self, store: &Store, assumptions: &[Term], model: Option<z3::Model>) -> Answer {
        let values = match self.read_model(store, assumptions, model) {
            Ok(values) => values,
            Err(reason) => return Answer::Unknown(reason),
        };
        let mut terms = assumptions.iter().copied().chain(self.assertions());
        let doubtful = terms.any(|term| cfg!(debug_assertions) || self.translator.compares_arrays(term));
        let model = Model::new(values);
        if doubtful && !self.holds(store, assumptions, &model) {
            return Answer::Unknown(NO_MODEL.to_owned());
        }
        Answer::Sat(model)
    }

    /// Whether all assertions and assumptions hold in a model.
    pub(super) fn holds(&self, store: &Store, assumptions: &[Term], model: &Model) -> bool {
        let mut terms = assumptions.iter().copied().chain(self.assertions());
        terms.all(|term| model.evaluate(store, term).as_bool())
    }

    /// The values that a model of Z3 gives to the symbols of assertions and assumptions.
    pub(super) fn read_model(
        &mut self,
        store: &Store,
        assumptions: &[Term],
        model: Option<z3::Model>,
    ) -> Result<Assignment, String> {
        let model = model.ok_or("the solver has no model")?;
        let mut symbols = BTreeSet::new();
        self.scopes
            .iter()
            .flat_map(|scope| &scope.symbols)
            .for_each(|some| symbols.extend(some.iter().copied()));
        for &term in assumptions {
            symbols.extend(self.free.of(store, term).iter().copied());
        }
        let mut values = Assignment::new();
        for symbol in symbols {
            let tree = translate::constant(symbol.index(), store.sort_of_symbol(symbol));
            if let Some(value) = model::read(&model, &tree)? {
                values.insert(symbol, value);
            }
        }
        Ok(values)
    }
}
