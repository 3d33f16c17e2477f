//! Predicates to start with.

use crate::predicate::{Precision, Predicate, scope_of};
use crate::program::tallies::seeds::seeds;
use crate::program::{ProcedureId, Program};
use crate::refine::edge_atoms;
use crate::term::Term;

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
    let edges: Vec<_> = program
        .procedures
        .enumerate()
        .flat_map(|(procedure, contents)| {
            let edges = contents.edges.enumerate();
            edges.map(move |(edge, contents)| (procedure, edge, contents.property.is_some()))
        })
        .filter(|&(_, _, violates)| match what {
            Initial::None => false,
            Initial::Guards => true,
            Initial::Asserts => violates,
        })
        .collect();
    for (procedure, edge, _) in edges {
        let place = place(program, procedure, edge);
        for (term, scope) in edge_atoms(program, procedure, edge) {
            precision.add(Predicate { term, scope, iteration: 0, reason: format!("condition{place}") });
        }
    }
    let seeds = seeds(program);
    accounts(program, precision, seeds, 0);
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

fn place(program: &Program, procedure: ProcedureId, edge: crate::program::EdgeId) -> String {
    let place = program.procedures[procedure].edges[edge].places.first();
    place.map_or_else(String::new, |place| format!(" at {}:{}", program.files[place.file], place.line))
}
