//! Sums and differences.
//!
//! A constant summand moves outwards, so that `x + 3` and `x + 5` are seen to share `x`: addresses and counters depend on
//! it. Sums of more than one variable part are not ordered as a whole, which would cost more than constant time.

use super::super::arithmetic::mask;
use super::super::{Node, Operator, Store, Term};
use super::operand;

pub(super) fn add(store: &mut Store, a: Term, b: Term) -> Term {
    let (a, b) = operand::ordered(store, a, b);
    if let Some(c) = store.constant(b) {
        return add_to_constant(store, a, c);
    }
    let ((x, c), (y, d)) = (store.offset(a), store.offset(b));
    if c != 0 || d != 0 {
        let sum = store.binary(Operator::Add, x, y);
        return store.add_constant(sum, c.wrapping_add(d));
    }
    cancel_in_sum(store, a, b)
        .or_else(|| cancel_in_sum(store, b, a))
        .unwrap_or_else(|| operand::intern_binary(store, Operator::Add, a, b))
}

/// `a + c`, where `a` is no constant.
fn add_to_constant(store: &mut Store, a: Term, c: u128) -> Term {
    let width = store.width(a);
    let (x, d) = store.offset(a);
    let sum = c.wrapping_add(d) & mask(width);
    if sum == 0 {
        return x;
    }
    if let Node::Binary(Operator::Subtract, e, y) = store.node(x)
        && let Some(e) = store.constant(e)
    {
        let e = store.bits(width, e.wrapping_add(sum));
        return store.binary(Operator::Subtract, e, y);
    }
    let sum = store.bits(width, sum);
    operand::intern_binary(store, Operator::Add, x, sum)
}

/// `a + b` where `b` is a difference: `a + (y - a)`, `a + (c - y)`, `a + (0 - y)`.
fn cancel_in_sum(store: &mut Store, a: Term, b: Term) -> Option<Term> {
    let Node::Binary(Operator::Subtract, x, y) = store.node(b) else { return None };
    if y == a {
        return Some(x);
    }
    let c = store.constant(x)?;
    let difference = store.binary(Operator::Subtract, a, y);
    Some(store.add_constant(difference, c))
}

pub(super) fn subtract(store: &mut Store, a: Term, b: Term) -> Term {
    let width = store.width(a);
    if a == b {
        return store.bits(width, 0);
    }
    if let Some(c) = store.constant(b) {
        return store.add_constant(a, c.wrapping_neg());
    }
    let ((x, c), (y, d)) = (store.offset(a), store.offset(b));
    if c != 0 || d != 0 {
        let difference = store.binary(Operator::Subtract, x, y);
        return store.add_constant(difference, c.wrapping_sub(d));
    }
    cancel_in_difference(store, a, b)
        .unwrap_or_else(|| operand::intern_binary(store, Operator::Subtract, a, b))
}

fn cancel_in_difference(store: &mut Store, a: Term, b: Term) -> Option<Term> {
    match store.node(a) {
        Node::Binary(Operator::Add, x, y) if y == b => return Some(x),
        Node::Binary(Operator::Add, x, y) if x == b => return Some(y),
        Node::Binary(Operator::Subtract, x, y) if x == b => return Some(store.negate(y)),
        _ => {}
    }
    match store.node(b) {
        Node::Binary(Operator::Add, x, y) if x == a => Some(store.negate(y)),
        Node::Binary(Operator::Add, x, y) if y == a => Some(store.negate(x)),
        Node::Binary(Operator::Subtract, x, y) if x == a => Some(y),
        // a - (c - y) is (a + y) - c.
        Node::Binary(Operator::Subtract, c, y) => {
            let c = store.constant(c)?;
            let sum = store.binary(Operator::Add, a, y);
            Some(store.add_constant(sum, c.wrapping_neg()))
        }
        _ => None,
    }
}
