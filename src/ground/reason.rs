//! Why there is no verdict.

use super::fault::Fault;
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
    /// Loops and recursive calls were unrolled this often, and there may be runs that need more.
    BoundedTo {
        /// How often a loop.
        unrollings: u64,
        /// How deep recursive calls.
        nesting: u64,
    },
    /// The input uses what the engine cannot decide; the text names it.
    Unsupported(String),
    /// A run may get to something that the program model does not have.
    NotModelled {
        /// What it is.
        what: String,
        /// Where, as `file:line`.
        place: Option<String>,
    },
    /// A fault that was asked for is not looked for everywhere.
    NotCovered {
        /// Which fault.
        fault: Fault,
        /// What is not looked at.
        what: &'static str,
        /// Where, as `file:line`.
        place: Option<String>,
    },
    /// Threads call these procedures recursively, the last one the first: undecidable in general.
    Recursion(Vec<String>),
    /// Nothing refines the abstraction any further; why, if that is known.
    NoProgress(Option<String>),
    /// Another property is violated, and only the first violation was asked for.
    FirstViolationOnly,
    /// The solver has no answer; its words.
    SolverGaveUp(String),
    /// The program model has a run that the machine does not make: a model may be coarser than the program.
    ReplayMismatch(String),
    /// Boolero is wrong.
    Defect(Defect),
}

/// What is wrong with Boolero: an invariant of ours does not hold. It is told as unknown, never as a verdict, and the process
/// ends with the exit code of internal errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defect {
    /// An engine's counterexample is no run of the Boolean program or net that it was given.
    ReplayMismatch(String),
    /// The abstraction is no well-formed Boolean program; what is wrong with it.
    MalformedAbstraction(String),
    /// The abstract counterexample is no path through the program.
    NoPath(String),
    /// A proof did not stand when it was checked again.
    CertificateRejected(String),
    /// A panic.
    Panic,
}

impl From<Defect> for Reason {
    fn from(defect: Defect) -> Self {
        Self::Defect(defect)
    }
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
            Self::BoundedTo { unrollings, nesting } => {
                write!(f, "bounded to {unrollings} unrollings and {nesting} nested calls")
            }
            Self::Unsupported(text) | Self::SolverGaveUp(text) => f.write_str(text),
            Self::FirstViolationOnly => f.write_str("the search stopped at the first violation"),
            Self::NotModelled { what, place } => write!(f, "unsupported: {what}{}", At(place)),
            Self::NotCovered { fault, what, place } => {
                let name = fault.name();
                write!(f, "faults of kind {name} are not looked for everywhere: {what}{}", At(place))
            }
            Self::Recursion(cycle) => write!(f, "threads and recursion: {}", cycle.join(" → ")),
            Self::NoProgress(None) => f.write_str("no progress"),
            Self::NoProgress(Some(why)) => write!(f, "no progress: {why}"),
            Self::ReplayMismatch(text) => write!(f, "replay mismatch: {text}"),
            Self::Defect(defect) => defect.fmt(f),
        }
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReplayMismatch(text) => write!(f, "replay mismatch: {text}"),
            Self::MalformedAbstraction(text) => write!(f, "the abstraction is no program: {text}"),
            Self::NoPath(text) => f.write_str(text),
            Self::CertificateRejected(why) => write!(f, "certificate rejected: {why}"),
            Self::Panic => f.write_str("internal error"),
        }
    }
}

/// A place in words, if there is one.
struct At<'a>(&'a Option<String>);

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|place| write!(f, " at {place}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_complete_the_word_unknown() {
        let place = || Some("a.c:3".to_owned());
        let (what, fault) = ("copies of computed length", Fault::Race);
        for (reason, text) in [
            (Stop::Bound("40 iterations".to_owned()).into(), "40 iterations"),
            (
                Reason::NotModelled { what: "floats".to_owned(), place: place() },
                "unsupported: floats at a.c:3",
            ),
            (Reason::NotModelled { what: "floats".to_owned(), place: None }, "unsupported: floats"),
            (
                Reason::NotCovered { fault, what, place: place() },
                "faults of kind race are not looked for everywhere: copies of computed length at a.c:3",
            ),
            (Reason::BoundedTo { unrollings: 8, nesting: 4 }, "bounded to 8 unrollings and 4 nested calls"),
            (Reason::NoProgress(None), "no progress"),
            (Reason::NoProgress(Some("the loop".to_owned())), "no progress: the loop"),
            (Reason::Recursion(vec!["f".to_owned(), "g".to_owned()]), "threads and recursion: f → g"),
            (Reason::ReplayMismatch("exit".to_owned()), "replay mismatch: exit"),
            (Defect::ReplayMismatch("exit".to_owned()).into(), "replay mismatch: exit"),
            (Defect::CertificateRejected("step 1".to_owned()).into(), "certificate rejected: step 1"),
            (Defect::Panic.into(), "internal error"),
        ] {
            assert_eq!(reason.to_string(), text);
        }
    }
}
