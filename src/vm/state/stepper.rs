//! One step: from a state to the next one.

use super::load::load;
use super::poison::poison;
use super::save::{Fixed, Saver};
use super::{Answers, Cut, Dead, Saved, Script, Stepping, Stops};
use crate::ground::index::Index as _;
use crate::ground::limits::Limits;
use crate::ir::FunctionId;
use crate::ir::undefined::Fault;
use crate::vm::code::{Body, CalleeCode, Code};
use crate::vm::instruction::step_next;
use crate::vm::outcome::{End, Location};
use crate::vm::run::{Run, Step, Thread};
use crate::vm::value::ObjectId;
use crate::vm::{Machine, Settings, race};
use rustc_hash::FxHashSet;

/// What a step comes to.
#[derive(Debug)]
pub enum Next {
    /// Another state, which can be [saved](Stepper::save).
    State,
    /// The end of the run.
    End(Box<End>),
}

/// Between two looks at the limits.
const SLICE: u64 = 1024;

/// Makes steps.
pub struct Stepper<'r, 'm> {
    run: Run<'r>,
    script: &'r Script,
    machine: &'m Machine<'m>,
    saver: Saver,
    fixed: Fixed,
    /// The part that each object that is always there holds, unless it was touched since.
    resident: Vec<u32>,
    /// The number of its part in the state that was loaded.
    number: Vec<usize>,
    /// Whether constants may differ from what they are at the start.
    observed: bool,
    places: FxHashSet<(FunctionId, usize)>,
}

/// No part.
const NONE: u32 = u32::MAX;

impl Machine<'_> {
    /// Lets somebody make steps of the program.
    pub fn in_steps<T>(
        &self,
        cut: Cut,
        answers: &Answers,
        limits: &Limits,
        work: impl FnOnce(&mut Stepper<'_, '_>) -> T,
    ) -> T {
        // Whether memory was lost is a matter of all registers.
        let leaks = self.settings.checks.contains(&Fault::Leak);
        let cut = Cut { dead: if leaks { Dead::Kept } else { cut.dead }, ..cut };
        let script = Script::new(answers.clone());
        let mut chooser = &script;
        let mut run = Run::new(self.module, &self.image, &self.settings, &mut chooser, limits);
        run.stepping = Some(Box::new(Stepping::new(cut, self.image.functions.len())));
        let fixed = Fixed::new(&self.image.memory);
        let saver = Saver::new(&self.image.memory);
        let (resident, number) = (vec![NONE; fixed.end], vec![0; fixed.end]);
        let places = FxHashSet::default();
        work(&mut Stepper {
            run,
            script: &script,
            machine: self,
            saver,
            fixed,
            resident,
            number,
            observed: false,
            places,
        })
    }
}

impl Stepper<'_, '_> {
    /// Goes to the start: the first thread is about to do its first instruction.
    pub fn start(&mut self) -> Next {
        self.script.clear();
        self.begin()
    }

    fn begin(&mut self) -> Next {
        let run = &mut self.run;
        run.memory = self.machine.image.memory.clone();
        self.resident.fill(NONE);
        self.observed = true;
        (run.thread, run.threads) = (Thread::new(0), vec![Thread::new(0)]);
        (run.sync, run.environment, run.outside) = Default::default();
        (run.concurrent, run.steps, run.undone) = (false, 0, 0);
        if let Some(stepping) = &mut run.stepping {
            (stepping.paused, stepping.lost) = (false, false);
            stepping.published();
        }
        let started = run.start();
        self.ended(started)
    }

    /// Goes to the start with other answers, if there are any.
    pub fn start_otherwise(&mut self) -> Option<Next> {
        self.script.advance().then(|| self.begin())
    }

    /// Goes to a state: the numbers of its parts, and their words.
    pub fn load<'w>(&mut self, parts: &[u32], words: impl Fn(u32) -> &'w [u64]) {
        // Where numbers of addresses were observed since, constants may have changed.
        if std::mem::take(&mut self.observed) || !self.run.memory.addresses.is_empty() {
            for id in (1..self.fixed.end).map(ObjectId::new) {
                self.run.memory[id].clone_from(&self.machine.image.memory[id]);
                self.resident[id.index()] = NONE;
            }
        }
        let run = &mut self.run;
        let resident = &self.resident;
        let same = |id: usize, number: usize| resident[id] == parts[number];
        load(run, &self.fixed, |part| words(parts[part]), same);
        for (number, id) in (2 + run.threads.len()..).zip(self.fixed.of(&run.memory)) {
            (self.resident[id.index()], self.number[id.index()]) = (parts[number], number);
            run.memory.untouch(id);
        }
        self.observed = !run.memory.addresses.is_empty();
        poison(run);
    }

    /// The threads that can make a step. If there is none, the run has ended: see [`stuck`](Self::stuck).
    #[must_use]
    pub fn enabled(&self) -> Vec<u32> {
        self.run.enabled().into_iter().map(|thread| thread as u32).collect()
    }

    /// How the run ends where nobody can go on.
    #[must_use]
    pub fn stuck(&self) -> End {
        self.run.stuck()
    }

    /// Lets a thread make a step, with the first answers to what it asks.
    pub fn step(&mut self, thread: u32) -> Next {
        self.script.clear();
        self.again(thread)
    }

    /// Whether the step that was made has other answers. If so, load the state again and make it [`again`](Self::again).
    #[must_use]
    pub fn has_others(&self) -> bool {
        self.script.advance()
    }

    /// Makes the step with the next answers.
    pub fn again(&mut self, thread: u32) -> Next {
        if let Some(stepping) = &mut self.run.stepping {
            stepping.paused = false;
        }
        self.run.resume(thread as usize);
        if std::mem::take(&mut self.run.thread.cut) {
            self.run.thread.granted_at = None;
        }
        let result = advance(&mut self.run, &mut self.places);
        self.ended(result)
    }

    fn ended(&mut self, result: Step) -> Next {
        let paused = self.run.stepping.as_ref().is_some_and(|it| it.paused);
        match result {
            Err(end) if !paused => Next::End(end),
            _ => Next::State,
        }
    }

    /// Writes down the state that a step came to.
    pub fn save(&mut self, into: &mut Saved) {
        let (resident, number) = (&self.resident, &self.number);
        let untouched = |id: usize| (resident[id] != NONE).then(|| number[id]);
        self.saver.save(&mut self.run, &self.fixed, into, untouched);
    }

    /// How many instructions the step did.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        self.run.steps - self.run.undone
    }

    /// Unchecked faults that were noted in steps so far.
    #[must_use]
    pub fn noted(&self) -> usize {
        self.run.noted()
    }

    /// Where the run is.
    #[must_use]
    pub fn location(&self) -> Location {
        self.run.location()
    }

    /// What reductions rest on, and is not so.
    #[must_use]
    pub fn mismatch(&self) -> Option<String> {
        self.run.stepping.as_ref()?.mismatch.get().cloned()
    }

    /// What the steps ask.
    #[must_use]
    pub fn script(&self) -> &Script {
        self.script
    }

    /// The settings of the machine.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        self.run.settings
    }
}

/// Runs until the step ends, or the run.
fn advance(run: &mut Run<'_>, places: &mut FxHashSet<(FunctionId, usize)>) -> Step {
    let Some(cut) = run.stepping.as_ref().map(|stepping| stepping.cut) else { return Ok(()) };
    places.clear();
    let mut count = 0;
    loop {
        if count > 0 && ends(run, cut, count, places) {
            run.thread.granted = false;
            // Who looks for races wants to know of every access before it is made.
            run.thread.cut = race::is_checked(run);
            return run.pause();
        }
        count += 1;
        if count % SLICE == 0 {
            run.look_at_limits()?;
        }
        step_next(run)?;
    }
}

/// Whether the step ends before the instruction at hand, though others could not notice it.
fn ends(run: &Run<'_>, cut: Cut, count: u64, places: &mut FxHashSet<(FunctionId, usize)>) -> bool {
    let fine = run.concurrent && run.thread.atomic == 0;
    let code = &run.code[run.thread.position];
    match cut.stops {
        Stops::Instructions if fine => true,
        Stops::Accesses if fine => accesses(run, code) || jumps(code),
        Stops::Loops if fine => accesses(run, code) || seen(run, places),
        _ => count > cut.patience && seen(run, places),
    }
}

/// Whether the thread has been here in this step.
fn seen(run: &Run<'_>, places: &mut FxHashSet<(FunctionId, usize)>) -> bool {
    let frame = run.thread.frames.last();
    frame.is_some_and(|frame| !places.insert((frame.function, run.thread.position)))
}

fn jumps(code: &Code) -> bool {
    matches!(code, Code::Jump(_) | Code::Branch { .. } | Code::Switch(_) | Code::Return { .. })
}

/// Whether an instruction accesses memory. Local variables in registers are memory, too; without this, τ would be more than it is.
fn accesses(run: &Run<'_>, code: &Code) -> bool {
    match code {
        Code::Load { .. } | Code::Store { .. } | Code::LoadPieces { .. } | Code::StorePieces { .. } => true,
        Code::LoadLocal { .. } | Code::StoreLocal { .. } | Code::StartLocal { .. } => true,
        Code::AtomicUpdate { .. } | Code::CompareExchange(_) | Code::Intrinsic(_) => true,
        Code::Call(call) => match call.callee {
            CalleeCode::Known(function) => !matches!(run.image.functions[function].body, Body::Code),
            CalleeCode::Address(_) => true,
        },
        _ => false,
    }
}
