//! Products, quotients, remainders.
//!
//! A product of a sum and a constant is a sum of products, so that constants in it move outwards as in other sums.

use super::super::arithmetic::{from_signed, mask};
use super::super::{Node, Operator, Signedness, Store, Term};
use super::operand;

pub(super) fn multiply(store: &mut Store, a: Term, b: Term) -> Term {
    let (a, b) = operand::ordered(store, a, b);
    match store.constant(b) {
        Some(c) => multiply_by_constant(store, a, b, c),
        None => operand::intern_binary(store, Operator::Multiply, a, b),
    }
}

fn multiply_by_constant(store: &mut Store, a: Term, b: Term, c: u128) -> Term {
    let width = store.width(a);
    match c {
        0 => return b,
        1 => return a,
        _ if c == mask(width) => return store.negate(a),
        _ => {}
    }
    match store.node(a) {
        Node::Binary(Operator::Multiply, x, d) if store.constant(d).is_some() => {
            let product = store.binary(Operator::Multiply, d, b);
            store.binary(Operator::Multiply, x, product)
        }
        // As in the address of `a[i + 1]`.
        Node::Binary(Operator::Add, x, d) if store.constant(d).is_some() => {
            let (left, right) =
                (store.binary(Operator::Multiply, x, b), store.binary(Operator::Multiply, d, b));
            store.binary(Operator::Add, left, right)
        }
        _ => operand::intern_binary(store, Operator::Multiply, a, b),
    }
}

pub(super) fn divide(store: &mut Store, operator: Operator, a: Term, b: Term) -> Term {
    let width = store.width(a);
    match store.constant(b) {
        Some(1) => a,
        Some(0) => divide_by_zero(store, operator, a),
        Some(c) if operator == Operator::SignedDivide && c == mask(width) => store.negate(a),
        _ => operand::intern_binary(store, operator, a, b),
    }
}

fn divide_by_zero(store: &mut Store, operator: Operator, a: Term) -> Term {
    let width = store.width(a);
    if operator == Operator::UnsignedDivide {
        return store.bits(width, u128::MAX);
    }
    let zero = store.bits(width, 0);
    let negative = store.less(Signedness::Signed, a, zero);
    operand::choose_bits(store, width, negative, 1, from_signed(width, -1))
}

pub(super) fn remainder(store: &mut Store, operator: Operator, a: Term, b: Term) -> Term {
    let width = store.width(a);
    let minus_one = operator == Operator::SignedRemainder && store.constant(b) == Some(mask(width));
    if a == b || minus_one || store.constant(b) == Some(1) || store.constant(a) == Some(0) {
        return store.bits(width, 0);
    }
    match store.constant(b) {
        Some(0) => a,
        Some(c) if operator == Operator::UnsignedRemainder && operand::upper_bound(store, a) < c => a,
        _ => operand::intern_binary(store, operator, a, b),
    }
}
