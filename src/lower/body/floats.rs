//! Floating-point arithmetic.
//!
//! Numbers are bit vectors, operations are those of IEEE 754. Three things are left open, and are arbitrary here:
//! - the bits of a result that is not a number, beyond those that make it none;
//! - a conversion to an integer that does not fit;
//! - what the machine computes and Z3 does not: remainders.
//!
//! Processors with an x87 unit may be more precise than the type says, so programs for 32 bits rest on an assumption.

use crate::ir::{Cast, FloatComparison, FloatOperator, Type};
use crate::lower::body::Body;
use crate::program::Assumption;
use crate::term::float::{self, FloatFunction, FloatRelation, Format};
use crate::term::{Operator, Signedness, Term};

/// What does not fit an integer; the machine asks for it by this name.
pub(in crate::lower) const UNFIT: &str = "conversion that does not fit";

/// An operation.
pub(in crate::lower) fn binary(body: &mut Body<'_, '_>, operator: FloatOperator, a: Term, b: Term) -> Term {
    let operator = match operator {
        FloatOperator::Add => float::FloatOperator::Add,
        FloatOperator::Subtract => float::FloatOperator::Subtract,
        FloatOperator::Multiply => float::FloatOperator::Multiply,
        FloatOperator::Divide => float::FloatOperator::Divide,
        FloatOperator::Remainder => {
            let width = body.lowering.store.width(a);
            return body.input("floating-point remainder", width);
        }
    };
    let result = body.lowering.store.float_binary(operator, a, b);
    computed(body, result)
}

/// A function of a number that gives one.
pub(in crate::lower) fn function(body: &mut Body<'_, '_>, function: FloatFunction, a: Term) -> Term {
    let result = body.lowering.store.float_unary(function, a);
    computed(body, result)
}

/// What an operation gave: if it is not a number, which of the bit patterns it has is not determined.
fn computed(body: &mut Body<'_, '_>, result: Term) -> Term {
    if body.lowering.pointer_bits() == 32 {
        body.lowering.claims.assume(Assumption::FloatsAsTyped);
    }
    let is_number = body.lowering.store.float_compare(FloatRelation::Equal, result, result);
    if body.lowering.store.truth(is_number) == Some(true) {
        return result;
    }
    let width = body.lowering.store.width(result);
    let any = body.input("bits of what is not a number", width);
    let nan = body.lowering.store.bits(width, Format::of_width(width).nan());
    let none = body.lowering.store.binary(Operator::Or, any, nan);
    body.lowering.store.choose(is_number, result, none)
}

/// A comparison: whether one of the four cases is among those in which it holds.
pub(in crate::lower) fn compare(
    body: &mut Body<'_, '_>,
    comparison: FloatComparison,
    a: Term,
    b: Term,
) -> Term {
    if comparison.unordered {
        // Not one of the other cases.
        let others = FloatComparison {
            less: !comparison.less,
            equal: !comparison.equal,
            greater: !comparison.greater,
            unordered: false,
        };
        let other = ordered(body, others, a, b);
        return body.lowering.store.not(other);
    }
    ordered(body, comparison, a, b)
}

fn ordered(body: &mut Body<'_, '_>, cases: FloatComparison, a: Term, b: Term) -> Term {
    use FloatRelation::{Equal, Less, LessEqual};
    let store = &mut body.lowering.store;
    match (cases.less, cases.equal, cases.greater) {
        (false, false, false) => store.boolean(false),
        (false, true, false) => store.float_compare(Equal, a, b),
        (true, false, false) => store.float_compare(Less, a, b),
        (true, true, false) => store.float_compare(LessEqual, a, b),
        (false, false, true) => store.float_compare(Less, b, a),
        (false, true, true) => store.float_compare(LessEqual, b, a),
        (true, false, true) => {
            let (less, greater) = (store.float_compare(Less, a, b), store.float_compare(Less, b, a));
            store.or(less, greater)
        }
        (true, true, true) => {
            let (left, right) = (store.float_compare(Equal, a, a), store.float_compare(Equal, b, b));
            store.and(left, right)
        }
    }
}

/// `-x`: the sign, whatever the rest is.
pub(in crate::lower) fn negate(body: &mut Body<'_, '_>, a: Term) -> Term {
    let store = &mut body.lowering.store;
    let width = store.width(a);
    let sign = store.bits(width, Format::of_width(width).sign());
    store.binary(Operator::Xor, a, sign)
}

/// `fabs(x)`.
pub(in crate::lower) fn magnitude(body: &mut Body<'_, '_>, a: Term) -> Term {
    let store = &mut body.lowering.store;
    let width = store.width(a);
    let all = store.bits(width, !Format::of_width(width).sign());
    store.binary(Operator::And, a, all)
}

/// `copysign(x, y)`.
pub(in crate::lower) fn copy_sign(body: &mut Body<'_, '_>, a: Term, b: Term) -> Term {
    let magnitude = magnitude(body, a);
    let store = &mut body.lowering.store;
    let width = store.width(a);
    let sign = store.bits(width, Format::of_width(width).sign());
    let sign = store.binary(Operator::And, b, sign);
    store.binary(Operator::Or, magnitude, sign)
}

/// A conversion from or to a number; nothing if it is another one.
pub(in crate::lower) fn converted(
    body: &mut Body<'_, '_>,
    cast: Cast,
    value: Term,
    ty: &Type,
) -> Option<Term> {
    let width = body.lowering.width_of(ty);
    Some(match cast {
        Cast::FloatTruncate | Cast::FloatExtend => function(body, FloatFunction::Resize(width), value),
        Cast::SignedToFloat => function(body, FloatFunction::FromInteger(Signedness::Signed, width), value),
        Cast::UnsignedToFloat => {
            function(body, FloatFunction::FromInteger(Signedness::Unsigned, width), value)
        }
        Cast::FloatToSigned => to_integer(body, Signedness::Signed, width, value),
        Cast::FloatToUnsigned => to_integer(body, Signedness::Unsigned, width, value),
        _ => return None,
    })
}

fn to_integer(body: &mut Body<'_, '_>, signedness: Signedness, width: u32, value: Term) -> Term {
    let store = &mut body.lowering.store;
    let fits = store.float_fits(signedness, width, value);
    let integer = store.float_unary(FloatFunction::ToInteger(signedness, width), value);
    if store.truth(fits) == Some(true) {
        return integer;
    }
    let any = body.input(UNFIT, width);
    body.lowering.store.choose(fits, integer, any)
}

/// `llvm.is.fpclass`: whether a number is of one of these classes, a bit each: not a number (signalling, quiet), minus infinity, negative
/// (normal, subnormal), minus zero, zero, positive (subnormal, normal), infinity.
pub(in crate::lower) fn is_of_class(body: &mut Body<'_, '_>, a: Term, classes: u128) -> Term {
    let store = &mut body.lowering.store;
    let format = Format::of_width(store.width(a));
    let mut any = store.boolean(false);
    for (low, high) in format.classes(classes) {
        let (low, high) = (store.bits(format.width(), low), store.bits(format.width(), high));
        let above = store.less_equal(Signedness::Unsigned, low, a);
        let below = store.less_equal(Signedness::Unsigned, a, high);
        let inside = store.and(above, below);
        any = store.or(any, inside);
    }
    any
}
