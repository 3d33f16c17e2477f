//! The Cartesian product of sets of Boolean values, one tuple at a time.

use crate::boolean::expression::Values;

/// All ways to take one value from each set, in lexicographic order, false before true.
///
/// Nothing is computed before it is asked for: a product of sixty sets may be abandoned half-way.
#[derive(Clone, Debug)]
pub struct Product {
    sets: Vec<Values>,
    upcoming: Option<Vec<bool>>,
}

impl Product {
    /// The product of these sets. Of no sets it has one, empty, element; with an empty set it has none.
    #[must_use]
    pub fn new(sets: Vec<Values>) -> Self {
        let smallest = sets.iter().map(|set| set.iter().next()).collect();
        Self { sets, upcoming: smallest }
    }
}

impl Iterator for Product {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        let current = self.upcoming.take()?;
        let raised = (0..current.len()).rev().find(|&place| !current[place] && self.sets[place].can_be_true);
        if let Some(place) = raised {
            let mut following = current.clone();
            following[place] = true;
            for (value, set) in following.iter_mut().zip(&self.sets).skip(place + 1) {
                *value = !set.can_be_false;
            }
            self.upcoming = Some(following);
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerates_in_order() {
        let sets = vec![Values::BOTH, Values::only(true), Values::BOTH];
        let all: Vec<_> = Product::new(sets).collect();
        assert_eq!(all, [[false, true, false], [false, true, true], [true, true, false], [true, true, true]]);
    }

    #[test]
    fn borders() {
        assert_eq!(Product::new(vec![]).collect::<Vec<_>>(), [Vec::<bool>::new()]);
        let empty = Values { can_be_false: false, can_be_true: false };
        assert_eq!(Product::new(vec![Values::BOTH, empty]).count(), 0);
        assert_eq!(Product::new(vec![Values::BOTH; 60]).take(5).count(), 5);
        assert_eq!(Product::new(vec![Values::BOTH; 10]).count(), 1024);
    }
}
