//! Expressions with choices, as terms: when they can be true, and when false.

use super::relation::{Formula, Read};
use crate::boolean::expression::{Binary, Item};
use crate::term::{Store, Term};

/// When an expression can have each value. At least one of them it always can.
#[derive(Clone, Copy)]
pub(super) struct Possible {
    pub yes: Term,
    pub no: Term,
}

impl Possible {
    /// The values of a formula, over terms for its variables.
    pub fn of(store: &mut Store, formula: &Formula, mut read: impl FnMut(&mut Store, Read) -> Term) -> Self {
        formula.fold(|item, operands: &[Self]| match item {
            Item::Constant(value) => Self { yes: store.boolean(*value), no: store.boolean(!*value) },
            Item::Choice => Self { yes: store.boolean(true), no: store.boolean(true) },
            Item::Variable(variable) => {
                let yes = read(store, *variable);
                Self { yes, no: store.not(yes) }
            }
            Item::Not => Self { yes: operands[0].no, no: operands[0].yes },
            Item::Binary(operator) => Self::binary(store, *operator, operands[0], operands[1]),
            Item::Schoose => {
                let [positive, negative] = [operands[0], operands[1]];
                let free = store.and(positive.no, negative.no);
                Self { yes: store.or(positive.yes, free), no: positive.no }
            }
        })
    }

    fn binary(store: &mut Store, operator: Binary, left: Self, right: Self) -> Self {
        let swapped = |it: Self| Self { yes: it.no, no: it.yes };
        match operator {
            Binary::And => Self { yes: store.and(left.yes, right.yes), no: store.or(left.no, right.no) },
            Binary::Or => Self { yes: store.or(left.yes, right.yes), no: store.and(left.no, right.no) },
            Binary::Implies => Self::binary(store, Binary::Or, swapped(left), right),
            Binary::Equal | Binary::Iff => {
                let (both, neither) = (store.and(left.yes, right.yes), store.and(left.no, right.no));
                let (first, second) = (store.and(left.yes, right.no), store.and(left.no, right.yes));
                Self { yes: store.or(both, neither), no: store.or(first, second) }
            }
            Binary::Xor | Binary::NotEqual => swapped(Self::binary(store, Binary::Equal, left, right)),
        }
    }

    /// That the expression can have this value.
    pub fn can_be(self, store: &mut Store, value: Term) -> Term {
        store.choose(value, self.yes, self.no)
    }
}
