//! The symbols of many terms, remembered.

use super::{Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Remembers the symbols of terms that were asked for, and looks no further where one of them is met again. It belongs to
/// one store. Sets are kept for the terms asked for only: those of all their parts would be quadratic.
#[derive(Clone, Debug, Default)]
pub struct FreeSymbols {
    known: FxHashMap<Term, Rc<BTreeSet<Symbol>>>,
}

impl FreeSymbols {
    /// The symbols of a term.
    pub fn of(&mut self, store: &Store, term: Term) -> Rc<BTreeSet<Symbol>> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let mut symbols = BTreeSet::new();
        let mut met = BTreeSet::new();
        for part in store.reachable_unless(&[term], |part| self.known.contains_key(&part)) {
            symbols.extend(store.as_symbol(part));
            met.extend(store.node(part).operands().filter(|operand| self.known.contains_key(operand)));
        }
        symbols.extend(met.iter().flat_map(|part| self.known[part].iter().copied()));
        let symbols = Rc::new(symbols);
        self.known.insert(term, symbols.clone());
        symbols
    }
}
