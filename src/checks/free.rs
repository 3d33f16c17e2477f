//! `free` of what was freed before, or never allocated.

use super::{Answer, Check, Code, Cut, Event, Needs, Topic};
use crate::ground::fault::Fault;

/// Looks for frees of what is no object of the heap.
pub struct Free;

impl Check for Free {
    fn fault(&self) -> Fault {
        Fault::Free
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Call, Topic::Life]
    }

    fn needs(&self) -> Needs {
        Needs { objects: true, ..Needs::default() }
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        match *event {
            Event::Free(address) => {
                if code.tracking().is_none() {
                    return Answer::Unseen("what is freed here");
                }
                if code.threaded() {
                    // It must live in the very state in which it is freed.
                    code.cut_here(Cut::Call);
                }
                let address = code.read(address);
                let Some(lives) = code.heap_lives(address) else { return Answer::Unanswered };
                let dead = code.store().not(lives);
                let some = code.is_something(address);
                Answer::when(code.store().and(some, dead), address)
            }
            Event::Reallocated if code.threaded() => Answer::Unseen("whether others end what is reallocated"),
            Event::OutsideCode if code.asks(Fault::Free) => {
                Answer::Unseen("what a function without a body does to memory")
            }
            // Nothing is freed here.
            Event::Freed | Event::Reallocated | Event::OutsideCode | Event::ReadsUnseen => Answer::Never,
            Event::Begins(_) | Event::Ends(_) | Event::UnknownLife { .. } => Answer::Never,
            Event::CallThrough(_) | Event::NoFunction { .. } | Event::NoRoutine => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}
