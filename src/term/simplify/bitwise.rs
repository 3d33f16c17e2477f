//! Bitwise operators.
//!
//! On truth values as bits they are the operators of truth values. A mask of whole bytes is an extraction, as casts are.

use super::super::arithmetic::{apply, mask};
use super::super::{Node, Operator, Store, Term};
use super::operand;

pub(super) fn bitwise(store: &mut Store, operator: Operator, a: Term, b: Term) -> Term {
    let (a, b) = operand::ordered(store, a, b);
    if a == b {
        return if operator == Operator::Xor { store.bits(store.width(a), 0) } else { a };
    }
    let simpler = match store.constant(b) {
        Some(value) => bitwise_constant(store, operator, a, value),
        None => bitwise_complement(store, operator, a, b).or_else(|| bitwise_boolean(store, operator, a, b)),
    };
    simpler.unwrap_or_else(|| operand::intern_binary(store, operator, a, b))
}

fn bitwise_constant(store: &mut Store, operator: Operator, a: Term, value: u128) -> Option<Term> {
    let width = store.width(a);
    match (operator, value) {
        (Operator::And, 0) => return Some(store.bits(width, 0)),
        (Operator::Or | Operator::Xor, 0) => return Some(a),
        (Operator::And, _) if value == mask(width) => return Some(a),
        (Operator::Or, _) if value == mask(width) => return Some(store.bits(width, value)),
        _ => {}
    }
    bitwise_twice(store, operator, a, value).or_else(|| match operator {
        Operator::And => mask_by_constant(store, a, value),
        _ => None,
    })
}

/// `(x & c) & d`, and the same with the other operators.
fn bitwise_twice(store: &mut Store, operator: Operator, a: Term, value: u128) -> Option<Term> {
    let Node::Binary(inner, x, c) = store.node(a) else { return None };
    let c = store.constant(c)?;
    if inner != operator {
        return None;
    }
    let width = store.width(a);
    let both = store.bits(width, apply(operator, width, c, value));
    Some(bitwise(store, operator, x, both))
}

/// `x & value` where the value is a row of ones at the low end.
fn mask_by_constant(store: &mut Store, x: Term, value: u128) -> Option<Term> {
    let (width, kept) = (store.width(x), value.trailing_ones());
    if value != mask(kept) {
        return None;
    }
    if operand::upper_bound(store, x) <= value {
        return Some(x);
    }
    let seen_through = matches!(
        store.node(x),
        Node::ZeroExtend(..) | Node::SignExtend(..) | Node::Concatenate(..) | Node::Extract { .. }
    );
    if !seen_through && kept % 8 != 0 {
        return None;
    }
    let low = store.extract(0, kept, x);
    Some(store.zero_extend(width, low))
}

/// `x & ~x` and the like.
fn bitwise_complement(store: &mut Store, operator: Operator, a: Term, b: Term) -> Option<Term> {
    let complements = |store: &Store, x: Term, y: Term| match store.node(y) {
        Node::Binary(Operator::Xor, z, c) => z == x && store.constant(c) == Some(mask(store.width(x))),
        _ => false,
    };
    if !complements(store, a, b) && !complements(store, b, a) {
        return None;
    }
    let value = if operator == Operator::And { 0 } else { u128::MAX };
    Some(store.bits(store.width(a), value))
}

fn bitwise_boolean(store: &mut Store, operator: Operator, a: Term, b: Term) -> Option<Term> {
    let width = store.width(a);
    let (x, y) = (operand::as_boolean(store, a)?, operand::as_boolean(store, b)?);
    let result = match operator {
        Operator::And => store.and(x, y),
        Operator::Or => store.or(x, y),
        _ => store.not_equal(x, y),
    };
    Some(store.bool_to_bits(width, result))
}
