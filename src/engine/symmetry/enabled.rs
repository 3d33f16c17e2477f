//! Where threads of a local set can go on.

use super::locals::{LocalId, Locals};
use super::relations::StepId;
use crate::bdd::{Bdd, Level};
use crate::ground::reason::Stop;
use crate::system::template::LocationId;

impl Locals<'_> {
    /// Of some shared values, those with which every thread of a local set can take a step. None of the steps is a
    /// broadcast.
    pub fn surely_enabled(&mut self, local: LocalId, shared: Bdd) -> Result<Bdd, Stop> {
        let local = self.get(local);
        let enabled = self.enabled(local.location)?;
        let stuck = self.manager().minus(local.set, enabled)?;
        let slots: Vec<Level> = self.relations.levels.slots.iter().map(|pair| pair.now).collect();
        let slots = self.manager().level_set(&slots);
        let stuck = self.manager().exists(stuck, slots)?;
        self.manager().minus(shared, stuck)
    }

    /// The values with which a thread at a location can take a step.
    fn enabled(&mut self, location: LocationId) -> Result<Bdd, Stop> {
        let levels = &self.relations.levels;
        let next: Vec<Level> = levels.shared.iter().chain(&levels.slots).map(|pair| pair.next).collect();
        let next = self.manager().level_set(&next);
        let mut all = self.manager().constant(false);
        for number in 0..self.template().locations[location].steps.len() {
            for way in self.relations.ways(StepId { location, number })?.iter() {
                let before = self.manager().exists(way.body, next)?;
                all = self.manager().or(all, before)?;
            }
        }
        Ok(all)
    }
}
