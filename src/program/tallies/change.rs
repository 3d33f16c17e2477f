//! How much an edge adds to a counter.

use crate::term::arithmetic::{from_signed, to_signed};
use crate::term::{Node, Operator, Store, Symbol, Term};

/// What is added: a term without the counter, and its least and greatest value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub amount: Term,
    pub range: (i128, i128),
}

/// A term that is the counter, and so much more.
pub(super) type Same = (Term, i128);

/// Terms that are the counter if a condition holds, the counter itself included.
pub(super) fn equal_to(store: &mut Store, counter: Symbol, condition: Term) -> Vec<Same> {
    let counter = store.symbol(counter);
    let mut same = vec![(counter, 0)];
    for part in store.conjuncts(condition) {
        if let Node::Equal(left, right) = store.node(part) {
            same.extend((left == counter).then_some((right, 0)));
            same.extend((right == counter).then_some((left, 0)));
        }
    }
    same
}

/// The difference between a value and the counter; none if it is not a constant, or one of some constants that conditions
/// choose among. The counter is the first of what is the same.
pub(super) fn difference(store: &mut Store, same: &[Same], value: Term) -> Option<Change> {
    if store.sort(value) != store.sort(same[0].0) {
        return None;
    }
    let width = store.width(value);
    if let Some(&(_, more)) = same.iter().find(|&&(term, _)| term == value) {
        return Some(constant(store, width, more));
    }
    match store.node(value) {
        Node::Binary(Operator::Add, left, right) => {
            let (inner, by) = match (store.node(left), store.node(right)) {
                (_, Node::Bits(_, by)) => (left, by),
                (Node::Bits(_, by), _) => (right, by),
                _ => return None,
            };
            let inner = difference(store, same, inner)?;
            Some(plus(store, width, inner, to_signed(width, by)))
        }
        Node::Binary(Operator::Subtract, left, right) => {
            let Node::Bits(_, by) = store.node(right) else { return None };
            let inner = difference(store, same, left)?;
            Some(plus(store, width, inner, -to_signed(width, by)))
        }
        Node::Choose(condition, yes, no) => {
            let mut if_so = same.to_vec();
            if_so.extend(equal_to(store, store.as_symbol(same[0].0)?, condition));
            let (yes, no) = (difference(store, &if_so, yes)?, difference(store, same, no)?);
            let range = (yes.range.0.min(no.range.0), yes.range.1.max(no.range.1));
            Some(Change { amount: store.choose(condition, yes.amount, no.amount), range })
        }
        _ => None,
    }
}

fn constant(store: &mut Store, width: u32, value: i128) -> Change {
    Change { amount: store.bits(width, from_signed(width, value)), range: (value, value) }
}

fn plus(store: &mut Store, width: u32, inner: Change, by: i128) -> Change {
    let constant = store.bits(width, from_signed(width, by));
    let range = (inner.range.0 + by, inner.range.1 + by);
    Change { amount: store.add(inner.amount, constant), range }
}
