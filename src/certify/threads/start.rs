//! The states that runs begin with.
//!
//! Every state of the program can be the first. Mostly the first edges give values to all shared variables; as long as
//! there is only one way to go, and nothing can be violated on it, its steps are taken all at once, and what is
//! known at its end is enumerated, with Z3.

use super::meaning::{Meanings, Place};
use super::steps::BUDGET;
use super::{Claim, Failure, ends, outgoing};
use crate::ground::limits::Limits;
use crate::predicate::PredicateId;
use crate::program::{Action, Block, Program, Scope};
use crate::smt::{Answer, Kind, Model, Solver};
use crate::term::substitute::Substitution;
use crate::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Runs begin in no more ways than this.
const MOST: usize = 2_000;

/// A way in which runs begin: where the first thread is, and which predicates hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Start {
    pub place: Place,
    pub values: BTreeMap<PredicateId, bool>,
}

/// Finds how runs begin.
pub(super) struct Starter<'c, 'a> {
    /// A copy, for new terms and symbols.
    program: Program,
    meanings: &'c Meanings<'a>,
    solver: Solver,
    /// The state that the steps so far lead to, over the first one.
    state: BTreeMap<Symbol, Term>,
    conditions: Vec<Term>,
    steps: u64,
}

impl<'c, 'a> Starter<'c, 'a> {
    pub fn new(claim: Claim<'a>, meanings: &'c Meanings<'a>, limits: &Limits) -> Self {
        let mut solver = Solver::new(Kind::Certificate, limits);
        solver.set_budget(BUDGET);
        let program = claim.program.clone();
        Self { program, meanings, solver, state: BTreeMap::new(), conditions: Vec::new(), steps: 0 }
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn queries(&self) -> u64 {
        self.solver.statistics().queries
    }

    /// All ways in which runs begin.
    pub fn starts(&mut self) -> Result<Vec<Start>, Failure> {
        let place = self.walk();
        let ids: Vec<PredicateId> = self.meanings.shared().chain(self.meanings.tracked(place)).collect();
        let mut names = Substitution::new(self.state.iter().map(|(&symbol, &term)| (symbol, term)));
        let store = &mut self.program.store;
        let apply = |&id: &PredicateId| (id, names.apply(store, self.meanings.predicates[id].term));
        let terms: Vec<(PredicateId, Term)> = ids.iter().map(apply).collect();
        self.conditions.iter().for_each(|&condition| self.solver.assert(&self.program.store, condition));
        let mut found = Vec::new();
        loop {
            match self.solver.check(&self.program.store)? {
                Answer::Unsat { .. } => return Ok(found),
                Answer::Unknown(why) => return Err(Failure::bound(format!("the solver gave up: {why}"))),
                Answer::Sat(model) => found.push(Start { place, values: self.values(&terms, &model) }),
            }
            if found.len() > MOST {
                return Err(Failure::bound("too large: runs begin in too many ways"));
            }
        }
    }

    /// The values of predicates in a model, which are excluded from then on.
    fn values(&mut self, terms: &[(PredicateId, Term)], model: &Model) -> BTreeMap<PredicateId, bool> {
        let store = &mut self.program.store;
        let mut values = BTreeMap::new();
        let mut others = Vec::new();
        for &(id, term) in terms {
            let value = model.evaluate(store, term).as_bool();
            values.insert(id, value);
            others.push(if value { store.not(term) } else { term });
        }
        let other = store.or_all(others);
        self.solver.assert(store, other);
        values
    }

    /// Goes on from the entry as long as there is one way only.
    fn walk(&mut self) -> Place {
        let template = self.program.entry;
        let procedure = self.program.procedures[template].clone();
        let outgoing = outgoing(&procedure);
        let mut location = procedure.entry;
        let mut seen = BTreeSet::from([location]);
        while let [only] = outgoing[location][..] {
            let edge = &procedure.edges[only];
            let Action::Block(block) = &edge.action else { break };
            if ends(edge) || edge.to == procedure.exit || !seen.insert(edge.to) {
                break;
            }
            self.take(block);
            location = edge.to;
        }
        (template, location)
    }

    fn take(&mut self, block: &Block) {
        self.steps += 1;
        let mut names = Substitution::new(self.state.iter().map(|(&symbol, &term)| (symbol, term)));
        let values = block.updates.iter().map(|&(_, value)| value);
        let mut symbols = BTreeSet::new();
        for term in values.chain([block.guard]) {
            symbols.extend(self.program.store.free_symbols(term));
        }
        for symbol in symbols {
            let scope = self.program.variables.get(symbol).map(|variable| variable.scope);
            if !matches!(scope, Some(Scope::Global | Scope::Local(_))) {
                let store = &mut self.program.store;
                let (name, sort) = (store.name(symbol).to_owned(), store.sort_of_symbol(symbol));
                let fresh = store.fresh(name, sort);
                let fresh = store.symbol(fresh);
                names.set(symbol, fresh);
            }
        }
        let store = &mut self.program.store;
        self.conditions.push(names.apply(store, block.guard));
        let updates = block.updates.iter().map(|&(symbol, value)| (symbol, names.apply(store, value)));
        let updates: Vec<(Symbol, Term)> = updates.collect();
        self.state.extend(updates);
    }
}
