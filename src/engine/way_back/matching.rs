//! Which thread goes to which place: a bipartite matching by augmenting paths, breadth first.

use crate::system::net::PlaceId;
use std::collections::VecDeque;

/// One place for every thread out of its choices, such that together they are exactly these places.
pub(super) fn matching(choices: &[Vec<PlaceId>], places: Vec<PlaceId>) -> Option<Vec<PlaceId>> {
    if choices.len() != places.len() {
        return None;
    }
    let mut thread_at: Vec<Option<usize>> = vec![None; places.len()];
    for thread in 0..choices.len() {
        augment(choices, &places, &mut thread_at, thread)?;
    }
    let mut found: Vec<Option<PlaceId>> = vec![None; choices.len()];
    for (place, thread) in places.into_iter().zip(thread_at) {
        found[thread?] = Some(place);
    }
    found.into_iter().collect()
}

/// Finds a place for one more thread, moving others if need be.
fn augment(
    choices: &[Vec<PlaceId>],
    places: &[PlaceId],
    thread_at: &mut [Option<usize>],
    thread: usize,
) -> Option<()> {
    // For every place seen, the thread that wants it, and the place that this thread would leave.
    let mut wanted: Vec<Option<(usize, Option<usize>)>> = vec![None; places.len()];
    let mut queue = VecDeque::from([(thread, None)]);
    while let Some((thread, leaves)) = queue.pop_front() {
        for (position, place) in places.iter().enumerate() {
            if wanted[position].is_some() || !choices[thread].contains(place) {
                continue;
            }
            wanted[position] = Some((thread, leaves));
            match thread_at[position] {
                Some(other) => queue.push_back((other, Some(position))),
                None => {
                    shift(&wanted, thread_at, position);
                    return Some(());
                }
            }
        }
    }
    None
}

/// Moves threads along the path that ends at a free place.
fn shift(wanted: &[Option<(usize, Option<usize>)>], thread_at: &mut [Option<usize>], free: usize) {
    let mut position = Some(free);
    while let Some((thread, leaves)) = position.and_then(|position| wanted[position]) {
        if let Some(position) = position {
            thread_at[position] = Some(thread);
        }
        position = leaves;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::index::Index;

    fn places(numbers: &[usize]) -> Vec<PlaceId> {
        numbers.iter().map(|&number| PlaceId::new(number)).collect()
    }

    #[test]
    fn threads_give_way() {
        let choices = [places(&[0, 1]), places(&[0, 2]), places(&[0])];
        assert_eq!(matching(&choices, places(&[0, 1, 2])), Some(places(&[1, 2, 0])));
    }

    #[test]
    fn a_matching_is_of_all_or_none() {
        assert_eq!(matching(&[places(&[0]), places(&[0])], places(&[0, 1])), None);
        assert_eq!(matching(&[places(&[0])], places(&[0, 0])), None);
        assert_eq!(matching(&[], Vec::new()), Some(Vec::new()));
    }
}
