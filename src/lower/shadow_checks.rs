//! Uses of values that must be initialised: branches, addresses, lengths, and what the environment gets.

use super::body::Body;
use super::memory::Prepared;
use super::shadow::Shadowed;
use crate::ir::undefined::Fault;
use crate::ir::{Comparison, Operand, Type};

impl<'m> Body<'_, 'm> {
    /// What is done next depends on this value.
    pub fn check_defined(&mut self, operand: &'m Operand) {
        if !self.is_shadowed(operand) {
            return;
        }
        let shadow = self.shadow_term(operand);
        let undefined = self.any_undefined(shadow);
        let subject = self.term(operand);
        self.fault(Fault::Uninitialised, undefined, subject);
    }

    /// The environment gets all of these.
    pub fn check_given(&mut self, arguments: &'m [(Operand, Type)]) {
        arguments.iter().for_each(|(operand, _)| self.check_defined(operand));
    }

    /// So many bytes from an address on are accessed: neither may be open, but for the address if there are none.
    pub fn check_block(&mut self, addresses: [Option<&'m Operand>; 2], bytes: &'m Operand) {
        self.check_defined(bytes);
        for address in
            addresses.into_iter().flatten().filter(|address| self.is_shadowed(address)).collect::<Vec<_>>()
        {
            let shadow = self.shadow_term(address);
            let undefined = self.any_undefined(shadow);
            let length = self.term(bytes);
            let something = self.something(length);
            let wrong = self.lowering.store.and(undefined, something);
            let subject = self.term(address);
            self.fault(Fault::Uninitialised, wrong, subject);
        }
    }

    /// A compare-and-exchange branches on what it finds. Says whether there was anything to check.
    pub fn check_expected(&mut self, access: &Prepared, expected: &'m Operand, ty: &Type) -> bool {
        if !self.lowering.checks(Fault::Uninitialised) {
            return false;
        }
        let (known, expected) = (self.read_shadow_at(access, ty), self.shadowed(expected));
        let Ok(old) = self.read_at(access, ty) else { return false };
        let old = Shadowed { value: self.joined_term(&old), shadow: Some(self.joined_term(&known)) };
        let open = self.undefined_comparison(Comparison::Equal, old, expected);
        let open = self.is_one(open);
        self.fault(Fault::Uninitialised, open, old.value);
        self.lowering.store.truth(open) != Some(false)
    }
}
