//! Values along a path, forwards.
//!
//! Every instance has a value, a term of a store of its own: the program's store does not grow from path to path. A variable that is
//! read before it is written gets a fresh symbol, and so does every input each time. Substituting values simplifies terms, so
//! constants are propagated, and reads of memory find writes (`term::simplify`).
//!
//! Simulation unrolls a path as it is. Refinement asks what predicates say of a path: it forgets the values behind a step, and
//! says that the new ones agree with them on the predicates (`refine::linked`).

use super::{Assignments, Value};
use crate::program::{Program, Scope};
use crate::term::import::Import;
use crate::term::{Node, Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Values of variables.
pub type Values = BTreeMap<Symbol, Term>;

/// A variable that was read before it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct First {
    /// The activation that read it.
    pub activation: usize,
    /// The program's symbol.
    pub symbol: Symbol,
    /// What stands for its value.
    pub ours: Symbol,
}

/// The values of instances, so far.
pub struct Unrolling<'p> {
    program: &'p Program,
    /// All terms of ours.
    pub store: Store,
    globals: Values,
    /// Local variables, by activation.
    locals: Vec<Values>,
    /// What was read before it was written, since somebody asked.
    firsts: Vec<First>,
}

impl<'p> Unrolling<'p> {
    /// Nothing is known of the variables of so many activations.
    #[must_use]
    pub fn new(program: &'p Program, activations: usize) -> Self {
        let locals = vec![Values::new(); activations];
        Self { program, store: Store::new(), globals: Values::new(), locals, firsts: Vec::new() }
    }

    /// A new symbol of ours for one of the program.
    pub fn fresh(&mut self, symbol: Symbol) -> Symbol {
        let (name, sort) = (self.program.store.name(symbol), self.program.store.sort_of_symbol(symbol));
        self.store.fresh(name, sort)
    }

    /// What a variable holds.
    pub fn read(&mut self, activation: usize, symbol: Symbol) -> Term {
        if let Some(value) = self.now(activation, symbol) {
            return value;
        }
        let ours = self.fresh(symbol);
        let value = self.store.symbol(ours);
        self.write(activation, symbol, value);
        self.firsts.push(First { activation, symbol, ours });
        value
    }

    /// A variable holds something else now.
    pub fn write(&mut self, activation: usize, symbol: Symbol, value: Term) {
        let values = match self.program.variables[symbol].scope {
            Scope::Local(_) => &mut self.locals[activation],
            Scope::Global | Scope::Input => &mut self.globals,
        };
        values.insert(symbol, value);
    }

    /// What was read before it was written, since this was asked last.
    pub fn take_firsts(&mut self) -> Vec<First> {
        std::mem::take(&mut self.firsts)
    }

    /// What is known of global variables.
    #[must_use]
    pub fn globals(&self) -> &Values {
        &self.globals
    }

    /// What is known of a variable.
    #[must_use]
    pub fn now(&self, activation: usize, symbol: Symbol) -> Option<Term> {
        let values = match self.program.variables[symbol].scope {
            Scope::Local(_) => &self.locals[activation],
            Scope::Global | Scope::Input => &self.globals,
        };
        values.get(&symbol).copied()
    }

    /// Nothing is known any more of global variables.
    pub fn forget_globals(&mut self) {
        self.globals.clear();
    }

    /// Nothing is known any more of the local variables of an activation.
    pub fn forget_locals(&mut self, activation: usize) {
        self.locals[activation].clear();
    }

    /// What terms of the program are in an activation now, with values for inputs.
    pub fn terms(
        &mut self,
        activation: usize,
        terms: &[Term],
        inputs: &FxHashMap<Symbol, Term>,
    ) -> Vec<Term> {
        let program = self.program;
        let mut symbols = Vec::new();
        for part in program.store.reachable(terms) {
            if let Node::Symbol(symbol) = program.store.node(part) {
                let value = inputs.get(&symbol).copied();
                symbols.push((symbol, value.unwrap_or_else(|| self.read(activation, symbol))));
            }
        }
        let mut import = Import::new(symbols);
        terms.iter().map(|&term| import.term(&program.store, &mut self.store, term)).collect()
    }

    /// The values that a step without inputs assigns.
    pub fn assigned(&mut self, step: &Assignments) -> Vec<Term> {
        let given = |&(_, value): &(Symbol, Value)| match value {
            Value::Term(term) => Some(term),
            Value::Variable(_) => None,
        };
        let terms: Vec<Term> = step.all.iter().filter_map(given).collect();
        let mut terms = self.terms(step.from, &terms, &FxHashMap::default()).into_iter();
        let mut value = |&(_, value): &(Symbol, Value)| match value {
            Value::Term(_) => terms.next().expect("a value for each term"),
            Value::Variable(symbol) => self.read(step.from, symbol),
        };
        step.all.iter().map(&mut value).collect()
    }
}
