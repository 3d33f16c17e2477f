//! The same steps in a run from the start.
//!
//! A run of the machine stops elsewhere than steps end, and asks at each stop who goes on. A thread goes on as long as it has not done
//! the instructions of its step. Where it does more than that, because it does not stop there, others do not notice:
//! they are taken off its later steps. Questions get the same answers.

use crate::vm::choices::{Choice, ChoiceError, ChoiceKind, Chooser, Domain};
use std::collections::{BTreeMap, VecDeque};

/// A step: who made it, how far, and what was answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The thread.
    pub thread: u32,
    /// How many instructions it did.
    pub instructions: u64,
    /// The answers, in order.
    pub answers: Vec<u128>,
}

/// Makes the steps of a list.
#[derive(Clone, Debug)]
pub struct Follow {
    /// Threads, and how many instructions each has done after its turn.
    turns: VecDeque<(u32, u64)>,
    answers: VecDeque<u128>,
    /// How many instructions all threads have done,
    all: u64,
    /// and each of them.
    done: BTreeMap<u32, u64>,
}

impl Follow {
    /// Makes these steps.
    #[must_use]
    pub fn new(list: &[Turn]) -> Self {
        let mut ends: BTreeMap<u32, u64> = BTreeMap::new();
        let until = |turn: &Turn| {
            let end = ends.entry(turn.thread).or_default();
            *end += turn.instructions;
            (turn.thread, *end)
        };
        Self {
            turns: list.iter().map(until).collect(),
            answers: list.iter().flat_map(|turn| turn.answers.iter().copied()).collect(),
            all: 0,
            done: BTreeMap::new(),
        }
    }

    /// Whose turn it is, of those that can go on.
    fn thread(&mut self, enabled: &[u64]) -> Option<u128> {
        let done = |thread: &u32| self.done.get(thread).copied().unwrap_or(0);
        while self.turns.front().is_some_and(|(thread, end)| *end <= done(thread)) {
            self.turns.pop_front();
        }
        // After the last step whoever can go on comes to a stop.
        let thread = self.turns.front().map(|(thread, _)| u64::from(*thread));
        thread.or(enabled.first().copied()).map(u128::from)
    }
}

impl Chooser for Follow {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        let error = |text: &str| Err(ChoiceError { number: 0, text: text.to_owned() });
        let value = match (choice.kind, &choice.domain) {
            (ChoiceKind::Thread, Domain::Among(enabled)) => self.thread(enabled),
            // Where the steps did without, the parameters of `main` do not matter.
            (ChoiceKind::Input, _) if choice.name == "argc" => Some(1),
            _ => self.answers.pop_front(),
        };
        match value {
            Some(value) if choice.domain.contains(value) => Ok(value),
            Some(_) => error("the run asks something else than the step did"),
            None => error("the run asks more than the steps did"),
        }
    }

    fn reached(&mut self, thread: u32, instructions: u64) {
        *self.done.entry(thread).or_default() += instructions - self.all;
        self.all = instructions;
    }
}
