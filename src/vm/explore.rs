//! All runs, for small programs: depth-first over the list of choices.
//!
//! Every run starts anew with a prefix of choices; where the prefix ends, the first possibility is taken, and the last
//! choice that has another possibility is changed for the next run. Numbers are taken from a small set that the caller
//! gives, so that "all" means all runs with these inputs; addresses are always the suggested ones.
//!
//! With several threads there are far more runs than states. [`explore_states`] goes on from no state twice, where the
//! scheduler has to choose; it finds the same ends.

use super::Machine;
use super::choices::{Choice, ChoiceError, Chooser, Chosen, Domain};
use super::outcome::{End, RunOutcome};
use super::value::mask128;
use crate::ground::limits::Limits;
use rustc_hash::FxHashSet;

/// What is explored.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The numbers tried for inputs and uninitialised bytes, each cut to the width asked for.
    pub numbers: Vec<i128>,
    /// At most so many runs.
    pub runs: usize,
    /// At most so many choices in a run; the ones behind take the first possibility.
    pub choices: usize,
}

impl Default for Exploration {
    fn default() -> Self {
        Self { numbers: vec![0, 1, 2, -1], runs: 100_000, choices: 1_000 }
    }
}

/// Whether everything was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// All runs with these numbers.
    Complete,
    /// A bound was reached: there may be more.
    Partial,
}

/// A way in which runs end.
#[derive(Clone, Debug)]
pub struct Found {
    /// The first run that ended so.
    pub outcome: RunOutcome,
    /// Its choices.
    pub choices: Vec<Chosen>,
    /// How many runs ended so.
    pub runs: usize,
}

/// What an exploration found.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Ends of runs, in the order in which they were found; each once.
    pub ends: Vec<Found>,
    /// How many runs there were.
    pub runs: usize,
    /// Whether that was all.
    pub coverage: Coverage,
}

impl Explored {
    /// The first run that violates a property.
    #[must_use]
    pub fn violation(&self) -> Option<&Found> {
        self.ends.iter().find(|found| found.outcome.end.is_violation())
    }
}

/// A choice that was made: which of how many possibilities.
struct Level {
    taken: usize,
    count: usize,
    chosen: Chosen,
}

struct Explorer<'a> {
    settings: &'a Exploration,
    levels: Vec<Level>,
    /// How many choices of this run were made.
    next: usize,
    cut: bool,
    /// States that the scheduler has seen, if they are remembered.
    seen: Option<FxHashSet<u128>>,
    /// This run came to one of them.
    again: bool,
}

impl Explorer<'_> {
    /// The possibilities of a choice.
    fn possibilities(&self, choice: &Choice) -> Vec<u128> {
        match &choice.domain {
            Domain::Among(values) => values.iter().map(|&value| u128::from(value)).collect(),
            Domain::Address { suggestion, .. } => vec![u128::from(*suggestion)],
            Domain::Bits(1) => vec![0, 1],
            Domain::Bits(bits) => {
                let mut values: Vec<u128> = Vec::new();
                for number in &self.settings.numbers {
                    let value = *number as u128 & mask128(*bits);
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                if values.is_empty() { vec![0] } else { values }
            }
        }
    }

    /// The next prefix, if there is one.
    fn advance(&mut self) -> bool {
        self.levels.truncate(self.next);
        while let Some(level) = self.levels.last_mut() {
            if level.taken + 1 < level.count {
                level.taken += 1;
                self.next = 0;
                return true;
            }
            self.levels.pop();
        }
        false
    }
}

impl Chooser for Explorer<'_> {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        let possibilities = self.possibilities(choice);
        if self.next == self.levels.len() {
            let beyond = self.next >= self.settings.choices;
            self.cut |= beyond && possibilities.len() > 1;
            let count = if beyond { 1 } else { possibilities.len() };
            self.levels.push(Level { taken: 0, count, chosen: Chosen::new(choice, 0) });
        }
        let level = &mut self.levels[self.next];
        self.next += 1;
        let value = possibilities[level.taken];
        level.chosen = Chosen::new(choice, value);
        Ok(value)
    }

    /// While a run repeats the choices of the one before, it comes to the same states.
    fn looks_back(&self) -> bool {
        self.seen.is_some() && self.next == self.levels.len()
    }

    fn pass(&mut self, state: u128) -> Result<(), ChoiceError> {
        self.again = self.seen.as_mut().is_some_and(|seen| !seen.insert(state));
        if self.again {
            return Err(ChoiceError { number: 0, text: "seen before".to_owned() });
        }
        Ok(())
    }
}

/// Runs a program with all choices.
pub fn explore(machine: &mut Machine<'_>, settings: &Exploration, limits: &Limits) -> Explored {
    run_all(machine, settings, limits, None)
}

/// Runs a program with all choices, but not twice from one state.
pub fn explore_states(machine: &mut Machine<'_>, settings: &Exploration, limits: &Limits) -> Explored {
    run_all(machine, settings, limits, Some(FxHashSet::default()))
}

fn run_all(
    machine: &mut Machine<'_>,
    settings: &Exploration,
    limits: &Limits,
    seen: Option<FxHashSet<u128>>,
) -> Explored {
    let mut explorer = Explorer { settings, levels: Vec::new(), next: 0, cut: false, seen, again: false };
    let mut explored = Explored { ends: Vec::new(), runs: 0, coverage: Coverage::Complete };
    loop {
        let outcome = machine.run(&mut explorer, limits);
        explored.runs += 1;
        let bounded = matches!(outcome.end, End::Bound(_));
        let stopped = matches!(outcome.end, End::Interrupted(_));
        if bounded || stopped || explorer.cut {
            explored.coverage = Coverage::Partial;
        }
        if !std::mem::take(&mut explorer.again) {
            note(&mut explored, outcome, &explorer.levels[..explorer.next]);
        }
        if stopped || !explorer.advance() {
            return explored;
        }
        if explored.runs >= settings.runs {
            explored.coverage = Coverage::Partial;
            return explored;
        }
    }
}

/// Ends are the same if they end the same way at the same place.
fn note(explored: &mut Explored, outcome: RunOutcome, levels: &[Level]) {
    let same = |found: &&mut Found| {
        found.outcome.end == outcome.end && found.outcome.location.place == outcome.location.place
    };
    if let Some(found) = explored.ends.iter_mut().find(same) {
        found.runs += 1;
        return;
    }
    let choices = levels.iter().map(|level| level.chosen.clone()).collect();
    explored.ends.push(Found { outcome, choices, runs: 1 });
}
