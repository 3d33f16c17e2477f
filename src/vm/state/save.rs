//! A state as words.
//!
//! The parts of a state are, in this order: how many threads and objects there are; the threads; what the environment and
//! synchronisation keep; the objects that are always there and may change; all others, numbered in the order in which
//! they are met. What nothing leads to is left out, except that some of it was memory which is lost now. Objects that
//! are always there and were not touched since the state was loaded are not looked at.

use super::words::{Part, Saved, pack};
use super::{Dead, Stops};
use crate::ground::index::Index as _;
use crate::ir::undefined::Fault;
use crate::vm::memory::{Lifetime, Memory, Object, Origin};
use crate::vm::race;
use crate::vm::run::schedule::{Signal, Wait};
use crate::vm::run::{Frame, Run, Thread, ThreadState};
use crate::vm::value::{ObjectId, Slot};

/// Names of what the environment provides.
pub(super) const PROVIDED: [&str; 7] = ["nothing", "envp", "argv", "argv[]", "parameter", "errno", "thread"];

/// Objects that are always there.
pub(super) struct Fixed {
    /// Their numbers are below this one.
    pub end: usize,
    /// Those that may change.
    changing: Vec<ObjectId>,
}

impl Fixed {
    pub fn new(memory: &Memory) -> Self {
        let changes = |id: &ObjectId| {
            let object = &memory[*id];
            !object.constant && !matches!(object.origin, Origin::Function(_) | Origin::Stream(_))
        };
        Self { end: memory.ids().len() + 1, changing: memory.ids().filter(changes).collect() }
    }

    /// Those that are part of a state: where numbers of addresses were observed, constants are, too.
    pub fn of<'f>(&'f self, memory: &Memory) -> impl Iterator<Item = ObjectId> + use<'f> {
        let observed = !memory.addresses.is_empty();
        let some: &[ObjectId] = if observed { &[] } else { &self.changing };
        let all = if observed { 1..self.end } else { 0..0 };
        some.iter().copied().chain(all.map(ObjectId::new))
    }
}

/// Writes states; its buffers are used again and again.
pub(super) struct Saver {
    /// Objects below this number are always there.
    fixed: usize,
    /// Numbers of the others, by how far they are behind; 0 for those that were not met.
    numbers: Vec<u32>,
    /// Those that were met, in order.
    met: Vec<ObjectId>,
}

impl Saver {
    pub fn new(memory: &Memory) -> Self {
        Self { fixed: memory.ids().len() + 1, numbers: Vec::new(), met: Vec::new() }
    }

    /// Writes the state of a run that has paused. `loaded` tells which part an object that is always there was
    /// read from, if it was; it still is that part if it was not touched.
    pub fn save(
        &mut self,
        run: &mut Run<'_>,
        fixed: &Fixed,
        into: &mut Saved,
        loaded: impl Fn(usize) -> Option<usize>,
    ) {
        into.clear();
        self.met.clear();
        self.numbers.clear();
        self.numbers.resize((run.memory.ids().len() + 1).saturating_sub(self.fixed), 0);
        // The first part is known at the end.
        into.words.extend([run.threads.len() as u64, 0, 0]);
        into.end_part(0);
        self.threads(run, into);
        self.kept(run, into);
        self.fixed_objects(run, fixed, into, loaded);
        self.other_objects(run, into);
        into.words[1] = self.met.len() as u64;
        into.words[2] = self.flags(run);
    }

    /// Memory that was lost, and whether numbers of addresses were observed.
    fn flags(&self, run: &Run<'_>) -> u64 {
        let lost = run.stepping.as_ref().is_some_and(|it| it.lost);
        let asked = run.settings.checks.contains(&Fault::Leak);
        u64::from(lost || asked && self.loses(&run.memory))
    }

    /// Whether there is memory of the heap that nothing leads to.
    fn loses(&self, memory: &Memory) -> bool {
        memory.ids().skip(self.fixed - 1).any(|id| {
            let unmet = self.numbers[id.index() - self.fixed] == 0;
            let object = &memory[id];
            unmet && object.lifetime == Lifetime::Live && matches!(object.origin, Origin::Heap(_))
        })
    }

    /// An object that is named somewhere.
    fn reference(&mut self, id: ObjectId) -> u64 {
        if id == ObjectId::UNCHOSEN || id.index() < self.fixed {
            return id.index() as u64;
        }
        let number = &mut self.numbers[id.index() - self.fixed];
        if *number == 0 {
            self.met.push(id);
            *number = self.met.len() as u32;
        }
        (self.fixed as u32 + *number - 1).into()
    }

    fn threads(&mut self, run: &mut Run<'_>, into: &mut Saved) {
        for id in 0..run.threads.len() {
            let start = into.words.len();
            // The analysis of registers is kept beside the run.
            let mut stepping = run.stepping.take();
            if let Some(stepping) = &mut stepping {
                self.thread(run, stepping, id, &mut into.words);
            }
            run.stepping = stepping;
            into.end_part(start);
        }
    }

    fn thread(&mut self, run: &Run<'_>, stepping: &mut super::Stepping, id: usize, words: &mut Vec<u64>) {
        let thread = run.thread_of(id);
        let (state, value) = match thread.state {
            ThreadState::Alive => (0, Slot::ZERO),
            ThreadState::Finished(value) => (1, value),
            ThreadState::Joined => (2, Slot::ZERO),
        };
        let flags = u64::from(thread.detached) | u64::from(thread.cut) << 1 | u64::from(thread.atomic) << 2;
        words.extend([state, flags, thread.position as u64, thread.frames.len() as u64]);
        self.slot(value, words);
        let handle = thread.handle.map_or(0, |id| self.reference(id));
        words.push(handle);
        self.wait(run, thread, words);
        words.push(thread.next.len() as u64);
        for next in &thread.next {
            self.access(next, words);
        }
        for (depth, frame) in thread.frames.iter().enumerate() {
            self.frame(frame, words);
            self.slots(run, stepping, thread, depth, words);
        }
    }

    fn access(&mut self, next: &race::Next, words: &mut Vec<u64>) {
        let (object, rest) = next.parts();
        words.push(self.reference(object));
        words.extend(rest);
    }

    fn wait(&mut self, run: &Run<'_>, thread: &Thread, words: &mut Vec<u64>) {
        let kind = match thread.wait {
            None => 0,
            Some(Wait::Mutex(_)) => 1,
            Some(Wait::Read(_)) => 2,
            Some(Wait::Write(_)) => 3,
            Some(Wait::Join(id)) => 4 | u64::from(id) << 8,
            Some(Wait::Condition(..)) => 5,
            Some(Wait::Semaphore(_)) => 6,
            // Rounds only matter by whether they are over.
            Some(Wait::Barrier(key, round)) => 7 | u64::from(run.sync.barrier_round(key) == round) << 8,
            Some(Wait::Once(_)) => 8,
            Some(Wait::Never) => 9,
        };
        words.push(kind);
        for key in thread.wait.map(Wait::keys).into_iter().flatten() {
            words.extend([self.reference(key.object), key.offset]);
        }
        match thread.signal {
            None => words.push(0),
            Some(Signal { condition, woken, expired }) => {
                words.push(1 | u64::from(woken) << 1 | u64::from(expired) << 2);
                words.extend([self.reference(condition.object), condition.offset]);
            }
        }
    }

    fn frame(&mut self, frame: &Frame, words: &mut Vec<u64>) {
        let numbers = [frame.function.index(), frame.resume, frame.into as usize, frame.slots as usize];
        words.extend(numbers.map(|number| number as u64));
        words.push(frame.objects.len() as u64);
        for &id in &frame.objects {
            words.push(self.reference(id));
        }
        words.push(frame.arguments.map_or(0, |id| self.reference(id)));
    }

    /// The registers of a frame. Those that are not read any more are zero.
    fn slots(
        &mut self,
        run: &Run<'_>,
        stepping: &mut super::Stepping,
        thread: &Thread,
        depth: usize,
        words: &mut Vec<u64>,
    ) {
        let frame = &thread.frames[depth];
        let above = thread.frames.get(depth + 1);
        let end = above.map_or(thread.slots.len(), |above| above.base);
        let slots = &thread.slots[frame.base..end];
        words.push(slots.len() as u64);
        let position = above.map_or(thread.position, |above| above.resume);
        // What the call returns is written there.
        let result = above.map_or(0..0, |above| above.into as usize..(above.into + above.slots) as usize);
        if stepping.cut.dead == Dead::Kept {
            slots.iter().for_each(|slot| self.slot(*slot, words));
            return;
        }
        let live = stepping.live.of(frame.function, &run.image.functions[frame.function]);
        for (register, slot) in slots.iter().enumerate() {
            // A routine that is called by the machine returns to the call itself, which is made again.
            let kept = live.is_live(position, register) && !result.contains(&register);
            self.slot(if kept { *slot } else { Slot::ZERO }, words);
        }
    }

    /// Most registers hold numbers without undefined bits: two words, else four.
    fn slot(&mut self, slot: Slot, words: &mut Vec<u64>) {
        if slot.undefined == 0 {
            words.extend([self.reference(slot.object) << 1, slot.bits]);
        } else {
            words.extend([self.reference(slot.object) << 1 | 1, slot.bits, slot.undefined]);
        }
    }

    /// What the environment and synchronisation keep.
    fn kept(&mut self, run: &Run<'_>, into: &mut Saved) {
        let start = into.words.len();
        let mut states = run.sync.saved();
        for state in &mut states {
            // Numbers that are known already do not depend on those of the run.
            state.order = self.known(state.key.object);
        }
        states.sort_by_key(|state| (state.table, state.order, state.key.offset));
        into.words.push(states.len() as u64);
        for state in states {
            let object = self.reference(state.key.object);
            into.words.extend([state.table.into(), object, state.key.offset, state.words.len() as u64]);
            into.words.extend(state.words);
        }
        run.environment.save(&mut |id| self.reference(id), &mut into.words);
        self.addresses(run, &mut into.words);
        into.end_part(start);
    }

    fn known(&self, id: ObjectId) -> u64 {
        if id.index() < self.fixed {
            return id.index() as u64;
        }
        match self.numbers[id.index() - self.fixed] {
            0 => u64::MAX,
            number => self.fixed as u64 + u64::from(number),
        }
    }

    fn addresses(&mut self, run: &Run<'_>, words: &mut Vec<u64>) {
        let outside: Vec<u64> = run.outside.iter().collect();
        words.push(outside.len() as u64);
        words.extend(outside);
        let (taken, next) = run.memory.addresses.parts();
        words.extend([next, taken.len() as u64]);
        for (address, (id, size)) in taken {
            words.extend([*address, self.reference(*id), *size]);
        }
    }

    fn fixed_objects(
        &mut self,
        run: &Run<'_>,
        fixed: &Fixed,
        into: &mut Saved,
        loaded: impl Fn(usize) -> Option<usize>,
    ) {
        for id in fixed.of(&run.memory) {
            let object = &run.memory[id];
            match loaded(id.index()) {
                Some(part) if !run.memory.is_touched(id) && self.keeps(object) => {
                    into.parts.push(Part::Same(part))
                }
                _ => {
                    let start = into.words.len();
                    self.contents(run, object, &mut into.words);
                    into.end_part(start);
                }
            }
        }
    }

    /// Whether what an untouched object leads to has the numbers that it had.
    fn keeps(&mut self, object: &Object) -> bool {
        let mut same = true;
        for &id in &object.words {
            same &= self.reference(id) == id.index() as u64;
        }
        same
    }

    fn other_objects(&mut self, run: &Run<'_>, into: &mut Saved) {
        let mut next = 0;
        while let Some(&id) = self.met.get(next) {
            next += 1;
            let start = into.words.len();
            let object = &run.memory[id];
            let (kind, parts) = origin(object.origin);
            let constant = u64::from(object.constant);
            into.words.extend([kind | constant << 8, parts[0], parts[1], object.size, object.align]);
            self.contents(run, object, &mut into.words);
            into.end_part(start);
        }
    }

    fn contents(&mut self, run: &Run<'_>, object: &Object, words: &mut Vec<u64>) {
        let lifetime = match object.lifetime {
            Lifetime::Live => 0,
            Lifetime::Freed(_) => 1,
            Lifetime::Ended => 2,
            Lifetime::Unsupported => 3,
            Lifetime::Forgotten => 4,
        };
        // Whoever goes by what can be reached does not ask what was shared once.
        let asked = run.stepping.as_ref().is_some_and(|it| it.cut.stops != Stops::Visible);
        let shared = u64::from(object.shared || !asked);
        let shadowed = u64::from(!object.shadow.is_empty());
        let flags = lifetime | shared << 4 | shadowed << 5;
        words.extend([flags, object.address.unwrap_or(0), object.bytes.len() as u64]);
        pack(words, &object.bytes);
        pack(words, &object.shadow);
        words.push(object.partial.len() as u64);
        words.extend(object.partial.iter().flat_map(|(at, bits)| [*at as u64, u64::from(*bits)]));
        // Where no address is left, it does not matter that there was one.
        if object.words.iter().all(|&id| id == ObjectId::NONE) {
            words.push(0);
            return;
        }
        words.push(object.words.len() as u64);
        for &id in &object.words {
            let number = self.reference(id);
            words.push(number);
        }
    }
}

/// Where an object comes from, in three words.
fn origin(origin: Origin) -> (u64, [u64; 2]) {
    match origin {
        Origin::Global(id) => (0, [id.index() as u64, 0]),
        Origin::Function(id) => (1, [id.index() as u64, 0]),
        Origin::Stream(stream) => (2, [stream.into(), 0]),
        Origin::Local(function, value) => (3, [function.index() as u64, value.index() as u64]),
        Origin::Argument(function) => (4, [function.index() as u64, 0]),
        Origin::Heap(None) => (5, [0, 0]),
        Origin::Heap(Some(place)) => {
            let file = place.file.index() as u64;
            (6, [file << 32 | u64::from(place.line), u64::from(place.column) << 32 | u64::from(place.number)])
        }
        Origin::Environment(name) => {
            let number = PROVIDED.iter().position(|one| *one == name);
            (7, [number.unwrap_or(0) as u64, 0])
        }
        Origin::Outside => (8, [0, 0]),
    }
}
