//! Shifts.

use super::super::{Node, Operator, Store, Term};
use super::operand;

pub(super) fn shift(store: &mut Store, operator: Operator, a: Term, b: Term) -> Term {
    let width = store.width(a);
    if store.constant(a) == Some(0) {
        return a;
    }
    match store.constant(b) {
        Some(0) => a,
        Some(by) if by >= u128::from(width) => shift_out(store, operator, a),
        Some(by) => shift_by(store, operator, a, by),
        None => operand::intern_binary(store, operator, a, b),
    }
}

/// A shift by the width or more.
fn shift_out(store: &mut Store, operator: Operator, a: Term) -> Term {
    let width = store.width(a);
    match operator {
        Operator::ShiftRightSigned => shift_by(store, operator, a, u128::from(width - 1)),
        _ => store.bits(width, 0),
    }
}

fn shift_by(store: &mut Store, operator: Operator, a: Term, by: u128) -> Term {
    let width = store.width(a);
    match store.node(a) {
        // At width one a signed shift by the width or more is no shift.
        _ if by == 0 => a,
        Node::Binary(inner, x, c) if inner == operator && store.constant(c).is_some() => {
            let sum = by + store.constant(c).expect("just seen");
            if sum >= u128::from(width) {
                shift_out(store, operator, x)
            } else {
                shift_by(store, operator, x, sum)
            }
        }
        Node::ZeroExtend(_, x) if operator == Operator::ShiftRight && by >= u128::from(store.width(x)) => {
            store.bits(width, 0)
        }
        Node::ZeroExtend(..) if operator == Operator::ShiftRightSigned => {
            let by = store.bits(width, by);
            store.binary(Operator::ShiftRight, a, by)
        }
        _ => {
            let by = store.bits(width, by);
            operand::intern_binary(store, operator, a, by)
        }
    }
}
