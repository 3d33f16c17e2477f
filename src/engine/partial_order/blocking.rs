//! Which statements can block, and when that does not matter.
//!
//! Algorithm 6.1 of \[Bas10\] presumes that a thread can always go on, but `assume`, `constrain` and `enforce` block. A
//! thread that is expanded alone keeps the others waiting, for ever if it blocks. Three cases are told apart. Most
//! statements cannot block. An `if` or `while` on private variables is a jump to several `assume`s of which one holds
//! always; a thread before another of them is stuck for ever, and what the others can still do, they can also do
//! beside the thread that took the right branch: the stuck state may be *dropped*. Otherwise the states in which the
//! statement blocks must be split off and the others expanded there.

use super::footprint::Footprints;
use super::graph::Graph;
use crate::bdd::{self, BackEnd, Bdd, Level, Manager};
use crate::engine::possible::Possible;
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::template::{Cell, Location, LocationId, Place, Step, Template};

/// Whether a thread at a location can be stuck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocking {
    /// It can always go on.
    Never,
    /// It is stuck for ever, and the state is superfluous.
    Dropped,
    /// It can be stuck, for a while or for ever.
    Perhaps,
}

struct Search<'a> {
    template: &'a Template,
    footprints: &'a Footprints,
    graph: &'a Graph,
    manager: Box<dyn Manager>,
    /// By location that branches: whether every thread can go on after one of its jumps.
    total: IndexVec<LocationId, Option<bool>>,
}

/// How threads block at the locations of a template.
pub fn blocking(
    template: &Template,
    footprints: &Footprints,
    graph: &Graph,
    limits: &Limits,
) -> Result<IndexVec<LocationId, Blocking>, Stop> {
    let manager = bdd::create(BackEnd::Biodivine, template.slots, limits)?;
    let total = IndexVec::filled(None, template.locations.len());
    let mut search = Search { template, footprints, graph, manager, total };
    let all = template.locations.ids().map(|id| search.location(id));
    all.collect::<Result<Vec<_>, _>>().map(IndexVec::from_vec)
}

impl Search<'_> {
    fn location(&mut self, id: LocationId) -> Result<Blocking, Stop> {
        if never(&self.template.locations[id]) {
            return Ok(Blocking::Never);
        }
        let before = &self.graph.before[id];
        if !self.is_private_assume(id) || before.len() != self.graph.entries[id] {
            return Ok(Blocking::Perhaps);
        }
        for &branch in before {
            if !self.is_total(branch)? {
                return Ok(Blocking::Perhaps);
            }
        }
        Ok(Blocking::Dropped)
    }

    /// Whether a location has nothing but an `assume` that nobody else can notice.
    fn is_private_assume(&self, id: LocationId) -> bool {
        let location = &self.template.locations[id];
        let only_assumes = |step: &Step| step.assume.is_some() && is_plain(step);
        location.enforce.is_none()
            && location.checks.is_empty()
            && location.steps.len() == 1
            && location.steps.iter().all(only_assumes)
            && self.footprints.now[id].is_private()
    }

    /// Whether a location only jumps, and one of its targets always lets the thread go on.
    fn is_total(&mut self, id: LocationId) -> Result<bool, Stop> {
        if let Some(known) = self.total[id] {
            return Ok(known);
        }
        let location = &self.template.locations[id];
        let jumps = |step: &Step| step.assume.is_none() && is_plain(step);
        let mut open = self.manager.constant(true);
        for step in &location.steps {
            let passes = self.passes(step.target)?;
            open = self.manager.minus(open, passes)?;
        }
        let total = location.enforce.is_none()
            && location.steps.iter().all(jumps)
            && open == self.manager.constant(false);
        self.total[id] = Some(total);
        Ok(total)
    }

    /// The slots with which a thread can surely go on from a location.
    fn passes(&mut self, target: Option<LocationId>) -> Result<Bdd, Stop> {
        let Some(id) = target else { return Ok(self.manager.constant(false)) };
        let location = &self.template.locations[id];
        if never(location) {
            return Ok(self.manager.constant(true));
        }
        let assume = location.steps.iter().find_map(|step| step.assume.as_ref());
        match assume.filter(|_| self.is_private_assume(id)) {
            Some(assume) => Ok(Possible::of(&mut *self.manager, assume, level)?.true_in),
            None => Ok(self.manager.constant(false)),
        }
    }
}

/// Private expressions read slots only.
fn level(place: &Place) -> Level {
    match place.cell {
        Cell::Slot(slot) | Cell::Passive(slot) | Cell::Shared(slot) => Level::new(slot),
    }
}

/// Whether some step is possible whatever the values are.
fn never(location: &Location) -> bool {
    let free = |step: &Step| step.assume.is_none() && step.constrain.is_none() && step.audience.is_none();
    location.enforce.is_none() && location.steps.iter().any(free)
}

/// Whether a step does nothing but to let a thread pass.
fn is_plain(step: &Step) -> bool {
    step.writes.is_empty() && step.constrain.is_none() && step.audience.is_none() && step.starts.is_none()
}
