//! Building terms.
//!
//! Every constructor simplifies: constants are folded, identities applied, and operands brought into one order, so that
//! terms that people would call the same are one term. The rules are in `simplify`, by operator; each
//! looks at a bounded part of the operands, so that building costs the same however large they are.

use super::float::{self, FloatFunction, FloatOperator, FloatRelation, Format};
use super::overflow::{self, Signed};
use super::simplify::{self, array, binary, boolean, choose, compare, slice};
use super::{Node, Operator, Signedness, Sort, Store, Symbol, Term};

pub use super::arithmetic::mask;

/// Constructors, by the words of SMT-LIB spelled out.
impl Store {
    /// The value of a symbol.
    pub fn symbol(&mut self, symbol: Symbol) -> Term {
        let sort = self.sort_of_symbol(symbol);
        self.intern(Node::Symbol(symbol), sort)
    }

    /// True or false.
    pub fn boolean(&mut self, value: bool) -> Term {
        self.intern(Node::Boolean(value), Sort::Boolean)
    }

    /// A constant; the value is taken modulo `2^width`.
    pub fn bits(&mut self, width: u32, value: u128) -> Term {
        debug_assert!((1..=128).contains(&width), "no bit vector has {width} bits");
        self.intern(Node::Bits(width, value & mask(width)), Sort::Bits(width))
    }

    /// Negation of a truth value.
    pub fn not(&mut self, a: Term) -> Term {
        debug_assert_eq!(self.sort(a), Sort::Boolean);
        boolean::not(self, a)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!((self.sort(a), self.sort(b)), (Sort::Boolean, Sort::Boolean));
        boolean::and(self, a, b)
    }

    /// Disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!((self.sort(a), self.sort(b)), (Sort::Boolean, Sort::Boolean));
        boolean::or(self, a, b)
    }

    /// Whether two terms of one sort are equal.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b));
        compare::equal(self, a, b)
    }

    /// `a < b`, unsigned.
    pub fn unsigned_less(&mut self, a: Term, b: Term) -> Term {
        self.less(Signedness::Unsigned, a, b)
    }

    /// `a < b`, signed.
    pub fn signed_less(&mut self, a: Term, b: Term) -> Term {
        self.less(Signedness::Signed, a, b)
    }

    /// If, then, else.
    pub fn choose(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        debug_assert_eq!(self.sort(condition), Sort::Boolean);
        debug_assert_eq!(self.sort(yes), self.sort(no));
        choose::choose(self, condition, yes, no)
    }

    /// An operation on two bit vectors of one width.
    pub fn binary(&mut self, operator: Operator, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(a), self.width(b));
        binary(self, operator, a, b)
    }

    /// An operation on two floating-point numbers of one format.
    pub fn float_binary(&mut self, operator: FloatOperator, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(a), self.width(b));
        simplify::float::operate(self, operator, a, b)
    }

    /// A relation between two floating-point numbers of one format.
    pub fn float_compare(&mut self, relation: FloatRelation, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(a), self.width(b));
        simplify::float::compare(self, relation, a, b)
    }

    /// A function of a floating-point number, or one that gives one.
    pub fn float_unary(&mut self, function: FloatFunction, a: Term) -> Term {
        simplify::float::apply(self, function, a)
    }

    /// Bits `low + width - 1 … low`.
    pub fn extract(&mut self, low: u32, width: u32, of: Term) -> Term {
        debug_assert!(width > 0 && low + width <= self.width(of));
        slice::extract(self, low, width, of)
    }

    /// The first operand has the high bits.
    pub fn concatenate(&mut self, high: Term, low: Term) -> Term {
        debug_assert!(self.width(high) + self.width(low) <= 128);
        slice::concatenate(self, high, low)
    }

    /// To this width, with zeros.
    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        debug_assert!(self.width(a) <= width && width <= 128);
        slice::zero_extend(self, width, a)
    }

    /// To this width, with the sign.
    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        debug_assert!(self.width(a) <= width && width <= 128);
        slice::sign_extend(self, width, a)
    }

    /// The element of an array at an index.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        debug_assert_eq!(self.array_widths(array).0, self.width(index));
        array::read(self, array, index)
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        debug_assert_eq!(self.array_widths(array), (self.width(index), self.width(element)));
        array::write(self, array, index, element)
    }

    /// The array with the same element everywhere.
    pub fn constant_array(&mut self, index: u32, element: Term) -> Term {
        let width = self.width(element);
        self.intern(Node::Constant(index, element), Sort::Array { index, element: width })
    }
}

/// Shorthands.
impl Store {
    /// `a < b`.
    pub fn less(&mut self, signedness: Signedness, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.width(a), self.width(b));
        compare::less(self, signedness, a, b)
    }

    /// `a <= b`.
    pub fn less_equal(&mut self, signedness: Signedness, a: Term, b: Term) -> Term {
        let greater = self.less(signedness, b, a);
        self.not(greater)
    }

    /// `a > b`.
    pub fn greater(&mut self, signedness: Signedness, a: Term, b: Term) -> Term {
        self.less(signedness, b, a)
    }

    /// `a >= b`.
    pub fn greater_equal(&mut self, signedness: Signedness, a: Term, b: Term) -> Term {
        self.less_equal(signedness, b, a)
    }

    /// `a != b`.
    pub fn not_equal(&mut self, a: Term, b: Term) -> Term {
        let equal = self.equal(a, b);
        self.not(equal)
    }

    /// If `a`, then `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(not, b)
    }

    /// All of them; true if there are none.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let start = self.boolean(true);
        terms.into_iter().fold(start, |all, term| self.and(all, term))
    }

    /// One of them; false if there are none.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let start = self.boolean(false);
        terms.into_iter().fold(start, |any, term| self.or(any, term))
    }

    /// One if the truth value is true, else zero.
    pub fn bool_to_bits(&mut self, width: u32, a: Term) -> Term {
        let (one, zero) = (self.bits(width, 1), self.bits(width, 0));
        self.choose(a, one, zero)
    }

    /// Whether a bit vector is not zero.
    pub fn bits_to_bool(&mut self, a: Term) -> Term {
        let zero = self.bits(self.width(a), 0);
        self.not_equal(a, zero)
    }

    /// `-a`.
    pub fn negate(&mut self, a: Term) -> Term {
        let zero = self.bits(self.width(a), 0);
        self.binary(Operator::Subtract, zero, a)
    }

    /// `~a`.
    pub fn complement(&mut self, a: Term) -> Term {
        let ones = self.bits(self.width(a), u128::MAX);
        self.binary(Operator::Xor, a, ones)
    }

    /// `a + b`.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.binary(Operator::Add, a, b)
    }

    /// `x + c`.
    pub(in crate::term) fn add_constant(&mut self, x: Term, c: u128) -> Term {
        let c = self.bits(self.width(x), c);
        self.add(x, c)
    }

    /// `a - b`.
    pub fn subtract(&mut self, a: Term, b: Term) -> Term {
        self.binary(Operator::Subtract, a, b)
    }

    /// Whether a floating-point number is none.
    pub fn is_nan(&mut self, a: Term) -> Term {
        let is_number = self.float_compare(FloatRelation::Equal, a, a);
        self.not(is_number)
    }

    /// Whether a floating-point number without its fraction fits an integer of so many bits.
    pub fn float_fits(&mut self, signedness: Signedness, bits: u32, a: Term) -> Term {
        let width = self.width(a);
        let range = float::range(Format::of_width(width), signedness, bits);
        let (low, high) = (self.bits(width, range.low), self.bits(width, range.high));
        let relation = if range.low_fits { FloatRelation::LessEqual } else { FloatRelation::Less };
        let above = self.float_compare(relation, low, a);
        let below = self.float_compare(FloatRelation::Less, a, high);
        self.and(above, below)
    }

    /// Whether an operation overflows.
    pub fn overflows(&mut self, operator: Operator, left: Term, right: Term, signed: Signed) -> Term {
        overflow::overflows(self, operator, left, right, signed)
    }

    /// Whether a shift is by the width or more.
    pub fn shifts_too_far(&mut self, by: Term) -> Term {
        let width = self.width(by);
        let limit = self.bits(width, u128::from(width));
        self.greater_equal(Signedness::Unsigned, by, limit)
    }
}
