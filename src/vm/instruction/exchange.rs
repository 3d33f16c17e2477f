//! Atomic reads and writes in one step.

use crate::ir::{BinaryOperator, Comparison, Exchange, Wrap};
use crate::vm::arithmetic::compare_narrow;
use crate::vm::choices::ChoiceKind;
use crate::vm::code::{Access, ExchangeCode, Piece, Ref, Register};
use crate::vm::instruction::compute;
use crate::vm::race;
use crate::vm::run::{Run, Step};
use crate::vm::value::{Slot, mask};

/// Reads, computes and writes.
pub(super) fn update(
    run: &mut Run<'_>,
    exchange: Exchange,
    address: Ref,
    value: Ref,
    piece: Piece,
    into: Register,
) -> Step {
    let address = run.get(address);
    if run.concurrent && race::stops(run, address, u64::from(piece.bytes), Access::Write)? {
        return run.switch();
    }
    let (bytes, bits) = (usize::from(piece.bytes), u32::from(piece.bits));
    let value = run.chosen(value, bits)?;
    let old = run.load(address, bytes, bits)?;
    let new = updated(run, exchange, bits, old, value)?;
    run.store(address, new, bytes, bits)?;
    run.set(into, old);
    Ok(())
}

fn updated(run: &mut Run<'_>, exchange: Exchange, bits: u32, old: Slot, value: Slot) -> Step<Slot> {
    let comparison = match exchange {
        Exchange::Swap => return Ok(value),
        Exchange::Add => return wrapping(run, BinaryOperator::Add, bits, old, value),
        Exchange::Subtract => return wrapping(run, BinaryOperator::Subtract, bits, old, value),
        Exchange::And => return wrapping(run, BinaryOperator::And, bits, old, value),
        Exchange::Or => return wrapping(run, BinaryOperator::Or, bits, old, value),
        Exchange::Xor => return wrapping(run, BinaryOperator::Xor, bits, old, value),
        Exchange::Nand => {
            let both = wrapping(run, BinaryOperator::And, bits, old, value)?;
            return wrapping(run, BinaryOperator::Xor, bits, both, Slot::number(mask(bits)));
        }
        Exchange::SignedMax => Comparison::SignedGreater,
        Exchange::SignedMin => Comparison::SignedLess,
        Exchange::UnsignedMax => Comparison::UnsignedGreater,
        Exchange::UnsignedMin => Comparison::UnsignedLess,
    };
    let (old, value) = (run.number(old, bits)?, run.number(value, bits)?);
    let mut chosen = if compare_narrow(comparison, bits, old.bits, value.bits) { old } else { value };
    chosen.undefined = old.undefined | value.undefined;
    Ok(chosen)
}

fn wrapping(run: &mut Run<'_>, operator: BinaryOperator, bits: u32, left: Slot, right: Slot) -> Step<Slot> {
    compute::binary(run, operator, Wrap::default(), bits, left, right)
}

/// Writes if it finds what it expects.
pub(super) fn compare_exchange(run: &mut Run<'_>, code: &ExchangeCode) -> Step {
    let address = run.get(code.address);
    if run.concurrent && race::stops(run, address, u64::from(code.piece.bytes), Access::Write)? {
        return run.switch();
    }
    let (bytes, bits) = (usize::from(code.piece.bytes), u32::from(code.piece.bits));
    let old = run.load(address, bytes, bits)?;
    let expected = run.chosen(code.expected, bits)?;
    let equal = compute::compare(run, Comparison::Equal, bits, old, expected)?;
    let mut success = run.decide(equal)?;
    if success && code.weak {
        success = !run.choose_whether(ChoiceKind::Exchange, "")?;
    }
    if success {
        let new = run.chosen(code.new, bits)?;
        run.store(address, new, bytes, bits)?;
    }
    run.set(code.into, old);
    run.set(code.into + 1, Slot::number(success.into()));
    Ok(())
}
