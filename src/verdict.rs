//! Verdicts: what a run found out about each property.

use crate::boolean::cfg::PropertyId;
use crate::ground::event::Statistics;
use crate::ground::exit::Exit;
use crate::ground::reason::{Assurance, Reason, Stop};
use crate::trace::Trace;
use std::fmt;

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
    /// Why, in a few words.
    pub why: &'static str,
    /// Figures of the run.
    pub statistics: Statistics,
}

/// What the verdicts on all properties come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Overall {
    /// Every property holds.
    Holds,
    /// A property is violated.
    Violated,
    /// None is violated; this is why the first undecided one is undecided.
    Unknown(Reason),
}

impl Outcome {
    /// The verdicts combined: any violated, else any unknown, else holds.
    #[must_use]
    pub fn overall(&self) -> Overall {
        let verdicts = || self.verdicts.iter().map(|(_, verdict)| verdict);
        let violated = verdicts().any(|verdict| matches!(verdict, Verdict::Violated(_)));
        let unknown = verdicts().find_map(|verdict| match verdict {
            Verdict::Unknown(reason) => Some(reason.clone()),
            _ => None,
        });
        Overall::of(violated, unknown)
    }
}

impl Overall {
    /// Whether something is violated, and why something is unknown.
    #[must_use]
    pub fn of(violated: bool, unknown: Option<Reason>) -> Self {
        match (violated, unknown) {
            (true, _) => Self::Violated,
            (false, Some(reason)) => Self::Unknown(reason),
            (false, None) => Self::Holds,
        }
    }

    /// How the process ends.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Holds => Exit::Holds,
            Self::Violated => Exit::Violated,
            Self::Unknown(Reason::Stopped(Stop::Interrupted)) => Exit::Interrupted,
            Self::Unknown(_) => Exit::Unknown,
        }
    }
}

impl fmt::Display for Overall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds => f.write_str("holds"),
            Self::Violated => f.write_str("violated"),
            Self::Unknown(reason) => write!(f, "unknown ({reason})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::bits::Bits;
    use crate::ground::index::{Index, IndexVec};
    use crate::trace::View;

    fn outcome(verdicts: Vec<Verdict>) -> Outcome {
        let verdicts = verdicts.into_iter().enumerate().map(|(n, verdict)| (PropertyId::new(n), verdict));
        let (assurance, statistics) = (Assurance::exact(), Statistics::default());
        Outcome { verdicts: verdicts.collect(), assurance, engine: "none", why: "", statistics }
    }

    fn violated() -> Verdict {
        let initial = View { node: None, globals: Bits::new(0), locals: Bits::new(0) };
        let (property, segments) = (PropertyId::new(0), IndexVec::new());
        Verdict::Violated(Box::new(Trace { property, thread: 0, initial, steps: Vec::new(), segments }))
    }

    #[test]
    fn violations_come_before_unknowns_before_holds() {
        let unknown = || Verdict::Unknown(Stop::Timeout.into());
        assert_eq!(outcome(vec![]).overall(), Overall::Holds);
        assert_eq!(outcome(vec![Verdict::Holds, Verdict::Holds]).overall(), Overall::Holds);
        assert_eq!(outcome(vec![unknown(), violated(), Verdict::Holds]).overall(), Overall::Violated);
        let undecided =
            outcome(vec![Verdict::Holds, unknown(), Verdict::Unknown(Stop::Memory.into())]).overall();
        assert_eq!(undecided.to_string(), "unknown (timeout)");
        assert_eq!(undecided.exit(), Exit::Unknown);
        let interrupted = outcome(vec![Verdict::Unknown(Stop::Interrupted.into())]).overall();
        assert_eq!(interrupted.exit(), Exit::Interrupted);
    }
}
