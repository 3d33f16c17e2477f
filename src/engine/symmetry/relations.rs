//! Steps as relations, and broadcasts as classes of relations.
//!
//! The relation of a step is a conjunction. What does not mention passive copies is its *own* part. The rest is
//! split by the cells of the active thread and the shared variables that occur in it: for all values of these that
//! leave the same relation on the passive copy there is one *class*, a condition on the active thread and a relation
//! that every passive copy must follow. Once the active thread has moved within a class, the passive threads are
//! independent of it and of each other: what is exact for one of them is exact for all.

use super::levels::{Levels, Pair};
use super::parts::parts;
use crate::bdd::{Bdd, Level, Manager};
use crate::boolean::cfg::{ProcedureId, Time};
use crate::engine::possible::Possible;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::index_types;
use crate::system::template::{Cell, Expression, LocationId, Place, Step, Template};
use indexmap::IndexMap;
use std::rc::Rc;

index_types! {
    /// A class of a broadcast, unique among all broadcasts.
    ClassId,
}

/// A step of a template.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StepId {
    /// From where.
    pub location: LocationId,
    /// Which of the steps from there.
    pub number: usize,
}

/// One way to take a step.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Over the shared variables, the thread's slots and, if it starts one, the slots of the started thread.
    pub body: Bdd,
    /// What the passive copies do, if the step is a broadcast.
    pub class: Option<ClassId>,
}

/// What passive copies do in a class of a broadcast.
#[derive(Clone, Debug)]
pub struct Class {
    /// Whose frames they are.
    pub procedure: ProcedureId,
    /// Over the passive levels; not false.
    pub relation: Bdd,
    /// The positions that are written.
    pub written: Vec<usize>,
}

/// The relations of a template.
pub struct Relations<'t> {
    /// What one thread runs.
    pub template: &'t Template,
    /// The levels of the cells.
    pub levels: Levels,
    /// The back end.
    pub manager: Box<dyn Manager>,
    /// The classes of the broadcasts seen so far.
    pub classes: Vec<Class>,
    /// When to stop.
    pub limits: Limits,
    ways: IndexMap<StepId, Rc<[Way]>>,
}

impl<'t> Relations<'t> {
    pub fn new(template: &'t Template, levels: Levels, manager: Box<dyn Manager>, limits: &Limits) -> Self {
        let limits = limits.clone();
        Self { template, levels, manager, classes: Vec::new(), limits, ways: IndexMap::new() }
    }

    pub fn step(&self, step: StepId) -> &'t Step {
        &self.template.locations[step.location].steps[step.number]
    }

    pub fn class(&self, class: ClassId) -> &Class {
        &self.classes[crate::ground::index::Index::index(class)]
    }

    /// The pair of sets of an expression.
    pub fn possible(&mut self, expression: &Expression) -> Result<Possible, Stop> {
        let levels = &self.levels;
        Possible::of(&mut *self.manager, expression, |place| levels.of(place))
    }

    /// The ways to take a step. They do not start a thread: see [`child`](Self::child).
    pub fn ways(&mut self, id: StepId) -> Result<Rc<[Way]>, Stop> {
        if let Some(known) = self.ways.get(&id) {
            return Ok(known.clone());
        }
        let step = self.step(id);
        let (own, facing) = self.conjuncts(id.location, step)?;
        let ways: Rc<[Way]> = match step.audience {
            None => Rc::from([Way { body: own, class: None }]),
            Some(procedure) => self.classify(step, procedure, own, facing)?,
        };
        self.ways.insert(id, ways.clone());
        Ok(ways)
    }

    /// The conjunctions of what does not mention passive copies, and of what does.
    fn conjuncts(&mut self, location: LocationId, step: &Step) -> Result<(Bdd, Bdd), Stop> {
        let (mut own, mut facing) = (self.manager.constant(true), self.manager.constant(true));
        let enforce = self.template.locations[location].enforce.as_ref();
        for condition in enforce.into_iter().chain(&step.assume).chain(&step.constrain) {
            let possible = self.possible(condition)?.true_in;
            let side = if mentions_passive(condition) { &mut facing } else { &mut own };
            *side = self.manager.and(*side, possible)?;
        }
        for write in &step.writes {
            let Some(value) = &write.value else { continue };
            let level = self.levels.of(&Place { cell: write.cell, time: Time::Next });
            let takes = self.possible(value)?.taken_by(&mut *self.manager, level)?;
            let passive = matches!(write.cell, Cell::Passive(_)) || mentions_passive(value);
            let side = if passive { &mut facing } else { &mut own };
            *side = self.manager.and(*side, takes)?;
        }
        Ok((own, facing))
    }

    /// Splits a broadcast into classes.
    fn classify(
        &mut self,
        step: &Step,
        procedure: ProcedureId,
        own: Bdd,
        facing: Bdd,
    ) -> Result<Rc<[Way]>, Stop> {
        let passive = self.levels.all_passive();
        let support = self.manager.support(facing);
        let linking: Vec<Level> = support.into_iter().filter(|level| !passive.contains(level)).collect();
        let written: Vec<usize> =
            step.writes.iter().filter_map(|write| passive_position(write.cell)).collect();
        let mut ways = Vec::new();
        for part in parts(&mut *self.manager, &self.limits, facing, &linking)? {
            let body = self.manager.and(own, part.condition)?;
            if body == self.manager.constant(false) {
                continue;
            }
            self.classes.push(Class { procedure, relation: part.rest, written: written.clone() });
            let class = crate::ground::index::Index::new(self.classes.len() - 1);
            ways.push(Way { body, class: Some(class) });
        }
        Ok(ways.into())
    }

    /// The slots of the thread that a step starts, over its own levels and the current values.
    pub fn child(&mut self, step: &Step) -> Result<Bdd, Stop> {
        let mut all = self.manager.constant(true);
        let Some(start) = &step.starts else { return Ok(all) };
        for (slot, value) in start.slots.iter().enumerate() {
            let Some(value) = value else { continue };
            let level = self.levels.child[slot];
            let takes = self.possible(value)?.taken_by(&mut *self.manager, level)?;
            all = self.manager.and(all, takes)?;
        }
        Ok(all)
    }

    /// The pairs of the cells of the thread itself, or shared, that a step writes.
    pub fn written(&self, step: &Step) -> Vec<Pair> {
        let own = step.writes.iter().filter(|write| passive_position(write.cell).is_none());
        own.map(|write| self.pair(write.cell)).collect()
    }

    pub fn pair(&self, cell: Cell) -> Pair {
        let at = |time| self.levels.of(&Place { cell, time });
        Pair { now: at(Time::Now), next: at(Time::Next) }
    }
}

/// Whether an expression reads a passive copy.
pub fn mentions_passive(expression: &Expression) -> bool {
    expression.variables().any(|place| passive_position(place.cell).is_some())
}

fn passive_position(cell: Cell) -> Option<usize> {
    match cell {
        Cell::Passive(position) => Some(position),
        Cell::Shared(_) | Cell::Slot(_) => None,
    }
}
