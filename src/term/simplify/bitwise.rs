//! Bitwise operators.
//!
//! On truth values as bits they are the operators of truth values. A mask of whole bytes is an extraction, as casts are.

use super::super::arithmetic::{apply, mask};
use super::super::{Node, Operator, Store, Term};

impl Store {
    pub(super) fn simplify_bitwise(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if a == b {
            return if operator == Operator::Xor { self.bits(self.width(a), 0) } else { a };
        }
        let simpler = match self.constant(b) {
            Some(value) => self.bitwise_constant(operator, a, value),
            None => self.bitwise_complement(operator, a, b).or_else(|| self.bitwise_boolean(operator, a, b)),
        };
        simpler.unwrap_or_else(|| self.intern_binary(operator, a, b))
    }

    fn bitwise_constant(&mut self, operator: Operator, a: Term, value: u128) -> Option<Term> {
        let width = self.width(a);
        match (operator, value) {
            (Operator::And, 0) => return Some(self.bits(width, 0)),
            (Operator::Or | Operator::Xor, 0) => return Some(a),
            (Operator::And, _) if value == mask(width) => return Some(a),
            (Operator::Or, _) if value == mask(width) => return Some(self.bits(width, value)),
            _ => {}
        }
        self.bitwise_twice(operator, a, value).or_else(|| match operator {
            Operator::And => self.mask_by_constant(a, value),
            _ => None,
        })
    }

    /// `(x & c) & d`, and the same with the other operators.
    fn bitwise_twice(&mut self, operator: Operator, a: Term, value: u128) -> Option<Term> {
        let Node::Binary(inner, x, c) = self.node(a) else { return None };
        let c = self.constant(c)?;
        if inner != operator {
            return None;
        }
        let width = self.width(a);
        let both = self.bits(width, apply(operator, width, c, value));
        Some(self.simplify_bitwise(operator, x, both))
    }

    /// `x & value` where the value is a row of ones at the low end.
    fn mask_by_constant(&mut self, x: Term, value: u128) -> Option<Term> {
        let (width, kept) = (self.width(x), value.trailing_ones());
        if value != mask(kept) {
            return None;
        }
        if self.upper_bound(x) <= value {
            return Some(x);
        }
        let seen_through = matches!(
            self.node(x),
            Node::ZeroExtend(..) | Node::SignExtend(..) | Node::Concatenate(..) | Node::Extract { .. }
        );
        if !seen_through && kept % 8 != 0 {
            return None;
        }
        let low = self.extract(0, kept, x);
        Some(self.zero_extend(width, low))
    }

    /// `x & ~x` and the like.
    fn bitwise_complement(&mut self, operator: Operator, a: Term, b: Term) -> Option<Term> {
        let complements = |store: &Self, x: Term, y: Term| match store.node(y) {
            Node::Binary(Operator::Xor, z, c) => z == x && store.constant(c) == Some(mask(store.width(x))),
            _ => false,
        };
        if !complements(self, a, b) && !complements(self, b, a) {
            return None;
        }
        let value = if operator == Operator::And { 0 } else { u128::MAX };
        Some(self.bits(self.width(a), value))
    }

    fn bitwise_boolean(&mut self, operator: Operator, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let (x, y) = (self.as_boolean(a)?, self.as_boolean(b)?);
        let result = match operator {
            Operator::And => self.and(x, y),
            Operator::Or => self.or(x, y),
            _ => self.not_equal(x, y),
        };
        Some(self.bool_to_bits(width, result))
    }
}
