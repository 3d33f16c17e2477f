//! Steps of one of N threads as relations on the variables of all.
//!
//! A relation is a conjunction of pieces that are built once: what the thread does by itself, what it does facing each
//! of the passive copies, and the slots of the thread it starts, which are those of the first free position.

use super::levels::Levels;
use super::vector::{Act, Landing};
use crate::bdd::{Bdd, Level, LevelSet, Manager, Renaming, ops};
use crate::boolean::cfg::Time;
use crate::engine::possible::Possible;
use crate::engine::symmetry::{Pair, Spawn, StepId};
use crate::ground::reason::Stop;
use crate::system::template::{Cell, Check, Expression, LocationId, Place, Step, Template, Write};
use std::collections::HashMap;

/// Whose copy `$` means: a thread and where its frame begins, or nobody's.
type Copy = Option<(usize, usize)>;

/// A piece of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Piece {
    Own,
    Facing(Copy),
    Child(usize),
}

/// How the levels of a relation become those of the state after it.
pub struct Passage {
    hidden: LevelSet,
    names: Renaming,
}

/// The relations of N threads.
pub struct Relations<'t> {
    /// What a thread runs.
    pub template: &'t Template,
    /// The levels.
    pub levels: Levels,
    /// The back end.
    pub manager: Box<dyn Manager>,
    pieces: HashMap<(StepId, usize, Piece), Bdd>,
    enabled: HashMap<(LocationId, usize), Bdd>,
    failing: HashMap<(LocationId, usize, usize, Copy), Bdd>,
}

impl<'t> Relations<'t> {
    pub fn new(template: &'t Template, levels: Levels, manager: Box<dyn Manager>) -> Self {
        let (pieces, enabled, failing) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { template, levels, manager, pieces, enabled, failing }
    }

    /// A step of the template.
    pub fn step(&self, id: StepId) -> &'t Step {
        &self.template.locations[id.location].steps[id.number]
    }

    fn possible(&mut self, expression: &Expression, active: usize, copy: Copy) -> Result<Possible, Stop> {
        let levels = &self.levels;
        Possible::of(&mut *self.manager, expression, |place| level(levels, active, copy, place))
    }

    /// The relation of a step.
    pub fn body(&mut self, locations: &[LocationId], act: Act) -> Result<Bdd, Stop> {
        let mut pieces = vec![self.piece(act, Piece::Own)?];
        if self.step(act.step).audience.is_some() {
            let copies = self.copies(locations, act);
            for &copy in &copies {
                pieces.push(self.piece(act, Piece::Facing(Some(copy)))?);
            }
            if copies.is_empty() {
                pieces.push(self.piece(act, Piece::Facing(None))?);
            }
        }
        if self.starts(act) {
            pieces.push(self.piece(act, Piece::Child(locations.len()))?);
        }
        ops::conjunction(&mut *self.manager, &pieces)
    }

    /// Whether a step starts a thread, and is let to.
    pub fn starts(&self, act: Act) -> bool {
        act.spawn == Spawn::Done && self.step(act.step).starts.is_some()
    }

    /// The passive copies of a step: threads, and where their frames begin.
    pub fn copies(&self, locations: &[LocationId], act: Act) -> Vec<(usize, usize)> {
        let Some(procedure) = self.step(act.step).audience else { return Vec::new() };
        self.frames(locations, act.active, procedure)
    }

    fn frames(
        &self,
        locations: &[LocationId],
        active: usize,
        procedure: crate::boolean::cfg::ProcedureId,
    ) -> Vec<(usize, usize)> {
        let others = locations.iter().enumerate().filter(|&(other, _)| other != active);
        let frame = |&id: &LocationId| self.template.locations[id].frame_of(procedure);
        others.filter_map(|(other, id)| Some((other, frame(id)?))).collect()
    }

    fn piece(&mut self, act: Act, piece: Piece) -> Result<Bdd, Stop> {
        let key = (act.step, act.active, piece);
        if let Some(&known) = self.pieces.get(&key) {
            return Ok(known);
        }
        let built = match piece {
            Piece::Own => self.side(act, None, Side::Own)?,
            Piece::Facing(copy @ Some(_)) => self.side(act, copy, Side::Facing)?,
            Piece::Facing(None) => {
                let facing = self.side(act, None, Side::Facing)?;
                let nobody = self.nobody();
                self.manager.exists(facing, nobody)?
            }
            Piece::Child(position) => self.child(act, position)?,
        };
        self.pieces.insert(key, built);
        Ok(built)
    }

    fn nobody(&mut self) -> LevelSet {
        let levels: Vec<Level> = self.levels.nobody.iter().flat_map(|pair| [pair.now, pair.next]).collect();
        self.manager.level_set(&levels)
    }

    /// The conjunction of what mentions the passive copy, or of what does not.
    fn side(&mut self, act: Act, copy: Copy, side: Side) -> Result<Bdd, Stop> {
        let step = self.step(act.step);
        let enforce = self.template.locations[act.step.location].enforce.as_ref();
        let mut all = self.manager.constant(true);
        let conditions = enforce.into_iter().chain(&step.assume).chain(&step.constrain);
        for condition in conditions.filter(|condition| Side::of(condition) == side) {
            let passes = self.possible(condition, act.active, copy)?.true_in;
            all = self.manager.and(all, passes)?;
        }
        for write in step.writes.iter().filter(|write| Side::of_write(write) == side) {
            let Some(value) = &write.value else { continue };
            let place = Place { cell: write.cell, time: Time::Next };
            let target = level(&self.levels, act.active, copy, &place);
            let value = self.possible(value, act.active, copy)?;
            let takes = value.taken_by(&mut *self.manager, target)?;
            all = self.manager.and(all, takes)?;
        }
        Ok(all)
    }

    fn child(&mut self, act: Act, position: usize) -> Result<Bdd, Stop> {
        let mut all = self.manager.constant(true);
        let slots = self.step(act.step).starts.iter().flat_map(|start| start.slots.iter().enumerate());
        for (slot, value) in slots {
            let Some(value) = value else { continue };
            let target = self.levels.threads[position][slot].now;
            let value = self.possible(value, act.active, None)?;
            let takes = value.taken_by(&mut *self.manager, target)?;
            all = self.manager.and(all, takes)?;
        }
        Ok(all)
    }

    /// Where a cell is before a step, and where it is after it in the levels of the relation: the pairs of what is
    /// written, by thread (`None`: shared).
    pub fn written(&self, locations: &[LocationId], act: Act) -> Vec<(Option<(usize, usize)>, Pair)> {
        let copies = self.copies(locations, act);
        let mut written = Vec::new();
        for write in &self.step(act.step).writes {
            match write.cell {
                Cell::Shared(variable) => written.push((None, self.levels.shared[variable])),
                Cell::Slot(slot) => {
                    written.push((Some((act.active, slot)), self.levels.threads[act.active][slot]));
                }
                Cell::Passive(position) => {
                    let slots = copies.iter().map(|&(thread, base)| (thread, base + position));
                    written.extend(slots.map(|at| (Some(at), self.levels.threads[at.0][at.1])));
                }
            }
        }
        written
    }

    /// From the levels of a relation to those of the state after it: all that may be live there.
    pub fn names(&self, locations: &[LocationId], act: Act, landing: &Landing) -> Vec<(Level, Level)> {
        let written = self.written(locations, act);
        let after = |at: Option<(usize, usize)>, pair: Pair| {
            if written.iter().any(|(other, place)| *other == at && *place == pair) {
                pair.next
            } else {
                pair.now
            }
        };
        let mut names: Vec<(Level, Level)> =
            self.levels.shared.iter().map(|&pair| (after(None, pair), pair.now)).collect();
        for (position, (&location, &block)) in landing.locations.iter().zip(&landing.blocks).enumerate() {
            for &slot in &self.template.locations[location].live {
                let from = after(Some((block, slot)), self.levels.threads[block][slot]);
                names.push((from, self.levels.threads[position][slot].now));
            }
        }
        names
    }

    /// How the levels of a relation become those of the state after it.
    pub fn passage(&mut self, locations: &[LocationId], act: Act, landing: &Landing) -> Passage {
        let names = self.names(locations, act, landing);
        let kept = |level: &Level| names.iter().any(|(from, _)| from == level);
        let written = self.written(locations, act);
        let mut hidden: Vec<Level> = written.iter().flat_map(|(_, pair)| [pair.now, pair.next]).collect();
        let leaving = (0..locations.len()).filter(|block| *block == act.active || !landing.is_kept(*block));
        let blocks = leaving.chain(self.starts(act).then_some(locations.len()));
        let slots = blocks.filter_map(|block| self.levels.threads.get(block));
        hidden.extend(slots.flatten().map(|pair| pair.now));
        hidden.retain(|level| !kept(level));
        hidden.sort_unstable();
        hidden.dedup();
        let moved: Vec<_> = names.into_iter().filter(|(from, to)| from != to).collect();
        Passage { hidden: self.manager.level_set(&hidden), names: self.manager.renaming(&moved) }
    }

    /// The values after a step from some.
    pub fn image(&mut self, set: Bdd, body: Bdd, passage: &Passage) -> Result<Bdd, Stop> {
        let after = self.manager.and_exists(set, body, passage.hidden)?;
        self.manager.rename(after, passage.names)
    }

    /// The values with which a thread at a location, none of whose steps is a broadcast, is not stuck.
    pub fn enabled(&mut self, location: LocationId, active: usize) -> Result<Bdd, Stop> {
        if let Some(&known) = self.enabled.get(&(location, active)) {
            return Ok(known);
        }
        let shared = self.levels.shared.iter();
        let next: Vec<Level> = shared.chain(&self.levels.threads[active]).map(|pair| pair.next).collect();
        let next = self.manager.level_set(&next);
        let mut all = self.manager.constant(false);
        for number in 0..self.template.locations[location].steps.len() {
            let act = Act { step: StepId { location, number }, active, spawn: Spawn::Suppressed };
            let own = self.piece(act, Piece::Own)?;
            let before = self.manager.exists(own, next)?;
            all = self.manager.or(all, before)?;
        }
        self.enabled.insert((location, active), all);
        Ok(all)
    }

    /// The values for which a check at the location of a thread fails.
    pub fn fails(&mut self, locations: &[LocationId], active: usize, number: usize) -> Result<Bdd, Stop> {
        let check = &self.template.locations[locations[active]].checks[number];
        let copies = check.audience.map_or_else(Vec::new, |it| self.frames(locations, active, it));
        if copies.is_empty() {
            return self.fails_facing(locations[active], active, number, None);
        }
        let mut all = self.manager.constant(false);
        for copy in copies {
            let fails = self.fails_facing(locations[active], active, number, Some(copy))?;
            all = self.manager.or(all, fails)?;
        }
        Ok(all)
    }

    fn fails_facing(
        &mut self,
        location: LocationId,
        active: usize,
        number: usize,
        copy: Copy,
    ) -> Result<Bdd, Stop> {
        let key = (location, active, number, copy);
        if let Some(&known) = self.failing.get(&key) {
            return Ok(known);
        }
        let Check { condition, audience, .. } = &self.template.locations[location].checks[number];
        let mut fails = self.possible(condition, active, copy)?.false_in;
        if audience.is_some() && copy.is_none() {
            // Whatever the copy is.
            let passes = self.manager.not(fails)?;
            let nobody = self.nobody();
            let some = self.manager.exists(passes, nobody)?;
            fails = self.manager.not(some)?;
        }
        if let Some(enforce) = &self.template.locations[location].enforce {
            let enforced = self.possible(enforce, active, None)?.true_in;
            fails = self.manager.and(fails, enforced)?;
        }
        self.failing.insert(key, fails);
        Ok(fails)
    }
}

/// Whether a part of a step mentions the passive copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Own,
    Facing,
}

impl Side {
    fn of(expression: &Expression) -> Self {
        let passive = expression.variables().any(|place| matches!(place.cell, Cell::Passive(_)));
        if passive { Self::Facing } else { Self::Own }
    }

    fn of_write(write: &Write) -> Self {
        match write.cell {
            Cell::Passive(_) => Self::Facing,
            _ => write.value.as_ref().map_or(Self::Own, Self::of),
        }
    }
}

fn level(levels: &Levels, active: usize, copy: Copy, place: &Place) -> Level {
    let pair = match (place.cell, copy) {
        (Cell::Shared(variable), _) => levels.shared[variable],
        (Cell::Slot(slot), _) => levels.threads[active][slot],
        (Cell::Passive(position), Some((thread, base))) => levels.threads[thread][base + position],
        (Cell::Passive(position), None) => levels.nobody[position],
    };
    match place.time {
        Time::Now => pair.now,
        Time::Next => pair.next,
    }
}
