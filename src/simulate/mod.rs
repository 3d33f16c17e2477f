//! Simulation: is a path through the program, as an abstract counterexample names it, one that a run can take?
//!
//! `execute` runs the path symbolically: every value is a term over arbitrary initial values and inputs (`path::unroll`), every guard a
//! constraint. `search` asks Z3 for the shortest prefix that has no run, and for the constraints that contradict each
//! other there. If the whole path has runs, `values` reads one off the model, and [`replay`] lets the machine judge it:
//! nothing is a violation that the machine does not confirm.
//!
//! The terms of a simulation live in a store of their own, so that the program's does not grow from path to path.

mod execute;
pub mod replay;
mod search;
mod slice;
mod values;

#[cfg(test)]
pub(crate) mod tests;

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::path::{Frames, Line, Position, guard_counts};
use crate::predicate::PathStep;
use crate::program::Program;
use crate::program::counting::Counting;
use crate::term::Symbol;
use crate::term::evaluate::Value;
use std::cell::LazyCell;
use std::rc::Rc;

/// What became of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Simulation {
    /// There is a run along it.
    Feasible(Feasible),
    /// There is none.
    Infeasible(Infeasible),
    /// The solver does not know; why.
    Unknown(String),
    /// It is no path through the program; why. Whoever made it has a defect.
    NoPath(String),
}

/// A run along the path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Feasible {
    /// The inputs that the steps take, in the order in which C asks for them.
    pub inputs: Vec<InputValue>,
    /// What the steps write, in order.
    pub written: Vec<Written>,
    /// The values of variables that are read before they are written, in the order in which they are first read.
    pub arbitrary: Vec<Arbitrary>,
    /// Which thread each step belongs to.
    pub schedule: Vec<usize>,
}

/// An input of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputValue {
    /// The number of the step.
    pub step: usize,
    /// The symbol; its role in the program says where in C it comes from.
    pub symbol: Symbol,
    /// The value.
    pub value: Value,
}

/// What a step writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The number of the step.
    pub step: usize,
    /// The variable.
    pub symbol: Symbol,
    /// The cell, if it is an array.
    pub cell: Option<u128>,
    /// The new value; never an array.
    pub value: Value,
}

/// A variable that is read before it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arbitrary {
    /// The number of the step that reads it first.
    pub step: usize,
    /// For a local variable: the number of the step that called (or started) its activation, 0 for the first.
    pub activation: usize,
    /// The variable.
    pub symbol: Symbol,
    /// Its value.
    pub value: Value,
}

/// A path that has no run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Infeasible {
    /// The fewest steps, from the start, that have no run.
    pub prefix: usize,
    /// Constraints that contradict each other, in order; the last one belongs to the last step of the prefix. Then more
    /// contradictions of the whole path, if there are any.
    pub cores: Vec<Vec<Position>>,
}

/// Simulates a path from the entry of the program. If it has no run, the prefix that is told is the shortest one.
///
/// # Errors
/// If the limits are raised.
pub fn simulate(program: &Program, path: &[PathStep], limits: &Limits) -> Result<Simulation, Stop> {
    simulated(program, path, limits, First::All)
}

/// The same; if the constraints that have to do with the end of the path contradict each other, then these contradictions are told.
///
/// # Errors
/// If the limits are raised.
pub fn simulate_slice_first(
    program: &Program,
    path: &[PathStep],
    limits: &Limits,
) -> Result<Simulation, Stop> {
    simulated(program, path, limits, First::Slice)
}

/// Which constraints of a path are asked for first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum First {
    All,
    Slice,
}

fn simulated(
    program: &Program,
    path: &[PathStep],
    limits: &Limits,
    first: First,
) -> Result<Simulation, Stop> {
    let line = match Frames::checked(program, path) {
        Ok(frames) => Line { path, frames: Rc::new(frames) },
        Err(reason) => return Ok(Simulation::NoPath(reason)),
    };
    let mut formula = execute::execute(program, &line, limits)?;
    let counting = LazyCell::new(|| Counting::of(program));
    let counts = |position| guard_counts(program, &counting, path, position);
    if first == First::Slice {
        let slice = slice::constraints(program, &line, &formula, limits)?;
        let all = std::mem::replace(&mut formula.constraints, slice);
        if formula.constraints.len() < all.len()
            && let Some(infeasible) = search::contradictions(&formula, &counts, limits)?
        {
            return Ok(Simulation::Infeasible(infeasible));
        }
        formula.constraints = all;
    }
    Ok(match search::search(&formula, &counts, limits)? {
        search::Found::Model(model) => Simulation::Feasible(values::read(&formula, &model, path)),
        search::Found::Core(infeasible) => Simulation::Infeasible(infeasible),
        search::Found::Unknown(reason) => Simulation::Unknown(reason),
    })
}
