//! Faults as properties.

use super::super::points_to::{Multiplicity, Origin};
use super::body::Body;
use super::operations::plain;
use super::validity::is_tracked;
use crate::ir::undefined::{Fault, Meaning};
use crate::ir::{BinaryOperator, Operand, Wrap};
use crate::program::{Assumption, PropertyKind};
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
            let id = self.property(PropertyKind::Fault(fault), text_of(fault).into(), Some(condition));
            self.lowering.claims.insert(id, subject);
        }
        if fault.without_check() == Meaning::EndsTheRun && !checked {
            self.lowering.assume(Assumption::No(fault));
        }
        if checked || fault.without_check() == Meaning::EndsTheRun {
            let fine = self.lowering.store.not(condition);
            self.assume(fine);
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
            B::ShiftLeft | B::ShiftRight | B::ShiftRightSigned => self.check_shift(right),
            B::Add | B::Subtract | B::Multiply if wrap.signed && self.lowering.checks(Fault::Overflow) => {
                let overflow = self.overflows(operator, left, right);
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

    /// The least integer divided by −1.
    fn check_least(&mut self, left: Term, right: Term) {
        let width = self.lowering.store.width(left);
        let store = &mut self.lowering.store;
        let (least, minus_one) = (store.bits(width, 1 << (width - 1)), store.bits(width, u128::MAX));
        let (a, b) = (store.equal(left, least), store.equal(right, minus_one));
        let condition = store.and(a, b);
        let quotient = store.binary(Operator::SignedDivide, left, right);
        self.fault(Fault::Division, condition, quotient);
    }

    fn check_shift(&mut self, by: Term) {
        if self.lowering.checks(Fault::Shift) {
            let wide = self.too_wide(by);
            self.fault(Fault::Shift, wide, by);
        }
    }

    /// Whether a shift is by the width or more.
    pub fn too_wide(&mut self, by: Term) -> Term {
        let width = self.lowering.store.width(by);
        let limit = self.lowering.store.bits(width, u128::from(width));
        let below = self.lowering.store.unsigned_less(by, limit);
        self.lowering.store.not(below)
    }

    /// Whether a signed operation overflows.
    pub fn overflows(&mut self, operator: BinaryOperator, left: Term, right: Term) -> Term {
        let width = self.lowering.store.width(left);
        let wide = if operator == BinaryOperator::Multiply { 2 * width } else { width + 1 };
        self.differs_when_wider(operator, left, right, wide.min(128), super::operations::Signed::Yes)
    }

    /// An access through an address.
    pub fn check_access(&mut self, address: &'m Operand, bytes: u64) {
        let at = self.term(address);
        let (base, _) = self.lowering.store.offset(at);
        // A member of an object at null is not at null itself.
        let page = self.lowering.store.bits(self.lowering.pointer_bits(), NULL_PAGE);
        let null = self.lowering.store.unsigned_less(at, page);
        if self.lowering.checks(Fault::Null) {
            self.fault(Fault::Null, null, base);
        } else if self.lowering.store.node(null) != Node::Boolean(false) {
            self.lowering.assume(Assumption::No(Fault::Null));
        }
        // Again: a check cuts the block.
        let at = self.term(address);
        self.check_bounds(at, bytes);
    }

    /// A call through an address, which is known behind a cut.
    pub fn check_called(&mut self, address: Term) {
        let zero = self.lowering.store.bits(self.lowering.pointer_bits(), 0);
        let null = self.lowering.store.equal(address, zero);
        self.fault(Fault::Null, null, address);
    }

    /// A block of memory is copied or set: some addresses, and behind them the number of bytes. Nothing can be at null but
    /// nothing. Returns the terms as they are behind the check.
    pub fn check_block(&mut self, terms: Vec<Term>) -> Vec<Term> {
        let condition = self.null_block(&terms);
        if self.lowering.store.node(condition) == Node::Boolean(false) {
            return terms;
        }
        if !self.lowering.checks(Fault::Null) {
            self.lowering.assume(Assumption::No(Fault::Null));
            return terms;
        }
        let terms = self.keep_terms(terms);
        self.cut(super::body::Cut::Plain);
        let condition = self.null_block(&terms);
        self.fault(Fault::Null, condition, terms[0]);
        terms
    }

    fn null_block(&mut self, terms: &[Term]) -> Term {
        let (&bytes, addresses) = terms.split_last().expect("the number of bytes");
        let page = self.lowering.store.bits(self.lowering.pointer_bits(), NULL_PAGE);
        let mut null = self.lowering.store.boolean(false);
        for &address in addresses {
            let here = self.lowering.store.unsigned_less(address, page);
            null = self.lowering.store.or(null, here);
        }
        let zero = self.lowering.store.bits(self.lowering.store.width(bytes), 0);
        let nothing = self.lowering.store.equal(bytes, zero);
        let something = self.lowering.store.not(nothing);
        self.lowering.store.and(null, something)
    }

    /// A constant must not be written.
    pub fn check_constant(&mut self, address: &'m Operand, bytes: u64) {
        let mut ranges = Vec::new();
        for origin in self.targets() {
            if let (Origin::Global(global), Some(object)) = (origin, self.lowering.layout.object(origin))
                && self.lowering.module.globals[global].constant
            {
                ranges.push((object.base, object.size));
            }
        }
        if ranges.is_empty() {
            return;
        }
        let at = self.term(address);
        let outside = self.outside_of(&ranges, at, bytes);
        let within = self.lowering.store.not(outside);
        self.fault(Fault::Pointer, within, at);
    }

    /// Whether an object may have ended when an instruction of this function accesses it: a local variable of another
    /// activation. When locals end is not tracked.
    fn may_have_ended(&self, origin: Origin) -> bool {
        let (Origin::Local(owner, _) | Origin::Copy(owner, _) | Origin::Arguments(owner)) = origin else {
            return false;
        };
        let name = &self.lowering.module.functions[owner].name;
        let several = self.lowering.points.multiplicity(owner) == Multiplicity::Several;
        *name != self.lowering.settings.entry && (owner != self.site.function || several)
    }

    /// An access must stay within an object that lives. Objects with fixed addresses are ranges; the others are tracked.
    fn check_bounds(&mut self, at: Term, bytes: u64) {
        let (mut ranges, mut dynamic, mut unknown) = (Vec::new(), false, false);
        for origin in self.targets() {
            if self.may_have_ended(origin) {
                self.lowering.assume(Assumption::No(Fault::Pointer));
            }
            match self.lowering.layout.object(origin).filter(|_| !self.lowering.is_dynamic(origin)) {
                Some(object) => ranges.push((object.base, object.size)),
                None if is_tracked(self.lowering, origin) => dynamic = true,
                None => unknown = true,
            }
        }
        let checked = self.lowering.checks(Fault::Bounds) || self.lowering.checks(Fault::Pointer);
        if self.is_within(&ranges, at, bytes) {
            return;
        }
        if unknown || !checked {
            return self.not_checked();
        }
        let outside = self.outside_of(&ranges, at, bytes);
        let Some(tracking) = self.lowering.tracking.filter(|_| dynamic) else {
            // With no object in reach, it is a pointer to nothing.
            let fault = if ranges.is_empty() { Fault::Pointer } else { Fault::Bounds };
            return self.fault(fault, outside, at);
        };
        let start = self.lowering.layout.end();
        let start = self.lowering.store.bits(self.lowering.pointer_bits(), start.into());
        let fixed = self.lowering.store.unsigned_less(at, start);
        let (dead, beyond) = self.dynamic_faults(tracking, at, bytes);
        let beyond = self.lowering.store.choose(fixed, outside, beyond);
        let never = self.lowering.store.boolean(false);
        let dead = self.lowering.store.choose(fixed, never, dead);
        // Both conditions are about the state here: the first check cuts the block.
        let [beyond, dead] = self.all_settled([beyond, dead]);
        self.fault(Fault::Pointer, dead, at);
        self.fault(Fault::Bounds, beyond, at);
    }

    /// Whether a constant address is within one of these objects.
    fn is_within(&self, ranges: &[(u64, u64)], at: Term, bytes: u64) -> bool {
        let Node::Bits(_, address) = self.lowering.store.node(at) else { return false };
        ranges.iter().any(|&(base, size)| {
            address >= base.into() && address + u128::from(bytes) <= u128::from(base) + u128::from(size)
        })
    }

    /// The objects that the instruction at hand may access.
    fn targets(&self) -> std::collections::BTreeSet<Origin> {
        let regions = self.lowering.points.accesses(self.site).iter().map(|access| access.region);
        regions.flat_map(|region| self.lowering.points.regions()[region].origins.iter().copied()).collect()
    }

    /// What is proved rests on the absence of faults here.
    pub fn not_checked(&mut self) {
        self.lowering.assume(Assumption::No(Fault::Bounds));
        self.lowering.assume(Assumption::No(Fault::Pointer));
    }

    fn outside_of(&mut self, ranges: &[(u64, u64)], at: Term, bytes: u64) -> Term {
        let bits = self.lowering.pointer_bits();
        let store = &mut self.lowering.store;
        let mut outside = store.boolean(true);
        for &(base, size) in ranges {
            let base = store.bits(bits, base.into());
            let offset = store.binary(Operator::Subtract, at, base);
            // Offsets 0 … size − bytes are within.
            let within = match (size + 1).checked_sub(bytes) {
                Some(limit) if limit > 0 => {
                    let limit = store.bits(bits, limit.into());
                    store.unsigned_less(offset, limit)
                }
                _ => store.boolean(false),
            };
            let not = store.not(within);
            outside = store.and(outside, not);
        }
        outside
    }
}

/// Addresses below this belong to no object.
pub(super) const NULL_PAGE: u128 = 4096;

/// What a check is about.
fn text_of(fault: Fault) -> &'static str {
    match fault {
        Fault::Division => "no division by zero",
        Fault::Overflow => "no signed overflow",
        Fault::Shift => "shift by less than the width",
        Fault::Null => "no access through a null pointer",
        Fault::Bounds => "access within the object",
        Fault::Pointer => "access to a living object",
        Fault::Free => "free of what is allocated",
        Fault::Uninitialised => "value is initialised",
        Fault::Leak => "all memory is freed",
    }
}
