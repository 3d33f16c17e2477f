//! Floating-point numbers, by their bits: binary32 and binary64 of IEEE 754, rounded to nearest, ties to even.
//!
//! Evaluation of terms and the machine share these functions; Rust computes with the processor's own arithmetic, which is that
//! of the standard. One thing the standard leaves open: which of the many bit patterns a result has that is not a number.
//! [`operate`], [`apply`] and [`from_integer`] give what the processor gives, for the machine; terms have one such
//! pattern, [`Format::nan`], and the lowering puts an arbitrary one in its place, so that no verdict rests on it.

use super::Signedness;
use super::arithmetic::{mask, to_signed};

/// A format of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// `float`: 32 bits.
    Single,
    /// `double`: 64 bits.
    Double,
}

/// Operations on two numbers of one format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// Relations between two numbers of one format; none holds if one is not a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatRelation {
    /// Minus zero equals zero.
    Equal,
    Less,
    LessEqual,
}

/// Functions of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatFunction {
    /// The square root.
    SquareRoot,
    /// The integer next to it.
    Integral(Rounding),
    /// The same number in a format of so many bits, rounded.
    Resize(u32),
    /// To an integer of so many bits, without its fraction. What does not fit is zero: what C leaves undefined is not
    /// decided here.
    ToInteger(Signedness, u32),
    /// From an integer to a format of so many bits, rounded.
    FromInteger(Signedness, u32),
}

/// Which integer is next to a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// `floor`.
    Down,
    /// `ceil`.
    Up,
    /// `trunc`.
    TowardsZero,
    /// `rint` in the usual mode.
    TiesToEven,
    /// `round`.
    TiesAway,
}

/// The numbers that fit an integer type when their fraction is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The bits of the lower bound.
    pub low: u128,
    /// Whether the lower bound itself fits.
    pub low_fits: bool,
    /// The bits of the upper bound, which does not fit.
    pub high: u128,
}

impl Format {
    /// The format of so many bits.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn of_width(width: u32) -> Self {
        match width {
            32 => Self::Single,
            64 => Self::Double,
            _ => panic!("no format has {width} bits"),
        }
    }

    /// How many bits a number has.
    #[must_use]
    pub fn width(self) -> u32 {
        if self == Self::Single { 32 } else { 64 }
    }

    /// How many bits the exponent has.
    #[must_use]
    pub fn exponent(self) -> u32 {
        if self == Self::Single { 8 } else { 11 }
    }

    /// How many bits the significand has, with the one that is not stored.
    #[must_use]
    pub fn significand(self) -> u32 {
        self.width() - self.exponent()
    }

    /// The bit of the sign.
    #[must_use]
    pub fn sign(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// The bits of infinity: the greatest exponent, and nothing else.
    #[must_use]
    pub fn infinity(self) -> u128 {
        mask(self.exponent()) << (self.significand() - 1)
    }

    /// The bits of what is not a number: every such result of an operation has them among its own, whatever else it has.
    #[must_use]
    pub fn nan(self) -> u128 {
        self.infinity() | 1 << (self.significand() - 2)
    }

    /// Whether bits are not a number.
    #[must_use]
    pub fn is_nan(self, bits: u128) -> bool {
        bits & !self.sign() & mask(self.width()) > self.infinity()
    }

    /// The bits, or those that stand for all that are not a number.
    #[must_use]
    pub fn canonical(self, bits: u128) -> u128 {
        if self.is_nan(bits) { self.nan() } else { bits }
    }

    /// The bits, from and to, of the classes in a mask of `llvm.is.fpclass`. Classes next to each other are one interval.
    #[must_use]
    pub fn classes(self, mask: u128) -> Vec<(u128, u128)> {
        let (sign, infinity, nan) = (self.sign(), self.infinity(), self.nan());
        let (least_normal, greatest) = (1 << (self.significand() - 1), sign - 1);
        let positive = [
            (6, 0, 0),
            (7, 1, least_normal - 1),
            (8, least_normal, infinity - 1),
            (9, infinity, infinity),
            (0, infinity + 1, nan - 1),
            (1, nan, greatest),
        ];
        let negative = positive.map(|(class, low, high)| {
            let class = if class < 2 { class } else { 11 - class };
            (class, low | sign, high | sign)
        });
        let mut intervals: Vec<(u128, u128)> = Vec::new();
        for (_, low, high) in
            positive.into_iter().chain(negative).filter(|(class, ..)| mask >> class & 1 == 1)
        {
            match intervals.last_mut() {
                Some((_, last)) if *last + 1 == low => *last = high,
                _ => intervals.push((low, high)),
            }
        }
        intervals
    }

    /// The number as a `double`; a `float` is one too.
    #[must_use]
    pub fn decode(self, bits: u128) -> f64 {
        match self {
            Self::Single => single(bits).into(),
            Self::Double => double(bits),
        }
    }

    /// The bits of a number, rounded.
    #[must_use]
    pub fn encode(self, value: f64) -> u128 {
        match self {
            Self::Single => (value as f32).to_bits().into(),
            Self::Double => value.to_bits().into(),
        }
    }
}

impl FloatFunction {
    /// How many bits the result has, for an operand of so many.
    #[must_use]
    pub fn width(self, operand: u32) -> u32 {
        match self {
            Self::SquareRoot | Self::Integral(_) => operand,
            Self::Resize(width) | Self::ToInteger(_, width) | Self::FromInteger(_, width) => width,
        }
    }
}

fn single(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

/// The result of an operation, as the processor has it.
#[must_use]
pub fn operate(operator: FloatOperator, format: Format, a: u128, b: u128) -> u128 {
    match format {
        Format::Single => compute(operator, single(a), single(b)).to_bits().into(),
        Format::Double => compute(operator, double(a), double(b)).to_bits().into(),
    }
}

fn compute<T>(operator: FloatOperator, a: T, b: T) -> T
where
    T: std::ops::Add<Output = T>
        + std::ops::Sub<Output = T>
        + std::ops::Mul<Output = T>
        + std::ops::Div<Output = T>,
{
    match operator {
        FloatOperator::Add => a + b,
        FloatOperator::Subtract => a - b,
        FloatOperator::Multiply => a * b,
        FloatOperator::Divide => a / b,
    }
}

/// Whether a relation holds.
#[must_use]
pub fn holds(relation: FloatRelation, format: Format, a: u128, b: u128) -> bool {
    let (a, b) = (format.decode(a), format.decode(b));
    match relation {
        FloatRelation::Equal => a == b,
        FloatRelation::Less => a < b,
        FloatRelation::LessEqual => a <= b,
    }
}

/// The value of a function of an operand of so many bits, as the processor has it.
#[must_use]
pub fn apply(function: FloatFunction, width: u32, a: u128) -> u128 {
    use FloatFunction as F;
    match function {
        F::SquareRoot if width == 32 => single(a).sqrt().to_bits().into(),
        F::SquareRoot => double(a).sqrt().to_bits().into(),
        // The integers next to a `float` are `float`s.
        F::Integral(rounding) => {
            let format = Format::of_width(width);
            format.encode(rounded(rounding, format.decode(a)))
        }
        F::Resize(to) if to == width => a,
        F::Resize(to) => Format::of_width(to).encode(Format::of_width(width).decode(a)),
        F::ToInteger(signedness, to) => {
            to_integer(signedness, to, Format::of_width(width).decode(a)).unwrap_or(0)
        }
        F::FromInteger(signedness, to) => from_integer(signedness, width, a, Format::of_width(to)),
    }
}

/// What a term with this operator denotes, for operands of so many bits.
#[must_use]
pub fn result_of(operator: FloatOperator, width: u32, a: u128, b: u128) -> u128 {
    let format = Format::of_width(width);
    format.canonical(operate(operator, format, a, b))
}

/// What a term with this function denotes, for an operand of so many bits.
#[must_use]
pub fn value_of(function: FloatFunction, width: u32, a: u128) -> u128 {
    let value = apply(function, width, a);
    match function {
        FloatFunction::ToInteger(..) => value,
        _ => Format::of_width(function.width(width)).canonical(value),
    }
}

/// What a term with this relation denotes, for operands of so many bits.
#[must_use]
pub fn holds_of(relation: FloatRelation, width: u32, a: u128, b: u128) -> bool {
    holds(relation, Format::of_width(width), a, b)
}

fn rounded(rounding: Rounding, value: f64) -> f64 {
    match rounding {
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
        Rounding::TowardsZero => value.trunc(),
        Rounding::TiesToEven => value.round_ties_even(),
        Rounding::TiesAway => value.round(),
    }
}

/// The integer of so many bits that is left of a number without its fraction; nothing if it does not fit.
#[must_use]
pub fn to_integer(signedness: Signedness, bits: u32, value: f64) -> Option<u128> {
    let value = value.trunc();
    let signed = signedness == Signedness::Signed;
    let limit = 2f64.powi(bits as i32 - i32::from(signed));
    let least = if signed { -limit } else { 0.0 };
    let fits = value >= least && value < limit;
    let integer = if value < 0.0 { (value as i128).cast_unsigned() } else { value as u128 };
    fits.then_some(integer & mask(bits))
}

/// An integer of so many bits as a number, rounded.
#[must_use]
pub fn from_integer(signedness: Signedness, width: u32, value: u128, to: Format) -> u128 {
    match (signedness, to) {
        (Signedness::Signed, Format::Single) => (to_signed(width, value) as f32).to_bits().into(),
        (Signedness::Signed, Format::Double) => (to_signed(width, value) as f64).to_bits().into(),
        (Signedness::Unsigned, Format::Single) => (value as f32).to_bits().into(),
        (Signedness::Unsigned, Format::Double) => (value as f64).to_bits().into(),
    }
}

/// The numbers of a format that fit an integer of so many bits without their fraction.
#[must_use]
pub fn range(format: Format, signedness: Signedness, bits: u32) -> Range {
    let limit = |exponent: u32| 2f64.powi(exponent as i32);
    match signedness {
        Signedness::Unsigned => {
            Range { low: format.encode(-1.0), low_fits: false, high: format.encode(limit(bits)) }
        }
        Signedness::Signed => {
            let limit = limit(bits - 1);
            // Where numbers are one apart, the one below the least integer still has a fraction above it that fits.
            let low_fits = bits > format.significand();
            let low = if low_fits { -limit } else { -limit - 1.0 };
            Range { low: format.encode(low), low_fits, high: format.encode(limit) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::tests::floats::corners;

    #[test]
    fn conversions_that_do_not_fit_are_noticed() {
        use Signedness::{Signed, Unsigned};
        assert_eq!(to_integer(Signed, 8, -128.9), Some(0x80));
        assert_eq!(to_integer(Signed, 8, 127.9), Some(127));
        assert_eq!(to_integer(Signed, 8, 128.0), None);
        assert_eq!(to_integer(Unsigned, 8, -0.5), Some(0));
        assert_eq!(to_integer(Unsigned, 8, -1.0), None);
        assert_eq!(to_integer(Unsigned, 64, f64::NAN), None);
        assert_eq!(to_integer(Unsigned, 64, 1e19), Some(10_000_000_000_000_000_000));
    }

    #[test]
    fn a_range_has_what_fits() {
        for format in [Format::Single, Format::Double] {
            for (signedness, bits) in
                [Signedness::Signed, Signedness::Unsigned].into_iter().flat_map(|signedness| {
                    [1, 8, 16, 24, 25, 26, 32, 52, 53, 54, 64, 128].map(|bits| (signedness, bits))
                })
            {
                let range = range(format, signedness, bits);
                let near = [range.low, range.high].into_iter().flat_map(|bound| {
                    (0..5).map(move |distance| bound.wrapping_add(distance).wrapping_sub(2))
                });
                for x in corners(format.width()).into_iter().chain(near.map(|x| x & mask(format.width()))) {
                    let relation =
                        if range.low_fits { FloatRelation::LessEqual } else { FloatRelation::Less };
                    let inside = holds(relation, format, range.low, x)
                        && holds(FloatRelation::Less, format, x, range.high);
                    let fits = to_integer(signedness, bits, format.decode(x)).is_some();
                    assert_eq!(inside, fits, "{signedness:?} {bits} of {}", format.decode(x));
                }
            }
        }
    }

    #[test]
    fn what_is_not_a_number_is_known_by_its_bits() {
        for format in [Format::Single, Format::Double] {
            for x in corners(format.width()) {
                assert_eq!(format.is_nan(x), format.decode(x).is_nan(), "{x:#x}");
            }
            assert!(format.is_nan(format.nan()) && !format.is_nan(format.infinity()));
        }
    }
}
