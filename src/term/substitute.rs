//! Simultaneous substitution of terms for symbols.
//!
//! Every reachable term is rebuilt at most once, and what is known stays known for the next term: weakest preconditions of
//! many predicates along one edge share one [`Substitution`].

use super::{Node, Store, Symbol, Term};
use rustc_hash::FxHashMap;

/// Terms for symbols, and what became of terms so far. It belongs to one store.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    replacements: FxHashMap<Symbol, Term>,
    done: FxHashMap<Term, Term>,
}

impl Substitution {
    /// These terms for these symbols, all at once.
    #[must_use]
    pub fn new(replacements: impl IntoIterator<Item = (Symbol, Term)>) -> Self {
        Self { replacements: replacements.into_iter().collect(), done: FxHashMap::default() }
    }

    /// One more replacement, or another one. What was known is forgotten.
    pub fn set(&mut self, symbol: Symbol, replacement: Term) {
        self.replacements.insert(symbol, replacement);
        self.done.clear();
    }

    /// What replaces a symbol.
    #[must_use]
    pub fn get(&self, symbol: Symbol) -> Option<Term> {
        self.replacements.get(&symbol).copied()
    }

    /// The term with its symbols replaced.
    pub fn apply(&mut self, store: &mut Store, term: Term) -> Term {
        for term in store.reachable_unless(&[term], |term| self.done.contains_key(&term)) {
            let result = self.step(store, term);
            self.done.insert(term, result);
        }
        self.done[&term]
    }

    fn step(&self, store: &mut Store, term: Term) -> Term {
        let node = store.node(term);
        if let Node::Symbol(symbol) = node {
            return self.get(symbol).unwrap_or(term);
        }
        if node.operands().all(|operand| self.done[&operand] == operand) {
            return term;
        }
        store.rebuild(node, |operand| self.done[&operand])
    }
}
