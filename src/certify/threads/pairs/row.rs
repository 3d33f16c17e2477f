//! Sets of numbers, which grow.

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Row(Vec<u64>);

impl Row {
    /// No number.
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// Adds a number; tells whether it is new.
    pub fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, number % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] >> bit & 1 == 0;
        self.0[word] |= 1 << bit;
        new
    }

    /// Adds all of another set; tells whether any is new.
    pub fn extend(&mut self, other: &Self) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = false;
        for (word, &more) in self.0.iter_mut().zip(&other.0) {
            new |= more & !*word != 0;
            *word |= more;
        }
        new
    }

    /// What is in both.
    pub fn both(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(left, right)| left & right).collect())
    }

    /// The numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(position, &word)| {
            let next = |&rest: &u64| Some(rest & (rest - 1)).filter(|&rest| rest != 0);
            let bits = std::iter::successors(Some(word).filter(|&word| word != 0), next);
            bits.map(move |rest| position * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// How many words it takes.
    pub fn words(&self) -> usize {
        self.0.len()
    }
}
