//! Who is told while the work goes on.

use super::Setup;
use crate::cegar::{self, Abstracted, Iteration, Proven, Study, Watcher};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::event::{self, Event, Silent};
use crate::ground::reason::Reason;
use crate::ground::source::SourceFile;
use crate::program::Program;
use std::cell::RefCell;

/// Is told what happens during a call of the library. Whoever wants to know nothing passes [`Silent`].
pub trait Observer {
    /// The input was read and stands; there are these warnings about it.
    fn warned(&mut self, source: &SourceFile, warnings: &[Diagnostic]) {
        let _ = (source, warnings);
    }

    /// The input is ready, and the work begins. From now on a limit that is reached leaves a result.
    fn ready(&mut self) {}

    /// Progress.
    fn event(&mut self, event: Event) {
        let _ = event;
    }

    /// The Boolean program of an iteration.
    fn abstraction(&mut self, iteration: usize, made: &Abstracted<'_>) {
        let _ = (iteration, made);
    }

    /// What was made of a counterexample of the Boolean program.
    fn studied(&mut self, iteration: usize, study: &Study<'_>) {
        let _ = (iteration, study);
    }

    /// A proof was checked again, and stands.
    fn proven(&mut self, proven: &Proven<'_>) {
        let _ = proven;
    }

    /// A property was found to be violated.
    fn violated(&mut self, so_far: &SoFar<'_>) {
        let _ = so_far;
    }

    /// An iteration is done.
    fn iteration(&mut self, number: usize, iteration: &Iteration) {
        let _ = (number, iteration);
    }
}

impl Observer for Silent {}

/// What is known while the loop is at work.
#[derive(Clone, Copy)]
pub struct SoFar<'a> {
    /// What is verified.
    pub setup: &'a Setup,
    /// The model.
    pub program: &'a Program,
    outcome: &'a dyn Fn(Reason) -> cegar::Outcome,
}

impl SoFar<'_> {
    /// The result if the work is broken off right now, for this reason.
    #[must_use]
    pub fn outcome(&self, reason: Reason) -> cegar::Outcome {
        (self.outcome)(reason)
    }
}

/// One observer for engines, which tell events, and for the loop.
pub(super) struct Shared<'o>(RefCell<&'o mut dyn Observer>);

impl<'o> Shared<'o> {
    pub fn new(observer: &'o mut dyn Observer) -> Self {
        Self(RefCell::new(observer))
    }
}

impl event::Observer for Shared<'_> {
    fn event(&self, event: Event) {
        self.0.borrow_mut().event(event);
    }
}

/// Passes on what the loop tells.
pub(super) struct Passing<'a, 'o> {
    pub shared: &'a Shared<'o>,
    pub setup: &'a Setup,
}

impl Watcher for Passing<'_, '_> {
    fn abstraction(&mut self, iteration: usize, made: &Abstracted<'_>) {
        self.shared.0.borrow_mut().abstraction(iteration, made);
    }

    fn studied(&mut self, iteration: usize, study: &Study<'_>) {
        self.shared.0.borrow_mut().studied(iteration, study);
    }

    fn proven(&mut self, proven: &Proven<'_>) {
        self.shared.0.borrow_mut().proven(proven);
    }

    fn violated(&mut self, program: &Program, so_far: &dyn Fn(Reason) -> cegar::Outcome) {
        let so_far = SoFar { setup: self.setup, program, outcome: so_far };
        self.shared.0.borrow_mut().violated(&so_far);
    }

    fn iteration(&mut self, number: usize, iteration: &Iteration) {
        self.shared.0.borrow_mut().iteration(number, iteration);
    }
}
