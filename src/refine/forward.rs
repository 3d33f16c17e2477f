//! Constants along a path.
//!
//! Three uses. Where a choice is decided on this path, the weakest precondition needs one of its cases, and the condition.
//! Where a variable of a guard is constant, that it has this value may be all that excludes the guard. And a demand on a result may mention variables of the caller, which the callee cannot speak of: `x + result == 3`. Where the
//! path determines them, their values stand for them.

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::path::position::conjuncts;
use crate::path::{Assignments, Kind, Line, Value};
use crate::program::overlay::Frozen;
use crate::program::{Action, Block, Scope};
use crate::term::substitute::Substitution;
use crate::term::{Node, Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Constants by variables.
pub(super) type Constants = BTreeMap<Symbol, Term>;

/// What is constant along a path.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// For each activation the constants among the local variables of its caller, when it was called.
    pub at_calls: Vec<Constants>,
    /// For each step the conditions of choices that are decided there.
    pub decided: Vec<FxHashMap<Term, bool>>,
    /// For each step the constants that its guard reads.
    pub guards: Vec<Constants>,
}

struct Forward<'a> {
    program: Frozen<'a>,
    globals: Constants,
    locals: Vec<Constants>,
    facts: Facts,
}

/// Follows the constants of a path.
pub(super) fn facts(program: &mut Frozen<'_>, line: &Line<'_>, limits: &Limits) -> Result<Facts, Stop> {
    let none = vec![Constants::new(); line.frames.activations.len()];
    let facts = Facts { at_calls: none.clone(), ..Facts::default() };
    let mut forward = Forward { program: program.lend(), globals: Constants::new(), locals: none, facts };
    for number in 0..line.path.len() {
        limits.check()?;
        forward.facts.decided.push(FxHashMap::default());
        forward.facts.guards.push(Constants::new());
        forward.step(line, number);
    }
    Ok(forward.facts)
}

fn constant(store: &Store, term: Term) -> Option<Term> {
    matches!(store.node(term), Node::Bits(..) | Node::Boolean(_)).then_some(term)
}

impl Forward<'_> {
    fn step(&mut self, line: &Line<'_>, number: usize) {
        let step = line.assignments(&self.program, number);
        if let Action::Block(block) = line.edge(&self.program, number).action.clone() {
            self.guard(step.from, &block);
        }
        let values = self.assigned(&step);
        for (&(symbol, _), value) in step.all.iter().zip(values) {
            self.set(step.to, symbol, value);
        }
        if step.kind == Kind::Call {
            self.facts.at_calls[step.to].clone_from(&self.locals[step.from]);
        }
    }

    /// The values that a step assigns, as far as they are constant.
    fn assigned(&mut self, step: &Assignments) -> Vec<Option<Term>> {
        let mut values = Vec::new();
        let mut substitution = self.substitution(step.from);
        for &(_, value) in &step.all {
            values.push(match value {
                Value::Variable(symbol) => self.known(step.from, symbol),
                Value::Term(term) => {
                    let value = substitution.apply(self.program.terms(), term);
                    constant(&self.program.store, value)
                }
            });
        }
        values
    }

    fn map(&mut self, activation: usize, symbol: Symbol) -> &mut Constants {
        match self.program.variables[symbol].scope {
            Scope::Local(_) => &mut self.locals[activation],
            Scope::Global | Scope::Input => &mut self.globals,
        }
    }

    fn known(&mut self, activation: usize, symbol: Symbol) -> Option<Term> {
        self.map(activation, symbol).get(&symbol).copied()
    }

    fn set(&mut self, activation: usize, symbol: Symbol, value: Option<Term>) {
        let map = self.map(activation, symbol);
        match value {
            Some(value) => _ = map.insert(symbol, value),
            None => _ = map.remove(&symbol),
        }
    }

    /// What variables are, as far as constants say it.
    fn substitution(&self, activation: usize) -> Substitution {
        let known = self.globals.iter().chain(&self.locals[activation]);
        Substitution::new(known.map(|(&symbol, &value)| (symbol, value)))
    }

    /// What terms are, as far as constants say it.
    fn values(&mut self, activation: usize, terms: &[Term]) -> Vec<Term> {
        let mut substitution = self.substitution(activation);
        terms.iter().map(|&term| substitution.apply(self.program.terms(), term)).collect()
    }

    /// What a guard says of variables holds from then on.
    fn guard(&mut self, activation: usize, block: &Block) {
        let conjuncts = conjuncts(&self.program.store, block.guard);
        self.decide(activation, block);
        for conjunct in self.values(activation, &conjuncts) {
            if let Some((symbol, value)) = equation(&self.program.store, conjunct)
                && self.program.variables[symbol].scope != Scope::Input
            {
                self.set(activation, symbol, Some(value));
            }
        }
    }

    /// Remembers what the guard reads, and which choices are decided.
    fn decide(&mut self, activation: usize, block: &Block) {
        let number = self.facts.decided.len() - 1;
        for symbol in self.program.store.free_symbols(block.guard) {
            if let Some(value) = self.known(activation, symbol) {
                self.facts.guards[number].insert(symbol, value);
            }
        }
        let roots: Vec<Term> = block.updates.iter().map(|&(_, value)| value).chain([block.guard]).collect();
        let mut conditions = Vec::new();
        for part in self.program.store.reachable(&roots) {
            if let Node::Choose(condition, ..) = self.program.store.node(part) {
                conditions.push(condition);
            }
        }
        let values = self.values(activation, &conditions);
        let truths = values.into_iter().map(|value| self.program.store.truth(value));
        let decided =
            conditions.iter().zip(truths).filter_map(|(&condition, truth)| Some((condition, truth?)));
        self.facts.decided[number] = decided.collect();
    }
}

/// The variable that a condition determines, and its value.
fn equation(store: &Store, condition: Term) -> Option<(Symbol, Term)> {
    let Node::Equal(a, b) = store.node(condition) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(x, y)| Some((store.as_symbol(x)?, constant(store, y)?)))
}
