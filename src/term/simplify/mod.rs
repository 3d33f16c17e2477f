//! The rules by which terms are simplified as they are built, by operator.
//!
//! A rule looks at the operands and a bounded number of levels below, and either answers with a term or leaves the node
//! as it is. Rules terminate because each builds terms that are smaller, narrower or earlier in the order of forms; where
//! a rule could follow a chain, it counts its steps. The forms that result:
//! - constants are folded, and stand on the right of commutative operators, of sums and of comparisons;
//! - other operands of commutative operators are in the order of their ids;
//! - a constant is subtracted by adding its negation, and is the last summand;
//! - a comparison with a constant is `x < c` or its negation, of the narrowest bit vector;
//! - truth values as bits are `choose c 1 0`, or the extension of a single bit.

mod array;
mod bitwise;
mod boolean;
mod choose;
mod compare;
mod implication;
mod shift;
mod slice;
mod sum;

use super::arithmetic::{apply, mask};
use super::{Node, Operator, Sort, Store, Term};

/// How many links of a chain a rule follows.
const STEPS: usize = 16;

/// What rules ask of operands.
impl Store {
    /// The value of a constant bit vector.
    #[must_use]
    pub fn constant(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Bits(_, value) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant truth value.
    #[must_use]
    pub fn truth(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// The widths of index and element.
    ///
    /// # Panics
    /// If the term is no array.
    #[must_use]
    pub fn array_widths(&self, array: Term) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            other => panic!("an array was expected, not {other:?}"),
        }
    }

    /// `x` and `c` where the term is `x + c`; `c` is zero if it is no such sum.
    #[must_use]
    pub fn offset(&self, term: Term) -> (Term, u128) {
        match self.node(term) {
            Node::Binary(Operator::Add, x, c) => self.constant(c).map_or((term, 0), |c| (x, c)),
            _ => (term, 0),
        }
    }

    /// The condition and the two values, where the term chooses between constants.
    fn constant_arms(&self, term: Term) -> Option<(Term, u128, u128)> {
        let Node::Choose(condition, yes, no) = self.node(term) else { return None };
        Some((condition, self.constant(yes)?, self.constant(no)?))
    }

    /// Chooses between two constants.
    fn choose_bits(&mut self, width: u32, condition: Term, yes: u128, no: u128) -> Term {
        let (yes, no) = (self.bits(width, yes), self.bits(width, no));
        self.choose(condition, yes, no)
    }

    /// The truth value of which the term is the bit vector one or zero.
    fn as_boolean(&mut self, term: Term) -> Option<Term> {
        match self.constant_arms(term)? {
            (condition, 1, 0) => Some(condition),
            (condition, 0, 1) => Some(self.not(condition)),
            _ => None,
        }
    }

    /// Operands of a commutative operator in their order: constants last, else by id.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        let key = |term: Term| (matches!(self.node(term), Node::Bits(..) | Node::Boolean(_)), term);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    /// A number that the unsigned value of the term does not exceed.
    fn upper_bound(&self, term: Term) -> u128 {
        let all = mask(self.width(term));
        match self.node(term) {
            Node::Bits(_, value) => value,
            Node::ZeroExtend(_, a) => mask(self.width(a)),
            Node::Binary(Operator::And, _, c) => self.constant(c).unwrap_or(all),
            Node::Binary(Operator::UnsignedRemainder, _, c) => match self.constant(c) {
                Some(c) if c > 0 => c - 1,
                _ => all,
            },
            Node::Binary(Operator::ShiftRight, _, c) => {
                self.constant(c).map_or(all, |c| apply(Operator::ShiftRight, self.width(term), all, c))
            }
            Node::Choose(..) => self.constant_arms(term).map_or(all, |(_, yes, no)| yes.max(no)),
            _ => all,
        }
    }

    /// A binary operator, by the rules of its kind.
    pub(super) fn simplify_binary(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        use Operator as O;
        if let Some(term) = self.fold_binary(operator, a, b) {
            return term;
        }
        match operator {
            O::Add => self.simplify_add(a, b),
            O::Subtract => self.simplify_subtract(a, b),
            O::Multiply => self.simplify_multiply(a, b),
            O::UnsignedDivide | O::SignedDivide => self.simplify_divide(operator, a, b),
            O::UnsignedRemainder | O::SignedRemainder => self.simplify_remainder(operator, a, b),
            O::ShiftLeft | O::ShiftRight | O::ShiftRightSigned => self.simplify_shift(operator, a, b),
            O::And | O::Or | O::Xor => self.simplify_bitwise(operator, a, b),
        }
    }

    /// The operator on constants, or on a choice between constants and a constant.
    fn fold_binary(&mut self, operator: Operator, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        match (self.constant(a), self.constant(b)) {
            (Some(a), Some(b)) => Some(self.bits(width, apply(operator, width, a, b))),
            (None, Some(b)) => {
                let (condition, yes, no) = self.constant_arms(a)?;
                let (yes, no) = (apply(operator, width, yes, b), apply(operator, width, no, b));
                Some(self.choose_bits(width, condition, yes, no))
            }
            (Some(a), None) => {
                let (condition, yes, no) = self.constant_arms(b)?;
                let (yes, no) = (apply(operator, width, a, yes), apply(operator, width, a, no));
                Some(self.choose_bits(width, condition, yes, no))
            }
            (None, None) => None,
        }
    }

    /// A binary node as it is.
    fn intern_binary(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        self.intern(Node::Binary(operator, a, b), sort)
    }
}
