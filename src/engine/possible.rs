//! Expressions with choices as pairs of sets [Bas10, 10.8].
//!
//! An expression with choices becomes the pair of sets of states (can be true, can be false). Every `*` is a
//! fresh choice, so the choices of two operands are independent and the pair composes bottom-up: exact, and
//! without auxiliary variables for the choices. (Algorithm 10.3 quantifies them out of a BDD instead, and says
//! "universally" where its own example takes the disjunction.) Then `v := e` is the relation
//! (v' → can be true) ∧ (¬v' → can be false).

use crate::bdd::{Bdd, Level, Manager};
use crate::boolean::expression::{Binary, Expression, Item};
use crate::ground::reason::Stop;

/// The states in which an expression can be true, and those in which it can be false.
#[derive(Clone, Copy)]
pub struct Possible {
    /// It can be true.
    pub true_in: Bdd,
    /// It can be false.
    pub false_in: Bdd,
}

impl Possible {
    /// The pair of sets of an expression; `level` tells the level of a variable.
    pub fn of<V>(
        bdd: &mut dyn Manager,
        expression: &Expression<V>,
        level: impl Fn(&V) -> Level,
    ) -> Result<Self, Stop> {
        expression.try_fold(|item, operands: &[Self]| match item {
            Item::Constant(value) => {
                Ok(Self { true_in: bdd.constant(*value), false_in: bdd.constant(!*value) })
            }
            Item::Choice => Ok(Self { true_in: bdd.constant(true), false_in: bdd.constant(true) }),
            Item::Variable(variable) => {
                let level = level(variable);
                Ok(Self { true_in: bdd.literal(level, true)?, false_in: bdd.literal(level, false)? })
            }
            Item::Not => Ok(operands[0].negated()),
            Item::Binary(operator) => operands[0].binary(bdd, *operator, operands[1]),
            Item::Schoose => {
                let neither = bdd.and(operands[0].false_in, operands[1].false_in)?;
                let true_in = bdd.or(operands[0].true_in, neither)?;
                Ok(Self { true_in, false_in: operands[0].false_in })
            }
        })
    }

    fn negated(self) -> Self {
        Self { true_in: self.false_in, false_in: self.true_in }
    }

    fn binary(self, bdd: &mut dyn Manager, operator: Binary, other: Self) -> Result<Self, Stop> {
        Ok(match operator {
            Binary::And => self.and(bdd, other)?,
            Binary::Or => self.negated().and(bdd, other.negated())?.negated(),
            Binary::Implies => self.and(bdd, other.negated())?.negated(),
            Binary::Xor | Binary::NotEqual => self.xor(bdd, other)?,
            Binary::Equal | Binary::Iff => self.xor(bdd, other)?.negated(),
        })
    }

    fn and(self, bdd: &mut dyn Manager, other: Self) -> Result<Self, Stop> {
        let true_in = bdd.and(self.true_in, other.true_in)?;
        let false_in = bdd.or(self.false_in, other.false_in)?;
        Ok(Self { true_in, false_in })
    }

    fn xor(self, bdd: &mut dyn Manager, other: Self) -> Result<Self, Stop> {
        let both = bdd.and(self.true_in, other.true_in)?;
        let neither = bdd.and(self.false_in, other.false_in)?;
        let only_self = bdd.and(self.true_in, other.false_in)?;
        let only_other = bdd.and(self.false_in, other.true_in)?;
        let true_in = bdd.or(only_self, only_other)?;
        let false_in = bdd.or(both, neither)?;
        Ok(Self { true_in, false_in })
    }

    /// A level has a value that the expression can have.
    pub fn taken_by(self, bdd: &mut dyn Manager, level: Level) -> Result<Bdd, Stop> {
        let is_true = bdd.literal(level, true)?;
        let is_false = bdd.literal(level, false)?;
        let true_case = bdd.and(is_true, self.true_in)?;
        let false_case = bdd.and(is_false, self.false_in)?;
        bdd.or(true_case, false_case)
    }
}
