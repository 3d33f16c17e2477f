//! What rules ask of operands, and shorthands for what they build.

use super::super::arithmetic::{apply, mask};
use super::super::{Node, Operator, Store, Term};

/// The condition and the two values, where the term chooses between constants.
pub(super) fn constant_arms(store: &Store, term: Term) -> Option<(Term, u128, u128)> {
    let Node::Choose(condition, yes, no) = store.node(term) else { return None };
    Some((condition, store.constant(yes)?, store.constant(no)?))
}

/// Chooses between two constants.
pub(super) fn choose_bits(store: &mut Store, width: u32, condition: Term, yes: u128, no: u128) -> Term {
    let (yes, no) = (store.bits(width, yes), store.bits(width, no));
    store.choose(condition, yes, no)
}

/// The truth value of which the term is the bit vector one or zero.
pub(super) fn as_boolean(store: &mut Store, term: Term) -> Option<Term> {
    match constant_arms(store, term)? {
        (condition, 1, 0) => Some(condition),
        (condition, 0, 1) => Some(store.not(condition)),
        _ => None,
    }
}

/// Operands of a commutative operator in their order: constants last, else by id.
pub(super) fn ordered(store: &Store, a: Term, b: Term) -> (Term, Term) {
    let key = |term: Term| (matches!(store.node(term), Node::Bits(..) | Node::Boolean(_)), term);
    if key(a) <= key(b) { (a, b) } else { (b, a) }
}

/// A number that the unsigned value of the term does not exceed.
pub(super) fn upper_bound(store: &Store, term: Term) -> u128 {
    let all = mask(store.width(term));
    match store.node(term) {
        Node::Bits(_, value) => value,
        Node::ZeroExtend(_, a) => mask(store.width(a)),
        Node::Binary(Operator::And, _, c) => store.constant(c).unwrap_or(all),
        Node::Binary(Operator::UnsignedRemainder, _, c) => match store.constant(c) {
            Some(c) if c > 0 => c - 1,
            _ => all,
        },
        Node::Binary(Operator::ShiftRight, _, c) => {
            store.constant(c).map_or(all, |c| apply(Operator::ShiftRight, store.width(term), all, c))
        }
        Node::Choose(..) => constant_arms(store, term).map_or(all, |(_, yes, no)| yes.max(no)),
        _ => all,
    }
}

/// A binary node as it is.
pub(super) fn intern_binary(store: &mut Store, operator: Operator, a: Term, b: Term) -> Term {
    let sort = store.sort(a);
    store.intern(Node::Binary(operator, a, b), sort)
}
