//! Predicates that differ in numbers only.

use super::Candidate;
use crate::predicate::PredicateScope;
use crate::term::{Node, Store, Term};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash as _, Hasher as _};

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
