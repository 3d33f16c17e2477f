//! Whether tokens can be distributed: groups of tokens, each with the places its tokens may go to, and how many must
//! arrive at each place.
//!
//! This is a flow in a bipartite graph. It is found by augmenting paths: a group that has tokens left looks for a
//! place that lacks some, if need be by sending tokens of another group elsewhere. To hand out tokens greedily would
//! be wrong: a group with few choices may find its place taken by one with many.

use crate::system::net::PlaceId;
use std::collections::{BTreeMap, VecDeque};

/// Whether every token can go to one of its group's places so that exactly the wanted numbers arrive.
pub(super) fn distributes(groups: &[(u64, &[PlaceId])], wanted: &BTreeMap<PlaceId, u64>) -> bool {
    let sum = |numbers: &mut dyn Iterator<Item = u64>| numbers.map(u128::from).sum::<u128>();
    if sum(&mut groups.iter().map(|group| group.0)) != sum(&mut wanted.values().copied()) {
        return false;
    }
    let mut flow = Flow {
        left: groups.iter().map(|group| group.0).collect(),
        lacking: wanted.clone(),
        sent: BTreeMap::new(),
        groups,
    };
    (0..groups.len()).all(|group| flow.empties(group))
}

struct Flow<'a> {
    groups: &'a [(u64, &'a [PlaceId])],
    /// The tokens of each group that go nowhere yet.
    left: Vec<u64>,
    /// How many tokens each place still lacks.
    lacking: BTreeMap<PlaceId, u64>,
    /// How many tokens of a group go to a place.
    sent: BTreeMap<(PlaceId, usize), u64>,
}

impl Flow<'_> {
    /// Sends all tokens of a group somewhere.
    fn empties(&mut self, group: usize) -> bool {
        while self.left[group] > 0 {
            let Some(path) = self.path(group) else { return false };
            self.send(group, &path);
        }
        true
    }

    /// A shortest way to a place that lacks tokens: a group sends to a place, that place gives tokens of the next
    /// group back, which sends them to the next place, and so on.
    fn path(&self, start: usize) -> Option<Vec<(usize, PlaceId)>> {
        let mut reached: BTreeMap<PlaceId, usize> = BTreeMap::new();
        let mut came_by: BTreeMap<usize, PlaceId> = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(group) = queue.pop_front() {
            for &place in self.groups[group].1 {
                if reached.contains_key(&place) {
                    continue;
                }
                reached.insert(place, group);
                if self.lacking.get(&place).is_some_and(|&lacking| lacking > 0) {
                    return Some(way(start, place, &reached, &came_by));
                }
                for (&(_, other), &sent) in self.sent.range((place, 0)..=(place, usize::MAX)) {
                    if sent > 0 && other != start && !came_by.contains_key(&other) {
                        came_by.insert(other, place);
                        queue.push_back(other);
                    }
                }
            }
        }
        None
    }

    /// Sends as many tokens along a path as it can take.
    fn send(&mut self, start: usize, path: &[(usize, PlaceId)]) {
        let returned = path.windows(2).map(|pair| (pair[0].1, pair[1].0));
        let room = returned.clone().filter_map(|key| self.sent.get(&key).copied()).min();
        let end = path.last().expect("a path has an end").1;
        let amount = self.left[start].min(self.lacking[&end]).min(room.unwrap_or(u64::MAX));
        for key in returned {
            *self.sent.entry(key).or_default() -= amount;
        }
        for &(group, place) in path {
            *self.sent.entry((place, group)).or_default() += amount;
        }
        self.left[start] -= amount;
        *self.lacking.entry(end).or_default() -= amount;
    }
}

/// The path to a place: each group with the place it sends to.
fn way(
    start: usize,
    end: PlaceId,
    reached: &BTreeMap<PlaceId, usize>,
    came_by: &BTreeMap<usize, PlaceId>,
) -> Vec<(usize, PlaceId)> {
    let mut path = vec![(reached[&end], end)];
    while let Some(&(group, _)) = path.last()
        && group != start
    {
        let place = came_by[&group];
        path.push((reached[&place], place));
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boolean::generate::Seed;
    use crate::ground::index::Index;

    /// Every token one after the other, every choice.
    fn by_trying(tokens: &[&[PlaceId]], wanted: &mut BTreeMap<PlaceId, u64>) -> bool {
        let Some((first, rest)) = tokens.split_first() else {
            return wanted.values().all(|&count| count == 0);
        };
        first.iter().any(|place| {
            let Some(left) = wanted.get(place).and_then(|count| count.checked_sub(1)) else { return false };
            wanted.insert(*place, left);
            let found = by_trying(rest, wanted);
            wanted.insert(*place, left + 1);
            found
        })
    }

    #[test]
    fn flows_are_found_exactly_where_trying_finds_them() {
        let (mut found, mut not_found) = (0, 0);
        for seed in 0..4000 {
            let mut seed = Seed::new(seed);
            let places: Vec<PlaceId> = (0..4).map(PlaceId::new).collect();
            let mut some = || places.iter().copied().filter(|_| seed.below(2) == 0).collect::<Vec<_>>();
            let choices: Vec<Vec<PlaceId>> = (0..3).map(|_| some()).collect();
            let groups: Vec<(u64, &[PlaceId])> =
                choices.iter().map(|choice| (seed.below(4) as u64, choice.as_slice())).collect();
            let tokens: Vec<&[PlaceId]> =
                groups.iter().flat_map(|&(count, choice)| vec![choice; count as usize]).collect();
            let mut wanted: BTreeMap<PlaceId, u64> = BTreeMap::new();
            for _ in 0..tokens.len() {
                *wanted.entry(places[seed.below(4)]).or_default() += 1;
            }
            let right = by_trying(&tokens, &mut wanted.clone());
            assert_eq!(distributes(&groups, &wanted), right, "{groups:?} to {wanted:?}");
            *(if right { &mut found } else { &mut not_found }) += 1;
        }
        assert!(found > 300 && not_found > 300, "{found} found, {not_found} not");
    }

    #[test]
    fn large_numbers_take_no_longer() {
        let (one, other) = (PlaceId::new(0), PlaceId::new(1));
        let many = u64::from(u32::MAX);
        let groups: [(u64, &[PlaceId]); 2] = [(many, &[one, other]), (many, &[one])];
        assert!(distributes(&groups, &BTreeMap::from([(one, many), (other, many)])));
        assert!(!distributes(&groups, &BTreeMap::from([(one, many - 1), (other, many + 1)])));
    }
}
