//! The other side of a broadcast: what passive threads do, and assertions about them.

use super::locals::{LocalId, Locals};
use super::relations::ClassId;
use crate::bdd::{Bdd, Level};
use crate::boolean::cfg::ProcedureId;
use crate::ground::reason::Stop;
use crate::system::template::Check;

/// What a broadcast means for a thread in a local set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hearing {
    /// Nothing: it has no frame of the procedure.
    Deaf,
    /// It moves to this local set.
    Moves(LocalId),
    /// It keeps the step from happening, with every value.
    Blocks,
}

impl<'t> Locals<'t> {
    /// What passive threads in a local set do in a class of a broadcast.
    pub fn hear(&mut self, local: LocalId, class: ClassId) -> Result<Hearing, Stop> {
        let procedure = self.relations.class(class).procedure;
        let Some(base) = self.frame_of(local, procedure) else { return Ok(Hearing::Deaf) };
        let known = self.passive.get(&(local, class)).copied();
        let after = match known {
            Some(after) => after,
            None => {
                let after = self.passive_image(local, class, base)?;
                self.passive.insert((local, class), after);
                after
            }
        };
        Ok(after.map_or(Hearing::Blocks, Hearing::Moves))
    }

    /// The first slot of the frame of a procedure in threads of a local set.
    pub fn frame_of(&self, local: LocalId, procedure: ProcedureId) -> Option<usize> {
        self.template().locations[self.get(local).location].frame_of(procedure)
    }

    fn passive_image(
        &mut self,
        local: LocalId,
        class: ClassId,
        base: usize,
    ) -> Result<Option<LocalId>, Stop> {
        self.translated += 1;
        let relation = self.passive_relation(class, base)?;
        let written = &self.relations.class(class).written;
        let pairs: Vec<_> =
            written.iter().map(|&position| self.relations.levels.slots[base + position]).collect();
        let now: Vec<Level> = pairs.iter().map(|pair| pair.now).collect();
        let names: Vec<_> = pairs.iter().map(|pair| (pair.next, pair.now)).collect();
        let set = self.get(local).set;
        let (now, names) = (self.manager().level_set(&now), self.manager().renaming(&names));
        let after = self.manager().and_exists(set, relation, now)?;
        let after = self.manager().rename(after, names)?;
        let location = self.get(local).location;
        Ok((after != self.manager().constant(false)).then(|| self.intern(location, after)))
    }

    /// The relation of a class on the slots of a thread whose copy begins at this slot.
    pub(super) fn passive_relation(&mut self, class: ClassId, base: usize) -> Result<Bdd, Stop> {
        let relation = self.relations.class(class).relation;
        let names = self.copy_names(base);
        let names = self.manager().renaming(&names);
        self.manager().rename(relation, names)
    }

    /// From the levels of the passive copy to those of slots from a base on.
    fn copy_names(&self, base: usize) -> Vec<(Level, Level)> {
        let levels = &self.relations.levels;
        let slots = levels.slots.iter().skip(base);
        let pairs = levels.passive.iter().zip(slots);
        pairs.flat_map(|(passive, slot)| [(passive.now, slot.now), (passive.next, slot.next)]).collect()
    }

    /// The checks of a local set that look at passive copies.
    pub fn broadcast_checks(&self, local: LocalId) -> Vec<&'t Check> {
        let checks = &self.template().locations[self.get(local).location].checks;
        checks.iter().filter(|check| check.audience.is_some()).collect()
    }

    /// The shared values for which a check with `$` fails for some thread of the first local set and some passive
    /// thread of the second, which has its copy at this slot.
    pub fn fails_facing(
        &mut self,
        active: LocalId,
        check: &Check,
        passive: LocalId,
        base: usize,
    ) -> Result<Bdd, Stop> {
        let fails = self.relations.possible(&check.condition)?.false_in;
        let copy = self.as_copy(passive, base)?;
        let levels = self.relations.levels.all_passive();
        let levels = self.manager().level_set(&levels);
        let fails = self.manager().and_exists(fails, copy, levels)?;
        self.shared_where(active, fails)
    }

    /// A local set over the levels of the passive copy, which begins at this slot.
    pub(super) fn as_copy(&mut self, local: LocalId, base: usize) -> Result<Bdd, Stop> {
        let names: Vec<_> = self.copy_names(base).into_iter().map(|(copy, slot)| (slot, copy)).collect();
        let names = self.manager().renaming(&names);
        let copy = self.seen_from_outside(local, base)?;
        self.manager().rename(copy, names)
    }

    /// A local set with only the slots of one frame.
    fn seen_from_outside(&mut self, local: LocalId, base: usize) -> Result<Bdd, Stop> {
        let location = self.get(local).location;
        let frames = &self.template().locations[location].frames;
        let end = frames.iter().map(|frame| frame.base).filter(|&other| other > base).min();
        let slots = self.relations.levels.slots.iter().enumerate();
        let outside = slots.filter(|&(slot, _)| slot < base || end.is_some_and(|end| slot >= end));
        let outside: Vec<Level> = outside.map(|(_, pair)| pair.now).collect();
        let outside = self.manager().level_set(&outside);
        let set = self.get(local).set;
        self.manager().exists(set, outside)
    }

    /// The shared values for which a check with `$` fails for some thread of a local set when there is no passive
    /// copy: whatever the copy is.
    pub fn fails_alone(&mut self, active: LocalId, check: &Check) -> Result<Bdd, Stop> {
        let fails = self.relations.possible(&check.condition)?.false_in;
        let all = self.whatever_the_copy(fails)?;
        self.shared_where(active, all)
    }

    /// Where a condition holds for all values of the passive copy.
    pub(super) fn whatever_the_copy(&mut self, condition: Bdd) -> Result<Bdd, Stop> {
        let fails = self.manager().not(condition)?;
        let levels = self.relations.levels.all_passive();
        let levels = self.manager().level_set(&levels);
        let some = self.manager().exists(fails, levels)?;
        self.manager().not(some)
    }
}
