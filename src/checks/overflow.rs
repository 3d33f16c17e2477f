//! Signed results that do not fit.

use super::division::{is_an_overflow, least_by_minus_one};
use super::{Answer, Check, Code, Event, Topic};
use crate::ground::fault::Fault;
use crate::ir::{BinaryOperator as B, Wrap};
use crate::term::overflow::Signed;
use crate::term::{Operator, Term};

/// Looks for signed overflow.
pub struct Overflow;

impl Check for Overflow {
    fn fault(&self) -> Fault {
        Fault::Overflow
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Arithmetic]
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        // Where nobody asks, results wrap around: nothing is to be said.
        if !code.asks(Fault::Overflow) {
            return Answer::Never;
        }
        match *event {
            Event::Arithmetic { operator: B::SignedDivide | B::SignedRemainder, operands, .. } => {
                if !is_an_overflow(code) {
                    return Answer::Never;
                }
                let [left, right] = code.numbers(operands);
                let least = least_by_minus_one(code, left, right);
                Answer::when(least, code.store().binary(Operator::SignedDivide, left, right))
            }
            Event::Arithmetic { operator: B::ShiftLeft, operands, wrap } => {
                let [value, by] = code.numbers(operands);
                shifted(code, value, by, wrap)
            }
            Event::Arithmetic {
                operator: operator @ (B::Add | B::Subtract | B::Multiply),
                operands,
                wrap,
            } if wrap.signed => {
                let [left, right] = code.numbers(operands);
                let overflows = code.store().overflows(operator.into(), left, right, Signed::Yes);
                Answer::when(overflows, code.store().binary(operator.into(), left, right))
            }
            Event::Absolute(operand) => {
                let value = code.term(operand);
                let width = code.store().width(value);
                let least = code.store().bits(width, 1 << (width - 1));
                Answer::when(code.store().equal(value, least), value)
            }
            Event::SignedOnAddress => Answer::Unseen("arithmetic on the number of an address"),
            // Unsigned, or without a result that could be too large.
            Event::Arithmetic { .. } => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}

/// What is shifted to the left fits: a shift of a signed integer of C as C11 6.5.7 has it, `nsw` as LLVM has it. A shift
/// by too much is another matter.
fn shifted(code: &mut dyn Code<'_>, value: Term, by: Term, wrap: Wrap) -> Answer {
    let store = code.store();
    let wide = store.shifts_too_far(by);
    let width = store.width(value);
    let result = store.binary(Operator::ShiftLeft, value, by);
    let back = store.binary(Operator::ShiftRightSigned, result, by);
    let kept = store.equal(back, value);
    let zero = store.bits(width, 0);
    let negative = store.signed_less(value, zero);
    let lost = store.not(kept);
    let narrow = store.not(wide);
    let unfit = match (wrap.base, wrap.signed) {
        (true, _) => store.or(negative, lost),
        (false, true) => lost,
        (false, false) => return Answer::Never,
    };
    Answer::when(store.and(narrow, unfit), result)
}
