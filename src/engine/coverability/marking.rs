//! Markings: tokens by place, sparse and sorted, where ω stands for "as many as you like".
//!
//! The representation is that of [`Configuration`](crate::system::net::Configuration): pairs of a place and a
//! number, sorted, none zero. One number is set apart for ω. Most comparisons fail, so each marking is kept with
//! two words of a hash of its places: a marking can only be below another if its words are.

use crate::ground::index::Index;
use crate::ground::reason::Stop;
use crate::system::net::PlaceId;

/// Tokens by place: sorted, each place once, none zero.
pub(super) type Tokens = Vec<(PlaceId, u32)>;

/// More than any number of tokens.
pub(super) const OMEGA: u32 = u32::MAX;

/// A filter for comparisons: places, and places with ω, folded into a word each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Signature {
    places: u64,
    omegas: u64,
}

impl Signature {
    /// The signature of a marking.
    pub(super) fn of(tokens: &[(PlaceId, u32)]) -> Self {
        let mut signature = Self::default();
        for &(place, number) in tokens {
            let bit = 1 << (place.index() % 64);
            signature.places |= bit;
            signature.omegas |= if number == OMEGA { bit } else { 0 };
        }
        signature
    }

    /// Whether a marking with this signature can be below one with the other.
    pub(super) fn may_be_below(self, other: Self) -> bool {
        self.places & !other.places == 0 && self.omegas & !other.omegas == 0
    }
}

/// How many tokens a place holds.
pub(super) fn count(tokens: &[(PlaceId, u32)], place: PlaceId) -> u32 {
    tokens.binary_search_by_key(&place, |entry| entry.0).map_or(0, |position| tokens[position].1)
}

/// Whether one marking has at most the tokens of another on every place.
pub(super) fn is_below(small: &[(PlaceId, u32)], large: &[(PlaceId, u32)]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    small.iter().all(|&(place, number)| {
        rest.find(|entry| entry.0 >= place).is_some_and(|entry| entry.0 == place && entry.1 >= number)
    })
}

/// Tokens added up; ω absorbs.
///
/// # Errors
/// When a finite number becomes too large to tell it from ω.
pub(super) fn add(left: &[(PlaceId, u32)], right: &[(PlaceId, u32)]) -> Result<Tokens, Stop> {
    let mut sum = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        let ((p, m), (q, n)) = (left[i], right[j]);
        i += usize::from(p <= q);
        j += usize::from(q <= p);
        sum.push(if p == q {
            (p, add_numbers(m, n)?)
        } else if p < q {
            (p, m)
        } else {
            (q, n)
        });
    }
    sum.extend_from_slice(&left[i..]);
    sum.extend_from_slice(&right[j..]);
    Ok(sum)
}

/// Two numbers of tokens added up.
///
/// # Errors
/// When a finite number becomes too large to tell it from ω.
pub(super) fn add_numbers(left: u32, right: u32) -> Result<u32, Stop> {
    if left == OMEGA || right == OMEGA {
        return Ok(OMEGA);
    }
    match left.checked_add(right) {
        Some(sum) if sum < OMEGA => Ok(sum),
        _ => Err(Stop::Bound("too many tokens on one place".into())),
    }
}

/// What is left after tokens were taken; nothing if there are too few.
pub(super) fn take(tokens: &[(PlaceId, u32)], taken: &[(PlaceId, u32)]) -> Option<Tokens> {
    is_below(taken, tokens).then(|| monus(tokens, taken))
}

/// Tokens less others, stopping at zero; ω stays.
pub(super) fn monus(tokens: &[(PlaceId, u32)], less: &[(PlaceId, u32)]) -> Tokens {
    let mut difference = Vec::with_capacity(tokens.len());
    let mut j = 0;
    for &(place, number) in tokens {
        while j < less.len() && less[j].0 < place {
            j += 1;
        }
        let taken = if j < less.len() && less[j].0 == place { less[j].1 } else { 0 };
        let left = if number == OMEGA { OMEGA } else { number.saturating_sub(taken) };
        if left > 0 {
            difference.push((place, left));
        }
    }
    difference
}

/// The larger number of tokens on every place.
pub(super) fn maximum(left: &[(PlaceId, u32)], right: &[(PlaceId, u32)]) -> Tokens {
    let mut result = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        let ((p, m), (q, n)) = (left[i], right[j]);
        i += usize::from(p <= q);
        j += usize::from(q <= p);
        result.push(if p == q {
            (p, m.max(n))
        } else if p < q {
            (p, m)
        } else {
            (q, n)
        });
    }
    result.extend_from_slice(&left[i..]);
    result.extend_from_slice(&right[j..]);
    result
}

/// How many places have ω.
pub(super) fn omegas(tokens: &[(PlaceId, u32)]) -> usize {
    tokens.iter().filter(|entry| entry.1 == OMEGA).count()
}

/// The number of tokens, without those on places with ω.
pub(super) fn finite_total(tokens: &[(PlaceId, u32)]) -> u64 {
    tokens.iter().filter(|entry| entry.1 != OMEGA).map(|entry| u64::from(entry.1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(numbers: &[u32]) -> Tokens {
        let entries = numbers.iter().enumerate().filter(|(_, n)| **n > 0);
        entries.map(|(place, &number)| (PlaceId::new(place), number)).collect()
    }

    #[test]
    fn sparse_arithmetic_is_that_of_vectors() {
        let numbers = [0, 1, 2, OMEGA];
        let vectors: Vec<[u32; 3]> =
            (0..64).map(|n| [numbers[n % 4], numbers[n / 4 % 4], numbers[n / 16]]).collect();
        for left in &vectors {
            for right in &vectors {
                let (a, b) = (tokens(left), tokens(right));
                let below = left.iter().zip(right).all(|(m, n)| m <= n);
                assert_eq!(is_below(&a, &b), below, "{left:?} {right:?}");
                assert!(!below || Signature::of(&a).may_be_below(Signature::of(&b)));
                let pairs: Vec<(u32, u32)> = left.iter().copied().zip(right.iter().copied()).collect();
                let sum: Vec<u32> = pairs.iter().map(|&(m, n)| m.saturating_add(n)).collect();
                assert_eq!(add(&a, &b).expect("small"), tokens(&sum));
                let most: Vec<u32> = pairs.iter().map(|&(m, n)| m.max(n)).collect();
                assert_eq!(maximum(&a, &b), tokens(&most));
                let less = |&(m, n): &(u32, u32)| if m == OMEGA { OMEGA } else { m.saturating_sub(n) };
                assert_eq!(monus(&a, &b), tokens(&pairs.iter().map(less).collect::<Vec<_>>()));
                assert_eq!(take(&a, &b).is_some(), pairs.iter().all(|(m, n)| n <= m));
            }
        }
    }

    #[test]
    fn too_many_tokens_are_a_bound() {
        let many = tokens(&[OMEGA - 1]);
        assert!(matches!(add(&many, &tokens(&[1])), Err(Stop::Bound(_))));
    }
}
