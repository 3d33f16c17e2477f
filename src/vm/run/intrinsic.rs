//! What LLVM provides.

use super::{Run, Step};
use crate::ir::undefined::Fault;
use crate::ir::{BinaryOperator, Comparison, Intrinsic, Wrap};
use crate::vm::arithmetic::{compare_narrow, narrow};
use crate::vm::code::{Access, IntrinsicCode};
use crate::vm::memory::Lifetime;
use crate::vm::outcome::End;
use crate::vm::value::{ObjectId, Slot, mask, signed, signed128};

impl Run<'_> {
    pub(super) fn intrinsic(&mut self, code: &IntrinsicCode) -> Step {
        let mut arguments = [Slot::ZERO; 5];
        for (slot, (operand, bits)) in arguments.iter_mut().zip(&code.arguments) {
            *slot = self.chosen(*operand, *bits)?;
        }
        if matches!(
            code.intrinsic,
            Intrinsic::ObjectSize | Intrinsic::IsConstant | Intrinsic::FloatMultiplyAdd
        ) {
            self.settle("an intrinsic whose result depends on the compiler")?;
        }
        match code.intrinsic {
            Intrinsic::CopyMemory | Intrinsic::MoveMemory | Intrinsic::SetMemory => {
                self.memory_intrinsic(code, arguments)
            }
            Intrinsic::Nothing | Intrinsic::EndArguments => Ok(()),
            Intrinsic::First => {
                self.set(code.into, arguments[0]);
                Ok(())
            }
            Intrinsic::Assume => {
                if self.decide(arguments[0])? {
                    return Ok(());
                }
                self.unsupported("an assumption of the compiler that does not hold")
            }
            Intrinsic::Trap => Err(Box::new(End::Abort)),
            Intrinsic::StartArguments => self.start_arguments(arguments[0]),
            Intrinsic::CopyArguments => {
                let length = if self.image.word == 8 { 24 } else { 4 };
                self.copy(arguments[0], arguments[1], length)
            }
            Intrinsic::SaveStack => self.save_stack(code),
            Intrinsic::RestoreStack => self.restore_stack(arguments[0]),
            Intrinsic::ObjectSize => self.object_size(code, arguments),
            Intrinsic::IsConstant => {
                self.set(code.into, Slot::ZERO);
                Ok(())
            }
            Intrinsic::ThreadLocalAddress => {
                let address = self.thread_local(arguments[0])?;
                self.set(code.into, address);
                Ok(())
            }
            _ => self.number_intrinsic(code, arguments),
        }
    }

    fn memory_intrinsic(&mut self, code: &IntrinsicCode, [to, from, length, ..]: [Slot; 5]) -> Step {
        let length = self.number(length, code.arguments[2].1)?;
        self.branch_on(length)?;
        let set = code.intrinsic == Intrinsic::SetMemory;
        let both = [(to, length.bits, Access::Write), (from, length.bits, Access::Read)];
        if self.concurrent && self.stops_for(if set { &both[..1] } else { &both })? {
            return self.switch();
        }
        if set { self.fill(to, from, length.bits) } else { self.copy(to, from, length.bits) }
    }

    /// The mark of a frame's local objects: how many there are.
    fn save_stack(&mut self, code: &IntrinsicCode) -> Step {
        let count = self.thread.frames.last().map_or(0, |frame| frame.objects.len());
        self.set(code.into, Slot::number(count as u64));
        Ok(())
    }

    fn restore_stack(&mut self, mark: Slot) -> Step {
        if !mark.is_plain() {
            return self.unsupported("a mark of the stack that is none");
        }
        let Some(frame) = self.thread.frames.last_mut() else { return Ok(()) };
        let keep = (mark.bits as usize).min(frame.objects.len());
        for id in frame.objects.split_off(keep) {
            self.memory.end(id, Lifetime::Ended);
        }
        Ok(())
    }

    fn object_size(&mut self, code: &IntrinsicCode, arguments: [Slot; 5]) -> Step {
        let unknown = if arguments[1].bits & 1 != 0 { 0 } else { mask(code.bits) };
        let address = arguments[0];
        let known = address.is_address() && self.memory[address.object].lifetime == Lifetime::Live;
        let size = if known { self.memory[address.object].size.checked_sub(address.bits) } else { None };
        self.set(code.into, Slot::number(size.unwrap_or(unknown)));
        Ok(())
    }

    /// The global variable's copy for this thread; the first thread has the original.
    fn thread_local(&mut self, address: Slot) -> Step<Slot> {
        if self.thread.id == 0 || !address.is_address() {
            return Ok(address);
        }
        let key = (self.thread.id, address.object);
        if let Some(&copy) = self.environment.thread_locals.get(&key) {
            return Ok(Slot { object: copy, ..address });
        }
        let object = self.image.memory[address.object].clone();
        let copy = self.memory.add(object);
        self.memory[copy].address = None;
        self.environment.thread_locals.insert(key, copy);
        Ok(Slot { object: copy, ..address })
    }

    fn number_intrinsic(&mut self, code: &IntrinsicCode, mut arguments: [Slot; 5]) -> Step {
        let mut undefined = 0;
        for (slot, (_, bits)) in arguments.iter_mut().zip(&code.arguments) {
            *slot = self.number(*slot, *bits)?;
            undefined |= slot.undefined;
        }
        let tainted = |bits: u64| Slot {
            bits,
            undefined: if undefined == 0 { 0 } else { u64::MAX },
            object: ObjectId::NONE,
        };
        let [a, b, c, ..] = arguments.map(|slot| slot.bits);
        if let Some((value, over)) = with_overflow(code.intrinsic, code.bits, a, b) {
            self.set(code.into, tainted(value));
            self.set(code.into + 1, tainted(over.into()));
            return Ok(());
        }
        if code.intrinsic == Intrinsic::Absolute && b != 0 && a == 1 << (code.bits - 1) {
            self.fault(Fault::Overflow, |_| "the absolute value of the least integer".into())?;
        }
        let counts = matches!(code.intrinsic, Intrinsic::LeadingZeros | Intrinsic::TrailingZeros);
        if counts && a == 0 && b & 1 != 0 {
            let value = self.undefined_value(code.bits)?;
            self.set(code.into, Slot::number(value.bits));
            return Ok(());
        }
        match value_of(code.intrinsic, code.bits, a, b, c) {
            Some(value) => {
                self.set(code.into, tainted(value & mask(code.bits)));
                Ok(())
            }
            None => self.unsupported(format!("the intrinsic {:?}", code.intrinsic)),
        }
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
        Intrinsic::FloatMultiplyAdd if bits == 64 => (double(a) * double(b) + double(c)).to_bits(),
        Intrinsic::FloatMultiplyAdd => u64::from((single(a) * single(b) + single(c)).to_bits()),
        _ => return None,
    })
}
