//! The net from what was reached, and the thread states that violate something.
//!
//! An assertion with `$` is violated by two threads, the executing one and a copy for which it can be false. If it
//! can be false whatever the copy is, it is violated without any, and with any: then one thread suffices.

use super::broadcast::imagined;
use super::closure::{Closure, Edge};
use super::evaluate::{Sight, values};
use super::moves::exists;
use super::{Control, Local};
use crate::boolean::cfg::PropertyId;
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{ControlId, Initial, Net, PlaceId, Sweep, Target, Transition};
use crate::system::template::{Atomicity, Check, Template};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The net, and which property each target violates.
pub(super) fn assemble(
    template: &Template,
    asked: &[PropertyId],
    closure: &Closure,
    limits: &Limits,
) -> Result<(Net, Vec<PropertyId>), Stop> {
    let targets = Violations { template, asked, closure }.all(limits)?;
    let (violated, targets) = targets.into_iter().unzip();
    let one = |&(control, place): &(ControlId, PlaceId)| Initial {
        control,
        tokens: vec![(place, 1)],
        unbounded: Vec::new(),
    };
    let net = Net {
        controls: closure.controls.iter().map(control_name).collect(),
        places: closure.places.iter().map(|local| place_name(template, local)).collect(),
        transitions: closure.transitions.iter().map(|(edge, sweep)| transition(edge, sweep)).collect(),
        initial: closure.initial.iter().map(one).collect(),
        targets,
    };
    Ok((net, violated))
}

fn control_name(control: &Control) -> Arc<str> {
    match control.atomicity {
        Atomicity::Free => format!("s{:?}", control.shared).into(),
        Atomicity::Held => format!("s{:?}_atomic", control.shared).into(),
    }
}

fn place_name(template: &Template, local: &Local) -> Arc<str> {
    let live = template.locations[local.location].live.iter();
    let values: String = live.map(|&slot| if local.slots.get(slot) { '1' } else { '0' }).collect();
    let separator = if values.is_empty() { "" } else { "_" };
    format!("l{}{separator}{values}", local.location.index()).into()
}

fn transition(edge: &Edge, sweep: &BTreeMap<PlaceId, Sweep>) -> Transition {
    Transition {
        from: edge.from,
        to: edge.to,
        take: vec![(edge.take, 1)],
        sweep: sweep.iter().map(|(&place, sweep)| (place, sweep.clone())).collect(),
        give: counted(&edge.give),
        line: 0,
    }
}

/// How often each place occurs in a sorted list.
fn counted(places: &[PlaceId]) -> Vec<(PlaceId, u32)> {
    let mut counted: Vec<(PlaceId, u32)> = Vec::new();
    for &place in places {
        match counted.last_mut() {
            Some((last, number)) if *last == place => *number += 1,
            _ => counted.push((place, 1)),
        }
    }
    counted
}

struct Violations<'a> {
    template: &'a Template,
    asked: &'a [PropertyId],
    closure: &'a Closure,
}

impl Violations<'_> {
    fn all(&self, limits: &Limits) -> Result<Vec<(PropertyId, Target)>, Stop> {
        let mut found = Vec::new();
        for &(control, place) in &self.closure.pairs {
            limits.check()?;
            let shared = &self.closure.controls[control.index()];
            let local = &self.closure.places[place.index()];
            let location = &self.template.locations[local.location];
            let runs = location.atomicity == shared.atomicity;
            if runs && !location.checks.is_empty() && exists(self.template, &shared.shared, local) {
                for check in location.checks.iter().filter(|check| self.asked.contains(&check.property)) {
                    let targets = self.targets(control, place, check);
                    found.extend(targets.into_iter().map(|target| (check.property, target)));
                }
            }
        }
        Ok(found)
    }

    /// The violations of a property by a thread at a place.
    fn targets(&self, control: ControlId, place: PlaceId, check: &Check) -> Vec<Target> {
        let slots = &self.closure.places[place.index()].slots;
        let now = Sight::new(&self.closure.controls[control.index()].shared, slots);
        let fails = |sight: Sight<'_>| values(&check.condition, sight).can_be_false;
        let target = |tokens: Vec<(PlaceId, u32)>| Target { control, tokens };
        let Some(procedure) = check.audience else {
            return if fails(now) { vec![target(vec![(place, 1)])] } else { Vec::new() };
        };
        let mut copies = imagined(std::iter::once(&check.condition), std::iter::empty());
        if copies.all(|copy| fails(now.facing(&copy, 0))) {
            return vec![target(vec![(place, 1)])];
        }
        let active = self.closure.guests_at(place);
        let mut found = Vec::new();
        for &other in &self.closure.present[control.index()] {
            let copy = &self.closure.places[other.index()];
            let base = self.template.locations[copy.location].frame_of(procedure);
            if let Some(base) = base.filter(|_| self.closure.may_look_on(self.template, active, other))
                && fails(now.facing(&copy.slots, base))
            {
                let mut pair = [place, other];
                pair.sort_unstable();
                found.push(target(counted(&pair)));
            }
        }
        found
    }
}
