//! Building terms.

use super::{Node, Operator, Sort, Store, Symbol, Term};

/// The bits that a value of this width has.
#[must_use]
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

#[allow(missing_docs)]
impl Store {
    pub fn symbol(&mut self, symbol: Symbol) -> Term {
        let sort = self.sort_of_symbol(symbol);
        self.intern(Node::Symbol(symbol), sort)
    }

    pub fn boolean(&mut self, value: bool) -> Term {
        self.intern(Node::Boolean(value), Sort::Boolean)
    }

    /// A constant; the value is taken modulo `2^width`.
    pub fn bits(&mut self, width: u32, value: u128) -> Term {
        self.intern(Node::Bits(width, value & mask(width)), Sort::Bits(width))
    }

    pub fn not(&mut self, a: Term) -> Term {
        self.intern(Node::Not(a), Sort::Boolean)
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.intern(Node::And(a, b), Sort::Boolean)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.intern(Node::Or(a, b), Sort::Boolean)
    }

    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        self.intern(Node::Equal(a, b), Sort::Boolean)
    }

    pub fn unsigned_less(&mut self, a: Term, b: Term) -> Term {
        self.intern(Node::UnsignedLess(a, b), Sort::Boolean)
    }

    pub fn signed_less(&mut self, a: Term, b: Term) -> Term {
        self.intern(Node::SignedLess(a, b), Sort::Boolean)
    }

    /// If, then, else.
    pub fn choose(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        let sort = self.sort(yes);
        debug_assert_eq!(sort, self.sort(no));
        self.intern(Node::Choose(condition, yes, no), sort)
    }

    pub fn binary(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        debug_assert_eq!(sort, self.sort(b));
        self.intern(Node::Binary(operator, a, b), sort)
    }

    /// Bits `low + width - 1 … low`.
    pub fn extract(&mut self, low: u32, width: u32, of: Term) -> Term {
        self.intern(Node::Extract { low, width, of }, Sort::Bits(width))
    }

    /// The first operand has the high bits.
    pub fn concatenate(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        self.intern(Node::Concatenate(high, low), Sort::Bits(width))
    }

    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        if self.width(a) == width { a } else { self.intern(Node::ZeroExtend(width, a), Sort::Bits(width)) }
    }

    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        if self.width(a) == width { a } else { self.intern(Node::SignExtend(width, a), Sort::Bits(width)) }
    }

    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let Sort::Array { element, .. } = self.sort(array) else { panic!("an array was expected") };
        self.intern(Node::Select(array, index), Sort::Bits(element))
    }

    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let sort = self.sort(array);
        self.intern(Node::Store(array, index, element), sort)
    }

    /// The array with the same element everywhere.
    pub fn constant_array(&mut self, index: u32, element: Term) -> Term {
        let width = self.width(element);
        self.intern(Node::Constant(index, element), Sort::Array { index, element: width })
    }
}
