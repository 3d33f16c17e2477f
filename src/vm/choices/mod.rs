//! Choices: everything that a run does not determine itself.
//!
//! Inputs, uninitialised bytes, failing allocations, addresses where a program observes them, results of functions
//! nobody defined, and the schedule are drawn one after the other from a [`Chooser`]. A run *is* the list of what was
//! chosen: given the same list ([`Given`]) it happens again.

pub mod choosers;
pub mod format;

pub use choosers::{Given, Random, Recorder, Zeros};

use crate::ir::Place;
use std::fmt;

/// What is chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChoiceKind {
    /// An input of the program: `__VERIFIER_nondet_int`, `rand`, …. The name is the type.
    Input,
    /// Bytes of an object that nobody initialised; the name is the object's.
    Uninitialised,
    /// `undef`, `poison`, the result of an over-wide shift.
    Undefined,
    /// What an undefined function returns, or leaves in memory; the name is the function's or the object's.
    Result,
    /// Whether an allocation fails: 1 if so.
    Allocation,
    /// The address of an object.
    Address,
    /// The thread that runs next.
    Thread,
    /// Which waiting thread a signal wakes; whether one wakes by itself (1).
    Wake,
    /// Whether a weak exchange fails without a reason: 1 if so.
    Exchange,
}

/// All kinds.
pub const KINDS: [ChoiceKind; 9] = [
    ChoiceKind::Input,
    ChoiceKind::Uninitialised,
    ChoiceKind::Undefined,
    ChoiceKind::Result,
    ChoiceKind::Allocation,
    ChoiceKind::Address,
    ChoiceKind::Thread,
    ChoiceKind::Wake,
    ChoiceKind::Exchange,
];

impl ChoiceKind {
    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Uninitialised => "uninitialised",
            Self::Undefined => "undefined",
            Self::Result => "result",
            Self::Allocation => "allocation",
            Self::Address => "address",
            Self::Thread => "thread",
            Self::Wake => "wake",
            Self::Exchange => "exchange",
        }
    }
}

/// From what is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// All numbers of so many bits.
    Bits(u32),
    /// One of these.
    Among(Vec<u64>),
    /// An address that is a multiple of `align`; `suggestion` and what follows it is free.
    Address {
        /// An address that surely fits.
        suggestion: u64,
        /// Alignment.
        align: u64,
    },
}

impl Domain {
    /// Whether a value lies in it. Addresses are checked by the machine, which knows the others.
    #[must_use]
    pub fn contains(&self, value: u128) -> bool {
        match self {
            Self::Bits(bits) => *bits >= 128 || value >> bits == 0,
            Self::Among(values) => values.iter().any(|&one| u128::from(one) == value),
            Self::Address { .. } => u64::try_from(value).is_ok(),
        }
    }
}

/// A question to the chooser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What is chosen.
    pub kind: ChoiceKind,
    /// For whom: a type, an object, a function; may be empty.
    pub name: String,
    /// From what.
    pub domain: Domain,
    /// Where in C.
    pub place: Option<Place>,
    /// Which bytes of memory it is for, if it is for any.
    pub spot: Option<Spot>,
}

/// Where the bytes lie that a choice is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The number of the object, as in [`Chooser::allocates`].
    pub object: usize,
    /// What C calls the object.
    pub name: String,
    /// The offset of the first byte.
    pub offset: u64,
    /// Where the object lies, if it is memory from outside.
    pub address: Option<u64>,
}

/// What was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// What was chosen.
    pub kind: ChoiceKind,
    /// For whom.
    pub name: String,
    /// The value, zero-extended.
    pub value: u128,
    /// Its width in bits; 0 where it is not a number of bits.
    pub bits: u32,
    /// Where in C.
    pub place: Option<Place>,
}

impl Chosen {
    /// An answer to a question.
    #[must_use]
    pub fn new(choice: &Choice, value: u128) -> Self {
        let bits = if let Domain::Bits(bits) = choice.domain { bits } else { 0 };
        Self { kind: choice.kind, name: choice.name.clone(), value, bits, place: choice.place }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceError {
    /// The number of the choice, from 1 (of the line, where a file is read); 0 if it is not known.
    pub number: usize,
    /// What is wrong.
    pub text: String,
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.number == 0 {
            f.write_str(&self.text)
        } else {
            write!(f, "choice {}: {}", self.number, self.text)
        }
    }
}

impl std::error::Error for ChoiceError {}

/// Answers the questions of a run.
pub trait Chooser {
    /// The answer to a question.
    ///
    /// # Errors
    /// If there is none: a list has ended, or does not fit the run.
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError>;

    /// A local variable begins again: what it is asked for from now on is its new value.
    fn begins(&mut self, _name: &str) {}

    /// Code from outside has changed memory: what it is asked for from now on are the new contents.
    fn changes(&mut self) {}

    /// The heap gives out an object, in this line of C.
    fn allocates(&mut self, _object: usize, _line: Option<u32>) {}

    /// The scheduler is about to look who can go on. Until now this thread ran; so many instructions were done so far.
    fn reached(&mut self, _thread: u32, _instructions: u64) {}

    /// Whether it wants to know where the run has come to, now.
    fn looks_back(&self) -> bool {
        false
    }

    /// The scheduler is about to choose; the number stands for all that the rest of the run depends on.
    ///
    /// # Errors
    /// If the rest of the run is of no interest.
    fn pass(&mut self, _state: u128) -> Result<(), ChoiceError> {
        Ok(())
    }
}
