//! Asking the chooser.

use super::{Run, Step};
use crate::ground::index::Index as _;
use crate::ir::Place;
use crate::vm::choices::{Choice, ChoiceKind, Chosen, Domain, Spot};
use crate::vm::code::{Ref, Register};
use crate::vm::outcome::End;
use crate::vm::value::{ObjectId, Slot, mask};
use crate::vm::{fingerprint, names, trace};

impl Run<'_> {
    /// Asks for a value.
    ///
    /// # Errors
    /// If the chooser has none.
    pub(in crate::vm) fn choose(&mut self, kind: ChoiceKind, name: &str, domain: Domain) -> Step<u128> {
        self.choose_for(kind, name, domain, None)
    }

    /// Asks for a value, which may be for certain bytes of memory.
    pub(super) fn choose_for(
        &mut self,
        kind: ChoiceKind,
        name: &str,
        domain: Domain,
        spot: Option<Spot>,
    ) -> Step<u128> {
        let name = name.replace(|c: char| c.is_whitespace() || c == '#', "_");
        let choice = Choice { kind, name, domain, place: self.place(), spot };
        let value = self.chooser.choose(&choice).map_err(|error| Box::new(End::Choices(error)))?;
        debug_assert!(choice.domain.contains(value), "{choice:?} {value}");
        if self.tracing {
            trace::choice(self, &Chosen::new(&choice, value));
        }
        Ok(value)
    }

    /// Tells the chooser that the heap gave out an object.
    pub(in crate::vm) fn tell_allocation(&mut self, id: ObjectId, place: Option<Place>) {
        self.chooser.allocates(id.index(), place.map(|place| place.line));
    }

    /// Tells the chooser that a local variable begins, which may be read before it is written.
    pub(in crate::vm) fn tell_beginning(&mut self, name: &str) {
        self.chooser.begins(name);
    }

    /// Tells the chooser that code from outside has changed memory.
    pub(in crate::vm) fn tell_change(&mut self) {
        self.chooser.changes();
    }

    /// Tells the chooser where the run has come to.
    pub(super) fn look_back(&mut self) -> Step {
        self.chooser.reached(self.thread.id, self.steps - self.undone);
        if !self.chooser.looks_back() {
            return Ok(());
        }
        let state = fingerprint::fingerprint(self);
        self.chooser.pass(state).map_err(|error| Box::new(End::Choices(error)))
    }

    /// Asks for a number of at most 64 bits.
    pub(in crate::vm) fn choose_bits(&mut self, kind: ChoiceKind, name: &str, bits: u32) -> Step<u64> {
        Ok(self.choose(kind, name, Domain::Bits(bits))? as u64)
    }

    /// Asks yes or no.
    pub(in crate::vm) fn choose_whether(&mut self, kind: ChoiceKind, name: &str) -> Step<bool> {
        Ok(self.choose(kind, name, Domain::Among(vec![0, 1]))? == 1)
    }

    /// An operand; a value is chosen for it if it has none.
    pub(in crate::vm) fn chosen(&mut self, operand: Ref, bits: u32) -> Step<Slot> {
        let slot = self.get(operand);
        if slot.is_unchosen() { self.undefined_value(bits) } else { Ok(slot) }
    }

    /// A value for `undef`.
    pub(in crate::vm) fn undefined_value(&mut self, bits: u32) -> Step<Slot> {
        let value = self.choose_bits(ChoiceKind::Undefined, "", bits)?;
        Ok(Slot { bits: value, undefined: mask(bits), object: ObjectId::NONE })
    }

    /// The value of a local variable that is read before it is written.
    pub(in crate::vm) fn choose_local(&mut self, local: Register, bits: u32) -> Step<Slot> {
        let name = self.local_name(local);
        let value = self.choose_bits(ChoiceKind::Uninitialised, &name, bits)?;
        Ok(Slot { bits: value, undefined: mask(bits), object: ObjectId::NONE })
    }

    /// The name of a local variable in a register.
    pub(in crate::vm) fn local_name(&self, local: Register) -> String {
        let Some(frame) = self.thread.frames.last() else { return String::new() };
        let locals = &self.image.functions[frame.function].locals;
        let value = locals.iter().find(|(register, _)| *register == local);
        value.map_or_else(String::new, |(_, value)| names::of_value(self, frame.function, *value))
    }

    /// A slot as a number: an address is observed, what is not chosen is chosen.
    pub(in crate::vm) fn number(&mut self, slot: Slot, bits: u32) -> Step<Slot> {
        if slot.object == ObjectId::NONE {
            return Ok(slot);
        }
        if slot.is_unchosen() {
            return self.undefined_value(bits);
        }
        let base = self.observe(slot.object)?;
        let bits = base.wrapping_add(slot.bits) & mask(self.pointer_bits());
        Ok(Slot { bits, undefined: slot.undefined, object: ObjectId::NONE })
    }

    /// The number of an object, chosen when it is first observed.
    pub(super) fn observe(&mut self, id: ObjectId) -> Step<u64> {
        if let Some(address) = self.memory[id].address {
            return Ok(address);
        }
        let object = &self.memory[id];
        let Some(suggestion) = self.memory.addresses.suggest(object) else {
            return self.unsupported("addresses are used up");
        };
        let domain = Domain::Address { suggestion, align: object.align };
        let name = names::of_object(self, id);
        let address = self.choose(ChoiceKind::Address, &name, domain)? as u64;
        if !self.memory.addresses.fits(&self.memory[id], address) {
            let text = format!("`{name}` cannot lie at {address:#x}: that is null, not aligned, or taken");
            return Err(Box::new(End::Choices(crate::vm::choices::ChoiceError { number: 0, text })));
        }
        self.memory.place(id, address);
        self.publish(id);
        Ok(address)
    }
}
