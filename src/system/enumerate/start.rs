//! Where runs start.
//!
//! Shared variables are arbitrary at first, and many programs begin with assignments to all of them. What the first
//! thread overwrites before it reads it, and before it starts another thread, may as well be false at first: a
//! search that begins with both values of twenty such variables begins with a million states for one.

use super::{Control, Expression, Local};
use crate::boolean::dataflow::set::IdSet;
use crate::boolean::expression::Values;
use crate::boolean::interpret::Product;
use crate::ground::bits::Bits;
use crate::ground::index::{Index, IndexVec};
use crate::index_types;
use crate::system::template::{Atomicity, Cell, Location, LocationId, Step, Template};

index_types! {
    /// A shared variable.
    Shared,
}

/// The states in which the first thread may start, one of each set that makes no difference.
pub(super) fn initial(template: &Template) -> impl Iterator<Item = (Control, Local)> + use<> {
    let shared: Vec<usize> = needed(template).iter().map(Index::index).collect();
    let live = template.locations[template.start].live.clone();
    let (location, globals, slots) = (template.start, template.shared, template.slots);
    Product::new(vec![Values::BOTH; shared.len() + live.len()]).map(move |choice| {
        let (of_shared, of_slots) = choice.split_at(shared.len());
        let shared = spread(globals, &shared, of_shared);
        let slots = spread(slots, &live, of_slots);
        (Control { shared, atomicity: Atomicity::Free }, Local { location, slots })
    })
}

fn spread(length: usize, positions: &[usize], values: &[bool]) -> Bits {
    let mut bits = Bits::new(length);
    positions.iter().zip(values).for_each(|(&position, &value)| bits.set(position, value));
    bits
}

/// The shared variables whose first values matter: liveness, backward until nothing changes.
fn needed(template: &Template) -> IdSet<Shared> {
    let mut needed = IndexVec::filled(IdSet::new(template.shared), template.locations.len());
    let mut changed = true;
    while changed {
        changed = false;
        for (id, location) in template.locations.enumerate().rev() {
            let here = needed_at(template, location, &needed);
            changed |= needed[id].union_with(&here);
        }
    }
    needed[template.start].clone()
}

fn needed_at(
    template: &Template,
    location: &Location,
    needed: &IndexVec<LocationId, IdSet<Shared>>,
) -> IdSet<Shared> {
    if location.steps.iter().any(|step| step.starts.is_some()) {
        return IdSet::full(template.shared);
    }
    let mut here = IdSet::new(template.shared);
    for step in &location.steps {
        here.union_with(&before(template, step, needed));
    }
    let checks = location.checks.iter().map(|check| &check.condition);
    location.enforce.iter().chain(checks).for_each(|expression| add_reads(&mut here, expression));
    here
}

fn before(template: &Template, step: &Step, needed: &IndexVec<LocationId, IdSet<Shared>>) -> IdSet<Shared> {
    let mut here = step.target.map_or_else(|| IdSet::new(template.shared), |target| needed[target].clone());
    for write in &step.writes {
        if let Cell::Shared(position) = write.cell {
            here.remove(Shared::new(position));
        }
    }
    let values = step.writes.iter().filter_map(|write| write.value.as_ref());
    let read = step.assume.iter().chain(&step.constrain).chain(values);
    read.for_each(|expression| add_reads(&mut here, expression));
    here
}

fn add_reads(set: &mut IdSet<Shared>, expression: &Expression) {
    for place in expression.variables() {
        if let Cell::Shared(position) = place.cell
            && place.time == crate::boolean::cfg::Time::Now
        {
            set.insert(Shared::new(position));
        }
    }
}
