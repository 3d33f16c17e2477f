//! The loop that runs instructions.

use super::{Run, Step};
use crate::ir::undefined::Fault;
use crate::vm::arithmetic::{compare_narrow, narrow};
use crate::vm::code::{Access, Code, Ref, SwitchCode};
use crate::vm::outcome::End;
use crate::vm::value::{Slot, mask, signed};

/// Between two looks at the limits.
const SLICE: u64 = 1024;
/// A thread that does nothing that others can see lets them go on after about so many instructions: it may never end.
const PATIENCE: u64 = 8 * SLICE;

impl Run<'_> {
    /// Runs until the end; there is always one.
    pub(super) fn execute(&mut self) -> Step {
        loop {
            if self.steps.is_multiple_of(SLICE) || self.steps >= self.settings.steps {
                self.look_at_limits()?;
                if self.concurrent && self.thread.atomic == 0 && self.steps - self.asked > PATIENCE {
                    self.give_way()?;
                }
            }
            self.steps += 1;
            let list = self.code;
            let code = &list[self.thread.position];
            self.thread.position += 1;
            self.step(code)?;
        }
    }

    #[inline(always)]
    fn step(&mut self, code: &Code) -> Step {
        match *code {
            Code::Binary { operator, wrap, bits, into, left, right } => {
                let (left, right) = (self.get(left), self.get(right));
                if left.is_plain() && right.is_plain() {
                    let (value, fault) = narrow(operator, wrap, u32::from(bits), left.bits, right.bits);
                    if fault.is_none() {
                        self.set(into, Slot::number(value));
                        return Ok(());
                    }
                }
                let value = self.binary(operator, wrap, u32::from(bits), left, right)?;
                self.set(into, value);
            }
            Code::Compare { comparison, bits, into, left, right } => {
                let (left, right) = (self.get(left), self.get(right));
                let value = if left.is_plain() && right.is_plain() {
                    Slot::number(compare_narrow(comparison, u32::from(bits), left.bits, right.bits).into())
                } else {
                    self.compare(comparison, u32::from(bits), left, right)?
                };
                self.set(into, value);
            }
            Code::LoadLocal { local, into, bits } => {
                let mut value = self.get(Ref(local));
                if value.is_unchosen() {
                    value = self.choose_local(local, u32::from(bits))?;
                    self.set(local, value);
                }
                self.set(into, value);
            }
            Code::StoreLocal { local, value, bits } => {
                let value = self.chosen(value, u32::from(bits))?;
                self.set(local, value);
                if self.tracing {
                    self.trace_local(local, value, u32::from(bits));
                }
            }
            Code::Load { address, into, bytes, bits } => {
                let address = self.get(address);
                if self.concurrent && self.stops(address, u64::from(bytes), Access::Read)? {
                    return self.switch();
                }
                let value = self.load(address, usize::from(bytes), u32::from(bits))?;
                self.set(into, value);
            }
            Code::Store { address, value, bytes, bits } => {
                let address = self.get(address);
                if self.concurrent && self.stops(address, u64::from(bytes), Access::Write)? {
                    return self.switch();
                }
                let value = self.get(value);
                self.store(address, value, usize::from(bytes), u32::from(bits))?;
            }
            Code::OffsetConstant { base, constant, into } => {
                let base = self.chosen(base, self.pointer_bits())?;
                self.set(into, self.moved(base, constant as u64));
            }
            Code::OffsetOne { base, term, bits, scale, into } => {
                let (base, term) = (self.get(base), self.get(term));
                if term.is_plain() && !base.is_unchosen() {
                    let by = signed(term.bits, u32::from(bits)).wrapping_mul(scale);
                    self.set(into, self.moved(base, by as u64));
                } else {
                    let value = self.offset(base, 0, &[(term, bits, scale)])?;
                    self.set(into, value);
                }
            }
            Code::Jump(to) => self.thread.position = to as usize,
            Code::Branch { condition, yes, no } => {
                let condition = self.get(condition);
                let taken = if condition.is_plain() { condition.bits != 0 } else { self.decide(condition)? };
                self.thread.position = if taken { yes } else { no } as usize;
            }
            Code::Cast { cast, from, to, into, value } => {
                let value = self.get(value);
                let value = self.cast(cast, u32::from(from), u32::from(to), value)?;
                self.set(into, value);
            }
            Code::Move { from, into, slots } => (0..slots).for_each(|slot| {
                let value = self.get(from.plus(slot));
                self.set(into + slot, value);
            }),
            Code::FreshLocal { local } => self.set(local, Slot::UNCHOSEN),
            _ => return self.rare_step(code),
        }
        Ok(())
    }

    /// What is not worth a place in the loop.
    #[inline(never)]
    fn rare_step(&mut self, code: &Code) -> Step {
        match code {
            Code::Call(call) => self.call(call),
            Code::Return { value, slots } => self.return_from(*value, *slots),
            Code::Switch(switch) => self.switch_on(switch),
            Code::Select { condition, yes, no, into, slots } => {
                let condition = self.chosen(*condition, 1)?;
                let from = if condition.bits & 1 != 0 { *yes } else { *no };
                for slot in 0..*slots {
                    let mut value = self.get(from.plus(slot));
                    if condition.undefined != 0 && !value.is_unchosen() {
                        value.undefined = u64::MAX;
                    }
                    self.set(into + slot, value);
                }
                Ok(())
            }
            Code::Freeze { from, into, bits } => {
                let mut value = self.chosen(*from, u32::from(*bits))?;
                value.undefined = 0;
                self.set(*into, value);
                Ok(())
            }
            Code::Allocate { value, size, count, count_bits, align, into } => {
                let count = self.get(*count);
                self.allocate(*value, *size, (count, u32::from(*count_bits)), u64::from(*align), *into)
            }
            Code::StartLocal { local, promoted, read } => self.start_local(*local, *promoted, *read),
            Code::EndLocal { local } => self.end_local(*local),
            Code::LoadPieces { address, into, pieces } => self.load_pieces(*address, *into, pieces),
            Code::StorePieces { address, value, pieces } => self.store_pieces(*address, *value, pieces),
            Code::Offset { base, constant, terms, into } => {
                let terms: Vec<(Slot, u8, i64)> =
                    terms.iter().map(|(t, b, s)| (self.get(*t), *b, *s)).collect();
                let value = self.offset(self.get(*base), *constant, &terms)?;
                self.set(*into, value);
                Ok(())
            }
            Code::Intrinsic(intrinsic) => self.intrinsic(intrinsic),
            Code::ErrorLabel(_) if self.pauses_here() => self.switch(),
            Code::ErrorLabel(label) => Err(Box::new(End::ErrorReached(label.to_string()))),
            Code::Unreachable => {
                self.fault(Fault::Unreachable, |_| {
                    "control gets where the program says it never does".into()
                })?;
                self.unsupported("control gets where the program says it never does")
            }
            Code::Unsupported(text) => self.unsupported(text.to_string()),
            _ => self.unusual_step(code),
        }
    }

    fn unusual_step(&mut self, code: &Code) -> Step {
        match code {
            Code::WideBinary { operator, wrap, bits, into, left, right } => {
                let (left, right) = (self.wide(*left, *bits)?, self.wide(*right, *bits)?);
                let value = self.wide_binary(*operator, *wrap, u32::from(*bits), left, right)?;
                self.set_wide(*into, value);
                Ok(())
            }
            Code::WideCompare { comparison, bits, into, left, right } => {
                let (left, right) = (self.wide(*left, *bits)?, self.wide(*right, *bits)?);
                let value = self.wide_compare(*comparison, u32::from(*bits), left, right);
                self.set(*into, value);
                Ok(())
            }
            Code::WideCast { cast, from, to, into, value } => {
                self.wide_cast(*cast, *from, *to, *into, *value)
            }
            Code::FloatBinary { operator, precision, into, left, right } => {
                self.float_binary(*operator, *precision, *into, *left, *right)
            }
            Code::FloatCompare { comparison, precision, into, left, right } => {
                self.float_compare(*comparison, *precision, *into, *left, *right)
            }
            Code::FloatNegate { precision, into, value } => self.float_negate(*precision, *into, *value),
            Code::AtomicUpdate { exchange, address, value, piece, into } => {
                self.atomic_update(*exchange, *address, *value, *piece, *into)
            }
            Code::CompareExchange(exchange) => self.compare_exchange(exchange),
            _ => self.unsupported("an instruction of unknown kind"),
        }
    }

    fn switch_on(&mut self, switch: &SwitchCode) -> Step {
        let mut value = self.get(switch.value);
        if !value.is_plain() {
            value = self.number(value, u32::from(switch.bits))?;
            self.branch_on(value)?;
        }
        let wanted = value.bits & mask(u32::from(switch.bits));
        let found = switch.cases.binary_search_by_key(&wanted, |(case, _)| *case);
        self.thread.position = found.map_or(switch.default, |case| switch.cases[case].1) as usize;
        Ok(())
    }
}
