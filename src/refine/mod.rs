//! Refinement: what was missing, now that an abstract counterexample has no run?
//!
//! First, whether one abstract step is wrong by itself: then the abstraction was not precise enough for the predicates that it has,
//! and the step is excluded. Else predicates are missing. The path is unrolled once (`path`), and each of its contradictions is looked
//! at, the most welcome first. *Sources* propose candidates, one source after the other, and the first stage whose candidates exclude
//! the whole path is taken; of it only what the solver needs. So a path is excluded by few predicates, and by cheap and general ones
//! where these are enough.
//!
//! In the order in which they are used:
//!
//! | file | what |
//! |---|---|
//! | `steps` | steps that are wrong by themselves: along edges; into and out of procedures; of two threads \[BCDR04\] |
//! | `selection` | which of several contradictions of a path is refuted first \[BLW15\] |
//! | `slice` | which variables a contradiction depends on \[JM05\] |
//! | `forward` | constants along the path |
//! | `search` | the stages: candidates of one source after the other, until some exclude the path |
//! | `sources` | where candidates come from, one file for each technique; their order and budgets |
//! | `loops`, `residues` | the loops of a path: bounds and relations of what they move; lowest bits that they keep |
//! | `atoms` | the parts of conditions that can be predicates |
//! | `counting` | predicates that differ in numbers only: too many of them unwind a loop |
//! | `linked` | would these candidates exclude the path? |
//!
//! The program is not edited: what candidates say beyond its terms, they say by words of an overlay (`program::overlay`).
//!
//! Deviations. Predicates are not taken from interpolants, as in most descendants of \[CGJLV00\]: which ones a solver finds depends on
//! its heuristics, and people cannot read them. They are atoms of the program, weakest preconditions \[DHMNP17\] and relations of the variables
//! that loops move, and one query tells whether they are enough. One path may have several contradictions; predicates are looked for
//! against each of them, or the next iterations would find them one after the other.
//! A candidate about a variable that counts is put off if it differs from many earlier predicates in a number only, and refused
//! if from very many; when nothing is left there is no progress.

mod atoms;
mod counting;
mod forward;
mod linked;
mod loops;
mod residues;
mod search;
mod selection;
mod slice;
mod sources;
mod steps;

#[cfg(test)]
mod tests;

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::path::{Line, Position, guard_conjuncts};
use crate::predicate::{Exclusion, PathStep, Precision, Predicate, PredicateScope};
use crate::program::counting::Counting;
use crate::program::overlay::Frozen;
use crate::program::{Edge, EdgeId, ProcedureId};
use crate::term::{Node, Store, Term};
use linked::Conflict;
use search::Search;
use steps::Steps;

/// What a refinement found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// Steps that no state takes: the precision excludes them from now on.
    Steps(Vec<((ProcedureId, EdgeId), Exclusion)>),
    /// New predicates, tracked everywhere in their scopes.
    Predicates(Vec<Predicate>),
    /// Nothing helps; the text completes "no progress: …", and names the loop.
    NoProgress(String),
    /// The predicates exclude this path already, every step of it is possible by itself, and there is nothing to add: the
    /// abstraction gave a path that it should not have given. A defect of ours.
    Repeated(String),
}

/// A term that may become a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Candidate {
    term: Term,
    scope: PredicateScope,
}

/// Where predicates may come from. Steps that are wrong by themselves are excluded in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sources {
    /// Whatever excludes the path, in stages.
    #[default]
    Auto,
    /// Weakest preconditions only.
    Preconditions,
    /// Guards on the path only.
    Guards,
    /// Nowhere.
    Steps,
}

/// Refines again and again, and remembers what it asked. It serves one program.
pub struct Refiner {
    sources: Sources,
    limits: Limits,
    steps: Steps,
    counting: Option<Counting>,
}

impl Refiner {
    /// One that knows nothing yet.
    #[must_use]
    pub fn new(sources: Sources, limits: &Limits) -> Self {
        Self { sources, limits: limits.clone(), steps: Steps::new(limits), counting: None }
    }

    /// Refines after a path without a run: each core is a list of constraints that contradict each other.
    ///
    /// # Errors
    /// If the limits are raised.
    pub fn refine(
        &mut self,
        program: &mut Frozen<'_>,
        path: &[PathStep],
        cores: &[Vec<Position>],
        precision: &Precision,
        iteration: usize,
    ) -> Result<Refinement, Stop> {
        let line = Line::new(program, path);
        let wrong = self.steps.exclusions(program, &line, precision)?;
        if !wrong.is_empty() {
            return Ok(Refinement::Steps(wrong));
        }
        if self.sources == Sources::Steps {
            return Ok(Refinement::NoProgress("every step of the path is possible by itself".to_owned()));
        }
        let counting = self.counting.get_or_insert_with(|| Counting::of(program));
        let mut known: Vec<Candidate> = precision
            .predicates
            .iter()
            .map(|known| Candidate { term: known.term, scope: known.scope })
            .collect();
        let (mut found, mut failure) = (Vec::new(), None);
        let mut best = None;
        for (rank, core) in selection::ranked(program, path, counting, cores) {
            // Less welcome contradictions wait until the path has no others.
            if !found.is_empty() && best < Some(rank) {
                break;
            }
            best = Some(rank);
            let conflict = Conflict::new(program, &line, core);
            let settings = (iteration, self.sources, &self.limits);
            let mut search = Search::new(program, conflict, &known, counting, settings)?;
            match search.refine(program)? {
                Refinement::Predicates(new) => {
                    known.extend(new.iter().map(|new| Candidate { term: new.term, scope: new.scope }));
                    found.extend(new);
                }
                other => _ = failure.get_or_insert(other),
            }
        }
        let nothing = || Refinement::NoProgress("a path without a contradiction".to_owned());
        Ok(if found.is_empty() { failure.unwrap_or_else(nothing) } else { Refinement::Predicates(found) })
    }
}

/// The atoms of all conditions of an edge, with their scopes.
pub fn edge_atoms(
    program: &mut Frozen<'_>,
    procedure: ProcedureId,
    edge: EdgeId,
) -> Vec<(Term, PredicateScope)> {
    let edge = program.procedures[procedure].edges[edge].clone();
    let mut found = Vec::new();
    for condition in conditions(&program.store, &edge) {
        for atom in atoms::atoms(program.terms(), condition) {
            let atom = canonical(&program.store, atom);
            let candidate = atom.and_then(|atom| loops::scoped(program, procedure, atom));
            found.extend(candidate.map(|candidate| (candidate.term, candidate.scope)));
        }
    }
    found
}

/// The conditions of an edge: its guard, and what its values are chosen by.
fn conditions(store: &Store, edge: &Edge) -> Vec<Term> {
    let mut found = guard_conjuncts(store, edge);
    let parts = store.reachable(&edge.terms());
    found.extend(parts.into_iter().filter_map(|part| match store.node(part) {
        Node::Choose(condition, ..) => Some(condition),
        _ => None,
    }));
    found
}

/// The form in which a predicate is kept: not negated at the top. A constant is none.
fn canonical(store: &Store, mut term: Term) -> Option<Term> {
    while let Node::Not(inner) = store.node(term) {
        term = inner;
    }
    store.truth(term).is_none().then_some(term)
}
