//! Refinement: what was missing, now that an abstract counterexample has no run?
//!
//! First, whether one abstract step is wrong by itself (`step`): then the abstraction was not precise enough for the
//! predicates that it has, and the step is excluded. Else predicates are missing. Candidates come in stages: atoms of the
//! guards that contradict each other, atoms of all guards of the path, for loops bounds and relations of the variables
//! that they move (`loops`), and weakest preconditions of the contradiction along the path (`backward`, \[DHMNP17\]).
//! The first stage whose candidates exclude the whole path (`linked`) is taken, and of it only what is needed. Weakest
//! preconditions come last where there is a loop, because they unwind it. A candidate about a variable that counts is put
//! off if it differs from many earlier predicates in a number only, and refused if from very many (`counting`); when nothing
//! is left there is no progress.
//!
//! One path may have several contradictions; predicates are looked for against each of them, or the next iterations would
//! find them one after the other.

mod atoms;
mod backward;
mod counting;
mod frames;
mod linked;
mod loops;
mod slice;
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
use counting::{Counting, Forms};
use indexmap::{IndexMap, IndexSet};
use linked::{Conflict, Linked};
use step::Steps;

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

/// Predicates that differ in numbers only: so many in one scope, then others are preferred.
const ALIKE: usize = 10;

/// So many at most.
const TOO_ALIKE: usize = 60;

/// Candidates of one stage beyond these are left out.
const MOST: usize = 60;

/// So many predicates are added where none is known to help.
const SPARE: usize = 10;

/// Refines again and again, and remembers what it asked. It serves one program.
pub struct Refiner {
    limits: Limits,
    steps: Steps,
    counting: Option<Counting>,
}

impl Refiner {
    /// One that knows nothing yet.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self { limits: limits.clone(), steps: Steps::new(limits), counting: None }
    }

    /// Refines after a path without a run: each core is a list of constraints that contradict each other.
    ///
    /// # Errors
    /// If the limits are raised.
    pub fn refine(
        &mut self,
        program: &mut Program,
        path: &[PathStep],
        cores: &[Vec<Position>],
        precision: &Precision,
        iteration: usize,
    ) -> Result<Refinement, Stop> {
        let wrong = self.steps.contradictions(program, path, precision)?;
        if !wrong.is_empty() {
            return Ok(Refinement::Steps(wrong));
        }
        let counting = self.counting.get_or_insert_with(|| Counting::of(program));
        let mut known: Vec<Candidate> = precision
            .predicates
            .iter()
            .map(|known| Candidate { term: known.term, scope: known.scope })
            .collect();
        let (mut found, mut failure) = (Vec::new(), None);
        for core in cores {
            let conflict = Conflict::new(program, path, core);
            let forms = Forms::of(&program.store, &known);
            let search = Search { conflict, known: &known, forms, counting, iteration, limits: &self.limits };
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

struct Search<'a> {
    conflict: Conflict<'a>,
    known: &'a [Candidate],
    forms: Forms,
    counting: &'a Counting,
    iteration: usize,
    limits: &'a Limits,
}

/// Where candidates come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Core,
    Guards,
    Loops,
    Starts,
    Preconditions,
    /// Preconditions that are like many others.
    Unwinding,
}

impl Source {
    fn reason(self) -> &'static str {
        match self {
            Self::Core => "guard that contradicts others",
            Self::Guards => "guard on the path",
            Self::Loops => "bound or relation of variables that a loop moves",
            Self::Starts => "value that a variable of a loop starts with",
            Self::Preconditions => "weakest precondition",
            Self::Unwinding => "weakest precondition, one more like many",
        }
    }

    /// So many predicates may be alike.
    fn alike(self) -> usize {
        if self == Self::Unwinding { TOO_ALIKE } else { ALIKE }
    }
}

impl Search<'_> {
    /// Predicates against this contradiction.
    fn refine(&self, program: &mut Program) -> Result<Refinement, Stop> {
        let all: Vec<usize> = (0..self.known.len()).collect();
        let excluded =
            Linked::new(program, &self.conflict, self.known, self.limits).excluding(&all)?.is_some();
        if excluded { Ok(self.spare(program)) } else { self.run(program) }
    }

    fn run(&self, program: &mut Program) -> Result<Refinement, Stop> {
        let looping = !loops::loops(program, self.conflict.path).is_empty();
        let order = match looping {
            true => &[
                Source::Core,
                Source::Guards,
                Source::Loops,
                Source::Starts,
                Source::Preconditions,
                Source::Unwinding,
            ][..],
            false => &[Source::Core, Source::Preconditions, Source::Guards, Source::Unwinding],
        };
        let mut offered: IndexMap<Candidate, Source> = IndexMap::new();
        for &source in order {
            let before = offered.len();
            for candidate in self.candidates(program, source) {
                if offered.len() < before + MOST && self.is_welcome(program, candidate, source) {
                    offered.entry(candidate).or_insert(source);
                }
            }
            if offered.len() > before
                && let Some(chosen) = self.excluding(program, &offered)?
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
        for source in [Source::Core, Source::Preconditions, Source::Guards, Source::Unwinding] {
            for candidate in self.candidates(program, source) {
                if self.is_welcome(program, candidate, source) {
                    offered.entry(candidate).or_insert(source);
                }
            }
            if !offered.is_empty() {
                let chosen: Vec<Candidate> = offered.keys().copied().take(SPARE).collect();
                return self.predicates(&offered, &chosen);
            }
        }
        Refinement::Repeated("the predicates exclude the path already".to_owned())
    }

    /// Whether a candidate is new, about what matters, and not one of too many.
    fn is_welcome(&self, program: &Program, candidate: Candidate, source: Source) -> bool {
        let store = &program.store;
        !self.known.contains(&candidate)
            && self.conflict.concerns(store, candidate.term)
            && (self.forms.like(store, candidate) < source.alike()
                || !self.counting.touches(store, candidate.term))
    }

    fn candidates(&self, program: &mut Program, source: Source) -> IndexSet<Candidate> {
        let Conflict { path, core, .. } = self.conflict;
        match source {
            Source::Core => guard_atoms(program, path, |position| core.contains(&position)),
            Source::Guards => condition_atoms(program, path),
            Source::Loops => loops::candidates(program, path, loops::Kind::Relations),
            Source::Starts => loops::candidates(program, path, loops::Kind::Starts),
            Source::Preconditions | Source::Unwinding => backward::candidates(program, path, core),
        }
    }

    /// The offered candidates that exclude the path, as few as a few queries can tell.
    fn excluding(
        &self,
        program: &Program,
        offered: &IndexMap<Candidate, Source>,
    ) -> Result<Option<Vec<Candidate>>, Stop> {
        let old = self.known.len();
        let all: Vec<Candidate> = self.known.iter().chain(offered.keys()).copied().collect();
        let mut linked = Linked::new(program, &self.conflict, &all, self.limits);
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
        let useful = |&(_, source): &(&Candidate, &Source)| {
            matches!(source, Source::Core | Source::Preconditions | Source::Unwinding)
        };
        let chosen: Vec<Candidate> =
            offered.iter().filter(useful).map(|(&candidate, _)| candidate).take(SPARE).collect();
        if chosen.is_empty() {
            return Refinement::NoProgress(self.place(program));
        }
        self.predicates(offered, &chosen)
    }

    /// The loop that is to blame.
    fn place(&self, program: &Program) -> String {
        let Some(one) = loops::loops(program, self.conflict.path).into_iter().next_back() else {
            return "no predicate excludes the path".to_owned();
        };
        let procedure = &program.procedures[one.procedure];
        let line = procedure.locations[one.head].place.map_or_else(
            || format!("location {}", one.head.index()),
            |place| format!("{}:{}", program.files[place.file], place.line),
        );
        format!("no predicate found for the loop in {} at {line}", procedure.name)
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
