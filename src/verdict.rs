//! Verdicts: what a run found out about each property.

use crate::boolean::cfg::PropertyId;
use crate::ground::event::Statistics;
use crate::ground::reason::{Assurance, Reason};
use crate::trace::Trace;

/// What an engine answers about one property. A reachable error is not yet a violation: its trace must
/// be replayed first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// No run violates the property.
    Unreachable,
    /// This run violates the property.
    Reachable(Box<Trace>),
    /// No answer.
    Unknown(Reason),
}

/// The verdict on one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The property holds in every run.
    Holds,
    /// The run, which was replayed, violates it.
    Violated(Box<Trace>),
    /// Neither is known.
    Unknown(Reason),
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The checked properties in source order, each with its verdict.
    pub verdicts: Vec<(PropertyId, Verdict)>,
    /// How far the verdicts can be trusted.
    pub assurance: Assurance,
    /// The engine that was used.
    pub engine: &'static str,
    /// Figures of the run.
    pub statistics: Statistics,
}
