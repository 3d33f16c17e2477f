//! What comparisons with constants say about terms.

use super::super::arithmetic::mask;
use super::super::{Node, Store, Term};
use super::ranges::Range;
use rustc_hash::FxHashMap;

/// The numbers that terms may be. No term is a sum with a constant: what is known of `p + 16` is known of `p`.
#[derive(Default)]
pub(super) struct Facts {
    ranges: FxHashMap<Term, Range>,
}

impl Facts {
    /// What some truth values say that hold together.
    pub fn of(store: &Store, terms: &[Term]) -> Self {
        let mut facts = Self::default();
        for (literal, positive) in literals(store, terms) {
            if let Some((term, range)) = compared(store, literal, positive) {
                facts.learn(store, term, &range);
            }
        }
        facts
    }

    /// What is known of a term, if anything is.
    pub fn known(&self, store: &Store, term: Term) -> Option<Range> {
        let (base, offset) = store.offset(term);
        if let Some(value) = store.constant(base) {
            return Some(Range::between(store.width(base), value, value));
        }
        self.ranges.get(&base).map(|range| range.moved(offset))
    }

    /// That a term is in a range.
    pub fn learn(&mut self, store: &Store, term: Term, range: &Range) {
        let (base, offset) = store.offset(term);
        if store.constant(base).is_none() {
            let all = mask(store.width(base));
            let range = range.moved(offset.wrapping_neg() & all);
            let met = self.ranges.get(&base).map(|known| known.meet(&range));
            self.ranges.insert(base, met.unwrap_or(range));
        }
    }
}

/// What holds or does not hold, if all these truth values hold.
fn literals(store: &Store, terms: &[Term]) -> Vec<(Term, bool)> {
    let mut open: Vec<(Term, bool)> = terms.iter().map(|&term| (term, true)).collect();
    let mut found = Vec::new();
    while let Some((term, positive)) = open.pop() {
        match (store.node(term), positive) {
            (Node::Not(inner), _) => open.push((inner, !positive)),
            (Node::And(a, b), true) | (Node::Or(a, b), false) => open.extend([(a, positive), (b, positive)]),
            _ => found.push((term, positive)),
        }
    }
    found
}

/// The term that a comparison with a constant is about, and what it says.
fn compared(store: &Store, comparison: Term, holds: bool) -> Option<(Term, Range)> {
    match store.node(comparison) {
        Node::UnsignedLess(a, b) => match (store.constant(a), store.constant(b)) {
            (None, Some(bound)) => below(store, a, bound, holds),
            (Some(bound), None) => below(store, b, bound.checked_add(1)?, !holds),
            _ => None,
        },
        Node::Equal(a, b) => {
            let value = store.constant(b)?;
            let width = store.width(a);
            let range =
                if holds { Range::between(width, value, value) } else { Range::without(width, value) };
            Some((a, range))
        }
        _ => None,
    }
}

/// That a term is below a bound, or is not.
fn below(store: &Store, term: Term, bound: u128, holds: bool) -> Option<(Term, Range)> {
    let width = store.width(term);
    // What is always so, or never, says nothing about addresses.
    if bound == 0 || bound > mask(width) {
        return None;
    }
    let range = if holds { (0, bound - 1) } else { (bound, mask(width)) };
    Some((term, Range::between(width, range.0, range.1)))
}
