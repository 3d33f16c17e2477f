//! Extraction, concatenation, extension.
//!
//! Bytes that go to memory one by one and come back one by one are one value again: adjacent extractions merge, and an
//! extraction finds its part of a concatenation. Concatenations lean to the right: `a ++ (b ++ c)`.

use super::super::arithmetic::{from_signed, to_signed};
use super::super::{Node, Operator, Sort, Store, Term};

impl Store {
    pub(in crate::term) fn simplify_extract(&mut self, low: u32, width: u32, of: Term) -> Term {
        if width == self.width(of) {
            return of;
        }
        let simpler = match self.node(of) {
            Node::Bits(_, value) => Some(self.bits(width, value >> low)),
            Node::Extract { low: below, of, .. } => Some(self.simplify_extract(low + below, width, of)),
            Node::Concatenate(high, rest) => Some(self.extract_of_parts(low, width, high, rest)),
            Node::ZeroExtend(_, inner) => Some(self.extract_of_zeros(low, width, inner)),
            Node::SignExtend(_, inner) => Some(self.extract_of_signs(low, width, inner)),
            Node::Choose(..) => self
                .constant_arms(of)
                .map(|(condition, yes, no)| self.choose_bits(width, condition, yes >> low, no >> low)),
            Node::Binary(operator, a, b) => self.extract_of_binary(low, width, operator, a, b),
            _ => None,
        };
        simpler.unwrap_or_else(|| self.intern(Node::Extract { low, width, of }, Sort::Bits(width)))
    }

    fn extract_of_parts(&mut self, low: u32, width: u32, high: Term, rest: Term) -> Term {
        let border = self.width(rest);
        if low >= border {
            self.simplify_extract(low - border, width, high)
        } else if low + width <= border {
            self.simplify_extract(low, width, rest)
        } else {
            let left = self.simplify_extract(0, low + width - border, high);
            let right = self.simplify_extract(low, border - low, rest);
            self.concatenate(left, right)
        }
    }

    fn extract_of_zeros(&mut self, low: u32, width: u32, inner: Term) -> Term {
        let border = self.width(inner);
        if low >= border {
            return self.bits(width, 0);
        }
        let part = self.simplify_extract(low, width.min(border - low), inner);
        self.zero_extend(width, part)
    }

    fn extract_of_signs(&mut self, low: u32, width: u32, inner: Term) -> Term {
        let border = self.width(inner);
        let low = low.min(border - 1);
        let part = self.simplify_extract(low, width.min(border - low), inner);
        self.sign_extend(width, part)
    }

    fn extract_of_binary(
        &mut self,
        low: u32,
        width: u32,
        operator: Operator,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        use Operator as O;
        match operator {
            O::ShiftLeft | O::ShiftRight => self.extract_of_shift(low, width, operator, a, b),
            O::And | O::Or | O::Xor if self.extracts_at_once(low, width, a, b) => {
                self.extract_of_both(low, width, operator, a, b)
            }
            // The low bits of a result depend on the low bits of the operands alone.
            O::Add | O::Subtract | O::Multiply if low == 0 && self.extracts_at_once(0, width, a, b) => {
                self.extract_of_both(0, width, operator, a, b)
            }
            _ => None,
        }
    }

    fn extract_of_both(
        &mut self,
        low: u32,
        width: u32,
        operator: Operator,
        a: Term,
        b: Term,
    ) -> Option<Term> {
        let (a, b) = (self.simplify_extract(low, width, a), self.simplify_extract(low, width, b));
        Some(self.binary(operator, a, b))
    }

    /// Whether extracting from both operands ends at once: constants, and extensions whose own bits are all kept.
    fn extracts_at_once(&self, low: u32, width: u32, a: Term, b: Term) -> bool {
        let at_once = |term: Term| match self.node(term) {
            Node::Bits(..) => true,
            Node::ZeroExtend(_, inner) | Node::SignExtend(_, inner) => low == 0 && self.width(inner) <= width,
            _ => false,
        };
        at_once(a) && at_once(b)
    }

    fn extract_of_shift(
        &mut self,
        low: u32,
        width: u32,
        operator: Operator,
        a: Term,
        by: Term,
    ) -> Option<Term> {
        let by = u32::try_from(self.constant(by)?).ok()?;
        if operator == Operator::ShiftRight {
            return (low + by + width <= self.width(a)).then(|| self.intern_extract(low + by, width, a));
        }
        if low >= by {
            Some(self.intern_extract(low - by, width, a))
        } else {
            (low + width <= by).then(|| self.bits(width, 0))
        }
    }

    /// An extraction that looks below its operand only where the operand is of constant depth or narrower inside.
    fn intern_extract(&mut self, low: u32, width: u32, of: Term) -> Term {
        match self.node(of) {
            Node::Binary(..) => self.intern(Node::Extract { low, width, of }, Sort::Bits(width)),
            _ => self.simplify_extract(low, width, of),
        }
    }

    pub(in crate::term) fn simplify_concatenate(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        if let Some(term) = self.merge_parts(high, low) {
            return term;
        }
        match (self.node(high), self.node(low)) {
            (Node::Bits(_, 0), _) => self.zero_extend(width, low),
            (Node::Concatenate(a, b), _) => {
                let rest = self.simplify_concatenate(b, low);
                self.simplify_concatenate(a, rest)
            }
            (Node::ZeroExtend(_, a), _) => {
                let rest = self.simplify_concatenate(a, low);
                self.zero_extend(width, rest)
            }
            (_, Node::Concatenate(a, rest)) => match self.merge_parts(high, a) {
                Some(merged) => self.simplify_concatenate(merged, rest),
                None => self.intern(Node::Concatenate(high, low), Sort::Bits(width)),
            },
            _ => self.intern(Node::Concatenate(high, low), Sort::Bits(width)),
        }
    }

    /// Constants side by side, and adjacent extractions of one term.
    fn merge_parts(&mut self, high: Term, low: Term) -> Option<Term> {
        match (self.node(high), self.node(low)) {
            (Node::Bits(a, x), Node::Bits(b, y)) => Some(self.bits(a + b, (x << b) | y)),
            (Node::Extract { low: at, width: a, of }, Node::Extract { low: below, width: b, of: same })
                if of == same && below + b == at =>
            {
                Some(self.simplify_extract(below, a + b, of))
            }
            _ => None,
        }
    }

    pub(in crate::term) fn simplify_zero_extend(&mut self, width: u32, a: Term) -> Term {
        if self.width(a) == width {
            return a;
        }
        match self.node(a) {
            Node::Bits(_, value) => self.bits(width, value),
            Node::ZeroExtend(_, inner) => self.simplify_zero_extend(width, inner),
            Node::Choose(..) if self.constant_arms(a).is_some() => {
                let (condition, yes, no) = self.constant_arms(a).expect("just seen");
                self.choose_bits(width, condition, yes, no)
            }
            _ => self.intern(Node::ZeroExtend(width, a), Sort::Bits(width)),
        }
    }

    pub(in crate::term) fn simplify_sign_extend(&mut self, width: u32, a: Term) -> Term {
        let narrow = self.width(a);
        if narrow == width {
            return a;
        }
        let extended = |value| from_signed(width, to_signed(narrow, value));
        match self.node(a) {
            Node::Bits(_, value) => self.bits(width, extended(value)),
            Node::SignExtend(_, inner) => self.simplify_sign_extend(width, inner),
            Node::ZeroExtend(_, inner) => self.simplify_zero_extend(width, inner),
            Node::Choose(..) if self.constant_arms(a).is_some() => {
                let (condition, yes, no) = self.constant_arms(a).expect("just seen");
                self.choose_bits(width, condition, extended(yes), extended(no))
            }
            _ => self.intern(Node::SignExtend(width, a), Sort::Bits(width)),
        }
    }
}
