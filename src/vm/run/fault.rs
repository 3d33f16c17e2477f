//! Faults: what C leaves undefined, noticed where it happens.

use super::{Run, Step};
use crate::ir::undefined::{Fault, Meaning};
use crate::vm::memory::Lifetime;
use crate::vm::outcome::{End, Event, FaultReport};
use crate::vm::value::{ObjectId, Slot};
use crate::vm::{names, trace};

/// So many faults are noted; more of them help nobody.
const NOTED: usize = 1000;

impl Run<'_> {
    /// A fault has happened. If the run may go on, it does.
    ///
    /// # Errors
    /// If the fault is checked, or has no sensible continuation.
    pub(in crate::vm) fn fault(&mut self, fault: Fault, text: impl FnOnce(&Self) -> String) -> Step {
        let checked = self.settings.checks.contains(&fault);
        if !checked && fault.without_check() != Meaning::EndsTheRun {
            self.note(fault, text);
            return Ok(());
        }
        let (location, others) = (self.location(), Vec::new());
        let report = FaultReport { fault, text: text(self), location, others };
        Err(Box::new(if checked { End::Fault(report) } else { End::Stopped(report) }))
    }

    /// Notes a fault, each place once.
    fn note(&mut self, fault: Fault, text: impl FnOnce(&Self) -> String) {
        let Some(frame) = self.thread.frames.last() else { return };
        if self.noted.len() < NOTED && self.noted_places.insert((fault, frame.function, self.place())) {
            let (location, others) = (self.location(), Vec::new());
            let report = FaultReport { fault, text: text(self), location, others };
            self.noted.push(report.clone());
            if self.tracing {
                trace::record(self, Event::Fault(report));
            }
        }
    }

    /// A branch depends on this value.
    pub(in crate::vm) fn branch_on(&mut self, value: Slot) -> Step {
        if value.undefined == 0 {
            return Ok(());
        }
        self.fault(Fault::Uninitialised, |_| "a branch depends on an uninitialised value".into())
    }

    /// The environment gets this value.
    pub(in crate::vm) fn give_away(&mut self, value: Slot) -> Step {
        if value.undefined == 0 {
            return Ok(());
        }
        self.fault(Fault::Uninitialised, |_| "an uninitialised value is passed on to the environment".into())
    }

    /// The direction of a branch whose condition is not plain.
    pub(in crate::vm) fn decide(&mut self, condition: Slot) -> Step<bool> {
        let condition = self.number(condition, 1)?;
        self.branch_on(condition)?;
        Ok(condition.bits & 1 != 0)
    }

    /// Why an object cannot be accessed.
    pub(in crate::vm) fn ended_text(&self, id: ObjectId) -> String {
        let name = names::of_object(self, id);
        match self.memory[id].lifetime {
            Lifetime::Freed(Some(place)) => {
                format!("`{name}` was freed at {}:{}", self.module.files[place.file], place.line)
            }
            Lifetime::Freed(None) => format!("`{name}` was freed"),
            _ => format!("`{name}` has ended with its function"),
        }
    }
}
