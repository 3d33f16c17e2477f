//! Variables that count, and predicates that differ in numbers only.
//!
//! A variable counts if somewhere it becomes the result of arithmetic on variables, or a copy of one that counts. Only
//! such variables take ever new values when a loop is unwound, so only predicates about them are limited in number. The
//! state of a state machine is compared with many numbers, all of which stand in the program.

use super::Candidate;
use crate::predicate::PredicateScope;
use crate::program::{Action, Program, Scope};
use crate::term::{Node, Store, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// The variables of a program that count.
#[derive(Debug, Default)]
pub(super) struct Counting {
    symbols: FxHashSet<Symbol>,
    /// From variables to those that become copies of them.
    copies: FxHashMap<Symbol, Vec<Symbol>>,
}

impl Counting {
    pub fn of(program: &Program) -> Self {
        let mut counting = Self::default();
        for procedure in program.procedures.iter() {
            for edge in procedure.edges.iter() {
                match &edge.action {
                    Action::Block(block) => {
                        block.updates.iter().for_each(|&(to, value)| counting.flow(program, to, value));
                    }
                    Action::Call { procedure, arguments, result } => {
                        let callee = &program.procedures[*procedure];
                        let pairs = callee.parameters.iter().zip(arguments);
                        pairs.for_each(|(&to, &value)| counting.flow(program, to, value));
                        if let (Some(to), Some(from)) = (*result, callee.result) {
                            counting.copies.entry(from).or_default().push(to);
                        }
                    }
                    _ => {}
                }
            }
        }
        counting.close();
        counting
    }

    /// A variable gets a value.
    fn flow(&mut self, program: &Program, to: Symbol, value: Term) {
        let store = &program.store;
        let (mut open, mut seen) = (vec![value], FxHashSet::default());
        while let Some(part) = open.pop() {
            if !seen.insert(part) {
                continue;
            }
            match store.node(part) {
                Node::Symbol(from) if from != to && program.variables[from].scope != Scope::Input => {
                    self.copies.entry(from).or_default().push(to);
                }
                Node::Choose(_, yes, no) => open.extend([yes, no]),
                Node::Select(array, _) => open.push(array),
                Node::Store(array, _, element) => open.extend([array, element]),
                Node::Binary(..) if computed(program, part) => {
                    self.symbols.insert(to);
                }
                Node::ZeroExtend(_, inner) | Node::SignExtend(_, inner) | Node::Extract { of: inner, .. } => {
                    open.push(inner);
                }
                Node::Concatenate(high, low) => open.extend([high, low]),
                _ => {}
            }
        }
    }

    /// Copies of what counts count.
    fn close(&mut self) {
        let mut open: Vec<Symbol> = self.symbols.iter().copied().collect();
        while let Some(from) = open.pop() {
            for &to in self.copies.get(&from).into_iter().flatten() {
                if self.symbols.insert(to) {
                    open.push(to);
                }
            }
        }
    }

    /// Whether a term is about a variable that counts.
    pub fn touches(&self, store: &Store, term: Term) -> bool {
        store.free_symbols(term).iter().any(|symbol| self.symbols.contains(symbol))
    }
}

/// Whether a result of arithmetic depends on the state.
fn computed(program: &Program, term: Term) -> bool {
    let symbols = program.store.free_symbols(term);
    symbols.iter().any(|&symbol| program.variables[symbol].scope != Scope::Input)
}

/// How many predicates there are of each form: of one scope, and the same but for numbers.
#[derive(Debug, Default)]
pub(super) struct Forms {
    count: FxHashMap<(PredicateScope, u64), usize>,
}

impl Forms {
    pub fn of(store: &Store, predicates: &[Candidate]) -> Self {
        let mut forms = Self::default();
        for predicate in predicates {
            *forms.count.entry((predicate.scope, shape(store, predicate.term))).or_default() += 1;
        }
        forms
    }

    /// How many are like this one.
    pub fn like(&self, store: &Store, candidate: Candidate) -> usize {
        self.count.get(&(candidate.scope, shape(store, candidate.term))).copied().unwrap_or(0)
    }
}

/// A number that terms have in common which differ in numbers only.
fn shape(store: &Store, term: Term) -> u64 {
    let parts = store.reachable(&[term]);
    let mut hasher = FxHasher::default();
    for part in parts {
        match store.node(part) {
            Node::Bits(width, _) => (0u8, width).hash(&mut hasher),
            Node::Symbol(symbol) => (1u8, symbol).hash(&mut hasher),
            node => std::mem::discriminant(&node).hash(&mut hasher),
        }
    }
    hasher.finish()
}
