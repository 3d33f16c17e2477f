//! How a run ended, and what it did.

use super::choices::ChoiceError;
use crate::ground::reason::Stop;
use crate::ir::Place;
use crate::ir::undefined::Fault;

/// A place of the program, in the words of C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The thread; the first one is 0.
    pub thread: u32,
    /// The function.
    pub function: String,
    /// The line.
    pub place: Option<Place>,
}

/// A fault that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultReport {
    /// What kind.
    pub fault: Fault,
    /// What happened, in words: "`buffer` has 4 bytes, and byte 4 is read".
    pub text: String,
    /// Where.
    pub location: Location,
    /// Where else: the other threads that wait in a deadlock.
    pub others: Vec<Location>,
}

/// A bound of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Too many steps.
    Steps,
    /// Calls nest too deeply.
    Stack,
    /// Objects take too many bytes.
    Memory,
    /// Too many threads were started.
    Threads,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// `main` returned, or `exit`: the code, 0 to 255.
    Exit(u8),
    /// `abort`, or a trap.
    Abort,
    /// An assertion failed: its text.
    AssertionFailed(String),
    /// This error function was called, or this label reached.
    ErrorReached(String),
    /// A fault that is checked.
    Fault(FaultReport),
    /// A fault that is not checked but has no sensible continuation: what holds is that it did not happen.
    Stopped(FaultReport),
    /// The environment was assumed not to do this: the run does not count.
    AssumptionFailed,
    /// Something that is not modelled was reached; the text completes "unsupported: …".
    Unsupported(String),
    /// A bound of the machine was reached.
    Bound(Bound),
    /// No thread can go on: where each of them waits.
    Deadlock(Vec<(Location, String)>),
    /// We were told to stop.
    Interrupted(Stop),
    /// The list of choices does not fit.
    Choices(ChoiceError),
}

impl End {
    /// One word for it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exit(_) => "exit",
            Self::Abort => "abort",
            Self::AssertionFailed(_) => "assertion failed",
            Self::ErrorReached(_) => "error reached",
            Self::Fault(_) => "fault",
            Self::Stopped(_) => "stopped",
            Self::AssumptionFailed => "assumption failed",
            Self::Unsupported(_) => "unsupported",
            Self::Bound(_) => "bound",
            Self::Deadlock(_) => "deadlock",
            Self::Interrupted(_) => "interrupted",
            Self::Choices(_) => "choices",
        }
    }

    /// Whether the run violated a property: an assertion, an error function, a fault that is checked.
    #[must_use]
    pub fn is_violation(&self) -> bool {
        matches!(self, Self::AssertionFailed(_) | Self::ErrorReached(_) | Self::Fault(_))
    }
}

/// What happened in a step that is worth showing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A variable got a value.
    Store {
        /// `list->next`, `a[3]`.
        target: String,
        /// `5`, `&buffer[2]`.
        value: String,
    },
    /// A function was called.
    Call {
        /// Its name.
        function: String,
        /// The arguments' values.
        arguments: Vec<String>,
    },
    /// A function returned.
    Return {
        /// Its name.
        function: String,
        /// What it returned.
        value: Option<String>,
    },
    /// Something was chosen: "input int", and the value.
    Choice {
        /// What.
        what: String,
        /// The value.
        value: String,
    },
    /// The program wrote this.
    Output(String),
    /// A fault that is not checked.
    Fault(FaultReport),
}

/// A step of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// Where.
    pub location: Location,
    /// How deep calls nest there, from 1.
    pub depth: usize,
    /// What happened.
    pub event: Event,
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunOutcome {
    /// How it ended.
    pub end: End,
    /// Where it ended.
    pub location: Location,
    /// The calls that were open there, innermost first.
    pub stack: Vec<Location>,
    /// Faults that are not checked and did not end the run; each place once.
    pub noted: Vec<FaultReport>,
    /// What it wrote to its standard output.
    pub output: Vec<u8>,
    /// What it wrote to its standard error.
    pub errors: Vec<u8>,
    /// How many instructions were run.
    pub steps: u64,
    /// How many threads there were.
    pub threads: usize,
    /// What happened, if that was asked for.
    pub trace: Vec<TraceStep>,
}
