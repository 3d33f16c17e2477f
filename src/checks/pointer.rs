//! Accesses to objects that have ended, or through pointers to nothing, and writes to constants.

use super::bounds::{is_asked, outside};
use super::objects::{Known, Reach};
use super::{Answer, Check, Code, Cut, Event, Needs, Topic};
use crate::ground::fault::Fault;
use crate::ir::analysis::points_to::Origin;

/// Looks for accesses to what is no object any more, or never was.
pub struct Pointer;

const MAY_HAVE_ENDED: &str = "an access to objects that may have ended";

impl Check for Pointer {
    fn fault(&self) -> Fault {
        Fault::Pointer
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Access, Topic::Call, Topic::Life]
    }

    fn needs(&self) -> Needs {
        Needs { objects: true, lives: true, ..Needs::default() }
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        match *event {
            Event::Access { manner, .. } => {
                if manner.writes() {
                    let targets = code.targets();
                    write_to_constant(event, code, &targets);
                }
                access(event, code)
            }
            Event::Block { targets, written, .. } => {
                if written {
                    write_to_constant(event, code, targets);
                }
                access(event, code)
            }
            Event::NoFunction { other, address } => Answer::when(other, address),
            Event::NoObject | Event::UnsetPointer if code.asks(Fault::Pointer) => {
                Answer::Always("access to an object")
            }
            // Who checks for null has done so before: what is left are small numbers that are no addresses.
            Event::NoObject if code.asks(Fault::Null) => {
                Answer::Unseen("an access through an uninitialised pointer")
            }
            Event::NoObject | Event::UnsetPointer => Answer::Never,
            Event::NoRoutine => Answer::Unseen("a thread that runs what is no function"),
            Event::ReadsUnseen => Answer::Unseen(MAY_HAVE_ENDED),
            Event::OutsideCode if code.asks(Fault::Pointer) => {
                Answer::Unseen("what a function without a body does to memory")
            }
            Event::OutsideCode => Answer::Never,
            Event::Reallocated if code.threaded() => Answer::Unseen("whether others end what is reallocated"),
            Event::UnknownLife { kept: true, .. } if code.asks(Fault::Pointer) => {
                Answer::Unseen("a local variable that may end before its function does")
            }
            // Which objects live is kept account of; the access is what counts.
            Event::Free(_) | Event::Freed | Event::Reallocated => Answer::Never,
            Event::Begins(_) | Event::Ends(_) | Event::UnknownLife { .. } => Answer::Never,
            Event::CallThrough(_) => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}

fn write_to_constant<'m>(event: &Event<'_, 'm>, code: &mut dyn Code<'m>, targets: &[Origin]) {
    let Some(reach) = Reach::of(event, code) else { return };
    if let Some(wrong) = reach.writes_constant(code, targets) {
        let bits = reach.bits(code);
        code.decide(Fault::Pointer, Answer::at(wrong, reach.at, bits));
    }
}

/// An access to an object that has ended, or outside of all objects where that is a fault of pointers.
fn access<'m>(event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
    let Some(reach) = Reach::of(event, code) else { return Answer::Never };
    if reach.objects.missed {
        code.decide(Fault::Pointer, Answer::Unseen("local variables of an earlier activation or round"));
    }
    let asked = is_asked(code);
    match reach.known(code) {
        Known::Fine => return Answer::Never,
        Known::Within if !asked => return Answer::Unseen(MAY_HAVE_ENDED),
        Known::Within | Known::Open => {}
    }
    if !asked || reach.objects.unknown && !reach.objects.any_known() {
        return Answer::Unseen(MAY_HAVE_ENDED);
    }
    let outside = outside(&reach, code, Fault::Pointer);
    code.decide(Fault::Pointer, outside);
    let Some(reach) = Reach::of(event, code) else { return Answer::Never };
    let ended = reach.has_ended(code);
    if code.store().truth(ended) == Some(false) {
        return Answer::Never;
    }
    if code.threaded() {
        // Others may end the object: whether it lives is asked in the very state of the access.
        code.cut_here(Cut::Call);
    }
    let Some(reach) = Reach::of(event, code) else { return Answer::Never };
    let (ended, bits) = (reach.has_ended(code), reach.bits(code));
    Answer::at(ended, reach.at, bits)
}
