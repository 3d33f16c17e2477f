//! Copying terms from one store to another.

use super::{Node, Store, Symbol, Term};
use rustc_hash::FxHashMap;

/// Copies terms of one store to another one; what was copied is remembered. Ids of the two stores never mix: the symbols
/// and terms that are asked for are of the first store, the answers of the second.
#[derive(Clone, Debug, Default)]
pub struct Import {
    symbols: FxHashMap<Symbol, Term>,
    done: FxHashMap<Term, Term>,
}

impl Import {
    /// With these terms for symbols. Other symbols are copied: a fresh symbol of the same name and sort for each.
    #[must_use]
    pub fn new(symbols: impl IntoIterator<Item = (Symbol, Term)>) -> Self {
        Self { symbols: symbols.into_iter().collect(), done: FxHashMap::default() }
    }

    /// What a symbol became.
    pub fn symbol(&mut self, from: &Store, to: &mut Store, symbol: Symbol) -> Term {
        let copy = || {
            let copy = to.fresh(from.name(symbol), from.sort_of_symbol(symbol));
            to.symbol(copy)
        };
        *self.symbols.entry(symbol).or_insert_with(copy)
    }

    /// The copy of a term.
    pub fn term(&mut self, from: &Store, to: &mut Store, term: Term) -> Term {
        for part in from.reachable_unless(&[term], |part| self.done.contains_key(&part)) {
            let copy = match from.node(part) {
                Node::Symbol(symbol) => self.symbol(from, to, symbol),
                node => to.rebuild(node, |operand| self.done[&operand]),
            };
            self.done.insert(part, copy);
        }
        self.done[&term]
    }
}
