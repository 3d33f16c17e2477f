//! What LLVM provides.

use crate::ir::undefined::Fault;
use crate::ir::{BinaryOperator, Comparison, Intrinsic, Wrap};
use crate::term::float::{self, Format};
use crate::vm::arithmetic::{compare_narrow, narrow};
use crate::vm::code::{Access, IntrinsicCode};
use crate::vm::instruction::call;
use crate::vm::memory::Lifetime;
use crate::vm::outcome::End;
use crate::vm::run::{Run, Step};
use crate::vm::value::{ObjectId, Slot, mask, signed, signed128};
use crate::vm::{exact, race, range};

pub(super) fn intrinsic(run: &mut Run<'_>, code: &IntrinsicCode) -> Step {
    let mut arguments = [Slot::ZERO; 5];
    for (slot, (operand, bits)) in arguments.iter_mut().zip(&code.arguments) {
        *slot = run.chosen(*operand, *bits)?;
    }
    if matches!(code.intrinsic, Intrinsic::ObjectSize | Intrinsic::IsConstant | Intrinsic::FloatMultiplyAdd) {
        exact::settle(run, "an intrinsic whose result depends on the compiler")?;
    }
    match code.intrinsic {
        Intrinsic::CopyMemory | Intrinsic::MoveMemory | Intrinsic::SetMemory => {
            on_memory(run, code, arguments)
        }
        Intrinsic::Nothing | Intrinsic::EndArguments => Ok(()),
        Intrinsic::First => {
            run.set(code.into, arguments[0]);
            Ok(())
        }
        Intrinsic::Assume => {
            if run.decide(arguments[0])? {
                return Ok(());
            }
            run.unsupported("an assumption of the compiler that does not hold")
        }
        Intrinsic::Trap if run.pauses_here() => run.switch(),
        Intrinsic::Trap => Err(Box::new(End::Abort)),
        Intrinsic::StartArguments => call::start_arguments(run, arguments[0]),
        Intrinsic::CopyArguments => {
            let length = if run.image.word == 8 { 24 } else { 4 };
            range::copy(run, arguments[0], arguments[1], length)
        }
        Intrinsic::SaveStack => save_stack(run, code),
        Intrinsic::RestoreStack => restore_stack(run, arguments[0]),
        Intrinsic::ObjectSize => object_size(run, code, arguments),
        Intrinsic::IsConstant => {
            run.set(code.into, Slot::ZERO);
            Ok(())
        }
        Intrinsic::ThreadLocalAddress => {
            let address = thread_local(run, arguments[0])?;
            run.set(code.into, address);
            Ok(())
        }
        _ => on_numbers(run, code, arguments),
    }
}

fn on_memory(run: &mut Run<'_>, code: &IntrinsicCode, [to, from, length, ..]: [Slot; 5]) -> Step {
    let length = run.number(length, code.arguments[2].1)?;
    run.branch_on(length)?;
    let set = code.intrinsic == Intrinsic::SetMemory;
    let both = [(to, length.bits, Access::Write), (from, length.bits, Access::Read)];
    if run.concurrent && race::stops_for(run, if set { &both[..1] } else { &both })? {
        return run.switch();
    }
    if set { range::fill(run, to, from, length.bits) } else { range::copy(run, to, from, length.bits) }
}

/// The mark of a frame's local objects: how many there are.
fn save_stack(run: &mut Run<'_>, code: &IntrinsicCode) -> Step {
    let count = run.thread.frames.last().map_or(0, |frame| frame.objects.len());
    run.set(code.into, Slot::number(count as u64));
    Ok(())
}

fn restore_stack(run: &mut Run<'_>, mark: Slot) -> Step {
    if !mark.is_plain() {
        return run.unsupported("a mark of the stack that is none");
    }
    let Some(frame) = run.thread.frames.last_mut() else { return Ok(()) };
    let keep = (mark.bits as usize).min(frame.objects.len());
    for id in frame.objects.split_off(keep) {
        run.memory.end(id, Lifetime::Ended);
    }
    Ok(())
}

fn object_size(run: &mut Run<'_>, code: &IntrinsicCode, arguments: [Slot; 5]) -> Step {
    let unknown = if arguments[1].bits & 1 != 0 { 0 } else { mask(code.bits) };
    let address = arguments[0];
    let known = address.is_address() && run.memory[address.object].lifetime == Lifetime::Live;
    let size = if known { run.memory[address.object].size.checked_sub(address.bits) } else { None };
    run.set(code.into, Slot::number(size.unwrap_or(unknown)));
    Ok(())
}

/// The global variable's copy for this thread; the first thread has the original.
fn thread_local(run: &mut Run<'_>, address: Slot) -> Step<Slot> {
    if run.thread.id == 0 || !address.is_address() {
        return Ok(address);
    }
    let key = (run.thread.id, address.object);
    if let Some(&copy) = run.environment.thread_locals.get(&key) {
        return Ok(Slot { object: copy, ..address });
    }
    let object = run.image.memory[address.object].clone();
    let copy = run.memory.add(object);
    run.memory[copy].address = None;
    run.environment.thread_locals.insert(key, copy);
    Ok(Slot { object: copy, ..address })
}

fn on_numbers(run: &mut Run<'_>, code: &IntrinsicCode, mut arguments: [Slot; 5]) -> Step {
    let mut undefined = 0;
    for (slot, (_, bits)) in arguments.iter_mut().zip(&code.arguments) {
        *slot = run.number(*slot, *bits)?;
        undefined |= slot.undefined;
    }
    let tainted = |bits: u64| Slot {
        bits,
        undefined: if undefined == 0 { 0 } else { u64::MAX },
        object: ObjectId::NONE,
    };
    let [a, b, c, ..] = arguments.map(|slot| slot.bits);
    if let Some((value, over)) = with_overflow(code.intrinsic, code.bits, a, b) {
        run.set(code.into, tainted(value));
        run.set(code.into + 1, tainted(over.into()));
        return Ok(());
    }
    if code.intrinsic == Intrinsic::Absolute && b != 0 && a == 1 << (code.bits - 1) {
        run.fault(Fault::Overflow, |_| "the absolute value of the least integer".into())?;
    }
    let counts = matches!(code.intrinsic, Intrinsic::LeadingZeros | Intrinsic::TrailingZeros);
    if counts && a == 0 && b & 1 != 0 {
        let value = run.undefined_value(code.bits)?;
        run.set(code.into, Slot::number(value.bits));
        return Ok(());
    }
    let from = code.arguments.first().map_or(0, |&(_, bits)| bits);
    if code.intrinsic == Intrinsic::IsOfClass {
        let (bits, mut classes) = (u128::from(a), Format::of_width(from).classes(b.into()).into_iter());
        let inside = classes.any(|(low, high)| low <= bits && bits <= high);
        run.set(code.into, tainted(inside.into()));
        return Ok(());
    }
    if let Some(function) = code.intrinsic.float_function() {
        let bits = float::apply(function, from, a.into());
        super::float::settle(run, Format::of_width(from).is_nan(bits))?;
        run.set(code.into, tainted(bits as u64));
        return Ok(());
    }
    match value_of(code.intrinsic, code.bits, a, b, c) {
        Some(value) => {
            run.set(code.into, tainted(value & mask(code.bits)));
            Ok(())
        }
        None => run.unsupported(format!("the intrinsic {:?}", code.intrinsic)),
    }
}

/// Sum, difference or product, and whether it overflowed.
fn with_overflow(intrinsic: Intrinsic, bits: u32, a: u64, b: u64) -> Option<(u64, bool)> {
    use BinaryOperator::{Add, Multiply, Subtract};
    let (operator, is_signed) = match intrinsic {
        Intrinsic::SignedAddOverflow => (Add, true),
        Intrinsic::UnsignedAddOverflow => (Add, false),
        Intrinsic::SignedSubtractOverflow => (Subtract, true),
        Intrinsic::UnsignedSubtractOverflow => (Subtract, false),
        Intrinsic::SignedMultiplyOverflow => (Multiply, true),
        Intrinsic::UnsignedMultiplyOverflow => (Multiply, false),
        _ => return None,
    };
    let (value, _) = narrow(operator, Wrap::default(), bits, a, b);
    let extend = |x: u64| if is_signed { signed128(x.into(), bits) } else { i128::from(x) };
    let (a, b) = (extend(a), extend(b));
    let exact = match operator {
        Add => a + b,
        Subtract => a - b,
        // 2^64 · 2^64 does not fit, but then it surely overflows.
        _ => a.checked_mul(b).unwrap_or(i128::MAX),
    };
    Some((value, exact != extend(value)))
}

/// Intrinsics on numbers.
fn value_of(intrinsic: Intrinsic, bits: u32, a: u64, b: u64, c: u64) -> Option<u64> {
    let larger = |comparison| if compare_narrow(comparison, bits, a, b) { a } else { b };
    let amount = if bits == 0 { 0 } else { c as u32 % bits };
    let double = |x: u64| f64::from_bits(x);
    let single = |x: u64| f32::from_bits(x as u32);
    Some(match intrinsic {
        Intrinsic::CountOnes => a.count_ones().into(),
        Intrinsic::LeadingZeros => u64::from(a.leading_zeros() - (64 - bits)),
        Intrinsic::TrailingZeros => u64::from(a.trailing_zeros().min(bits)),
        Intrinsic::SwapBytes => a.swap_bytes() >> (64 - bits),
        Intrinsic::ReverseBits => a.reverse_bits() >> (64 - bits),
        Intrinsic::Absolute => signed(a, bits).unsigned_abs(),
        Intrinsic::SignedMax => larger(Comparison::SignedGreater),
        Intrinsic::SignedMin => larger(Comparison::SignedLess),
        Intrinsic::UnsignedMax => larger(Comparison::UnsignedGreater),
        Intrinsic::UnsignedMin => larger(Comparison::UnsignedLess),
        Intrinsic::FunnelShiftLeft | Intrinsic::FunnelShiftRight if amount == 0 => {
            if intrinsic == Intrinsic::FunnelShiftLeft { a } else { b }
        }
        Intrinsic::FunnelShiftLeft => a << amount | b >> (bits - amount),
        Intrinsic::FunnelShiftRight => a << (bits - amount) | b >> amount,
        Intrinsic::FloatAbsolute => a & mask(bits - 1),
        Intrinsic::CopySign => a & mask(bits - 1) | b & !mask(bits - 1),
        Intrinsic::FloatMultiplyAdd if bits == 64 => (double(a) * double(b) + double(c)).to_bits(),
        Intrinsic::FloatMultiplyAdd => u64::from((single(a) * single(b) + single(c)).to_bits()),
        _ => return None,
    })
}
