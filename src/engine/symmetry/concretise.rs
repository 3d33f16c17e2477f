//! From an abstract run to a concrete one [Bas10, Algorithm 7.2].
//!
//! An abstract run is a list of moves, each with the abstract state before it. Backwards from one concrete state of
//! the last abstract state, a concrete predecessor is picked move by move: any thread in the local set that the
//! moving thread got to may be the one that moved, because sets are products. That fixes the live slots. Forwards, the
//! dead slots are given values that the statements can write, and the run becomes one of the interpreter.

use super::locals::{LocalId, Locals, Spawn, Transition};
use super::passive::Hearing;
use super::relations::StepId;
use super::violations::Violation;
use crate::bdd::{Bdd, Level, ops};
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::interpret::{State, Thread};
use crate::boolean::trace::Trace;
use crate::boolean::trace::run::trace_of_run;
use crate::ground::bits::Bits;
use crate::ground::reason::Stop;
use crate::system::template::{Atomicity, Cell, LocationId};

/// One move of an abstract run.
#[derive(Clone, Debug)]
pub struct Move {
    /// The shared values before it.
    pub shared: Bdd,
    /// How many threads are in which local set before it.
    pub population: Vec<(LocalId, u32)>,
    /// The local set of the thread that moves.
    pub active: LocalId,
    /// What it does.
    pub transition: Transition,
    /// Whether it starts the thread that it wants to start.
    pub spawn: Spawn,
}

/// Where an abstract run ends.
#[derive(Clone, Debug)]
pub struct End {
    /// The shared values in which it ends.
    pub shared: Bdd,
    /// How many threads are in which local set.
    pub population: Vec<(LocalId, u32)>,
    /// What is violated.
    pub violation: Violation,
}

/// A thread of a concrete state. Only live slots have meaning.
#[derive(Clone, Debug)]
struct Concrete {
    token: usize,
    local: LocalId,
    slots: Bits,
}

/// What happened in a step, as far as live slots tell.
struct Happened {
    token: usize,
    step: StepId,
    way: usize,
    shared: Bits,
    /// After the step; `None`: the thread has ended.
    own: Option<(LocationId, Bits)>,
    started: Option<(usize, LocationId, Bits)>,
    passive: Vec<(usize, Bits)>,
}

/// A partial assignment of levels.
type Literals = Vec<(Level, bool)>;

struct Concretiser<'a, 't> {
    locals: &'a mut Locals<'t>,
    shared: Bits,
    threads: Vec<Concrete>,
    tokens: usize,
}

/// The concrete trace of an abstract run; `None` if there is none, which would be a defect of the engine.
pub fn trace(
    program: &Program,
    locals: &mut Locals<'_>,
    moves: &[Move],
    end: &End,
) -> Result<Option<Trace>, Stop> {
    let shared = Bits::new(program.global_count);
    let mut concretiser = Concretiser { locals, shared, threads: Vec::new(), tokens: 0 };
    let Some(violator) = concretiser.last_state(end)? else { return Ok(None) };
    let mut happened = Vec::with_capacity(moves.len());
    for step in moves.iter().rev() {
        let Some(back) = concretiser.back(step)? else { return Ok(None) };
        happened.push(back);
    }
    happened.reverse();
    concretiser.forwards(program, &happened, violator, end.violation.property)
}

impl Concretiser<'_, '_> {
    fn fresh(&mut self) -> usize {
        self.tokens += 1;
        self.tokens - 1
    }

    fn pick(&mut self, parts: &[Bdd]) -> Result<Option<Literals>, Stop> {
        let set = ops::conjunction(self.locals.manager(), parts)?;
        Ok(self.locals.manager().pick(set))
    }

    fn cube(&mut self, literals: &[(Level, bool)]) -> Result<Bdd, Stop> {
        ops::cube(self.locals.manager(), literals)
    }

    fn live(&self, local: LocalId) -> &[usize] {
        &self.locals.template().locations[self.locals.get(local).location].live
    }

    /// Slots from an assignment of their current levels.
    fn slots_from(&self, literals: &[(Level, bool)]) -> Bits {
        let mut slots = Bits::new(self.locals.template().slots);
        for (slot, pair) in self.locals.relations.levels.slots.iter().enumerate() {
            slots.set(slot, value(literals, pair.now));
        }
        slots
    }

    /// Chooses the last concrete state; returns the token of the violator.
    fn last_state(&mut self, end: &End) -> Result<Option<usize>, Stop> {
        let Violation { property, violator, facing, .. } = end.violation;
        let violator_set = self.locals.get(violator).set;
        let condition = self.locals.violating(violator, property, end.violation.about())?;
        let facing = match facing {
            Some((local, base)) => Some((local, base, self.locals.as_copy(local, base)?)),
            None => None,
        };
        let mut parts = vec![end.shared, violator_set, condition];
        parts.extend(facing.map(|(_, _, set)| set));
        let Some(literals) = self.pick(&parts)? else { return Ok(None) };
        for (variable, pair) in self.locals.relations.levels.shared.iter().enumerate() {
            self.shared.set(variable, value(&literals, pair.now));
        }
        let token = self.fresh();
        let slots = self.slots_from(&literals);
        self.threads.push(Concrete { token, local: violator, slots });
        let mut rest = end.population.clone();
        if !take(&mut rest, violator) {
            return Ok(None);
        }
        if let Some((local, base, _)) = facing {
            let Some(slots) = self.copy_slots(local, base, &literals)? else { return Ok(None) };
            let token = self.fresh();
            self.threads.push(Concrete { token, local, slots });
            if !take(&mut rest, local) {
                return Ok(None);
            }
        }
        self.fill(&rest)?;
        Ok(Some(token))
    }

    /// Adds threads with any values of their local sets.
    fn fill(&mut self, population: &[(LocalId, u32)]) -> Result<(), Stop> {
        for &(local, count) in population {
            let set = self.locals.get(local).set;
            let literals = self.pick(&[set])?.unwrap_or_default();
            let slots = self.slots_from(&literals);
            for _ in 0..count {
                let token = self.fresh();
                self.threads.push(Concrete { token, local, slots: slots.clone() });
            }
        }
        Ok(())
    }

    /// The slots of a passive thread whose copy has these values.
    fn copy_slots(&mut self, local: LocalId, base: usize, chosen: &Literals) -> Result<Option<Bits>, Stop> {
        let levels = &self.locals.relations.levels;
        let pairs = levels.passive.iter().zip(levels.slots.iter().skip(base));
        let known = |level: Level| chosen.iter().find(|(other, _)| *other == level).map(|(_, value)| *value);
        let fixed: Literals = pairs.filter_map(|(copy, slot)| Some((slot.now, known(copy.now)?))).collect();
        let fixed = self.cube(&fixed)?;
        let set = self.locals.get(local).set;
        let literals = self.pick(&[set, fixed])?;
        Ok(literals.map(|literals| self.slots_from(&literals)))
    }

    /// One move backwards.
    fn back(&mut self, step: &Move) -> Result<Option<Happened>, Stop> {
        let transition = &step.transition;
        let own = match transition.target {
            Some(target) => match self.remove(target) {
                Some(thread) => Some(thread),
                None => return Ok(None),
            },
            None => None,
        };
        let child = match transition.started {
            Some(started) => match self.remove(started) {
                Some(thread) => Some(thread),
                None => return Ok(None),
            },
            None => None,
        };
        let shared_after = self.shared.clone();
        let Some(shared_before) = self.shared_before(step)? else { return Ok(None) };
        let Some(slots) =
            self.slots_before(step, &shared_before, &shared_after, own.as_ref(), child.as_ref())?
        else {
            return Ok(None);
        };
        let Some(passive) = self.passive_before(step)? else { return Ok(None) };
        let token = own.as_ref().map_or_else(|| self.fresh(), |thread| thread.token);
        self.threads.push(Concrete { token, local: step.active, slots });
        self.shared = shared_before;
        let place = |thread: &Concrete| (self.locals.get(thread.local).location, thread.slots.clone());
        Ok(Some(Happened {
            token,
            step: transition.step,
            way: transition.way,
            shared: shared_after,
            own: own.as_ref().map(place),
            started: child.as_ref().map(|thread| {
                let (location, slots) = place(thread);
                (thread.token, location, slots)
            }),
            passive,
        }))
    }

    /// Takes a thread out of the state that is in a local set.
    fn remove(&mut self, local: LocalId) -> Option<Concrete> {
        let position = self.threads.iter().position(|thread| thread.local == local)?;
        Some(self.threads.remove(position))
    }

    fn shared_before(&mut self, step: &Move) -> Result<Option<Bits>, Stop> {
        let after = self.shared_after_literals(step.transition.step, &self.shared.clone());
        let after = self.cube(&after)?;
        let Some(literals) = self.pick(&[step.shared, step.transition.shared, after])? else {
            return Ok(None);
        };
        let pairs = self.locals.relations.levels.shared.iter();
        Ok(Some(pairs.map(|pair| value(&literals, pair.now)).collect()))
    }

    /// The shared values after a step: at the next levels if they are written, else at the current ones.
    fn shared_after_literals(&self, step: StepId, after: &Bits) -> Literals {
        let step = self.locals.relations.step(step);
        let written = |variable| step.writes.iter().any(|write| write.cell == Cell::Shared(variable));
        let pairs = self.locals.relations.levels.shared.iter().enumerate();
        pairs
            .map(|(variable, pair)| {
                (if written(variable) { pair.next } else { pair.now }, after.get(variable))
            })
            .collect()
    }

    fn shared_literals(&self, shared: &Bits) -> Literals {
        let pairs = self.locals.relations.levels.shared.iter().enumerate();
        pairs.map(|(variable, pair)| (pair.now, shared.get(variable))).collect()
    }

    fn slots_before(
        &mut self,
        step: &Move,
        before: &Bits,
        after: &Bits,
        own: Option<&Concrete>,
        child: Option<&Concrete>,
    ) -> Result<Option<Bits>, Stop> {
        let transition = &step.transition;
        let mut literals = self.shared_literals(before);
        literals.extend(self.shared_after_literals(transition.step, after));
        if let Some(own) = own {
            literals.extend(self.own_literals(transition.step, self.live(own.local), &own.slots));
        }
        if let Some(child) = child {
            literals.extend(self.child_literals(self.live(child.local), &child.slots));
        }
        literals.sort_unstable();
        literals.dedup();
        let fixed = self.cube(&literals)?;
        let body = self.body(transition.step, transition.way, step.spawn)?;
        let set = self.locals.get(step.active).set;
        let found = self.pick(&[set, body, fixed])?;
        Ok(found.map(|literals| self.slots_from(&literals)))
    }

    /// The relation of one way to take a step, with the thread it starts.
    fn body(&mut self, step: StepId, way: usize, spawn: Spawn) -> Result<Bdd, Stop> {
        let body = self.locals.relations.ways(step)?[way].body;
        if spawn == Spawn::Suppressed {
            return Ok(body);
        }
        let child = self.locals.relations.child(self.locals.relations.step(step))?;
        self.locals.manager().and(body, child)
    }

    /// Slots of a thread after a step.
    fn own_literals(&self, step: StepId, known: &[usize], slots: &Bits) -> Literals {
        let step = self.locals.relations.step(step);
        let written = |slot| step.writes.iter().any(|write| write.cell == Cell::Slot(slot));
        let literal = |&slot: &usize| {
            let pair = self.locals.relations.levels.slots[slot];
            (if written(slot) { pair.next } else { pair.now }, slots.get(slot))
        };
        known.iter().map(literal).collect()
    }

    fn child_literals(&self, known: &[usize], slots: &Bits) -> Literals {
        let child = &self.locals.relations.levels.child;
        known.iter().map(|&slot| (child[slot], slots.get(slot))).collect()
    }

    /// Puts the threads that did not move back to where a broadcast found them.
    fn passive_before(&mut self, step: &Move) -> Result<Option<Vec<(usize, Bits)>>, Stop> {
        let Some(class) = step.transition.class else { return Ok(Some(Vec::new())) };
        let mut population = step.population.clone();
        take(&mut population, step.active);
        let others = std::mem::take(&mut self.threads);
        let mut moved = Vec::new();
        let mut waiting = others;
        for (local, count) in population {
            let heard = match self.locals.hear(local, class)? {
                Hearing::Deaf => local,
                Hearing::Moves(after) => after,
                Hearing::Blocks => return Ok(None),
            };
            for _ in 0..count {
                let Some(position) = waiting.iter().position(|thread| thread.local == heard) else {
                    return Ok(None);
                };
                let thread = waiting.remove(position);
                let Some(base) = self.locals.frame_of(local, self.locals.relations.class(class).procedure)
                else {
                    self.threads.push(thread);
                    continue;
                };
                let relation = self.locals.passive_relation(class, base)?;
                let written: Vec<usize> =
                    self.locals.relations.class(class).written.iter().map(|&p| base + p).collect();
                let Some(slots) = self.copy_before(local, relation, &written, &thread)? else {
                    return Ok(None);
                };
                moved.push((thread.token, thread.slots));
                self.threads.push(Concrete { token: thread.token, local, slots });
            }
        }
        Ok(Some(moved))
    }

    fn copy_before(
        &mut self,
        local: LocalId,
        relation: Bdd,
        written: &[usize],
        after: &Concrete,
    ) -> Result<Option<Bits>, Stop> {
        let literal = |&slot: &usize| {
            let pair = self.locals.relations.levels.slots[slot];
            (if written.contains(&slot) { pair.next } else { pair.now }, after.slots.get(slot))
        };
        let literals: Literals = self.live(local).iter().map(literal).collect();
        let fixed = self.cube(&literals)?;
        let set = self.locals.get(local).set;
        let found = self.pick(&[set, relation, fixed])?;
        Ok(found.map(|literals| self.slots_from(&literals)))
    }

    /// The run in whole states, from the first state on.
    fn forwards(
        &mut self,
        program: &Program,
        happened: &[Happened],
        violator: usize,
        property: PropertyId,
    ) -> Result<Option<Trace>, Stop> {
        self.threads.sort_by_key(|thread| thread.token);
        let mut states = vec![self.state(program, &self.whole())];
        let mut movers = Vec::with_capacity(happened.len());
        let mut run = self.whole();
        for step in happened {
            let Some(position) = run.iter().position(|thread| thread.token == step.token) else {
                return Ok(None);
            };
            movers.push(position);
            if !self.advance(&mut run, position, step)? {
                return Ok(None);
            }
            states.push(self.state(program, &run));
        }
        let Some(violator) = run.iter().position(|thread| thread.token == violator) else { return Ok(None) };
        let states: Vec<&State> = states.iter().collect();
        Ok(Some(trace_of_run(&states, &movers, property, violator)))
    }

    fn whole(&self) -> Vec<Whole> {
        let whole = |thread: &Concrete| Whole {
            token: thread.token,
            location: self.locals.get(thread.local).location,
            slots: thread.slots.clone(),
        };
        self.threads.iter().map(whole).collect()
    }

    fn state(&self, program: &Program, run: &[Whole]) -> State {
        let template = self.locals.template();
        let thread = |whole: &Whole| -> Thread { template.thread(program, whole.location, &whole.slots) };
        let held = |whole: &Whole| template.locations[whole.location].atomicity == Atomicity::Held;
        State {
            globals: self.shared.clone(),
            threads: run.iter().map(thread).collect(),
            atomic: run.iter().position(held),
        }
    }

    /// One step forwards. What is written and dead gets a value that the step can write.
    fn advance(&mut self, run: &mut Vec<Whole>, position: usize, step: &Happened) -> Result<bool, Stop> {
        let before = run[position].clone();
        let spawn = if step.started.is_some() { Spawn::Done } else { Spawn::Suppressed };
        let mut literals = self.shared_literals(&self.shared);
        literals.extend(self.shared_after_literals(step.step, &step.shared));
        for (slot, pair) in self.locals.relations.levels.slots.iter().enumerate() {
            literals.push((pair.now, before.slots.get(slot)));
        }
        let live = |location: LocationId| &self.locals.template().locations[location].live;
        if let Some((location, slots)) = &step.own {
            let own = self.own_literals(step.step, live(*location), slots);
            literals.extend(own);
        }
        if let Some((_, location, slots)) = &step.started {
            literals.extend(self.child_literals(live(*location), slots));
        }
        literals.sort_unstable();
        literals.dedup();
        let fixed = self.cube(&literals)?;
        let body = self.body(step.step, step.way, spawn)?;
        let Some(found) = self.pick(&[body, fixed])? else { return Ok(false) };
        self.shared = step.shared.clone();
        for (token, slots) in &step.passive {
            self.overwrite(run, *token, slots);
        }
        match &step.own {
            Some((location, _)) => {
                run[position] = self.moved(&before, *location, step.step, &found);
            }
            None => {
                run.remove(position);
            }
        }
        if let Some((token, location, _)) = step.started {
            let child = self.locals.relations.levels.child.iter();
            let slots = child.map(|&level| value(&found, level)).collect();
            run.push(Whole { token, location, slots });
        }
        Ok(true)
    }

    fn moved(&self, before: &Whole, location: LocationId, step: StepId, found: &Literals) -> Whole {
        let mut after = Whole { location, ..before.clone() };
        for write in &self.locals.relations.step(step).writes {
            if let Cell::Slot(slot) = write.cell {
                after.slots.set(slot, value(found, self.locals.relations.levels.slots[slot].next));
            }
        }
        after
    }

    /// Gives a passive thread the live slots that it has after a broadcast.
    fn overwrite(&self, run: &mut [Whole], token: usize, slots: &Bits) {
        for thread in run.iter_mut().filter(|thread| thread.token == token) {
            for &slot in &self.locals.template().locations[thread.location].live {
                thread.slots.set(slot, slots.get(slot));
            }
        }
    }
}

/// A thread with all its slots.
#[derive(Clone, Debug)]
struct Whole {
    token: usize,
    location: LocationId,
    slots: Bits,
}

/// The value of a level in an assignment; false if it has none.
fn value(literals: &[(Level, bool)], level: Level) -> bool {
    literals.iter().any(|&(other, value)| other == level && value)
}

/// Takes one thread out of a population; tells whether there was one.
fn take(population: &mut Vec<(LocalId, u32)>, local: LocalId) -> bool {
    let Some(position) = population.iter().position(|&(other, _)| other == local) else { return false };
    population[position].1 -= 1;
    if population[position].1 == 0 {
        population.remove(position);
    }
    true
}
