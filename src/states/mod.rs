//! All states of a C program, explicitly: the machine makes every step of every thread from every state \[Roc15, RČB18\].
//!
//! Steps, and the canonical form of states, are the machine's ([`vm::state`](crate::vm::state)). Here they are
//! searched breadth first, so that the first violation is one with the fewest steps. What a step asks has all answers, or
//! else the result is not complete, and says why. A complete search that met no violation shows that there is none.
//!
//! | file | what |
//! |---|---|
//! | `store` | the states that were seen, compressed |
//! | `expand` | the steps from a state; several workers share them out |
//! | `search` | breadth first, in batches; how far, and why no further |
//! | `ends` | how runs end: the table, and a run for each row |
//! | `recheck` | the second pass: every step from a stored state leads to a stored state |
//! | `dot` | small state spaces as graphs |
//!
//! Deviations. Reductions are those of DIVINE (τ, τ+, what only one thread can reach), with a bound on invisible
//! loops. Numbers of states are given in the order in which batches are put together, whoever worked them out, so results
//! do not depend on the number of workers.

mod dot;
mod ends;
mod expand;
mod recheck;
mod search;
mod store;
#[cfg(test)]
mod tests;

pub use dot::dot;
pub use ends::{Ended, Found};
pub use recheck::Recheck;
pub use search::{Explored, Incomplete, explore};

use crate::vm::state::{Answers, Cut};

/// How to explore.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where steps end, and what a state is.
    pub cut: Cut,
    /// Which answers are tried.
    pub answers: Answers,
    /// At most so many states.
    pub states: usize,
    /// At most so many bytes of states.
    pub bytes: usize,
    /// So many workers.
    pub workers: usize,
    /// Whether the first violation ends the search.
    pub stop_at_first: bool,
    /// Whether the search ends as soon as it is known that it will not be complete.
    pub only_complete: bool,
    /// Whether there is a second pass, if the first one is complete.
    pub recheck: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cut: Cut::default(),
            answers: Answers::All(256),
            states: usize::MAX,
            bytes: usize::MAX,
            workers: 1,
            stop_at_first: false,
            only_complete: false,
            recheck: true,
        }
    }
}
