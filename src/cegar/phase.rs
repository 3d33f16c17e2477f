//! The phases of an iteration: told while they run, timed, and remembered if a limit stops one.

use super::{Iteration, Loop, Times};
use crate::ground::event::Event;
use std::fmt;
use std::time::{Duration, Instant};

/// A part of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The Boolean program is made,
    Abstraction,
    /// and checked.
    Checking,
    /// A counterexample is simulated and replayed.
    Simulation,
    /// It has no run: why?
    Refinement,
    /// A proof is checked again.
    Certificate,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Abstraction => "abstraction",
            Self::Checking => "checking",
            Self::Simulation => "simulation",
            Self::Refinement => "refinement",
            Self::Certificate => "certificate",
        })
    }
}

impl Times {
    fn of(&mut self, phase: Phase) -> &mut Duration {
        match phase {
            Phase::Abstraction => &mut self.abstraction,
            Phase::Checking => &mut self.checking,
            Phase::Simulation => &mut self.simulation,
            Phase::Refinement => &mut self.refinement,
            Phase::Certificate => &mut self.certificate,
        }
    }
}

impl Loop<'_> {
    /// The iteration at work.
    pub(super) fn iteration(&mut self) -> &mut Iteration {
        self.iterations.last_mut().expect("phases belong to an iteration")
    }

    /// Does a phase of the iteration. Its time counts even if it is stopped.
    pub(super) fn timed<T, E: fmt::Display>(
        &mut self,
        phase: Phase,
        work: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let (number, predicates) = (self.iterations.len() - 1, self.precision.predicates.len());
        let text = format!("iteration {number}, {predicates} predicates, {phase}");
        self.run.observer.event(Event::Phase(text));
        let start = Instant::now();
        let result = work(self);
        *self.iteration().times.of(phase) += start.elapsed();
        if let Err(reason) = &result {
            self.iteration().result = format!("{reason} during {phase}");
            self.record.stopped = Some(format!("during {phase}, in iteration {number}"));
        }
        result
    }
}
