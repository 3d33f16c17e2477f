//! Floating-point numbers: the processor's own arithmetic, rounding to nearest.

use crate::ir::{Cast, FloatComparison, FloatOperator};
use crate::vm::arithmetic::Number;
use crate::vm::choices::{ChoiceKind, Domain};
use crate::vm::code::{Precision, Ref, Register};
use crate::vm::exact;
use crate::vm::run::{Run, Step};
use crate::vm::value::{ObjectId, Slot, mask128, signed128};
use std::cmp::Ordering;

/// A number as a `double`; a `float` is one too.
fn decode(bits: u64, precision: Precision) -> f64 {
    match precision {
        Precision::Single => f64::from(f32::from_bits(bits as u32)),
        Precision::Double => f64::from_bits(bits),
    }
}

fn width(precision: Precision) -> u32 {
    if precision == Precision::Single { 32 } else { 64 }
}

fn precision_of(bits: u32) -> Precision {
    if bits == 32 { Precision::Single } else { Precision::Double }
}

fn compute<T>(operator: FloatOperator, left: T, right: T) -> T
where
    T: std::ops::Add<Output = T>
        + std::ops::Sub<Output = T>
        + std::ops::Mul<Output = T>
        + std::ops::Div<Output = T>
        + std::ops::Rem<Output = T>,
{
    match operator {
        FloatOperator::Add => left + right,
        FloatOperator::Subtract => left - right,
        FloatOperator::Multiply => left * right,
        FloatOperator::Divide => left / right,
        FloatOperator::Remainder => left % right,
    }
}

fn operand(run: &mut Run<'_>, operand: Ref, precision: Precision) -> Step<Slot> {
    let slot = run.get(operand);
    run.number(slot, width(precision))
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
    let bits = match precision {
        Precision::Single => {
            let of = |slot: Slot| f32::from_bits(slot.bits as u32);
            u64::from(compute(operator, of(left), of(right)).to_bits())
        }
        Precision::Double => {
            compute(operator, f64::from_bits(left.bits), f64::from_bits(right.bits)).to_bits()
        }
    };
    settle(run, decode(bits, precision))?;
    set(run, into, bits, left.undefined | right.undefined);
    Ok(())
}

/// A floating-point number was computed: what is no number has any bits, and 32-bit machines may be more precise.
fn settle(run: &Run<'_>, value: f64) -> Step {
    let open = value.is_nan() || run.image.word == 4;
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
    let result = match decode(left.bits, precision).partial_cmp(&decode(right.bits, precision)) {
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
    set(run, into, value.bits ^ 1 << (width(precision) - 1), value.undefined);
    Ok(())
}

/// A conversion from or to a floating-point number. What does not fit an integer is arbitrary.
pub(super) fn cast(run: &mut Run<'_>, cast: Cast, from: u32, to: u32, number: Number) -> Step<Number> {
    let undefined = if number.undefined == 0 { 0 } else { mask128(to) };
    let value = match cast {
        Cast::FloatToSigned | Cast::FloatToUnsigned => {
            let value = decode(number.bits as u64, precision_of(from));
            match to_integer(cast, value, to) {
                Some(value) => value,
                None => run.choose(ChoiceKind::Undefined, "conversion", Domain::Bits(to))?,
            }
        }
        Cast::SignedToFloat => from_signed(signed128(number.bits, from), to),
        Cast::UnsignedToFloat => from_unsigned(number.bits, to),
        _ => {
            let value = decode(number.bits as u64, precision_of(from));
            settle(run, value)?;
            if to == 32 { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) }
        }
    };
    Ok(Number { bits: value, undefined })
}

fn from_signed(value: i128, to: u32) -> u128 {
    if to == 32 { u128::from((value as f32).to_bits()) } else { u128::from((value as f64).to_bits()) }
}

fn from_unsigned(value: u128, to: u32) -> u128 {
    if to == 32 { u128::from((value as f32).to_bits()) } else { u128::from((value as f64).to_bits()) }
}

/// Rounds towards zero; nothing if the result does not fit.
fn to_integer(cast: Cast, value: f64, bits: u32) -> Option<u128> {
    let value = value.trunc();
    let limit = 2f64.powi(bits as i32 - i32::from(cast == Cast::FloatToSigned));
    let least = if cast == Cast::FloatToSigned { -limit } else { 0.0 };
    let fits = value >= least && value < limit;
    let integer = if value < 0.0 { (value as i128) as u128 } else { value as u128 };
    fits.then_some(integer & mask128(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_that_do_not_fit_are_noticed() {
        assert_eq!(to_integer(Cast::FloatToSigned, -128.9, 8), Some(0x80));
        assert_eq!(to_integer(Cast::FloatToSigned, 127.9, 8), Some(127));
        assert_eq!(to_integer(Cast::FloatToSigned, 128.0, 8), None);
        assert_eq!(to_integer(Cast::FloatToUnsigned, -0.5, 8), Some(0));
        assert_eq!(to_integer(Cast::FloatToUnsigned, -1.0, 8), None);
        assert_eq!(to_integer(Cast::FloatToUnsigned, f64::NAN, 64), None);
        assert_eq!(to_integer(Cast::FloatToUnsigned, 1e19, 64), Some(10_000_000_000_000_000_000));
    }
}
