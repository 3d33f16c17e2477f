//! Which activation each step of a path belongs to.

use crate::predicate::PathStep;
use crate::program::{Action, ProcedureId, Program, Scope};
use crate::term::Symbol;
use std::collections::BTreeSet;

/// An activation on a path.
#[derive(Clone, Debug)]
pub struct Activation {
    /// Of which procedure.
    pub procedure: ProcedureId,
    /// The activation that called it, and the number of the step that did; none for the first of a thread.
    pub caller: Option<(usize, usize)>,
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
    /// Follows a path, which was simulated and is one.
    #[must_use]
    pub fn of(program: &Program, path: &[PathStep]) -> Self {
        let first = Activation { procedure: program.entry, caller: None };
        let mut frames =
            Self { activations: vec![first], before: Vec::new(), behind: Vec::new(), started: Vec::new() };
        let mut threads = vec![vec![0]];
        for (number, step) in path.iter().enumerate() {
            frames.follow(program, number, step, &mut threads);
        }
        frames
    }

    fn follow(&mut self, program: &Program, number: usize, step: &PathStep, threads: &mut Vec<Vec<usize>>) {
        let current = *threads[step.thread].last().expect("a thread that runs");
        self.before.push(current);
        let mut started = None;
        match &program.procedures[step.procedure].edges[step.edge].action {
            _ if step.returns => {
                threads[step.thread].pop();
            }
            Action::Call { procedure, .. } => {
                threads[step.thread].push(self.activations.len());
                let caller = Some((current, number));
                self.activations.push(Activation { procedure: *procedure, caller });
            }
            Action::Start { procedure, .. } => {
                started = Some(self.activations.len());
                threads.push(vec![self.activations.len()]);
                self.activations.push(Activation { procedure: *procedure, caller: None });
            }
            _ => {}
        }
        self.started.push(started);
        self.behind.push(*threads[step.thread].last().expect("a thread that runs"));
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
