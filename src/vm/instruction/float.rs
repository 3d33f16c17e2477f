//! Floating-point numbers: the processor's own arithmetic, rounding to nearest, which `term::float` has for terms, too.

use crate::ir::{Cast, FloatComparison, FloatOperator};
use crate::term::Signedness;
use crate::term::float::{self, FloatFunction};
use crate::vm::arithmetic::Number;
use crate::vm::choices::{ChoiceKind, Domain};
use crate::vm::code::{Precision, Ref, Register};
use crate::vm::exact;
use crate::vm::run::{Run, Step};
use crate::vm::value::{ObjectId, Slot, mask128};
use std::cmp::Ordering;

fn operand(run: &mut Run<'_>, operand: Ref, precision: Precision) -> Step<Slot> {
    let slot = run.get(operand);
    run.number(slot, precision.width())
}

pub(super) fn binary(
    run: &mut Run<'_>,
    operator: FloatOperator,
    precision: Precision,
    into: Register,
    left: Ref,
    right: Ref,
) -> Step {
    let (left, right) = (operand(run, left, precision)?, operand(run, right, precision)?);
    let bits = result(operator, precision, left.bits.into(), right.bits.into());
    settle(run, precision.is_nan(bits))?;
    let bits = bits as u64;
    set(run, into, bits, left.undefined | right.undefined);
    Ok(())
}

fn result(operator: FloatOperator, precision: Precision, left: u128, right: u128) -> u128 {
    let operator = match operator {
        FloatOperator::Add => float::FloatOperator::Add,
        FloatOperator::Subtract => float::FloatOperator::Subtract,
        FloatOperator::Multiply => float::FloatOperator::Multiply,
        FloatOperator::Divide => float::FloatOperator::Divide,
        // A `float` that remains of `float`s is exact as a `double`.
        FloatOperator::Remainder => {
            return precision.encode(precision.decode(left) % precision.decode(right));
        }
    };
    float::operate(operator, precision, left, right)
}

/// A floating-point number was computed: what is no number has any bits, and 32-bit machines may be more precise.
pub(super) fn settle(run: &Run<'_>, is_nan: bool) -> Step {
    let open = is_nan || run.image.word == 4;
    if open { exact::settle(run, "a floating-point result") } else { Ok(()) }
}

fn set(run: &mut Run<'_>, into: Register, bits: u64, undefined: u64) {
    let undefined = if undefined == 0 { 0 } else { u64::MAX };
    run.set(into, Slot { bits, undefined, object: ObjectId::NONE });
}

pub(super) fn compare(
    run: &mut Run<'_>,
    comparison: FloatComparison,
    precision: Precision,
    into: Register,
    left: Ref,
    right: Ref,
) -> Step {
    let (left, right) = (operand(run, left, precision)?, operand(run, right, precision)?);
    let result = match number(precision, left).partial_cmp(&number(precision, right)) {
        Some(Ordering::Less) => comparison.less,
        Some(Ordering::Equal) => comparison.equal,
        Some(Ordering::Greater) => comparison.greater,
        None => comparison.unordered,
    };
    set(run, into, result.into(), left.undefined | right.undefined);
    Ok(())
}

pub(super) fn negate(run: &mut Run<'_>, precision: Precision, into: Register, value: Ref) -> Step {
    let value = operand(run, value, precision)?;
    set(run, into, value.bits ^ 1 << (precision.width() - 1), value.undefined);
    Ok(())
}

fn number(precision: Precision, slot: Slot) -> f64 {
    precision.decode(slot.bits.into())
}

/// A conversion from or to a floating-point number. What does not fit an integer is arbitrary.
pub(super) fn cast(run: &mut Run<'_>, cast: Cast, from: u32, to: u32, number: Number) -> Step<Number> {
    let undefined = if number.undefined == 0 { 0 } else { mask128(to) };
    let function = match cast {
        Cast::FloatToSigned => return to_integer(run, Signedness::Signed, from, to, number, undefined),
        Cast::FloatToUnsigned => return to_integer(run, Signedness::Unsigned, from, to, number, undefined),
        Cast::SignedToFloat => FloatFunction::FromInteger(Signedness::Signed, to),
        Cast::UnsignedToFloat => FloatFunction::FromInteger(Signedness::Unsigned, to),
        _ => FloatFunction::Resize(to),
    };
    let bits = float::apply(function, from, number.bits);
    settle(run, Precision::of_width(to).is_nan(bits))?;
    Ok(Number { bits, undefined })
}

fn to_integer(
    run: &mut Run<'_>,
    signedness: Signedness,
    from: u32,
    to: u32,
    number: Number,
    undefined: u128,
) -> Step<Number> {
    let bits = match float::to_integer(signedness, to, Precision::of_width(from).decode(number.bits)) {
        Some(value) => value,
        None => run.choose(ChoiceKind::Undefined, "conversion", Domain::Bits(to))?,
    };
    Ok(Number { bits, undefined })
}
