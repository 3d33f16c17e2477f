//! How runs end.

use crate::ground::limits::Limits;
use crate::vm::state::{Follow, Turn};
use crate::vm::{Chosen, End, Location, Machine, Recorder, RunOutcome};

/// A way in which runs end: a row of the table.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How.
    pub end: End,
    /// Where.
    pub location: Location,
    /// How many steps end so.
    pub count: u64,
    /// The state before the first of them, who made it, and which answers it got.
    pub(super) last: (u32, u32, u32),
}

/// A run that ends in such a way.
#[derive(Clone, Debug)]
pub struct Found {
    /// What was chosen.
    pub choices: Vec<Chosen>,
    /// What the machine saw.
    pub run: RunOutcome,
}

/// Lets the machine make these steps, from the start.
#[must_use]
pub fn follow(machine: &mut Machine<'_>, turns: &[Turn], limits: &Limits) -> Found {
    let mut source = Follow::new(turns);
    let mut recorder = Recorder::new(&mut source);
    let run = machine.run(&mut recorder, limits);
    Found { choices: recorder.list, run }
}

/// Adds an end to the table. Ends are the same if they end the same way at the same place.
pub fn note(table: &mut Vec<Ended>, end: End, location: Location, last: (u32, u32, u32)) {
    let same = |row: &&mut Ended| row.end == end && row.location.place == location.place;
    match table.iter_mut().find(same) {
        Some(row) => row.count += 1,
        None => table.push(Ended { end, location, count: 1, last }),
    }
}
