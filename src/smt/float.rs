//! Floating-point numbers in Z3.
//!
//! A term is a bit vector; the operators work on numbers of Z3's theory. The number that an operation gave is kept beside
//! its bits, so that the next operation does not go through them. Z3 has one number that is none, and leaves open which bits it
//! has: those of our terms are put in its place. What does not fit an integer is zero, as in evaluation; Z3 leaves it open.
//!
//! The crate has no words for conversions from bit vectors. Their declarations are taken from a text that Z3 reads, once for
//! each type.

use super::translate::numeral;
use crate::term::Signedness;
use crate::term::float::{self, FloatFunction, FloatOperator, FloatRelation, Format, Rounding};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use z3::FuncDecl;
use z3::ast::{Ast as _, BV, Bool, Float, RoundingMode};

/// A number with its bits.
#[derive(Clone)]
pub(super) struct Number {
    pub bits: BV,
    pub value: Float,
}

impl Number {
    /// A number of Z3's, with the bits that a term has.
    fn new(value: Float, format: Format) -> Self {
        let nan = numeral(format.width(), format.nan());
        let bits = value.is_nan().ite(&nan, &value.to_ieee_bv());
        Self { bits, value }
    }
}

thread_local! {
    /// Declarations by the text that they were read from.
    static KNOWN: RefCell<BTreeMap<String, Rc<FuncDecl>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The conversion that a text says, of the constant `b` of so many bits.
fn conversion(width: u32, text: &str) -> Rc<FuncDecl> {
    let text = format!("(declare-const b (_ BitVec {width}))(assert (fp.isNaN {text}))");
    KNOWN.with_borrow_mut(|known| {
        known.entry(text).or_insert_with_key(|text| Rc::new(declaration(text))).clone()
    })
}

fn declaration(text: &str) -> FuncDecl {
    let reader = z3::Solver::new();
    reader.from_string(text);
    let assertion = reader.get_assertions().pop().expect("Z3 reads what it is told");
    assertion.nth_child(0).expect("the operand of fp.isNaN").decl()
}

/// The number with these bits.
pub(super) fn of_bits(bits: &BV) -> Float {
    let format = Format::of_width(bits.get_size());
    let text = format!("((_ to_fp {} {}) b)", format.exponent(), format.significand());
    let value = conversion(format.width(), &text).apply(&[bits]);
    value.as_float().expect("a conversion to a number gives one")
}

fn of_integer(signedness: Signedness, integer: &BV, format: Format) -> Float {
    let word = if signedness == Signedness::Signed { "to_fp" } else { "to_fp_unsigned" };
    let text = format!("((_ {word} {} {}) RNE b)", format.exponent(), format.significand());
    let value = conversion(integer.get_size(), &text).apply(&[&nearest(), integer]);
    value.as_float().expect("a conversion to a number gives one")
}

fn nearest() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}

/// The result of an operation.
pub(super) fn operate(operator: FloatOperator, a: &Float, b: &Float, format: Format) -> Number {
    let mode = nearest();
    let value = match operator {
        FloatOperator::Add => a.add_with_rounding_mode(b.clone(), &mode),
        FloatOperator::Subtract => a.sub_with_rounding_mode(b.clone(), &mode),
        FloatOperator::Multiply => a.mul_with_rounding_mode(b.clone(), &mode),
        FloatOperator::Divide => a.div_with_rounding_mode(b.clone(), &mode),
    };
    Number::new(value, format)
}

/// Whether a relation holds.
pub(super) fn compare(relation: FloatRelation, a: &Float, b: &Float) -> Bool {
    match relation {
        FloatRelation::Equal => a.eq_fpa(b.clone()),
        FloatRelation::Less => a.lt(b.clone()),
        FloatRelation::LessEqual => a.le(b.clone()),
    }
}

/// What a function of a number gives that is a number, too.
pub(super) fn number(function: FloatFunction, a: &Float, to: Format) -> Number {
    let value = match function {
        FloatFunction::SquareRoot => a.sqrt_with_rounding_mode(&nearest()),
        FloatFunction::Integral(rounding) => a.round_to_integral_with_rounding_mode(&mode(rounding)),
        _ => a.to_fp_with_rounding_mode(&nearest(), &sort(to)),
    };
    Number::new(value, to)
}

fn sort(format: Format) -> z3::Sort {
    z3::Sort::float(format.exponent(), format.significand())
}

fn mode(rounding: Rounding) -> RoundingMode {
    match rounding {
        Rounding::Down => RoundingMode::round_towards_negative(),
        Rounding::Up => RoundingMode::round_towards_positive(),
        Rounding::TowardsZero => RoundingMode::round_towards_zero(),
        Rounding::TiesToEven => nearest(),
        Rounding::TiesAway => RoundingMode::round_nearest_ties_to_away(),
    }
}

/// An integer as a number.
pub(super) fn from_integer(signedness: Signedness, integer: &BV, format: Format) -> Number {
    Number::new(of_integer(signedness, integer, format), format)
}

/// A number as an integer.
pub(super) fn to_integer(signedness: Signedness, width: u32, a: &Float, format: Format) -> BV {
    let range = float::range(format, signedness, width);
    let (low, high) = (constant(range.low, format), constant(range.high, format));
    let above = if range.low_fits { low.le(a.clone()) } else { low.lt(a.clone()) };
    let fits = Bool::and(&[&above, &a.lt(high)]);
    let mode = RoundingMode::round_towards_zero();
    let integer = match signedness {
        Signedness::Signed => a.to_sbv_with_rounding_mode(&mode, width),
        Signedness::Unsigned => a.to_ubv_with_rounding_mode(&mode, width),
    };
    fits.ite(&integer, &numeral(width, 0))
}

fn constant(bits: u128, format: Format) -> Float {
    of_bits(&numeral(format.width(), bits))
}
