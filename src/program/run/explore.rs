//! All states of a program model, for small programs: depth first, no state twice.
//!
//! Inputs and what is arbitrary take numbers from a small set that the caller gives. From each state all steps are
//! tried: every thread, every enabled edge, every number.

use super::{Chooser, Compiled, Execution, Outcome, Recording, ThreadId};
use crate::program::{EdgeId, ProcedureId, Role};
use crate::term::Symbol;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What is explored.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The numbers tried for inputs and arbitrary values, each cut to the width asked for.
    pub numbers: Vec<i128>,
    /// At most so many states.
    pub states: usize,
}

/// What an exploration found.
#[derive(Clone, Debug)]
pub struct Explored {
    /// How runs end.
    pub ends: BTreeSet<Outcome>,
    /// How many states there are.
    pub states: usize,
    /// Whether these are all of them.
    pub complete: bool,
}

/// Goes through all states.
#[must_use]
pub fn explore(code: &Compiled<'_>, settings: &Exploration) -> Explored {
    let first = Execution::new(code, Recording::Nothing);
    let mut explored = Explored { ends: BTreeSet::new(), states: 1, complete: true };
    let mut seen = FxHashSet::from_iter([first.fingerprint()]);
    let mut waiting = vec![first];
    while let Some(state) = waiting.pop() {
        let mut all = All { numbers: &settings.numbers, taken: Vec::new(), next: 0 };
        loop {
            let mut next = state.clone();
            match next.step(&mut all) {
                Some(outcome) => _ = explored.ends.insert(outcome),
                None if seen.len() >= settings.states => explored.complete = false,
                None if seen.insert(next.fingerprint()) => waiting.push(next),
                None => {}
            }
            if !all.advance() {
                break;
            }
        }
    }
    explored.states = seen.len();
    explored
}

/// All choices of a step, one after the other.
struct All<'a> {
    numbers: &'a [i128],
    /// What was taken, and of how many.
    taken: Vec<(usize, usize)>,
    next: usize,
}

impl All<'_> {
    fn among(&mut self, count: usize) -> usize {
        if self.next == self.taken.len() {
            self.taken.push((0, count));
        }
        self.next += 1;
        self.taken[self.next - 1].0
    }

    /// The next list of choices, if there is one.
    fn advance(&mut self) -> bool {
        self.taken.truncate(self.next);
        self.next = 0;
        while let Some((taken, count)) = self.taken.pop() {
            if taken + 1 < count {
                self.taken.push((taken + 1, count));
                return true;
            }
        }
        false
    }

    fn number(&mut self, width: u32) -> u128 {
        match (width, self.numbers.len()) {
            (1, _) => self.among(2) as u128,
            (_, 0) => 0,
            (_, count) => {
                let position = self.among(count);
                self.numbers[position].cast_unsigned()
            }
        }
    }
}

impl Chooser for All<'_> {
    fn input(&mut self, _: Symbol, _: &Role, width: u32) -> u128 {
        self.number(width)
    }

    fn arbitrary(&mut self, _: Symbol, _: Option<u128>, width: u32) -> u128 {
        self.number(width)
    }

    fn edge(&mut self, _: ProcedureId, enabled: &[EdgeId]) -> usize {
        self.among(enabled.len())
    }

    fn thread(&mut self, threads: &[ThreadId]) -> usize {
        self.among(threads.len())
    }
}
