//! Functions on numbers.

use super::{Arguments, Flow, Run, Step, Table};
use crate::vm::value::{Slot, mask};

macro_rules! unary {
    ($($double:ident, $single:ident, $function:expr;)+) => {
        $(
            fn $double(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
                let function: fn(f64) -> f64 = $function;
                let value = f64::from_bits(arguments.number(run, 0)?);
                Flow::number(function(value).to_bits())
            }
            fn $single(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
                let function: fn(f64) -> f64 = $function;
                let value = f32::from_bits(arguments.number(run, 0)? as u32);
                // Rounding twice is harmless for these: they are exact, or wide enough.
                Flow::number(u64::from((function(f64::from(value)) as f32).to_bits()))
            }
        )+
    };
}

macro_rules! binary {
    ($($double:ident, $single:ident, $function:expr;)+) => {
        $(
            fn $double(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
                let function: fn(f64, f64) -> f64 = $function;
                let left = f64::from_bits(arguments.number(run, 0)?);
                let right = f64::from_bits(arguments.number(run, 1)?);
                Flow::number(function(left, right).to_bits())
            }
            fn $single(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
                let function: fn(f64, f64) -> f64 = $function;
                let left = f64::from(f32::from_bits(arguments.number(run, 0)? as u32));
                let right = f64::from(f32::from_bits(arguments.number(run, 1)? as u32));
                Flow::number(u64::from((function(left, right) as f32).to_bits()))
            }
        )+
    };
}

unary! {
    fabs, fabsf, f64::abs;
    sqrt, sqrtf, f64::sqrt;
    floor, floorf, f64::floor;
    ceil, ceilf, f64::ceil;
    trunc, truncf, f64::trunc;
    round, roundf, f64::round;
    rint, rintf, f64::round_ties_even;
}

binary! {
    fmod, fmodf, |left, right| left % right;
    fmin, fminf, f64::min;
    fmax, fmaxf, f64::max;
    copysign, copysignf, f64::copysign;
}

pub(super) const TABLE: Table = &[
    ("abs", absolute),
    ("labs", absolute),
    ("llabs", absolute),
    ("fabs", fabs),
    ("fabsf", fabsf),
    ("sqrt", sqrt),
    ("sqrtf", sqrtf),
    ("floor", floor),
    ("floorf", floorf),
    ("ceil", ceil),
    ("ceilf", ceilf),
    ("trunc", trunc),
    ("truncf", truncf),
    ("round", round),
    ("roundf", roundf),
    ("rint", rint),
    ("rintf", rintf),
    ("nearbyint", rint),
    ("nearbyintf", rintf),
    ("fmod", fmod),
    ("fmodf", fmodf),
    ("fmin", fmin),
    ("fminf", fminf),
    ("fmax", fmax),
    ("fmaxf", fmaxf),
    ("copysign", copysign),
    ("copysignf", copysignf),
    ("__isnan", is_nan),
    ("isnan", is_nan),
    ("__isnanf", is_nan),
    ("__isinf", is_infinite),
    ("isinf", is_infinite),
    ("__isinff", is_infinite),
    ("__finite", is_finite),
    ("__finitef", is_finite),
    ("__signbit", sign_bit),
    ("__signbitf", sign_bit),
    ("__fpclassify", classify),
    ("__fpclassifyf", classify),
];

fn absolute(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let bits = arguments.bits(0);
    let value = arguments.signed(run, 0)?;
    Ok(Flow::Return(Slot::number(value.unsigned_abs() & mask(bits))))
}

/// A `float` or a `double`, by the width of the argument.
fn any(run: &mut Run<'_>, arguments: &Arguments) -> Step<f64> {
    let bits = arguments.number(run, 0)?;
    let single = arguments.bits(0) == 32;
    Ok(if single { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) })
}

fn is_nan(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    Flow::int(any(run, arguments)?.is_nan().into())
}

fn is_infinite(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let value = any(run, arguments)?;
    Flow::int(if value.is_infinite() { value.signum() as i32 } else { 0 })
}

fn is_finite(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    Flow::int(any(run, arguments)?.is_finite().into())
}

fn sign_bit(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    Flow::int(any(run, arguments)?.is_sign_negative().into())
}

/// glibc's numbers: NaN 0, infinite 1, zero 2, subnormal 3, normal 4.
fn classify(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    use std::num::FpCategory;
    let bits = arguments.number(run, 0)?;
    let single = arguments.bits(0) == 32;
    let class = if single { f32::from_bits(bits as u32).classify() } else { f64::from_bits(bits).classify() };
    Flow::int(match class {
        FpCategory::Nan => 0,
        FpCategory::Infinite => 1,
        FpCategory::Zero => 2,
        FpCategory::Subnormal => 3,
        FpCategory::Normal => 4,
    })
}
