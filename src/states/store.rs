//! The states that were seen, each once, in few bytes.
//!
//! Tree compression \[LPW11\]: a part of a state (a thread, an object) is stored once however many states have it; a state is a
//! list of numbers of parts, and that list is a binary tree of pairs, each of which is stored once, too. A state
//! that differs from another one in one part costs a few pairs. Nothing is lost: states can be read again.

use crate::vm::state::{Part, Saved};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Lists of words, each once.
#[derive(Default)]
struct Leaves {
    words: Vec<u64>,
    /// Where each ends.
    ends: Vec<usize>,
    table: HashTable<u32>,
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Leaves {
    fn get(&self, number: u32) -> &[u64] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start..self.ends[number]]
    }

    fn find(&self, words: &[u64]) -> Option<u32> {
        self.table.find(hash_of(&words), |&other| self.get(other) == words).copied()
    }

    fn add(&mut self, words: &[u64]) -> u32 {
        if let Some(known) = self.find(words) {
            return known;
        }
        let number = self.ends.len() as u32;
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len());
        let Self { words: all, ends, table } = self;
        let hash = |&number: &u32| {
            let number = number as usize;
            hash_of(&&all[number.checked_sub(1).map_or(0, |before| ends[before])..ends[number]])
        };
        table.insert_unique(hash_of(&words), number, hash);
        number
    }

    fn bytes(&self) -> usize {
        8 * self.words.capacity() + 8 * self.ends.capacity() + self.table.allocation_size()
    }
}

/// Pairs of numbers, each once.
#[derive(Default)]
struct Pairs {
    pairs: Vec<[u32; 2]>,
    table: HashTable<u32>,
}

impl Pairs {
    fn find(&self, pair: [u32; 2]) -> Option<u32> {
        self.table.find(hash_of(&pair), |&other| self.pairs[other as usize] == pair).copied()
    }

    /// The number of a pair, and whether it is new.
    fn add(&mut self, pair: [u32; 2]) -> (u32, bool) {
        if let Some(known) = self.find(pair) {
            return (known, false);
        }
        let number = self.pairs.len() as u32;
        self.pairs.push(pair);
        let Self { pairs, table } = self;
        table.insert_unique(hash_of(&pair), number, |&other| hash_of(&pairs[other as usize]));
        (number, true)
    }

    fn bytes(&self) -> usize {
        8 * self.pairs.capacity() + self.table.allocation_size()
    }
}

/// The states.
#[derive(Default)]
pub struct Store {
    leaves: Leaves,
    pairs: Pairs,
    /// For each state the root of its tree, and how many parts it has.
    states: Pairs,
}

/// Puts the leaves of a tree together, pair by pair and level by level.
fn fold(parts: &mut Vec<u32>, mut pair: impl FnMut([u32; 2]) -> Option<u32>) -> Option<u32> {
    while parts.len() > 1 {
        let mut to = 0;
        for from in (0..parts.len()).step_by(2) {
            parts[to] = match parts.get(from + 1) {
                Some(&right) => pair([parts[from], right])?,
                None => parts[from],
            };
            to += 1;
        }
        parts.truncate(to);
    }
    parts.first().copied()
}

impl Store {
    /// How many states there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.pairs.len()
    }

    /// Bytes that the states take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.leaves.bytes() + self.pairs.bytes() + self.states.bytes()
    }

    /// The words of a part.
    #[must_use]
    pub fn words(&self, part: u32) -> &[u64] {
        self.leaves.get(part)
    }

    /// The parts of a state.
    pub fn parts(&self, state: usize, into: &mut Vec<u32>) {
        let [root, length] = self.states.pairs[state];
        into.clear();
        into.push(root);
        // Level by level, as it was folded: lengths are halved, rounding up.
        let mut lengths = vec![length as usize];
        while let Some(&last) = lengths.last().filter(|last| **last > 1) {
            lengths.push(last.div_ceil(2));
        }
        for length in lengths.into_iter().rev().skip(1) {
            let above = std::mem::take(into);
            for (at, &node) in above.iter().enumerate() {
                if 2 * at + 1 < length {
                    into.extend(self.pairs.pairs[node as usize]);
                } else {
                    into.push(node);
                }
            }
        }
    }

    /// The number of a state, if it was seen. `loaded` are the parts of the state that the step began in.
    #[must_use]
    pub fn find(&self, saved: &Saved, loaded: &[u32]) -> Option<u32> {
        let mut parts = Vec::with_capacity(saved.parts.len());
        for part in &saved.parts {
            parts.push(match part {
                Part::Same(number) => loaded[*number],
                Part::New(range) => self.leaves.find(&saved.words[range.clone()])?,
            });
        }
        let length = parts.len() as u32;
        let root = fold(&mut parts, |pair| self.pairs.find(pair))?;
        self.states.find([root, length])
    }

    /// The number of a state, and whether it is new.
    pub fn add(&mut self, saved: &Saved, loaded: &[u32]) -> (u32, bool) {
        let mut parts = Vec::with_capacity(saved.parts.len());
        for part in &saved.parts {
            parts.push(match part {
                Part::Same(number) => loaded[*number],
                Part::New(range) => self.leaves.add(&saved.words[range.clone()]),
            });
        }
        let length = parts.len() as u32;
        let root = fold(&mut parts, |pair| Some(self.pairs.add(pair).0)).unwrap_or(0);
        self.states.add([root, length])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(parts: &[u64]) -> Saved {
        let list = (0..parts.len()).map(|at| Part::New(at..at + 1)).collect();
        Saved { words: parts.to_vec(), parts: list }
    }

    #[test]
    fn states_of_all_lengths_are_found_and_read_again() {
        let mut store = Store::default();
        let lists: Vec<Vec<u64>> = (1..20).flat_map(|n| (0..4).map(move |k| (k..k + n).collect())).collect();
        for (number, list) in lists.iter().enumerate() {
            assert_eq!(store.find(&saved(list), &[]), None);
            assert_eq!(store.add(&saved(list), &[]), (number as u32, true));
            assert_eq!(store.add(&saved(list), &[]), (number as u32, false));
        }
        let mut parts = Vec::new();
        for (number, list) in lists.iter().enumerate() {
            store.parts(number, &mut parts);
            let words: Vec<u64> = parts.iter().map(|&part| store.words(part)[0]).collect();
            assert_eq!(&words, list);
            assert_eq!(store.find(&saved(list), &[]), Some(number as u32));
        }
        assert_eq!(store.len(), lists.len());
    }

    #[test]
    fn parts_that_are_the_same_are_not_written_again() {
        let mut store = Store::default();
        store.add(&saved(&[7, 8, 9]), &[]);
        let mut loaded = Vec::new();
        store.parts(0, &mut loaded);
        let step = Saved { words: vec![5], parts: vec![Part::Same(0), Part::New(0..1), Part::Same(2)] };
        assert_eq!(store.add(&step, &loaded), (1, true));
        assert_eq!(store.find(&saved(&[7, 5, 9]), &[]), Some(1));
    }
}
