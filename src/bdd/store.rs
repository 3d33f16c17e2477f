//! Functions and their ids.
//!
//! A library's functions are values; here each different one gets a number, so that everybody else
//! compares, hashes and copies numbers. Numbers of dropped functions are used again, the lowest
//! first, so that they stay dense. The hash of a function is kept: a node vector is hashed once.

use super::Bdd;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// The constant false in every manager.
pub(super) const FALSE: Bdd = Bdd(0);
/// The constant true in every manager.
pub(super) const TRUE: Bdd = Bdd(1);

/// The constant as an id.
pub(super) fn constant(value: bool) -> Bdd {
    if value { TRUE } else { FALSE }
}

/// The functions in use, by id and by value.
pub(super) struct Store<F> {
    slots: Vec<Slot<F>>,
    by_value: HashTable<u32>,
    free: Vec<u32>,
}

struct Slot<F> {
    hash: u64,
    function: Option<F>,
}

impl<F: Eq + Hash> Store<F> {
    /// A store of the two constants.
    pub fn new(falsity: F, truth: F) -> Self {
        let mut store = Self { slots: Vec::new(), by_value: HashTable::new(), free: Vec::new() };
        assert!(store.intern(falsity).0 == FALSE && store.intern(truth).0 == TRUE);
        store
    }

    /// The function with this id.
    pub fn get(&self, id: Bdd) -> &F {
        self.slots[id.number()].function.as_ref().expect("a BDD that was not dropped")
    }

    /// The id of this function, and whether it is new.
    pub fn intern(&mut self, function: F) -> (Bdd, bool) {
        let hash = FxBuildHasher.hash_one(&function);
        let same = |&id: &u32| {
            let slot = &self.slots[id as usize];
            slot.hash == hash && slot.function.as_ref() == Some(&function)
        };
        if let Some(&id) = self.by_value.find(hash, same) {
            return (Bdd(id), false);
        }
        let id = self.fill(Slot { hash, function: Some(function) });
        self.by_value.insert_unique(hash, id, |&id| self.slots[id as usize].hash);
        (Bdd(id), true)
    }

    fn fill(&mut self, slot: Slot<F>) -> u32 {
        if let Some(id) = self.free.pop() {
            self.slots[id as usize] = slot;
            return id;
        }
        let id = u32::try_from(self.slots.len()).expect("fewer than 2^32 functions");
        self.slots.push(slot);
        id
    }

    /// Drops all functions but the constants and these; says which ids are left and what the dropped ones
    /// weighed.
    pub fn retain(&mut self, roots: &[Bdd], weight: impl Fn(&F) -> usize) -> (Kept, usize) {
        let mut kept = vec![false; self.slots.len()];
        for id in [FALSE, TRUE].iter().chain(roots) {
            kept[id.number()] = true;
        }
        self.by_value.retain(|&mut id| kept[id as usize]);
        self.free.clear();
        let mut dropped = 0;
        for number in (0..self.slots.len()).rev().filter(|&number| !kept[number]) {
            dropped += self.slots[number].function.take().as_ref().map_or(0, &weight);
            self.free.push(u32::try_from(number).expect("an id"));
        }
        (Kept(kept), dropped)
    }

    /// All functions, in the order of their ids.
    pub fn functions(&self) -> impl Iterator<Item = &F> {
        self.slots.iter().filter_map(|slot| slot.function.as_ref())
    }

    /// Replaces all functions, in the order of their ids, by equal ones with, maybe, other hashes.
    pub fn replace(&mut self, functions: impl IntoIterator<Item = F>) {
        let present = self.slots.iter_mut().filter_map(|slot| slot.function.as_mut());
        present.zip(functions).for_each(|(old, new)| *old = new);
        for slot in &mut self.slots {
            slot.hash = slot.function.as_ref().map_or(0, |function| FxBuildHasher.hash_one(function));
        }
        self.by_value.clear();
        for (number, slot) in self.slots.iter().enumerate().filter(|(_, slot)| slot.function.is_some()) {
            let id = u32::try_from(number).expect("an id");
            self.by_value.insert_unique(slot.hash, id, |&id| self.slots[id as usize].hash);
        }
    }
}

/// The ids that are left after [`Store::retain`].
pub(super) struct Kept(Vec<bool>);

impl Kept {
    /// Whether this id is left.
    pub fn contains(&self, id: Bdd) -> bool {
        self.0[id.number()]
    }
}
