//! Variables of the Boolean program, and expressions over them.

use super::table::Cube;
use crate::boolean::ast::{self, At, Name, Reference};
use crate::boolean::expression::{self, Binary};
use crate::ground::index::Index;
use crate::predicate::PredicateId;
use crate::term::Term;

/// An expression over names.
pub(super) type Expression = expression::Expression<Reference>;

/// A variable of the Boolean program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Variable {
    /// The truth value of a predicate.
    Predicate(PredicateId),
    /// What the last call returned, by position.
    Returned(usize),
    /// What the next call is given, by position.
    Argument(usize),
    /// The truth value of a global predicate before the last call.
    Saved(PredicateId),
    /// The truth value of a local predicate of another thread.
    Passive(PredicateId),
    /// Whether the thread runs this template, by number.
    Template(usize),
    /// Whether the thread is where the mixed predicates of this group are tracked.
    Tracked(usize),
    /// The same of another thread.
    PassiveTracked(usize),
    /// Whether the thread is known not to be there.
    Gone,
    /// The same of another thread.
    PassiveGone,
}

/// A variable with the term that it is the truth value of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Fact {
    pub variable: Variable,
    pub term: Term,
}

impl Variable {
    pub fn name(self) -> Name {
        match self {
            Self::Predicate(id) => Name::new(&format!("b{}", id.index())),
            Self::Returned(position) => Name::new(&format!("r{position}")),
            Self::Argument(position) => Name::new(&format!("a{position}")),
            Self::Saved(id) => Name::new(&format!("o{}", id.index())),
            Self::Passive(id) => Name::new(&format!("b{}$", id.index())),
            Self::Template(number) => Name::new(&format!("t{number}")),
            Self::Tracked(number) => Name::new(&format!("w{number}")),
            Self::PassiveTracked(number) => Name::new(&format!("w{number}$")),
            Self::Gone => Name::new("x"),
            Self::PassiveGone => Name::new("x$"),
        }
    }

    /// Its value before the step.
    pub fn now(self) -> Expression {
        Expression::variable(Reference { name: self.name(), next: false })
    }

    /// Its value behind the step.
    pub fn next(self) -> Expression {
        Expression::variable(Reference { name: self.name(), next: true })
    }
}

/// A literal: the expression or its negation.
pub(super) fn literal(expression: Expression, value: bool) -> Expression {
    if value { expression } else { expression.negate() }
}

/// A cube over expressions for the atoms.
fn conjunction(cube: Cube, atoms: &[Expression]) -> Expression {
    Expression::conjunction(cube.literals().map(|(atom, value)| literal(atoms[atom].clone(), value)))
}

/// The disjunction of cubes.
pub(super) fn disjunction(cubes: &[Cube], atoms: &[Expression]) -> Expression {
    cubes
        .iter()
        .map(|&cube| conjunction(cube, atoms))
        .reduce(|left, right| left.binary(Binary::Or, right))
        .unwrap_or_else(|| Expression::constant(false))
}

/// Clauses that exclude each of the cubes.
pub(super) fn excluded(cubes: &[Cube], atoms: &[Expression]) -> Vec<Expression> {
    let exclude = |&cube: &Cube| match cube.mask {
        0 => Expression::constant(false),
        _ => conjunction(cube, atoms).negate(),
    };
    cubes.iter().map(exclude).collect()
}

/// An expression of the syntax, standing nowhere.
pub(super) fn syntax(body: Expression) -> ast::Expression {
    ast::Expression { body, at: At::default() }
}
