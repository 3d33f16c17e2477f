//! Coverability of nets: can a run reach at least the tokens of a target?

mod bounded;

use crate::engine::Run;
use crate::ground::event::Statistics;
use crate::ground::reason::{Assurance, Reason, Stop};
use crate::system::net::{Net, NetTrace};

/// How coverability is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Chosen by what the net uses.
    Auto,
    /// The forward search alone.
    KarpMiller,
    /// The backward search alone.
    Backward,
}

/// The answer about the targets of a net, and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetAnswers {
    /// The answer.
    pub answer: NetAnswer,
    /// How far it can be trusted.
    pub assurance: Assurance,
    /// Figures of the run.
    pub statistics: Statistics,
}

/// The answer about the targets of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetAnswer {
    /// No run covers any of them.
    Uncoverable,
    /// This run covers one.
    Covered(NetTrace),
    /// Neither is known.
    Unknown(Reason),
}

/// Decides whether a target of a net can be covered.
///
/// # Errors
/// A [`Stop`] when a limit was reached before there was an answer.
pub fn decide(net: &Net, _: Method, run: Run<'_>) -> Result<NetAnswers, Stop> {
    bounded::search(net, run)
}
