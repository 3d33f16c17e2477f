//! Shifts.

use super::super::{Node, Operator, Store, Term};

impl Store {
    pub(super) fn simplify_shift(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if self.constant(a) == Some(0) {
            return a;
        }
        match self.constant(b) {
            Some(0) => a,
            Some(by) if by >= u128::from(width) => self.shift_out(operator, a),
            Some(by) => self.shift_by(operator, a, by),
            None => self.intern_binary(operator, a, b),
        }
    }

    /// A shift by the width or more.
    fn shift_out(&mut self, operator: Operator, a: Term) -> Term {
        let width = self.width(a);
        match operator {
            Operator::ShiftRightSigned => self.shift_by(operator, a, u128::from(width - 1)),
            _ => self.bits(width, 0),
        }
    }

    fn shift_by(&mut self, operator: Operator, a: Term, by: u128) -> Term {
        let width = self.width(a);
        match self.node(a) {
            // At width one a signed shift by the width or more is no shift.
            _ if by == 0 => a,
            Node::Binary(inner, x, c) if inner == operator && self.constant(c).is_some() => {
                let sum = by + self.constant(c).expect("just seen");
                if sum >= u128::from(width) {
                    self.shift_out(operator, x)
                } else {
                    self.shift_by(operator, x, sum)
                }
            }
            Node::ZeroExtend(_, x) if operator == Operator::ShiftRight && by >= u128::from(self.width(x)) => {
                self.bits(width, 0)
            }
            Node::ZeroExtend(..) if operator == Operator::ShiftRightSigned => {
                let by = self.bits(width, by);
                self.binary(Operator::ShiftRight, a, by)
            }
            _ => {
                let by = self.bits(width, by);
                self.intern_binary(operator, a, by)
            }
        }
    }
}
