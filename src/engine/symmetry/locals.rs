//! Local sets, and what a thread in one of them can do.

use super::levels::Levels;
use super::parts::{Part, parts};
use super::relations::{ClassId, Relations, StepId, Way};
use crate::bdd::{Bdd, Level, LevelSet, Manager, Renaming, ops};
use crate::boolean::cfg::PropertyId;
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::index_types;
use crate::system::template::{Atomicity, Cell, Check, LocationId, Step, Template};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::rc::Rc;

index_types! {
    /// A local set.
    LocalId,
}

/// A local set: threads at a location, with values in a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Local {
    /// Where.
    pub location: LocationId,
    /// The values of the live slots, over their current levels.
    pub set: Bdd,
}

/// Whether a step that starts a thread does so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spawn {
    /// It does.
    Done,
    /// It does nothing: the bound on threads is reached.
    Suppressed,
}

/// What a thread in a local set can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The step of the template.
    pub step: StepId,
    /// Which of its ways.
    pub way: usize,
    /// On the shared variables: current values, and next values of what is written.
    pub shared: Bdd,
    /// The current levels of the shared variables that are written.
    pub written: LevelSet,
    /// Next to current, for these.
    pub forward: Renaming,
    /// Where the thread is afterwards; `None`: it has ended.
    pub target: Option<LocalId>,
    /// The thread that is started.
    pub started: Option<LocalId>,
    /// What the other threads do.
    pub class: Option<ClassId>,
}

/// The local sets seen so far, and their transitions.
pub struct Locals<'t> {
    /// The relations of the template.
    pub relations: Relations<'t>,
    sets: IndexSet<Local, FxBuildHasher>,
    transitions: FxHashMap<(LocalId, Spawn), Rc<[Transition]>>,
    pub(super) passive: FxHashMap<(LocalId, ClassId), Option<LocalId>>,
    pub(super) violations: FxHashMap<LocalId, Rc<[(PropertyId, Bdd)]>>,
    /// How often something new was translated: the measure of work.
    pub translated: u64,
}

impl<'t> Locals<'t> {
    /// The local sets of a template, over a manager with its levels.
    pub fn new(template: &'t Template, levels: Levels, manager: Box<dyn Manager>, limits: &Limits) -> Self {
        Self {
            relations: Relations::new(template, levels, manager, limits),
            sets: IndexSet::default(),
            transitions: FxHashMap::default(),
            passive: FxHashMap::default(),
            violations: FxHashMap::default(),
            translated: 0,
        }
    }

    /// The template.
    pub fn template(&self) -> &'t Template {
        self.relations.template
    }

    /// The back end.
    pub fn manager(&mut self) -> &mut dyn Manager {
        &mut *self.relations.manager
    }

    /// The id of a local set.
    pub fn intern(&mut self, location: LocationId, set: Bdd) -> LocalId {
        LocalId::new(self.sets.insert_full(Local { location, set }).0)
    }

    /// A local set.
    pub fn get(&self, id: LocalId) -> Local {
        self.sets[id.index()]
    }

    /// How many local sets there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Whether threads in a local set keep all others from running.
    pub fn holds_atomic(&self, id: LocalId) -> bool {
        self.template().locations[self.get(id).location].atomicity == Atomicity::Held
    }

    /// Where the first thread starts, with any values.
    pub fn start(&mut self) -> LocalId {
        let everything = self.manager().constant(true);
        self.intern(self.template().start, everything)
    }

    /// Whether every thread of one local set is in another.
    pub fn is_subset(&mut self, smaller: LocalId, larger: LocalId) -> Result<bool, Stop> {
        let (smaller, larger) = (self.get(smaller), self.get(larger));
        Ok(smaller.location == larger.location
            && ops::is_subset(&mut *self.relations.manager, smaller.set, larger.set)?)
    }

    /// What a thread in a local set can do.
    pub fn transitions(&mut self, local: LocalId, spawn: Spawn) -> Result<Rc<[Transition]>, Stop> {
        if let Some(known) = self.transitions.get(&(local, spawn)) {
            return Ok(known.clone());
        }
        let location = self.get(local).location;
        let mut found = Vec::new();
        for number in 0..self.template().locations[location].steps.len() {
            let id = StepId { location, number };
            for (way, body) in self.relations.ways(id)?.iter().enumerate() {
                self.translate(local, id, (way, *body), spawn, &mut found)?;
            }
        }
        let found: Rc<[Transition]> = found.into();
        self.transitions.insert((local, spawn), found.clone());
        Ok(found)
    }

    /// The transitions of one way to take a step.
    fn translate(
        &mut self,
        local: LocalId,
        id: StepId,
        (number, way): (usize, Way),
        spawn: Spawn,
        found: &mut Vec<Transition>,
    ) -> Result<(), Stop> {
        self.translated += 1;
        let step = self.relations.step(id);
        let starts = step.starts.as_ref().filter(|_| spawn == Spawn::Done);
        let set = self.get(local).set;
        let mut body = self.manager().and(set, way.body)?;
        if starts.is_some() {
            let child = self.relations.child(step)?;
            body = self.manager().and(body, child)?;
        }
        let after = self.after(step, body, starts.map(|start| start.location))?;
        let shared_levels = self.relations.levels.all_shared();
        let (written, forward) = self.shared_written(step);
        for part in self.parts(after, &shared_levels)? {
            for (own, child) in self.products(part.rest)? {
                let target = step.target.map(|location| self.intern(location, own));
                let started = starts.map(|start| self.intern(start.location, child));
                let (shared, class) = (part.condition, way.class);
                let (step, way) = (id, number);
                found.push(Transition { step, way, shared, written, forward, target, started, class });
            }
        }
        Ok(())
    }

    /// The values after a step: shared variables before and after, slots of the thread at their current levels, slots
    /// of a started thread at its levels. What is dead is quantified.
    fn after(&mut self, step: &Step, body: Bdd, child: Option<LocationId>) -> Result<Bdd, Stop> {
        let template = self.template();
        let live: &[usize] = step.target.map_or(&[], |target| &template.locations[target].live);
        let child_live: &[usize] = child.map_or(&[], |child| &template.locations[child].live);
        let levels = &self.relations.levels;
        let mut hidden: Vec<Level> = Vec::new();
        let mut kept: Vec<(Level, Level)> = Vec::new();
        let written = |slot: usize| step.writes.iter().any(|write| write.cell == Cell::Slot(slot));
        for (slot, pair) in levels.slots.iter().enumerate() {
            match (written(slot), live.contains(&slot)) {
                (true, true) => {
                    hidden.push(pair.now);
                    kept.push((pair.next, pair.now));
                }
                (true, false) => hidden.extend([pair.now, pair.next]),
                (false, false) => hidden.push(pair.now),
                (false, true) => {}
            }
            if !child_live.contains(&slot) {
                hidden.push(levels.child[slot]);
            }
        }
        let hidden = self.manager().level_set(&hidden);
        let kept = self.manager().renaming(&kept);
        let visible = self.manager().exists(body, hidden)?;
        self.manager().rename(visible, kept)
    }

    /// A set over the slots of a thread and of one it starts, as a union of products.
    fn products(&mut self, both: Bdd) -> Result<Vec<(Bdd, Bdd)>, Stop> {
        let own: Vec<Level> = self.relations.levels.slots.iter().map(|pair| pair.now).collect();
        let slots = self.relations.levels.slots.iter();
        let names: Vec<(Level, Level)> =
            slots.zip(&self.relations.levels.child).map(|(pair, &child)| (child, pair.now)).collect();
        let child_levels = self.relations.levels.child.clone();
        let support = self.manager().support(both);
        let everything = self.manager().constant(true);
        if !support.iter().any(|level| child_levels.contains(level)) {
            return Ok(vec![(both, everything)]);
        }
        let names = self.manager().renaming(&names);
        let mut products = Vec::new();
        for part in self.parts(both, &own)? {
            products.push((part.condition, self.manager().rename(part.rest, names)?));
        }
        Ok(products)
    }

    fn parts(&mut self, f: Bdd, levels: &[Level]) -> Result<Vec<Part>, Stop> {
        let relations = &mut self.relations;
        parts(&mut *relations.manager, &relations.limits, f, levels)
    }

    fn shared_written(&mut self, step: &Step) -> (LevelSet, Renaming) {
        let cells = step.writes.iter().map(|write| write.cell);
        let pairs: Vec<_> = cells
            .filter(|cell| matches!(cell, Cell::Shared(_)))
            .map(|cell| self.relations.pair(cell))
            .collect();
        let now: Vec<Level> = pairs.iter().map(|pair| pair.now).collect();
        let names: Vec<_> = pairs.iter().map(|pair| (pair.next, pair.now)).collect();
        (self.manager().level_set(&now), self.manager().renaming(&names))
    }

    /// The shared values after a transition from these.
    pub fn shared_after(&mut self, shared: Bdd, transition: &Transition) -> Result<Bdd, Stop> {
        let after = self.manager().and_exists(shared, transition.shared, transition.written)?;
        self.manager().rename(after, transition.forward)
    }

    /// What may be violated by a thread of a local set whatever the other threads are: properties, each with the
    /// shared values for which it is.
    pub fn violations(&mut self, local: LocalId) -> Result<Rc<[(PropertyId, Bdd)]>, Stop> {
        if let Some(known) = self.violations.get(&local) {
            return Ok(known.clone());
        }
        let checks: &'t [Check] = &self.template().locations[self.get(local).location].checks;
        let mut found = Vec::new();
        for check in checks.iter().filter(|check| check.audience.is_none()) {
            let fails = self.relations.possible(&check.condition)?.false_in;
            let shared = self.shared_where(local, fails)?;
            found.push((check.property, shared));
        }
        let found: Rc<[(PropertyId, Bdd)]> = found.into();
        self.violations.insert(local, found.clone());
        Ok(found)
    }

    /// The shared values for which some thread of a local set that may run satisfies a condition on its slots and the
    /// shared variables.
    pub(super) fn shared_where(&mut self, local: LocalId, condition: Bdd) -> Result<Bdd, Stop> {
        let Local { location, set } = self.get(local);
        let mut here = self.manager().and(set, condition)?;
        if let Some(enforce) = &self.template().locations[location].enforce {
            let enforced = self.relations.possible(enforce)?.true_in;
            here = self.manager().and(here, enforced)?;
        }
        let slots: Vec<Level> = self.relations.levels.slots.iter().map(|pair| pair.now).collect();
        let slots = self.manager().level_set(&slots);
        self.manager().exists(here, slots)
    }

    /// The shared values, among some, from which a transition leads to some others.
    pub fn shared_before(&mut self, shared: Bdd, transition: &Transition, after: Bdd) -> Result<Bdd, Stop> {
        let step = self.relations.step(transition.step);
        let cells = step.writes.iter().map(|write| write.cell);
        let pairs: Vec<_> = cells
            .filter(|cell| matches!(cell, Cell::Shared(_)))
            .map(|cell| self.relations.pair(cell))
            .collect();
        let next: Vec<Level> = pairs.iter().map(|pair| pair.next).collect();
        let names: Vec<_> = pairs.iter().map(|pair| (pair.now, pair.next)).collect();
        let (next, names) = (self.manager().level_set(&next), self.manager().renaming(&names));
        let after = self.manager().rename(after, names)?;
        let before = self.manager().and_exists(transition.shared, after, next)?;
        self.manager().and(before, shared)
    }

    /// One valuation of the shared variables, out of a set of them that is not empty.
    pub fn one_shared(&mut self, shared: Bdd) -> Result<Bdd, Stop> {
        let chosen = self.manager().pick(shared).unwrap_or_default();
        let value = |level: Level| chosen.contains(&(level, true));
        let pairs = self.relations.levels.shared.iter();
        let literals: Vec<(Level, bool)> = pairs.map(|pair| (pair.now, value(pair.now))).collect();
        ops::cube(self.manager(), &literals)
    }

    /// The values for which a thread of a local set violates a property: over the shared variables, its slots, and,
    /// if there is a passive copy, the copy.
    pub fn violating(&mut self, local: LocalId, property: PropertyId, facing: Facing) -> Result<Bdd, Stop> {
        let location = &self.template().locations[self.get(local).location];
        let mut all = self.manager().constant(false);
        for check in location.checks.iter().filter(|check| check.property == property) {
            let fails = self.relations.possible(&check.condition)?.false_in;
            let fails = match (check.audience, facing) {
                (None, _) | (_, Facing::Copy) => fails,
                (Some(_), Facing::Nobody) => self.whatever_the_copy(fails)?,
            };
            all = self.manager().or(all, fails)?;
        }
        if let Some(enforce) = &location.enforce {
            let enforced = self.relations.possible(enforce)?.true_in;
            all = self.manager().and(all, enforced)?;
        }
        Ok(all)
    }
}

/// Whether a violation is about a passive copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Facing {
    /// It is.
    Copy,
    /// It is not, or there is none.
    Nobody,
}
