//! What the environment of a program keeps as words, and back; what it keeps for single threads.

use super::Environment;
use crate::ground::index::Index as _;
use crate::ir::FunctionId;
use crate::vm::value::{ObjectId, Slot};
use std::collections::BTreeMap;

impl Environment {
    /// Objects that it keeps for threads other than this one.
    pub(in crate::vm) fn objects_of_others(&self, thread: u32) -> impl Iterator<Item = ObjectId> {
        let errno = self.errno.iter().filter(move |(id, _)| **id != thread).map(|(_, object)| *object);
        let locals = self.thread_locals.iter().filter(move |((id, _), _)| *id != thread);
        let specific = self.specific.iter().filter(move |((id, _), _)| *id != thread);
        errno.chain(locals.map(|(_, copy)| *copy)).chain(specific.map(|(_, slot)| slot.object))
    }

    /// Writes everything down. `reference` tells the number of an object.
    pub(in crate::vm) fn save(&self, reference: &mut dyn FnMut(ObjectId) -> u64, words: &mut Vec<u64>) {
        let empty = self.at_exit.is_empty() && self.texts.is_empty() && self.errno.is_empty();
        if empty && self.thread_locals.is_empty() && self.specific.is_empty() && self.keys.is_empty() {
            words.push(0);
            return;
        }
        words.push(1);
        words.push(self.at_exit.len() as u64);
        words.extend(self.at_exit.iter().map(|id| id.index() as u64));
        words.push(self.texts.len() as u64);
        for (text, address) in &self.texts {
            words.extend([*address, text.len() as u64]);
            words.extend(text.iter().map(|&byte| u64::from(byte)));
        }
        words.push(self.errno.len() as u64);
        for (thread, id) in &self.errno {
            words.extend([u64::from(*thread), reference(*id)]);
        }
        words.push(self.thread_locals.len() as u64);
        for ((thread, original), copy) in &self.thread_locals {
            words.extend([u64::from(*thread), reference(*original), reference(*copy)]);
        }
        words.push(self.specific.len() as u64);
        for ((thread, key), slot) in &self.specific {
            words.extend([u64::from(*thread), *key, slot.bits, slot.undefined, reference(slot.object)]);
        }
        words.push(self.keys.len() as u64);
        words.extend(self.keys.iter().map(|key| key.map_or(0, |id| id.index() as u64 + 1)));
    }

    /// Reads what [`save`](Self::save) wrote.
    pub(in crate::vm) fn load(next: &mut dyn FnMut() -> u64) -> Self {
        let mut loaded = Self::default();
        if next() == 0 {
            return loaded;
        }
        let object = |word: u64| ObjectId::new(word as usize);
        let count = next();
        loaded.at_exit = (0..count).map(|_| FunctionId::new(next() as usize)).collect();
        let count = next();
        loaded.texts = (0..count).map(|_| text(next)).collect();
        let count = next();
        loaded.errno = (0..count).map(|_| (next() as u32, object(next()))).collect();
        let count = next();
        loaded.thread_locals =
            (0..count).map(|_| ((next() as u32, object(next())), object(next()))).collect();
        let count = next();
        loaded.specific = (0..count).map(|_| specific(next)).collect::<BTreeMap<_, _>>();
        let count = next();
        let function = |word: u64| word.checked_sub(1).map(|id| FunctionId::new(id as usize));
        loaded.keys = (0..count).map(|_| function(next())).collect();
        loaded
    }
}

fn text(next: &mut dyn FnMut() -> u64) -> (Vec<u8>, u64) {
    let (address, length) = (next(), next());
    ((0..length).map(|_| next() as u8).collect(), address)
}

fn specific(next: &mut dyn FnMut() -> u64) -> ((u32, u64), Slot) {
    let (thread, key) = (next() as u32, next());
    let (bits, undefined, object) = (next(), next(), ObjectId::new(next() as usize));
    ((thread, key), Slot { bits, undefined, object })
}
