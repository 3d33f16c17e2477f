//! The rules by which terms are simplified as they are built, by operator.
//!
//! A rule looks at the operands and a bounded number of levels below, and either answers with a term or leaves the node
//! as it is. Rules terminate because each builds terms that are smaller, narrower or earlier in the order of forms; where
//! a rule could follow a chain, it counts its steps. The forms that result:
//! - constants are folded, and stand on the right of commutative operators, of sums and of comparisons;
//! - other operands of commutative operators are in the order of their ids;
//! - a constant is subtracted by adding its negation, and is the last summand;
//! - a comparison with a constant is `x < c` or its negation, of the narrowest bit vector;
//! - truth values as bits are `choose c 1 0`, or the extension of a single bit.

pub(super) mod array;
mod bitwise;
pub(super) mod boolean;
pub(super) mod choose;
pub(super) mod compare;
pub(super) mod float;
mod implication;
mod operand;
mod product;
mod shift;
pub(super) mod slice;
mod sum;

use super::arithmetic::apply;
use super::{Operator, Store, Term};

/// How many links of a chain a rule follows.
const STEPS: usize = 16;

/// A binary operator, by the rules of its kind.
pub(super) fn binary(store: &mut Store, operator: Operator, a: Term, b: Term) -> Term {
    use Operator as O;
    if let Some(term) = fold_binary(store, operator, a, b) {
        return term;
    }
    match operator {
        O::Add => sum::add(store, a, b),
        O::Subtract => sum::subtract(store, a, b),
        O::Multiply => product::multiply(store, a, b),
        O::UnsignedDivide | O::SignedDivide => product::divide(store, operator, a, b),
        O::UnsignedRemainder | O::SignedRemainder => product::remainder(store, operator, a, b),
        O::ShiftLeft | O::ShiftRight | O::ShiftRightSigned => shift::shift(store, operator, a, b),
        O::And | O::Or | O::Xor => bitwise::bitwise(store, operator, a, b),
    }
}

/// The operator on constants, or on a choice between constants and a constant.
fn fold_binary(store: &mut Store, operator: Operator, a: Term, b: Term) -> Option<Term> {
    let width = store.width(a);
    match (store.constant(a), store.constant(b)) {
        (Some(a), Some(b)) => Some(store.bits(width, apply(operator, width, a, b))),
        (None, Some(b)) => {
            let (condition, yes, no) = operand::constant_arms(store, a)?;
            let (yes, no) = (apply(operator, width, yes, b), apply(operator, width, no, b));
            Some(operand::choose_bits(store, width, condition, yes, no))
        }
        (Some(a), None) => {
            let (condition, yes, no) = operand::constant_arms(store, b)?;
            let (yes, no) = (apply(operator, width, a, yes), apply(operator, width, a, no));
            Some(operand::choose_bits(store, width, condition, yes, no))
        }
        (None, None) => None,
    }
}
