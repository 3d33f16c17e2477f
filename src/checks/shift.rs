//! A shift by a negative number, or by the width or more.

use super::{Answer, Check, Code, Event, Topic};
use crate::ground::fault::Fault;
use crate::ir::BinaryOperator as B;
use std::collections::BTreeSet;

/// Looks for shifts by too much.
pub struct Shift;

impl Check for Shift {
    fn fault(&self) -> Fault {
        Fault::Shift
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Arithmetic]
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        match event {
            Event::Arithmetic {
                operator: B::ShiftLeft | B::ShiftRight | B::ShiftRightSigned,
                operands,
                ..
            } => {
                let [_, by] = code.numbers(*operands);
                Answer::when(code.store().shifts_too_far(by), by)
            }
            Event::Arithmetic { .. } | Event::Absolute(_) | Event::SignedOnAddress => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}

/// Whether no shift is by too much where the run goes on: then it needs no arbitrary result.
#[must_use]
pub fn excluded(asked: &BTreeSet<Fault>) -> bool {
    asked.contains(&Fault::Shift)
}
