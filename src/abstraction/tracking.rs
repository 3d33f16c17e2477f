//! Which predicates are tracked where.

use crate::ground::index::IndexVec;
use crate::predicate::{Precision, PredicateId, PredicateScope};
use crate::program::{LocationId, ProcedureId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The places of predicates, by procedure.
pub(super) struct Tracking {
    global: Vec<PredicateId>,
    local: IndexVec<ProcedureId, Vec<PredicateId>>,
    places: BTreeMap<PredicateId, BTreeSet<LocationId>>,
}

impl Tracking {
    pub fn new(program: &Program, precision: &Precision) -> Self {
        let mut global = Vec::new();
        let mut local = IndexVec::filled(Vec::new(), program.procedures.len());
        for (id, predicate) in precision.predicates.enumerate() {
            match predicate.scope {
                PredicateScope::Global => global.push(id),
                PredicateScope::Local(procedure) => local[procedure].push(id),
            }
        }
        Self { global, local, places: precision.places.clone() }
    }

    /// Global predicates.
    pub fn global(&self) -> &[PredicateId] {
        &self.global
    }

    /// Local predicates of a procedure.
    pub fn local(&self, procedure: ProcedureId) -> &[PredicateId] {
        &self.local[procedure]
    }

    /// The predicates that are tracked at a location: global ones, then local ones, each by id.
    pub fn at(&self, procedure: ProcedureId, location: LocationId) -> impl Iterator<Item = PredicateId> {
        let here =
            move |id: &&PredicateId| self.places.get(id).is_none_or(|places| places.contains(&location));
        self.global.iter().chain(self.local[procedure].iter().filter(here)).copied()
    }
}
