//! The thread states that may be reached, and the transitions between them.
//!
//! A pair of a control state and a place is kept if a thread may be there then. If a thread steps from one control
//! state to another, all others that may have been there stay where they are, so they may be there afterwards
//! too. That forgets who can be together with whom, so there may be pairs that no run has; none that a run has is
//! missing. Two things are remembered: locations that no started thread can reach belong to the first thread, and
//! there is only one; and before it has started another, it is alone. Otherwise an initialisation by the first
//! thread would be repeated in every later state.

use super::broadcast::{Broadcast, answers};
use super::evaluate::Sight;
use super::unfold::{Unfolded, Unfolder};
use super::{Bounds, Control, Local, start};
use crate::ground::index::{Index, IndexVec};
use crate::ground::reason::Stop;
use crate::system::net::{ControlId, PlaceId, Sweep};
use crate::system::template::{Atomicity, LocationId, Template};
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Which threads can be at a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Guests {
    /// Only the first thread, and there is no other yet.
    Alone,
    /// Only the first thread.
    First,
    /// Any number of threads.
    Any,
}

/// What distinguishes transitions, apart from what they sweep.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Edge {
    pub(super) from: ControlId,
    pub(super) to: ControlId,
    pub(super) take: PlaceId,
    /// Sorted.
    pub(super) give: Vec<PlaceId>,
    pub(super) broadcast: Option<Rc<Broadcast>>,
}

/// What was reached.
pub(super) struct Closure {
    pub(super) controls: IndexSet<Control>,
    pub(super) places: IndexSet<Local>,
    /// The places that may hold a token, by control state.
    pub(super) present: Vec<IndexSet<PlaceId>>,
    /// The same, as pairs, in the order of discovery.
    pub(super) pairs: Vec<(ControlId, PlaceId)>,
    /// The transitions, with what they sweep.
    pub(super) transitions: IndexMap<Edge, BTreeMap<PlaceId, Sweep>>,
    pub(super) initial: Vec<(ControlId, PlaceId)>,
    guests: IndexVec<LocationId, Guests>,
}

struct Closer<'a> {
    unfolder: Unfolder<'a>,
    bounds: Bounds,
    closure: Closure,
    /// Control states that threads step to, and who steps, by control state.
    neighbours: Vec<IndexSet<(ControlId, Guests)>>,
    /// Transitions with passive copies, by control state.
    sweeping: Vec<Vec<usize>>,
    moves: usize,
}

pub(super) fn close(unfolder: Unfolder<'_>, bounds: Bounds) -> Result<Closure, Stop> {
    let closure = Closure {
        controls: IndexSet::new(),
        places: IndexSet::new(),
        present: Vec::new(),
        pairs: Vec::new(),
        transitions: IndexMap::new(),
        initial: Vec::new(),
        guests: guests(unfolder.template),
    };
    let mut closer =
        Closer { unfolder, bounds, closure, neighbours: Vec::new(), sweeping: Vec::new(), moves: 0 };
    for (control, local) in start::initial(closer.unfolder.template) {
        closer.unfolder.limits.check()?;
        let (control, place) = (closer.control(control), closer.place(local));
        closer.closure.initial.push((control, place));
        closer.add(control, place)?;
    }
    let mut current = 0;
    while let Some(&(control, place)) = closer.closure.pairs.get(current) {
        closer.process(control, place)?;
        current += 1;
    }
    Ok(closer.closure)
}

/// Which threads can be where.
fn guests(template: &Template) -> IndexVec<LocationId, Guests> {
    let starting = || {
        let steps = template.locations.iter().flat_map(|location| &location.steps);
        steps.filter_map(|step| Some((step.target, step.starts.as_ref()?.location)))
    };
    let started = reachable(template, starting().map(|(_, started)| started).collect());
    let starters = starting().flat_map(|(target, started)| target.into_iter().chain([started]));
    let crowded = reachable(template, starters.collect());
    let guests = |location: LocationId| match (started[location], crowded[location]) {
        (true, _) => Guests::Any,
        (false, true) => Guests::First,
        (false, false) => Guests::Alone,
    };
    template.locations.ids().map(guests).collect()
}

/// The locations that one thread can reach from some.
fn reachable(template: &Template, mut pending: Vec<LocationId>) -> IndexVec<LocationId, bool> {
    let mut reached = IndexVec::filled(false, template.locations.len());
    while let Some(location) = pending.pop() {
        if !std::mem::replace(&mut reached[location], true) {
            pending.extend(template.locations[location].steps.iter().filter_map(|step| step.target));
        }
    }
    reached
}

impl Closure {
    /// Whether a thread at this place may look on while another, of this kind, steps.
    pub(super) fn may_look_on(&self, template: &Template, active: Guests, place: PlaceId) -> bool {
        let location = self.places[place.index()].location;
        let together = match (active, self.guests[location]) {
            (Guests::Alone, _) | (_, Guests::Alone) | (Guests::First, Guests::First) => false,
            (Guests::Any, _) | (_, Guests::Any) => true,
        };
        together && template.locations[location].atomicity == Atomicity::Free
    }

    pub(super) fn guests_at(&self, place: PlaceId) -> Guests {
        self.guests[self.places[place.index()].location]
    }
}

impl Closer<'_> {
    fn control(&mut self, control: Control) -> ControlId {
        let (number, new) = self.closure.controls.insert_full(control);
        if new {
            self.closure.present.push(IndexSet::new());
            self.neighbours.push(IndexSet::new());
            self.sweeping.push(Vec::new());
        }
        ControlId::new(number)
    }

    fn place(&mut self, local: Local) -> PlaceId {
        PlaceId::new(self.closure.places.insert_full(local).0)
    }

    fn add(&mut self, control: ControlId, place: PlaceId) -> Result<(), Stop> {
        if self.closure.present[control.index()].insert(place) {
            self.closure.pairs.push((control, place));
        }
        self.within(self.closure.pairs.len(), self.bounds.pairs, "thread states")
    }

    fn within(&self, number: usize, bound: usize, what: &str) -> Result<(), Stop> {
        if number > bound {
            return Err(Stop::Bound(format!("more than {bound} {what} of the program as a net")));
        }
        Ok(())
    }

    /// A pair is new: it looks on while others step, and steps itself.
    fn process(&mut self, control: ControlId, place: PlaceId) -> Result<(), Stop> {
        self.unfolder.limits.check()?;
        let template = self.unfolder.template;
        for (to, active) in self.neighbours[control.index()].clone() {
            if self.closure.may_look_on(template, active, place) {
                self.add(to, place)?;
            }
        }
        for transition in self.sweeping[control.index()].clone() {
            self.sweep(transition, place)?;
        }
        let state = self.closure.controls[control.index()].clone();
        let local = self.closure.places[place.index()].clone();
        if state.atomicity != template.locations[local.location].atomicity {
            return Ok(());
        }
        let unfolding = self.unfolder.unfold(&state.shared, &local)?;
        for unfolded in unfolding.transitions {
            let broadcast = unfolding.moments[unfolded.moment].broadcast.clone();
            self.transition(control, place, unfolded, broadcast)?;
        }
        Ok(())
    }

    fn transition(
        &mut self,
        from: ControlId,
        take: PlaceId,
        unfolded: Unfolded,
        broadcast: Option<Rc<Broadcast>>,
    ) -> Result<(), Stop> {
        self.unfolder.limits.check()?;
        let to = self.control(unfolded.to);
        let given = std::iter::once(unfolded.thread).chain(unfolded.started).flatten();
        let mut give: Vec<PlaceId> = given.map(|local| self.place(local)).collect();
        give.sort_unstable();
        for &place in &give {
            self.add(to, place)?;
        }
        let sweeps = broadcast.is_some();
        let edge = Edge { from, to, take, give, broadcast };
        let number = self.closure.transitions.len();
        if self.closure.transitions.contains_key(&edge) {
            return Ok(());
        }
        self.closure.transitions.insert(edge, BTreeMap::new());
        self.moves += 1;
        self.within(self.moves, self.bounds.transitions, "transitions")?;
        if sweeps {
            self.sweeping[from.index()].push(number);
            for place in self.present(from) {
                self.sweep(number, place)?;
            }
            return Ok(());
        }
        let active = self.closure.guests_at(take);
        if from != to && self.neighbours[from.index()].insert((to, active)) {
            for place in self.present(from) {
                if self.closure.may_look_on(self.unfolder.template, active, place) {
                    self.add(to, place)?;
                }
            }
        }
        Ok(())
    }

    fn present(&self, control: ControlId) -> Vec<PlaceId> {
        self.closure.present[control.index()].iter().copied().collect()
    }

    /// A thread at this place looks on in a step with passive copies.
    fn sweep(&mut self, transition: usize, place: PlaceId) -> Result<(), Stop> {
        self.unfolder.limits.check()?;
        let template = self.unfolder.template;
        let (edge, _) = self.closure.transitions.get_index(transition).expect("the transition was stored");
        if !self.closure.may_look_on(template, self.closure.guests_at(edge.take), place) {
            return Ok(());
        }
        let to = edge.to;
        let Some(answers) = self.answers(edge, place) else { return self.add(to, place) };
        let mut targets: Vec<PlaceId> = answers.into_iter().map(|local| self.place(local)).collect();
        targets.sort_unstable();
        targets.dedup();
        for &target in &targets {
            self.add(to, target)?;
        }
        self.moves += 1 + targets.len();
        self.within(self.moves, self.bounds.transitions, "transitions")?;
        if targets != [place] {
            let sweep = if targets.is_empty() { Sweep::Forbid } else { Sweep::Move(targets) };
            self.closure.transitions[transition].insert(place, sweep);
        }
        Ok(())
    }

    /// What a thread at a place becomes in a step; `None` if it has no copy that takes part.
    fn answers(&self, edge: &Edge, place: PlaceId) -> Option<Vec<Local>> {
        let template = self.unfolder.template;
        let broadcast = edge.broadcast.as_ref()?;
        let active = &self.closure.places[edge.take.index()];
        let step = &template.locations[active.location].steps[broadcast.step];
        let copy = &self.closure.places[place.index()];
        let base = template.locations[copy.location].frame_of(step.audience?)?;
        let shared = &self.closure.controls[edge.from.index()].shared;
        let now = Sight::new(shared, &active.slots);
        let changed = answers(now, step, broadcast, &copy.slots, base);
        Some(changed.into_iter().map(|slots| Local { location: copy.location, slots }).collect())
    }
}
