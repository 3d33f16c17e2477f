//! Breadth first, in batches.
//!
//! States have numbers in the order in which they are found, which is that of the search: the queue is the numbers
//! that were not worked on yet. A batch is a range of them. Workers compute its steps and look up where they lead in
//! what was stored before the batch; then the rest is stored, in order.

use super::Options;
use super::ends::{Ended, Found, follow, note};
use super::expand::{Taken, To, Work, expand_all};
use super::recheck::{Recheck, recheck};
use super::store::Store;
use crate::ground::event::Event;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::vm::state::{Next, Saved, Turn};
use crate::vm::{End, Machine, Settings};

/// A batch has at most so many states.
const BATCH: usize = 8192;

/// Fewer, if a state takes more bytes than this on average.
const SMALL_BATCH: usize = 64;
const LARGE: usize = 16 << 10;

/// What a search has found.
pub struct Explored {
    /// How many states there are, as far as they were seen,
    pub states: usize,
    /// and steps between them.
    pub steps: u64,
    /// How many steps the longest of the shortest ways to a state has.
    pub depth: usize,
    /// Bytes that the states take.
    pub bytes: usize,
    /// How runs end, in the order in which it was found.
    pub ends: Vec<Ended>,
    /// Why that may not be all; nothing, if it is.
    pub incomplete: Option<Incomplete>,
    /// Whether numbers were left out as it was asked for.
    pub assumed: bool,
    /// What the second pass came to.
    pub recheck: Recheck,
    pub(super) space: Space,
}

/// Why a search may not have seen all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// It was stopped.
    Stopped(Stop),
    /// There are more states than it may store.
    States(usize),
    /// One violation was enough.
    FirstViolation,
    /// Not all answers to a question were tried.
    LeftOut(String),
    /// A run ended in what is not known, or not asked for.
    End(End),
    /// A fault happened that nobody asked for.
    Noted,
    /// Races are asked about. Whether two threads race at an access depends on where the others have stopped, and states that are the
    /// same otherwise may differ in that: not all races are seen.
    Races,
}

/// What was stored.
#[derive(Default)]
pub(super) struct Space {
    pub store: Store,
    /// For each state the step that led there first: from which state, who, and which answers. The first states are their own.
    pub parents: Vec<(u32, u32, u32)>,
    depths: Vec<u32>,
}

/// Explores a program.
pub fn explore(machine: &Machine<'_>, options: &Options, run: Run<'_>) -> Explored {
    let mut explored = Explored {
        states: 0,
        steps: 0,
        depth: 0,
        bytes: 0,
        ends: Vec::new(),
        incomplete: None,
        assumed: false,
        recheck: Recheck::NotMade,
        space: Space::default(),
    };
    begin(machine, options, run, &mut explored);
    let mut next = 0;
    while next < explored.space.store.len() && !stops(options, &mut explored) {
        let batch = next..explored.space.store.len().min(next + batch_of(&explored.space.store));
        next = batch.end;
        let works = expand_all(machine, options, &explored.space.store, batch, run.limits);
        works.into_iter().for_each(|work| add_work(work, &mut explored));
        tell(run, &explored, next);
    }
    if next < explored.space.store.len() && explored.incomplete.is_none() {
        explored.incomplete = Some(Incomplete::FirstViolation);
    }
    explored.states = explored.space.store.len();
    explored.bytes = explored.space.store.bytes() + 16 * explored.space.parents.len();
    explored.depth = explored.space.depths.last().map_or(0, |depth| *depth as usize);
    if machine.looks_for_races() {
        explored.incomplete.get_or_insert(Incomplete::Races);
    }
    if options.recheck && explored.incomplete.is_none() {
        explored.recheck = recheck(machine, options, &explored.space.store, explored.steps, run);
    }
    explored
}

/// Large states, as those of deep recursion, are worked on a few at a time.
fn batch_of(store: &Store) -> usize {
    if store.bytes() / store.len().max(1) > LARGE { SMALL_BATCH } else { BATCH }
}

/// Stores the first states: one for each answer to what is asked at the start.
fn begin(machine: &Machine<'_>, options: &Options, run: Run<'_>, explored: &mut Explored) {
    machine.in_steps(options.cut, &options.answers, run.limits, |stepper| {
        let mut saved = Saved::default();
        let mut next = Some(stepper.start());
        for branch in 0.. {
            match next {
                Some(Next::State) => {
                    stepper.save(&mut saved);
                    let from = explored.space.store.len() as u32;
                    add(&mut explored.space, &saved, &[], (from, 0, branch), 0);
                }
                Some(Next::End(end)) => {
                    explored.incomplete = explored.incomplete.take().or(Some(Incomplete::End(*end)));
                }
                None => break,
            }
            next = stepper.start_otherwise();
        }
        explored.assumed |= stepper.script().assumed();
        note_left_out(stepper.script().left_out(), explored);
    });
}

fn note_left_out(left_out: Option<String>, explored: &mut Explored) {
    if let Some(what) = left_out {
        explored.incomplete.get_or_insert(Incomplete::LeftOut(what));
    }
}

/// Whether the search goes no further.
fn stops(options: &Options, explored: &mut Explored) -> bool {
    if explored.space.store.len() > options.states {
        explored.incomplete = Some(Incomplete::States(options.states));
        return true;
    }
    let violated = explored.ends.iter().any(|row| row.end.is_violation());
    if explored.space.store.bytes() > options.bytes {
        let bound = Stop::Bound(format!("{} MiB of states", options.bytes >> 20));
        explored.incomplete = Some(Incomplete::Stopped(bound));
        return true;
    }
    if options.only_complete && explored.incomplete.is_some() {
        return true;
    }
    violated && options.stop_at_first || matches!(explored.incomplete, Some(Incomplete::Stopped(_)))
}

fn add(space: &mut Space, saved: &Saved, loaded: &[u32], parent: (u32, u32, u32), depth: u32) {
    if space.store.add(saved, loaded).1 {
        space.parents.push(parent);
        space.depths.push(depth);
    }
}

fn add_work(work: Work, explored: &mut Explored) {
    let mut parts = Vec::new();
    let mut loaded = None;
    for Taken { from, thread, branch, to } in work.taken {
        match to {
            To::Known(_) => explored.steps += 1,
            To::New(saved) => {
                explored.steps += 1;
                if loaded != Some(from) {
                    explored.space.store.parts(from as usize, &mut parts);
                    loaded = Some(from);
                }
                let depth = explored.space.depths[from as usize] + 1;
                add(&mut explored.space, &saved, &parts, (from, thread, branch), depth);
            }
            To::End(end, location) => add_end(*end, location, (from, thread, branch), explored),
        }
    }
    note_left_out(work.left_out, explored);
    explored.assumed |= work.assumed;
    if work.noted {
        explored.incomplete.get_or_insert(Incomplete::Noted);
    }
    if let Some(stop) = work.stopped {
        explored.incomplete = Some(Incomplete::Stopped(stop));
    }
}

fn add_end(end: End, location: crate::vm::Location, last: (u32, u32, u32), explored: &mut Explored) {
    match end {
        End::Interrupted(stop) => {
            explored.incomplete = Some(Incomplete::Stopped(stop));
            return;
        }
        End::Choices(ref error) => {
            explored.incomplete.get_or_insert(Incomplete::LeftOut(error.text.clone()));
        }
        End::Stopped(_) | End::Unsupported(_) | End::Bound(_) => {
            explored.incomplete.get_or_insert(Incomplete::End(end.clone()));
        }
        _ => {}
    }
    note(&mut explored.ends, end, location, last);
}

fn tell(run: Run<'_>, explored: &Explored, done: usize) {
    let all = explored.space.store.len();
    let bytes = explored.space.store.bytes() >> 20;
    let open = all - done;
    run.observer.event(Event::Phase(format!("{all} states, {open} to go on from, {bytes} MiB")));
}

impl Explored {
    /// How many bytes a state takes.
    #[must_use]
    pub fn bytes_per_state(&self) -> usize {
        self.bytes.checked_div(self.states).unwrap_or(0)
    }

    /// The run of a row of the table of ends, as the machine makes it from the start.
    #[must_use]
    pub fn run_to(&self, machine: &Machine<'_>, row: &Ended, options: &Options, run: Run<'_>) -> Found {
        let turns = self.turns(machine, row.last, options, run);
        let settings = Settings { exactness: crate::vm::Exactness::Usual, ..machine.settings().clone() };
        follow(&mut Machine::new(machine.module(), settings), &turns, run.limits)
    }

    /// The steps to a state, and one more.
    fn turns(
        &self,
        machine: &Machine<'_>,
        last: (u32, u32, u32),
        options: &Options,
        run: Run<'_>,
    ) -> Vec<Turn> {
        let mut steps = vec![last];
        while let Some(&(from, ..)) = steps.last() {
            let parent = self.space.parents[from as usize];
            steps.push(parent);
            if parent.0 == from {
                break;
            }
        }
        let store = &self.space.store;
        machine.in_steps(options.cut, &options.answers, run.limits, |stepper| {
            let mut parts = Vec::new();
            let mut turns = Vec::new();
            let first = steps.pop().map_or(0, |(.., branch)| branch);
            stepper.start();
            (0..first).for_each(|_| _ = stepper.start_otherwise());
            turns.push(turn(stepper, 0));
            for (from, thread, branch) in steps.into_iter().rev() {
                store.parts(from as usize, &mut parts);
                stepper.load(&parts, |part| store.words(part));
                if stepper.enabled().is_empty() {
                    break;
                }
                stepper.step(thread);
                for _ in 0..branch {
                    let _ = stepper.has_others();
                    stepper.load(&parts, |part| store.words(part));
                    stepper.again(thread);
                }
                turns.push(turn(stepper, thread));
            }
            turns
        })
    }
}

fn turn(stepper: &crate::vm::state::Stepper<'_, '_>, thread: u32) -> Turn {
    let answers = stepper.script().chosen().into_iter().map(|chosen| chosen.value).collect();
    Turn { thread, instructions: stepper.instructions(), answers }
}
