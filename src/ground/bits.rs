//! A fixed-length vector of Booleans: the valuation of a list of variables.

use std::fmt;

/// A vector of bits of fixed length. Bits past the length are zero, so equality is word equality.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bits {
    length: u32,
    words: Words,
}

/// Up to 64 bits are kept in place: nearly every frame of nearly every program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Words {
    One(u64),
    Many(Box<[u64]>),
}

impl Default for Words {
    fn default() -> Self {
        Self::One(0)
    }
}

impl Bits {
    /// `length` bits, all false.
    #[must_use]
    pub fn new(length: usize) -> Self {
        let words =
            if length <= 64 { Words::One(0) } else { Words::Many(vec![0; length.div_ceil(64)].into()) };
        Self { length: u32::try_from(length).expect("fewer than 2^32 variables"), words }
    }

    /// How many bits there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether there is no bit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The bit at a position.
    #[must_use]
    pub fn get(&self, position: usize) -> bool {
        assert!(position < self.len(), "bit {position} of {}", self.len());
        let word = match &self.words {
            Words::One(word) => *word,
            Words::Many(words) => words[position / 64],
        };
        word >> (position % 64) & 1 == 1
    }

    /// Sets the bit at a position.
    pub fn set(&mut self, position: usize, value: bool) {
        assert!(position < self.len(), "bit {position} of {}", self.len());
        let word = match &mut self.words {
            Words::One(word) => word,
            Words::Many(words) => &mut words[position / 64],
        };
        let mask = 1 << (position % 64);
        if value { *word |= mask } else { *word &= !mask }
    }

    /// The bits in order.
    pub fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.len()).map(|position| self.get(position))
    }
}

impl FromIterator<bool> for Bits {
    fn from_iter<T: IntoIterator<Item = bool>>(values: T) -> Self {
        let values: Vec<bool> = values.into_iter().collect();
        let mut bits = Self::new(values.len());
        for (position, value) in values.into_iter().enumerate() {
            bits.set(position, value);
        }
        bits
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|bit| f.write_str(if bit { "1" } else { "0" }))
    }
}
