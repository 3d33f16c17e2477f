//! Abstract states: what is shared, and where each thread is with what it knows.

use super::super::meaning::{Meaning, Meanings, Place};
use super::super::relation::Variable;
use super::super::{Claim, Failure};
use crate::ground::index::IndexVec;
use crate::predicate::{PredicateId, PredicateScope};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What all threads share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Control {
    /// Values of shared predicates.
    pub shared: u128,
    /// Some thread is in an atomic section.
    pub held: bool,
}

/// A thread: where it is, and the values of predicates that are tracked there; all others are false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Thread {
    pub place: Place,
    pub values: u128,
}

/// Where the values of predicates are kept, and which count at each location.
pub(super) struct Layout<'c, 'a> {
    pub meanings: &'c Meanings<'a>,
    positions: IndexVec<PredicateId, u32>,
    tracked: BTreeMap<Place, u128>,
}

impl<'c, 'a> Layout<'c, 'a> {
    pub fn new(claim: Claim<'a>, meanings: &'c Meanings<'a>) -> Result<Self, Failure> {
        let mut counts: FxHashMap<PredicateScope, u32> = FxHashMap::default();
        let mut positions = IndexVec::new();
        for known in meanings.predicates.iter() {
            let count = counts.entry(known.scope).or_default();
            positions.push(*count);
            *count += 1;
        }
        if counts.values().any(|&count| count > u128::BITS) {
            return Err(Failure::bound("too large: too many predicates"));
        }
        let mut tracked = BTreeMap::new();
        for &template in &meanings.templates {
            for location in claim.program.procedures[template].locations.ids() {
                let place = (template, location);
                let bits = meanings.tracked(place).map(|id| 1 << positions[id]);
                tracked.insert(place, bits.fold(0, |all, bit: u128| all | bit));
            }
        }
        Ok(Self { meanings, positions, tracked })
    }

    /// The bit of a predicate, among shared ones or those of its template.
    pub fn bit(&self, id: PredicateId) -> u128 {
        1 << self.positions[id]
    }

    /// A thread with values of which only those count that are tracked there.
    pub fn thread(&self, place: Place, values: u128) -> Thread {
        Thread { place, values: values & self.tracked[&place] }
    }

    /// The value of a variable, for a thread at a place.
    pub fn value(&self, shared: u128, place: Place, values: u128, variable: Variable) -> bool {
        let Variable::Predicate(id) = variable else {
            return self.meanings.at(place, variable) == Meaning::Constant(true);
        };
        match self.meanings.predicates[id].scope {
            PredicateScope::Global => shared & self.bit(id) != 0,
            PredicateScope::Local(owner) => owner == place.0 && values & self.bit(id) != 0,
        }
    }

    /// Sets the value of a variable, as far as it is kept.
    pub fn set(&self, shared: &mut u128, place: Place, values: &mut u128, variable: Variable, value: bool) {
        let Variable::Predicate(id) = variable else { return };
        let word = match self.meanings.predicates[id].scope {
            PredicateScope::Global => shared,
            PredicateScope::Local(owner) if owner == place.0 => values,
            PredicateScope::Local(_) => return,
        };
        match value {
            true => *word |= self.bit(id),
            false => *word &= !self.bit(id),
        }
    }
}

/// States by number.
pub(super) struct Numbers<T> {
    pub all: Vec<T>,
    known: FxHashMap<T, usize>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { all: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Numbers<T> {
    pub fn of(&mut self, state: T) -> usize {
        *self.known.entry(state).or_insert_with(|| {
            self.all.push(state);
            self.all.len() - 1
        })
    }
}
