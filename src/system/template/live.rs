//! Live slots of a template [Bas10, 10.9]: backward over its locations, until nothing changes.
//!
//! A slot is live where its value may still be read. What passive steps of others may touch is live as long as its
//! frame exists. A plain assignment to a dead slot reads nothing; with a constraint it may block, and then all it
//! mentions is read.

use super::{Cell, Expression, Location, LocationId, Step, Template};
use crate::boolean::cfg::Program;
use crate::boolean::dataflow::set::IdSet;
use crate::ground::index::{Index, IndexVec};
use crate::index_types;

index_types! {
    /// A slot.
    Slot,
}

type Slots = IdSet<Slot>;

pub(super) fn compute(program: &Program, template: &mut Template) {
    let live = solve(program, template);
    for (location, slots) in live.into_iter().enumerate() {
        let location = LocationId::new(location);
        template.locations[location].live = slots.iter().map(Index::index).collect();
    }
}

fn solve(program: &Program, template: &Template) -> Vec<Slots> {
    let predecessors = predecessors(template);
    let pinned = |(_, location)| pinned(program, template, location);
    let mut live: IndexVec<LocationId, Slots> =
        IndexVec::from_vec(template.locations.enumerate().map(pinned).collect());
    let mut work: Vec<LocationId> = template.locations.ids().collect();
    let mut waiting = vec![true; work.len()];
    while let Some(id) = work.pop() {
        waiting[id.index()] = false;
        let mut here = live[id].clone();
        for step in &template.locations[id].steps {
            add_step(&mut here, step, &live);
        }
        if here != live[id] {
            live[id] = here;
            for &before in &predecessors[id] {
                if !std::mem::replace(&mut waiting[before.index()], true) {
                    work.push(before);
                }
            }
        }
    }
    live.iter().cloned().collect()
}

/// The locations whose live slots depend on those of a location.
fn predecessors(template: &Template) -> IndexVec<LocationId, Vec<LocationId>> {
    let mut predecessors = IndexVec::filled(Vec::new(), template.locations.len());
    for (id, location) in template.locations.enumerate() {
        for step in &location.steps {
            let started = step.starts.as_ref().map(|start| start.location);
            for after in step.target.into_iter().chain(started) {
                predecessors[after].push(id);
            }
        }
    }
    predecessors
}

/// The slots that are live at a location whatever follows.
fn pinned(program: &Program, template: &Template, location: &Location) -> Slots {
    let mut slots = Slots::new(template.slots);
    for frame in &location.frames {
        let locals = program.procedures[frame.procedure].locals.iter().enumerate();
        for (position, _) in locals.filter(|(_, variable)| program.variables[**variable].passive) {
            slots.insert(Slot::new(frame.base + position));
        }
    }
    let checks = location.checks.iter().map(|check| &check.condition);
    location.enforce.iter().chain(checks).for_each(|expression| add_reads(&mut slots, expression));
    slots
}

fn add_reads(slots: &mut Slots, expression: &Expression) {
    for place in expression.variables() {
        if let Cell::Slot(slot) = place.cell {
            slots.insert(Slot::new(slot));
        }
    }
}

/// What a step reads, and what is live after it and not written by it.
fn add_step(slots: &mut Slots, step: &Step, live: &IndexVec<LocationId, Slots>) {
    let mut after = step.target.map(|target| live[target].clone());
    let blocking = step.constrain.is_some() || step.audience.is_some();
    let is_live = |cell: Cell| match cell {
        Cell::Slot(slot) => step.target.is_some_and(|target| live[target].contains(Slot::new(slot))),
        Cell::Shared(_) | Cell::Passive(_) => true,
    };
    for write in &step.writes {
        if let (Cell::Slot(slot), Some(after)) = (write.cell, &mut after) {
            after.remove(Slot::new(slot));
        }
        if let Some(value) = write.value.as_ref().filter(|_| blocking || is_live(write.cell)) {
            add_reads(slots, value);
        }
    }
    if let Some(start) = &step.starts {
        let values = start.slots.iter().enumerate().filter_map(|(slot, value)| Some((slot, value.as_ref()?)));
        let needed = values.filter(|(slot, _)| live[start.location].contains(Slot::new(*slot)));
        needed.for_each(|(_, value)| add_reads(slots, value));
    }
    step.assume.iter().chain(&step.constrain).for_each(|expression| add_reads(slots, expression));
    if let Some(after) = after {
        slots.union_with(&after);
    }
}
