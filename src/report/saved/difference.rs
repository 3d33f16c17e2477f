//! A text as a difference to another one, line by line: what follows a common beginning and precedes a common end.
//!
//! Lines are compared by the greedy algorithm of \[Mye86\], without its refinement to linear space: where texts differ in more than [`MOST`] lines, everything between the common
//! beginning and the common end counts as changed. That is longer than it needs to be, and right all the same.

use serde::{Deserialize, Serialize};

/// Differences of more lines than this are not looked for.
const MOST: usize = 600;

/// A piece of a difference: so many lines stay, so many of the old ones go, and these come.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Hunk(pub usize, pub usize, pub Vec<String>);

/// What turns the old lines into the new ones. Old lines behind the last piece stay.
#[must_use]
pub fn difference(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let ends = old[start..].iter().rev().zip(new[start..].iter().rev());
    let end = ends.take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let mut hunks = Hunks { hunks: Vec::new(), kept: start, current: Hunk::default() };
    for edit in edits(old, new) {
        match edit {
            Edit::Keep => hunks.keep(),
            Edit::Remove => hunks.current.1 += 1,
            Edit::Insert(line) => hunks.current.2.push(new[line].to_owned()),
        }
    }
    hunks.close();
    hunks.hunks
}

/// The new lines, from the old ones and a difference; none if it does not fit.
#[must_use]
pub fn applied(old: &[String], hunks: &[Hunk]) -> Option<Vec<String>> {
    let mut rest = old;
    let mut new = Vec::new();
    for Hunk(kept, removed, inserted) in hunks {
        let (stay, others) = rest.split_at_checked(*kept)?;
        new.extend_from_slice(stay);
        new.extend_from_slice(inserted);
        rest = others.get(*removed..)?;
    }
    new.extend_from_slice(rest);
    Some(new)
}

struct Hunks {
    hunks: Vec<Hunk>,
    kept: usize,
    current: Hunk,
}

impl Hunks {
    fn keep(&mut self) {
        self.close();
        self.kept += 1;
    }

    fn close(&mut self) {
        if self.current != Hunk::default() {
            let Hunk(_, removed, inserted) = std::mem::take(&mut self.current);
            self.hunks.push(Hunk(std::mem::take(&mut self.kept), removed, inserted));
        }
    }
}

#[derive(Clone, Copy)]
enum Edit {
    Keep,
    Remove,
    /// This line of the new text.
    Insert(usize),
}

fn edits(old: &[&str], new: &[&str]) -> Vec<Edit> {
    searched(old, new).unwrap_or_else(|| {
        let removed = old.iter().map(|_| Edit::Remove);
        removed.chain((0..new.len()).map(Edit::Insert)).collect()
    })
}

/// The fewest edits, if they are not too many. `fronts[d]` says for each diagonal how far `d` edits lead.
fn searched(old: &[&str], new: &[&str]) -> Option<Vec<Edit>> {
    let most = (old.len() + new.len()).min(MOST);
    let mut front = vec![0; 2 * most + 3];
    let mut fronts: Vec<Vec<usize>> = Vec::new();
    for edits in 0..=most {
        for diagonal in (0..=2 * edits).step_by(2) {
            // Diagonal `k` of the paper is at `most + 1 + k`.
            let at = most + 1 - edits + diagonal;
            let down = diagonal == 0 || diagonal < 2 * edits && front[at - 1] < front[at + 1];
            let mut x = match (edits, down) {
                (0, _) => 0,
                (_, true) => front[at + 1],
                (_, false) => front[at - 1] + 1,
            };
            let mut y = (x + most + 1).wrapping_sub(at);
            while x < old.len() && y < new.len() && old[x] == new[y] {
                (x, y) = (x + 1, y + 1);
            }
            front[at] = x;
            if x >= old.len() && y >= new.len() {
                fronts.push(front);
                return Some(way_back(&fronts, most, (old.len(), new.len())));
            }
        }
        fronts.push(front.clone());
    }
    None
}

/// The edits that lead to the end.
fn way_back(fronts: &[Vec<usize>], most: usize, end: (usize, usize)) -> Vec<Edit> {
    let (mut x, mut y) = end;
    let mut found = Vec::new();
    for edits in (1..fronts.len()).rev() {
        let front = &fronts[edits - 1];
        let at = most + 1 + x - y;
        let low = most + 1 - edits;
        let down = at == low || at < most + 1 + edits && front[at - 1] < front[at + 1];
        let before = if down { at + 1 } else { at - 1 };
        let from = front[before];
        let to = from + most + 1 - before;
        // Behind the edit there are lines that both texts have.
        let behind = if down { from } else { from + 1 };
        while x > behind {
            found.push(Edit::Keep);
            (x, y) = (x - 1, y - 1);
        }
        found.push(if down { Edit::Insert(to) } else { Edit::Remove });
        (x, y) = (from, to);
    }
    found.extend(std::iter::repeat_n(Edit::Keep, x));
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(old: &[&str], new: &[&str]) -> usize {
        let hunks = difference(old, new);
        let owned: Vec<String> = old.iter().map(ToString::to_string).collect();
        let result = applied(&owned, &hunks).expect("it fits");
        assert_eq!(result, new, "{old:?} {hunks:?}");
        hunks.iter().map(|Hunk(_, removed, inserted)| removed + inserted.len()).sum()
    }

    /// The fewest edits, by dynamic programming.
    fn fewest(old: &[&str], new: &[&str]) -> usize {
        let mut row: Vec<usize> = (0..=new.len()).collect();
        for (i, one) in old.iter().enumerate() {
            let before = row.clone();
            row[0] = i + 1;
            for (j, other) in new.iter().enumerate() {
                let edit = 1 + row[j].min(before[j + 1]);
                row[j + 1] = if one == other { before[j] } else { edit };
            }
        }
        row[new.len()]
    }

    proptest! {
        #[test]
        fn differences_are_right_and_as_short_as_can_be(old in "[abc]{0,12}", new in "[abc]{0,12}") {
            let letters = ["a", "b", "c"];
            let lines = |text: &str| -> Vec<&str> {
                text.bytes().map(|byte| letters[usize::from(byte - b'a')]).collect()
            };
            let (old, new) = (lines(&old), lines(&new));
            prop_assert_eq!(check(&old, &new), fewest(&old, &new));
        }
    }

    #[test]
    fn very_different_texts_are_replaced() {
        let numbers: Vec<String> = (0..2 * MOST).map(|number| number.to_string()).collect();
        let (old, new): (Vec<&str>, Vec<&str>) =
            (numbers.iter().map(String::as_str).collect(), vec!["x"; MOST]);
        assert_eq!(check(&old, &new), 3 * MOST);
    }

    #[test]
    fn differences_that_do_not_fit_are_refused() {
        assert_eq!(applied(&["a".to_owned()], &[Hunk(2, 0, vec![])]), None);
        assert_eq!(applied(&["a".to_owned()], &[Hunk(1, 1, vec![])]), None);
    }
}
