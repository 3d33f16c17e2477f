//! Functions on numbers that have no model in C (`library::models`), or are used before there are models.

use super::{Arguments, Flow, Run, Step, Table};
use crate::vm::value::{Slot, mask};

pub(super) const TABLE: Table =
    &[("abs", absolute), ("labs", absolute), ("llabs", absolute), ("fmod", fmod), ("fmodf", fmodf)];

fn absolute(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let bits = arguments.bits(0);
    let value = arguments.signed(run, 0)?;
    Ok(Flow::Return(Slot::number(value.unsigned_abs() & mask(bits))))
}

fn fmod(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let [left, right] = [arguments.number(run, 0)?, arguments.number(run, 1)?].map(f64::from_bits);
    Flow::number((left % right).to_bits())
}

fn fmodf(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let [left, right] =
        [arguments.number(run, 0)?, arguments.number(run, 1)?].map(|bits| f32::from_bits(bits as u32));
    Flow::number(u64::from((left % right).to_bits()))
}
