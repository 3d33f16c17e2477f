//! Steps in which passive copies take part.
//!
//! A statement with `$` is a relation between the executing thread and one copy, and must hold for every copy. So
//! the step is chosen in two parts: first the next values of the executing thread and of what is shared
//! ([`Broadcast`]), then, for every copy by itself, its answer ([`answers`]). A copy without an answer forbids the
//! step. If there is no copy, some imagined one must have an answer; any copy that has one could be imagined, so
//! that is necessary in every case, and the two parts together are exactly the steps of the language.

use super::evaluate::{Sight, allows, mentions, values};
use super::moves::{exists, fill};
use super::{Expression, Local};
use crate::boolean::expression::Values;
use crate::boolean::interpret::Product;
use crate::ground::bits::Bits;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::template::{Cell, Step, Template, Write};
use std::collections::BTreeSet;

/// What the executing thread does in a step with passive copies.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Broadcast {
    /// Which of the steps of the location.
    pub step: usize,
    /// The shared variables afterwards.
    pub shared: Bits,
    /// The slots of the thread afterwards, dead ones included: the constraint may look at them.
    pub slots: Bits,
}

/// What the executing thread can do in steps with passive copies.
pub(super) fn broadcasts(
    template: &Template,
    shared: &Bits,
    local: &Local,
    limits: &Limits,
) -> Result<Vec<Broadcast>, Stop> {
    let mut found = Vec::new();
    if !exists(template, shared, local) {
        return Ok(found);
    }
    let now = Sight::new(shared, &local.slots);
    for (number, step) in template.locations[local.location].steps.iter().enumerate() {
        if step.audience.is_some() {
            collect(&mut found, now, number, step, limits)?;
        }
    }
    Ok(found)
}

fn collect(
    found: &mut Vec<Broadcast>,
    now: Sight<'_>,
    number: usize,
    step: &Step,
    limits: &Limits,
) -> Result<(), Stop> {
    let own: Vec<&Write> = step.writes.iter().filter(|write| !is_passive(write.cell)).collect();
    for choice in Product::new(own.iter().map(|write| own_values(write, now)).collect()) {
        let (mut shared, mut slots) = (now.shared.clone(), now.slots.clone());
        own.iter().zip(choice).for_each(|(write, value)| fill(&mut shared, &mut slots, write.cell, value));
        let broadcast = Broadcast { step: number, shared, slots };
        if imaginable(now, step, &broadcast, limits)? {
            found.push(broadcast);
        }
    }
    Ok(())
}

/// The values that some copy may allow.
fn own_values(write: &Write, now: Sight<'_>) -> Values {
    match &write.value {
        Some(value) if !mentions(value, is_passive) => values(value, now),
        _ => Values::BOTH,
    }
}

fn is_passive(cell: Cell) -> bool {
    matches!(cell, Cell::Passive(_))
}

/// Whether some copy has an answer.
fn imaginable(now: Sight<'_>, step: &Step, broadcast: &Broadcast, limits: &Limits) -> Result<bool, Stop> {
    for copy in imagined(expressions(step), written(step)) {
        limits.check()?;
        if !answers(now, step, broadcast, &copy, 0).is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn expressions(step: &Step) -> impl Iterator<Item = &Expression> {
    let values = step.writes.iter().filter_map(|write| write.value.as_ref());
    step.assume.iter().chain(&step.constrain).chain(values)
}

fn written(step: &Step) -> impl Iterator<Item = Cell> {
    step.writes.iter().map(|write| write.cell)
}

/// All frames that differ in the variables of a copy that are mentioned.
pub(super) fn imagined<'e>(
    expressions: impl Iterator<Item = &'e Expression>,
    written: impl Iterator<Item = Cell>,
) -> impl Iterator<Item = Bits> {
    let read = expressions.flat_map(|expression| expression.variables().map(|place| place.cell));
    let positions = read.chain(written).filter_map(|cell| match cell {
        Cell::Passive(position) => Some(position),
        Cell::Shared(_) | Cell::Slot(_) => None,
    });
    let positions: BTreeSet<usize> = positions.collect();
    let size = positions.last().map_or(0, |last| last + 1);
    Product::new(vec![Values::BOTH; positions.len()]).map(move |choice| {
        let mut copy = Bits::new(size);
        positions.iter().zip(choice).for_each(|(&position, value)| copy.set(position, value));
        copy
    })
}

/// What a copy can do in a step: the slots of its thread afterwards. The copy is the frame that begins at `base` in
/// these slots.
pub(super) fn answers(
    now: Sight<'_>,
    step: &Step,
    broadcast: &Broadcast,
    slots: &Bits,
    base: usize,
) -> Vec<Bits> {
    let now = now.facing(slots, base);
    let next = Sight::new(&broadcast.shared, &broadcast.slots);
    let given = |write: &Write| match write.cell {
        Cell::Shared(position) => Some(broadcast.shared.get(position)),
        Cell::Slot(slot) => Some(broadcast.slots.get(slot)),
        Cell::Passive(_) => None,
    };
    let sets = |write: &Write| write.value.as_ref().map_or(Values::BOTH, |value| values(value, now));
    let suits = |write: &Write| given(write).is_none_or(|value| sets(write).contains(value));
    if !allows(step.assume.as_ref(), now, now) || !step.writes.iter().all(suits) {
        return Vec::new();
    }
    let passive: Vec<(usize, Values)> = step
        .writes
        .iter()
        .filter_map(|write| match write.cell {
            Cell::Passive(position) => Some((base + position, sets(write))),
            Cell::Shared(_) | Cell::Slot(_) => None,
        })
        .collect();
    let mut found = Vec::new();
    for choice in Product::new(passive.iter().map(|(_, set)| *set).collect()) {
        let mut changed = slots.clone();
        passive.iter().zip(choice).for_each(|(&(slot, _), value)| changed.set(slot, value));
        if allows(step.constrain.as_ref(), now, next.facing(&changed, base)) {
            found.push(changed);
        }
    }
    found
}
