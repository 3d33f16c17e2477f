//! Invariants: at each location a set of valuations of predicates, as a decision diagram.
//!
//! Diagrams share their decisions. They need not be ordered or reduced: any diagram denotes a set. A decision is made of
//! older ones, so there are no cycles.

use crate::ground::index::IndexVec;
use crate::predicate::PredicateId;
use crate::program::{LocationId, ProcedureId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

crate::index_types! {
    /// A diagram, by its first decision.
    DecisionId,
}

/// What a decision looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// What the predicate was when the procedure was entered.
    Entry(PredicateId),
    /// What it is now.
    Now(PredicateId),
}

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Decision {
    /// All valuations, or none.
    Constant(bool),
    /// By the value of an atom.
    Choice { atom: Atom, no: DecisionId, yes: DecisionId },
}

/// An invariant.
#[derive(Clone, Debug)]
pub struct Invariant {
    decisions: IndexVec<DecisionId, Decision>,
    known: FxHashMap<Decision, DecisionId>,
    places: IndexVec<ProcedureId, IndexVec<LocationId, DecisionId>>,
}

impl Invariant {
    /// The invariant that no location of the program satisfies.
    #[must_use]
    pub fn nowhere(program: &Program) -> Self {
        let mut decisions = IndexVec::new();
        let mut known = FxHashMap::default();
        let constant = Decision::Constant(false);
        let nothing = decisions.push(constant);
        known.insert(constant, nothing);
        let empty = |locations: usize| IndexVec::filled(nothing, locations);
        let places = program.procedures.iter().map(|procedure| empty(procedure.locations.len())).collect();
        Self { decisions, known, places }
    }

    fn intern(&mut self, decision: Decision) -> DecisionId {
        *self.known.entry(decision).or_insert_with(|| self.decisions.push(decision))
    }

    /// All valuations, or none.
    pub fn constant(&mut self, value: bool) -> DecisionId {
        self.intern(Decision::Constant(value))
    }

    /// The valuations in `no` where the atom is false, in `yes` where it is true.
    pub fn choice(&mut self, atom: Atom, no: DecisionId, yes: DecisionId) -> DecisionId {
        if no == yes { no } else { self.intern(Decision::Choice { atom, no, yes }) }
    }

    /// Sets the valuations of a location.
    pub fn set(&mut self, procedure: ProcedureId, location: LocationId, set: DecisionId) {
        self.places[procedure][location] = set;
    }

    /// The valuations of a location.
    #[must_use]
    pub fn at(&self, procedure: ProcedureId, location: LocationId) -> DecisionId {
        self.places[procedure][location]
    }

    pub(crate) fn decision(&self, id: DecisionId) -> Decision {
        self.decisions[id]
    }

    /// The diagrams of all locations of a procedure.
    pub(super) fn roots(&self, procedure: ProcedureId) -> Vec<DecisionId> {
        self.places[procedure].iter().copied().collect()
    }

    /// The decisions of diagrams, children first.
    pub(crate) fn reachable(&self, roots: &[DecisionId]) -> Vec<DecisionId> {
        let mut seen = FxHashSet::default();
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Decision::Choice { no, yes, .. } = self.decisions[id] {
                stack.extend([no, yes]);
            }
        }
        let mut found: Vec<DecisionId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }
}
