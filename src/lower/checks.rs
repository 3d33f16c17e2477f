//! Faults as properties.

use super::Claim;
use super::body::Body;
use super::operations::{Signed, plain};
use crate::ir::undefined::{Fault, Meaning};
use crate::ir::{BinaryOperator, Operand, Wrap};
use crate::program::PropertyKind;
use crate::term::{Node, Operator, Term};

impl<'m> Body<'_, 'm> {
    /// A fault happens if the condition holds. If it is checked, that violates a property. If not, and if the run ends
    /// with it, what is proved rests on its absence. Behind it the condition does not hold, if the run ends with it or
    /// it was checked.
    /// `subject` is what people are told about.
    pub fn fault(&mut self, fault: Fault, condition: Term, subject: Term) {
        if self.lowering.store.node(condition) == Node::Boolean(false) {
            return;
        }
        let checked = self.lowering.checks(fault);
        let mut condition = condition;
        if checked {
            condition = self.settled(condition);
            let id = self.property(PropertyKind::Fault(fault), fault.claim().into(), Some(condition));
            self.lowering.claims.insert(id, Claim { subject, accessed: None });
        }
        if fault.without_check() == Meaning::EndsTheRun && !checked {
            self.without(fault, fault.claim());
        }
        if checked || fault.without_check() == Meaning::EndsTheRun {
            let fine = self.lowering.store.not(condition);
            self.assume(fine);
        }
    }

    /// Nobody looks for a fault here; `what` is not looked at.
    pub fn without(&mut self, fault: Fault, what: &'static str) {
        self.lowering.without(fault, self.place, what);
    }

    /// The same for an access to so many bytes at an address.
    pub fn fault_at(&mut self, fault: Fault, condition: Term, at: Term, bytes: Term) {
        let before = self.lowering.properties.len();
        self.fault(fault, condition, at);
        if let Node::Bits(_, bytes) = self.lowering.store.node(bytes)
            && let Some(id) = self.lowering.properties.ids().nth(before)
            && let Some(claim) = self.lowering.claims.get_mut(&id)
        {
            claim.accessed = u32::try_from(bytes.saturating_mul(8)).ok();
        }
    }

    /// What can go wrong in an operation on integers.
    pub fn check_binary(&mut self, operator: BinaryOperator, left: Term, right: Term, wrap: Wrap) {
        use BinaryOperator as B;
        match operator {
            B::UnsignedDivide | B::UnsignedRemainder => self.check_zero(right),
            B::SignedDivide | B::SignedRemainder => {
                self.check_zero(right);
                self.check_least(left, right);
            }
            B::ShiftLeft | B::ShiftRight | B::ShiftRightSigned => {
                self.check_shift(right);
                if operator == B::ShiftLeft && self.lowering.checks(Fault::Overflow) {
                    self.check_shifted(left, right, wrap);
                }
            }
            B::Add | B::Subtract | B::Multiply if wrap.signed && self.lowering.checks(Fault::Overflow) => {
                let overflow = self.overflows(operator, left, right, Signed::Yes);
                let result = self.lowering.store.binary(plain(operator), left, right);
                self.fault(Fault::Overflow, overflow, result);
            }
            _ => {}
        }
    }

    fn check_zero(&mut self, divisor: Term) {
        let width = self.lowering.store.width(divisor);
        let zero = self.lowering.store.bits(width, 0);
        let condition = self.lowering.store.equal(divisor, zero);
        self.fault(Fault::Division, condition, divisor);
    }

    /// The least integer divided by −1: an overflow, too, if that alone is checked.
    fn check_least(&mut self, left: Term, right: Term) {
        let width = self.lowering.store.width(left);
        let store = &mut self.lowering.store;
        let (least, minus_one) = (store.bits(width, 1 << (width - 1)), store.bits(width, u128::MAX));
        let (a, b) = (store.equal(left, least), store.equal(right, minus_one));
        let condition = store.and(a, b);
        let quotient = store.binary(Operator::SignedDivide, left, right);
        let overflow = self.lowering.checks(Fault::Overflow) && !self.lowering.checks(Fault::Division);
        let fault = if overflow { Fault::Overflow } else { Fault::Division };
        self.fault(fault, condition, quotient);
    }

    fn check_shift(&mut self, by: Term) {
        if self.lowering.checks(Fault::Shift) {
            let wide = self.too_wide(by);
            self.fault(Fault::Shift, wide, by);
        }
    }

    /// What is shifted to the left fits: a shift of a signed integer of C as C11 6.5.7 has it, `nsw` as LLVM has it. A shift
    /// by too much is another matter.
    fn check_shifted(&mut self, value: Term, by: Term, wrap: Wrap) {
        let wide = self.too_wide(by);
        let store = &mut self.lowering.store;
        let width = store.width(value);
        let result = store.binary(Operator::ShiftLeft, value, by);
        let back = store.binary(Operator::ShiftRightSigned, result, by);
        let kept = store.equal(back, value);
        let zero = store.bits(width, 0);
        let negative = store.signed_less(value, zero);
        let lost = store.not(kept);
        let narrow = store.not(wide);
        let unfit = match (wrap.base, wrap.signed) {
            (true, _) => store.or(negative, lost),
            (false, true) => lost,
            (false, false) => return,
        };
        let overflow = store.and(narrow, unfit);
        self.fault(Fault::Overflow, overflow, result);
    }

    /// Whether a shift is by the width or more.
    pub fn too_wide(&mut self, by: Term) -> Term {
        let width = self.lowering.store.width(by);
        let limit = self.lowering.store.bits(width, u128::from(width));
        let below = self.lowering.store.unsigned_less(by, limit);
        self.lowering.store.not(below)
    }

    /// An access through an address: not through null.
    pub fn check_not_null(&mut self, address: &'m Operand) {
        let at = self.term(address);
        let (base, offset) = self.lowering.store.offset(at);
        let null = self.null_access(at, base, offset);
        if self.lowering.checks(Fault::Null) {
            self.fault(Fault::Null, null, base);
        } else if self.lowering.store.node(null) != Node::Boolean(false) {
            self.without(Fault::Null, "this access");
        }
    }

    /// An access to so many bytes at an address: within an object that lives.
    pub fn check_object(&mut self, address: &'m Operand, bytes: u64) {
        let at = self.term(address);
        let count = self.lowering.store.bits(self.lowering.pointer_bits(), bytes.into());
        let (targets, named) = (self.targets(), self.named(address));
        self.check_range(at, count, &targets, named);
    }

    /// Whether an access is through null. A member of an object at null is not at null itself: what counts is the pointer
    /// that the program has. Where it computes an address with an index, the whole first page counts.
    pub fn null_access(&mut self, at: Term, base: Term, offset: u128) -> Term {
        let bits = self.lowering.pointer_bits();
        let plain = matches!(self.lowering.store.node(base), Node::Symbol(_) | Node::Select(..));
        // A large offset is the address of an object, and what it is added to an index.
        if plain && offset < NULL_PAGE {
            let zero = self.lowering.store.bits(bits, 0);
            return self.lowering.store.equal(base, zero);
        }
        let page = self.lowering.store.bits(bits, NULL_PAGE);
        self.lowering.store.unsigned_less(at, page)
    }

    /// A call through an address, which is known behind a cut.
    pub fn check_called(&mut self, address: Term) {
        let zero = self.lowering.store.bits(self.lowering.pointer_bits(), 0);
        let null = self.lowering.store.equal(address, zero);
        self.fault(Fault::Null, null, address);
    }
}

/// Addresses below this belong to no object.
pub(super) const NULL_PAGE: u128 = 4096;
