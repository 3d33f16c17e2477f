//! Arithmetic where a value is an address, undefined, or at fault, and integers of more than 64 bits.

use crate::ir::undefined::Fault;
use crate::ir::{BinaryOperator, Cast, Comparison, Wrap};
use crate::vm::arithmetic::{
    Number, compare_narrow, compare_wide, undefined_after, undefined_comparison, wide,
};
use crate::vm::choices::{ChoiceKind, Domain};
use crate::vm::code::{Ref, Register};
use crate::vm::exact;
use crate::vm::instruction::float;
use crate::vm::memory::{Lifetime, Object};
use crate::vm::run::{Run, Step};
use crate::vm::value::{ObjectId, Slot, mask, mask128, signed, signed128};

fn number_of(slot: Slot, bits: u32) -> Number {
    Number { bits: u128::from(slot.bits), undefined: u128::from(slot.undefined & mask(bits)) }
}

fn slot_of(number: Number) -> Slot {
    Slot { bits: number.bits as u64, undefined: number.undefined as u64, object: ObjectId::NONE }
}

/// An operation on at most 64 bits.
pub(super) fn binary(
    run: &mut Run<'_>,
    operator: BinaryOperator,
    wrap: Wrap,
    bits: u32,
    left: Slot,
    right: Slot,
) -> Step<Slot> {
    if let Some(slot) = on_addresses(run, operator, wrap, bits, left, right) {
        return Ok(slot);
    }
    let left = number_of(run.number(left, bits)?, bits);
    let right = number_of(run.number(right, bits)?, bits);
    Ok(slot_of(wide_binary(run, operator, wrap, bits, left, right)?))
}

/// Differences within an object, and sums of an address and a number, need no numbers of addresses.
fn on_addresses(
    run: &Run<'_>,
    operator: BinaryOperator,
    wrap: Wrap,
    bits: u32,
    left: Slot,
    right: Slot,
) -> Option<Slot> {
    if bits != run.pointer_bits() || wrap.signed || left.is_unchosen() || right.is_unchosen() {
        return None;
    }
    // What is undefined of an address is as undefined as if it were a number.
    let [a, b] = [left, right].map(|slot| number_of(slot, bits));
    let undefined = undefined_after(operator, bits, a, b) as u64;
    let of = |object, offset: u64| Some(Slot { bits: offset & mask(bits), undefined, object });
    match operator {
        BinaryOperator::Subtract if left.is_address() && left.object == right.object => {
            of(ObjectId::NONE, left.bits.wrapping_sub(right.bits))
        }
        BinaryOperator::Subtract if left.is_address() && !right.is_address() => {
            of(left.object, left.bits.wrapping_sub(right.bits))
        }
        BinaryOperator::Add if left.is_address() != right.is_address() => {
            let object = if left.is_address() { left.object } else { right.object };
            of(object, left.bits.wrapping_add(right.bits))
        }
        _ => None,
    }
}

/// An operation on at most 128 bits.
pub(super) fn wide_binary(
    run: &mut Run<'_>,
    operator: BinaryOperator,
    wrap: Wrap,
    bits: u32,
    left: Number,
    right: Number,
) -> Step<Number> {
    let (mut value, fault) = wide(operator, wrap, bits, left.bits, right.bits);
    let mut undefined = undefined_after(operator, bits, left, right);
    match fault {
        None => {}
        Some(Fault::Shift) => {
            run.fault(Fault::Shift, |_| shift_text(right.bits, bits))?;
            value = run.choose(ChoiceKind::Undefined, "shift", Domain::Bits(bits))?;
            undefined = 0;
        }
        Some(fault) => {
            run.fault(told(run, fault, right), |_| operation_text(operator, bits, left.bits, right.bits))?
        }
    }
    Ok(Number { bits: value, undefined })
}

/// The least integer divided by −1 is an overflow, too, if that alone is checked.
fn told(run: &Run<'_>, fault: Fault, right: Number) -> Fault {
    let checked = |fault| run.settings.checks.contains(&fault);
    let least = fault == Fault::Division && right.bits != 0;
    if least && checked(Fault::Overflow) && !checked(Fault::Division) { Fault::Overflow } else { fault }
}

/// A comparison of at most 64 bits.
pub(super) fn compare(
    run: &mut Run<'_>,
    comparison: Comparison,
    bits: u32,
    left: Slot,
    right: Slot,
) -> Step<Slot> {
    if let Some(result) = compare_addresses(run, comparison, bits, left, right) {
        let undefined = u64::from(left.undefined | right.undefined != 0);
        return Ok(Slot { bits: result.into(), undefined, object: ObjectId::NONE });
    }
    let left = number_of(run.number(left, bits)?, bits);
    let right = number_of(run.number(right, bits)?, bits);
    Ok(wide_compare(comparison, bits, left, right))
}

/// Comparisons that need no numbers of addresses: within one object; of an object with null; whether objects are
/// the same one.
fn compare_addresses(
    run: &Run<'_>,
    comparison: Comparison,
    bits: u32,
    left: Slot,
    right: Slot,
) -> Option<bool> {
    if left.is_unchosen() || right.is_unchosen() || bits != run.pointer_bits() {
        return None;
    }
    if left.is_address() && left.object == right.object {
        // An offset may be negative, and still is below the others.
        let offset = |slot: Slot| (slot.bits & mask(bits)) ^ (1 << (bits - 1));
        let addresses_are_signed = signed_comparison(comparison);
        return (!addresses_are_signed)
            .then(|| compare_narrow(comparison, bits, offset(left), offset(right)));
    }
    let equality = match comparison {
        Comparison::Equal => false,
        Comparison::NotEqual => true,
        _ => return None,
    };
    (is_elsewhere(run, left, right) || is_elsewhere(run, right, left)).then_some(equality)
}

/// Whether an address surely differs from another value: it lies in its object, and the other one is null or lies
/// in another object.
fn is_elsewhere(run: &Run<'_>, address: Slot, other: Slot) -> bool {
    if !address.is_address() {
        return false;
    }
    let inside = |slot: Slot| slot.bits < run.memory[slot.object].size;
    if other.object == ObjectId::NONE {
        return other.bits == 0 && address.bits <= run.memory[address.object].size;
    }
    inside(address) && inside(other) && !(exact::is_strict(run) && may_coincide(run, address, other))
}

/// Whether two objects may lie at the same place: one has ended before the other began, or both are constants.
fn may_coincide(run: &Run<'_>, left: Slot, right: Slot) -> bool {
    let (left, right) = (&run.memory[left.object], &run.memory[right.object]);
    let ended = |object: &Object| object.lifetime != Lifetime::Live;
    ended(left) || ended(right) || left.constant && right.constant
}

/// A comparison of at most 128 bits.
pub(super) fn wide_compare(comparison: Comparison, bits: u32, left: Number, right: Number) -> Slot {
    let result = compare_wide(comparison, bits, left.bits, right.bits);
    let undefined = undefined_comparison(comparison, left, right).into();
    Slot { bits: result.into(), undefined, object: ObjectId::NONE }
}

/// A conversion between integers and addresses of at most 64 bits, or of floating-point numbers.
#[inline(always)]
pub(super) fn cast(run: &mut Run<'_>, cast: Cast, from: u32, to: u32, value: Slot) -> Step<Slot> {
    if value.is_plain() {
        match cast {
            Cast::Truncate => return Ok(Slot::number(value.bits & mask(to))),
            Cast::ZeroExtend => return Ok(value),
            Cast::SignExtend => return Ok(Slot::number(signed(value.bits, from) as u64 & mask(to))),
            _ => {}
        }
    }
    any_cast(run, cast, from, to, value)
}

fn any_cast(run: &mut Run<'_>, cast: Cast, from: u32, to: u32, value: Slot) -> Step<Slot> {
    let value = if value.is_unchosen() { run.undefined_value(from)? } else { value };
    let same = matches!(cast, Cast::PointerToInteger | Cast::IntegerToPointer | Cast::Bits);
    if same && from == to {
        return Ok(value);
    }
    let value = run.number(value, from)?;
    let number = number_of(value, from);
    match cast {
        Cast::FloatTruncate
        | Cast::FloatExtend
        | Cast::FloatToSigned
        | Cast::FloatToUnsigned
        | Cast::SignedToFloat
        | Cast::UnsignedToFloat => float::cast(run, cast, from, to, number).map(slot_of),
        _ => Ok(slot_of(integer_cast(cast, from, to, number))),
    }
}

/// A conversion from or to more than 64 bits.
pub(super) fn wide_cast(run: &mut Run<'_>, cast: Cast, from: u8, to: u8, into: Register, value: Ref) -> Step {
    let number = wide_operand(run, value, from)?;
    let (from, to) = (u32::from(from), u32::from(to));
    let number = match cast {
        Cast::FloatToSigned | Cast::FloatToUnsigned | Cast::SignedToFloat | Cast::UnsignedToFloat => {
            float::cast(run, cast, from, to, number)?
        }
        _ => integer_cast(cast, from, to, number),
    };
    if to > 64 {
        set_wide(run, into, number);
    } else {
        run.set(into, slot_of(number));
    }
    Ok(())
}

/// An operand of up to 128 bits.
pub(super) fn wide_operand(run: &mut Run<'_>, operand: Ref, bits: u8) -> Step<Number> {
    let bits = u32::from(bits);
    let slot = run.get(operand);
    let low = number_of(run.number(slot, bits.min(64))?, bits.min(64));
    if bits <= 64 {
        return Ok(low);
    }
    let slot = run.get(operand.plus(1));
    let high = number_of(run.number(slot, bits - 64)?, bits - 64);
    Ok(Number { bits: low.bits | high.bits << 64, undefined: low.undefined | high.undefined << 64 })
}

/// Writes two registers.
pub(super) fn set_wide(run: &mut Run<'_>, into: Register, number: Number) {
    run.set(into, slot_of(number));
    run.set(into + 1, slot_of(Number { bits: number.bits >> 64, undefined: number.undefined >> 64 }));
}

/// An address: base, constant, and scaled terms.
pub(super) fn offset(run: &mut Run<'_>, base: Slot, constant: i64, terms: &[(Slot, u8, i64)]) -> Step<Slot> {
    let mut base = if base.is_unchosen() { run.undefined_value(run.pointer_bits())? } else { base };
    let mut sum = constant;
    for &(term, bits, scale) in terms {
        let term = run.number(term, u32::from(bits))?;
        if term.undefined != 0 {
            base.undefined = mask(run.pointer_bits());
        }
        sum = sum.wrapping_add(signed(term.bits, u32::from(bits)).wrapping_mul(scale));
    }
    Ok(run.moved(base, sum as u64))
}

fn signed_comparison(comparison: Comparison) -> bool {
    matches!(
        comparison,
        Comparison::SignedLess
            | Comparison::SignedLessEqual
            | Comparison::SignedGreater
            | Comparison::SignedGreaterEqual
    )
}

fn integer_cast(cast: Cast, from: u32, to: u32, number: Number) -> Number {
    let extend = |bits: u128| match cast {
        Cast::SignExtend => signed128(bits, from) as u128 & mask128(to),
        _ => bits & mask128(to),
    };
    Number { bits: extend(number.bits), undefined: extend(number.undefined) }
}

fn shift_text(by: u128, bits: u32) -> String {
    format!("{bits} bits are shifted by {}", signed128(by, bits))
}

fn operation_text(operator: BinaryOperator, bits: u32, left: u128, right: u128) -> String {
    let sign = match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::SignedRemainder | BinaryOperator::UnsignedRemainder => "%",
        _ => "/",
    };
    let unsigned = matches!(operator, BinaryOperator::UnsignedDivide | BinaryOperator::UnsignedRemainder);
    let show = |value: u128| if unsigned { value.to_string() } else { signed128(value, bits).to_string() };
    format!("{} {sign} {} in {bits} bits", show(left), show(right))
}
