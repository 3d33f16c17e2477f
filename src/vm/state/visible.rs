//! Which objects other threads can reach: an access to any other one is of no interest to them \[Roc15, 6.2.3\].
//!
//! A thread reaches what its registers and frames lead to, what the environment keeps for it, and all global variables; from
//! there whatever addresses in memory lead to. An object whose number was observed can be reached by whoever guesses it.
//! Within a step only the thread that runs changes anything, so the answer stays the same until it writes an address, which
//! [`published`](super::Stepping::published) tells.

use crate::ground::index::Index as _;
use crate::vm::memory::Memory;
use crate::vm::run::{Run, Thread, ThreadState};
use crate::vm::value::ObjectId;

/// A set of objects, and those whose contents were not looked at yet.
struct Marks<'m> {
    memory: &'m Memory,
    seen: Vec<bool>,
    work: Vec<ObjectId>,
}

impl Marks<'_> {
    fn add(&mut self, id: ObjectId) {
        if id != ObjectId::NONE && id != ObjectId::UNCHOSEN && !self.seen[id.index()] {
            self.seen[id.index()] = true;
            if !self.memory[id].words.is_empty() {
                self.work.push(id);
            }
        }
    }

    fn add_thread(&mut self, thread: &Thread) {
        thread.slots.iter().for_each(|slot| self.add(slot.object));
        for frame in &thread.frames {
            frame.objects.iter().chain(&frame.arguments).for_each(|&id| self.add(id));
        }
        if let ThreadState::Finished(value) = thread.state {
            self.add(value.object);
        }
    }

    fn follow(mut self) -> Vec<bool> {
        while let Some(id) = self.work.pop() {
            let memory = self.memory;
            memory[id].words.iter().for_each(|&word| self.add(word));
        }
        self.seen
    }
}

/// Whether a thread other than the one that runs can reach an object.
pub fn is_visible(run: &Run<'_>, id: ObjectId) -> bool {
    let Some(stepping) = &run.stepping else { return true };
    let visible = stepping.visible.get_or_init(|| reached_by_others(run));
    // What is newer than the answer was made by the thread that runs.
    let answer = visible.get(id.index()).copied().unwrap_or(false);
    // That others could reach it at the start of the step, and cannot any more, is no mistake.
    if stepping.cut.checked && !answer && is_reached(run, id) {
        let _ = stepping
            .mismatch
            .set("an object that others can reach was taken for one that they cannot".into());
    }
    answer
}

/// The same by other code: objects are swept over until no more of them are reached.
fn is_reached(run: &Run<'_>, wanted: ObjectId) -> bool {
    let memory = &run.memory;
    let fixed = run.image.memory.ids().len() + 1;
    if wanted.index() < fixed || memory[wanted].address.is_some() {
        return true;
    }
    let mut reached = vec![false; memory.ids().len() + 1];
    for number in (0..run.threads.len()).filter(|&number| number != run.thread.id as usize) {
        let thread = run.thread_of(number);
        let value =
            if let ThreadState::Finished(value) = thread.state { value.object } else { ObjectId::NONE };
        let local = thread.frames.iter().flat_map(|frame| frame.objects.iter().chain(&frame.arguments));
        let slots = thread.slots.iter().map(|slot| slot.object);
        slots.chain(local.copied()).chain([value]).for_each(|id| _ = reach(&mut reached, id));
    }
    let kept = run.sync.objects().chain(run.environment.objects_of_others(run.thread.id));
    kept.for_each(|id| _ = reach(&mut reached, id));
    loop {
        let mut more = false;
        for id in memory.ids() {
            let object = &memory[id];
            if id.index() < fixed || object.address.is_some() || reached[id.index()] {
                object.words.iter().for_each(|&word| more |= reach(&mut reached, word));
            }
        }
        if !more {
            return reached[wanted.index()];
        }
    }
}

/// Adds an object, and tells whether it is new.
fn reach(reached: &mut [bool], id: ObjectId) -> bool {
    let known = id == ObjectId::NONE || id == ObjectId::UNCHOSEN || reached[id.index()];
    if !known {
        reached[id.index()] = true;
    }
    !known
}

/// What other threads can reach.
fn reached_by_others(run: &Run<'_>) -> Vec<bool> {
    let memory = &run.memory;
    let mut marks = Marks { memory, seen: vec![false; memory.ids().len() + 1], work: Vec::new() };
    let fixed = run.image.memory.ids().len();
    memory.ids().take(fixed).for_each(|id| marks.add(id));
    if !memory.addresses.is_empty() {
        memory.ids().filter(|&id| memory[id].address.is_some()).for_each(|id| marks.add(id));
    }
    let own = run.thread.id;
    let others = run.threads.iter().enumerate().filter(|(id, _)| *id != own as usize);
    others.for_each(|(_, thread)| marks.add_thread(thread));
    run.sync.objects().for_each(|id| marks.add(id));
    run.environment.objects_of_others(own).for_each(|id| marks.add(id));
    marks.follow()
}
