//! Proofs of properties of C programs with threads, checked again.
//!
//! A proof is a relation for each edge of the program: which values of predicates may be behind a step if these were before
//! it, in the thread that makes the step and in any other. Two things are shown of it. First, with Z3, that every step
//! of the program has its abstract step, whatever state it starts from: for the thread that moves, and for one
//! arbitrary other thread. Then, by counting through, that no abstract run violates a property: which states of threads
//! can be there together is followed two by two [after MPR06, which does it one by one], for any number of threads: three are
//! taken to be there together if any two of them are.
//!
//! So neither the abstraction nor the engine has to be trusted. Control flow is that of the program itself; of the Boolean
//! program nothing but the statements of edges is read. What is trusted: the program model, the terms of the
//! predicates, the meaning of expressions, and Z3.
//!
//! | file | what |
//! |---|---|
//! | `relation` | statements with their names resolved |
//! | `meaning` | what a variable says where a thread is |
//! | `possible` | expressions with choices, as terms |
//! | `steps` | every step of the program has its abstract step |
//! | `start` | the states that runs begin with |
//! | `sections` | where threads are in atomic sections |
//! | `tallies` | ghosts are kept as they should be |
//! | `pairs` | the abstract runs, two threads at a time |
//!
//! Deliberately absent: invariants that need three threads at once. Their proofs get no certificate.

mod meaning;
mod pairs;
mod possible;
mod relation;
mod sections;
mod start;
mod steps;
mod tallies;
#[cfg(test)]
mod tests;

use super::proof::Certificate;
use crate::boolean::ast::{Name, StatementKind};
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::{Precision, PredicateId};
use crate::program::{Action, Edge, EdgeId, LocationId, Procedure, ProcedureId, Program, PropertyId};
use meaning::Meanings;
use pairs::Pairs;
use relation::relations;
use start::Starter;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use steps::Checker;
use tallies::Keeper;

/// What a proof consists of.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The program: no calls are left in it.
    pub program: &'a Program,
    /// What the predicates say. Nothing else of it counts.
    pub precision: &'a Precision,
    /// The statement of each edge.
    pub statements: &'a BTreeMap<(ProcedureId, EdgeId), &'a StatementKind>,
    /// The predicates by the names of their variables.
    pub variables: &'a BTreeMap<Arc<str>, PredicateId>,
    /// Where each is tracked.
    pub tracked: &'a BTreeMap<(ProcedureId, LocationId), BTreeSet<PredicateId>>,
    /// Variables that say where a thread is.
    pub flags: &'a [Flag],
    /// What new threads are given, by name.
    pub given: &'a [Name],
}

/// A variable that says where a thread is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flag {
    /// Its name.
    pub name: Arc<str>,
    /// The thread runs this template,
    pub template: ProcedureId,
    /// and is at one of these locations; if nothing is said, anywhere.
    pub places: Option<BTreeSet<LocationId>>,
}

/// Why a check ends early.
#[derive(Debug)]
enum Failure {
    Rejected(String),
    Stopped(Stop),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl Failure {
    fn rejected(why: impl Into<String>) -> Self {
        Self::Rejected(why.into())
    }

    fn bound(why: impl Into<String>) -> Self {
        Self::Stopped(Stop::Bound(why.into()))
    }
}

/// Checks a proof of some properties: tells which of them it proves, and whether it stands.
#[must_use]
pub fn check_threads(
    claim: Claim<'_>,
    properties: &BTreeSet<PropertyId>,
    limits: &Limits,
) -> (BTreeSet<PropertyId>, Certificate) {
    let mut about = properties.clone();
    let certificate = match check(claim, &mut about, limits) {
        Ok(certificate) => certificate,
        Err(Failure::Rejected(why)) => Certificate::Rejected(why),
        Err(Failure::Stopped(stop)) => Certificate::Stopped(stop),
    };
    (about, certificate)
}

/// Checks a proof; only the properties that it proves are left.
fn check(
    claim: Claim<'_>,
    properties: &mut BTreeSet<PropertyId>,
    limits: &Limits,
) -> Result<Certificate, Failure> {
    let meanings = Meanings::new(claim)?;
    let relations = relations(claim, &meanings)?;
    let mut starter = Starter::new(claim, &meanings, limits);
    let starts = starter.starts()?;
    *properties = Pairs::new(claim, &meanings, &relations, limits)?.proven(&starts, properties)?;
    if properties.is_empty() {
        return Err(Failure::bound(MORE));
    }
    let mut checker = Checker::new(claim, &meanings, &relations, limits);
    checker.check(properties)?;
    let mut keeper = Keeper::new(claim, limits);
    keeper.check()?;
    let steps = checker.steps() + starter.steps() + keeper.steps();
    let queries = checker.queries() + starter.queries() + keeper.queries();
    Ok(Certificate::Certified { steps, queries })
}

/// Why there is no certificate if two threads at a time are not enough.
pub const MORE: &str = "the proof needs more than pairs of threads";

/// Whether a run that takes this edge ends there.
fn ends(edge: &Edge) -> bool {
    edge.property.is_some() || matches!(edge.action, Action::End | Action::Unsupported(_))
}

/// The edges that leave each location.
fn outgoing(procedure: &Procedure) -> IndexVec<LocationId, Vec<EdgeId>> {
    let mut outgoing = IndexVec::filled(Vec::new(), procedure.locations.len());
    for (id, edge) in procedure.edges.enumerate() {
        outgoing[edge.from].push(id);
    }
    outgoing
}
