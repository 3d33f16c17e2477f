//! Arithmetic on constants against arithmetic on bits.

use super::generate::Random;
use crate::term::Signedness;
use crate::term::arithmetic::{apply, less, mask};
use crate::term::reference::{self, OPERATORS};

fn compare(width: u32, a: u128, b: u128) {
    for operator in OPERATORS {
        let expected = reference::binary(operator, width, a, b);
        assert_eq!(apply(operator, width, a, b), expected, "{operator:?} of {a} and {b}, {width} bits");
    }
    for signedness in [Signedness::Signed, Signedness::Unsigned] {
        let expected = reference::less(signedness, width, a, b);
        assert_eq!(less(signedness, width, a, b), expected, "{signedness:?} {a} < {b}, {width} bits");
    }
}

#[test]
fn all_pairs_of_narrow_values() {
    for width in 1..=5 {
        for a in 0..1 << width {
            for b in 0..1 << width {
                compare(width, a, b);
            }
        }
    }
}

#[test]
fn random_pairs_of_wide_values() {
    let mut random = Random::new(1);
    for width in [7, 8, 16, 31, 32, 63, 64, 65, 127, 128] {
        for _ in 0..60 {
            compare(width, random.value(width), random.value(width));
        }
        for special in [0, 1, mask(width), mask(width) >> 1, 1 << (width - 1), u128::from(width)] {
            let special = special & mask(width);
            compare(width, special, random.value(width));
            compare(width, random.value(width), special);
            compare(width, special, mask(width));
        }
    }
}
