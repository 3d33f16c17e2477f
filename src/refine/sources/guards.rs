//! Conditions on the path.
//!
//! The guards of the contradiction come first: if predicates say which way each of them goes, and what their variables were
//! is known where they were set, the path is excluded. Their atoms are the predicates that Boolean programs of device drivers need
//! most of the time \[BMMR01\]. Then all conditions of the path, among them those of choices within edges.

use super::{Question, Source, Sources, Target};
use crate::ground::reason::Stop;
use crate::path::{Position, guard_conjuncts};
use crate::predicate::PathStep;
use crate::program::overlay::Frozen;
use crate::program::{Action, Edge};
use crate::refine::{Candidate, atoms, canonical, conditions, loops};
use crate::term::{Store, Term};
use indexmap::IndexSet;

/// The guards that contradict each other.
pub(in crate::refine) struct Core;

impl Source for Core {
    fn reason(&self) -> &'static str {
        "guard that contradicts others"
    }

    fn is_among(&self, sources: Sources) -> bool {
        matches!(sources, Sources::Auto | Sources::Guards)
    }

    fn target(&self) -> Target {
        Target::Core
    }

    fn is_offered_anyway(&self) -> bool {
        true
    }

    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        let (path, core) = (question.conflict.line.path, question.conflict.core);
        Ok(guard_atoms(&mut question.program, path, |position| core.contains(&position)))
    }
}

/// All conditions of the path.
pub(in crate::refine) struct Guards;

impl Source for Guards {
    fn reason(&self) -> &'static str {
        "guard on the path"
    }

    fn is_among(&self, sources: Sources) -> bool {
        matches!(sources, Sources::Auto | Sources::Guards)
    }

    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        Ok(condition_atoms(&mut question.program, question.conflict.line.path))
    }
}

/// The atoms of guards on a path, without those that mention inputs.
fn guard_atoms(
    program: &mut Frozen<'_>,
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
            for atom in atoms::atoms(program.terms(), term) {
                let atom = known_inputs(program.terms(), &edge, atom);
                let atom = canonical(&program.store, atom);
                found.extend(atom.and_then(|atom| loops::scoped(program, step.procedure, atom)));
            }
        }
    }
    found
}

/// The atoms of all conditions on a path.
pub(super) fn condition_atoms(program: &mut Frozen<'_>, path: &[PathStep]) -> IndexSet<Candidate> {
    let mut found = IndexSet::new();
    let mut seen = IndexSet::new();
    for step in path.iter().rev().filter(|step| !step.returns) {
        if !seen.insert((step.procedure, step.edge)) {
            continue;
        }
        let edge = program.procedures[step.procedure].edges[step.edge].clone();
        for condition in conditions(&program.store, &edge) {
            for atom in atoms::atoms(program.terms(), condition) {
                let atom = known_inputs(program.terms(), &edge, atom);
                let atom = canonical(&program.store, atom);
                found.extend(atom.and_then(|atom| loops::scoped(program, step.procedure, atom)));
            }
        }
    }
    found
}

/// The condition with variables for the inputs that an edge stores in them: `x := input` makes a condition on the input
/// one on `x`, behind the edge.
fn known_inputs(store: &mut Store, edge: &Edge, condition: Term) -> Term {
    let Action::Block(block) = &edge.action else { return condition };
    let mut names = Vec::new();
    for &(symbol, value) in &block.updates {
        if let Some(input) = store.as_symbol(value).filter(|value| block.inputs.contains(value)) {
            names.push((input, store.symbol(symbol)));
        }
    }
    if names.is_empty() { condition } else { store.substitute(condition, &names) }
}
