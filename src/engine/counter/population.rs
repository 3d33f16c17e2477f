//! Populations: how many threads are in which local set.

use crate::engine::symmetry::LocalId;

/// Local sets with the number of threads in them: sorted by id, no number zero.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Population {
    pairs: Vec<(LocalId, u32)>,
    disabled: u32,
}

impl Population {
    /// One thread.
    pub fn one(local: LocalId) -> Self {
        Self { pairs: vec![(local, 1)], disabled: 0 }
    }

    /// With these pairs, in any order, local sets perhaps repeated.
    pub fn of(pairs: Vec<(LocalId, u32)>) -> Self {
        let mut population = Self::default();
        pairs.into_iter().for_each(|(local, count)| population.add(local, count));
        population
    }

    /// The local sets and their counters.
    pub fn pairs(&self) -> &[(LocalId, u32)] {
        &self.pairs
    }

    /// How many threads there are.
    pub fn threads(&self) -> u32 {
        self.pairs.iter().map(|(_, count)| count).sum::<u32>() + self.disabled
    }

    /// How many of them a reduction has disabled: they have no local sets any more.
    pub fn disabled(&self) -> u32 {
        self.disabled
    }

    /// Disables threads that are in the population.
    pub fn disable(&mut self, others: &Self) {
        self.pairs.retain(|pair| !others.pairs.contains(pair));
        self.disabled += others.threads();
    }

    /// The same number of disabled threads, and no other.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// The local sets and their counters, with those of another population.
    pub fn with(&self, others: &Self) -> Vec<(LocalId, u32)> {
        let mut all = self.clone();
        others.pairs.iter().for_each(|&(local, count)| all.add(local, count));
        all.pairs
    }

    /// Adds threads of a local set (`UPDATECOUNTERS` of Algorithm 7.1, one half).
    pub fn add(&mut self, local: LocalId, count: u32) {
        match self.pairs.binary_search_by_key(&local, |pair| pair.0) {
            Ok(place) => self.pairs[place].1 += count,
            Err(place) => self.pairs.insert(place, (local, count)),
        }
    }

    /// Takes one thread out of a local set that has one (the other half).
    pub fn remove(&mut self, local: LocalId) {
        let place = self.pairs.binary_search_by_key(&local, |pair| pair.0);
        let place = place.expect("the thread that moves is in the population");
        self.pairs[place].1 -= 1;
        if self.pairs[place].1 == 0 {
            self.pairs.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::index::Index;

    #[test]
    fn counters_are_kept_in_order_and_never_zero() {
        let local = LocalId::new;
        let mut population = Population::one(local(5));
        population.add(local(2), 2);
        population.add(local(5), 1);
        population.remove(local(2));
        assert_eq!(population.pairs(), [(local(2), 1), (local(5), 2)]);
        population.remove(local(2));
        assert_eq!((population.pairs(), population.threads()), (&[(local(5), 2)][..], 2));
    }
}
