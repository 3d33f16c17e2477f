//! What a state of a run comes to: two states with the same fingerprint go on alike.
//!
//! Objects that were made on the way have numbers by the order in which they were made, which is of no interest: here
//! they are numbered in the order in which they are met, from the threads and from the objects that are always there.
//! What cannot be met again is left out, and so are the steps, the output and the faults so far.

use crate::ground::index::Index;
use crate::vm::memory::{Lifetime, Object};
use crate::vm::run::schedule::Wait;
use crate::vm::run::{Frame, Run, Thread, ThreadState};
use crate::vm::value::{ObjectId, Slot};
use rustc_hash::FxHashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Writes a state down.
struct Writer<'r, 'a> {
    words: Vec<u64>,
    /// Objects below this number are always there.
    fixed: usize,
    numbers: FxHashMap<ObjectId, u64>,
    waiting: Vec<ObjectId>,
    run: &'r Run<'a>,
}

/// A number for all that the rest of the run depends on.
pub(super) fn fingerprint(run: &Run<'_>) -> u128 {
    let fixed = run.image.memory.ids().count() + 1;
    let mut writer =
        Writer { words: Vec::new(), fixed, numbers: FxHashMap::default(), waiting: Vec::new(), run };
    writer.state();
    writer.digest()
}

impl Writer<'_, '_> {
    fn state(&mut self) {
        self.words.push(self.run.memory.used);
        for id in 0..self.run.threads.len() {
            self.thread(self.run.thread_of(id));
        }
        for number in 1..self.fixed {
            let id = ObjectId::new(number);
            if !self.run.memory[id].constant {
                self.object(id);
            }
        }
        self.bookkeeping();
        while let Some(id) = self.waiting.pop() {
            self.words.push(self.numbers[&id]);
            self.object(id);
        }
    }

    fn digest(self) -> u128 {
        let half = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, &self.words).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(1) << 64 | half(2)
    }

    fn thread(&mut self, thread: &Thread) {
        let state = match thread.state {
            ThreadState::Alive => 0,
            ThreadState::Finished(value) => {
                self.slot(value);
                1
            }
            ThreadState::Joined => 2,
        };
        let flags =
            u64::from(thread.granted) | u64::from(thread.detached) << 1 | u64::from(thread.atomic) << 2;
        // The thread that runs is behind the instruction that it will run again.
        let runs = thread.id == self.run.thread.id && thread.state == ThreadState::Alive;
        let position = thread.position - usize::from(runs);
        self.words.extend([state, flags, position as u64, thread.frames.len() as u64]);
        // Who looks for races makes a thread wait before its first instruction, and again at it.
        self.words.push((!thread.next.is_empty()).into());
        self.text(&format!("{:?}", thread.barrier));
        let keys = thread.wait.map(Wait::keys).into_iter().flatten();
        let signal = thread.signal.map(|signal| signal.condition);
        for key in keys.chain(signal) {
            self.reference(key.object);
            self.words.push(key.offset);
        }
        self.text(&thread.wait.map_or_else(String::new, Wait::name));
        self.text(&format!("{:?}", thread.signal.map(|signal| (signal.woken, signal.expired))));
        thread.frames.iter().for_each(|frame| self.frame(frame));
        thread.slots.iter().for_each(|slot| self.slot(*slot));
    }

    fn frame(&mut self, frame: &Frame) {
        let numbers = [frame.function.index(), frame.base, frame.resume, frame.into as usize];
        self.words.extend(numbers.map(|number| number as u64));
        self.words.push(u64::from(frame.slots));
        frame.objects.iter().chain(&frame.arguments).for_each(|id| self.reference(*id));
    }

    fn slot(&mut self, slot: Slot) {
        self.words.extend([slot.bits, slot.undefined]);
        self.reference(slot.object);
    }

    /// An object that is named somewhere.
    fn reference(&mut self, id: ObjectId) {
        if id == ObjectId::UNCHOSEN || id.index() < self.fixed {
            self.words.push(id.index() as u64);
            return;
        }
        let next = (self.fixed + self.numbers.len()) as u64;
        let number = *self.numbers.entry(id).or_insert_with(|| {
            self.waiting.push(id);
            next
        });
        self.words.push(number);
    }

    fn object(&mut self, id: ObjectId) {
        let run = self.run;
        let Object { bytes, shadow, partial, words, size, lifetime, shared, address, .. } = &run.memory[id];
        let lifetime = match lifetime {
            Lifetime::Live => 0,
            Lifetime::Freed(_) => 1,
            Lifetime::Ended => 2,
            Lifetime::Unsupported => 3,
            Lifetime::Forgotten => 4,
        };
        self.words.extend([lifetime, *size, u64::from(*shared), address.unwrap_or(0)]);
        self.bytes(bytes);
        self.bytes(shadow);
        for (&at, &bits) in partial {
            self.words.extend([at as u64, u64::from(bits)]);
        }
        self.words.push(words.len() as u64);
        words.iter().for_each(|word| self.reference(*word));
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.words.push(bytes.len() as u64);
        let word = |chunk: &[u8]| chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        self.words.extend(bytes.chunks(8).map(word));
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Locks and the like, by where they lie; what the environment keeps.
    fn bookkeeping(&mut self) {
        let run = self.run;
        for (key, text) in run.sync.states() {
            self.reference(key.object);
            self.words.push(key.offset);
            self.text(&text);
        }
        let environment = &run.environment;
        self.text(&format!("{:?} {:?}", environment.at_exit, environment.keys));
        self.words.extend(run.outside.iter());
        for (thread, id) in &environment.errno {
            self.words.push(u64::from(*thread));
            self.reference(*id);
        }
        for ((thread, original), copy) in &environment.thread_locals {
            self.words.push(u64::from(*thread));
            self.reference(*original);
            self.reference(*copy);
        }
        for ((thread, key), value) in &environment.specific {
            self.words.extend([u64::from(*thread), *key]);
            self.slot(*value);
        }
    }
}
