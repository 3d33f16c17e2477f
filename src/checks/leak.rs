//! Memory that nobody has freed when the program ends.

use super::{Answer, Check, Code, Event, Needs, Topic, Whole};
use crate::ground::fault::Fault;
use crate::term::Term;

/// Looks for memory that is still allocated at the end.
pub struct Leak;

/// What the property at the end of the program claims.
pub const AT_THE_END: &str = "all memory is freed at the end";

impl Check for Leak {
    fn fault(&self) -> Fault {
        Fault::Leak
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Call, Topic::End]
    }

    fn needs(&self) -> Needs {
        Needs { objects: true, ..Needs::default() }
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        if !code.asks(Fault::Leak) {
            return Answer::Never;
        }
        match event {
            Event::Exit => {
                let Some(tracking) = code.tracking() else { return Answer::Unanswered };
                let mut left = code.store().boolean(false);
                for symbol in code.what_lives() {
                    let value = code.read(symbol);
                    let some = code.is_something(value);
                    left = code.store().or(left, some);
                }
                Answer::when(left, code.read(tracking.count))
            }
            Event::FirstThreadEnds => Answer::Unmodelled("leaks after pthread_exit in the first thread"),
            Event::OutsideCode => Answer::Unseen("what a function without a body does to memory"),
            Event::ReadsUnseen => Answer::Never,
            Event::CallThrough(_) | Event::NoFunction { .. } | Event::NoRoutine => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}

/// Whether something of the heap lives when `main` has returned, if anybody asks.
pub fn left_at_return(whole: &mut dyn Whole) -> Option<Term> {
    if !whole.asks(Fault::Leak) {
        return None;
    }
    let mut some = whole.store().boolean(false);
    for symbol in whole.what_lives() {
        let store = whole.store();
        let value = store.symbol(symbol);
        let zero = store.bits(store.width(value), 0);
        let none = store.equal(value, zero);
        let lives = store.not(none);
        some = store.or(some, lives);
    }
    Some(some)
}
