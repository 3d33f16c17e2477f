//! Sums, products, quotients.
//!
//! A constant summand moves outwards, so that `x + 3` and `x + 5` are seen to share `x`: addresses and counters depend on
//! it. Sums of more than one variable part are not ordered as a whole, which would cost more than constant time.

use super::super::arithmetic::{from_signed, mask};
use super::super::{Node, Operator, Signedness, Store, Term};

impl Store {
    /// `x + c`.
    pub(in crate::term) fn add_constant(&mut self, x: Term, c: u128) -> Term {
        let c = self.bits(self.width(x), c);
        self.binary(Operator::Add, x, c)
    }

    pub(super) fn simplify_add(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if let Some(c) = self.constant(b) {
            return self.add_to_constant(a, c);
        }
        let ((x, c), (y, d)) = (self.offset(a), self.offset(b));
        if c != 0 || d != 0 {
            let sum = self.binary(Operator::Add, x, y);
            return self.add_constant(sum, c.wrapping_add(d));
        }
        self.cancel_in_sum(a, b)
            .or_else(|| self.cancel_in_sum(b, a))
            .unwrap_or_else(|| self.intern_binary(Operator::Add, a, b))
    }

    /// `a + c`, where `a` is no constant.
    fn add_to_constant(&mut self, a: Term, c: u128) -> Term {
        let width = self.width(a);
        let (x, d) = self.offset(a);
        let sum = c.wrapping_add(d) & mask(width);
        if sum == 0 {
            return x;
        }
        if let Node::Binary(Operator::Subtract, e, y) = self.node(x)
            && let Some(e) = self.constant(e)
        {
            let e = self.bits(width, e.wrapping_add(sum));
            return self.binary(Operator::Subtract, e, y);
        }
        let sum = self.bits(width, sum);
        self.intern_binary(Operator::Add, x, sum)
    }

    /// `a + b` where `b` is a difference: `a + (y - a)`, `a + (c - y)`, `a + (0 - y)`.
    fn cancel_in_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        let Node::Binary(Operator::Subtract, x, y) = self.node(b) else { return None };
        if y == a {
            return Some(x);
        }
        let c = self.constant(x)?;
        let difference = self.binary(Operator::Subtract, a, y);
        Some(self.add_constant(difference, c))
    }

    pub(super) fn simplify_subtract(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(c) = self.constant(b) {
            return self.add_constant(a, c.wrapping_neg());
        }
        let ((x, c), (y, d)) = (self.offset(a), self.offset(b));
        if c != 0 || d != 0 {
            let difference = self.binary(Operator::Subtract, x, y);
            return self.add_constant(difference, c.wrapping_sub(d));
        }
        self.cancel_in_difference(a, b).unwrap_or_else(|| self.intern_binary(Operator::Subtract, a, b))
    }

    fn cancel_in_difference(&mut self, a: Term, b: Term) -> Option<Term> {
        match self.node(a) {
            Node::Binary(Operator::Add, x, y) if y == b => return Some(x),
            Node::Binary(Operator::Add, x, y) if x == b => return Some(y),
            Node::Binary(Operator::Subtract, x, y) if x == b => return Some(self.negate(y)),
            _ => {}
        }
        match self.node(b) {
            Node::Binary(Operator::Add, x, y) if x == a => Some(self.negate(y)),
            Node::Binary(Operator::Add, x, y) if y == a => Some(self.negate(x)),
            Node::Binary(Operator::Subtract, x, y) if x == a => Some(y),
            // a - (c - y) is (a + y) - c.
            Node::Binary(Operator::Subtract, c, y) => {
                let c = self.constant(c)?;
                let sum = self.binary(Operator::Add, a, y);
                Some(self.add_constant(sum, c.wrapping_neg()))
            }
            _ => None,
        }
    }

    pub(super) fn simplify_multiply(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        match self.constant(b) {
            Some(c) => self.multiply_by_constant(a, b, c),
            None => self.intern_binary(Operator::Multiply, a, b),
        }
    }

    fn multiply_by_constant(&mut self, a: Term, b: Term, c: u128) -> Term {
        let width = self.width(a);
        match c {
            0 => return b,
            1 => return a,
            _ if c == mask(width) => return self.negate(a),
            _ => {}
        }
        match self.node(a) {
            Node::Binary(Operator::Multiply, x, d) if self.constant(d).is_some() => {
                let product = self.binary(Operator::Multiply, d, b);
                self.binary(Operator::Multiply, x, product)
            }
            // As in the address of `a[i + 1]`.
            Node::Binary(Operator::Add, x, d) if self.constant(d).is_some() => {
                let (left, right) =
                    (self.binary(Operator::Multiply, x, b), self.binary(Operator::Multiply, d, b));
                self.binary(Operator::Add, left, right)
            }
            _ => self.intern_binary(Operator::Multiply, a, b),
        }
    }

    pub(super) fn simplify_divide(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.constant(b) {
            Some(1) => a,
            Some(0) => self.divide_by_zero(operator, a),
            Some(c) if operator == Operator::SignedDivide && c == mask(width) => self.negate(a),
            _ => self.intern_binary(operator, a, b),
        }
    }

    fn divide_by_zero(&mut self, operator: Operator, a: Term) -> Term {
        let width = self.width(a);
        if operator == Operator::UnsignedDivide {
            return self.bits(width, u128::MAX);
        }
        let zero = self.bits(width, 0);
        let negative = self.less(Signedness::Signed, a, zero);
        self.choose_bits(width, negative, 1, from_signed(width, -1))
    }

    pub(super) fn simplify_remainder(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let minus_one = operator == Operator::SignedRemainder && self.constant(b) == Some(mask(width));
        if a == b || minus_one || self.constant(b) == Some(1) || self.constant(a) == Some(0) {
            return self.bits(width, 0);
        }
        match self.constant(b) {
            Some(0) => a,
            Some(c) if operator == Operator::UnsignedRemainder && self.upper_bound(a) < c => a,
            _ => self.intern_binary(operator, a, b),
        }
    }
}
