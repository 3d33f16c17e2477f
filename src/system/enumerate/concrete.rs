//! From the states of the net back to states of the program: the values of dead slots.
//!
//! A place tells the values of live slots only. Going forward from a start, every dead slot has a value: what it
//! was, or what was written to it. Which of several values was written makes no difference, as long as a
//! constraint of the step does not object.

use super::broadcast::Broadcast;
use super::evaluate::{Sight, values};
use super::{Enumeration, Local, Move};
use crate::boolean::expression::Values;
use crate::boolean::interpret::Product;
use crate::ground::bits::Bits;
use crate::system::template::{Cell, Start, Write};

/// The slots of the executing thread and of the thread it started, after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slots {
    /// Of the executing thread.
    pub own: Bits,
    /// Of the started thread.
    pub started: Option<Bits>,
}

impl Enumeration {
    /// The slots that a thread may have after a step, dead ones included; its slots before are given. Some of them
    /// a constraint may forbid.
    pub fn slots_after<'a>(
        &'a self,
        shared: &Bits,
        before: &'a Local,
        step: &'a Move,
    ) -> impl Iterator<Item = Slots> + 'a {
        let taken = &self.template.locations[before.location].steps[step.step];
        let now = Sight::new(shared, &before.slots);
        let started = taken.starts.as_ref().zip(step.started.as_ref());
        let started = started.map(|(start, local)| self.started_slots(start, local, now));
        let written: Vec<(usize, Values)> = taken
            .writes
            .iter()
            .filter_map(|write| match write.cell {
                Cell::Slot(slot) => Some((slot, self.possible(write, slot, step, now))),
                Cell::Shared(_) | Cell::Passive(_) => None,
            })
            .collect();
        Product::new(written.iter().map(|(_, set)| *set).collect()).map(move |choice| {
            let mut own = before.slots.clone();
            written.iter().zip(choice).for_each(|(&(slot, _), value)| own.set(slot, value));
            Slots { own, started: started.clone() }
        })
    }

    /// The values a slot may have been given, knowing its place afterwards.
    fn possible(&self, write: &Write, slot: usize, step: &Move, now: Sight<'_>) -> Values {
        let place = step.thread.as_ref();
        let live = |local: &&Local| self.template.locations[local.location].live.binary_search(&slot).is_ok();
        match place.filter(live) {
            Some(local) => Values::only(local.slots.get(slot)),
            None => write.value.as_ref().map_or(Values::BOTH, |value| values(value, now)),
        }
    }

    fn started_slots(&self, start: &Start, local: &Local, now: Sight<'_>) -> Bits {
        let live = &self.template.locations[start.location].live;
        let mut slots = local.slots.clone();
        for (slot, value) in start.slots.iter().enumerate() {
            if live.binary_search(&slot).is_err() {
                let values = value.as_ref().map_or(Values::BOTH, |value| values(value, now));
                slots.set(slot, !values.can_be_false);
            }
        }
        slots
    }

    /// The slots of a thread after a step with passive copies that it has executed.
    #[must_use]
    pub fn slots_after_broadcast(&self, before: &Local, broadcast: &Broadcast) -> Bits {
        let taken = &self.template.locations[before.location].steps[broadcast.step];
        let mut own = before.slots.clone();
        for write in &taken.writes {
            if let Cell::Slot(slot) = write.cell {
                own.set(slot, broadcast.slots.get(slot));
            }
        }
        own
    }

    /// The slots of a thread that has become this local state as a passive copy.
    #[must_use]
    pub fn slots_as_copy(&self, before: &Bits, after: &Local) -> Bits {
        let mut slots = before.clone();
        for &slot in &self.template.locations[after.location].live {
            slots.set(slot, after.slots.get(slot));
        }
        slots
    }
}
