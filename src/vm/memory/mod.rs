//! Memory: a graph of objects.
//!
//! An object has bytes, and two shadows that exist only where they say something: what is known of each byte (defined
//! or not, chosen or not), and which aligned words hold addresses. Such a word keeps its object in the shadow and its
//! offset in the bytes. Objects that have ended stay known, without contents, as long as an address of them is left
//! somewhere, so that a fault can name them. The design follows DiVM \[RČB18\].

pub mod address;
pub mod collect;

use super::value::{ObjectId, Slot};
use crate::ground::index::{Index, IndexVec};
use crate::ir::{FunctionId, GlobalId, Place, ValueId};
use std::collections::BTreeMap;

/// What is known of a byte: two bits.
pub mod shadow {
    /// The byte has a value.
    pub const CHOSEN: u8 = 1;
    /// The program (or its environment) wrote it.
    pub const WRITTEN: u8 = 2;
    /// An ordinary byte.
    pub const DEFINED: u8 = CHOSEN | WRITTEN;
    /// A byte of a fresh object; zero, because large objects are then cheap.
    pub const FRESH: u8 = 0;
    /// Written by an undefined function: any value, not chosen yet.
    pub const HAVOCKED: u8 = WRITTEN;
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// `stdin`, `stdout`, `stderr`: 0, 1, 2.
    Stream(u8),
    /// A local variable.
    Local(FunctionId, ValueId),
    /// A struct passed by value, or the arguments behind `...`.
    Argument(FunctionId),
    /// The heap: where it was allocated.
    Heap(Option<Place>),
    /// What the environment provides (`errno`, `argv`); its name.
    Environment(&'static str),
    /// What a pointer from outside leads to.
    Outside,
}

/// Whether an object may be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// Yes.
    Live,
    /// `free` ended it there.
    Freed(Option<Place>),
    /// The function or the block that it was local to has ended.
    Ended,
    /// It lives, but its initial contents are not modelled.
    Unsupported,
    /// Nothing refers to it: its number may be used again.
    Forgotten,
}

/// Whether an object starts with zeros or with arbitrary bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Zeros.
    Zeros,
    /// Uninitialised.
    Fresh,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Contents while it lives; of an address, the offset.
    pub bytes: Vec<u8>,
    /// What is known of each byte; empty if all are defined.
    pub shadow: Vec<u8>,
    /// Chosen bytes of which only these bits are undefined (bit-fields), by offset.
    pub partial: BTreeMap<usize, u8>,
    /// The object of the address that an aligned word holds; empty if there is none.
    pub words: Vec<ObjectId>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment.
    pub align: u64,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether it lives.
    pub lifetime: Lifetime,
    /// Whether it may not be written.
    pub constant: bool,
    /// Whether another thread may have its address.
    pub shared: bool,
    /// Whether it may have been changed since [`Memory::untouch`] was called.
    touched: bool,
    /// Its number, once it was observed.
    pub address: Option<u64>,
}

impl Object {
    /// A new object.
    #[must_use]
    pub fn new(origin: Origin, size: u64, align: u64, contents: Contents) -> Self {
        let shadow =
            if contents == Contents::Fresh { vec![shadow::FRESH; size as usize] } else { Vec::new() };
        let shared = !matches!(origin, Origin::Local(..) | Origin::Argument(_));
        Self {
            bytes: vec![0; size as usize],
            shadow,
            partial: BTreeMap::new(),
            words: Vec::new(),
            size,
            align: align.max(1),
            origin,
            lifetime: Lifetime::Live,
            constant: false,
            shared,
            touched: true,
            address: None,
        }
    }

    /// Whether a range lies in the object.
    #[must_use]
    #[inline(always)]
    pub fn contains(&self, offset: u64, length: u64) -> bool {
        offset <= self.size && length <= self.size - offset
    }

    /// Whether all bytes of a range are defined.
    #[must_use]
    #[inline(always)]
    pub fn is_defined(&self, offset: usize, length: usize) -> bool {
        self.shadow.is_empty() || self.shadow[offset..offset + length].iter().all(|&b| b == shadow::DEFINED)
    }

    /// The words that a range touches.
    #[must_use]
    pub fn words_of(&self, offset: usize, length: usize, word: usize) -> std::ops::Range<usize> {
        if self.words.is_empty() || length == 0 {
            return 0..0;
        }
        let end = (offset + length).div_ceil(word).min(self.words.len());
        (offset / word).min(end)..end
    }

    /// Whether no word of a range holds an address.
    #[must_use]
    #[inline(always)]
    pub fn is_free_of_addresses(&self, offset: usize, length: usize, word: usize) -> bool {
        self.words.is_empty()
            || self.words[self.words_of(offset, length, word)].iter().all(|&o| o == ObjectId::NONE)
    }

    /// The bytes of a range as a number, lowest first; at most 8.
    #[must_use]
    #[inline(always)]
    pub fn read(&self, offset: usize, length: usize) -> u64 {
        let bytes = &self.bytes[offset..offset + length];
        match length {
            1 => u64::from(bytes[0]),
            4 => u64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            8 => u64::from_le_bytes(bytes.try_into().unwrap_or_default()),
            _ => bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)),
        }
    }

    /// Writes a number.
    #[inline(always)]
    pub fn write(&mut self, offset: usize, length: usize, number: u64) {
        let bytes = &mut self.bytes[offset..offset + length];
        match length {
            4 => bytes.copy_from_slice(&(number as u32).to_le_bytes()),
            8 => bytes.copy_from_slice(&number.to_le_bytes()),
            _ => bytes.copy_from_slice(&number.to_le_bytes()[..length]),
        }
    }

    /// Says what is known of a range.
    #[inline(always)]
    pub fn mark(&mut self, offset: usize, length: usize, known: u8) {
        if !self.partial.is_empty() {
            self.partial.retain(|&at, _| at < offset || at >= offset + length);
        }
        if self.shadow.is_empty() {
            if known == shadow::DEFINED || length == 0 {
                return;
            }
            self.shadow = vec![shadow::DEFINED; self.size as usize];
        }
        self.shadow[offset..offset + length].fill(known);
    }

    /// Which bits of a byte are undefined.
    #[must_use]
    pub fn undefined_bits(&self, offset: usize) -> u8 {
        match self.shadow.get(offset) {
            Some(known) if known & shadow::WRITTEN == 0 => self.partial.get(&offset).copied().unwrap_or(0xff),
            _ => 0,
        }
    }

    /// Says which bits of a byte that has a value are undefined.
    pub fn mark_bits(&mut self, offset: usize, undefined: u8) {
        self.mark(offset, 1, if undefined == 0 { shadow::DEFINED } else { shadow::CHOSEN });
        if undefined != 0 && undefined != 0xff {
            self.partial.insert(offset, undefined);
        }
    }

    /// Makes it larger. A word that holds an address has so many bytes.
    pub fn grow(&mut self, size: u64, word: usize) {
        let length = size as usize;
        if self.shadow.is_empty() {
            self.shadow = vec![shadow::DEFINED; self.bytes.len()];
        }
        self.bytes.resize(length, 0);
        self.shadow.resize(length, shadow::FRESH);
        if !self.words.is_empty() {
            self.words.resize(length / word, ObjectId::NONE);
        }
        self.size = size;
    }

    /// Writes an address to an aligned word.
    pub fn write_address(&mut self, offset: usize, word: usize, address: Slot) {
        if self.words.is_empty() {
            self.words = vec![ObjectId::NONE; (self.size as usize) / word];
        }
        self.write(offset, word, address.bits);
        self.words[offset / word] = address.object;
    }

    /// Ends it: its contents are gone.
    pub fn end(&mut self, lifetime: Lifetime) {
        self.bytes = Vec::new();
        self.shadow = Vec::new();
        self.partial = BTreeMap::new();
        self.words = Vec::new();
        self.lifetime = lifetime;
    }
}

/// All objects.
#[derive(Clone, Debug)]
pub struct Memory {
    objects: IndexVec<ObjectId, Object>,
    /// Numbers that may be used again.
    forgotten: Vec<ObjectId>,
    /// Bytes of a word that holds an address.
    pub word: usize,
    /// Where observed objects lie.
    pub addresses: address::Addresses,
    /// Bytes of all living objects.
    pub used: u64,
    /// How many ended objects are still known.
    ended: usize,
    /// Beyond so many, it is worth looking for those that nothing refers to.
    collect_at: usize,
}

impl Memory {
    /// Memory with nothing in it but the object that is none.
    #[must_use]
    pub fn new(word: usize) -> Self {
        let none = Object::new(Origin::Environment("nothing"), 0, 1, Contents::Zeros);
        Self {
            objects: IndexVec::from_vec(vec![none]),
            forgotten: Vec::new(),
            word,
            addresses: address::Addresses::new(word),
            used: 0,
            ended: 0,
            collect_at: 1 << 16,
        }
    }

    /// Adds an object.
    pub fn add(&mut self, object: Object) -> ObjectId {
        self.used += object.size;
        match self.forgotten.pop() {
            Some(id) => {
                self.objects[id] = object;
                id
            }
            None => self.objects.push(object),
        }
    }

    /// Ends an object.
    pub fn end(&mut self, id: ObjectId, lifetime: Lifetime) {
        let object = &mut self.objects[id];
        object.touched = true;
        if object.lifetime == Lifetime::Live {
            self.used -= object.size;
            self.ended += 1;
            object.end(lifetime);
        }
    }

    /// Whether an object may have been changed since [`untouch`](Self::untouch) was called.
    #[must_use]
    pub fn is_touched(&self, id: ObjectId) -> bool {
        self.objects[id].touched
    }

    /// From now on, an object has not been changed.
    pub fn untouch(&mut self, id: ObjectId) {
        self.objects[id].touched = false;
    }

    /// Takes all objects from a number on away.
    pub fn truncate(&mut self, length: usize) {
        let objects = std::mem::take(&mut self.objects);
        let mut objects = objects.into_vec();
        objects.truncate(length);
        self.objects = IndexVec::from_vec(objects);
        self.forgotten.clear();
    }

    /// Counts the bytes of living objects, and the objects that have ended.
    pub fn recount(&mut self) {
        let living = self.objects.iter().filter(|object| object.lifetime == Lifetime::Live);
        self.used = living.map(|object| object.size).sum();
        self.ended = self.objects.iter().filter(|object| object.lifetime != Lifetime::Live).count();
    }

    /// All numbers in use, in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = ObjectId> + use<> {
        (1..self.objects.len()).map(ObjectId::new)
    }
}

impl std::ops::Index<ObjectId> for Memory {
    type Output = Object;
    #[inline(always)]
    fn index(&self, id: ObjectId) -> &Object {
        &self.objects[id]
    }
}

impl std::ops::IndexMut<ObjectId> for Memory {
    #[inline(always)]
    fn index_mut(&mut self, id: ObjectId) -> &mut Object {
        let object = &mut self.objects[id];
        object.touched = true;
        object
    }
}
