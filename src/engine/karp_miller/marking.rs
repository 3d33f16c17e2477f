//! Markings: how many threads are in which local set, ω for any number.

use crate::engine::symmetry::LocalId;
use crate::ground::index::Index;
use crate::ground::reason::Stop;
use std::fmt;

/// A number of threads, or any number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Count {
    /// This many.
    Exactly(u32),
    /// Any number.
    Omega,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(number) => number.fmt(f),
            Self::Omega => f.write_str("ω"),
        }
    }
}

/// Local sets with their counters: sorted by id, no counter zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marking {
    pairs: Vec<(LocalId, Count)>,
    /// One bit for every local set, by its number modulo 64: a marking below another has no bit that the other
    /// lacks.
    filter: u64,
    /// The local set whose thread keeps all others from running. It belongs to the control, not to the counters: a
    /// marking without it can do what a marking with it cannot.
    holder: Option<LocalId>,
}

impl Marking {
    /// One thread.
    pub fn one(local: LocalId) -> Self {
        Self { pairs: vec![(local, Count::Exactly(1))], filter: bit(local), holder: None }
    }

    /// The local sets and their counters.
    pub fn pairs(&self) -> &[(LocalId, Count)] {
        &self.pairs
    }

    /// The local sets.
    pub fn locals(&self) -> impl Iterator<Item = LocalId> + '_ {
        self.pairs.iter().map(|pair| pair.0)
    }

    /// The counter of a local set.
    pub fn count(&self, local: LocalId) -> Count {
        let place = self.pairs.binary_search_by_key(&local, |pair| pair.0);
        place.map_or(Count::Exactly(0), |place| self.pairs[place].1)
    }

    /// Adds threads.
    ///
    /// # Errors
    /// The counter is too large.
    pub fn add(&mut self, local: LocalId, count: Count) -> Result<(), Stop> {
        match self.pairs.binary_search_by_key(&local, |pair| pair.0) {
            Ok(place) => self.pairs[place].1 = sum(self.pairs[place].1, count)?,
            Err(place) => self.pairs.insert(place, (local, count)),
        }
        self.filter |= bit(local);
        Ok(())
    }

    /// Takes one thread out of a local set that has one; of ω, ω is left.
    pub fn remove(&mut self, local: LocalId) {
        let place = self.pairs.binary_search_by_key(&local, |pair| pair.0);
        let place = place.expect("the thread that moves is in the marking");
        match &mut self.pairs[place].1 {
            Count::Omega => {}
            Count::Exactly(1) => {
                self.pairs.remove(place);
                self.filter = self.locals().fold(0, |filter, local| filter | bit(local));
            }
            Count::Exactly(number) => *number -= 1,
        }
    }

    /// With this thread in an atomic section, or with none.
    #[must_use]
    pub fn held_by(self, holder: Option<LocalId>) -> Self {
        Self { holder, ..self }
    }

    /// Whether every counter is at most the other's, and the same thread, or none, is in an atomic section.
    pub fn is_below(&self, other: &Self) -> bool {
        self.holder == other.holder
            && self.filter & !other.filter == 0
            && self.pairs.len() <= other.pairs.len()
            && self.pairs.iter().all(|&(local, count)| count <= other.count(local))
    }

    /// Makes every counter ω that is larger than in a marking below this one \[KM69\]; tells which became ω.
    pub fn accelerate(&mut self, below: &Self) -> Vec<LocalId> {
        let mut grown = Vec::new();
        for (local, count) in &mut self.pairs {
            if *count != Count::Omega && *count > below.count(*local) {
                *count = Count::Omega;
                grown.push(*local);
            }
        }
        grown
    }
}

fn bit(local: LocalId) -> u64 {
    1 << (local.index() % 64)
}

fn sum(left: Count, right: Count) -> Result<Count, Stop> {
    match (left, right) {
        (Count::Exactly(left), Count::Exactly(right)) => left
            .checked_add(right)
            .map(Count::Exactly)
            .ok_or_else(|| Stop::Bound("more than 2^32 threads".into())),
        _ => Ok(Count::Omega),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marking(pairs: &[(usize, u32)]) -> Marking {
        let mut marking = Marking::default();
        for &(local, count) in pairs {
            marking.add(LocalId::new(local), Count::Exactly(count)).expect("small");
        }
        marking
    }

    #[test]
    fn markings_are_ordered_counter_by_counter() {
        assert!(marking(&[(1, 1)]).is_below(&marking(&[(1, 2), (65, 1)])));
        assert!(!marking(&[(65, 1)]).is_below(&marking(&[(1, 2)])));
        assert!(!marking(&[(1, 3)]).is_below(&marking(&[(1, 2), (2, 1)])));
    }

    #[test]
    fn what_grew_becomes_any_number() {
        let mut large = marking(&[(1, 1), (2, 2), (3, 1)]);
        assert_eq!(large.accelerate(&marking(&[(1, 1), (2, 1)])), [LocalId::new(2), LocalId::new(3)]);
        assert_eq!(large.count(LocalId::new(2)), Count::Omega);
        large.remove(LocalId::new(2));
        large.remove(LocalId::new(1));
        assert_eq!(large.count(LocalId::new(2)), Count::Omega);
        assert_eq!(large.count(LocalId::new(1)), Count::Exactly(0));
        assert!(marking(&[(2, 1000)]).is_below(&large));
    }
}
