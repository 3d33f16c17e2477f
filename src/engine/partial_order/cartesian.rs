//! Cartesian partial-order reduction [Bas10, 6.4; GFYS07].
//!
//! Every thread i gets a *region*, a tree of locations from where it is: a run of i through the region is made in one
//! go, without a switch to another thread, up to and including a *last* step out of it. A step within the region of i
//! that is not last does not conflict with any step in the region of another thread, last steps included; last steps
//! may conflict with each other. Consider a run to a violation, and the first thread i in it that takes its last step.
//! The others have only taken steps that are not last: all steps of i can be made first, and the rest of the run, which
//! is shorter, leads to the same violation. If no thread takes its last step, the thread that violates the property
//! can do so without the others, and the check is made in every state on its way. Nothing is asked of steps that block.
//!
//! A step that enters an atomic section has the footprint of the section, so that the section can be moved as a whole. A
//! step that starts or ends a thread, or leads back, or to where ways meet, is last: regions are trees.

use super::{Facts, Region, others};
use crate::system::template::LocationId;
use std::collections::BTreeSet;

/// The region of a thread while it grows.
struct Growing {
    start: LocationId,
    /// From where steps are not last.
    inner: BTreeSet<LocationId>,
    /// From where steps are, or may still become inner.
    last: Vec<LocationId>,
}

/// The largest number of locations of a region.
const LARGEST: usize = 64;

/// A region for every location; `None` if every step is last.
pub fn regions(facts: &Facts<'_>, crowd: &[(LocationId, u32)]) -> Option<Vec<(LocationId, Region)>> {
    let start =
        |&(start, _): &(LocationId, u32)| Growing { start, inner: BTreeSet::new(), last: vec![start] };
    let mut growing: Vec<Growing> = crowd.iter().map(start).collect();
    // In turn, so that no thread takes all.
    while (0..crowd.len()).filter(|&place| grow(facts, crowd, &mut growing, place)).count() > 0 {}
    if growing.iter().all(|region| region.inner.is_empty()) {
        return None;
    }
    Some(growing.into_iter().map(|region| (region.start, region.inner.into_iter().collect())).collect())
}

/// Makes one location inner, if one can be.
fn grow(facts: &Facts<'_>, crowd: &[(LocationId, u32)], growing: &mut [Growing], place: usize) -> bool {
    let region = &growing[place];
    if region.inner.len() >= LARGEST {
        return false;
    }
    let candidate = region.last.iter().enumerate().find_map(|(number, &id)| {
        let targets = facts.tree(id)?;
        can_be_inner(facts, crowd, growing, place, (id, &targets)).then_some((number, targets))
    });
    let Some((number, targets)) = candidate else { return false };
    let region = &mut growing[place];
    let id = region.last.remove(number);
    region.inner.insert(id);
    region.last.extend(targets);
    true
}

fn can_be_inner(
    facts: &Facts<'_>,
    crowd: &[(LocationId, u32)],
    growing: &[Growing],
    place: usize,
    (id, targets): (LocationId, &[LocationId]),
) -> bool {
    let conflict = |one: LocationId, other: LocationId| facts.now(one).conflicts(facts.now(other));
    others(crowd, place).all(|start| {
        let Some(other) = growing.iter().find(|region| region.start == start) else { return false };
        let steps = || other.inner.iter().chain(&other.last);
        // Another thread at the same place will have the new targets in its region, too.
        let mirrored = if start == growing[place].start { targets } else { &[] };
        steps().chain(mirrored).all(|&step| !conflict(id, step))
            && targets.iter().all(|&target| other.inner.iter().all(|&inner| !conflict(target, inner)))
    })
}
