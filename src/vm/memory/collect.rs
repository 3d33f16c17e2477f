//! What can be reached: leaks, and ended objects that nothing refers to any more.

use super::{Lifetime, Memory, ObjectId, Origin};
use crate::ground::index::Index;

/// A set of objects.
struct Marks {
    seen: Vec<bool>,
    work: Vec<ObjectId>,
}

impl Marks {
    fn add(&mut self, id: ObjectId) {
        if id != ObjectId::NONE && id != ObjectId::UNCHOSEN && !self.seen[id.index()] {
            self.seen[id.index()] = true;
            self.work.push(id);
        }
    }
}

impl Memory {
    /// All objects that can be reached from these, by index.
    fn reach(&self, roots: impl Iterator<Item = ObjectId>) -> Vec<bool> {
        let mut marks = Marks { seen: vec![false; self.objects.len()], work: Vec::new() };
        roots.for_each(|root| marks.add(root));
        while let Some(id) = marks.work.pop() {
            self[id].words.iter().for_each(|&word| marks.add(word));
            self.numbers_in(id).for_each(|word| marks.add(word));
        }
        marks.seen
    }

    /// Objects whose numbers stand in an object: a program that observes addresses may hide them in integers.
    fn numbers_in(&self, id: ObjectId) -> impl Iterator<Item = ObjectId> {
        let observed: &[u8] = if self.addresses.is_empty() { &[] } else { &self[id].bytes };
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        observed
            .chunks_exact(self.word)
            .filter_map(move |bytes| self.find(number(bytes)).map(|found| found.0))
    }

    /// All living objects that these lead to, for an undefined function that may change them.
    #[must_use]
    pub fn reachable(&self, roots: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
        let seen = self.reach(roots);
        self.ids().filter(|id| seen[id.index()] && self[*id].lifetime == Lifetime::Live).collect()
    }

    /// Living objects of the heap that cannot be reached from these.
    #[must_use]
    pub fn leaked(&self, roots: impl Iterator<Item = ObjectId>) -> Vec<ObjectId> {
        let is_heap = |id: &ObjectId| {
            self[*id].lifetime == Lifetime::Live && matches!(self[*id].origin, Origin::Heap(_))
        };
        if !self.ids().any(|id| is_heap(&id)) {
            return Vec::new();
        }
        let seen = self.reach(roots);
        self.ids().filter(|id| is_heap(id) && !seen[id.index()]).collect()
    }

    /// Whether so many objects have ended that [`collect`](Self::collect) is worth its while.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        self.ended > self.collect_at
    }

    /// Forgets ended objects that neither these nor any living object refers to.
    pub fn collect(&mut self, roots: impl Iterator<Item = ObjectId>) {
        let living: Vec<ObjectId> = self.ids().filter(|id| self[*id].lifetime == Lifetime::Live).collect();
        let count = living.len();
        let seen = self.reach(living.into_iter().chain(roots));
        self.ended = 0;
        for id in self.ids() {
            match self[id].lifetime {
                Lifetime::Live | Lifetime::Unsupported | Lifetime::Forgotten => {}
                _ if seen[id.index()] => self.ended += 1,
                _ => self.forget(id),
            }
        }
        self.collect_at = (1 << 16).max(2 * (self.ended + count));
    }

    fn forget(&mut self, id: ObjectId) {
        if let Some(address) = self[id].address.take() {
            self.addresses.forget(address);
        }
        self[id].lifetime = Lifetime::Forgotten;
        self.forgotten.push(id);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Contents, Object};
    use super::*;
    use crate::vm::value::Slot;

    fn heap(memory: &mut Memory) -> ObjectId {
        memory.add(Object::new(Origin::Heap(None), 16, 8, Contents::Fresh))
    }

    #[test]
    fn what_nothing_leads_to_is_leaked() {
        let mut memory = Memory::new(8);
        let [a, b, c] = [heap(&mut memory), heap(&mut memory), heap(&mut memory)];
        memory[a].write_address(8, 8, Slot::address(b, 4));
        assert_eq!(memory.leaked([a].into_iter()), [c]);
        assert_eq!(memory.leaked([b].into_iter()), [a, c]);
        memory.end(c, Lifetime::Freed(None));
        assert!(memory.leaked([a].into_iter()).is_empty());
    }

    #[test]
    fn an_address_hidden_in_an_integer_still_leads_there() {
        let mut memory = Memory::new(8);
        let [a, b] = [heap(&mut memory), heap(&mut memory)];
        memory.place(b, 0x2_0000);
        memory[a].write(0, 8, 0x2_0008);
        assert!(memory.leaked([a].into_iter()).is_empty());
    }

    #[test]
    fn numbers_of_forgotten_objects_are_used_again() {
        let mut memory = Memory::new(8);
        let [a, b, c] = [heap(&mut memory), heap(&mut memory), heap(&mut memory)];
        memory[a].write_address(0, 8, Slot::address(b, 0));
        memory.end(b, Lifetime::Freed(None));
        memory.end(c, Lifetime::Ended);
        memory.collect([].into_iter());
        assert_eq!(memory[b].lifetime, Lifetime::Freed(None), "a still points to it");
        assert_eq!(heap(&mut memory), c);
    }
}
