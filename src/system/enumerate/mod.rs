//! From Boolean programs to nets: the states of one thread, enumerated.
//!
//! A control state is a valuation of the shared variables, and whether an atomic section is held; a place is a
//! location of the [`Template`] with the values of its live slots. A thread is a token. The net has the runs of the
//! program with any number of threads, symmetric ones counted together: its coverable thread states are those of
//! the program [Bas10, 8.1; KKW14], except that steps which nobody can see are merged with the step before
//! (`merge`).
//!
//! Only what may be reached is made (`closure`), explicitly; that pays where few shared variables take few values,
//! and ends in an honest [`Stop::Bound`] where they do not. Statements with `$` sweep the places of passive copies;
//! they forbid tokens that have no answer (`broadcast`).

mod assemble;
mod broadcast;
mod closure;
mod concrete;
mod evaluate;
mod merge;
mod moves;
mod start;
#[cfg(test)]
mod tests;
mod unfold;

pub use broadcast::Broadcast;
pub use concrete::Slots;
pub use moves::Move;
pub use unfold::{Moment, Unfolded, Unfolding};

use super::net::{ControlId, Net, PlaceId};
use super::template::{Atomicity, Expression, LocationId, Refusal, Template};
use crate::boolean::cfg::{Program, PropertyId};
use crate::ground::bits::Bits;
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::ground::source::Span;
use indexmap::IndexSet;
use merge::Merging;
use unfold::Unfolder;

/// What all threads share.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Control {
    /// The shared variables.
    pub shared: Bits,
    /// Whether some thread is in an atomic section.
    pub atomicity: Atomicity,
}

/// What a thread has for itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Local {
    /// Where it is.
    pub location: LocationId,
    /// Its slots; dead ones are false.
    pub slots: Bits,
}

/// Whether a thread is always started when a step says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spawning {
    /// It is: any number of threads may run.
    Always,
    /// The step may also do nothing: more behaviour than under any bound on the number of threads.
    MayFail,
}

/// How large a net may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Control states with a place that may hold a token then.
    pub pairs: usize,
    /// Transitions, and moves of passive copies in them.
    pub transitions: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { pairs: 1 << 22, transitions: 1 << 21 }
    }
}

/// A program as a net, and what the parts of the net mean.
pub struct Enumeration {
    /// The net; its targets are the violations of the properties that were asked about.
    pub net: Net,
    /// Which property each target violates.
    pub violated: Vec<PropertyId>,
    /// What threads run.
    pub template: Template,
    /// The control states.
    pub controls: IndexSet<Control>,
    /// The places.
    pub places: IndexSet<Local>,
    /// Every thread state that may be reached, and perhaps more.
    pub pairs: Vec<(ControlId, PlaceId)>,
    merging: IndexVec<LocationId, Merging>,
    spawning: Spawning,
}

impl Enumeration {
    /// Enumerates a program.
    ///
    /// # Errors
    /// The program is recursive, or a limit or a bound was reached.
    pub fn new(
        program: &Program,
        asked: &[PropertyId],
        spawning: Spawning,
        bounds: Bounds,
        limits: &Limits,
    ) -> Result<Self, Refusal> {
        let template = Template::new(program, limits)?;
        let merging = merge::merging(&template, asked);
        let unfolder = Unfolder::new(&template, &merging, spawning, limits);
        let closure = closure::close(unfolder, bounds)?;
        let (net, violated) = assemble::assemble(&template, asked, &closure, limits)?;
        let closure::Closure { controls, places, pairs, .. } = closure;
        Ok(Self { net, violated, template, controls, places, pairs, merging, spawning })
    }

    /// What a control state means.
    #[must_use]
    pub fn control(&self, control: ControlId) -> &Control {
        &self.controls[control.index()]
    }

    /// What a place means.
    #[must_use]
    pub fn place(&self, place: PlaceId) -> &Local {
        &self.places[place.index()]
    }

    /// The place that means a local state, if there is one.
    #[must_use]
    pub fn place_of(&self, local: &Local) -> Option<PlaceId> {
        self.places.get_index_of(local).map(PlaceId::new)
    }

    /// The transitions of a thread, with the steps that each of them is made of.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn unfold(&self, shared: &Bits, local: &Local, limits: &Limits) -> Result<Unfolding, Stop> {
        Unfolder::new(&self.template, &self.merging, self.spawning, limits).unfold(shared, local)
    }

    /// The private steps that were merged on the way from one local state to another, if there is such a way.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn private_steps(
        &self,
        from: &Local,
        to: &Local,
        limits: &Limits,
    ) -> Result<Option<Vec<Move>>, Stop> {
        Unfolder::new(&self.template, &self.merging, self.spawning, limits).private_steps(from, to)
    }
}

/// The net of a program, with the violations of some properties as its targets; `line` tells the line of a statement.
///
/// # Errors
/// The program is recursive, or a limit or a bound was reached.
pub fn net_of(
    program: &Program,
    properties: &[PropertyId],
    line: impl Fn(Span) -> u32,
    limits: &Limits,
) -> Result<Net, Refusal> {
    let enumeration = Enumeration::new(program, properties, Spawning::Always, Bounds::default(), limits)?;
    let Enumeration { mut net, template, places, .. } = enumeration;
    for transition in net.transitions.iter_mut() {
        if let Some(&(place, _)) = transition.take.first() {
            let node = template.locations[places[place.index()].location].top().node;
            transition.line = line(program.nodes[node].span);
        }
    }
    Ok(net)
}
