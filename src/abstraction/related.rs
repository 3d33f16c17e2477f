//! Which predicates the statement of an edge can depend on.
//!
//! An edge is abstracted again only if one of these is new, or no longer tracked. Predicates over variables that the
//! edge writes always are among them; the others are found by what they share with the edge and with each other. One that
//! is missed costs precision: its value does not change along the edge, and the statement does not mention it.

use super::oracle::Oracle;
use crate::predicate::{Precision, PredicateId};
use crate::program::{Action, Edge, Program};
use crate::term::{Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Predicates by what they are about.
pub(super) struct Related {
    by_handle: FxHashMap<Term, Vec<PredicateId>>,
    by_symbol: FxHashMap<Symbol, Vec<PredicateId>>,
}

impl Related {
    pub fn new(program: &Program, precision: &Precision, oracle: &mut Oracle) -> Self {
        let mut related = Self { by_handle: FxHashMap::default(), by_symbol: FxHashMap::default() };
        for (id, predicate) in precision.predicates.enumerate() {
            for &handle in oracle.about(&program.store, predicate.term).iter() {
                related.by_handle.entry(handle).or_default().push(id);
            }
            for &symbol in oracle.symbols(&program.store, predicate.term).iter() {
                related.by_symbol.entry(symbol).or_default().push(id);
            }
        }
        related
    }

    /// The predicates that the statement of an edge can depend on; none if that may be all of them.
    pub fn of(
        &self,
        edge: &Edge,
        store: &Store,
        precision: &Precision,
        oracle: &mut Oracle,
    ) -> Option<BTreeSet<PredicateId>> {
        let Action::Block(block) = &edge.action else { return None };
        let mut found = BTreeSet::new();
        let mut handles: Vec<Term> = Vec::new();
        for term in block.updates.iter().map(|&(_, value)| value).chain([block.guard]) {
            handles.extend(oracle.about(store, term).iter().copied());
        }
        let written = block.updates.iter().filter_map(|(symbol, _)| self.by_symbol.get(symbol));
        let mut work: Vec<PredicateId> = written.flatten().copied().collect();
        let mut seen: BTreeSet<Term> = BTreeSet::new();
        loop {
            let new = handles.drain(..).filter(|&handle| seen.insert(handle));
            work.extend(new.filter_map(|handle| self.by_handle.get(&handle)).flatten());
            if work.is_empty() {
                return Some(found);
            }
            for id in work.drain(..).filter(|&id| found.insert(id)) {
                handles.extend(oracle.about(store, precision.predicates[id].term).iter().copied());
            }
        }
    }
}
