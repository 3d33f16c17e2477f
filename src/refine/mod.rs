//! Refinement: what was missing, now that an abstract counterexample has no run?
//!
//! First, whether one abstract step is wrong by itself (`step`): then the abstraction was not precise enough for the
//! predicates that it has, and the step is excluded. Else predicates are missing. Candidates come in stages: atoms of the
//! guards that contradict each other, atoms of all guards of the path, for loops bounds and relations of the variables
//! that they move (`loops`), and weakest preconditions of the contradiction along the path (`backward`, \[DHMNP17\]).
//! The first stage whose candidates exclude the whole path (`linked`) is taken, and of it only what is needed. Weakest
//! preconditions come last where there is a loop, because they unwind it; candidates that differ from too many earlier
//! predicates in a number only are refused, and when nothing is left there is no progress.

mod atoms;
mod backward;
mod frames;
mod linked;
mod loops;
mod step;

#[cfg(test)]
mod tests;

use crate::ground::index::Index as _;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::path::{Position, guard_conjuncts};
use crate::predicate::{Contradiction, PathStep, Precision, Predicate, PredicateScope};
use crate::program::{Edge, EdgeId, ProcedureId, Program};
use crate::term::{Node, Store, Term};
use indexmap::{IndexMap, IndexSet};
use linked::Linked;
use rustc_hash::FxHasher;
use std::hash::{Hash as _, Hasher as _};

/// What a refinement found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// Steps that no state takes: the precision excludes them from now on.
    Steps(Vec<((ProcedureId, EdgeId), Contradiction)>),
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

/// Predicates that differ in numbers only: so many at most in one scope, once there is a loop.
const ALIKE: usize = 10;

/// Candidates of one stage beyond these are left out.
const MOST: usize = 60;

/// Refines after a path without a run: `core` are the constraints that contradict each other.
///
/// # Errors
/// If the limits are raised.
pub fn refine(
    program: &mut Program,
    path: &[PathStep],
    core: &[Position],
    precision: &Precision,
    iteration: usize,
    limits: &Limits,
) -> Result<Refinement, Stop> {
    let wrong = step::contradictions(program, path, precision, limits)?;
    if !wrong.is_empty() {
        return Ok(Refinement::Steps(wrong));
    }
    let known: Vec<Candidate> =
        precision.predicates.iter().map(|known| Candidate { term: known.term, scope: known.scope }).collect();
    let all: Vec<usize> = (0..known.len()).collect();
    let excluded = Linked::new(program, path, &known, limits).excluding(&all)?.is_some();
    let search = Search { path, core, known, iteration };
    if excluded { Ok(search.spare(program)) } else { search.run(program, limits) }
}

struct Search<'a> {
    path: &'a [PathStep],
    core: &'a [Position],
    known: Vec<Candidate>,
    iteration: usize,
}

/// Where candidates come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Core,
    Guards,
    Loops,
    Starts,
    Preconditions,
}

impl Source {
    fn reason(self) -> &'static str {
        match self {
            Self::Core => "guard that contradicts others",
            Self::Guards => "guard on the path",
            Self::Loops => "bound or relation of variables that a loop moves",
            Self::Starts => "value that a variable of a loop starts with",
            Self::Preconditions => "weakest precondition",
        }
    }
}

impl Search<'_> {
    fn run(&self, program: &mut Program, limits: &Limits) -> Result<Refinement, Stop> {
        let looping = !loops::loops(program, self.path).is_empty();
        let order = match looping {
            true => &[Source::Core, Source::Guards, Source::Loops, Source::Starts, Source::Preconditions][..],
            false => &[Source::Core, Source::Preconditions, Source::Guards],
        };
        let mut offered: IndexMap<Candidate, Source> = IndexMap::new();
        for &source in order {
            let before = offered.len();
            for candidate in self.candidates(program, source) {
                let room = offered.len() < before + MOST;
                if room
                    && !self.known.contains(&candidate)
                    && !(looping && self.too_alike(program, candidate))
                {
                    offered.entry(candidate).or_insert(source);
                }
            }
            if offered.len() > before
                && let Some(chosen) = self.excluding(program, &offered, limits)?
            {
                return Ok(self.predicates(&offered, &chosen));
            }
        }
        Ok(self.rest(program, &offered))
    }

    /// The predicates exclude the path, were the abstraction as precise as they allow. It is not, where calls lose how
    /// values hang together: predicates closer to the contradiction may need less of that.
    fn spare(&self, program: &mut Program) -> Refinement {
        let mut offered = IndexMap::new();
        for source in [Source::Core, Source::Preconditions, Source::Guards] {
            for candidate in self.candidates(program, source) {
                if !self.known.contains(&candidate) && !self.too_alike(program, candidate) {
                    offered.entry(candidate).or_insert(source);
                }
            }
            if !offered.is_empty() {
                let chosen: Vec<Candidate> = offered.keys().copied().take(ALIKE).collect();
                return self.predicates(&offered, &chosen);
            }
        }
        Refinement::Repeated("the predicates exclude the path already".to_owned())
    }

    fn candidates(&self, program: &mut Program, source: Source) -> IndexSet<Candidate> {
        match source {
            Source::Core => guard_atoms(program, self.path, |position| self.core.contains(&position)),
            Source::Guards => condition_atoms(program, self.path),
            Source::Loops => loops::candidates(program, self.path, loops::Kind::Relations),
            Source::Starts => loops::candidates(program, self.path, loops::Kind::Starts),
            Source::Preconditions => backward::candidates(program, self.path, self.core),
        }
    }

    /// The offered candidates that exclude the path, as few as a few queries can tell.
    fn excluding(
        &self,
        program: &Program,
        offered: &IndexMap<Candidate, Source>,
        limits: &Limits,
    ) -> Result<Option<Vec<Candidate>>, Stop> {
        let old = self.known.len();
        let all: Vec<Candidate> = self.known.iter().chain(offered.keys()).copied().collect();
        let mut linked = Linked::new(program, self.path, &all, limits);
        let everything: Vec<usize> = (0..all.len()).collect();
        let Some(mut needed) = linked.excluding(&everything)? else { return Ok(None) };
        // What came last is the most special, and tried first.
        for number in needed.clone().into_iter().filter(|&number| number >= old).rev() {
            let fewer: Vec<usize> = (0..old)
                .chain(needed.iter().copied().filter(|&other| other >= old && other != number))
                .collect();
            if let Some(smaller) = linked.excluding(&fewer)? {
                needed = smaller;
            }
        }
        Ok(Some(needed.into_iter().filter(|&number| number >= old).map(|number| all[number]).collect()))
    }

    fn predicates(&self, offered: &IndexMap<Candidate, Source>, chosen: &[Candidate]) -> Refinement {
        let predicate = |candidate: &Candidate| Predicate {
            term: candidate.term,
            scope: candidate.scope,
            iteration: self.iteration,
            reason: offered[candidate].reason().to_owned(),
        };
        Refinement::Predicates(chosen.iter().map(predicate).collect())
    }

    /// Nothing excludes the path: some preconditions at least, or no progress.
    fn rest(&self, program: &Program, offered: &IndexMap<Candidate, Source>) -> Refinement {
        let useful =
            |&(_, source): &(&Candidate, &Source)| matches!(source, Source::Core | Source::Preconditions);
        let chosen: Vec<Candidate> =
            offered.iter().filter(useful).map(|(&candidate, _)| candidate).take(ALIKE).collect();
        if chosen.is_empty() {
            return Refinement::NoProgress(self.place(program));
        }
        self.predicates(offered, &chosen)
    }

    /// The loop that is to blame.
    fn place(&self, program: &Program) -> String {
        let Some(one) = loops::loops(program, self.path).into_iter().next_back() else {
            return "no predicate excludes the path".to_owned();
        };
        let procedure = &program.procedures[one.procedure];
        let line = procedure.locations[one.head].place.map_or_else(
            || format!("location {}", one.head.index()),
            |place| format!("{}:{}", program.files[place.file], place.line),
        );
        format!("no predicate found for the loop in {} at {line}", procedure.name)
    }

    /// Whether there are many predicates that differ from this one in numbers only.
    fn too_alike(&self, program: &Program, candidate: Candidate) -> bool {
        let form = shape(&program.store, candidate.term);
        let same =
            |known: &&Candidate| known.scope == candidate.scope && shape(&program.store, known.term) == form;
        self.known.iter().filter(same).count() >= ALIKE
    }
}

/// The atoms of guards on a path, without those that mention inputs.
fn guard_atoms(
    program: &mut Program,
    path: &[PathStep],
    wanted: impl Fn(Position) -> bool,
) -> IndexSet<Candidate> {
    let mut found = IndexSet::new();
    let mut seen = IndexSet::new();
    for (number, step) in path.iter().enumerate().rev().filter(|(_, step)| !step.returns) {
        let edge = program.procedures[step.procedure].edges[step.edge].clone();
        for (conjunct, term) in guard_conjuncts(&program.store, &edge).into_iter().enumerate() {
            if !wanted(Position { step: number, conjunct }) || !seen.insert((step.procedure, term)) {
                continue;
            }
            for atom in atoms::atoms(&mut program.store, term) {
                let atom = canonical(&program.store, atom);
                found.extend(atom.and_then(|atom| loops::scoped(program, step.procedure, atom)));
            }
        }
    }
    found
}

/// The atoms of all conditions on a path.
fn condition_atoms(program: &mut Program, path: &[PathStep]) -> IndexSet<Candidate> {
    let mut found = IndexSet::new();
    let mut seen = IndexSet::new();
    for step in path.iter().rev().filter(|step| !step.returns) {
        if !seen.insert((step.procedure, step.edge)) {
            continue;
        }
        let edge = program.procedures[step.procedure].edges[step.edge].clone();
        for condition in conditions(&program.store, &edge) {
            for atom in atoms::atoms(&mut program.store, condition) {
                let atom = canonical(&program.store, atom);
                found.extend(atom.and_then(|atom| loops::scoped(program, step.procedure, atom)));
            }
        }
    }
    found
}

/// The atoms of all conditions of an edge, with their scopes.
pub fn edge_atoms(
    program: &mut Program,
    procedure: ProcedureId,
    edge: EdgeId,
) -> Vec<(Term, PredicateScope)> {
    let edge = program.procedures[procedure].edges[edge].clone();
    let mut found = Vec::new();
    for condition in conditions(&program.store, &edge) {
        for atom in atoms::atoms(&mut program.store, condition) {
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

/// A number that terms have in common which differ in numbers only.
fn shape(store: &Store, term: Term) -> u64 {
    let parts = store.reachable(&[term]);
    let mut hasher = FxHasher::default();
    for part in parts {
        match store.node(part) {
            Node::Bits(width, _) => (0u8, width).hash(&mut hasher),
            Node::Symbol(symbol) => (1u8, symbol).hash(&mut hasher),
            node => std::mem::discriminant(&node).hash(&mut hasher),
        }
    }
    hasher.finish()
}
