//! Instructions that move values between registers and memory, or update memory.

use super::{Assembler, Flags, Text, Where, number};
use crate::ir::{BinaryOperator, Comparison, Constant, Exchange, Operand, Operation, Type};
use crate::term::arithmetic;

impl Assembler<'_> {
    pub(super) fn mov(&mut self, from: &Text, to: &Text, bits: u32) -> Option<()> {
        if let (Text::Other(from), Text::Slot(to)) = (from, to) {
            if from.starts_with("%cr") || from.starts_with("%dr") {
                let value = self.arbitrary(Type::Integer(bits));
                return self.put(*to, value);
            }
            // What each processor has for itself is not known.
            let own = from.starts_with("%gs:") || from.starts_with("%fs:") || from.starts_with("%%gs:");
            return if own { self.of_processor(*to) } else { None };
        }
        let Text::Slot(to) = *to else { return None };
        match (self.slots.get(to)?.place.clone(), self.memory(from)) {
            (Where::Register(_, Type::Pointer), None) => {
                let value = self.read(from)?;
                self.hold(to, value)
            }
            (Where::Register(..), None) => {
                let value = self.read_as(from, bits)?;
                self.put(to, value)
            }
            // An access of C that only looks like assembly.
            (Where::Register(_, ty), Some(address)) => {
                let ty = if ty == Type::Pointer { ty } else { Type::Integer(bits) };
                let value = self.value(ty.clone());
                let align = u64::from(bits / 8);
                self.push(Some(value), Operation::Load { address, align, volatile: true, atomic: true });
                if ty == Type::Pointer {
                    self.hold(to, Operand::Value(value))
                } else {
                    self.put(to, Operand::Value(value))
                }
            }
            (Where::Memory(address), None) => {
                let value = self.read_as(from, bits)?;
                self.store(address, value, bits);
                Some(())
            }
            (Where::Memory(_), Some(_)) => None,
        }
    }

    pub(super) fn xchg(&mut self, a: &Text, b: &Text, bits: u32) -> Option<()> {
        let (register, address) = match (self.memory(a), self.memory(b)) {
            (Some(address), None) => (b, address),
            (None, Some(address)) => (a, address),
            _ => return None,
        };
        let Text::Slot(register) = *register else { return None };
        if let Where::Register(held, Type::Pointer) = self.slots.get(register)?.place.clone() {
            // An address stays one.
            let old = self.value(Type::Pointer);
            self.push(Some(old), Operation::AtomicUpdate { exchange: Exchange::Swap, address, value: held? });
            return self.hold(register, Operand::Value(old));
        }
        let value = self.read_as(&Text::Slot(register), bits)?;
        let old = self.update(Exchange::Swap, address, value, bits);
        self.put(register, old)
    }

    pub(super) fn compare_exchange(&mut self, new: &Text, memory: &Text, bits: u32) -> Option<()> {
        let accumulator = self.slots.iter().position(|slot| {
            ["a", "ax", "al", "eax", "rax"].contains(&slot.register.as_str()) && slot.output.is_some()
        })?;
        let (address, new) = (self.memory(memory)?, self.read_as(new, bits)?);
        let expected = self.read_as(&Text::Slot(accumulator), bits)?;
        let ty = Type::Integer(bits);
        let bytes = u64::from(bits / 8);
        let pair =
            Type::Aggregate { members: vec![(0, ty.clone()), (bytes, Type::Integer(1))], size: 2 * bytes };
        let (both, old) = (self.value(pair.clone()), self.value(ty.clone()));
        let operation = Operation::CompareExchange { address, expected, new, ty, weak: false };
        self.push(Some(both), operation);
        let aggregate = Operand::Value(both);
        self.push(
            Some(old),
            Operation::Extract { aggregate: aggregate.clone(), ty: pair.clone(), path: vec![0] },
        );
        let success = self.value(Type::Integer(1));
        self.push(Some(success), Operation::Extract { aggregate, ty: pair, path: vec![1] });
        // Zero says that it was done.
        let not = self.binary(BinaryOperator::Xor, Operand::Value(success), number(1, 1), 1);
        (self.flags, self.carry) = (Some(Flags { result: not, bits: 1 }), None);
        self.put(accumulator, Operand::Value(old))
    }

    /// An update of memory, whose new value the flags are about. If it is not alone, other threads may run between its two
    /// accesses.
    pub(super) fn combine(
        &mut self,
        base: &str,
        memory: &Text,
        value: Operand,
        bits: u32,
        alone: bool,
    ) -> Option<()> {
        let (address, (exchange, operator)) = (self.memory(memory)?, exchange(base)?);
        let old = match alone {
            true => self.update(exchange, address.clone(), value.clone(), bits),
            false => self.load(address.clone(), bits),
        };
        let result = self.binary(operator, old, value, bits);
        if !alone {
            self.store(address, result.clone(), bits);
        }
        (self.flags, self.carry) = (Some(Flags { result, bits }), None);
        Some(())
    }

    /// A bit of a field of bits: the word that has it, and what it was before.
    pub(super) fn bit(&mut self, base: &str, bit: &Text, memory: &Text, bits: u32) -> Option<()> {
        let field = self.memory(memory)?;
        let number_of_bit = self.number_of_bit(bit, bits)?;
        let shift = bits.trailing_zeros();
        let word = self.binary(
            BinaryOperator::ShiftRightSigned,
            number_of_bit.clone(),
            number(bits, shift.into()),
            bits,
        );
        let address = self.value(Type::Pointer);
        let terms = vec![(word, bits, i64::from(bits / 8))];
        self.push(
            Some(address),
            Operation::Offset { base: field, constant: 0, terms, in_bounds: true, array: None },
        );
        let within =
            self.binary(BinaryOperator::And, number_of_bit, number(bits, u128::from(bits - 1)), bits);
        let mask = self.binary(BinaryOperator::ShiftLeft, number(bits, 1), within, bits);
        let address = Operand::Value(address);
        let old = match base {
            "bt" => self.load(address, bits),
            "bts" => self.update(Exchange::Or, address, mask.clone(), bits),
            "btc" => self.update(Exchange::Xor, address, mask.clone(), bits),
            _ => {
                let all = number(bits, arithmetic::mask(bits));
                let others = self.binary(BinaryOperator::Xor, mask.clone(), all, bits);
                self.update(Exchange::And, address, others, bits)
            }
        };
        let was = self.binary(BinaryOperator::And, old, mask, bits);
        (self.flags, self.carry) = (None, Some(self.compare(Comparison::NotEqual, was, number(bits, 0))));
        Some(())
    }

    /// A number of a bit. One that stands in the instruction itself is taken modulo the width.
    fn number_of_bit(&mut self, bit: &Text, bits: u32) -> Option<Operand> {
        if let Text::Number(value) = bit {
            return Some(number(bits, value % u128::from(bits)));
        }
        let operand = self.read_as(bit, bits)?;
        let Text::Slot(slot) = bit else { return None };
        match &operand {
            Operand::Constant(Constant::Integer { value, .. }) if *value < bits.into() => Some(operand),
            // Nobody knows whether it will be in a register.
            Operand::Constant(_) if self.slots.get(*slot)?.immediate => None,
            _ => Some(operand),
        }
    }
}

/// How an instruction makes a new value of memory.
fn exchange(name: &str) -> Option<(Exchange, BinaryOperator)> {
    Some(match name {
        "add" | "inc" => (Exchange::Add, BinaryOperator::Add),
        "sub" | "dec" => (Exchange::Subtract, BinaryOperator::Subtract),
        "and" => (Exchange::And, BinaryOperator::And),
        "or" => (Exchange::Or, BinaryOperator::Or),
        "xor" => (Exchange::Xor, BinaryOperator::Xor),
        _ => return None,
    })
}
