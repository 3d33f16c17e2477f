//! Instructions that change registers only: arithmetic, bits, conditional moves. An operand that is read may be in memory.

use super::{Assembler, Flags, Text, Where, number};
use crate::ir::{BinaryOperator, Cast, Comparison, Intrinsic, Operand, Operation, Type};
use crate::term::arithmetic::mask;

impl Assembler<'_> {
    pub(super) fn in_registers(&mut self, base: &str, operands: &[Text], bits: u32) -> Option<()> {
        match (base, operands) {
            ("sbb", [Text::Slot(a), Text::Slot(b)]) if a == b => {
                let carry = self.carry.clone()?;
                let all = self.cast(Cast::SignExtend, carry, bits);
                self.put(*a, all)
            }
            ("add" | "sub" | "and" | "or" | "xor" | "cmp" | "test", [value, to]) => {
                self.two_operands(base, value, to, bits)
            }
            ("inc" | "dec" | "neg" | "not" | "bswap", [to]) => self.one_operand(base, to, bits),
            ("shl" | "sal" | "shr" | "sar" | "rol" | "ror", [by, Text::Slot(to)]) => {
                let by = self.count(by, bits)?;
                self.shift(base, *to, by, bits)
            }
            ("shl" | "sal" | "shr" | "sar" | "rol" | "ror", [Text::Slot(to)]) => {
                self.shift(base, *to, number(bits, 1), bits)
            }
            ("bsf" | "bsr", [from, Text::Slot(to)]) => self.scan(base == "bsf", from, *to, bits),
            ("cmovz" | "cmove" | "cmovnz" | "cmovne", [from, to]) => {
                self.move_if(base.contains('n'), from, to, bits)
            }
            ("movzb" | "movzw" | "movsb" | "movsw" | "movsl", [from, Text::Slot(to)]) => {
                self.extend(base, from, *to, bits)
            }
            _ => None,
        }
    }

    fn two_operands(&mut self, base: &str, value: &Text, to: &Text, bits: u32) -> Option<()> {
        let compares = matches!(base, "cmp" | "test");
        let value = self.source(value, bits)?;
        let old = if compares { self.source(to, bits)? } else { self.read_as(to, bits)? };
        let result = self.binary(operator(base)?, old.clone(), value.clone(), bits);
        self.carry_of(base, &old, &value, &result);
        if compares {
            self.flags = Some(Flags { result, bits });
            return Some(());
        }
        self.gives(to, result, bits)
    }

    fn one_operand(&mut self, base: &str, to: &Text, bits: u32) -> Option<()> {
        let Text::Slot(slot) = *to else { return None };
        let old = self.read_as(to, bits)?;
        let result = match base {
            "not" => {
                // It leaves the flags as they are.
                let result = self.binary(BinaryOperator::Xor, old, number(bits, mask(bits)), bits);
                return self.put(slot, result);
            }
            "bswap" if bits >= 32 => {
                let result = self.intrinsic(Intrinsic::SwapBytes, vec![(old, Type::Integer(bits))], bits);
                return self.put(slot, result);
            }
            "inc" => self.binary(BinaryOperator::Add, old, number(bits, 1), bits),
            "dec" => self.binary(BinaryOperator::Subtract, old, number(bits, 1), bits),
            "neg" => {
                self.carry = Some(self.compare(Comparison::NotEqual, old.clone(), number(bits, 0)));
                self.binary(BinaryOperator::Subtract, number(bits, 0), old, bits)
            }
            _ => return None,
        };
        self.gives(to, result, bits)
    }

    /// `movzbl`, `movswl`: a narrow value in a wider register.
    fn extend(&mut self, base: &str, from: &Text, to: usize, bits: u32) -> Option<()> {
        let narrow = match base.as_bytes().last()? {
            b'b' => 8,
            b'w' => 16,
            _ => 32,
        };
        if narrow >= bits {
            return None;
        }
        let value = self.source(from, narrow)?;
        let cast = if base.starts_with("movz") { Cast::ZeroExtend } else { Cast::SignExtend };
        let value = self.cast(cast, value, bits);
        self.put(to, value)
    }

    /// What an operand holds, in a register or in memory.
    pub(super) fn source(&mut self, operand: &Text, bits: u32) -> Option<Operand> {
        match self.memory(operand) {
            Some(address) => Some(self.load(address, bits)),
            None => self.read_as(operand, bits),
        }
    }

    /// A register gets a result that the flags are about.
    fn gives(&mut self, to: &Text, result: Operand, bits: u32) -> Option<()> {
        let Text::Slot(to) = *to else { return None };
        self.flags = Some(Flags { result: result.clone(), bits });
        self.put(to, result)
    }

    /// The carry of a sum or a difference; `and`, `or`, `xor` and `test` clear it.
    fn carry_of(&mut self, base: &str, old: &Operand, value: &Operand, result: &Operand) {
        let less = |assembler: &mut Self, a: &Operand, b: &Operand| {
            assembler.compare(Comparison::UnsignedLess, a.clone(), b.clone())
        };
        self.carry = Some(match base {
            "add" => less(self, result, old),
            "sub" | "cmp" => less(self, old, value),
            _ => number(1, 0),
        });
    }

    /// What a shift is by: the processor takes it modulo 32 or 64. Narrow registers can lose more than all their bits, which
    /// is only taken where the number is written.
    fn count(&mut self, by: &Text, bits: u32) -> Option<Operand> {
        let modulo = bits.max(32);
        if let Text::Number(value) = by {
            let value = value % u128::from(modulo);
            return (value < bits.into()).then(|| number(bits, value));
        }
        if bits < 32 {
            return None;
        }
        let by = self.read_as(by, 8)?;
        let by = self.cast(Cast::ZeroExtend, by, bits);
        Some(self.binary(BinaryOperator::And, by, number(bits, (modulo - 1).into()), bits))
    }

    fn shift(&mut self, base: &str, to: usize, by: Operand, bits: u32) -> Option<()> {
        let old = self.read_as(&Text::Slot(to), bits)?;
        (self.flags, self.carry) = (None, None);
        let plain = |name: &str| match name {
            "shl" | "sal" | "rol" => BinaryOperator::ShiftLeft,
            "sar" => BinaryOperator::ShiftRightSigned,
            _ => BinaryOperator::ShiftRight,
        };
        let mut result = self.binary(plain(base), old.clone(), by.clone(), bits);
        if base.starts_with("ro") {
            let rest = self.binary(BinaryOperator::Subtract, number(bits, bits.into()), by, bits);
            let rest = self.binary(BinaryOperator::And, rest, number(bits, (bits - 1).into()), bits);
            let other = if base == "rol" { BinaryOperator::ShiftRight } else { BinaryOperator::ShiftLeft };
            let other = self.binary(other, old, rest, bits);
            result = self.binary(BinaryOperator::Or, result, other, bits);
        }
        self.put(to, result)
    }

    /// The lowest or highest bit that is set. Without any the register stays as it is.
    fn scan(&mut self, lowest: bool, from: &Text, to: usize, bits: u32) -> Option<()> {
        let value = self.source(from, bits)?;
        let Where::Register(held, _) = self.slots.get(to)?.place.clone() else { return None };
        let old = match held {
            Some(_) => self.read_as(&Text::Slot(to), bits)?,
            None => self.arbitrary(Type::Integer(bits)),
        };
        let which = if lowest { Intrinsic::TrailingZeros } else { Intrinsic::LeadingZeros };
        let arguments = vec![(value.clone(), Type::Integer(bits)), (number(1, 0), Type::Integer(1))];
        let mut at = self.intrinsic(which, arguments, bits);
        if !lowest {
            at = self.binary(BinaryOperator::Subtract, number(bits, (bits - 1).into()), at, bits);
        }
        let found = self.compare(Comparison::NotEqual, value.clone(), number(bits, 0));
        let result = self.select(found.clone(), at, old, bits);
        (self.flags, self.carry) = (None, None);
        self.put(to, result)?;
        // Of the flags only zero is known.
        self.flags = Some(Flags { result: found, bits: 1 });
        Some(())
    }

    fn move_if(&mut self, unequal: bool, from: &Text, to: &Text, bits: u32) -> Option<()> {
        let Flags { result, bits: width } = self.flags.clone()?;
        let comparison = if unequal { Comparison::NotEqual } else { Comparison::Equal };
        let condition = self.compare(comparison, result, number(width, 0));
        let (value, old) = (self.source(from, bits)?, self.read_as(to, bits)?);
        let Text::Slot(to) = *to else { return None };
        let result = self.select(condition, value, old, bits);
        self.put(to, result)
    }

    fn select(&mut self, condition: Operand, yes: Operand, no: Operand, bits: u32) -> Operand {
        let value = self.value(Type::Integer(bits));
        self.push(Some(value), Operation::Select { condition, yes, no });
        Operand::Value(value)
    }

    fn intrinsic(&mut self, intrinsic: Intrinsic, arguments: Vec<(Operand, Type)>, bits: u32) -> Operand {
        let value = self.value(Type::Integer(bits));
        self.push(Some(value), Operation::Intrinsic { intrinsic, arguments });
        Operand::Value(value)
    }
}

fn operator(name: &str) -> Option<BinaryOperator> {
    Some(match name {
        "add" => BinaryOperator::Add,
        "sub" | "cmp" => BinaryOperator::Subtract,
        "and" | "test" => BinaryOperator::And,
        "or" => BinaryOperator::Or,
        "xor" => BinaryOperator::Xor,
        _ => return None,
    })
}
