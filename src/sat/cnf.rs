//! Clauses as a value: what a solver was given, and how DIMACS writes it.

use super::Literal;
use std::io::{self, Write};

/// A formula in conjunctive normal form.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cnf {
    variables: usize,
    literals: Vec<Literal>,
    ends: Vec<usize>,
}

impl Cnf {
    /// How many variables it has.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Another variable, by its number.
    pub(super) fn new_variable(&mut self) -> usize {
        self.variables += 1;
        self.variables - 1
    }

    /// How many clauses it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has no clause.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Another clause.
    pub(super) fn push(&mut self, clause: &[Literal]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }

    /// The clause with this number.
    #[must_use]
    pub fn clause(&self, number: usize) -> &[Literal] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.literals[start..self.ends[number]]
    }

    /// Writes it in the format of DIMACS, in which variables count from 1.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, target: &mut dyn Write) -> io::Result<()> {
        writeln!(target, "p cnf {} {}", self.variables, self.len())?;
        for number in 0..self.len() {
            for literal in self.clause(number) {
                write!(target, "{} ", literal.dimacs())?;
            }
            writeln!(target, "0")?;
        }
        Ok(())
    }
}
