//! Where the threads are: one location for each, in the order in which they were started.

use crate::engine::partial_order::Crowd;
use crate::engine::symmetry::{Spawn, StepId};
use crate::system::template::{Atomicity, LocationId, Step, Template};
use std::collections::BTreeMap;

/// The locations of the threads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Vector {
    /// By position.
    pub locations: Vec<LocationId>,
    /// How many more threads there are that a reduction has disabled.
    pub disabled: usize,
}

/// A step of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Act {
    /// The step.
    pub step: StepId,
    /// The position of the thread.
    pub active: usize,
    /// Whether it starts the thread that it wants to start.
    pub spawn: Spawn,
}

/// Where the threads are after a step: positions have closed up.
#[derive(Clone, Debug)]
pub struct Landing {
    /// By position after the step.
    pub locations: Vec<LocationId>,
    /// By position after the step: that before it; for a started thread the first free one.
    pub blocks: Vec<usize>,
}

impl Vector {
    /// One thread.
    pub fn one(location: LocationId) -> Self {
        Self { locations: vec![location], disabled: 0 }
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.locations.len() + self.disabled
    }

    /// The position of the thread that is in an atomic section, if there is one.
    pub fn holder(&self, template: &Template) -> Option<usize> {
        self.locations.iter().position(|&id| template.locations[id].atomicity == Atomicity::Held)
    }

    /// How many threads are at which location.
    pub fn crowd(&self) -> Crowd {
        let mut crowd: BTreeMap<LocationId, u32> = BTreeMap::new();
        self.locations.iter().for_each(|&id| *crowd.entry(id).or_default() += 1);
        crowd.into_iter().collect()
    }

    /// Where the threads are after a step, without those at the positions that are disabled by it.
    pub fn after(&self, act: Act, step: &Step, disabled: &[usize]) -> Landing {
        let stays = |position: usize| !disabled.contains(&position);
        let mut landing = Landing { locations: Vec::new(), blocks: Vec::new() };
        let places = self.locations.iter().enumerate().filter(|&(position, _)| stays(position));
        let moved = places.map(|(position, &location)| {
            (if position == act.active { step.target } else { Some(location) }, position)
        });
        let started = step.starts.as_ref().filter(|_| act.spawn == Spawn::Done);
        let started = started.map(|start| (Some(start.location), self.locations.len()));
        for (location, block) in moved.chain(started) {
            if let Some(location) = location {
                landing.locations.push(location);
                landing.blocks.push(block);
            }
        }
        landing
    }
}

impl Landing {
    /// Whether the thread that was at a position is still there.
    pub fn is_kept(&self, block: usize) -> bool {
        self.blocks.contains(&block)
    }

    /// The position of the thread that was at a position.
    pub fn position_of(&self, block: usize) -> Option<usize> {
        self.blocks.iter().position(|&other| other == block)
    }
}
