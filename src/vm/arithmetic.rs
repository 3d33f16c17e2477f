//! Arithmetic on integers of any width, and which bits of a result depend on undefined ones.
//!
//! The same text serves registers of 64 bits (the fast path) and of 128. What a result depends on is computed as
//! Memcheck does \[SN05\]: bit by bit for logic, from the lowest undefined bit upwards for sums and products, and
//! everything or nothing else.

use super::value::{mask128, signed128};
use crate::ir::undefined::Fault;
use crate::ir::{BinaryOperator, Comparison, Wrap};

/// A result, and what is wrong with it. After an overflow, the result has wrapped.
pub type Computed<T> = (T, Option<Fault>);

macro_rules! arithmetic {
    ($name:ident, $compare:ident, $unsigned:ty, $signed:ty, $width:expr) => {
        /// Applies an operator to numbers below `2^bits`.
        #[inline(always)]
        #[must_use]
        pub fn $name(
            operator: BinaryOperator,
            wrap: Wrap,
            bits: u32,
            left: $unsigned,
            right: $unsigned,
        ) -> Computed<$unsigned> {
            let mask = <$unsigned>::MAX >> ($width - bits);
            let signed = |value: $unsigned| ((value << ($width - bits)) as $signed) >> ($width - bits);
            let fits = |(exact, over): ($signed, bool)| {
                let fault = wrap.signed && (over || signed(exact as $unsigned) != exact);
                (exact as $unsigned & mask, fault.then_some(Fault::Overflow))
            };
            let fine = |value: $unsigned| (value & mask, None);
            match operator {
                BinaryOperator::Add => fits(signed(left).overflowing_add(signed(right))),
                BinaryOperator::Subtract => fits(signed(left).overflowing_sub(signed(right))),
                BinaryOperator::Multiply => fits(signed(left).overflowing_mul(signed(right))),
                BinaryOperator::And => fine(left & right),
                BinaryOperator::Or => fine(left | right),
                BinaryOperator::Xor => fine(left ^ right),
                BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight | BinaryOperator::ShiftRightSigned
                    if right >= <$unsigned>::from(bits) =>
                {
                    (0, Some(Fault::Shift))
                }
                BinaryOperator::ShiftLeft => {
                    let value = (left << right) & mask;
                    let lost = wrap.signed && signed(value) >> right != signed(left);
                    // C11 6.5.7: the exact product fits, and no negative number is shifted.
                    let unfit = wrap.base && left >> (<$unsigned>::from(bits) - 1 - right) != 0;
                    (value, (lost || unfit).then_some(Fault::Overflow))
                }
                BinaryOperator::ShiftRight => fine(left >> right),
                BinaryOperator::ShiftRightSigned => fine((signed(left) >> right) as $unsigned),
                _ if right == 0 => (0, Some(Fault::Division)),
                BinaryOperator::UnsignedDivide => fine(left / right),
                BinaryOperator::UnsignedRemainder => fine(left % right),
                BinaryOperator::SignedDivide | BinaryOperator::SignedRemainder
                    if right == mask && left == mask ^ (mask >> 1) =>
                {
                    (0, Some(Fault::Division))
                }
                BinaryOperator::SignedDivide => fine((signed(left) / signed(right)) as $unsigned),
                BinaryOperator::SignedRemainder => fine((signed(left) % signed(right)) as $unsigned),
            }
        }

        /// Whether a relation holds between numbers below `2^bits`.
        #[inline(always)]
        #[must_use]
        pub fn $compare(comparison: Comparison, bits: u32, left: $unsigned, right: $unsigned) -> bool {
            let signed = |value: $unsigned| (value << ($width - bits)) as $signed;
            match comparison {
                Comparison::Equal => left == right,
                Comparison::NotEqual => left != right,
                Comparison::UnsignedLess => left < right,
                Comparison::UnsignedLessEqual => left <= right,
                Comparison::UnsignedGreater => left > right,
                Comparison::UnsignedGreaterEqual => left >= right,
                Comparison::SignedLess => signed(left) < signed(right),
                Comparison::SignedLessEqual => signed(left) <= signed(right),
                Comparison::SignedGreater => signed(left) > signed(right),
                Comparison::SignedGreaterEqual => signed(left) >= signed(right),
            }
        }
    };
}

arithmetic!(narrow, compare_narrow, u64, i64, 64);
arithmetic!(wide, compare_wide, u128, i128, 128);

/// A number with the bits that are undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// The bits.
    pub bits: u128,
    /// Which of them depend on something uninitialised.
    pub undefined: u128,
}

/// The undefined bits of the result of an operator.
#[must_use]
pub fn undefined_after(operator: BinaryOperator, bits: u32, left: Number, right: Number) -> u128 {
    let either = left.undefined | right.undefined;
    if either == 0 {
        return 0;
    }
    let all = mask128(bits);
    // A bit that is surely 0 makes a conjunction defined, one that is surely 1 a disjunction.
    let certain = |number: Number, wanted: u128| !number.undefined & wanted;
    let shift = u32::try_from(right.bits).unwrap_or(u32::MAX);
    match operator {
        BinaryOperator::And => either & !certain(left, !left.bits) & !certain(right, !right.bits),
        BinaryOperator::Or => either & !certain(left, left.bits) & !certain(right, right.bits),
        BinaryOperator::Xor => either,
        BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => {
            all & !mask128(either.trailing_zeros())
        }
        _ if right.undefined != 0 || shift >= bits => all,
        BinaryOperator::ShiftLeft => left.undefined << shift & all,
        BinaryOperator::ShiftRight => left.undefined >> shift,
        BinaryOperator::ShiftRightSigned => (signed128(left.undefined, bits) >> shift) as u128 & all,
        _ => all,
    }
}

/// Whether the result of a comparison is undefined.
#[must_use]
pub fn undefined_comparison(comparison: Comparison, left: Number, right: Number) -> bool {
    let either = left.undefined | right.undefined;
    let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
    // Two numbers that differ in a defined bit differ.
    either != 0 && !(equality && (left.bits ^ right.bits) & !either != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Wrap = Wrap { signed: false, unsigned: false, exact: false, base: false };
    const SIGNED: Wrap = Wrap { signed: true, ..PLAIN };
    const BASE: Wrap = Wrap { base: true, ..PLAIN };
    const OPERATORS: [BinaryOperator; 13] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::UnsignedDivide,
        BinaryOperator::SignedDivide,
        BinaryOperator::UnsignedRemainder,
        BinaryOperator::SignedRemainder,
        BinaryOperator::ShiftLeft,
        BinaryOperator::ShiftRight,
        BinaryOperator::ShiftRightSigned,
        BinaryOperator::And,
        BinaryOperator::Or,
        BinaryOperator::Xor,
    ];

    /// What an operator means on numbers of 4 bits, in the integers.
    fn meaning(operator: BinaryOperator, left: i64, right: i64) -> Option<i64> {
        let signed = |value: i64| if value >= 8 { value - 16 } else { value };
        let (a, b) = (signed(left), signed(right));
        Some(match operator {
            BinaryOperator::Add => a + b,
            BinaryOperator::Subtract => a - b,
            BinaryOperator::Multiply => a * b,
            BinaryOperator::UnsignedDivide => left.checked_div(right)?,
            BinaryOperator::UnsignedRemainder => left.checked_rem(right)?,
            BinaryOperator::SignedDivide if (a, b) == (-8, -1) => return None,
            BinaryOperator::SignedRemainder if (a, b) == (-8, -1) => return None,
            BinaryOperator::SignedDivide => a.checked_div(b)?,
            BinaryOperator::SignedRemainder => a.checked_rem(b)?,
            _ if right >= 4 && operator as u8 >= 7 && operator as u8 <= 9 => return None,
            BinaryOperator::ShiftLeft => a << right,
            BinaryOperator::ShiftRight => left >> right,
            BinaryOperator::ShiftRightSigned => a >> right,
            BinaryOperator::And => left & right,
            BinaryOperator::Or => left | right,
            BinaryOperator::Xor => left ^ right,
        })
    }

    #[test]
    fn four_bits_agree_with_the_integers() {
        for operator in OPERATORS {
            for (left, right) in (0..16u64).flat_map(|left| (0..16u64).map(move |right| (left, right))) {
                let (value, fault) = narrow(operator, PLAIN, 4, left, right);
                let (wide_value, wide_fault) = wide(operator, PLAIN, 4, left.into(), right.into());
                assert_eq!((u128::from(value), fault), (wide_value, wide_fault));
                match meaning(operator, left as i64, right as i64) {
                    Some(exact) => assert_eq!((value, fault), ((exact & 15) as u64, None), "{operator:?}"),
                    None => assert!(fault.is_some(), "{operator:?} {left} {right}"),
                }
            }
        }
    }

    #[test]
    fn signed_overflow_is_noticed() {
        use BinaryOperator::{Add, Multiply, ShiftLeft, Subtract};
        for operator in [Add, Subtract, Multiply, ShiftLeft] {
            for (left, right) in (0..16u64).flat_map(|left| (0..16u64).map(move |right| (left, right))) {
                let Some(exact) = meaning(operator, left as i64, right as i64) else { continue };
                let (_, fault) = narrow(operator, SIGNED, 4, left, right);
                let expected = !(-8..8).contains(&exact);
                assert_eq!(fault == Some(Fault::Overflow), expected, "{operator:?} {left} {right}");
            }
        }
    }

    #[test]
    fn signed_shifts_fit_as_c_wants_it() {
        for (left, right) in (0..16u64).flat_map(|left| (0..4u64).map(move |right| (left, right))) {
            let (value, fault) = narrow(BinaryOperator::ShiftLeft, BASE, 4, left, right);
            assert_eq!(value, left << right & 15);
            let fits = left < 8 && left << right < 8;
            assert_eq!(fault.is_none(), fits, "{left} << {right}");
        }
    }

    /// Whatever the undefined bits are, the bits that are called defined do not change.
    #[test]
    fn defined_bits_do_not_depend_on_undefined_ones() {
        for operator in OPERATORS {
            for case in 0..8 * 8 * 8 * 8u128 {
                let [left, a, right, b] = [case & 7, case >> 3 & 7, case >> 6 & 7, case >> 9];
                let (x, y) = (Number { bits: left, undefined: a }, Number { bits: right, undefined: b });
                let (value, fault) = wide(operator, PLAIN, 3, left, right);
                let undefined = undefined_after(operator, 3, x, y);
                for (other_left, other_right) in (0..64).map(|n| (left ^ (n & 7 & a), right ^ (n >> 3 & b))) {
                    let (other, other_fault) = wide(operator, PLAIN, 3, other_left, other_right);
                    if fault.is_none() && other_fault.is_none() {
                        assert_eq!((value ^ other) & !undefined, 0, "{operator:?} {x:?} {y:?}");
                    }
                }
            }
        }
    }
}
