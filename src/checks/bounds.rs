//! Accesses outside of the object that the pointer points to.

use super::objects::{Known, Reach};
use super::{Answer, Check, Code, Event, Needs, Topic, Whole};
use crate::ground::fault::Fault;
use std::collections::BTreeSet;

/// Looks for accesses that leave their object.
pub struct Bounds;

const UNKNOWN_SIZE: &str = "an access to objects of unknown size";

impl Check for Bounds {
    fn fault(&self) -> Fault {
        Fault::Bounds
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Access, Topic::Call]
    }

    fn needs(&self) -> Needs {
        Needs { objects: true, ..Needs::default() }
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        match event {
            Event::Access { .. } | Event::Block { .. } => access(event, code),
            Event::ReadsUnseen => Answer::Unseen(UNKNOWN_SIZE),
            // To no object, or to what is no part of the program.
            Event::NoObject | Event::UnsetPointer | Event::OutsideCode => Answer::Never,
            Event::CallThrough(_) | Event::NoFunction { .. } | Event::NoRoutine => Answer::Never,
            _ => Answer::Unanswered,
        }
    }
}

fn access<'m>(event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
    let Some(reach) = Reach::of(event, code) else { return Answer::Never };
    if reach.known(code) != Known::Open {
        return Answer::Never;
    }
    if !is_asked(code) || reach.objects.unknown && !reach.objects.any_known() {
        return Answer::Unseen(UNKNOWN_SIZE);
    }
    outside(&reach, code, Fault::Bounds)
}

/// Whether it is a fault that was asked for when an access leaves its object.
#[must_use]
pub fn are_asked(checks: &BTreeSet<Fault>) -> bool {
    checks.contains(&Fault::Bounds) || checks.contains(&Fault::Pointer)
}

/// Whether anybody asks where accesses go.
pub fn is_asked(whole: &dyn Whole) -> bool {
    whole.asks(Fault::Bounds) || whole.asks(Fault::Pointer)
}

/// An access outside of all objects, if that is this fault.
pub(super) fn outside(reach: &Reach, code: &mut dyn Code<'_>, fault: Fault) -> Answer {
    if reach.fault_outside(code) != fault {
        return Answer::Never;
    }
    let outside = reach.is_outside(code);
    if reach.objects.unknown {
        // Outside of all known objects may be one that is not known.
        code.no_verdict_beside(outside, "an access to objects that are not known");
        return Answer::Never;
    }
    let bits = reach.bits(code);
    Answer::at(outside, reach.at, bits)
}
