//! The same violation with fewer switches between threads.
//!
//! A run is a list of choices, among them who goes on. The turns of threads are what is changed: two turns of one thread
//! become one, with what was between them before or behind; a turn is left out. Whatever the machine then says violates the
//! same property with fewer threads, switches and choices is kept, until nothing more is found.

use super::{Task, Violation};
use crate::ground::limits::Limits;
use crate::program::PropertyId;
use crate::simulate::replay::violates;
use crate::vm::choices::{Choice, ChoiceError, ChoiceKind, Domain};
use crate::vm::{self, Chooser, Chosen, Machine, Recorder, RunOutcome};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many runs are tried.
const TRIES: usize = 400;
/// A run with more choices stays as it is.
const LONGEST: usize = 4_000;
/// A run that is tried is stopped after so many steps.
const STEPS: u64 = 100_000;

/// Threads, switches between them, choices in all.
pub(super) type Length = (usize, usize, usize);

/// A thread, and how often it is let go on.
type Turn = (u128, usize);

/// How hard a run is to read.
pub(super) fn length(choices: &[Chosen]) -> Length {
    let turns = turns(choices);
    let different: BTreeSet<u128> = turns.iter().map(|&(thread, _)| thread).collect();
    (different.len(), turns.len().saturating_sub(1), choices.len())
}

/// Who goes on, in turns.
fn turns(choices: &[Chosen]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for choice in choices.iter().filter(|choice| choice.kind == ChoiceKind::Thread) {
        match turns.last_mut() {
            Some((thread, count)) if *thread == choice.value => *count += 1,
            _ => turns.push((choice.value, 1)),
        }
    }
    turns
}

/// The violation, or one that is easier to read.
pub(super) fn fewer(task: &Task<'_>, property: PropertyId, violation: &mut Violation, limits: &Limits) {
    let settings = vm::Settings { steps: task.machine.steps.min(STEPS), ..task.machine.clone() };
    let mut machine = Machine::new(task.module, settings);
    let mut left = TRIES;
    while violation.choices.len() <= LONGEST && length(&violation.choices).1 > 0 {
        let found = changed(&turns(&violation.choices)).into_iter().find_map(|turns| {
            left = left.checked_sub(1).filter(|_| limits.raised().is_none())?;
            let (choices, run) = run(&mut machine, &turns, &violation.choices, limits);
            let shorter = length(&choices) < length(&violation.choices);
            (shorter && violates(task.program, property, &run)).then_some((choices, run))
        });
        let Some((choices, run)) = found else { return };
        (violation.choices, violation.run) = (choices, run);
    }
}

/// Other turns, those with the fewest first.
fn changed(turns: &[Turn]) -> Vec<Vec<Turn>> {
    let mut all = Vec::new();
    for first in 0..turns.len() {
        let thread = turns[first].0;
        let again = (first + 1..turns.len()).find(|&later| turns[later].0 == thread);
        if let Some(second) = again {
            let whole = (thread, turns[first].1 + turns[second].1);
            let others = &turns[first + 1..second];
            let (before, behind) = (&turns[..first], &turns[second + 1..]);
            all.push([before, &[whole], others, behind].concat());
            all.push([before, others, &[whole], behind].concat());
        }
        all.push([&turns[..first], &turns[first + 1..]].concat());
    }
    all
}

/// Lets the machine run with these turns, and the other choices of a run.
fn run(
    machine: &mut Machine<'_>,
    turns: &[Turn],
    choices: &[Chosen],
    limits: &Limits,
) -> (Vec<Chosen>, RunOutcome) {
    let mut source = InTurns::new(turns, choices);
    let mut recorder = Recorder::new(&mut source);
    let outcome = machine.run(&mut recorder, limits);
    (recorder.list, outcome)
}

/// Lets threads go on in turns; each gets the other choices that it got before.
struct InTurns {
    turns: VecDeque<Turn>,
    current: u128,
    /// By thread, kind and name.
    others: BTreeMap<(u128, ChoiceKind, String), VecDeque<u128>>,
}

impl InTurns {
    fn new(turns: &[Turn], choices: &[Chosen]) -> Self {
        let mut others: BTreeMap<_, VecDeque<u128>> = BTreeMap::new();
        let mut current = 0;
        for choice in choices {
            if choice.kind == ChoiceKind::Thread {
                current = choice.value;
            } else {
                others
                    .entry((current, choice.kind, choice.name.clone()))
                    .or_default()
                    .push_back(choice.value);
            }
        }
        Self { turns: turns.iter().copied().collect(), current: 0, others }
    }

    /// Whose turn it is, of those that can go on. A thread that cannot loses its turn.
    fn thread(&mut self, enabled: &[u64]) -> u128 {
        let can = |thread: u128| enabled.iter().any(|&other| u128::from(other) == thread);
        while let Some((thread, count)) = self.turns.front_mut() {
            if *count > 0 && can(*thread) {
                *count -= 1;
                self.current = *thread;
                return self.current;
            }
            self.turns.pop_front();
        }
        if !can(self.current) {
            self.current = enabled.first().copied().map_or(0, u128::from);
        }
        self.current
    }
}

impl Chooser for InTurns {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        if let (ChoiceKind::Thread, Domain::Among(enabled)) = (choice.kind, &choice.domain) {
            return Ok(self.thread(enabled));
        }
        let key = (self.current, choice.kind, choice.name.clone());
        let known = self.others.get_mut(&key).and_then(VecDeque::pop_front);
        let otherwise = match &choice.domain {
            Domain::Bits(_) => 0,
            Domain::Among(values) => values.first().copied().map_or(0, u128::from),
            Domain::Address { suggestion, .. } => u128::from(*suggestion),
        };
        Ok(known.filter(|&value| choice.domain.contains(value)).unwrap_or(otherwise))
    }
}
