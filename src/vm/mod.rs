//! The machine: runs [`ir`](crate::ir) directly, in the spirit of DiVM \[RČB18\].
//!
//! It is independent of the lowering to terms, and the judge of every counterexample. Memory is a graph of objects, an
//! address is an object and an offset, and whatever a run does not determine itself is drawn from one list of
//! [`choices`]: inputs, uninitialised bytes, addresses where a program observes them, the schedule. Faults are those
//! of the table in [`ir::undefined`](crate::ir::undefined), always noticed; the settings say which of them end a run.
//!
//! Threads switch before accesses to objects that others can reach and before synchronisation, nowhere else; memory is
//! sequentially consistent, and a copy of several bytes is one step.
//!
//! `decode` turns a module into code once; `run` has the state of a run and the operations on it; `instruction` and
//! `builtin` are what instructions and functions of the library do, written in these operations.

mod arithmetic;
mod builtin;
pub mod choices;
mod code;
mod decode;
mod entry;
pub mod exact;
pub mod explore;
mod fingerprint;
mod instruction;
mod memory;
mod names;
pub mod outcome;
mod outside;
mod print;
mod race;
mod range;
mod render;
mod run;
pub mod state;
mod trace;
mod value;

#[cfg(test)]
mod tests;

pub use choices::{ChoiceError, Chooser, Chosen, Given, Random, Recorder, Zeros};
pub use outcome::{Bound, End, Event, FaultReport, Location, RunOutcome, TraceStep};

use crate::ground::limits::Limits;
use crate::ir::undefined::Fault;
use crate::ir::{ERROR_FUNCTIONS, Module};
use code::Image;
use std::collections::BTreeSet;

/// What a call of a function does that nobody defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Undefined {
    /// The run ends: nobody knows.
    #[default]
    Unknown,
    /// It returns anything, and changes what it gets at.
    Havoc,
    /// It returns anything, and does nothing else.
    Pure,
}

/// Whether an allocation may fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Allocation {
    /// Never.
    #[default]
    Succeeds,
    /// That is a choice.
    MayFail,
}

/// Whether the machine may settle by itself what the C standard or the environment leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Exactness {
    /// It does what is usual.
    #[default]
    Usual,
    /// Such a run ends as unsupported: a run that ends otherwise and has asked nothing is the only one ([`exact`]).
    Strict,
    /// So it is for runs in [steps](state), which take all choices of threads into account.
    Explored,
}

/// Whether a run writes down what happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tracing {
    /// No.
    #[default]
    Off,
    /// Yes.
    On,
}

/// How a program is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Faults that end a run as violations.
    pub checks: BTreeSet<Fault>,
    /// What undefined functions do.
    pub undefined: Undefined,
    /// Whether allocations may fail.
    pub allocation: Allocation,
    /// Functions that must not be called.
    pub error_functions: BTreeSet<String>,
    /// Labels that must not be reached.
    pub error_labels: BTreeSet<String>,
    /// The function that is run.
    pub entry: String,
    /// How many instructions.
    pub steps: u64,
    /// How many calls may nest.
    pub depth: usize,
    /// How many threads may be started, the first one included.
    pub threads: usize,
    /// How many bytes all objects may take.
    pub memory: u64,
    /// Whether to write down what happens.
    pub tracing: Tracing,
    /// Whether the machine may settle what is open.
    pub exactness: Exactness,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            checks: BTreeSet::new(),
            undefined: Undefined::default(),
            allocation: Allocation::default(),
            error_functions: ERROR_FUNCTIONS.iter().map(|&name| name.to_owned()).collect(),
            error_labels: BTreeSet::new(),
            entry: "main".to_owned(),
            steps: 1_000_000_000,
            depth: 20_000,
            threads: 1_000,
            memory: 1 << 30,
            tracing: Tracing::default(),
            exactness: Exactness::default(),
        }
    }
}

/// A program, ready to run any number of times.
pub struct Machine<'m> {
    module: &'m Module,
    settings: Settings,
    image: Image,
}

impl<'m> Machine<'m> {
    /// Prepares a program.
    #[must_use]
    pub fn new(module: &'m Module, settings: Settings) -> Self {
        let image = decode::decode(module, &settings);
        Self { module, settings, image }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether races are looked for.
    #[must_use]
    pub fn looks_for_races(&self) -> bool {
        race::is_asked(&self.settings)
    }

    /// The program.
    #[must_use]
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// Runs the program from its start.
    pub fn run(&mut self, chooser: &mut dyn Chooser, limits: &Limits) -> RunOutcome {
        run::Run::new(self.module, &self.image, &self.settings, chooser, limits).run()
    }
}
