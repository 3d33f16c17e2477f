//! What the reductions know of a template before the search.

use super::blocking::{Blocking, blocking};
use super::footprint::{Footprint, Footprints};
use super::graph::Graph;
use crate::boolean::cfg::Program;
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::template::{Atomicity, Location, LocationId, Template};

/// Static facts on the locations of a template.
pub struct Facts<'t> {
    template: &'t Template,
    footprints: Footprints,
    graph: Graph,
    blocking: IndexVec<LocationId, Blocking>,
    /// Whether an atomic section that is entered from here may not be left again.
    unsure: IndexVec<LocationId, bool>,
}

impl<'t> Facts<'t> {
    /// The facts on a template of a program.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn new(program: &Program, template: &'t Template, limits: &Limits) -> Result<Self, Stop> {
        let footprints = Footprints::new(program, template);
        let graph = Graph::new(template);
        let blocking = blocking(template, &footprints, &graph, limits)?;
        let unsure = IndexVec::filled(false, template.locations.len());
        let mut facts = Self { template, footprints, graph, blocking, unsure };
        facts.find_unsure();
        Ok(facts)
    }

    /// Backwards from where a section may block or loop, through the section, to where it is entered.
    fn find_unsure(&mut self) {
        let doubtful = |&id: &LocationId| self.is_held(id) && !self.goes_on(id);
        let mut work: Vec<LocationId> = self.template.locations.ids().filter(doubtful).collect();
        while let Some(id) = work.pop() {
            for &before in &self.graph.before[id] {
                if !std::mem::replace(&mut self.unsure[before], true) && self.is_held(before) {
                    work.push(before);
                }
            }
        }
    }

    fn location(&self, id: LocationId) -> &Location {
        &self.template.locations[id]
    }

    /// Whether a thread here keeps all others from running.
    pub fn is_held(&self, id: LocationId) -> bool {
        self.location(id).atomicity == Atomicity::Held
    }

    /// What the next step of a thread touches: the whole section, if it enters one.
    pub fn now(&self, id: LocationId) -> &Footprint {
        &self.footprints.now[id]
    }

    /// What a thread, and those it starts, may ever touch.
    pub fn ever(&self, id: LocationId) -> &Footprint {
        &self.footprints.ever[id]
    }

    /// Whether a thread here can be stuck.
    pub fn blocking(&self, id: LocationId) -> Blocking {
        self.blocking[id]
    }

    /// Whether some step from here leads back.
    pub fn leads_back(&self, id: LocationId) -> bool {
        self.graph.back[id]
    }

    fn is_broadcast(&self, id: LocationId) -> bool {
        self.location(id).steps.iter().any(|step| step.audience.is_some())
    }

    fn goes_on(&self, id: LocationId) -> bool {
        !self.leads_back(id) && self.blocking(id) != Blocking::Perhaps && !self.is_broadcast(id)
    }

    /// Whether a thread here may be the only one that is expanded, if its step is independent of the others: it must
    /// not be able to keep them waiting for ever.
    pub fn may_go_alone(&self, id: LocationId) -> bool {
        !self.leads_back(id) && !self.is_broadcast(id) && !self.unsure[id]
    }

    /// Whether a thread here does what nobody else notices, and is not stuck.
    pub fn is_private(&self, id: LocationId) -> bool {
        self.may_go_alone(id) && self.now(id).is_private() && self.blocking(id) != Blocking::Perhaps
    }

    /// Whether a state with a thread that has just come here need not be stored, and can be expanded at once for this
    /// thread alone: there is one way only to come here, nothing to check, and either what the thread does is private,
    /// or no other thread can run.
    pub fn is_corridor(&self, id: LocationId) -> bool {
        self.graph.entries[id] == 1 && !self.leads_back(id) && (self.is_held(id) || self.is_private(id))
    }

    /// Where a thread can be after a step from here which starts no thread, ends none, and leads neither back nor to
    /// where ways meet; `None` if not all steps are like this.
    pub fn tree(&self, id: LocationId) -> Option<Vec<LocationId>> {
        if self.leads_back(id) {
            return None;
        }
        let steps = self.location(id).steps.iter();
        let target = |target: &LocationId| self.graph.entries[*target] == 1;
        steps.map(|step| step.target.filter(|_| step.starts.is_none()).filter(target)).collect()
    }
}
