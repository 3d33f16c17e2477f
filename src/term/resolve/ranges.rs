//! Sets of numbers of one width, as intervals that are apart and in order.
//!
//! What a path knows of an address is where it points and where not: `p + 16 < 4096`, and outside of each of twenty
//! objects. Few intervals say that exactly, and whether two addresses may be equal is whether their sets meet.

use super::super::arithmetic::mask;

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    width: u32,
    /// First and last numbers.
    parts: Vec<(u128, u128)>,
}

impl Range {
    /// From the first to the last one; around zero if the first is greater.
    pub fn between(width: u32, first: u128, last: u128) -> Self {
        let parts = if first <= last { vec![(first, last)] } else { vec![(0, last), (first, mask(width))] };
        Self { width, parts }
    }

    /// All numbers but one.
    pub fn without(width: u32, number: u128) -> Self {
        let all = mask(width);
        Self::between(width, number.wrapping_add(1) & all, number.wrapping_sub(1) & all)
    }

    /// The numbers of both.
    pub fn meet(&self, other: &Self) -> Self {
        let (mut left, mut right) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        let mut parts = Vec::new();
        while let (Some(&&(a, b)), Some(&&(c, d))) = (left.peek(), right.peek()) {
            if a.max(c) <= b.min(d) {
                parts.push((a.max(c), b.min(d)));
            }
            _ = if b < d { left.next() } else { right.next() };
        }
        Self { width: self.width, parts }
    }

    /// Whether no number is in both.
    pub fn is_apart(&self, other: &Self) -> bool {
        self.meet(other).parts.is_empty()
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: u128) -> bool {
        let after = self.parts.partition_point(|&(first, _)| first <= number);
        after > 0 && number <= self.parts[after - 1].1
    }

    /// What becomes of the numbers if one is added, modulo the width.
    pub fn moved(&self, by: u128) -> Self {
        let all = mask(self.width);
        let mut parts = Vec::new();
        for &(first, last) in &self.parts {
            let (first, last) = (first.wrapping_add(by) & all, last.wrapping_add(by) & all);
            parts.extend(Self::between(self.width, first, last).parts);
        }
        parts.sort_unstable();
        Self { width: self.width, parts }
    }
}
