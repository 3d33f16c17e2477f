//! Why there is no verdict, and under which assumptions there is one.

use std::fmt;

/// Why a run stopped before it was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The deadline passed.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The user asked to stop.
    Interrupted,
    /// A bound of our own was reached; the text completes "unknown (…)".
    Bound(String),
}

/// Why a property has no verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The run was stopped.
    Stopped(Stop),
    /// The input uses what the engine cannot decide; the text names it.
    Unsupported(String),
    /// Threads call these procedures recursively, the last one the first: undecidable in general.
    Recursion(Vec<String>),
    /// A counterexample could not be replayed: a defect of ours, never reported as a violation.
    ReplayMismatch(String),
}

impl From<Stop> for Reason {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout => f.write_str("timeout"),
            Self::Memory => f.write_str("memory"),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Bound(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => stop.fmt(f),
            Self::Unsupported(text) => f.write_str(text),
            Self::Recursion(cycle) => write!(f, "threads and recursion: {}", cycle.join(" → ")),
            Self::ReplayMismatch(text) => write!(f, "replay mismatch: {text}"),
        }
    }
}

/// Something a verdict rests on that was not checked.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assumption {
    /// At most this many threads run at a time.
    AtMostThreads(usize),
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMostThreads(1) => f.write_str("at most 1 thread at a time"),
            Self::AtMostThreads(n) => write!(f, "at most {n} threads at a time"),
        }
    }
}

/// How far a result can be trusted. Assurances of the steps of a run are and-combined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assurance {
    /// No behaviour was left out: "holds" may be said.
    pub sound: bool,
    /// No behaviour was added: "violated" may be said.
    pub precise: bool,
    /// What the result rests on, sorted and without repetition.
    pub assumptions: Vec<Assumption>,
}

impl Assurance {
    /// Sound and precise, without assumptions.
    #[must_use]
    pub fn exact() -> Self {
        Self { sound: true, precise: true, assumptions: Vec::new() }
    }

    /// With one more assumption.
    #[must_use]
    pub fn assuming(mut self, assumption: Assumption) -> Self {
        if let Err(position) = self.assumptions.binary_search(&assumption) {
            self.assumptions.insert(position, assumption);
        }
        self
    }

    /// What holds of two steps in a row.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        let both = Self { sound: self.sound && other.sound, precise: self.precise && other.precise, ..self };
        other.assumptions.iter().cloned().fold(both, Self::assuming)
    }
}
