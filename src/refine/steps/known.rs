//! What the threads know at each step of a path: the values that the abstract trace gives to predicates.
//!
//! Values of global predicates belong to all, values of local ones to an activation. They come with each step, for the thread that makes
//! it; other threads get new values by broadcasts, and when they start.

use super::Values;
use crate::path::Line;
use crate::predicate::{Precision, PredicateScope};
use crate::program::ProcedureId;
use std::collections::BTreeMap;

/// What is known before a step.
pub(super) struct Known<'a> {
    line: &'a Line<'a>,
    precision: &'a Precision,
    globals: Values,
    /// By activation.
    locals: BTreeMap<usize, Values>,
    /// The first activations of the threads that have started.
    threads: Vec<usize>,
    /// By activation: what was known in the caller when it was called.
    calls: BTreeMap<usize, Values>,
}

/// What a step has changed.
pub(super) struct Then {
    /// What the caller knew before the call, if the step returns from one.
    pub earlier: Option<Values>,
    /// What other threads have heard.
    pub heard: Vec<Heard>,
}

/// What another thread has heard of a step.
pub(super) struct Heard {
    /// What it runs.
    pub template: ProcedureId,
    /// What it knew before.
    pub passive: Values,
    /// What it knows now.
    pub behind: Values,
}

impl<'a> Known<'a> {
    pub fn new(line: &'a Line<'a>, precision: &'a Precision) -> Self {
        let (locals, calls) = (BTreeMap::new(), BTreeMap::new());
        Self { line, precision, globals: Values::new(), locals, threads: vec![0], calls }
    }

    /// A step may start a thread.
    pub fn start(&mut self, number: usize) {
        self.threads.extend(self.line.frames.started[number]);
    }

    /// What the thread that makes a step knows before it.
    pub fn before(&self, number: usize) -> Values {
        let own = self.locals.get(&self.line.frames.before[number]).into_iter().flatten();
        self.globals.iter().chain(own).copied().collect()
    }

    /// What the thread that makes a step runs.
    pub fn template(&self, number: usize) -> ProcedureId {
        self.line.path[number].procedure
    }

    /// What all other threads know before a step, and what they run.
    pub fn others(&self, number: usize) -> impl Iterator<Item = (ProcedureId, &Values)> {
        let current = self.line.frames.before[number];
        let others = self.threads.iter().copied().filter(move |&other| other != current);
        others.filter_map(|other| {
            Some((self.line.frames.activations[other].procedure, self.locals.get(&other)?))
        })
    }

    /// From before a step to behind it.
    pub fn take(&mut self, number: usize, before: &Values) -> Then {
        let step = &self.line.path[number];
        let (caller, callee) = (self.line.frames.before[number], self.line.frames.behind[number]);
        let (all, own): (Values, Values) = step
            .behind
            .iter()
            .partition(|(id, _)| self.precision.predicates[*id].scope == PredicateScope::Global);
        self.globals = all;
        self.locals.insert(callee, own);
        let heard = step.others.iter().filter_map(|(thread, behind)| self.hear(*thread, behind)).collect();
        let earlier = self.calls.get(&caller).filter(|_| step.returns).cloned();
        if callee != caller && !step.returns {
            self.calls.insert(callee, before.clone());
        }
        Then { earlier, heard }
    }

    /// Another thread gets values; what it has heard, if it knew something before.
    fn hear(&mut self, thread: usize, behind: &Values) -> Option<Heard> {
        let activation = *self.threads.get(thread)?;
        let template = self.line.frames.activations[activation].procedure;
        let mut behind = behind.clone();
        behind.retain(|&(id, _)| self.precision.predicates[id].scope == PredicateScope::Local(template));
        let passive = self.locals.insert(activation, behind.clone())?;
        Some(Heard { template, passive, behind })
    }
}
