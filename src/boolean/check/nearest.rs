//! The name that was probably meant: nearest in edit distance.

/// How many candidates are compared; a program with more names gets a suggestion from the first ones.
const COMPARED: usize = 10_000;

/// The candidate nearest to a name, if one is near enough to be a slip of the pen.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length > 200 {
        return None;
    }
    // Every other name of one character would be near.
    let furthest = if length < 2 { 0 } else { (length / 3).max(1) };
    let near =
        |candidate: &&str| candidate.chars().count().abs_diff(length) <= furthest && *candidate != name;
    candidates
        .filter(near)
        .take(COMPARED)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= furthest)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, substitutions and swaps of neighbours between two texts; a
/// change of case costs nothing unless it is all there is.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, &a) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &b) in right.iter().enumerate() {
            let substituted = last[column] + usize::from(a != b);
            let mut best = substituted.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && a == right[column - 1] && left[row - 1] == b {
                best = best.min(before_last[column - 1] + 1);
            }
            current.push(best);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_nothing_else() {
        let names = ["lock", "unlock", "state", "b0_1_eq_m"];
        let find = |name| nearest(name, names.into_iter());
        assert_eq!(find("lokc"), Some("lock"));
        assert_eq!(find("Lock"), Some("lock"));
        assert_eq!(find("stat"), Some("state"));
        assert_eq!(find("b0_1_eq_n"), Some("b0_1_eq_m"));
        assert_eq!(find("x"), None);
        assert_eq!(nearest("x", ["y", "X"].into_iter()), Some("X"));
        assert_eq!(find("queue"), None);
    }

    #[test]
    fn counts_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abcd", "acbd"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
