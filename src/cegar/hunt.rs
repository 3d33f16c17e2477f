//! Random runs, before anything is abstracted: many bugs are that near.
//!
//! The machine makes runs with random choices, from fixed seeds, within a number of steps: the same program is hunted
//! in the same way each time. A run that violates a property is a violation like any other: its choices are on record.

use super::fewer::{Length, length};
use super::{Task, Violation};
use crate::engine::Run;
use crate::ground::event::Event;
use crate::program::PropertyId;
use crate::simulate::Feasible;
use crate::simulate::replay::violates;
use crate::vm::{self, Chosen, Machine, Random, Recorder, RunOutcome};
use indexmap::IndexMap;

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

/// Once all are found, so many more runs look for shorter ones, if there are threads.
const MORE: u64 = 400;

/// A violation that was found, and how hard it is to read.
type Found = IndexMap<PropertyId, (Length, Violation)>;

/// Hunts for violations; tells them, and how many runs were made.
pub(super) fn hunt(task: &Task<'_>, hunt: Hunt, run: Run<'_>) -> (Vec<(PropertyId, Violation)>, u64) {
    let threads = hunt.threads.min(task.machine.threads);
    let settings = vm::Settings { steps: hunt.steps, threads, ..task.machine.clone() };
    let mut machine = Machine::new(task.module, settings);
    let mut found = Found::new();
    let (mut seed, mut left) = (0, hunt.all_steps);
    let mut last = hunt.runs;
    while seed < last && left > 0 && run.limits.check().is_ok() {
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
        if outcome.end.is_violation() {
            keep(task, &mut found, seed, recorder.list, outcome);
            if found.len() == task.properties.len() {
                let threaded = found.values().any(|((threads, ..), _)| *threads > 0);
                last = last.min(if threaded { seed + MORE } else { seed });
            }
        }
    }
    (found.into_iter().map(|(property, (_, violation))| (property, violation)).collect(), seed)
}

/// The property that a run violates. A copy of memory has several of one kind, for what it reads and what it writes; which of
/// them is violated is for the loop to find out.
pub(super) fn violated(task: &Task<'_>, outcome: &RunOutcome) -> Option<PropertyId> {
    let mut all = task.program.properties.ids().filter(|&id| violates(task.program, id, outcome));
    let only = all.next().filter(|_| all.next().is_none())?;
    task.properties.contains(&only).then_some(only)
}

/// Keeps a violation that is new, or easier to read than the known one.
fn keep(task: &Task<'_>, found: &mut Found, seed: u64, choices: Vec<Chosen>, outcome: RunOutcome) {
    let Some(property) = violated(task, &outcome) else { return };
    let length = length(&choices);
    if found.get(&property).is_some_and(|(known, _)| *known <= length) {
        return;
    }
    let violation =
        Violation { seed: Some(seed), path: Vec::new(), values: Feasible::default(), choices, run: outcome };
    found.insert(property, (length, violation));
}
