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

/// Which steps an exclusion is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Transition {
    /// Along an edge; of a call, into the procedure.
    Edge,
    /// Back from a call.
    Return,
    /// What another thread, which runs this template, knows while the edge is taken.
    Heard(ProcedureId),
}

/// A step that the abstraction allowed although no state of the program takes it: these values of predicates contradict each other. All
/// lists are sorted; together they are a core.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Exclusion {
    /// Which step of the edge.
    pub transition: Transition,
    /// In the thread that takes the edge, before it; of a return, in the caller before the call.
    pub before: Vec<(PredicateId, bool)>,
    /// Elsewhere. Of a return, in the callee at its exit: local predicates over its result, and over parameters that it never writes. Of what
    /// is heard, in the other thread before the edge: local predicates. Nothing of other steps.
    pub other: Vec<(PredicateId, bool)>,
    /// Behind the edge; of a call, at the entry of the callee; of what is heard, in the other thread: local predicates.
    pub behind: Vec<(PredicateId, bool)>,
}

impl Exclusion {
    /// One that is about values before and behind a step only.
    #[must_use]
    pub fn new(
        transition: Transition,
        before: Vec<(PredicateId, bool)>,
        behind: Vec<(PredicateId, bool)>,
    ) -> Self {
        Self { transition, before, other: Vec::new(), behind }
    }
}

/// What an abstraction tracks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Precision {
    /// All predicates; no term twice in one scope.
    pub predicates: IndexVec<PredicateId, Predicate>,
    /// Local predicates: at which locations of its procedure each is tracked. One that is not mentioned here is
    /// tracked at all of them. Global ones are tracked everywhere.
    pub places: BTreeMap<PredicateId, BTreeSet<LocationId>>,
    /// Steps that are excluded, by edge.
    pub excluded: BTreeMap<(ProcedureId, EdgeId), BTreeSet<Exclusion>>,
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

    /// The exclusions at an edge, in order.
    pub fn excluded_at(&self, place: (ProcedureId, EdgeId)) -> impl Iterator<Item = &Exclusion> {
        self.excluded.get(&place).into_iter().flatten()
    }

    /// Whether a step is excluded.
    #[must_use]
    pub fn excludes(&self, place: (ProcedureId, EdgeId), exclusion: &Exclusion) -> bool {
        self.excluded.get(&place).is_some_and(|known| known.contains(exclusion))
    }

    /// Excludes a step; whether that is new.
    pub fn exclude(&mut self, place: (ProcedureId, EdgeId), exclusion: Exclusion) -> bool {
        self.excluded.entry(place).or_default().insert(exclusion)
    }

    /// How many steps are excluded.
    #[must_use]
    pub fn exclusions(&self) -> usize {
        self.excluded.values().map(BTreeSet::len).sum()
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
