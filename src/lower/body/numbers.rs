//! Numbers of addresses, which depend on where objects lie.
//!
//! The program model has one layout of memory, but what it finds must hold in all of them. So wherever the program
//! observes the number of an address ([`PointsTo::observed`]), the model puts *any* number in its place: a new one each time,
//! which no layout excludes. What is the same in all layouts stays: null, the bits that alignment fixes, and that two
//! addresses are equal if they point to the same place of an object that lasts. Integers are followed together with addresses:
//! one whose value is far from all addresses of the model is no address, and keeps its value.
//!
//! [`PointsTo::observed`]: crate::ir::analysis::points_to::PointsTo::observed

use crate::checks::Event;
use crate::ir::analysis::points_to::Observation;
use crate::ir::{BinaryOperator, Operand, Type, Wrap};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::term::{Operator, Term};

/// No object lies that close to the end of memory: error numbers that are kept in pointers are there.
const LAST_PAGE: u128 = 4096;

/// Integers from minus this on are no addresses.
const SMALL: u128 = 1 << 16;

impl<'m> Body<'_, 'm> {
    /// What the instruction at hand observes of addresses.
    pub fn observation(&self) -> Option<&'m Observation> {
        self.lowering.points.observed.get(&self.site)
    }

    /// The operands of the instruction at hand, by position, with any number in place of an address that is observed.
    pub fn numbers<const N: usize>(&mut self, operands: [Term; N]) -> [Term; N] {
        let Some(observation) = self.observation() else { return operands };
        let mut numbers = operands;
        for position in 0..N {
            let Some(&aligned) = observation.operands.get(&position) else { continue };
            numbers[position] = self.some_number(operands[position], aligned);
            let before = (0..position).filter(|other| observation.operands.contains_key(other));
            for other in before.filter(|_| observation.lasting) {
                let same = self.lowering.store.equal(operands[other], operands[position]);
                numbers[position] = self.lowering.store.choose(same, numbers[other], numbers[position]);
            }
        }
        numbers
    }

    /// One operand, by position.
    pub fn number(&mut self, position: usize, operand: Term) -> Term {
        match self.observation().and_then(|observation| observation.operands.get(&position)) {
            Some(&aligned) => self.some_number(operand, aligned),
            None => operand,
        }
    }

    /// Any number that an address may have, if it is one: so many low bits are known.
    fn some_number(&mut self, address: Term, aligned: u32) -> Term {
        let width = self.lowering.store.width(address);
        if width < self.lowering.pointer_bits() {
            return address;
        }
        let mut number = self.input("number of an address", width - aligned);
        let store = &mut self.lowering.store;
        if aligned > 0 {
            let low = store.extract(0, aligned, address);
            number = store.concatenate(number, low);
        }
        let page = store.bits(width, LAST_PAGE);
        let shifted = store.binary(Operator::Add, number, page);
        let possible = store.unsigned_less(page, shifted);
        let number = store.choose(possible, number, address);
        let plain = self.is_no_address(address);
        self.lowering.store.choose(plain, address, number)
    }

    /// Whether an integer is far from all addresses of the model.
    fn is_no_address(&mut self, number: Term) -> Term {
        let least = u128::from(self.lowering.layout.start()) / 2;
        let store = &mut self.lowering.store;
        let width = store.width(number);
        let (small, bound) = (store.bits(width, SMALL), store.bits(width, least + SMALL));
        let shifted = store.binary(Operator::Add, number, small);
        store.unsigned_less(shifted, bound)
    }

    /// A sum or a difference with an address that is followed: it must not get far from all addresses, or else nobody
    /// knows any more that it comes from one.
    pub fn check_moved(
        &mut self,
        operator: BinaryOperator,
        (left, right): (&'m Operand, &'m Operand),
        wrap: Wrap,
    ) {
        let Some(&far) = self.lowering.points.moved.get(&self.site) else { return };
        if wrap.signed {
            self.tell(&Event::SignedOnAddress);
        }
        if !far {
            return;
        }
        let (left, right) = (self.term(left), self.term(right));
        let result = self.lowering.store.binary(operator.into(), left, right);
        let (numbers, gone) =
            ([self.is_no_address(left), self.is_no_address(right)], self.is_no_address(result));
        let store = &mut self.lowering.store;
        let plain = store.and(numbers[0], numbers[1]);
        let address = store.not(plain);
        let lost = store.and(address, gone);
        if self.lowering.store.truth(lost) != Some(false) {
            self.unsupported_if(lost, "arithmetic that makes another number of an address");
        }
    }

    /// What a load gives: any bytes if they are a part of an address; and an address that is made of numbers is not modelled.
    pub fn loaded(&mut self, value: Value, ty: &Type) -> Step<Value> {
        if self.observation().is_some() {
            return Ok(self.arbitrary(ty, "bytes of an address"));
        }
        if !self.lowering.points.forged.contains(&self.site) {
            return Ok(value);
        }
        let (address, shadow) = (self.joined_term(&value), self.shadow.take());
        let shadow = shadow.map(|shadow| self.joined_term(&shadow));
        let content = crate::lower::shadow::Shadowed { value: address, shadow };
        let kept = self.kept_shadowed("address", content);
        self.check_forged(address);
        let content = self.read_kept(kept);
        self.shadow = content.shadow.map(Value::Term);
        Ok(Value::Term(content.value))
    }

    /// An integer becomes an address.
    pub fn check_made(&mut self, integer: &'m Operand) {
        if self.lowering.points.forged.contains(&self.site) {
            let integer = self.term(integer);
            self.check_forged(integer);
        }
    }

    /// An address made of numbers may be that of an object, which lies elsewhere in the model.
    fn check_forged(&mut self, address: Term) {
        let plain = self.is_no_address(address);
        let forged = self.lowering.store.not(plain);
        if self.lowering.store.truth(forged) != Some(false) {
            self.unsupported_if(forged, "an address that is computed from numbers");
        }
    }
}
