//! A path as straight-line code.
//!
//! Whatever a step is, it assigns values to variables of one activation, all at once; the values are over the variables of one
//! activation, too, which is another one where control goes into a procedure or out of it. So whoever follows values along a path
//! need not know calls from blocks.
//!
//! | step | values are over | variables are of |
//! |---|---|---|
//! | block | the activation | the same |
//! | call | the caller | the callee: its parameters, and ghosts |
//! | start of a thread | who starts it | the first activation of the thread: the same |
//! | return | the callee: its result | the caller |

use super::Frames;
use crate::predicate::PathStep;
use crate::program::{Action, Edge, Program};
use crate::term::{Symbol, Term};
use std::rc::Rc;

/// A path, and its activations.
#[derive(Clone, Debug)]
pub struct Line<'p> {
    /// Its steps.
    pub path: &'p [PathStep],
    /// Its activations; of a prefix those of the path that it is a prefix of.
    pub frames: Rc<Frames>,
}

/// What a step is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A guard, and updates.
    Block,
    /// Into a procedure.
    Call,
    /// A thread is started.
    Start,
    /// Out of a procedure.
    Return,
    /// It has nothing to do with variables.
    Other,
}

/// A value that a step assigns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A term of the program.
    Term(Term),
    /// What a variable holds.
    Variable(Symbol),
}

/// What a step assigns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignments {
    /// What the step is.
    pub kind: Kind,
    /// The activation that values are over.
    pub from: usize,
    /// The activation that variables are of.
    pub to: usize,
    /// The variables, and their values.
    pub all: Vec<(Symbol, Value)>,
}

impl<'p> Line<'p> {
    /// Follows a path that is known to be one.
    #[must_use]
    pub fn new(program: &Program, path: &'p [PathStep]) -> Self {
        Self { path, frames: Rc::new(Frames::of(program, path)) }
    }

    /// The first steps.
    #[must_use]
    pub fn prefix(&self, length: usize) -> Self {
        Self { path: &self.path[..length], frames: self.frames.clone() }
    }

    /// The edge of a step; of a return, that of the call.
    #[must_use]
    pub fn edge<'a>(&self, program: &'a Program, number: usize) -> &'a Edge {
        let step = &self.path[number];
        &program.procedures[step.procedure].edges[step.edge]
    }

    /// What a step assigns.
    #[must_use]
    pub fn assignments(&self, program: &Program, number: usize) -> Assignments {
        let (before, behind) = (self.frames.before[number], self.frames.behind[number]);
        let to = self.frames.started[number].unwrap_or(behind);
        let mut all = Vec::new();
        let kind = match &self.edge(program, number).action {
            Action::Call { procedure, result, .. } if self.path[number].returns => {
                let value = program.procedures[*procedure].result;
                all.extend(result.zip(value).map(|(target, value)| (target, Value::Variable(value))));
                Kind::Return
            }
            Action::Call { procedure, arguments, .. } | Action::Start { procedure, arguments } => {
                let given = program.entered(*procedure, arguments).into_iter();
                all.extend(given.map(|(symbol, value)| (symbol, Value::Term(value))));
                if self.frames.started[number].is_some() { Kind::Start } else { Kind::Call }
            }
            Action::Block(block) => {
                all.extend(block.updates.iter().map(|&(symbol, value)| (symbol, Value::Term(value))));
                Kind::Block
            }
            _ => Kind::Other,
        };
        Assignments { kind, from: before, to, all }
    }
}
