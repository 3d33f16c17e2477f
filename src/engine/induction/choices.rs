//! What a run chooses: the values of expressions with `*`, and which of several things it does.

use crate::boolean::expression::{Binary, Expression, Item};
use crate::engine::bounded::formula::{Formula, Input, Store};

/// Whether an expression can be true, and whether it can be false [Bas10, 10.8].
#[derive(Clone, Copy)]
pub struct Possible {
    pub can_be_true: Formula,
    pub can_be_false: Formula,
}

impl Possible {
    /// The pair of an expression, given the formulas of its variables.
    pub fn of<V>(
        store: &mut Store,
        expression: &Expression<V>,
        mut variable: impl FnMut(&mut Store, &V) -> Formula,
    ) -> Self {
        expression.fold(|item, operands: &[Self]| match item {
            Item::Constant(value) => Self::certain(Formula::constant(*value)),
            Item::Choice => Self { can_be_true: Formula::TRUE, can_be_false: Formula::TRUE },
            Item::Variable(name) => Self::certain(variable(store, name)),
            Item::Not => operands[0].negated(),
            Item::Binary(operator) => operands[0].binary(store, *operator, operands[1]),
            Item::Schoose => {
                let neither = store.and(operands[0].can_be_false, operands[1].can_be_false);
                let can_be_true = store.or(operands[0].can_be_true, neither);
                Self { can_be_true, can_be_false: operands[0].can_be_false }
            }
        })
    }

    fn certain(value: Formula) -> Self {
        Self { can_be_true: value, can_be_false: !value }
    }

    fn negated(self) -> Self {
        Self { can_be_true: self.can_be_false, can_be_false: self.can_be_true }
    }

    fn binary(self, store: &mut Store, operator: Binary, other: Self) -> Self {
        match operator {
            Binary::And => self.and(store, other),
            Binary::Or => self.negated().and(store, other.negated()).negated(),
            Binary::Implies => self.and(store, other.negated()).negated(),
            Binary::Xor | Binary::NotEqual => self.differs(store, other),
            Binary::Equal | Binary::Iff => self.differs(store, other).negated(),
        }
    }

    fn and(self, store: &mut Store, other: Self) -> Self {
        Self {
            can_be_true: store.and(self.can_be_true, other.can_be_true),
            can_be_false: store.or(self.can_be_false, other.can_be_false),
        }
    }

    fn differs(self, store: &mut Store, other: Self) -> Self {
        let mut either = |one: [Formula; 2], two: [Formula; 2]| {
            let one = store.and(one[0], one[1]);
            let two = store.and(two[0], two[1]);
            store.or(one, two)
        };
        Self {
            can_be_true: either(
                [self.can_be_true, other.can_be_false],
                [self.can_be_false, other.can_be_true],
            ),
            can_be_false: either(
                [self.can_be_true, other.can_be_true],
                [self.can_be_false, other.can_be_false],
            ),
        }
    }

    /// A value that the expression can have; where it can have both, the choice decides.
    pub fn value(self, store: &mut Store, choice: Formula) -> Formula {
        store.choose(choice, self.can_be_true, !self.can_be_false)
    }
}

/// The choices of one step of a run. Only one thing happens in a step, so whatever may happen shares its choices.
#[derive(Default)]
pub struct Choices {
    drawn: Vec<Formula>,
}

impl Choices {
    /// The choice with a number.
    pub fn get(&mut self, store: &mut Store, number: usize) -> Formula {
        while self.drawn.len() <= number {
            self.drawn.push(store.unnamed(Input::Choice));
        }
        self.drawn[number]
    }
}

/// A number below `count` that a run chooses: for each number, whether it is chosen. Exactly one is, or none where the
/// bits say a number that is too large.
pub fn number(store: &mut Store, count: usize) -> Vec<Formula> {
    let mut chosen = vec![Formula::TRUE];
    while chosen.len() < count {
        let bit = store.unnamed(Input::Choice);
        chosen = [!bit, bit]
            .into_iter()
            .flat_map(|bit| chosen.iter().map(move |&formula| (formula, bit)).collect::<Vec<_>>())
            .map(|(formula, bit)| store.and(formula, bit))
            .collect();
    }
    chosen.truncate(count);
    chosen
}
