//! Runs a program model with concrete values: its executable semantics, and the oracle of everything built on it.
//!
//! [`Compiled`] turns every edge into flat code once; an [`Execution`] then takes edge after edge. What the model
//! leaves open is asked of a [`Chooser`]: inputs, the contents of variables that nobody wrote, which of several
//! enabled edges is taken, which thread moves.
//!
//! Threads interleave edge by edge, but for atomic sections. A thread without an enabled edge waits: another thread
//! may enable one. The run ends when the procedure that it started with returns, whatever other threads do.

mod arrays;
mod calls;
mod code;
mod evaluate;
pub mod explore;
mod inputs;
mod layout;
mod state;
#[cfg(test)]
mod tests;

pub use state::{Contents, Value};

use super::{EdgeId, LocationId, ProcedureId, Program, PropertyId, Role};
use crate::ground::index::{Index, IndexVec};
use crate::term::Symbol;
use crate::term::arithmetic::mask;
use code::{EdgeCode, Effect, ProcedureCode};
use evaluate::Context;
use inputs::{Classes, Pending};
use layout::Layout;
use state::{State, Thread};
use std::hash::{DefaultHasher, Hash, Hasher};

crate::index_types! {
    /// A thread of a run, in the order in which they start.
    ThreadId,
}

/// Chooses what the model leaves open. Values are taken modulo `2^width`.
pub trait Chooser {
    /// The value of an input; its role says where in C it comes from.
    fn input(&mut self, symbol: Symbol, role: &Role, width: u32) -> u128;

    /// The value of a variable that is read before it is written, or of one cell of such an array, or of a cell of
    /// an input that is an array.
    fn arbitrary(&mut self, _symbol: Symbol, _cell: Option<u128>, _width: u32) -> u128 {
        0
    }

    /// Which of several enabled edges is taken: a position in the list.
    fn edge(&mut self, _procedure: ProcedureId, _enabled: &[EdgeId]) -> usize {
        0
    }

    /// Which of several threads moves: a position in the list. If it has no enabled edge, the question comes again
    /// without it.
    fn thread(&mut self, _threads: &[ThreadId]) -> usize {
        0
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// The procedure that it started with returned.
    Exit,
    /// The program ended itself: an edge `End` was taken.
    End,
    /// A property was violated.
    Violated(PropertyId),
    /// It reached what is not modelled: this edge.
    Unsupported(ProcedureId, EdgeId),
    /// No thread has an enabled edge: an assumption failed, or all threads wait.
    Stuck,
    /// So many steps were taken as were allowed.
    StepLimit,
}

/// One edge of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who took it.
    pub thread: ThreadId,
    /// The procedure that it belongs to.
    pub procedure: ProcedureId,
    /// The edge.
    pub edge: EdgeId,
}

/// Whether a run remembers its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recording {
    /// It keeps all steps and inputs.
    Path,
    /// It keeps nothing but their number.
    Nothing,
}

/// A program, ready to run.
#[derive(Clone, Debug)]
pub struct Compiled<'p> {
    program: &'p Program,
    layout: Layout,
    procedures: IndexVec<ProcedureId, ProcedureCode>,
    classes: Classes,
    /// Registers and inputs that the busiest location needs.
    most: (usize, usize),
}

impl<'p> Compiled<'p> {
    /// Translates a well-formed program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        let layout = Layout::new(program);
        let mut classes = Classes::default();
        let mut most = (0, 0);
        let mut procedures = IndexVec::new();
        for id in program.procedures.ids() {
            let (code, size) = code::compile(program, &layout, &mut classes, id);
            most = (most.0.max(size.0), most.1.max(size.1));
            procedures.push(code);
        }
        Self { program, layout, procedures, classes, most }
    }
}

/// A run.
#[derive(Clone, Debug)]
pub struct Execution<'c> {
    code: &'c Compiled<'c>,
    state: State,
    pending: Pending,
    registers: Vec<u128>,
    input_values: Vec<u128>,
    recording: Recording,
    path: Vec<Step>,
    inputs: Vec<(Symbol, u128)>,
    steps: u64,
    enabled: Vec<EdgeId>,
}

/// Runs a program from its entry, for at most so many edges, and returns the run where it ended.
#[must_use]
pub fn run<'c>(code: &'c Compiled<'c>, chooser: &mut dyn Chooser, limit: u64) -> (Outcome, Execution<'c>) {
    let mut execution = Execution::new(code, Recording::Path);
    let outcome = execution.run(chooser, limit);
    (outcome, execution)
}

impl<'c> Execution<'c> {
    /// A run that has taken no edge.
    #[must_use]
    pub fn new(code: &'c Compiled<'c>, recording: Recording) -> Self {
        let mut state = State::new(&code.layout);
        state.threads.push(Thread::new(code.program, &code.layout, code.program.entry));
        Self {
            code,
            state,
            pending: Pending::new(code.classes.len()),
            registers: vec![0; code.most.0],
            input_values: vec![0; code.most.1],
            recording,
            path: Vec::new(),
            inputs: Vec::new(),
            steps: 0,
            enabled: Vec::new(),
        }
    }

    /// Takes edges until the run ends or has so many.
    pub fn run(&mut self, chooser: &mut dyn Chooser, limit: u64) -> Outcome {
        while self.steps < limit {
            if let Some(outcome) = self.step(chooser) {
                return outcome;
            }
        }
        Outcome::StepLimit
    }

    /// The edges so far, if they are recorded.
    #[must_use]
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// The inputs that the edges so far took, in order, if they are recorded.
    #[must_use]
    pub fn inputs(&self) -> &[(Symbol, u128)] {
        &self.inputs
    }

    /// How many edges were taken.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Where a thread is, if it has not ended.
    #[must_use]
    pub fn location(&self, thread: ThreadId) -> Option<(ProcedureId, LocationId)> {
        let activation = self.state.threads.get(thread)?.activations.last()?;
        Some((activation.procedure, activation.location))
    }

    /// How many activations a thread has.
    #[must_use]
    pub fn depth(&self, thread: ThreadId) -> usize {
        self.state.threads.get(thread).map_or(0, |thread| thread.activations.len())
    }

    /// The value of a global variable, or of a local one in the last activation of a thread; nothing if it was
    /// neither written nor read so far.
    #[must_use]
    pub fn value(&self, thread: ThreadId, symbol: Symbol) -> Option<Value> {
        self.state.value(self.code.program, &self.code.layout, thread, symbol)
    }

    /// A number for all that the rest of the run depends on.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        let half = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            seed.hash(&mut hasher);
            self.state.write(&mut hasher);
            self.pending.hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(1) << 64 | half(2)
    }

    /// Takes one edge, if some thread has an enabled one.
    pub fn step(&mut self, chooser: &mut dyn Chooser) -> Option<Outcome> {
        if self.steps == 0
            && let Some(outcome) = self.return_from(ThreadId::new(0))
        {
            return Some(outcome);
        }
        if self.state.threads.len() == 1 {
            let only = ThreadId::new(0);
            return match self.choose_edge(only, chooser) {
                Some(edge) => self.take(only, edge, chooser),
                None => Some(Outcome::Stuck),
            };
        }
        let mut threads = self.candidates();
        while !threads.is_empty() {
            let position = if threads.len() == 1 { 0 } else { chooser.thread(&threads) };
            let thread = threads.remove(position);
            if let Some(edge) = self.choose_edge(thread, chooser) {
                return self.take(thread, edge, chooser);
            }
        }
        Some(Outcome::Stuck)
    }

    /// Threads that may move: those that have not ended, or the one in an atomic section.
    fn candidates(&self) -> Vec<ThreadId> {
        if let Some(owner) = self.state.atomic {
            return vec![owner];
        }
        let alive = |thread: &ThreadId| !self.state.threads[*thread].activations.is_empty();
        self.state.threads.ids().filter(alive).collect()
    }

    fn choose_edge(&mut self, thread: ThreadId, chooser: &mut dyn Chooser) -> Option<EdgeId> {
        let (procedure, location) = self.location(thread)?;
        let code = self.code;
        let mut enabled = std::mem::take(&mut self.enabled);
        enabled.clear();
        for &edge in &code.procedures[procedure].outgoing[location] {
            if self.guard(thread, &code.procedures[procedure].edges[edge], chooser) {
                enabled.push(edge);
            }
        }
        let chosen = match enabled.len() {
            0 | 1 => enabled.first().copied(),
            _ => Some(enabled[chooser.edge(procedure, &enabled)]),
        };
        self.enabled = enabled;
        chosen
    }

    fn guard(&mut self, thread: ThreadId, edge: &EdgeCode, chooser: &mut dyn Chooser) -> bool {
        let Some(guard) = edge.guard else { return true };
        self.draw(edge, edge.guard_inputs, chooser);
        let mut context = self.context(thread, edge, chooser);
        context.execute(edge, 0..edge.guard_end);
        context.registers[guard as usize] == 1
    }

    /// Makes sure that the first inputs of the edge are known.
    fn draw(&mut self, edge: &EdgeCode, count: usize, chooser: &mut dyn Chooser) {
        let program = self.code.program;
        for (position, input) in edge.inputs[..count].iter().enumerate() {
            let unknowns = &mut self.state.unknowns;
            let value = self.pending.value(input.class, input.occurrence, || {
                if layout::is_array(program, input.symbol) {
                    return unknowns.fresh(input.symbol) as u128;
                }
                let width = layout::width(program, input.symbol);
                let role = &program.variables[input.symbol].role;
                chooser.input(input.symbol, role, width) & mask(width)
            });
            self.input_values[edge.first_input + position] = value;
        }
    }

    fn context<'a>(
        &'a mut self,
        thread: ThreadId,
        edge: &EdgeCode,
        chooser: &'a mut dyn Chooser,
    ) -> Context<'a> {
        let State { globals, threads, unknowns, .. } = &mut self.state;
        let Thread { activations, values } = &mut threads[thread];
        let activation = activations.last().expect("a thread that has not ended");
        Context {
            program: self.code.program,
            global_frame: &self.code.layout.globals,
            local_frame: &self.code.layout.frames[activation.procedure],
            globals,
            locals: values,
            base: activation.base,
            unknowns,
            inputs: &self.input_values[edge.first_input..],
            registers: &mut self.registers[edge.first_register..],
            chooser,
        }
    }

    /// Takes an edge whose guard was evaluated and holds.
    fn take(&mut self, thread: ThreadId, id: EdgeId, chooser: &mut dyn Chooser) -> Option<Outcome> {
        let (procedure, _) = self.location(thread).expect("a thread that has not ended");
        let code = self.code;
        let edge = &code.procedures[procedure].edges[id];
        self.draw(edge, edge.inputs.len(), chooser);
        self.record(Step { thread, procedure, edge: id }, edge);
        if let Some(property) = code.program.procedures[procedure].edges[id].property {
            return Some(Outcome::Violated(property));
        }
        let first = edge.guard.map_or(0, |_| edge.guard_end);
        let mut context = self.context(thread, edge, chooser);
        context.execute(edge, first..edge.instructions.len());
        let arrays = context.new_arrays(edge);
        match edge.effect {
            Effect::Nothing => context.assign(edge, arrays),
            Effect::Call(callee) => {
                self.call(thread, id, callee, edge, arrays);
                return self.return_from(thread);
            }
            Effect::Start(callee) => self.start(callee, edge, arrays),
            Effect::AtomicBegin => self.enter_atomic(thread),
            Effect::AtomicEnd => self.leave_atomic(),
            Effect::End => return Some(Outcome::End),
            Effect::Unsupported => return Some(Outcome::Unsupported(procedure, id)),
        }
        self.state.threads[thread].activations.last_mut().expect("an activation").location = edge.to;
        self.return_from(thread)
    }
}
