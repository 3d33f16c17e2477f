//! Whole ranges: copies, fills, strings.

use super::{Run, Step};
use crate::vm::code::Access;
use crate::vm::memory::shadow;
use crate::vm::value::{ObjectId, Slot};

impl Run<'_> {
    /// Copies bytes, with all that is known of them. The ranges may overlap.
    pub(in crate::vm) fn copy(&mut self, to: Slot, from: Slot, length: u64) -> Step {
        if length == 0 {
            return Ok(());
        }
        let (source, from) = self.resolve(from, length, Access::Read)?;
        let (target, to) = self.resolve(to, length, Access::Write)?;
        // Both copies of an uninitialised byte must be the same later.
        self.choose_bytes(source, from, length as usize)?;
        self.copy_range((target, to), (source, from), length as usize)
    }

    /// Copies a range of one object to another; bytes that nobody chose stay so.
    pub(in crate::vm) fn copy_range(
        &mut self,
        (target, to): (ObjectId, usize),
        (source, from): (ObjectId, usize),
        length: usize,
    ) -> Step {
        let word = self.memory.word;
        if to % word == from % word {
            self.observe_edges(source, from, length)?;
        } else {
            self.observe_words(source, from, length)?;
        }
        self.observe_edges(target, to, length)?;
        // The ranges may overlap: everything is read before anything is written.
        let words = self.words_inside(source, from, length);
        let object = &self.memory[source];
        let bytes = object.bytes[from..from + length].to_vec();
        let known = (!object.shadow.is_empty()).then(|| object.shadow[from..from + length].to_vec());
        let partial: Vec<(usize, u8)> =
            object.partial.range(from..from + length).map(|(at, bits)| (at - from + to, *bits)).collect();
        self.forget_words(target, to, length)?;
        self.put_range(target, to, &bytes, known);
        let object = &mut self.memory[target];
        partial.into_iter().for_each(|(at, bits)| object.mark_bits(at, bits));
        for (at, held) in words {
            let offset = to + (at * word - from);
            let address = Slot::address(held, self.memory[target].read(offset, word));
            self.memory[target].write_address(offset, word, address);
        }
        Ok(())
    }

    fn put_range(&mut self, target: ObjectId, to: usize, bytes: &[u8], known: Option<Vec<u8>>) {
        let object = &mut self.memory[target];
        object.bytes[to..to + bytes.len()].copy_from_slice(bytes);
        object.mark(to, bytes.len(), shadow::DEFINED);
        if let Some(known) = known.filter(|known| known.iter().any(|&byte| byte != shadow::DEFINED)) {
            // Makes room for the shadow, if there was none.
            object.mark(to, bytes.len(), shadow::FRESH);
            object.shadow[to..to + bytes.len()].copy_from_slice(&known);
        }
    }

    /// Words of a range that hold addresses.
    fn words_inside(&self, id: ObjectId, offset: usize, length: usize) -> Vec<(usize, ObjectId)> {
        let object = &self.memory[id];
        let range = object.words_of(offset, length, self.memory.word);
        range.filter(|&at| object.words[at] != ObjectId::NONE).map(|at| (at, object.words[at])).collect()
    }

    /// Addresses that lie only partly in a range become numbers.
    fn observe_edges(&mut self, id: ObjectId, offset: usize, length: usize) -> Step {
        let word = self.memory.word;
        if !offset.is_multiple_of(word) {
            self.observe_words(id, offset, 1)?;
        }
        if !(offset + length).is_multiple_of(word) {
            self.observe_words(id, offset + length - 1, 1)?;
        }
        Ok(())
    }

    /// Fills a range with one byte.
    pub(in crate::vm) fn fill(&mut self, to: Slot, byte: Slot, length: u64) -> Step {
        if length == 0 {
            return Ok(());
        }
        let (id, offset) = self.resolve(to, length, Access::Write)?;
        let (byte, length) = (self.number(byte, 8)?, length as usize);
        self.forget_words(id, offset, length)?;
        let object = &mut self.memory[id];
        object.bytes[offset..offset + length].fill(byte.bits as u8);
        object.mark(
            offset,
            length,
            if byte.undefined & 0xff == 0 { shadow::DEFINED } else { shadow::CHOSEN },
        );
        Ok(())
    }

    /// The bytes of a string, without the zero at its end.
    pub(in crate::vm) fn string(&mut self, address: Slot) -> Step<Vec<u8>> {
        self.string_up_to(address, u64::MAX)
    }

    /// The bytes of a string of at most so many bytes.
    pub(in crate::vm) fn string_up_to(&mut self, address: Slot, most: u64) -> Step<Vec<u8>> {
        let mut text = Vec::new();
        while (text.len() as u64) < most {
            let byte = self.load(self.moved(address, text.len() as u64), 1, 8)?;
            self.branch_on(byte)?;
            if byte.bits == 0 {
                break;
            }
            text.push(byte.bits as u8);
        }
        Ok(text)
    }

    /// Writes bytes.
    pub(in crate::vm) fn put_bytes(&mut self, address: Slot, bytes: &[u8]) -> Step {
        for (at, &byte) in bytes.iter().enumerate() {
            self.store(self.moved(address, at as u64), Slot::number(byte.into()), 1, 8)?;
        }
        Ok(())
    }
}
