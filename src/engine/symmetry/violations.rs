//! Violations in a state: what the threads of a population can violate.

use super::locals::{Facing, LocalId, Locals};
use super::passive::Hearing;
use super::relations::ClassId;
use crate::bdd::Bdd;
use crate::boolean::cfg::PropertyId;
use crate::ground::reason::Stop;

/// A violation in an abstract state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The property.
    pub property: PropertyId,
    /// The local set of the thread that violates it.
    pub violator: LocalId,
    /// The shared values for which it does; not empty.
    pub shared: Bdd,
    /// The local set of the passive thread that it is about, and where its copy begins.
    pub facing: Option<(LocalId, usize)>,
}

impl Violation {
    /// Whether it is about a passive copy.
    pub fn about(&self) -> Facing {
        if self.facing.is_some() { Facing::Copy } else { Facing::Nobody }
    }
}

/// A local set of a population, and whether it has more than one thread.
pub type Inhabited = (LocalId, Crowd);

/// How many threads are in a local set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crowd {
    /// One.
    One,
    /// Several.
    Several,
}

impl Locals<'_> {
    /// Whether a thread of a local set may run: no other thread of the population is in an atomic section.
    pub fn may_run(&self, population: impl IntoIterator<Item = LocalId>, active: LocalId) -> bool {
        !population.into_iter().any(|local| local != active && self.holds_atomic(local))
    }

    /// What can be violated in a state, among the properties that are asked for.
    pub fn violations_in(
        &mut self,
        population: &[Inhabited],
        shared: Bdd,
        asked: impl Fn(PropertyId) -> bool,
    ) -> Result<Vec<Violation>, Stop> {
        let mut found = Vec::new();
        for &(violator, crowd) in population {
            if !self.may_run(population.iter().map(|pair| pair.0), violator) {
                continue;
            }
            for &(property, failing) in self.violations(violator)?.iter().filter(|pair| asked(pair.0)) {
                let shared = self.manager().and(shared, failing)?;
                found.push(Violation { property, violator, shared, facing: None });
            }
            self.violations_around(population, (violator, crowd), shared, &asked, &mut found)?;
        }
        let nothing = self.manager().constant(false);
        found.retain(|violation| violation.shared != nothing);
        Ok(found)
    }

    /// Violations of assertions about passive threads.
    fn violations_around(
        &mut self,
        population: &[Inhabited],
        (violator, crowd): Inhabited,
        all: Bdd,
        asked: impl Fn(PropertyId) -> bool,
        found: &mut Vec<Violation>,
    ) -> Result<(), Stop> {
        for check in self.broadcast_checks(violator) {
            let Some(procedure) = check.audience.filter(|_| asked(check.property)) else { continue };
            let property = check.property;
            let others = population.iter().filter(|pair| pair.0 != violator || crowd == Crowd::Several);
            let mut alone = true;
            for &(other, _) in others {
                let Some(base) = self.frame_of(other, procedure) else { continue };
                alone = false;
                let failing = self.fails_facing(violator, check, other, base)?;
                let shared = self.manager().and(all, failing)?;
                found.push(Violation { property, violator, shared, facing: Some((other, base)) });
            }
            if alone {
                let failing = self.fails_alone(violator, check)?;
                let shared = self.manager().and(all, failing)?;
                found.push(Violation { property, violator, shared, facing: None });
            }
        }
        Ok(())
    }

    /// What passive threads become in a class of a broadcast; `None` if one of them blocks.
    pub fn broadcast(
        &mut self,
        rest: &[(LocalId, u32)],
        class: ClassId,
    ) -> Result<Option<Vec<(LocalId, u32)>>, Stop> {
        let mut after = Vec::with_capacity(rest.len());
        for &(local, count) in rest {
            match self.hear(local, class)? {
                Hearing::Deaf => after.push((local, count)),
                Hearing::Moves(moved) => after.push((moved, count)),
                Hearing::Blocks => return Ok(None),
            }
        }
        Ok(Some(after))
    }
}
