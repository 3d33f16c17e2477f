//! Which facts can say something about a term.
//!
//! Facts that share symbols with the term come first, the more symbols the earlier; then those that share symbols
//! with parts of the guard that are connected with the term; then those that share symbols with these. Symbols of
//! arrays connect everything in memory and count less than others. Leaving out a fact loses precision, never soundness.

use super::oracle::Oracle;
use super::variables::Fact;
use crate::term::{Node, Sort, Store, Symbol, Term};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The conjuncts of a term, in order.
pub(super) fn conjuncts(store: &Store, term: Term) -> Vec<Term> {
    let (mut stack, mut found) = (vec![term], Vec::new());
    while let Some(term) = stack.pop() {
        match store.node(term) {
            Node::And(left, right) => stack.extend([right, left]),
            Node::Boolean(true) => {}
            _ => found.push(term),
        }
    }
    found
}

/// The symbols that parts of the guard connect with these, these included.
pub(super) fn connected(
    oracle: &mut Oracle,
    store: &Store,
    symbols: &BTreeSet<Symbol>,
    guard: Term,
) -> BTreeSet<Symbol> {
    let mut parts: Vec<Rc<BTreeSet<Symbol>>> =
        conjuncts(store, guard).into_iter().map(|part| oracle.symbols(store, part)).collect();
    let mut reached = symbols.clone();
    loop {
        let before = parts.len();
        parts.retain(|part| {
            let apart = part.is_disjoint(&reached);
            if !apart {
                reached.extend(part.iter().copied());
            }
            apart
        });
        if parts.len() == before {
            return reached;
        }
    }
}

/// How much two sets of symbols have in common: scalars, then arrays.
fn shared(store: &Store, left: &BTreeSet<Symbol>, right: &BTreeSet<Symbol>) -> (usize, usize) {
    let is_array = |symbol: &&Symbol| matches!(store.sort_of_symbol(**symbol), Sort::Array { .. });
    let both: Vec<&Symbol> = left.intersection(right).collect();
    let arrays = both.iter().filter(|symbol| is_array(symbol)).count();
    (both.len() - arrays, arrays)
}

/// The facts that are relevant to a term under a guard, best first, at most so many; and how many share a symbol with
/// the term itself.
pub(super) fn relevant(
    oracle: &mut Oracle,
    store: &Store,
    facts: &[Fact],
    (term, guard): (Term, Term),
    most: usize,
) -> (Vec<Fact>, usize) {
    let own = oracle.symbols(store, term);
    let reached = connected(oracle, store, &own, guard);
    let of: Vec<Rc<BTreeSet<Symbol>>> = facts.iter().map(|fact| oracle.symbols(store, fact.term)).collect();
    let direct = of.iter().filter(|symbols| !symbols.is_disjoint(&own)).count();
    let near = of.iter().filter(|symbols| !symbols.is_disjoint(&reached));
    let beyond: BTreeSet<Symbol> = near.flat_map(|symbols| symbols.iter().copied()).collect();
    let ring = |symbols: &BTreeSet<Symbol>| match () {
        () if !symbols.is_disjoint(&own) => Some(0),
        () if !symbols.is_disjoint(&reached) => Some(1),
        () if !symbols.is_disjoint(&beyond) => Some(2),
        () => None,
    };
    let mut ranked: Vec<_> = (0..facts.len())
        .filter_map(|fact| {
            let ring = ring(&of[fact])?;
            Some((ring, std::cmp::Reverse(shared(store, &of[fact], &own)), fact))
        })
        .collect();
    ranked.sort_unstable();
    let chosen = ranked.into_iter().take(most).map(|(_, _, fact)| facts[fact]).collect();
    (chosen, direct)
}
