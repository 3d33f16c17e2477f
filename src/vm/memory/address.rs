//! Numbers of addresses.
//!
//! An object gets a number when a program observes it: by a cast, a comparison with another object, a look at the bytes
//! of a pointer. The number is a choice: aligned, not null, disjoint from all other objects that have one. Without
//! being told, we leave a gap after each object, so that the address behind its end is no other object's.

use super::{Memory, Object, ObjectId};
use std::collections::BTreeMap;

/// The least address that we suggest. Whatever is below the first page is a null pointer with an offset.
const FIRST: u64 = 0x1_0000;
/// Below this, an address is taken for a null pointer with an offset.
pub const FIRST_PAGE: u64 = 4096;

/// Where observed objects lie.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// Object and size, by address.
    taken: BTreeMap<u64, (ObjectId, u64)>,
    next: u64,
    end: u64,
}

impl Addresses {
    /// No object was observed. `word` is the size of a pointer.
    #[must_use]
    pub fn new(word: usize) -> Self {
        let end = if word == 4 { 0xffff_0000 } else { 0x7fff_ffff_0000 };
        Self { taken: BTreeMap::new(), next: FIRST, end }
    }

    /// Whether no object was observed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Objects and sizes by address, and from where on addresses are suggested.
    #[must_use]
    pub fn parts(&self) -> (&BTreeMap<u64, (ObjectId, u64)>, u64) {
        (&self.taken, self.next)
    }

    /// Sets what [`parts`](Self::parts) tells.
    pub fn set_parts(&mut self, taken: BTreeMap<u64, (ObjectId, u64)>, next: u64) {
        (self.taken, self.next) = (taken, next);
    }

    /// A free address for an object, if there is one.
    #[must_use]
    pub fn suggest(&self, object: &Object) -> Option<u64> {
        let address = self.next.div_ceil(object.align.max(16)) * object.align.max(16);
        // Choosers may go a few steps further.
        (address.checked_add(object.size)?.checked_add(8 * object.align)? < self.end).then_some(address)
    }

    /// Whether an object may lie there.
    #[must_use]
    pub fn fits(&self, object: &Object, address: u64) -> bool {
        let Some(end) = address.checked_add(object.size.max(1)) else { return false };
        let below = self.taken.range(..end).next_back();
        let free = below.is_none_or(|(&start, &(_, size))| start + size.max(1) <= address);
        address >= FIRST_PAGE && end <= self.end && address.is_multiple_of(object.align) && free
    }

    /// Puts an object there.
    pub fn insert(&mut self, id: ObjectId, size: u64, address: u64) {
        self.taken.insert(address, (id, size));
        self.next = self.next.max(address.saturating_add(size).saturating_add(16));
    }

    /// The object that lies there, or ends there, and the offset.
    #[must_use]
    pub fn find(&self, address: u64) -> Option<(ObjectId, u64)> {
        let (&start, &(id, size)) = self.taken.range(..=address).next_back()?;
        let offset = address - start;
        if offset == 0 && size == 0 {
            return Some((id, 0));
        }
        (offset <= size && id != ObjectId::NONE).then_some((id, offset))
    }

    /// The object at an address is no longer known; the place stays taken.
    pub fn forget(&mut self, address: u64) {
        if let Some(entry) = self.taken.get_mut(&address) {
            entry.0 = ObjectId::NONE;
        }
    }
}

impl Memory {
    /// What an address as a number points to.
    #[must_use]
    pub fn find(&self, address: u64) -> Option<(ObjectId, u64)> {
        self.addresses.find(address)
    }

    /// Gives an object its number.
    pub fn place(&mut self, id: ObjectId, address: u64) {
        let object = &mut self[id];
        object.address = Some(address);
        object.shared = true;
        let size = object.size;
        self.addresses.insert(id, size, address);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Contents, Origin};
    use super::*;
    use crate::ground::index::Index;

    fn object(size: u64, align: u64) -> Object {
        Object::new(Origin::Heap(None), size, align, Contents::Zeros)
    }

    #[test]
    fn suggestions_fit_and_are_found_again() {
        let mut addresses = Addresses::new(4);
        let mut placed = Vec::new();
        for number in 1..50usize {
            let object = object(number as u64, 1 << (number % 6));
            let address = addresses.suggest(&object).unwrap();
            assert!(addresses.fits(&object, address) && address.is_multiple_of(object.align));
            addresses.insert(ObjectId::new(number), object.size, address);
            assert!(!addresses.fits(&object, address));
            placed.push((ObjectId::new(number), address, object.size));
        }
        for (id, address, size) in placed {
            assert_eq!(addresses.find(address), Some((id, 0)));
            assert_eq!(addresses.find(address + size), Some((id, size)), "the end belongs to the object");
        }
    }

    #[test]
    fn neighbours_may_touch_but_not_overlap() {
        let mut addresses = Addresses::new(8);
        addresses.insert(ObjectId::new(1), 8, 0x2000);
        assert!(addresses.fits(&object(4, 4), 0x2008));
        assert!(!addresses.fits(&object(4, 4), 0x2004));
        assert!(!addresses.fits(&object(32, 4), 0x1ff0));
        assert!(!addresses.fits(&object(4, 4), 0), "never null");
        assert!(!addresses.fits(&object(4, 4), 0x3002), "aligned");
    }
}
