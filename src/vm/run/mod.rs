//! A run: its state, and the operations on it that all instructions and functions of the machine are built from.
//!
//! The methods of [`Run`] are here and in [`access`] (reads and writes of memory), [`choose`] (what the chooser is asked), [`fault`],
//! [`frame`] (activations of functions) and [`schedule`] (threads). Everything else is functions over a run: its instructions
//! ([`instruction`]), the functions of the library ([`builtin`](super::builtin)), and whole ranges of memory
//! ([`range`](super::range)); names, traces and fingerprints only look at it.

mod access;
mod choose;
mod fault;
mod frame;
pub(super) mod schedule;

use super::builtin::{Environment, Synchronisation};
use super::choices::Chooser;
use super::code::{Code, Image, Ref, Register};
use super::memory::{Contents, Memory, Object, Origin};
use super::outcome::{Bound, End, FaultReport, Location, RunOutcome, TraceStep};
use super::outside::Pointers;
use super::state::Stepping;
use super::value::{ObjectId, Slot, mask};
use super::{Settings, Tracing, decode, entry, exact, instruction, race};
use crate::ground::limits::Limits;
use crate::ir::undefined::Fault;
use crate::ir::{FunctionId, Module, Place};
use rustc_hash::FxHashSet;
use schedule::{Signal, Wait};

/// The result of a step: the run goes on, or ends.
pub(super) type Step<T = ()> = Result<T, Box<End>>;

/// An activation of a function.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub function: FunctionId,
    /// Its first register.
    pub base: usize,
    /// Where it goes on in the caller, once it returns; an instruction may be run again.
    pub resume: usize,
    /// Where the caller wants the result, and how many slots of it.
    pub into: Register,
    pub slots: u32,
    /// Local objects, in order of their creation.
    pub objects: Vec<ObjectId>,
    /// The arguments behind `...`.
    pub arguments: Option<ObjectId>,
}

/// What a thread is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ThreadState {
    /// It runs, or could, or waits.
    Alive,
    /// It has ended with this value.
    Finished(Slot),
    /// Somebody joined it.
    Joined,
}

/// A thread.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub id: u32,
    /// The position of the next instruction.
    pub position: usize,
    /// The first register of the innermost frame.
    pub base: usize,
    pub slots: Vec<Slot>,
    pub frames: Vec<Frame>,
    pub state: ThreadState,
    /// The scheduler chose this thread: its next shared access needs no choice.
    pub granted: bool,
    /// Where it was when it was chosen, unless it had not started.
    pub granted_at: Option<usize>,
    /// How many atomic sections it is in.
    pub atomic: u32,
    /// What it waits for.
    pub wait: Option<Wait>,
    /// A condition variable that it waits at.
    pub signal: Option<Signal>,
    /// The round of a barrier that it waits at.
    pub barrier: Option<u64>,
    pub detached: bool,
    /// An object that stands for the thread, where its number must not be seen.
    pub handle: Option<ObjectId>,
    /// What it is about to access, while it waits for its turn.
    pub next: Vec<race::Next>,
    /// Its last step ended where it was not about to do anything that others notice.
    pub cut: bool,
}

impl Thread {
    pub(super) fn new(id: u32) -> Self {
        Self {
            id,
            position: 0,
            base: 0,
            slots: Vec::new(),
            frames: Vec::new(),
            state: ThreadState::Alive,
            granted: false,
            granted_at: None,
            atomic: 0,
            wait: None,
            signal: None,
            barrier: None,
            detached: false,
            handle: None,
            next: Vec::new(),
            cut: false,
        }
    }
}

/// A run.
pub(super) struct Run<'a> {
    pub module: &'a Module,
    pub image: &'a Image,
    pub settings: &'a Settings,
    chooser: &'a mut dyn Chooser,
    limits: &'a Limits,
    pub memory: Memory,
    /// The thread that runs.
    pub thread: Thread,
    /// All threads; an empty one stands in for the thread that runs.
    pub threads: Vec<Thread>,
    /// Whether there is more than one thread.
    pub concurrent: bool,
    /// The step at which a thread was chosen last.
    pub asked: u64,
    /// The code of the innermost function.
    pub code: &'a [Code],
    pub sync: Synchronisation,
    pub environment: Environment,
    /// Pointers from outside.
    pub outside: Pointers,
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
    noted: Vec<FaultReport>,
    noted_places: FxHashSet<(Fault, FunctionId, Option<Place>)>,
    pub trace: Vec<TraceStep>,
    pub tracing: bool,
    /// How many instructions it has run.
    pub steps: u64,
    /// How many of them were left before they did anything, to be run again later.
    pub undone: u64,
    /// What is kept of a run that is made in steps.
    pub stepping: Option<Box<Stepping>>,
}

impl<'a> Run<'a> {
    /// A run that is about to start.
    pub(super) fn new(
        module: &'a Module,
        image: &'a Image,
        settings: &'a Settings,
        chooser: &'a mut dyn Chooser,
        limits: &'a Limits,
    ) -> Self {
        Self {
            module,
            image,
            settings,
            chooser,
            limits,
            memory: image.memory.clone(),
            thread: Thread::new(0),
            threads: vec![Thread::new(0)],
            concurrent: false,
            asked: 0,
            code: &[],
            sync: Synchronisation::default(),
            environment: Environment::default(),
            outside: Pointers::default(),
            output: Vec::new(),
            errors: Vec::new(),
            noted: Vec::new(),
            noted_places: FxHashSet::default(),
            trace: Vec::new(),
            tracing: settings.tracing == Tracing::On,
            steps: 0,
            undone: 0,
            stepping: None,
        }
    }

    /// Runs to the end.
    pub(super) fn run(mut self) -> RunOutcome {
        let end = self.start().and_then(|()| instruction::execute(&mut self));
        let end = match end {
            Err(end) => *end,
            Ok(()) => End::Exit(0),
        };
        let stack = self.stack();
        RunOutcome {
            end,
            location: self.location(),
            stack,
            noted: self.noted,
            output: self.output,
            errors: self.errors,
            steps: self.steps,
            threads: self.threads.len(),
            trace: self.trace,
        }
    }

    pub(super) fn start(&mut self) -> Step {
        let Some(entry) = self.module.function(&self.settings.entry) else {
            return self.unsupported(format!("no function `{}`", self.settings.entry));
        };
        if !self.module.functions[entry].is_defined() {
            return self.unsupported(format!("`{}` is not defined", self.settings.entry));
        }
        for (object, offset, address) in decode::unaligned_addresses(self.module) {
            let number = self.number(address, self.pointer_bits())?;
            let word = self.memory.word;
            self.memory[object].write(offset, word, number.bits);
        }
        let slots = self.image.functions[entry].parameter_slots as usize;
        if exact::ignores_parameters(self, entry) {
            return self.push_frame(entry, &vec![Slot::ZERO; slots], 0, 0, 0);
        }
        if slots > 0 {
            exact::settle(self, "parameters of the first function")?;
        }
        let arguments = entry::arguments(self, entry)?;
        self.push_frame(entry, &arguments, 0, 0, 0)
    }

    /// The value of an operand.
    #[inline(always)]
    pub(super) fn get(&self, operand: Ref) -> Slot {
        match operand.as_constant() {
            Some(number) => self.image.constants[number],
            None => self.thread.slots[self.thread.base + operand.0 as usize],
        }
    }

    /// Writes a register.
    #[inline(always)]
    pub(super) fn set(&mut self, register: Register, slot: Slot) {
        let at = self.thread.base + register as usize;
        self.thread.slots[at] = slot;
    }

    /// An address so many bytes on.
    #[inline(always)]
    pub(in crate::vm) fn moved(&self, base: Slot, by: u64) -> Slot {
        let bits = base.bits.wrapping_add(by) & mask(self.pointer_bits());
        Slot { bits, ..base }
    }

    /// How many unchecked faults were noted.
    pub(in crate::vm) fn noted(&self) -> usize {
        self.noted.len()
    }

    /// From now on other threads may reach an object.
    pub(in crate::vm) fn publish(&mut self, id: ObjectId) {
        self.memory[id].shared = true;
        if let Some(stepping) = &mut self.stepping {
            stepping.published();
        }
    }

    /// A thread by its number, whether or not it is the one that runs.
    pub(in crate::vm) fn thread_of(&self, id: usize) -> &Thread {
        if id == self.thread.id as usize { &self.thread } else { &self.threads[id] }
    }

    /// The same, to be changed.
    pub(in crate::vm) fn thread_mut(&mut self, id: usize) -> &mut Thread {
        if id == self.thread.id as usize { &mut self.thread } else { &mut self.threads[id] }
    }

    pub(super) fn pointer_bits(&self) -> u32 {
        self.image.word * 8
    }

    /// Goes on in the innermost function.
    pub(super) fn reload(&mut self) {
        if let Some(frame) = self.thread.frames.last() {
            self.code = &self.image.functions[frame.function].code;
            self.thread.base = frame.base;
        }
    }

    /// Looks at the limits; called every now and then.
    pub(in crate::vm) fn look_at_limits(&mut self) -> Step {
        if self.steps >= self.settings.steps {
            return Err(Box::new(End::Bound(Bound::Steps)));
        }
        if self.memory.used > self.settings.memory {
            return Err(Box::new(End::Bound(Bound::Memory)));
        }
        if self.memory.is_crowded() {
            let roots: Vec<ObjectId> = self.roots().collect();
            self.memory.collect(roots.into_iter());
        }
        self.limits.check().map_err(|stop| Box::new(End::Interrupted(stop)))
    }

    /// Objects that registers and bookkeeping refer to.
    pub(super) fn roots(&self) -> impl Iterator<Item = ObjectId> {
        let threads = self.threads.iter().chain(std::iter::once(&self.thread));
        let slots =
            threads.flat_map(|thread| thread.slots.iter().map(|slot| slot.object).chain(state_root(thread)));
        slots.chain(self.sync.objects()).chain(self.environment.objects())
    }

    /// Adds an object.
    ///
    /// # Errors
    /// If memory is used up.
    pub(super) fn new_object(
        &mut self,
        origin: Origin,
        size: u64,
        align: u64,
        contents: Contents,
    ) -> Step<ObjectId> {
        if self.memory.used.saturating_add(size) > self.settings.memory {
            return Err(Box::new(End::Bound(Bound::Memory)));
        }
        Ok(self.memory.add(Object::new(origin, size, align, contents)))
    }

    /// Where the run is.
    pub(super) fn location(&self) -> Location {
        let frame = self.thread.frames.last();
        let name = frame.map_or("", |frame| &self.module.functions[frame.function].name);
        Location { thread: self.thread.id, function: name.to_owned(), place: self.place() }
    }

    /// The line of the current instruction.
    pub(super) fn place(&self) -> Option<Place> {
        let frame = self.thread.frames.last()?;
        self.place_in(frame.function, self.thread.position)
    }

    fn place_in(&self, function: FunctionId, position: usize) -> Option<Place> {
        let code = &self.image.functions[function];
        code.places
            .get(position.saturating_sub(1))
            .copied()
            .flatten()
            .or(self.module.functions[function].place)
    }

    /// The open calls, innermost first.
    fn stack(&self) -> Vec<Location> {
        let mut position = self.thread.position;
        let mut list = Vec::new();
        for frame in self.thread.frames.iter().rev() {
            let function = self.module.functions[frame.function].name.clone();
            list.push(Location {
                thread: self.thread.id,
                function,
                place: self.place_in(frame.function, position),
            });
            position = frame.resume;
        }
        list
    }

    pub(super) fn unsupported<T>(&self, text: impl Into<String>) -> Step<T> {
        Err(Box::new(End::Unsupported(text.into())))
    }
}

fn state_root(thread: &Thread) -> Option<ObjectId> {
    if let ThreadState::Finished(slot) = thread.state { Some(slot.object) } else { None }
}
