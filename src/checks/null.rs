//! Accesses through null pointers, and calls.

use super::{Answer, Check, Code, Condition, Event, Topic, Unasked};
use crate::ground::fault::Fault;
use crate::term::{Node, Term};

/// Addresses below this belong to no object.
pub const NULL_PAGE: u128 = 4096;

/// Looks for accesses through null pointers.
pub struct Null;

impl Check for Null {
    fn fault(&self) -> Fault {
        Fault::Null
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Access, Topic::Call]
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        match *event {
            Event::Access { address, .. } => {
                let at = code.term(address);
                let (null, base) = null_access(code, at);
                Answer::If(Condition { holds: null, subject: base, accessed: None, unasked: Unasked::Open })
            }
            Event::Block { at, bytes, .. } => {
                let (at, bytes) = (code.read(at), code.read(bytes));
                let (null, something) = (in_first_page(code, at), code.is_something(bytes));
                let holds = code.store().and(null, something);
                Answer::If(Condition { holds, subject: at, accessed: None, unasked: Unasked::Open })
            }
            Event::CallThrough(address) => {
                let null = code.address(0);
                Answer::when(code.store().equal(address, null), address)
            }
            Event::ReadsUnseen => Answer::Unseen("what a library function reads"),
            // Whoever asks has been answered at the access.
            Event::NoObject if code.asks(Fault::Null) => Answer::Never,
            Event::NoObject => Answer::Unseen("an access through an uninitialised pointer"),
            Event::UnsetPointer if code.asks(Fault::Null) => Answer::Never,
            Event::UnsetPointer => Answer::Unseen("an access through an uninitialised pointer"),
            Event::NoFunction { .. } | Event::NoRoutine | Event::OutsideCode => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}

/// Whether an access is through null, and the pointer that the program has. A member of an object at null is not at null
/// itself: what counts is the pointer. Where the program computes an address with an index, the whole first page counts.
pub fn null_access(code: &mut dyn Code<'_>, at: Term) -> (Term, Term) {
    let (base, offset) = code.store().offset(at);
    let plain = matches!(code.store().node(base), Node::Symbol(_) | Node::Select(..));
    // A large offset is the address of an object, and what it is added to an index.
    if plain && offset < NULL_PAGE {
        let zero = code.address(0);
        return (code.store().equal(base, zero), base);
    }
    (in_first_page(code, at), base)
}

fn in_first_page(code: &mut dyn Code<'_>, at: Term) -> Term {
    let page = code.address(NULL_PAGE);
    code.store().unsigned_less(at, page)
}
