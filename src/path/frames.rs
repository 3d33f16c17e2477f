//! Which activation of which procedure each step of a path belongs to.
//!
//! Each thread has a stack of activations. A step must start where its thread is, and a return must be to the call that was made: a
//! sequence of edges of which that is not so is no path, and whoever made it has a defect.

use crate::predicate::PathStep;
use crate::program::{Action, Edge, LocationId, ProcedureId, Program, Scope};
use crate::term::Symbol;
use std::collections::BTreeSet;

/// An activation on a path.
#[derive(Clone, Debug)]
pub struct Activation {
    /// Of which procedure.
    pub procedure: ProcedureId,
    /// The activation that called it, and the number of the step that did; none for the first of a thread.
    pub caller: Option<(usize, usize)>,
    /// The number of the step that called it, or started its thread; 0 for the first of all.
    pub made: usize,
}

/// The activations of a path.
#[derive(Clone, Debug)]
pub struct Frames {
    /// All of them, in the order in which they begin.
    pub activations: Vec<Activation>,
    /// For each step the activation before it: whose edge it is, or the callee that it returns from.
    pub before: Vec<usize>,
    /// For each step the activation behind it.
    pub behind: Vec<usize>,
    /// For each step the first activation of the thread that it starts.
    pub started: Vec<Option<usize>>,
}

impl Frames {
    /// Follows a path that is known to be one.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn of(program: &Program, path: &[PathStep]) -> Self {
        Self::checked(program, path).unwrap_or_else(|why| panic!("{why}"))
    }

    /// Follows a path.
    ///
    /// # Errors
    /// If it is none: why.
    pub fn checked(program: &Program, path: &[PathStep]) -> Result<Self, String> {
        let mut walk = Walk::new(program);
        for (number, step) in path.iter().enumerate() {
            walk.take(number, step).map_err(|why| format!("step {number} is not possible: {why}"))?;
        }
        Ok(walk.frames)
    }
}

/// Follows threads from edge to edge.
struct Walk<'p> {
    program: &'p Program,
    frames: Frames,
    /// For each thread its activations that have not returned, and where they are.
    threads: Vec<Vec<(usize, LocationId)>>,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program) -> Self {
        let frames =
            Frames { activations: Vec::new(), before: Vec::new(), behind: Vec::new(), started: Vec::new() };
        let mut walk = Self { program, frames, threads: Vec::new() };
        let first = walk.activation(program.entry, None, 0);
        walk.threads.push(vec![first]);
        walk
    }

    fn activation(
        &mut self,
        procedure: ProcedureId,
        caller: Option<(usize, usize)>,
        made: usize,
    ) -> (usize, LocationId) {
        self.frames.activations.push(Activation { procedure, caller, made });
        (self.frames.activations.len() - 1, self.program.procedures[procedure].entry)
    }

    fn take(&mut self, number: usize, step: &PathStep) -> Result<(), String> {
        let edge = &self.program.procedures[step.procedure].edges[step.edge];
        let before = if step.returns { self.leave(step, edge)? } else { self.go_on(step, edge)? };
        let mut started = None;
        match &edge.action {
            Action::Call { procedure, .. } if !step.returns => {
                let callee = self.activation(*procedure, Some((before, number)), number);
                self.threads[step.thread].push(callee);
            }
            Action::Start { procedure, .. } => {
                let first = self.activation(*procedure, None, number);
                started = Some(first.0);
                self.threads.push(vec![first]);
            }
            _ => {}
        }
        self.frames.before.push(before);
        self.frames.started.push(started);
        self.frames.behind.push(self.threads[step.thread].last().expect("a thread that runs").0);
        Ok(())
    }

    /// The edge must start where its thread is; then the thread is at its end. A call gets there when it returns. Tells
    /// the activation.
    fn go_on(&mut self, step: &PathStep, edge: &Edge) -> Result<usize, String> {
        let Some((activation, location)) =
            self.threads.get_mut(step.thread).and_then(|thread| thread.last_mut())
        else {
            return Err(format!("thread {} does not run", step.thread));
        };
        if self.frames.activations[*activation].procedure != step.procedure || *location != edge.from {
            return Err(format!("thread {} is elsewhere", step.thread));
        }
        *location = edge.to;
        Ok(*activation)
    }

    /// The thread must be at the exit of what the edge calls, and was called from there. Tells the activation that returns.
    fn leave(&mut self, step: &PathStep, edge: &Edge) -> Result<usize, String> {
        let Action::Call { procedure, .. } = &edge.action else {
            return Err("what is returned from is no call".to_owned());
        };
        let callee = &self.program.procedures[*procedure];
        let procedure_of = |activation: usize| self.frames.activations[activation].procedure;
        let top = self.threads.get(step.thread).and_then(|thread| thread.last()).copied();
        let fits = |&(activation, location): &(usize, LocationId)| {
            procedure_of(activation) == *procedure && location == callee.exit
        };
        let Some((inner, _)) = top.filter(fits) else {
            return Err(format!("thread {} is not at the exit of {}", step.thread, callee.name));
        };
        self.threads[step.thread].pop();
        match self.threads[step.thread].last() {
            Some(&(outer, _)) if procedure_of(outer) == step.procedure => Ok(inner),
            _ => Err(format!("{} was not called from there", callee.name)),
        }
    }
}

/// The global variables that a procedure may write, or one that it calls.
#[must_use]
pub fn globals_written(program: &Program, procedure: ProcedureId) -> BTreeSet<Symbol> {
    let mut seen = BTreeSet::from([procedure]);
    let mut open = vec![procedure];
    let mut written = BTreeSet::new();
    while let Some(procedure) = open.pop() {
        for edge in program.procedures[procedure].edges.iter() {
            written.extend(edge.writes());
            if let Action::Call { procedure: callee, .. } = edge.action
                && seen.insert(callee)
            {
                open.push(callee);
            }
        }
    }
    written.retain(|&symbol| program.variables[symbol].scope == Scope::Global);
    written
}
