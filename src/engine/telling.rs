//! Runs told as traces: from states of the interpreter to steps with lasting thread numbers.

use crate::boolean::interpret::{Effect, State, Successor};
use crate::trace::{Action, Passive, Step, View};

/// What the thread at a position sees.
pub(super) fn view(state: &State, thread: usize) -> View {
    let top = state.threads[thread].top();
    View { node: Some(top.node), globals: state.globals.clone(), locals: top.locals.clone() }
}

/// The lasting numbers of the threads now alive, by position.
#[derive(Clone)]
pub(super) struct Numbering {
    threads: Vec<usize>,
    upcoming: usize,
}

impl Numbering {
    /// There is one thread.
    pub(super) fn new() -> Self {
        Self { threads: vec![0], upcoming: 1 }
    }

    /// The number of the thread at a position.
    pub(super) fn number(&self, position: usize) -> usize {
        self.threads[position]
    }

    /// The position of the thread with a number, if it is alive.
    pub(super) fn position(&self, number: usize) -> Option<usize> {
        self.threads.iter().position(|&thread| thread == number)
    }

    /// The number that the next started thread gets.
    pub(super) fn upcoming(&self) -> usize {
        self.upcoming
    }

    /// Tells a step.
    pub(super) fn step(&mut self, before: &State, successor: &Successor) -> Step {
        let (active, after) = (successor.thread, &successor.state);
        let mut step = Step {
            thread: self.threads[active],
            node: successor.node,
            action: Action::Single,
            after: View { node: None, globals: after.globals.clone(), locals: Default::default() },
            started: None,
            passive: Vec::new(),
        };
        if successor.effect == Effect::Ended {
            self.threads.remove(active);
            return step;
        }
        step.after = view(after, active);
        step.passive = self.changes(before, after, active);
        if successor.effect == Effect::Started {
            step.started = Some(view(after, after.threads.len() - 1));
            self.threads.push(self.upcoming);
            self.upcoming += 1;
        }
        step
    }

    /// The frames of other threads that the step changed.
    fn changes(&self, before: &State, after: &State, active: usize) -> Vec<Passive> {
        let mut changes = Vec::new();
        for other in (0..before.threads.len()).filter(|&other| other != active) {
            let pairs = before.threads[other].frames.iter().zip(&after.threads[other].frames);
            for (depth, (_, frame)) in pairs.enumerate().filter(|(_, (old, new))| old != new) {
                let locals = frame.locals.clone();
                changes.push(Passive { thread: self.threads[other], depth, locals });
            }
        }
        changes
    }
}
