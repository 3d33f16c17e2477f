//! Sets of ids as bit vectors.
//!
//! A set has a fixed range of ids; union and difference go word by word. Ids past the range are never
//! contained, so that a set of globals can be asked about a local.

use crate::ground::index::Index;
use std::fmt;
use std::marker::PhantomData;

/// A set of the ids below a bound.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdSet<I> {
    words: Vec<u64>,
    index: PhantomData<fn(I) -> I>,
}

impl<I: Index> IdSet<I> {
    /// The empty set; it can hold ids below `bound`.
    #[must_use]
    pub fn new(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)], index: PhantomData }
    }

    /// The set of all ids below `bound`.
    #[must_use]
    pub fn full(bound: usize) -> Self {
        let mut set = Self { words: vec![u64::MAX; bound.div_ceil(64)], index: PhantomData };
        if let Some(last) = set.words.last_mut()
            && !bound.is_multiple_of(64)
        {
            *last = (1 << (bound % 64)) - 1;
        }
        set
    }

    /// The set of some ids, all below `bound`.
    pub fn of(bound: usize, ids: impl IntoIterator<Item = I>) -> Self {
        let mut set = Self::new(bound);
        for id in ids {
            set.insert(id);
        }
        set
    }

    /// Whether an id is in the set.
    #[must_use]
    pub fn contains(&self, id: I) -> bool {
        self.words.get(id.index() / 64).is_some_and(|word| word >> (id.index() % 64) & 1 == 1)
    }

    /// Adds an id, which must be below the bound; tells whether it is new.
    pub fn insert(&mut self, id: I) -> bool {
        let word = &mut self.words[id.index() / 64];
        let mask = 1 << (id.index() % 64);
        let new = *word & mask == 0;
        *word |= mask;
        new
    }

    /// Takes an id out.
    pub fn remove(&mut self, id: I) {
        if let Some(word) = self.words.get_mut(id.index() / 64) {
            *word &= !(1 << (id.index() % 64));
        }
    }

    /// Adds the ids of another set with the same bound; tells whether one of them is new.
    pub fn union_with(&mut self, other: &Self) -> bool {
        let mut new = 0;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            new |= more & !*word;
            *word |= more;
        }
        new != 0
    }

    /// Takes the ids of another set out.
    pub fn subtract(&mut self, other: &Self) {
        for (word, &less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    /// Takes out what is not in another set with the same bound.
    pub fn intersect_with(&mut self, other: &Self) {
        for (word, &both) in self.words.iter_mut().zip(&other.words) {
            *word &= both;
        }
    }

    /// Whether some id is in both sets.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(&left, &right)| left & right != 0)
    }

    /// Whether there is no id in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many ids are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The ids in order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(number, &word)| ones(word).map(move |bit| I::new(number * 64 + bit)))
    }
}

/// The positions of the ones of a word.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

impl<I: Index> fmt::Debug for IdSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boolean::cfg::VariableId;
    use std::collections::BTreeSet;

    fn numbers(set: &IdSet<VariableId>) -> Vec<usize> {
        set.iter().map(Index::index).collect()
    }

    fn multiples(of: usize) -> IdSet<VariableId> {
        IdSet::of(200, (0..200).step_by(of).map(VariableId::new))
    }

    #[test]
    fn operations_agree_with_ordered_sets() {
        for a in 1..20 {
            for b in 1..20 {
                let (left, right) = (multiples(a), multiples(b));
                let model = |set: &IdSet<VariableId>| numbers(set).into_iter().collect::<BTreeSet<_>>();
                let (x, y) = (model(&left), model(&right));
                let mut union = left.clone();
                assert_eq!(union.union_with(&right), !y.is_subset(&x));
                assert_eq!(numbers(&union), x.union(&y).copied().collect::<Vec<_>>());
                let mut both = left.clone();
                both.intersect_with(&right);
                assert_eq!(numbers(&both), x.intersection(&y).copied().collect::<Vec<_>>());
                let mut difference = left.clone();
                difference.subtract(&right);
                assert_eq!(numbers(&difference), x.difference(&y).copied().collect::<Vec<_>>());
                assert_eq!(left.len(), x.len());
                assert_eq!(left.meets(&right), !x.is_disjoint(&y));
            }
        }
    }

    #[test]
    fn the_full_set_ends_at_its_bound() {
        for bound in [0, 1, 63, 64, 65, 128, 130] {
            assert_eq!(numbers(&IdSet::full(bound)), (0..bound).collect::<Vec<_>>());
        }
        assert!(!IdSet::<VariableId>::full(3).contains(VariableId::new(1000)));
    }
}
