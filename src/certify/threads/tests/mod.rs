//! Parts of the check, each by itself. Whole proofs are tried where they are made.

use super::possible::Possible;
use super::relation::{Formula, Read, Variable};
use crate::boolean::expression::{Binary, Values};
use crate::program::generate::Random;
use crate::term::{Store, Term};

fn read(number: usize) -> Read {
    Read { variable: Variable::Flag(number), next: false, passive: false }
}

/// A formula over three variables, with choices.
fn formula(random: &mut Random, depth: usize) -> Formula {
    if depth == 0 {
        return match random.below(5) {
            0 => Formula::choice(),
            1 => Formula::constant(random.below(2) == 0),
            _ => Formula::variable(read(random.below(3))),
        };
    }
    let left = formula(random, depth - 1);
    match random.below(9) {
        0 => left.negate(),
        1 => Formula::schoose(left, formula(random, depth - 1)),
        operator => left.binary(Binary::ALL[operator - 2], formula(random, depth - 1)),
    }
}

#[test]
fn possible_values_are_those_of_the_semantics() {
    let mut random = Random::new(7);
    for _ in 0..300 {
        let formula = formula(&mut random, 3);
        for values in 0..8_usize {
            let value = |read: &Read| match read.variable {
                Variable::Flag(number) => values >> number & 1 == 1,
                Variable::Predicate(_) => unreachable!("there are none"),
            };
            let store = &mut Store::new();
            let found = Possible::of(store, &formula, |store, read| store.boolean(value(&read)));
            let truth = |term: Term| store.truth(term).expect("a constant");
            let found = Values { can_be_true: truth(found.yes), can_be_false: truth(found.no) };
            assert_eq!(found, formula.values(value), "{formula:?}");
        }
    }
}
