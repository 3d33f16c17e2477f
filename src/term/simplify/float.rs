//! Floating-point operations.
//!
//! Their operands matter as numbers only: where one may have any bits if it is not a number (`x == x ? x : any`), it gives way to `x`.
//! So what the lowering leaves open about such bits is gone wherever nobody looks at bits. Comparisons are made in the
//! simplest type that decides them: of integers that became numbers, as integers; of `float`s that became `double`s,
//! as `float`s.

use super::super::arithmetic::{greatest, least, mask, to_signed};
use super::super::float::{self, FloatFunction, FloatOperator, FloatRelation, Format};
use super::super::{Node, Operator, Signedness, Sort, Store, Term};
use super::operand;

/// How far down choices are looked into for what has arbitrary bits.
const DEPTH: u32 = 3;

pub(in crate::term) fn operate(store: &mut Store, operator: FloatOperator, a: Term, b: Term) -> Term {
    let (a, b) = (number(store, a, DEPTH), number(store, b, DEPTH));
    let width = store.width(a);
    if let (Some(a), Some(b)) = (store.constant(a), store.constant(b)) {
        return store.bits(width, float::result_of(operator, width, a, b));
    }
    let commutes = matches!(operator, FloatOperator::Add | FloatOperator::Multiply);
    let (a, b) = if commutes { operand::ordered(store, a, b) } else { (a, b) };
    store.intern(Node::FloatBinary(operator, a, b), Sort::Bits(width))
}

pub(in crate::term) fn apply(store: &mut Store, function: FloatFunction, a: Term) -> Term {
    let a = if matches!(function, FloatFunction::FromInteger(..)) { a } else { number(store, a, DEPTH) };
    let (from, to) = (store.width(a), function.width(store.width(a)));
    if let Some(value) = store.constant(a) {
        return store.bits(to, float::value_of(function, from, value));
    }
    if let (FloatFunction::ToInteger(signedness, bits), Node::FloatUnary(inner, x)) =
        (function, store.node(a))
        && inner == FloatFunction::FromInteger(signedness, from)
        && store.width(x) == bits
        && bits <= Format::of_width(from).significand()
    {
        return x;
    }
    store.intern(Node::FloatUnary(function, a), Sort::Bits(to))
}

pub(in crate::term) fn compare(store: &mut Store, relation: FloatRelation, a: Term, b: Term) -> Term {
    let (a, b) = (number(store, a, DEPTH), number(store, b, DEPTH));
    let format = Format::of_width(store.width(a));
    if let (Some(a), Some(b)) = (store.constant(a), store.constant(b)) {
        return store.boolean(float::holds(relation, format, a, b));
    }
    let never = |store: &Store, x: Term| store.constant(x).is_some_and(|bits| format.is_nan(bits));
    if never(store, a) || never(store, b) {
        return store.boolean(false);
    }
    of_one_operand(store, relation, a, b)
        .or_else(|| of_integers(store, relation, a, b))
        .or_else(|| of_narrower(store, relation, a, b))
        .unwrap_or_else(|| {
            let (a, b) =
                if relation == FloatRelation::Equal { operand::ordered(store, a, b) } else { (a, b) };
            store.intern(Node::FloatCompare(relation, a, b), Sort::Boolean)
        })
}

/// `x < x` never holds, `x <= x` and `x == x` if `x` is a number.
fn of_one_operand(store: &mut Store, relation: FloatRelation, a: Term, b: Term) -> Option<Term> {
    if a != b {
        return None;
    }
    match (relation, store.node(a)) {
        (FloatRelation::Less, _) => Some(store.boolean(false)),
        (_, Node::FloatUnary(FloatFunction::FromInteger(..), _)) => Some(store.boolean(true)),
        (FloatRelation::LessEqual, _) => Some(compare(store, FloatRelation::Equal, a, a)),
        (FloatRelation::Equal, _) => None,
    }
}

/// The integer that became this number, if no integer of its type is rounded.
fn exact_integer(store: &Store, term: Term) -> Option<(Signedness, Term)> {
    match store.node(term) {
        Node::FloatUnary(FloatFunction::FromInteger(signedness, to), x)
            if store.width(x) <= Format::of_width(to).significand() =>
        {
            Some((signedness, x))
        }
        _ => None,
    }
}

/// A comparison of integers, or of one with a constant.
fn of_integers(store: &mut Store, relation: FloatRelation, a: Term, b: Term) -> Option<Term> {
    let format = Format::of_width(store.width(a));
    let constant = |store: &Store, term: Term| store.constant(term).map(|bits| format.decode(bits));
    match (exact_integer(store, a), exact_integer(store, b)) {
        (Some((signedness, x)), Some((other, y)))
            if signedness == other && store.width(x) == store.width(y) =>
        {
            Some(match relation {
                FloatRelation::Equal => store.equal(x, y),
                FloatRelation::Less => store.less(signedness, x, y),
                FloatRelation::LessEqual => store.less_equal(signedness, x, y),
            })
        }
        (Some((signedness, x)), None) => {
            let bound = constant(store, b)?;
            Some(match relation {
                FloatRelation::Equal => equals(store, signedness, x, bound),
                FloatRelation::Less => is_below(store, signedness, x, bound.ceil()),
                FloatRelation::LessEqual => is_below(store, signedness, x, bound.floor() + 1.0),
            })
        }
        (None, Some((signedness, y))) => {
            let bound = constant(store, a)?;
            let not = match relation {
                FloatRelation::Equal => return Some(equals(store, signedness, y, bound)),
                FloatRelation::Less => is_below(store, signedness, y, bound.floor() + 1.0),
                FloatRelation::LessEqual => is_below(store, signedness, y, bound.ceil()),
            };
            Some(store.not(not))
        }
        _ => None,
    }
}

/// The least and the greatest integer of a type.
fn limits(signedness: Signedness, width: u32) -> (f64, f64) {
    let (low, high) = (least(signedness, width), greatest(signedness, width));
    match signedness {
        Signedness::Signed => (to_signed(width, low) as f64, to_signed(width, high) as f64),
        Signedness::Unsigned => (low as f64, high as f64),
    }
}

/// Whether an integer is less than a bound, which is an integer or infinite.
fn is_below(store: &mut Store, signedness: Signedness, x: Term, bound: f64) -> Term {
    let width = store.width(x);
    let (low, high) = limits(signedness, width);
    if bound <= low || bound > high {
        return store.boolean(bound > high);
    }
    let bound = store.bits(width, (bound as i128).cast_unsigned());
    store.less(signedness, x, bound)
}

fn equals(store: &mut Store, signedness: Signedness, x: Term, value: f64) -> Term {
    let width = store.width(x);
    let (low, high) = limits(signedness, width);
    if value != value.trunc() || value < low || value > high {
        return store.boolean(false);
    }
    let value = store.bits(width, (value as i128).cast_unsigned());
    store.equal(x, value)
}

/// A comparison of `double`s that are `float`s.
fn of_narrower(store: &mut Store, relation: FloatRelation, a: Term, b: Term) -> Option<Term> {
    let any = [a, b].into_iter().any(|x| store.constant(x).is_none());
    let (x, y) = (narrower(store, a)?, narrower(store, b)?);
    any.then(|| compare(store, relation, x, y))
}

/// The `float` that this is.
fn narrower(store: &mut Store, term: Term) -> Option<Term> {
    match store.node(term) {
        Node::FloatUnary(FloatFunction::Resize(64), x) => Some(x),
        Node::Bits(64, bits) => {
            let narrow = Format::Single.encode(Format::Double.decode(bits));
            let exact = Format::Single.decode(narrow) == Format::Double.decode(bits);
            exact.then(|| store.bits(32, narrow))
        }
        _ => None,
    }
}

/// A term that is the same number, or none either, without what only matters to the bits of none.
fn number(store: &mut Store, term: Term, depth: u32) -> Term {
    match store.node(term) {
        Node::Choose(condition, yes, no) if is_not_nan(store, condition, yes) && is_nan(store, no) => yes,
        Node::Choose(condition, yes, no) if depth > 0 => {
            let (yes, no) = (number(store, yes, depth - 1), number(store, no, depth - 1));
            store.choose(condition, yes, no)
        }
        Node::Binary(operator, x, c) if depth > 0 && only_sign(store, operator, c) => {
            let x = number(store, x, depth - 1);
            store.binary(operator, x, c)
        }
        _ => term,
    }
}

/// Whether it is said that a term is a number.
fn is_not_nan(store: &Store, condition: Term, term: Term) -> bool {
    matches!(store.node(condition), Node::FloatCompare(FloatRelation::Equal, x, y) if x == y && x == term)
}

/// Whether a term is surely not a number: its exponent is the greatest, and some bit after it is set.
fn is_nan(store: &Store, term: Term) -> bool {
    let format = Format::of_width(store.width(term));
    match store.node(term) {
        Node::Bits(_, bits) => format.is_nan(bits),
        Node::Binary(Operator::Or, _, c) => store.constant(c).is_some_and(|bits| format.is_nan(bits)),
        _ => false,
    }
}

/// Whether an operator with a constant changes nothing but the sign: negation, or the absolute value.
fn only_sign(store: &Store, operator: Operator, constant: Term) -> bool {
    let Node::Bits(width, bits) = store.node(constant) else { return false };
    match operator {
        Operator::Xor => bits == 1 << (width - 1),
        Operator::And => bits == mask(width - 1),
        _ => false,
    }
}

impl Store {
    /// `-x`, where the term is that of a floating-point number.
    #[must_use]
    pub fn as_float_negation(&self, term: Term) -> Option<Term> {
        match self.node(term) {
            Node::Binary(Operator::Xor, x, c) if only_sign(self, Operator::Xor, c) => Some(x),
            _ => None,
        }
    }

    /// `fabs(x)`, where the term is that of a floating-point number.
    #[must_use]
    pub fn as_float_magnitude(&self, term: Term) -> Option<Term> {
        match self.node(term) {
            Node::Binary(Operator::And, x, c) if only_sign(self, Operator::And, c) => Some(x),
            _ => None,
        }
    }
}
