//! Random runs, before anything is abstracted: many bugs are that near.
//!
//! The machine makes runs with random choices, from fixed seeds, within a number of steps: the same program is hunted
//! in the same way each time. A run that violates a property is a violation like any other: its choices are on record.

use super::{Task, Violation};
use crate::engine::Run;
use crate::ground::event::Event;
use crate::program::PropertyId;
use crate::simulate::Feasible;
use crate::simulate::replay::violates;
use crate::vm::{self, Machine, Random, Recorder};

/// How long to hunt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hunt {
    /// So many runs at most.
    pub runs: u64,
    /// So many steps of one run at most.
    pub steps: u64,
    /// So many steps of all runs together.
    pub all_steps: u64,
    /// So many threads of one run at most, the first one included.
    pub threads: usize,
}

impl Hunt {
    /// So many runs.
    #[must_use]
    pub fn of(runs: u64) -> Self {
        Self { runs, steps: 20_000, all_steps: 20_000 * runs.min(1_500), threads: 64 }
    }
}

/// What a choice counts for, in steps.
const CHOICE: u64 = 50;

/// Hunts for violations; tells them, and how many runs were made.
pub(super) fn hunt(task: &Task<'_>, hunt: Hunt, run: Run<'_>) -> (Vec<(PropertyId, Violation)>, u64) {
    let threads = hunt.threads.min(task.machine.threads);
    let settings = vm::Settings { steps: hunt.steps, threads, ..task.machine.clone() };
    let mut machine = Machine::new(task.module, settings);
    let (mut open, mut found) = (task.properties.clone(), Vec::new());
    let (mut seed, mut left) = (0, hunt.all_steps);
    while seed < hunt.runs && left > 0 && !open.is_empty() && run.limits.check().is_ok() {
        seed += 1;
        if seed % 64 == 1 {
            run.observer.event(Event::Phase(format!("random run {seed}")));
        }
        let mut source = Random::new(seed);
        let mut recorder = Recorder::new(&mut source);
        let outcome = machine.run(&mut recorder, run.limits);
        // A choice costs more than a step, and is kept.
        let asked = recorder.list.len() as u64;
        left = left.saturating_sub(outcome.steps.max(100) + CHOICE * asked);
        if !outcome.end.is_violation() {
            continue;
        }
        let choices = recorder.list;
        let Some(place) = open.iter().position(|&property| violates(task.program, property, &outcome)) else {
            continue;
        };
        let property = open.swap_remove(place);
        let violation = Violation {
            seed: Some(seed),
            path: Vec::new(),
            values: Feasible::default(),
            choices,
            run: outcome,
        };
        found.push((property, violation));
    }
    (found, seed)
}
