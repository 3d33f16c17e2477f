//! Instructions that have to do with devices and with the processor itself. Most of their results are arbitrary.

use super::template::{Statement, slot_of};
use super::{Assembler, Slot, Text, USERS_MEMORY, Where, leads_to, width_of};
use crate::ir::{Callee, Cast, Constant, Operand, Operation, Type};

/// Instructions that only order others, switch interrupts, which are threads to us, or tell devices and caches something.
const FENCES: [&str; 14] = [
    "nop", "pause", "mfence", "lfence", "sfence", "cli", "sti", "hlt", "wbinvd", "clflush", "out", "outb",
    "outw", "outl",
];
/// Instructions whose results are arbitrary, and the registers of these results.
const ARBITRARY: [(&str, &str); 4] = [("rdtsc", "ad"), ("rdmsr", "ad"), ("rdtscp", "acd"), ("cpuid", "abcd")];
/// Instructions that read a device.
const PORTS: [(&str, u32); 3] = [("inb", 8), ("inw", 16), ("inl", 32)];
/// Instructions that push and pop flags, without the widths.
const FLAGS: [&str; 2] = ["pushf", "popf"];

impl Assembler<'_> {
    /// What has to do with devices and with the processor itself. Nothing if the instruction is another one.
    pub(super) fn privileged(&mut self, statement: &Statement) -> Option<Option<()>> {
        let Statement { name, operands, .. } = statement;
        let name = name.as_str();
        if FENCES.contains(&name) {
            self.push(None, Operation::Fence);
            return Some(Some(()));
        }
        if let Some((_, registers)) = ARBITRARY.iter().find(|(known, _)| *known == name) {
            return Some(self.arbitrary_registers(registers));
        }
        if let Some((_, bits)) = PORTS.iter().find(|(known, _)| *known == name) {
            let [_, Text::Slot(to)] = operands[..] else { return Some(None) };
            return Some(self.arbitrary_part(to, *bits));
        }
        if FLAGS.contains(&name.trim_end_matches(['l', 'q'])) {
            return Some(self.flags_on_the_stack(name.starts_with("push")));
        }
        if name == "call" {
            let known = self.switches_interrupts(operands) || self.reaches_users_memory(operands);
            return Some(if known { self.arbitrary_results() } else { None });
        }
        None
    }

    /// Flags on the stack are anything, unless they are known to depend on values of the template.
    fn flags_on_the_stack(&mut self, push: bool) -> Option<()> {
        if !push {
            self.pushed.pop();
            (self.flags, self.carry) = (None, None);
        } else if self.flags.is_some() || self.carry.is_some() {
            return None;
        } else {
            self.pushed.push(None);
        }
        self.push(None, Operation::Fence);
        Some(())
    }

    pub(super) fn pop(&mut self, slot: usize, bits: u32) -> Option<()> {
        let value = match self.pushed.pop()? {
            Some(value) => value,
            None => self.arbitrary(Type::Integer(bits)),
        };
        if let Where::Memory(address) = self.slots.get(slot)?.place.clone() {
            self.store(address, value, bits);
            return Some(());
        }
        self.put(slot, value)
    }

    /// Whether a call goes to a function of Linux for the memory of users: nothing of the program changes.
    fn reaches_users_memory(&self, operands: &[Text]) -> bool {
        let [Text::Other(target)] = operands else { return false };
        self.known.users_memory && USERS_MEMORY.iter().any(|name| target.starts_with(name))
    }

    /// Whether a call goes through a member of the table of Linux's operations on interrupts.
    fn switches_interrupts(&self, operands: &[Text]) -> bool {
        let [Text::Other(target)] = operands else { return false };
        let Some(slot) = target.strip_prefix('*').and_then(slot_of) else { return false };
        let Some(Slot { place: Where::Register(Some(operand), _), .. }) = self.slots.get(slot) else {
            return false;
        };
        self.known.table.is_some_and(|table| leads_to(operand, table))
    }

    /// All results are anything: a function was called that is not known.
    fn arbitrary_results(&mut self) -> Option<()> {
        (self.flags, self.carry) = (None, None);
        if self.slots.iter().any(|slot| slot.memory_output) {
            return None;
        }
        let outputs: Vec<usize> =
            (0..self.slots.len()).filter(|&slot| self.slots[slot].output.is_some()).collect();
        outputs.into_iter().try_for_each(|slot| self.arbitrary_result(slot))
    }

    fn arbitrary_result(&mut self, slot: usize) -> Option<()> {
        let Where::Register(_, ty) = self.slots.get(slot)?.place.clone() else { return None };
        let value = self.arbitrary(ty);
        self.hold(slot, value)
    }

    /// The results in some registers are anything.
    fn arbitrary_registers(&mut self, letters: &str) -> Option<()> {
        for slot in 0..self.slots.len() {
            let Slot { register, output: Some(_), .. } = &self.slots[slot] else { continue };
            if register == "A" {
                self.arbitrary_result(slot)?;
            } else if letter(register).is_some_and(|letter| letters.contains(letter)) {
                self.arbitrary_part(slot, 32)?;
            }
        }
        Some(())
    }

    /// A part of a register is anything; so is the rest, if nobody knows what it held.
    fn arbitrary_part(&mut self, slot: usize, bits: u32) -> Option<()> {
        let Where::Register(held, ty) = self.slots.get(slot)?.place.clone() else { return None };
        if bits < 32 && held.is_none() || width_of(&ty, self.known.pointer_bits)? < bits {
            return self.arbitrary_result(slot);
        }
        let value = self.arbitrary(Type::Integer(bits));
        self.put(slot, value)
    }

    pub(super) fn arbitrary(&mut self, ty: Type) -> Operand {
        let value = self.value(ty.clone());
        self.push(Some(value), Operation::Freeze(Operand::Constant(Constant::Undefined(ty))));
        Operand::Value(value)
    }

    /// What a processor has for itself. If it may be a pointer, it is one from outside.
    pub(super) fn of_processor(&mut self, slot: usize) -> Option<()> {
        let Where::Register(_, ty) = self.slots.get(slot)?.place.clone() else { return None };
        if width_of(&ty, self.known.pointer_bits)? != self.known.pointer_bits {
            return self.arbitrary_result(slot);
        }
        let pointer = self.value(Type::Pointer);
        let callee = Callee::Function(self.known.pointer?);
        self.push(Some(pointer), Operation::Call { callee, arguments: Vec::new(), copied: Vec::new() });
        let pointer = Operand::Value(pointer);
        if ty == Type::Pointer {
            return self.hold(slot, pointer);
        }
        let number = self.value(ty);
        self.push(Some(number), Operation::Cast { cast: Cast::PointerToInteger, value: pointer });
        self.hold(slot, Operand::Value(number))
    }
}

/// `a` for the register `ax`, `eax`, `a`.
fn letter(register: &str) -> Option<char> {
    let name = register.trim_start_matches(['e', 'r']);
    let mut letters = name.chars();
    let first = letters.next()?;
    (matches!(letters.as_str(), "" | "x" | "l") && "abcd".contains(first)).then_some(first)
}
