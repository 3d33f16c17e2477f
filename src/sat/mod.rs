//! Satisfiability of propositional formulas in conjunctive normal form: one small interface, one library behind it.
//!
//! The only place that names SAT libraries. A [`Solver`] grows: variables and clauses are added, never taken away; what
//! holds for one question only is an assumption of that question. After `Satisfiable` it tells values, after
//! `Unsatisfiable` which assumptions it needed.
//!
//! A question always ends. It ends with a [`Stop`] when a limit of the run was reached, and with [`Answer::OutOfEffort`]
//! when the solver has worked as much as the question was worth. Effort is counted in what the solver learns, not in
//! seconds: the same questions have the same answers on every machine.
//!
//! CaDiCaL (by `rustsat-cadical` 0.7.5) was measured and left out. On the 25 largest questions that abstractions of four
//! `systemc` programs of SV-COMP lead to (20 to 2000 ms), varisat needs 8.8 s, varisat with the proof that we let it write
//! 9.7 s, CaDiCaL 37.8 s; all 25 are satisfiable. CaDiCaL was faster on one of them, by a quarter.

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;

mod cnf;
mod refute;
#[cfg(test)]
mod tests;
mod varisat;

pub use cnf::Cnf;
pub use refute::{Failure, Refutation, refute};

/// A variable of a solver, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(u32);

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal(u32);

impl Variable {
    /// The number of the variable. Numbers are dense and begin at 0.
    #[must_use]
    pub fn number(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true when the variable has this value.
    #[must_use]
    pub fn literal(self, value: bool) -> Literal {
        Literal(self.0 << 1 | u32::from(!value))
    }
}

impl Literal {
    /// The variable.
    #[must_use]
    pub fn variable(self) -> Variable {
        Variable(self.0 >> 1)
    }

    /// The value of the variable that makes the literal true.
    #[must_use]
    pub fn value(self) -> bool {
        self.0 & 1 == 0
    }

    /// The literal as DIMACS writes it: variables count from 1, negations are negative.
    #[must_use]
    pub fn dimacs(self) -> i64 {
        let number = i64::from(self.0 >> 1) + 1;
        if self.value() { number } else { -number }
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// How much a solver may work for one question: bytes of what it learns. A learned clause takes about four bytes and
/// one to three more for each of its literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Until it knows.
    Unbounded,
    /// About this many bytes. The solver notices only every eight thousand.
    Learned(u64),
}

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There are such values: [`Solver::value`] tells them.
    Satisfiable,
    /// There are none: [`Solver::failed`] tells because of which assumptions.
    Unsatisfiable,
    /// The effort did not suffice. The solver can be asked again, but it starts anew.
    OutOfEffort,
}

/// A growing set of clauses that can be asked about.
pub trait Solver {
    /// A new variable.
    fn new_variable(&mut self) -> Variable;

    /// How many variables there are.
    fn variables(&self) -> usize;

    /// Adds a clause: one of these literals is true.
    fn add_clause(&mut self, clause: &[Literal]);

    /// All clauses that were added.
    fn clauses(&self) -> &Cnf;

    /// Asks for values that satisfy all clauses and these assumptions.
    ///
    /// # Errors
    /// The [`Stop`] that was raised. The solver stays usable.
    fn solve(&mut self, assumptions: &[Literal], effort: Effort, limits: &Limits) -> Result<Answer, Stop>;

    /// Whether a literal is true in the values that were found last. What no clause mentions is false.
    fn value(&self, literal: Literal) -> bool;

    /// After `Unsatisfiable`: assumptions that cannot be true together.
    fn failed(&self) -> &[Literal];
}

/// A solver without clauses.
#[must_use]
pub fn create() -> Box<dyn Solver> {
    Box::new(varisat::Varisat::default())
}
