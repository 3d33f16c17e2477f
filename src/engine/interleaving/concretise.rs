//! From a run through sets of states to a run of the interpreter.
//!
//! Backwards, a point of every set on the way is chosen, one step before the next; only live slots are chosen. Forwards,
//! the dead slots get values that the statements can write, and threads that a reduction has disabled are there
//! again, where they were.

use super::relations::Relations;
use super::vector::{Act, Landing, Vector};
use crate::bdd::{Bdd, Level, ops};
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::interpret::State;
use crate::boolean::trace::Trace;
use crate::boolean::trace::run::trace_of_run;
use crate::ground::bits::Bits;
use crate::ground::reason::Stop;
use crate::system::template::{Atomicity, LocationId};
use std::collections::HashMap;
use std::rc::Rc;

/// Values of shared variables and live slots, sorted; what is not mentioned may have any.
pub type Point = Vec<(Level, bool)>;

/// A step of a run.
pub struct Leg {
    /// Where the threads are before it.
    pub vector: Rc<Vector>,
    /// What is done.
    pub act: Act,
    /// The positions of threads that are disabled from now on.
    pub disabled: Rc<[usize]>,
    /// The point after it.
    pub after: Point,
}

/// A thread with all its slots.
#[derive(Clone)]
struct Whole {
    token: usize,
    location: LocationId,
    slots: Bits,
}

/// A whole state. Threads are in the order in which they were started.
struct Runner {
    shared: Bits,
    threads: Vec<Whole>,
    /// By position in the vector: the token of the thread.
    tokens: Vec<usize>,
    upcoming: usize,
}

/// A point of a set of states; `None` if it is empty.
pub fn point(
    relations: &mut Relations<'_>,
    locations: &[LocationId],
    set: Bdd,
) -> Result<Option<Point>, Stop> {
    let levels = &relations.levels;
    let mut live: Vec<Level> = levels.shared.iter().map(|pair| pair.now).collect();
    for (slots, &location) in levels.threads.iter().zip(locations) {
        live.extend(relations.template.locations[location].live.iter().map(|&slot| slots[slot].now));
    }
    let Some(mut point) = relations.manager.pick(set) else { return Ok(None) };
    point.retain(|(level, _)| live.contains(level));
    Ok(Some(point))
}

impl Leg {
    fn landing(&self, relations: &Relations<'_>) -> Landing {
        self.vector.after(self.act, relations.step(self.act.step), &self.disabled)
    }

    /// The point after the step, in the levels of the relation.
    fn target(&self, relations: &mut Relations<'_>) -> Result<Bdd, Stop> {
        let landing = self.landing(relations);
        let names = relations.names(&self.vector.locations, self.act, &landing);
        let back: HashMap<Level, Level> = names.into_iter().map(|(from, to)| (to, from)).collect();
        let literals = self.after.iter().filter_map(|(level, value)| Some((*back.get(level)?, *value)));
        let literals: Point = literals.collect();
        ops::cube(&mut *relations.manager, &literals)
    }

    /// A point of a set from which the step leads to the point after it.
    pub fn before(&self, relations: &mut Relations<'_>, set: Bdd) -> Result<Option<Point>, Stop> {
        let target = self.target(relations)?;
        let body = relations.body(&self.vector.locations, self.act)?;
        let both = relations.manager.and(body, target)?;
        let all = relations.manager.and(set, both)?;
        point(relations, &self.vector.locations, all)
    }
}

/// The trace of a run from a point on; `None` if there is none, which would be a defect of the engine.
pub fn trace(
    program: &Program,
    relations: &mut Relations<'_>,
    first: &Point,
    legs: &[Leg],
    violator: usize,
    property: PropertyId,
) -> Result<Option<Trace>, Stop> {
    let mut runner = Runner::new(relations, first);
    let mut states = vec![runner.state(program, relations)];
    let mut movers = Vec::with_capacity(legs.len());
    for leg in legs {
        movers.push(runner.place(leg.act.active));
        if !runner.advance(relations, leg)? {
            return Ok(None);
        }
        states.push(runner.state(program, relations));
    }
    let violator = runner.place(violator);
    let states: Vec<&State> = states.iter().collect();
    Ok(Some(trace_of_run(&states, &movers, property, violator)))
}

impl Runner {
    fn new(relations: &Relations<'_>, first: &Point) -> Self {
        let levels = &relations.levels;
        let shared = levels.shared.iter().map(|pair| value(first, pair.now)).collect();
        let slots = levels.threads[0].iter().map(|pair| value(first, pair.now)).collect();
        let whole = Whole { token: 0, location: relations.template.start, slots };
        Self { shared, threads: vec![whole], tokens: vec![0], upcoming: 1 }
    }

    /// The place, among all threads, of the one at a position of the vector.
    fn place(&self, position: usize) -> usize {
        let token = self.tokens[position];
        let place = self.threads.iter().position(|thread| thread.token == token);
        place.expect("threads of the vector are alive")
    }

    fn state(&self, program: &Program, relations: &Relations<'_>) -> State {
        let template = relations.template;
        let held = |thread: &Whole| template.locations[thread.location].atomicity == Atomicity::Held;
        let thread = |thread: &Whole| template.thread(program, thread.location, &thread.slots);
        State {
            globals: self.shared.clone(),
            threads: self.threads.iter().map(thread).collect(),
            atomic: self.threads.iter().position(held),
        }
    }

    /// All values before a step.
    fn literals(&self, relations: &Relations<'_>) -> Point {
        let levels = &relations.levels;
        let shared = levels.shared.iter().enumerate();
        let mut all: Point = shared.map(|(variable, pair)| (pair.now, self.shared.get(variable))).collect();
        for (position, slots) in levels.threads.iter().enumerate().take(self.tokens.len()) {
            let thread = &self.threads[self.place(position)];
            all.extend(slots.iter().enumerate().map(|(slot, pair)| (pair.now, thread.slots.get(slot))));
        }
        all
    }

    fn advance(&mut self, relations: &mut Relations<'_>, leg: &Leg) -> Result<bool, Stop> {
        let (locations, act) = (&leg.vector.locations, leg.act);
        let fixed = self.literals(relations);
        let fixed = ops::cube(&mut *relations.manager, &fixed)?;
        let body = relations.body(locations, act)?;
        let target = leg.target(relations)?;
        let possible = relations.manager.and(fixed, body)?;
        let possible = relations.manager.and(possible, target)?;
        let Some(chosen) = relations.manager.pick(possible) else { return Ok(false) };
        for (at, pair) in relations.written(locations, act) {
            match at {
                Some((position, slot)) => {
                    let place = self.place(position);
                    self.threads[place].slots.set(slot, value(&chosen, pair.next));
                }
                None => self.write_shared(relations, &chosen, pair.now, pair.next),
            }
        }
        self.go_on(relations, leg, &chosen);
        Ok(true)
    }

    fn write_shared(&mut self, relations: &Relations<'_>, chosen: &Point, now: Level, next: Level) {
        let variable = relations.levels.shared.iter().position(|pair| pair.now == now);
        let variable = variable.expect("a shared variable has a level");
        self.shared.set(variable, value(chosen, next));
    }

    /// Moves control, ends and starts threads.
    fn go_on(&mut self, relations: &Relations<'_>, leg: &Leg, chosen: &Point) {
        let (step, act) = (relations.step(leg.act.step), leg.act);
        let place = self.place(act.active);
        let landing = leg.landing(relations);
        match step.target {
            Some(location) => self.threads[place].location = location,
            None => _ = self.threads.remove(place),
        }
        if let Some(start) = step.starts.as_ref().filter(|_| relations.starts(act)) {
            let slots = &relations.levels.threads[leg.vector.locations.len()];
            let slots = slots.iter().map(|pair| value(chosen, pair.now)).collect();
            self.threads.push(Whole { token: self.upcoming, location: start.location, slots });
            self.tokens.push(self.upcoming);
            self.upcoming += 1;
        }
        self.tokens = landing.blocks.iter().map(|&block| self.tokens[block]).collect();
    }
}

/// The value of a level in an assignment; false if it has none.
fn value(literals: &[(Level, bool)], level: Level) -> bool {
    literals.binary_search_by_key(&level, |literal| literal.0).is_ok_and(|place| literals[place].1)
}
