//! Which predicates are tracked where.
//!
//! The precision says where. A local predicate is tracked only where all its local variables are live, besides: its value
//! elsewhere is asked for by nobody, and would be one more thing that the edges there say something about. Where it is tracked
//! again, its value comes from the edge that leads there, or is arbitrary. Weakest preconditions speak of live variables only, so
//! refinement needs no others.
//!
//! In a sequential program a parameter that is never written counts as live: callers hear of it at the exit.

use super::oracle::Oracle;
use crate::ground::index::IndexVec;
use crate::predicate::{Precision, PredicateId, PredicateScope};
use crate::program::liveness::{Drop, Liveness};
use crate::program::reads::Walker;
use crate::program::{Action, LocationId, Procedure, ProcedureId, Program, Scope};
use crate::term::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Live variables of the procedures of a program.
pub(super) struct Lives {
    of: IndexVec<ProcedureId, Liveness>,
    /// Parameters that are never written, of a program without threads.
    kept: BTreeSet<Symbol>,
    threads: bool,
}

impl Lives {
    pub fn of(program: &Program) -> Self {
        let mut walker = Walker::new();
        let of = |id| Liveness::of(program, id, Drop::Locals, &mut walker);
        let threads = program.starts_threads();
        let kept = if threads { BTreeSet::new() } else { program.procedures.iter().flat_map(kept).collect() };
        Self { of: program.procedures.ids().map(of).collect(), kept, threads }
    }

    /// Whether the statements of an edge have room for new values. Those of calls have, where there are calls.
    fn brings_values(&self, action: &Action) -> bool {
        match action {
            Action::Block(_) => true,
            Action::Call { .. } => !self.threads,
            _ => false,
        }
    }

    /// Where some variables of a procedure are live. Only an edge that brings new values can make an end of that, or a beginning.
    fn places(&self, program: &Program, id: ProcedureId, symbols: &[Symbol]) -> BTreeSet<LocationId> {
        let procedure = &program.procedures[id];
        let is_live = |location: LocationId, symbol: Symbol| {
            self.kept.contains(&symbol) || self.of[id].is_live(location, symbol)
        };
        let all = |location: &LocationId| symbols.iter().all(|&symbol| is_live(*location, symbol));
        let mut places: BTreeSet<LocationId> = procedure.locations.ids().filter(all).collect();
        loop {
            let before = places.len();
            for edge in procedure.edges.iter().filter(|edge| !self.brings_values(&edge.action)) {
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

/// The parameters of a procedure that it never writes.
fn kept(procedure: &Procedure) -> Vec<Symbol> {
    let written: BTreeSet<Symbol> = procedure.edges.iter().flat_map(|edge| edge.writes()).collect();
    procedure.parameters.iter().copied().filter(|parameter| !written.contains(parameter)).collect()
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
                if lives.threads || live.len() < program.procedures[procedure].locations.len() {
                    places.insert(id, live);
                }
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

    /// Where local predicates are tracked that are not tracked everywhere.
    pub fn all_places(&self) -> &BTreeMap<PredicateId, BTreeSet<LocationId>> {
        &self.places
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
