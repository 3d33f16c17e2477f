//! Predicates, and the precision of an abstraction.
//!
//! A predicate is a truth value over the state of a [`Program`](crate::program::Program). Its scope follows from its
//! variables: over global variables only it becomes a global Boolean variable; if it mentions a local variable of a
//! procedure, a local one there. A precision says which predicates there are, where each is tracked, and which steps
//! of the abstraction were found to be wrong.

mod lexer;
pub mod parse;
pub mod scope;
#[cfg(test)]
mod tests;

pub use scope::scope_of;

use crate::ground::index::IndexVec;
use crate::program::{EdgeId, LocationId, ProcedureId};
use crate::term::Term;
use std::collections::{BTreeMap, BTreeSet};

crate::index_types! {
    /// A predicate.
    PredicateId,
}

/// Where a predicate has a meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PredicateScope {
    /// Everywhere.
    Global,
    /// In a procedure.
    Local(ProcedureId),
}

/// A predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// What it says: a term of sort Boolean, without inputs, without stores, never negated at the top.
    pub term: Term,
    /// Where it has a meaning.
    pub scope: PredicateScope,
    /// The iteration that introduced it, from 0, and why.
    pub iteration: usize,
    /// In one line: "guard at file.c:12", "weakest precondition of … ".
    pub reason: String,
}

/// A step that the abstraction allowed although no state of the program takes it: for this edge, these values of
/// predicates before and behind it contradict each other. Both lists are sorted; together they are a core. Behind a call
/// is the entry of the callee.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Contradiction {
    /// Before the edge.
    pub before: Vec<(PredicateId, bool)>,
    /// Behind it.
    pub behind: Vec<(PredicateId, bool)>,
}

/// The same for the return from a call: these values of predicates contradict each other. All lists are sorted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ReturnContradiction {
    /// In the caller, before the call.
    pub before: Vec<(PredicateId, bool)>,
    /// In the callee, at its exit: local predicates over parameters that it never writes, its result, and global variables.
    pub returned: Vec<(PredicateId, bool)>,
    /// In the caller, behind the call.
    pub behind: Vec<(PredicateId, bool)>,
}

/// The same for what another thread knows while an edge is taken: these values contradict each other. All lists are sorted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PassiveContradiction {
    /// What the other thread runs.
    pub template: ProcedureId,
    /// Of the thread that takes the edge, before it.
    pub before: Vec<(PredicateId, bool)>,
    /// Of the other thread, before the edge: local predicates.
    pub passive: Vec<(PredicateId, bool)>,
    /// Of the other thread, behind the edge: local predicates.
    pub behind: Vec<(PredicateId, bool)>,
}

/// What an abstraction tracks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precision {
    /// All predicates; no term twice in one scope.
    pub predicates: IndexVec<PredicateId, Predicate>,
    /// Local predicates: at which locations of its procedure each is tracked. One that is not mentioned here is
    /// tracked at all of them. Global ones are tracked everywhere.
    pub places: BTreeMap<PredicateId, BTreeSet<LocationId>>,
    /// Steps that are excluded.
    pub contradictions: BTreeMap<(ProcedureId, EdgeId), BTreeSet<Contradiction>>,
    /// Returns that are excluded.
    pub returns: BTreeMap<(ProcedureId, EdgeId), BTreeSet<ReturnContradiction>>,
    /// What other threads do not come to know.
    pub passive: BTreeMap<(ProcedureId, EdgeId), BTreeSet<PassiveContradiction>>,
}

impl Precision {
    /// Adds a predicate, unless it is there; tells its id, and whether it is new.
    pub fn add(&mut self, predicate: Predicate) -> (PredicateId, bool) {
        let known = self
            .predicates
            .enumerate()
            .find(|(_, other)| other.term == predicate.term && other.scope == predicate.scope);
        match known.map(|(id, _)| id) {
            Some(id) => (id, false),
            None => (self.predicates.push(predicate), true),
        }
    }

    /// How many steps and returns are excluded.
    #[must_use]
    pub fn exclusions(&self) -> usize {
        let steps = self.contradictions.values().map(BTreeSet::len).sum::<usize>();
        let passive = self.passive.values().map(BTreeSet::len).sum::<usize>();
        steps + passive + self.returns.values().map(BTreeSet::len).sum::<usize>()
    }
}

/// One step of a path through the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    /// Which thread: 0 is the first.
    pub thread: usize,
    /// The procedure.
    pub procedure: ProcedureId,
    /// The edge. A call is a step, followed by the steps of the callee and by [`PathStep::returns`].
    pub edge: EdgeId,
    /// This is the return to the caller: `edge` is the caller's call, `procedure` the caller.
    pub returns: bool,
    /// The values that the abstract trace gives to predicates that are tracked behind the step.
    pub behind: Vec<(PredicateId, bool)>,
    /// Other threads whose local predicates got values in this step, by a broadcast or because they start: their new values.
    pub others: Vec<(usize, Vec<(PredicateId, bool)>)>,
}
