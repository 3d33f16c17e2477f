//! Predicates to start with.

use crate::path::guard_conjuncts;
use crate::predicate::{Precision, Predicate, scope_of};
use crate::program::overlay::Frozen;
use crate::program::tallies::seeds::seeds;
use crate::program::{EdgeId, ProcedureId, Program};
use crate::refine::edge_atoms;
use crate::term::Term;
use std::collections::BTreeSet;

/// What predicates to start with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Initial {
    /// None.
    #[default]
    None,
    /// The atoms of all conditions.
    Guards,
    /// The atoms of the conditions under which properties are violated.
    Asserts,
}

/// Adds predicates to a precision; those that speak of what threads keep account of in any case.
pub fn initial(program: &mut Program, precision: &mut Precision, what: Initial) {
    conditions(program, precision, what, (0, usize::MAX));
    let seeds = seeds(program);
    accounts(program, precision, seeds, 0);
}

/// Adds the atoms of conditions, up to a number of them, and says in which iteration; tells how many are new.
pub(super) fn conditions(
    program: &mut Program,
    precision: &mut Precision,
    what: Initial,
    (iteration, most): (usize, usize),
) -> usize {
    let edges: Vec<_> = match what {
        Initial::None => Vec::new(),
        Initial::Guards => all_edges(program).collect(),
        Initial::Asserts => violating(program),
    };
    let mut new = 0;
    for (procedure, edge) in edges {
        let place = place(program, procedure, edge);
        for (term, scope) in edge_atoms(&mut Frozen::new(program), procedure, edge) {
            if new == most {
                return new;
            }
            let reason = format!("condition{place}");
            new += usize::from(precision.add(Predicate { term, scope, iteration, reason }).1);
        }
    }
    new
}

fn all_edges(program: &Program) -> impl Iterator<Item = (ProcedureId, EdgeId)> {
    let procedures = program.procedures.enumerate();
    procedures.flat_map(|(procedure, contents)| contents.edges.ids().map(move |edge| (procedure, edge)))
}

/// The edges that decide whether a property is violated: those that violate one, and where these have no condition of their own, those
/// that lead there.
fn violating(program: &Program) -> Vec<(ProcedureId, EdgeId)> {
    let mut found = Vec::new();
    for (id, procedure) in program.procedures.enumerate() {
        let violating = procedure.edges.enumerate().filter(|(_, edge)| edge.property.is_some());
        let mut open: Vec<EdgeId> = violating.map(|(number, _)| number).collect();
        let mut seen: BTreeSet<EdgeId> = open.iter().copied().collect();
        while let Some(number) = open.pop() {
            found.push((id, number));
            let edge = &procedure.edges[number];
            if guard_conjuncts(&program.store, edge).iter().any(|&term| program.store.truth(term).is_none()) {
                continue;
            }
            let before = procedure.edges.enumerate().filter(|(_, other)| other.to == edge.from);
            open.extend(before.map(|(number, _)| number).filter(|&number| seen.insert(number)));
        }
    }
    found
}

/// Adds predicates that speak of what threads keep account of; tells how many are new.
pub(super) fn accounts(
    program: &Program,
    precision: &mut Precision,
    terms: Vec<Term>,
    iteration: usize,
) -> usize {
    let mut new = 0;
    for term in terms {
        let reason = "what threads keep account of".to_owned();
        if let Some(scope) = scope_of(program, term) {
            new += usize::from(precision.add(Predicate { term, scope, iteration, reason }).1);
        }
    }
    new
}

fn place(program: &Program, procedure: ProcedureId, edge: EdgeId) -> String {
    let place = program.procedures[procedure].edges[edge].places.first();
    place.map_or_else(String::new, |place| format!(" at {}:{}", program.files[place.file], place.line))
}
