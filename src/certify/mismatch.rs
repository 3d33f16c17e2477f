//! Why a trace is not a run of the program.

use crate::boolean::trace::SegmentId;
use crate::ground::index::Index;
use std::fmt;

/// Where in a trace something is wrong. Steps are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The first view.
    Initial,
    /// A step of the trace.
    Step(usize),
    /// The first view of a segment.
    SegmentInitial(SegmentId),
    /// A step of a segment.
    SegmentStep(SegmentId, usize),
    /// The end of a segment.
    SegmentEnd(SegmentId),
    /// The end of the trace, where the violation should be.
    End,
}

/// Why a trace is not a run of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initial => f.write_str("at the start"),
            Self::Step(step) => write!(f, "in step {step}"),
            Self::SegmentInitial(segment) => write!(f, "at the start of segment {}", segment.index()),
            Self::SegmentStep(segment, step) => write!(f, "in step {step} of segment {}", segment.index()),
            Self::SegmentEnd(segment) => write!(f, "at the end of segment {}", segment.index()),
            Self::End => f.write_str("at the end"),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for Mismatch {}
