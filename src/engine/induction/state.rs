//! A state of N threads, as formulas.

use super::choices::{Possible, number};
use crate::engine::bounded::formula::{Formula, Input, Store};
use crate::ground::index::{Index, IndexVec};
use crate::system::template::{Atomicity, Cell, Check, LocationId, Template};

/// A place for a thread.
#[derive(Clone)]
pub struct Thread {
    /// For each location whether the thread is there. It is at one at most; at none there is no thread.
    pub at: IndexVec<LocationId, Formula>,
    /// The values of its slots.
    pub slots: Vec<Formula>,
}

/// A state.
#[derive(Clone)]
pub struct State {
    pub shared: Vec<Formula>,
    pub threads: Vec<Thread>,
}

fn inputs(store: &mut Store, count: usize) -> Vec<Formula> {
    (0..count).map(|_| store.unnamed(Input::Choice)).collect()
}

impl State {
    /// Where runs start: one thread, and any values.
    pub fn first(store: &mut Store, template: &Template, threads: usize) -> Self {
        let nowhere = IndexVec::filled(Formula::FALSE, template.locations.len());
        let thread = |store: &mut Store| Thread { at: nowhere.clone(), slots: inputs(store, template.slots) };
        let shared = inputs(store, template.shared);
        let mut threads: Vec<Thread> = (0..threads).map(|_| thread(store)).collect();
        threads[0].at[template.start] = Formula::TRUE;
        Self { shared, threads }
    }

    /// Any state, and what is true of it by the way states are written down: at most one thread is in an atomic section.
    pub fn any(store: &mut Store, template: &Template, threads: usize) -> (Self, Formula) {
        let thread = |store: &mut Store| {
            // The first number is for "no thread".
            let places = number(store, template.locations.len() + 1);
            let at = IndexVec::from_vec(places[1..].to_vec());
            (Thread { at, slots: inputs(store, template.slots) }, places)
        };
        let shared = inputs(store, template.shared);
        let mut meant = Formula::TRUE;
        let mut all = Vec::new();
        for _ in 0..threads {
            let (thread, places) = thread(store);
            let some = store.any(places);
            meant = store.and(meant, some);
            all.push(thread);
        }
        let state = Self { shared, threads: all };
        let held = state.held(store, template);
        for (number, &one) in held.iter().enumerate() {
            for &other in &held[..number] {
                let both = store.and(one, other);
                meant = store.and(meant, !both);
            }
        }
        (state, meant)
    }

    /// For each thread whether it is in an atomic section.
    pub fn held(&self, store: &mut Store, template: &Template) -> Vec<Formula> {
        let is_held = |location: &LocationId| template.locations[*location].atomicity == Atomicity::Held;
        let held: Vec<LocationId> = template.locations.ids().filter(is_held).collect();
        self.threads
            .iter()
            .map(|thread| store.any(held.iter().map(|&location| thread.at[location])))
            .collect()
    }

    /// For each thread whether it may move: it is there, and no other thread is in an atomic section.
    pub fn may_move(&self, store: &mut Store, template: &Template) -> Vec<Formula> {
        let held = self.held(store, template);
        let somebody = store.any(held.iter().copied());
        let moves = |(thread, held): (&Thread, Formula)| {
            let present = thread.present(store);
            let free = store.or(held, !somebody);
            store.and(present, free)
        };
        self.threads.iter().zip(held).map(moves).collect()
    }

    /// Whether a check fails: in a thread that may move. `moves` tells which may.
    pub fn fails(
        &self,
        store: &mut Store,
        template: &Template,
        (location, check): (LocationId, &Check),
        moves: &[Formula],
    ) -> Formula {
        let mut fails = Formula::FALSE;
        for (thread, &moves) in self.threads.iter().zip(moves) {
            let here = store.and(thread.at[location], moves);
            if here == Formula::FALSE {
                continue;
            }
            let false_here = Possible::of(store, &check.condition, |_, place| self.value(thread, place.cell));
            let enforced = template.locations[location].enforce.as_ref().map_or(Formula::TRUE, |enforce| {
                Possible::of(store, enforce, |_, place| self.value(thread, place.cell)).can_be_true
            });
            let possible = store.and(false_here.can_be_false, enforced);
            let fails_here = store.and(here, possible);
            fails = store.or(fails, fails_here);
        }
        fails
    }

    fn value(&self, thread: &Thread, cell: Cell) -> Formula {
        match cell {
            Cell::Shared(variable) => self.shared[variable],
            Cell::Slot(slot) => thread.slots[slot],
            Cell::Passive(_) => unreachable!("programs with broadcasts are refused"),
        }
    }

    /// Whether two states differ in something that matters.
    pub fn differs(&self, other: &Self, store: &mut Store, template: &Template) -> Formula {
        let mut same = Formula::TRUE;
        for (&one, &another) in self.shared.iter().zip(&other.shared) {
            let equal = store.equal(one, another);
            same = store.and(same, equal);
        }
        for (one, another) in self.threads.iter().zip(&other.threads) {
            for (left, right) in one.code(store).into_iter().zip(another.code(store)) {
                let equal = store.equal(left, right);
                same = store.and(same, equal);
            }
            for slot in 0..template.slots {
                let matters = one.is_live(store, template, slot);
                let equal = store.equal(one.slots[slot], another.slots[slot]);
                let fits = store.or(!matters, equal);
                same = store.and(same, fits);
            }
        }
        !same
    }
}

impl Thread {
    /// Whether there is a thread.
    pub fn present(&self, store: &mut Store) -> Formula {
        store.any(self.at.iter().copied())
    }

    /// The number of its location in binary; zero if there is no thread.
    fn code(&self, store: &mut Store) -> Vec<Formula> {
        let bits = usize::BITS - self.at.len().leading_zeros();
        let bit = |bit: u32| {
            let places = self.at.enumerate().filter(|(location, _)| (location.index() + 1) >> bit & 1 == 1);
            let places: Vec<Formula> = places.map(|(_, &at)| at).collect();
            store.any(places)
        };
        (0..bits).map(bit).collect()
    }

    /// Whether a slot matters where the thread is.
    fn is_live(&self, store: &mut Store, template: &Template, slot: usize) -> Formula {
        let live = |location: &LocationId| template.locations[*location].live.binary_search(&slot).is_ok();
        store.any(self.at.ids().filter(live).map(|location| self.at[location]))
    }
}
