//! Why there is no verdict.

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
    /// A search ended without a violation, and it had left runs out.
    NotEveryRun,
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
            Self::NotEveryRun => f.write_str("not every run was looked at"),
            Self::Unsupported(text) => f.write_str(text),
            Self::Recursion(cycle) => write!(f, "threads and recursion: {}", cycle.join(" → ")),
            Self::ReplayMismatch(text) => write!(f, "replay mismatch: {text}"),
        }
    }
}
