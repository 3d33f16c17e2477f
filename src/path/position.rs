//! Where on a path a constraint stands.

use crate::predicate::PathStep;
use crate::program::counting::Counting;
use crate::program::{Action, Edge, Program};
use crate::term::{Store, Term};

/// A constraint of a path: a conjunct of the guard of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The number of the step.
    pub step: usize,
    /// The number of the conjunct, as [`conjuncts`] lists them.
    pub conjunct: usize,
}

/// The constraints of one step among some that are in order.
#[must_use]
pub fn of_step(constraints: &[Position], step: usize) -> &[Position] {
    let start = constraints.partition_point(|position| position.step < step);
    let end = constraints.partition_point(|position| position.step <= step);
    &constraints[start..end]
}

/// The conjuncts of a truth value, from left to right.
#[must_use]
pub fn conjuncts(store: &Store, term: Term) -> Vec<Term> {
    store.conjuncts(term)
}

/// The conjuncts of the guard of an edge; none if it has no guard.
#[must_use]
pub fn guard_conjuncts(store: &Store, edge: &Edge) -> Vec<Term> {
    match &edge.action {
        Action::Block(block) => conjuncts(store, block.guard),
        _ => Vec::new(),
    }
}

/// Whether a constraint of a path is about a variable that counts.
#[must_use]
pub fn guard_counts(program: &Program, counting: &Counting, path: &[PathStep], position: Position) -> bool {
    let step = &path[position.step];
    let edge = &program.procedures[step.procedure].edges[step.edge];
    counting.touches(&program.store, guard_conjuncts(&program.store, edge)[position.conjunct])
}
