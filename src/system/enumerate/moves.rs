//! The steps of one thread by itself: all choices tried out, except those that make no difference.
//!
//! What is written to a slot that is dead afterwards is chosen only if a constraint looks at it.

use super::evaluate::{Sight, allows, values};
use super::{Local, Spawning};
use crate::boolean::cfg::Time;
use crate::boolean::expression::Values;
use crate::boolean::interpret::Product;
use crate::ground::bits::Bits;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::template::{Cell, LocationId, Place, Start, Step, Template, Write};
use indexmap::IndexSet;

/// A step of a thread that no other thread takes part in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Which of the steps of the location.
    pub step: usize,
    /// The shared variables afterwards.
    pub shared: Bits,
    /// The thread afterwards, if it has not ended.
    pub thread: Option<Local>,
    /// The thread that was started.
    pub started: Option<Local>,
}

/// The slots with those that are dead at a location set to false.
pub(super) fn masked(template: &Template, location: LocationId, slots: &Bits) -> Bits {
    let mut kept = Bits::new(slots.len());
    for &slot in &template.locations[location].live {
        kept.set(slot, slots.get(slot));
    }
    kept
}

/// Whether a thread can do anything as far as what its procedure enforces is concerned.
pub(super) fn exists(template: &Template, shared: &Bits, local: &Local) -> bool {
    let now = Sight::new(shared, &local.slots);
    allows(template.locations[local.location].enforce.as_ref(), now, now)
}

/// Where one thread can step, other threads not taking part.
pub(super) fn moves(
    template: &Template,
    spawning: Spawning,
    shared: &Bits,
    local: &Local,
    limits: &Limits,
) -> Result<IndexSet<Move>, Stop> {
    let mut found = IndexSet::new();
    if !exists(template, shared, local) {
        return Ok(found);
    }
    let now = Sight::new(shared, &local.slots);
    for (number, step) in template.locations[local.location].steps.iter().enumerate() {
        if step.audience.is_none() && allows(step.assume.as_ref(), now, now) {
            let stepping = Stepping { template, spawning, limits, now, number, step };
            stepping.collect(&mut found)?;
        }
    }
    Ok(found)
}

struct Stepping<'a> {
    template: &'a Template,
    spawning: Spawning,
    limits: &'a Limits,
    now: Sight<'a>,
    number: usize,
    step: &'a Step,
}

impl Stepping<'_> {
    fn collect(&self, found: &mut IndexSet<Move>) -> Result<(), Stop> {
        let writes: Vec<&Write> = self.step.writes.iter().filter(|write| self.matters(write)).collect();
        let started = self.started()?;
        for choice in Product::new(writes.iter().map(|write| self.choices(write)).collect()) {
            self.limits.check()?;
            let (mut shared, mut slots) = (self.now.shared.clone(), self.now.slots.clone());
            for (write, value) in writes.iter().zip(choice) {
                fill(&mut shared, &mut slots, write.cell, value);
            }
            if !allows(self.step.constrain.as_ref(), self.now, Sight::new(&shared, &slots)) {
                continue;
            }
            let thread = self
                .step
                .target
                .map(|location| Local { location, slots: masked(self.template, location, &slots) });
            for started in started.iter().cloned() {
                let (shared, thread) = (shared.clone(), thread.clone());
                found.insert(Move { step: self.number, shared, thread, started });
            }
        }
        Ok(())
    }

    fn choices(&self, write: &Write) -> Values {
        write.value.as_ref().map_or(Values::BOTH, |value| values(value, self.now))
    }

    /// Whether what is written is seen by anyone: later, or by the constraint.
    fn matters(&self, write: &Write) -> bool {
        let Cell::Slot(slot) = write.cell else { return true };
        let live = |location: LocationId| self.template.locations[location].live.binary_search(&slot).is_ok();
        let next = Place { cell: write.cell, time: Time::Next };
        let constrained = |constrain: &super::Expression| constrain.variables().any(|place| *place == next);
        self.step.target.is_some_and(live) || self.step.constrain.as_ref().is_some_and(constrained)
    }

    /// The threads that the step may start; `None`: none.
    fn started(&self) -> Result<Vec<Option<Local>>, Stop> {
        let Some(start) = &self.step.starts else { return Ok(vec![None]) };
        let mut found: Vec<Option<Local>> = match self.spawning {
            Spawning::Always => Vec::new(),
            Spawning::MayFail => vec![None],
        };
        let live = &self.template.locations[start.location].live;
        let sets = live.iter().map(|&slot| self.first_values(start, slot)).collect();
        for choice in Product::new(sets) {
            self.limits.check()?;
            let mut slots = Bits::new(self.template.slots);
            live.iter().zip(choice).for_each(|(&slot, value)| slots.set(slot, value));
            found.push(Some(Local { location: start.location, slots }));
        }
        Ok(found)
    }

    /// The values of a slot of the thread that is started.
    fn first_values(&self, start: &Start, slot: usize) -> Values {
        let value = start.slots.get(slot).and_then(Option::as_ref);
        value.map_or(Values::BOTH, |value| values(value, self.now))
    }
}

/// Writes a cell of the thread itself or a shared one.
pub(super) fn fill(shared: &mut Bits, slots: &mut Bits, cell: Cell, value: bool) {
    match cell {
        Cell::Shared(position) => shared.set(position, value),
        Cell::Slot(slot) => slots.set(slot, value),
        Cell::Passive(_) => unreachable!("the copy is written for each copy"),
    }
}
