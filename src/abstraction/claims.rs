//! What an abstraction of a program with threads claims: which predicates are tracked where, what its flags mean, and
//! which statement stands for which edge. A certificate is made of that, by those who do not believe it.

use super::threads::Threads;
use super::tracking::Tracking;
use super::{Abstraction, Part};
use crate::boolean::ast::{Name, StatementKind};
use crate::predicate::PredicateId;
use crate::program::{EdgeId, LocationId, ProcedureId, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A local variable of the Boolean program that says where a thread is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flag {
    /// Its name.
    pub name: Arc<str>,
    /// The thread runs this template,
    pub template: ProcedureId,
    /// and is at one of these locations; if nothing is said, anywhere.
    pub places: Option<BTreeSet<LocationId>>,
}

/// What is claimed.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    tracked: BTreeMap<(ProcedureId, LocationId), BTreeSet<PredicateId>>,
    flags: Vec<Flag>,
}

impl Claims {
    /// The claims; none for a program without threads.
    pub fn of(program: &Program, tracking: &Tracking, threads: Option<&Threads>) -> Self {
        let Some(threads) = threads else { return Self::default() };
        let mut tracked = BTreeMap::new();
        for &template in &threads.templates {
            for location in program.procedures[template].locations.ids() {
                tracked.insert((template, location), tracking.at(template, location).collect());
            }
        }
        Self { tracked, flags: threads.flags() }
    }
}

impl Abstraction {
    /// What is tracked at the locations of templates.
    #[must_use]
    pub fn tracked(&self) -> &BTreeMap<(ProcedureId, LocationId), BTreeSet<PredicateId>> {
        &self.claims.tracked
    }

    /// The flags of threads.
    #[must_use]
    pub fn flags(&self) -> &[Flag] {
        &self.claims.flags
    }

    /// What new threads are given, by name.
    #[must_use]
    pub fn given(&self) -> &[Name] {
        self.program.procedures.last().map_or(&[], |procedure| &procedure.parameters)
    }

    /// The statements that take edges; the first of each.
    #[must_use]
    pub fn statements(&self) -> BTreeMap<(ProcedureId, EdgeId), &StatementKind> {
        let mut found = BTreeMap::new();
        let all = self.program.procedures.iter().flat_map(|procedure| &procedure.body.statements);
        for statement in all {
            let number = (statement.at.0.start as usize).checked_sub(1);
            let origin = number.and_then(|number| self.origins.get(number));
            if let Some(origin) = origin.filter(|origin| origin.part == Part::Take) {
                found.entry((origin.procedure, origin.edge)).or_insert(&statement.kind);
            }
        }
        found
    }
}
