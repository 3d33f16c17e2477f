//! Sizes of terms.

use super::{Store, Term};
use rustc_hash::FxHashMap;

/// How many different terms it consists of.
#[must_use]
pub fn dag(store: &Store, term: Term) -> usize {
    store.reachable(&[term]).len()
}

/// How many nodes it has when written out, or `u64::MAX` if more.
#[must_use]
pub fn tree(store: &Store, term: Term) -> u64 {
    let mut sizes: FxHashMap<Term, u64> = FxHashMap::default();
    for part in store.reachable(&[term]) {
        let below = store.node(part).operands().map(|operand| sizes[&operand]);
        let size = below.fold(1, u64::saturating_add);
        sizes.insert(part, size);
    }
    sizes[&term]
}
