//! Which locations need no place of their own.
//!
//! A step that reads and writes only slots of its thread commutes with every step of the others, and nothing is
//! violated before it: the thread may as well take it at once [Bas10, 10.4]. Inside an atomic section no other
//! thread steps at all, so all its steps can be taken at once. That is wrong where somebody looks: at a location
//! with a property that is asked about, and at statements with `$`. A frame that may be a passive copy is looked
//! at as long as it exists, so outside of sections no step that has, enters or leaves one is merged.
//!
//! Loops of merged steps would have no end. Where a depth-first search finds that one closes, it keeps its place.
//!
//! A thread that blocks in merged steps of its own is lost: it can never step again, violates nothing and is no
//! copy. A thread that blocks in a section blocks all; such a run leads nowhere.

use super::Expression;
use super::evaluate::mentions;
use crate::boolean::cfg::{ProcedureId, PropertyId};
use crate::ground::index::IndexVec;
use crate::system::template::{Atomicity, Cell, Location, LocationId, Step, Template};
use std::collections::HashSet;

/// What becomes of a thread at a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Merging {
    /// It stays there until it is scheduled.
    Stays,
    /// It goes on at once.
    GoesOn,
}

/// What becomes of threads at each location.
pub(super) fn merging(template: &Template, asked: &[PropertyId]) -> IndexVec<LocationId, Merging> {
    let copies = copies(template);
    let candidate = |location: &Location| {
        let silent = location.checks.iter().all(|check| !asked.contains(&check.property));
        let free = match location.atomicity {
            Atomicity::Held => location.steps.iter().all(|step| step.audience.is_none()),
            Atomicity::Free => is_private(template, location, &copies),
        };
        if silent && free { Merging::GoesOn } else { Merging::Stays }
    };
    let mut merging = template.locations.iter().map(candidate).collect();
    open_loops(template, &mut merging);
    merging
}

/// The procedures whose frames may be passive copies.
fn copies(template: &Template) -> HashSet<ProcedureId> {
    let of = |location: &Location| {
        let steps = location.steps.iter().filter_map(|step| step.audience);
        steps.chain(location.checks.iter().filter_map(|check| check.audience)).collect::<Vec<_>>()
    };
    template.locations.iter().flat_map(of).collect()
}

/// Whether the steps from a location outside of sections concern nobody else.
fn is_private(template: &Template, location: &Location, copies: &HashSet<ProcedureId>) -> bool {
    let unseen = |location: &Location| !location.frames.iter().any(|frame| copies.contains(&frame.procedure));
    let leads = |step: &Step| {
        let target = step.target.map(|target| &template.locations[target]);
        target.is_none_or(|target| target.atomicity == Atomicity::Free && unseen(target))
    };
    let own = |step: &Step| {
        let values = step.writes.iter().filter_map(|write| write.value.as_ref());
        let mut read = step.assume.iter().chain(&step.constrain).chain(values);
        step.starts.is_none()
            && step.audience.is_none()
            && read.all(reads_slots_only)
            && step.writes.iter().all(|write| matches!(write.cell, Cell::Slot(_)))
    };
    unseen(location)
        && location.enforce.iter().all(reads_slots_only)
        && location.steps.iter().all(|step| own(step) && leads(step))
}

fn reads_slots_only(expression: &Expression) -> bool {
    !mentions(expression, |cell| !matches!(cell, Cell::Slot(_)))
}

/// Where a search stands with a location.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Unseen,
    Open,
    Done,
}

/// Lets threads stay at one location of every loop.
fn open_loops(template: &Template, merging: &mut IndexVec<LocationId, Merging>) {
    let mut visits = IndexVec::filled(Visit::Unseen, template.locations.len());
    for root in template.locations.ids() {
        if merging[root] == Merging::Stays || visits[root] != Visit::Unseen {
            continue;
        }
        visits[root] = Visit::Open;
        let mut stack = vec![(root, 0)];
        while let Some((location, upcoming)) = stack.last_mut() {
            let location = *location;
            let Some(step) = template.locations[location].steps.get(*upcoming) else {
                visits[location] = Visit::Done;
                stack.pop();
                continue;
            };
            *upcoming += 1;
            let Some(target) = step.target.filter(|&target| merging[target] == Merging::GoesOn) else {
                continue;
            };
            match visits[target] {
                Visit::Unseen => {
                    visits[target] = Visit::Open;
                    stack.push((target, 0));
                }
                Visit::Open => merging[target] = Merging::Stays,
                Visit::Done => {}
            }
        }
    }
}
