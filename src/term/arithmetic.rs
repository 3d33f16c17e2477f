//! Arithmetic on constants: what each operator does to two values, as SMT-LIB defines it.
//!
//! A value of width `w` is a `u128` below `2^w`. Simplification and evaluation share these functions; their oracle is
//! the bit-by-bit arithmetic in `reference`.

use super::{Operator, Signedness};

/// The bits that a value of this width has.
#[must_use]
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The value as a signed number.
#[must_use]
pub fn to_signed(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    (value << unused).cast_signed() >> unused
}

/// A signed number, modulo `2^width`.
#[must_use]
pub fn from_signed(width: u32, value: i128) -> u128 {
    value.cast_unsigned() & mask(width)
}

/// The least value of this width.
#[must_use]
pub fn least(signedness: Signedness, width: u32) -> u128 {
    match signedness {
        Signedness::Unsigned => 0,
        Signedness::Signed => 1 << (width - 1),
    }
}

/// The greatest value of this width.
#[must_use]
pub fn greatest(signedness: Signedness, width: u32) -> u128 {
    match signedness {
        Signedness::Unsigned => mask(width),
        Signedness::Signed => mask(width) >> 1,
    }
}

/// Whether `a < b`.
#[must_use]
pub fn less(signedness: Signedness, width: u32, a: u128, b: u128) -> bool {
    match signedness {
        Signedness::Unsigned => a < b,
        Signedness::Signed => to_signed(width, a) < to_signed(width, b),
    }
}

/// The result of an operator on two values of this width.
#[must_use]
pub fn apply(operator: Operator, width: u32, a: u128, b: u128) -> u128 {
    use Operator as O;
    let all = mask(width);
    let result = match operator {
        O::Add => a.wrapping_add(b),
        O::Subtract => a.wrapping_sub(b),
        O::Multiply => a.wrapping_mul(b),
        O::UnsignedDivide => a.checked_div(b).unwrap_or(all),
        O::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
        O::SignedDivide => signed_divide(width, a, b),
        O::SignedRemainder => signed_remainder(width, a, b),
        O::ShiftLeft => shift_amount(width, b).map_or(0, |by| a << by),
        O::ShiftRight => shift_amount(width, b).map_or(0, |by| a >> by),
        O::ShiftRightSigned => shift_right_signed(width, a, b),
        O::And => a & b,
        O::Or => a | b,
        O::Xor => a ^ b,
    };
    result & all
}

/// How far a shift goes, if less than the width.
fn shift_amount(width: u32, by: u128) -> Option<u32> {
    u32::try_from(by).ok().filter(|&by| by < width)
}

fn signed_divide(width: u32, a: u128, b: u128) -> u128 {
    let (a, b) = (to_signed(width, a), to_signed(width, b));
    match b {
        0 if a < 0 => 1,
        0 => u128::MAX,
        // The least number divided by -1 wraps.
        _ => a.wrapping_div(b).cast_unsigned(),
    }
}

fn signed_remainder(width: u32, a: u128, b: u128) -> u128 {
    let (dividend, divisor) = (to_signed(width, a), to_signed(width, b));
    if divisor == 0 { a } else { dividend.wrapping_rem(divisor).cast_unsigned() }
}

fn shift_right_signed(width: u32, a: u128, by: u128) -> u128 {
    let by = shift_amount(width, by).unwrap_or(width - 1);
    (to_signed(width, a) >> by).cast_unsigned()
}
