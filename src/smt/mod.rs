//! Satisfiability of terms: the only place that names Z3.
//!
//! A [`Solver`] belongs to one store, which is passed to every call, so that terms can be built between queries. It
//! translates each term once, keeps assertions on a stack, and answers queries under assumptions with a model or a core.
//! The `z3` crate keeps one context per thread; solvers of one thread share it, and nothing of Z3 leaves this module:
//! a [`Model`] is plain values of symbols.
//!
//! A result says what a query had: results of queries may be kept by whoever asks them, keyed by the ids of assertions and
//! assumptions, which are canonical within a store.

mod doctor;
mod float;
mod lookup;
mod mode;
mod model;
mod once;
mod profile;
mod solver;
mod translate;
mod watch;

#[cfg(test)]
mod tests;

pub use doctor::{check_version, self_test, version};
pub use mode::{Kind, Mode};
pub use model::Model;
pub use profile::{Profile, Profiles, profiles, since};
pub use solver::{Budget, Solver, Statistics};

use crate::term::Term;

/// The answer to a query.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There are values for the symbols that satisfy assertions and assumptions.
    Sat(Model),
    /// There are none.
    Unsat {
        /// The assumptions that are enough for that, in the order in which they were given; perhaps not the fewest.
        core: Vec<Term>,
    },
    /// The solver gave up; why.
    Unknown(String),
}

impl Answer {
    /// Whether there is a model.
    #[must_use]
    pub fn is_sat(&self) -> bool {
        matches!(self, Self::Sat(_))
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_unsat(&self) -> bool {
        matches!(self, Self::Unsat { .. })
    }
}
