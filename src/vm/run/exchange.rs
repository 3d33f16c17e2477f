//! Atomic reads and writes in one step.

use super::{Run, Step};
use crate::ir::{BinaryOperator, Comparison, Exchange, Wrap};
use crate::vm::arithmetic::compare_narrow;
use crate::vm::choices::ChoiceKind;
use crate::vm::code::{Access, ExchangeCode, Piece, Ref, Register};
use crate::vm::value::{Slot, mask};

impl Run<'_> {
    pub(super) fn atomic_update(
        &mut self,
        exchange: Exchange,
        address: Ref,
        value: Ref,
        piece: Piece,
        into: Register,
    ) -> Step {
        let address = self.get(address);
        if self.concurrent && self.stops(address, u64::from(piece.bytes), Access::Write)? {
            return self.switch();
        }
        let (bytes, bits) = (usize::from(piece.bytes), u32::from(piece.bits));
        let value = self.chosen(value, bits)?;
        let old = self.load(address, bytes, bits)?;
        let new = self.updated(exchange, bits, old, value)?;
        self.store(address, new, bytes, bits)?;
        self.set(into, old);
        Ok(())
    }

    fn updated(&mut self, exchange: Exchange, bits: u32, old: Slot, value: Slot) -> Step<Slot> {
        let comparison = match exchange {
            Exchange::Swap => return Ok(value),
            Exchange::Add => return self.wrapping(BinaryOperator::Add, bits, old, value),
            Exchange::Subtract => return self.wrapping(BinaryOperator::Subtract, bits, old, value),
            Exchange::And => return self.wrapping(BinaryOperator::And, bits, old, value),
            Exchange::Or => return self.wrapping(BinaryOperator::Or, bits, old, value),
            Exchange::Xor => return self.wrapping(BinaryOperator::Xor, bits, old, value),
            Exchange::Nand => {
                let both = self.wrapping(BinaryOperator::And, bits, old, value)?;
                return self.wrapping(BinaryOperator::Xor, bits, both, Slot::number(mask(bits)));
            }
            Exchange::SignedMax => Comparison::SignedGreater,
            Exchange::SignedMin => Comparison::SignedLess,
            Exchange::UnsignedMax => Comparison::UnsignedGreater,
            Exchange::UnsignedMin => Comparison::UnsignedLess,
        };
        let (old, value) = (self.number(old, bits)?, self.number(value, bits)?);
        let mut chosen = if compare_narrow(comparison, bits, old.bits, value.bits) { old } else { value };
        chosen.undefined = old.undefined | value.undefined;
        Ok(chosen)
    }

    fn wrapping(&mut self, operator: BinaryOperator, bits: u32, left: Slot, right: Slot) -> Step<Slot> {
        self.binary(operator, Wrap::default(), bits, left, right)
    }

    pub(super) fn compare_exchange(&mut self, code: &ExchangeCode) -> Step {
        let address = self.get(code.address);
        if self.concurrent && self.stops(address, u64::from(code.piece.bytes), Access::Write)? {
            return self.switch();
        }
        let (bytes, bits) = (usize::from(code.piece.bytes), u32::from(code.piece.bits));
        let old = self.load(address, bytes, bits)?;
        let expected = self.chosen(code.expected, bits)?;
        let equal = self.compare(Comparison::Equal, bits, old, expected)?;
        let mut success = self.decide(equal)?;
        if success && code.weak {
            success = !self.choose_whether(ChoiceKind::Exchange, "")?;
        }
        if success {
            let new = self.chosen(code.new, bits)?;
            self.store(address, new, bytes, bits)?;
        }
        self.set(code.into, old);
        self.set(code.into + 1, Slot::number(success.into()));
        Ok(())
    }
}
