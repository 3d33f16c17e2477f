//! Reads and writes of memory.

use super::{Run, Step};
use crate::ground::index::Index as _;
use crate::ir::undefined::Fault;
use crate::vm::choices::{ChoiceKind, Domain, Spot};
use crate::vm::code::Access;
use crate::vm::memory::address::FIRST_PAGE;
use crate::vm::memory::{Lifetime, Origin, shadow};
use crate::vm::value::{ObjectId, Slot, mask};
use crate::vm::{names, outside, trace};

impl Run<'_> {
    /// Reads a value of at most 64 bits.
    #[inline(always)]
    pub(in crate::vm) fn load(&mut self, address: Slot, bytes: usize, bits: u32) -> Step<Slot> {
        if address.undefined == 0 && address.is_address() {
            let object = &self.memory[address.object];
            let offset = address.bits as usize;
            if object.lifetime == Lifetime::Live
                && object.contains(address.bits, bytes as u64)
                && object.is_defined(offset, bytes)
                && object.is_free_of_addresses(offset, bytes, self.image.word as usize)
                && !matches!(object.origin, Origin::Function(_) | Origin::Stream(_))
            {
                return Ok(Slot::number(object.read(offset, bytes) & mask(bits)));
            }
        }
        let (id, offset) = self.resolve(address, bytes as u64, Access::Read)?;
        self.read(id, offset, bytes, bits)
    }

    /// Writes a value of at most 64 bits.
    #[inline(always)]
    pub(in crate::vm) fn store(&mut self, address: Slot, value: Slot, bytes: usize, bits: u32) -> Step {
        if address.undefined == 0 && address.is_address() && value.is_plain() && !self.tracing {
            let word = self.image.word as usize;
            let object = &mut self.memory[address.object];
            let offset = address.bits as usize;
            if object.lifetime == Lifetime::Live
                && object.contains(address.bits, bytes as u64)
                && !object.constant
                && object.is_free_of_addresses(offset, bytes, word)
                && !matches!(object.origin, Origin::Function(_) | Origin::Stream(_))
            {
                object.write(offset, bytes, value.bits);
                object.mark(offset, bytes, shadow::DEFINED);
                return Ok(());
            }
        }
        let (id, offset) = self.resolve(address, bytes as u64, Access::Write)?;
        let value = if value.is_unchosen() { self.undefined_value(bits)? } else { value };
        self.write(id, offset, bytes, value)?;
        if self.tracing {
            trace::store(self, id, offset, bytes, value);
        }
        Ok(())
    }

    /// The object and offset of an access.
    ///
    /// # Errors
    /// If the access is a fault that ends the run.
    pub(in crate::vm) fn resolve(
        &mut self,
        address: Slot,
        length: u64,
        access: Access,
    ) -> Step<(ObjectId, usize)> {
        let (id, offset) = match outside::target(self, address, length)? {
            Some(found) => found,
            None => self.target(address)?,
        };
        let object = &self.memory[id];
        match object.lifetime {
            Lifetime::Live => {}
            Lifetime::Unsupported => {
                return self.unsupported(format!("the initialiser of `{}`", names::of_object(self, id)));
            }
            _ => {
                self.fault(Fault::Pointer, |run| run.ended_text(id))?;
                return self.unsupported("an access to an ended object");
            }
        }
        let unreadable = matches!(object.origin, Origin::Function(_) | Origin::Stream(_));
        if unreadable || (access == Access::Write && object.constant) {
            let what = if access == Access::Write { "written" } else { "read" };
            self.fault(Fault::Pointer, |run| format!("`{}` cannot be {what}", names::of_object(run, id)))?;
        }
        if !self.memory[id].contains(offset, length) {
            self.fault(Fault::Bounds, |run| run.bounds_text(id, offset, length, access))?;
            return self.unsupported("an access out of bounds");
        }
        Ok((id, offset as usize))
    }

    fn bounds_text(&self, id: ObjectId, offset: u64, length: u64, access: Access) -> String {
        let what = if access == Access::Write { "written" } else { "read" };
        let offset = crate::vm::value::signed(offset, self.pointer_bits());
        let (name, size) = (names::of_object(self, id), self.memory[id].size);
        format!("`{name}` has {size} bytes; {length} are {what} at offset {offset}")
    }

    /// What an address points to, whether or not it may be accessed.
    pub(in crate::vm) fn target(&mut self, address: Slot) -> Step<(ObjectId, u64)> {
        let address =
            if address.is_unchosen() { self.undefined_value(self.pointer_bits())? } else { address };
        if address.undefined != 0 {
            self.fault(Fault::Uninitialised, |_| "an address is uninitialised".into())?;
        }
        if address.is_address() {
            return Ok((address.object, address.bits));
        }
        if let Some(found) = self.memory.find(address.bits) {
            return Ok(found);
        }
        if address.bits < FIRST_PAGE {
            self.fault(Fault::Null, |_| "a null pointer is accessed".into())?;
        } else {
            self.fault(Fault::Pointer, |_| format!("nothing is known to lie at {:#x}", address.bits))?;
        }
        self.unsupported("an access through an invalid pointer")
    }

    /// Reads from an object, within its bounds.
    pub(in crate::vm) fn read(&mut self, id: ObjectId, offset: usize, bytes: usize, bits: u32) -> Step<Slot> {
        let word = self.memory.word;
        let object = &self.memory[id];
        let held = object.words.get(offset / word).copied().unwrap_or(ObjectId::NONE);
        if held != ObjectId::NONE && bytes == word && offset.is_multiple_of(word) {
            let undefined = self.undefined_in(id, offset, bytes);
            return Ok(Slot { bits: self.memory[id].read(offset, bytes), undefined, object: held });
        }
        self.observe_words(id, offset, bytes)?;
        self.choose_bytes(id, offset, bytes)?;
        let undefined = self.undefined_in(id, offset, bytes) & mask(bits);
        Ok(Slot { bits: self.memory[id].read(offset, bytes) & mask(bits), undefined, object: ObjectId::NONE })
    }

    fn undefined_in(&self, id: ObjectId, offset: usize, bytes: usize) -> u64 {
        let object = &self.memory[id];
        (0..bytes).rev().fold(0, |mask, byte| mask << 8 | u64::from(object.undefined_bits(offset + byte)))
    }

    /// Addresses in a range become numbers.
    pub(in crate::vm) fn observe_words(&mut self, id: ObjectId, offset: usize, bytes: usize) -> Step {
        let word = self.memory.word;
        for at in self.memory[id].words_of(offset, bytes, word) {
            let held = self.memory[id].words[at];
            if held != ObjectId::NONE {
                let slot = Slot::address(held, self.memory[id].read(at * word, word));
                let number = self.number(slot, self.pointer_bits())?;
                let object = &mut self.memory[id];
                object.write(at * word, word, number.bits);
                object.words[at] = ObjectId::NONE;
            }
        }
        Ok(())
    }

    /// Bytes of a range that nobody chose yet are chosen, up to 16 at once.
    pub(in crate::vm) fn choose_bytes(&mut self, id: ObjectId, offset: usize, bytes: usize) -> Step {
        if self.memory[id].is_defined(offset, bytes) {
            return Ok(());
        }
        let end = offset + bytes;
        let mut at = offset;
        while at < end {
            let known = self.memory[id].shadow[at];
            let same =
                self.memory[id].shadow[at..end.min(at + 16)].iter().take_while(|&&other| other == known);
            let length = same.count();
            if known & shadow::CHOSEN == 0 {
                self.choose_run(id, at, length, known)?;
            }
            at += length;
        }
        Ok(())
    }

    fn choose_run(&mut self, id: ObjectId, offset: usize, length: usize, known: u8) -> Step {
        let fresh = known & shadow::WRITTEN == 0;
        let kind = if fresh { ChoiceKind::Uninitialised } else { ChoiceKind::Result };
        let name = names::path(self, id, offset, length);
        let outside = self.memory[id].origin == Origin::Outside;
        let address = self.memory[id].address.filter(|_| outside);
        let (object, of) = (id.index(), names::of_object(self, id));
        let spot = Spot { object, name: of, offset: offset as u64, address };
        let value = self.choose_for(kind, &name, Domain::Bits(8 * length as u32), Some(spot))?;
        if kind == ChoiceKind::Result && length == self.memory.word {
            self.outside.note(value as u64);
        }
        let object = &mut self.memory[id];
        object.bytes[offset..offset + length].copy_from_slice(&value.to_le_bytes()[..length]);
        object.mark(offset, length, known | shadow::CHOSEN);
        Ok(())
    }

    /// Writes to an object, within its bounds.
    pub(in crate::vm) fn write(&mut self, id: ObjectId, offset: usize, bytes: usize, value: Slot) -> Step {
        let word = self.memory.word;
        let aligned = bytes == word && offset.is_multiple_of(word);
        if value.is_address() && aligned {
            // Whoever reaches this object now reaches the other one.
            self.publish(value.object);
            self.memory[id].write_address(offset, word, value);
        } else {
            let value = self.number(value, self.pointer_bits())?;
            self.forget_words(id, offset, bytes)?;
            self.memory[id].write(offset, bytes, value.bits);
        }
        let object = &mut self.memory[id];
        object.mark(offset, bytes, shadow::DEFINED);
        for byte in (0..bytes).filter(|byte| value.undefined >> (8 * byte) & 0xff != 0) {
            object.mark_bits(offset + byte, (value.undefined >> (8 * byte)) as u8);
        }
        Ok(())
    }

    /// A range is about to be overwritten: addresses in it go, those that reach beyond it become numbers.
    pub(in crate::vm) fn forget_words(&mut self, id: ObjectId, offset: usize, bytes: usize) -> Step {
        let word = self.memory.word;
        if self.memory[id].words.is_empty() || bytes == 0 {
            return Ok(());
        }
        if !offset.is_multiple_of(word) {
            self.observe_words(id, offset, 1)?;
        }
        if !(offset + bytes).is_multiple_of(word) {
            self.observe_words(id, offset + bytes - 1, 1)?;
        }
        let range = self.memory[id].words_of(offset, bytes, word);
        self.memory[id].words[range].fill(ObjectId::NONE);
        Ok(())
    }
}
