//! Division by zero, and of the least integer by −1.

use super::{Answer, Check, Code, Event, Topic};
use crate::ground::fault::Fault;
use crate::ir::BinaryOperator as B;
use crate::ir::Operand;
use crate::term::Term;

/// Looks for divisions that have no result.
pub struct Division;

impl Check for Division {
    fn fault(&self) -> Fault {
        Fault::Division
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Arithmetic]
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        match event {
            Event::Arithmetic { operator: B::UnsignedDivide | B::UnsignedRemainder, operands, .. } => {
                let [_, divisor] = code.numbers(*operands);
                Answer::when(is_zero(code, divisor), divisor)
            }
            Event::Arithmetic { operator: B::SignedDivide | B::SignedRemainder, operands, .. } => {
                let [left, divisor] = code.numbers(*operands);
                let zero = is_zero(code, divisor);
                if is_an_overflow(code) {
                    return Answer::when(zero, divisor);
                }
                let least = least_by_minus_one(code, left, divisor);
                let never = code.store().truth(least) == Some(false);
                if never {
                    return Answer::when(zero, divisor);
                }
                both(code, *operands, zero, divisor)
            }
            // No other operation divides.
            Event::Arithmetic { .. } | Event::Absolute(_) | Event::SignedOnAddress => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}

/// Two properties: the second condition is asked where the first does not hold.
fn both<'m>(code: &mut dyn Code<'m>, operands: [&'m Operand; 2], zero: Term, divisor: Term) -> Answer {
    code.decide(Fault::Division, Answer::when(zero, divisor));
    let [left, right] = code.numbers(operands);
    let least = least_by_minus_one(code, left, right);
    let quotient = code.store().binary(crate::term::Operator::SignedDivide, left, right);
    Answer::when(least, quotient)
}

/// Whether the least integer divided by −1 is a fault of overflow: if that alone is asked for.
pub(super) fn is_an_overflow(code: &mut dyn Code<'_>) -> bool {
    code.asks(Fault::Overflow) && !code.asks(Fault::Division)
}

fn is_zero(code: &mut dyn Code<'_>, number: Term) -> Term {
    let width = code.store().width(number);
    let zero = code.store().bits(width, 0);
    code.store().equal(number, zero)
}

/// Whether the least integer is divided by −1.
pub(super) fn least_by_minus_one(code: &mut dyn Code<'_>, left: Term, right: Term) -> Term {
    let width = code.store().width(left);
    let store = code.store();
    let (least, minus_one) = (store.bits(width, 1 << (width - 1)), store.bits(width, u128::MAX));
    let (a, b) = (store.equal(left, least), store.equal(right, minus_one));
    store.and(a, b)
}
