//! Choosers for tests: random ones, and one that tries everything.

use crate::program::generate::Random;
use crate::program::run::{Chooser, Compiled, Execution, Outcome, Recording, ThreadId};
use crate::program::{EdgeId, ProcedureId, Role};
use crate::term::Symbol;

/// Random answers; small values, so that branches are taken.
pub(crate) struct Seeded {
    random: Random,
}

impl Seeded {
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed) }
    }
}

impl Chooser for Seeded {
    fn input(&mut self, _: Symbol, role: &Role, _: u32) -> u128 {
        // As `arbitrary` answers.
        if is_unwritten(role) {
            return 0;
        }
        match self.random.below(4) {
            0 => u128::from(self.random.next()),
            _ => self.random.below(5) as u128,
        }
    }

    fn edge(&mut self, _: ProcedureId, enabled: &[EdgeId]) -> usize {
        self.random.below(enabled.len())
    }

    fn thread(&mut self, threads: &[ThreadId]) -> usize {
        self.random.below(threads.len())
    }
}

/// Whether an input stands for what a variable holds that nobody has written.
pub(crate) fn is_unwritten(role: &Role) -> bool {
    matches!(role, Role::Input(origin) if origin.starts_with("uninitialised "))
}

/// Answers from a list; where it ends, the first.
#[derive(Default)]
struct Script {
    answers: Vec<(usize, usize)>,
    position: usize,
}

impl Script {
    fn answer(&mut self, count: usize) -> usize {
        if self.position == self.answers.len() {
            self.answers.push((0, count));
        }
        self.position += 1;
        self.answers[self.position - 1].0
    }

    /// The next list in order, if there is one.
    fn advance(&mut self) -> bool {
        self.position = 0;
        while let Some((answer, count)) = self.answers.pop() {
            if answer + 1 < count {
                self.answers.push((answer + 1, count));
                return true;
            }
        }
        false
    }
}

impl Chooser for Script {
    /// Two values stand for all.
    fn input(&mut self, _: Symbol, _: &Role, _: u32) -> u128 {
        [0, 3][self.answer(2)]
    }

    fn edge(&mut self, _: ProcedureId, enabled: &[EdgeId]) -> usize {
        self.answer(enabled.len())
    }

    fn thread(&mut self, threads: &[ThreadId]) -> usize {
        self.answer(threads.len())
    }
}

/// Looks at the end of every run; whether all runs ended within the bounds.
pub(crate) fn every_run(
    code: &Compiled<'_>,
    steps: u64,
    mut each: impl FnMut(Outcome, &Execution<'_>),
) -> bool {
    let mut script = Script::default();
    for _ in 0..2_000 {
        let mut execution = Execution::new(code, Recording::Path);
        let outcome = execution.run(&mut script, steps);
        if outcome == Outcome::StepLimit {
            return false;
        }
        each(outcome, &execution);
        if !script.advance() {
            return true;
        }
    }
    false
}
