//! Uses of values that depend on something uninitialised: branches, addresses, lengths, and what the environment gets.

use super::{Answer, Check, Code, Event, Needs, Topic, Whole};
use crate::ground::fault::Fault;
use crate::ir::analysis::points_to::Origin;

/// Looks for uses of uninitialised values.
pub struct Uninitialised;

impl Check for Uninitialised {
    fn fault(&self) -> Fault {
        Fault::Uninitialised
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Use, Topic::Call, Topic::Life]
    }

    fn needs(&self) -> Needs {
        Needs { shadows: true, ..Needs::default() }
    }

    /// Nobody knows what uninitialised pointers point to.
    fn unasked(&self, whole: &mut dyn Whole) {
        let is_unset = |origin: &Origin| matches!(origin, Origin::Unset(_));
        if whole.points().regions().iter().any(|region| region.origins.iter().any(is_unset)) {
            whole.uncovered(Fault::Uninitialised, None, "accesses through uninitialised pointers");
        }
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        if !code.asks(Fault::Uninitialised) {
            return Answer::Never;
        }
        match *event {
            Event::Use(operand) => {
                let Some(shadow) = code.undefined_bits(operand) else { return Answer::Never };
                Answer::when(code.is_something(shadow), code.term(operand))
            }
            Event::UseUnlessEmpty { address, bytes } => {
                let Some(shadow) = code.undefined_bits(address) else { return Answer::Never };
                let undefined = code.is_something(shadow);
                let length = code.term(bytes);
                let something = code.is_something(length);
                let wrong = code.store().and(undefined, something);
                Answer::when(wrong, code.term(address))
            }
            Event::Compared { open, found } => Answer::when(open, found),
            Event::ReadsUnseen => Answer::Unseen("what a library function reads"),
            Event::OutsideCode => Answer::Unseen("what a function without a body does to memory"),
            Event::UnknownLife { again: true, .. } => {
                Answer::Unseen("a local variable that may begin again in a loop")
            }
            // Which bits are undefined is kept account of; the use is what counts.
            Event::Free(_) | Event::Freed | Event::Reallocated => Answer::Never,
            Event::Begins(_) | Event::Ends(_) | Event::UnknownLife { .. } => Answer::Never,
            Event::CallThrough(_) | Event::NoFunction { .. } | Event::NoRoutine => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}
