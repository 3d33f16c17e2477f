//! Which predicates are tracked where.
//!
//! The precision says where. In a program with threads a local predicate is tracked only where all its local variables
//! are live, besides: what a thread knows of variables that it will not read again would only be one more thing that
//! other threads have to bring up to date.

use super::oracle::Oracle;
use crate::ground::index::IndexVec;
use crate::predicate::{Precision, PredicateId, PredicateScope};
use crate::program::liveness::{Drop, Liveness};
use crate::program::reads::Walker;
use crate::program::{Action, LocationId, ProcedureId, Program, Scope};
use crate::term::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Live variables of the procedures of a program with threads.
pub(super) struct Lives(IndexVec<ProcedureId, Liveness>);

impl Lives {
    /// None for a program without threads.
    pub fn of(program: &Program) -> Option<Self> {
        let mut walker = Walker::new();
        let of = |id| Liveness::of(program, id, Drop::Locals, &mut walker);
        program.starts_threads().then(|| Self(program.procedures.ids().map(of).collect()))
    }

    /// Where some variables of a procedure are live. Only a block can make an end of that, or a beginning: the statements of
    /// other edges have no room for new values.
    fn places(&self, program: &Program, id: ProcedureId, symbols: &[Symbol]) -> BTreeSet<LocationId> {
        let procedure = &program.procedures[id];
        let all = |location: &LocationId| symbols.iter().all(|&symbol| self.0[id].is_live(*location, symbol));
        let mut places: BTreeSet<LocationId> = procedure.locations.ids().filter(all).collect();
        loop {
            let before = places.len();
            for edge in procedure.edges.iter().filter(|edge| !matches!(edge.action, Action::Block(_))) {
                if places.contains(&edge.from) || places.contains(&edge.to) {
                    places.extend([edge.from, edge.to]);
                }
            }
            if places.len() == before {
                return places;
            }
        }
    }
}

/// The places of predicates, by procedure.
pub(super) struct Tracking {
    global: Vec<PredicateId>,
    local: IndexVec<ProcedureId, Vec<PredicateId>>,
    places: BTreeMap<PredicateId, BTreeSet<LocationId>>,
}

impl Tracking {
    pub fn new(program: &Program, precision: &Precision, lives: Option<&Lives>, oracle: &mut Oracle) -> Self {
        let mut global = Vec::new();
        let mut local = IndexVec::filled(Vec::new(), program.procedures.len());
        let mut places = precision.places.clone();
        for (id, predicate) in precision.predicates.enumerate() {
            let PredicateScope::Local(procedure) = predicate.scope else {
                global.push(id);
                continue;
            };
            local[procedure].push(id);
            if let Some(lives) = lives {
                let symbols = oracle.symbols(&program.store, predicate.term);
                // Nobody reads ghosts, so they are not live anywhere: what they say is always of interest.
                let is_local = |symbol: &&Symbol| {
                    program.variables[**symbol].scope != Scope::Global && !program.is_tally(**symbol)
                };
                let own: Vec<Symbol> = symbols.iter().filter(is_local).copied().collect();
                let mut live = lives.places(program, procedure, &own);
                if let Some(wanted) = precision.places.get(&id) {
                    live.retain(|location| wanted.contains(location));
                }
                places.insert(id, live);
            }
        }
        Self { global, local, places }
    }

    /// Global predicates.
    pub fn global(&self) -> &[PredicateId] {
        &self.global
    }

    /// Local predicates of a procedure.
    pub fn local(&self, procedure: ProcedureId) -> &[PredicateId] {
        &self.local[procedure]
    }

    /// Where a local predicate is tracked, if not everywhere.
    pub fn places(&self, id: PredicateId) -> Option<&BTreeSet<LocationId>> {
        self.places.get(&id)
    }

    /// The predicates that are tracked at a location: global ones, then local ones, each by id.
    pub fn at(&self, procedure: ProcedureId, location: LocationId) -> impl Iterator<Item = PredicateId> {
        let here =
            move |id: &&PredicateId| self.places.get(id).is_none_or(|places| places.contains(&location));
        self.global.iter().chain(self.local[procedure].iter().filter(here)).copied()
    }
}
