//! Partial-order reduction: of the orders in which independent steps can happen, only some are explored [Bas10,
//! chapter 6].
//!
//! The search asks, for the locations of the threads in a state, which threads to expand ([`Reduction::select`]); it
//! asks no more, so that the plain engine and the one that counts use the same reductions. A reduction preserves
//! which properties are violated, and not how long the shortest violation is. States in which a thread is in an atomic
//! section are not reduced: only this thread runs.
//!
//! The proofs in the files of the reductions are on concrete states. All go by induction on the length of a run to a
//! violation: from a state in which the run begins, the reduced search takes a step after which there is a run to a
//! violation of the same property that is shorter, or as long, and the threads are nearer to the end of their
//! acyclic parts. What is *looked at* (a check, an `enforce`, a start at the bound) counts as a read by the location
//! at which it is looked at, so that a violation is as good as a step.

mod ample;
mod blocking;
mod cartesian;
mod facts;
mod footprint;
mod graph;
mod persistent;
#[cfg(test)]
mod tests;

pub use blocking::Blocking;
pub use facts::Facts;

use crate::boolean::cfg::Program;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::template::{LocationId, Template};
use std::collections::HashMap;
use std::rc::Rc;

/// The reductions to choose from. Each includes the one before it, but for the last two, which are alternatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PartialOrder {
    /// Every thread is expanded in every state.
    None,
    /// A thread whose next step nobody can notice is expanded alone; such steps in a row are taken in one go.
    Local,
    /// A thread whose next step is independent of all that others may ever do is expanded alone.
    #[default]
    Ample,
    /// If there is no such thread, threads that never depend on each other are expanded apart.
    Persistent,
    /// If there is no such thread, every thread runs until it depends on what the others do until then. Where it
    /// helps it helps most, but what is passed without being stored may be passed again and again.
    Cartesian,
}

/// The locations from which a thread goes on without a stop, in order.
pub type Region = Rc<[LocationId]>;

/// Which threads are expanded in a state.
#[derive(Clone, Debug)]
pub enum Selection {
    /// All.
    Everyone,
    /// One of those at this location, wherever it is not stuck; all where it is.
    One(LocationId),
    /// Those at the locations of each group, the others being disabled for ever.
    Groups(Rc<[Vec<LocationId>]>),
    /// All, each running through the region of its location.
    Regions(Rc<[(LocationId, Region)]>),
}

/// How many threads are at which location, in order.
pub type Crowd = Vec<(LocationId, u32)>;

/// A reduction of the search of a template.
pub struct Reduction<'t> {
    kind: PartialOrder,
    /// What is known of the template; nothing is needed if nothing is reduced.
    facts: Option<Facts<'t>>,
    selections: HashMap<Crowd, Selection>,
}

impl<'t> Reduction<'t> {
    /// A reduction for a template of a program.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn new(
        kind: PartialOrder,
        program: &Program,
        template: &'t Template,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let facts = match kind {
            PartialOrder::None => None,
            _ => Some(Facts::new(program, template, limits)?),
        };
        Ok(Self { kind, facts, selections: HashMap::new() })
    }

    /// Which threads to expand in a state with threads at these locations.
    pub fn select(&mut self, crowd: Crowd) -> Selection {
        let Some(facts) = &self.facts else { return Selection::Everyone };
        if let Some(known) = self.selections.get(&crowd) {
            return known.clone();
        }
        let selection = select(self.kind, facts, &crowd);
        self.selections.insert(crowd, selection.clone());
        selection
    }

    /// Whether a state need not be stored in which a thread has just come to a location, and is expanded at once for
    /// this thread alone.
    pub fn passes_through(&self, location: LocationId) -> bool {
        self.facts.as_ref().is_some_and(|facts| facts.is_corridor(location))
    }

    /// Whether a thread at a location can be stuck.
    pub fn blocking(&self, location: LocationId) -> Blocking {
        self.facts.as_ref().map_or(Blocking::Perhaps, |facts| facts.blocking(location))
    }
}

fn select(kind: PartialOrder, facts: &Facts<'_>, crowd: &[(LocationId, u32)]) -> Selection {
    let alone = || Selection::Everyone;
    if crowd.iter().map(|(_, count)| count).sum::<u32>() < 2 || crowd.iter().any(|pair| facts.is_held(pair.0))
    {
        return alone();
    }
    let ample = match kind {
        PartialOrder::None => None,
        PartialOrder::Local => crowd.iter().map(|pair| pair.0).find(|&id| facts.is_private(id)),
        PartialOrder::Ample | PartialOrder::Persistent | PartialOrder::Cartesian => {
            ample::ample(facts, crowd)
        }
    };
    if let Some(location) = ample {
        return Selection::One(location);
    }
    match kind {
        PartialOrder::Persistent => {
            persistent::groups(facts, crowd).map_or_else(alone, |groups| Selection::Groups(groups.into()))
        }
        PartialOrder::Cartesian => {
            cartesian::regions(facts, crowd).map_or_else(alone, |regions| Selection::Regions(regions.into()))
        }
        _ => alone(),
    }
}

/// The location of the others, for one of the threads at a place of a crowd.
fn others(crowd: &[(LocationId, u32)], place: usize) -> impl Iterator<Item = LocationId> {
    let is_other = move |&(other, pair): &(usize, &(LocationId, u32))| other != place || pair.1 > 1;
    crowd.iter().enumerate().filter(is_other).map(|(_, pair)| pair.0)
}
