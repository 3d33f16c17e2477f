//! One step of one of the threads, as formulas over the state before it and the choices of the step.

use super::choices::{Choices, Possible, number};
use super::state::{State, Thread};
use crate::boolean::cfg::Time;
use crate::engine::bounded::formula::{Formula, Store};
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::template::{self, Cell, LocationId, Template};

/// A step.
pub struct Step {
    /// For each thread whether it moves.
    pub moves: Vec<Formula>,
    /// Whether the step is one: exactly one thread moves, and it does something that it can do.
    pub valid: Formula,
    /// The state after it.
    pub after: State,
}

/// What the thread that moves does.
struct Effect {
    valid: Formula,
    shared: Writes,
    slots: Writes,
    /// For each location whether the thread goes there.
    target: IndexVec<LocationId, Formula>,
    /// Whether it starts a thread, and where.
    starts: Formula,
    child: IndexVec<LocationId, Formula>,
    child_slots: Writes,
}

/// For each cell: whether it is written, and with what if it is.
struct Writes(Vec<(Formula, Formula)>);

impl Writes {
    fn none(count: usize) -> Self {
        Self(vec![(Formula::FALSE, Formula::FALSE); count])
    }

    fn add(&mut self, store: &mut Store, cell: usize, (when, value): (Formula, Formula)) {
        let (written, values) = self.0[cell];
        let value = store.and(when, value);
        self.0[cell] = (store.or(written, when), store.or(values, value));
    }

    /// The value of a cell after the step.
    fn after(&self, store: &mut Store, cell: usize, before: Formula) -> Formula {
        let (written, values) = self.0[cell];
        let kept = store.and(!written, before);
        store.or(values, kept)
    }
}

impl Step {
    /// Any step from a state.
    pub fn from(
        state: &State,
        store: &mut Store,
        template: &Template,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let may_move = state.may_move(store, template);
        let chosen = number(store, state.threads.len());
        let moves: Vec<Formula> =
            may_move.into_iter().zip(chosen).map(|(may, chosen)| store.and(may, chosen)).collect();
        let mover = mover(state, store, template, &moves);
        let effect = Effect::of(state, &mover, store, template, limits)?;
        let births = births(state, store);
        let shared = state.shared.iter().enumerate();
        let shared = shared.map(|(cell, &value)| effect.shared.after(store, cell, value)).collect();
        let threads = state.threads.iter().zip(&moves).zip(births);
        let threads = threads.map(|((thread, &moves), born)| {
            let born = store.and(born, effect.starts);
            effect.thread_after(store, thread, &mover, (moves, born))
        });
        let after = State { shared, threads: threads.collect() };
        Ok(Self { moves, valid: effect.valid, after })
    }
}

/// The thread that moves: what is true of it, whichever it is.
fn mover(state: &State, store: &mut Store, template: &Template, moves: &[Formula]) -> Thread {
    let mut select = |of: &dyn Fn(&Thread) -> Formula| {
        let mut selected = Formula::FALSE;
        for (thread, &moves) in state.threads.iter().zip(moves) {
            let its = store.and(moves, of(thread));
            selected = store.or(selected, its);
        }
        selected
    };
    let at = template.locations.ids().map(|location| select(&|thread| thread.at[location])).collect();
    let slots = (0..template.slots).map(|slot| select(&|thread| thread.slots[slot])).collect();
    Thread { at: IndexVec::from_vec(at), slots }
}

/// For each place whether a thread that is started gets it: the first that is free. If there is none, nothing is started.
fn births(state: &State, store: &mut Store) -> Vec<Formula> {
    let mut full = Formula::TRUE;
    let mut births = Vec::new();
    for thread in &state.threads {
        let present = thread.present(store);
        births.push(store.and(full, !present));
        full = store.and(full, present);
    }
    births
}

impl Effect {
    fn of(
        state: &State,
        mover: &Thread,
        store: &mut Store,
        template: &Template,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let most = template.locations.iter().map(|location| location.steps.len()).max().unwrap_or(0);
        let ways = number(store, most.max(1));
        let nowhere = IndexVec::filled(Formula::FALSE, template.locations.len());
        let mut effect = Self {
            valid: Formula::FALSE,
            shared: Writes::none(template.shared),
            slots: Writes::none(template.slots),
            target: nowhere.clone(),
            starts: Formula::FALSE,
            child: nowhere,
            child_slots: Writes::none(template.slots),
        };
        let mut choices = Choices::default();
        for (location, contents) in template.locations.enumerate() {
            limits.check()?;
            if mover.at[location] == Formula::FALSE {
                continue;
            }
            let here = match &contents.enforce {
                Some(enforce) => {
                    let possible = Possible::of(store, enforce, |_, place| now(state, mover, place.cell));
                    store.and(mover.at[location], possible.can_be_true)
                }
                None => mover.at[location],
            };
            let is_alone = contents.steps.len() == 1;
            for (step, &way) in contents.steps.iter().zip(&ways) {
                let taken = if is_alone { here } else { store.and(here, way) };
                effect.add(state, mover, store, (taken, step), &mut choices);
            }
        }
        Ok(effect)
    }

    /// A step of the template, where it is taken.
    fn add(
        &mut self,
        state: &State,
        mover: &Thread,
        store: &mut Store,
        (taken, step): (Formula, &template::Step),
        choices: &mut Choices,
    ) {
        let mut fires = taken;
        if let Some(assume) = &step.assume {
            let possible = Possible::of(store, assume, |_, place| now(state, mover, place.cell));
            fires = store.and(fires, possible.can_be_true);
        }
        let mut drawn = 0;
        let mut draw = |store: &mut Store, value: Option<&template::Expression>| {
            drawn += 1;
            let choice = choices.get(store, drawn);
            value.map_or(choice, |value| {
                let possible = Possible::of(store, value, |_, place| now(state, mover, place.cell));
                possible.value(store, choice)
            })
        };
        let written: Vec<(Cell, Formula)> =
            step.writes.iter().map(|write| (write.cell, draw(store, write.value.as_ref()))).collect();
        let child: Vec<Formula> = step
            .starts
            .iter()
            .flat_map(|start| &start.slots)
            .map(|value| draw(store, value.as_ref()))
            .collect();
        if let Some(constrain) = &step.constrain {
            let possible = Possible::of(store, constrain, |_, place| match place.time {
                Time::Now => now(state, mover, place.cell),
                Time::Next => {
                    let new = written.iter().find(|(cell, _)| *cell == place.cell);
                    new.map_or_else(|| now(state, mover, place.cell), |&(_, value)| value)
                }
            });
            fires = store.and(fires, possible.can_be_true);
        }
        if fires == Formula::FALSE {
            return;
        }
        self.valid = store.or(self.valid, fires);
        for (cell, value) in written {
            match cell {
                Cell::Shared(variable) => self.shared.add(store, variable, (fires, value)),
                Cell::Slot(slot) => self.slots.add(store, slot, (fires, value)),
                Cell::Passive(_) => unreachable!("programs with broadcasts are refused"),
            }
        }
        if let Some(target) = step.target {
            self.target[target] = store.or(self.target[target], fires);
        }
        if let Some(start) = &step.starts {
            self.starts = store.or(self.starts, fires);
            self.child[start.location] = store.or(self.child[start.location], fires);
            for (slot, value) in child.into_iter().enumerate() {
                self.child_slots.add(store, slot, (fires, value));
            }
        }
    }

    /// A thread after the step: the one that moved, one that was started, or any other.
    fn thread_after(
        &self,
        store: &mut Store,
        thread: &Thread,
        mover: &Thread,
        (moves, born): (Formula, Formula),
    ) -> Thread {
        let at = thread.at.enumerate().map(|(location, &at)| {
            let moved = store.choose(moves, self.target[location], at);
            store.choose(born, self.child[location], moved)
        });
        let at = IndexVec::from_vec(at.collect());
        let slots = thread.slots.iter().enumerate().map(|(slot, &value)| {
            let moved = self.slots.after(store, slot, mover.slots[slot]);
            let moved = store.choose(moves, moved, value);
            let child = self.child_slots.after(store, slot, value);
            store.choose(born, child, moved)
        });
        let slots = slots.collect();
        Thread { at, slots }
    }
}

/// A value as the thread that moves sees it.
fn now(state: &State, mover: &Thread, cell: Cell) -> Formula {
    match cell {
        Cell::Shared(variable) => state.shared[variable],
        Cell::Slot(slot) => mover.slots[slot],
        Cell::Passive(_) => unreachable!("programs with broadcasts are refused"),
    }
}
