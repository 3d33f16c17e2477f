//! Random runs, before anything is abstracted: many bugs are that near.
//!
//! The machine makes runs with random choices, from fixed seeds, within a number of steps: the same program is hunted
//! in the same way each time. A run that violates a property is a violation like any other: its choices are on record.
//! What a run meets always counts: where the model makes no claim, a property is added for the place.

use super::fewer::{Length, length};
use super::{Loop, Verdict, Violation, Watcher};
use crate::ground::event::Event;
use crate::program::{Property, PropertyId, PropertyKind};
use crate::simulate::Feasible;
use crate::simulate::replay::violates;
use crate::vm::{self, Chosen, End, Machine, Random, Recorder, RunOutcome};
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

/// What was found, and how hard each run is to read.
type Found = IndexMap<PropertyId, Length>;

impl Loop<'_> {
    /// Hunts for violations; tells how many runs were made.
    pub(super) fn random_runs(&mut self, watcher: &mut dyn Watcher) -> u64 {
        let (hunt, run) = (self.options.hunt, self.run);
        let threads = hunt.threads.min(self.task.machine.threads);
        let settings = vm::Settings { steps: hunt.steps, threads, ..self.task.machine.clone() };
        let mut machine = Machine::new(self.task.module, settings);
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
                self.keep(&mut found, (seed, recorder.list, outcome), watcher);
                let enough = self.options.stop_at_first && !found.is_empty();
                if enough || self.task.properties.iter().all(|property| found.contains_key(property)) {
                    let threaded = found.values().any(|(threads, ..)| *threads > 0);
                    last = last.min(if threaded { seed + MORE } else { seed });
                }
            }
        }
        seed
    }

    /// Keeps a violation that is new, or easier to read than the known one.
    fn keep(
        &mut self,
        found: &mut Found,
        (seed, choices, run): (u64, Vec<Chosen>, RunOutcome),
        watcher: &mut dyn Watcher,
    ) {
        let Some(property) = self.matching(&run).or_else(|| self.claimed(&run)) else {
            return;
        };
        let length = length(&choices);
        let known = found.get(&property).copied();
        if known.is_some_and(|known| known <= length) {
            return;
        }
        found.insert(property, length);
        let violation =
            Violation { seed: Some(seed), path: Vec::new(), values: Feasible::default(), choices, run };
        match known {
            None => self.violated(property, violation, watcher),
            Some(_) => _ = self.verdicts.insert(property, Some(Verdict::Violated(Box::new(violation)))),
        }
    }

    /// The property that a run violates. Several may fit: a copy of memory has one for what it reads and one for what it
    /// writes, and a deadlock is at the places of all who wait. The first one of the very kind counts.
    pub(super) fn matching(&self, outcome: &RunOutcome) -> Option<PropertyId> {
        let kind = kind_of(&outcome.end).map(|(kind, _)| kind);
        let properties = &self.task.program.properties;
        let matching = self.verdicts.keys().copied().filter(|&id| violates(self.task.program, id, outcome));
        matching.min_by_key(|&id| Some(properties[id].kind) != kind)
    }

    /// The property of a run that violates what the model claims nowhere, if that was asked for: it is added.
    pub(super) fn claimed(&mut self, outcome: &RunOutcome) -> Option<PropertyId> {
        let (kind, text) = kind_of(&outcome.end)?;
        let program = &mut *self.task.program;
        let known = program.properties.ids().any(|id| violates(program, id, outcome));
        if known || !self.task.anywhere.contains(&kind) {
            return None;
        }
        let location = match &outcome.end {
            End::Fault(report) => &report.location,
            _ => &outcome.location,
        };
        let (function, place) = (&location.function, location.place);
        let begins = format!("{function}.{}.", kind.name());
        let same = |property: &Property| property.id.starts_with(&begins) && property.place == place;
        if let Some((id, _)) = program.properties.enumerate().find(|(_, property)| same(property)) {
            return Some(id);
        }
        let number =
            program.properties.iter().filter(|property| property.id.starts_with(&begins)).count() + 1;
        let procedure = program.procedures.ids().find(|&id| program.procedures[id].name == *function);
        Some(program.properties.push(Property {
            id: format!("{begins}{number}"),
            kind,
            text,
            place,
            procedure: procedure.unwrap_or(program.entry),
            edges: Vec::new(),
        }))
    }
}

/// What kind of property a run violates that ends like this, and what it claims.
fn kind_of(end: &End) -> Option<(PropertyKind, String)> {
    match end {
        End::AssertionFailed(text) => Some((PropertyKind::Assertion, text.clone())),
        End::ErrorReached(text) => Some((PropertyKind::ErrorReached, text.clone())),
        End::Fault(report) => Some((PropertyKind::Fault(report.fault), report.fault.claim().to_owned())),
        _ => None,
    }
}
