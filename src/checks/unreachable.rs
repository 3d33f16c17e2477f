//! Control gets where the program says it never does: `__builtin_unreachable`, or the return of a function that does not
//! return.

use super::{Answer, Check, Code, Event, Topic};
use crate::ground::fault::Fault;

/// Looks for places that are reached though the program says they are not.
pub struct Unreachable;

impl Check for Unreachable {
    fn fault(&self) -> Fault {
        Fault::Unreachable
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Flow]
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        match event {
            Event::NeverReached if code.asks(Fault::Unreachable) => {
                Answer::Always(Fault::Unreachable.claim())
            }
            // C leaves open what happens then, and so does the model, whoever asks.
            Event::NeverReached => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}
