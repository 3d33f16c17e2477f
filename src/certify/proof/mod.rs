//! Proofs of properties of C programs, checked again.
//!
//! A proof is an invariant: for each location of each procedure a set of valuations of predicates, now and when the
//! procedure was entered. It proves properties if no run leaves it and no violation is in it. That is checked on the
//! program itself, edge by edge, by Z3: whatever state satisfies the invariant before an edge satisfies it behind the
//! edge. So neither the Boolean program nor the engine that explored it has to be trusted, and where the invariant
//! comes from does not matter. What is trusted: the program model, the terms of the predicates, and Z3.
//!
//! | file | what |
//! |---|---|
//! | `invariant` | sets of valuations as decision diagrams |
//! | `written` | what procedures may write |
//! | `formula` | the invariant as terms over the state |
//! | `calls` | the states that meet at a call: of the caller, at the entry and at the exit of the callee |
//! | `obligations` | what has to be proven of each edge |
//!
//! Deliberately absent: threads. Programs that start some are a matter of [`threads`](super::threads).

mod calls;
mod formula;
mod invariant;
mod obligations;
#[cfg(test)]
mod tests;
mod written;

pub(crate) use invariant::Decision;
pub use invariant::{Atom, DecisionId, Invariant};
pub use written::Written;

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::Precision;
use crate::program::{Program, PropertyId};
use obligations::Checker;
pub(super) use obligations::place;
use std::collections::BTreeSet;

/// What is to be checked: that these properties hold, by this invariant.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The program.
    pub program: &'a Program,
    /// What the predicates of the invariant say. Nothing else of it counts.
    pub precision: &'a Precision,
    /// The invariant.
    pub invariant: &'a Invariant,
    /// The properties.
    pub properties: &'a BTreeSet<PropertyId>,
}

/// What came of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certificate {
    /// The proof stands: so many steps were checked, with so many queries.
    Certified {
        /// Steps: the start, edges, entries and returns of calls.
        steps: u64,
        /// Queries to the solver; what is obvious needs none.
        queries: u64,
    },
    /// The proof does not stand: where, and why.
    Rejected(String),
    /// The check was not finished.
    Stopped(Stop),
}

/// Why a check ends early.
enum Failure {
    Rejected(String),
    Stopped(Stop),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Checks a proof.
#[must_use]
pub fn check_proof(claim: Claim<'_>, limits: &Limits) -> Certificate {
    let mut checker = Checker::new(claim, limits);
    match checker.check() {
        Ok(()) => Certificate::Certified { steps: checker.steps(), queries: checker.queries() },
        Err(Failure::Rejected(why)) => Certificate::Rejected(why),
        Err(Failure::Stopped(stop)) => Certificate::Stopped(stop),
    }
}
