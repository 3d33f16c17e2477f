//! Random trees: what the store makes of them has the same value.

use super::generate::{Random, Vocabulary, assignment};
use crate::term::reference::same;
use crate::term::{Sort, Store};

const WIDTHS: [u32; 9] = [1, 2, 3, 7, 8, 16, 32, 64, 128];

/// Builds random trees over these widths and compares values under a few assignments.
fn compare(seed: u64, widths: &[u32], trees: usize, depth: u32) {
    let mut random = Random::new(seed);
    let vocabulary = Vocabulary::new(widths);
    for number in 0..trees {
        let mut store = Store::new();
        let symbols = vocabulary.symbols(&mut store);
        let sort = if number % 4 == 0 { Sort::Boolean } else { random.pick(&vocabulary.sorts) };
        let tree = vocabulary.tree(&mut random, sort, depth);
        let term = tree.build(&mut store, &symbols);
        assert_eq!(store.sort(term), sort);
        for _ in 0..4 {
            let values = vocabulary.values(&mut random);
            let expected = tree.evaluate(&values);
            let found =
                store.evaluate(term, &assignment(&symbols, &values)).expect("all symbols have values");
            assert!(same(sort, &expected, &found), "{tree:?}\n{values:?}\n{expected:?} {found:?}");
        }
    }
}

#[test]
fn shallow_terms() {
    compare(10, &WIDTHS, 15_000, 2);
}

#[test]
fn deeper_terms() {
    compare(11, &WIDTHS, 6_000, 4);
}

#[test]
fn narrow_terms_meet_their_borders() {
    compare(12, &[1, 2, 3], 15_000, 3);
}

#[test]
fn one_width_at_a_time() {
    for width in WIDTHS {
        compare(u64::from(width), &[width], 1_500, 3);
    }
}
