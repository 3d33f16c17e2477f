//! Inputs of which only one comparison matters: `if (__VERIFIER_nondet_int())`.
//!
//! If the next instruction compares an input with a number, and nobody reads the input afterwards, one value for each outcome of the comparison
//! stands for all values. So a program may ask for whole numbers, and still have few states.

use crate::vm::arithmetic::compare_narrow;
use crate::vm::code::Code;
use crate::vm::run::Run;
use crate::vm::value::mask;

/// Values that stand for all values of an input of so many bits, which the instruction at hand asks for; nothing if others matter.
pub fn classes(run: &mut Run<'_>, bits: u32) -> Option<Vec<u64>> {
    let frame = run.thread.frames.last()?;
    let (function, position) = (frame.function, run.thread.position);
    let code = &run.image.functions[function];
    let Code::Call(call) = code.code.get(position.checked_sub(1)?)? else { return None };
    let Code::Compare { comparison, bits: width, left, right, .. } = *code.code.get(position)? else {
        return None;
    };
    let input = |operand: crate::vm::code::Ref| operand.as_constant().is_none() && operand.0 == call.into;
    let other = if input(left) { right } else { left };
    if input(left) == input(right) || u32::from(width) != bits {
        return None;
    }
    let number = run.image.constants[other.as_constant()?];
    let live = run.stepping.as_mut()?.live.of(function, code);
    if !number.is_plain() || live.is_live(position + 1, call.into as usize) {
        return None;
    }
    let outcome = |value: u64| match input(left) {
        true => compare_narrow(comparison, bits, value, number.bits),
        false => compare_narrow(comparison, bits, number.bits, value),
    };
    // Outcomes change next to the number, and nowhere else.
    let near = [number.bits, number.bits.wrapping_add(1), number.bits.wrapping_sub(1)];
    let mut values: Vec<u64> = Vec::new();
    for value in near.map(|value| value & mask(bits)) {
        if values.iter().all(|&known| outcome(known) != outcome(value)) {
            values.push(value);
        }
    }
    Some(values)
}
