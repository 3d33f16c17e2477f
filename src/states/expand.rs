//! The steps from a state.

use super::store::Store;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::vm::state::{Next, Saved, Stepper};
use crate::vm::{End, Location, Machine};
use std::ops::Range;

/// Where a step leads.
#[derive(Debug)]
pub enum To {
    /// To a state that was seen before this batch.
    Known(u32),
    /// To another state.
    New(Saved),
    /// To the end of the run, at this place.
    End(Box<End>, Location),
}

/// A step.
#[derive(Debug)]
pub struct Taken {
    /// The state that it begins in.
    pub from: u32,
    /// Who makes it.
    pub thread: u32,
    /// Which of the possible answers it got, in order.
    pub branch: u32,
    /// Where it leads.
    pub to: To,
}

/// What a worker has found out.
#[derive(Debug, Default)]
pub struct Work {
    /// All steps, in order.
    pub taken: Vec<Taken>,
    /// Answers that were not tried.
    pub left_out: Option<String>,
    /// Numbers were left out as it was asked for.
    pub assumed: bool,
    /// A fault was noted that nobody asked for.
    pub noted: bool,
    /// What reductions rest on is not so: only looked at in the second pass.
    pub mismatch: Option<String>,
    /// The work was broken off.
    pub stopped: Option<Stop>,
}

/// All steps from these states.
pub fn expand(stepper: &mut Stepper<'_, '_>, store: &Store, states: Range<usize>, limits: &Limits) -> Work {
    let mut work = Work::default();
    let (mut parts, mut saved) = (Vec::new(), Saved::default());
    for state in states {
        if let Err(stop) = limits.check() {
            work.stopped = Some(stop);
            break;
        }
        store.parts(state, &mut parts);
        stepper.load(&parts, |part| store.words(part));
        let enabled = stepper.enabled();
        if enabled.is_empty() {
            let (end, place) = (Box::new(stepper.stuck()), stepper.location());
            work.taken.push(Taken { from: state as u32, thread: 0, branch: 0, to: To::End(end, place) });
        }
        for (turn, &thread) in enabled.iter().enumerate() {
            if turn > 0 {
                stepper.load(&parts, |part| store.words(part));
            }
            let mut next = stepper.step(thread);
            for branch in 0.. {
                let to = match next {
                    Next::End(end) => To::End(end, stepper.location()),
                    Next::State => {
                        stepper.save(&mut saved);
                        match store.find(&saved, &parts) {
                            Some(known) => To::Known(known),
                            None => To::New(saved.clone()),
                        }
                    }
                };
                work.taken.push(Taken { from: state as u32, thread, branch, to });
                if !stepper.has_others() {
                    break;
                }
                stepper.load(&parts, |part| store.words(part));
                next = stepper.again(thread);
            }
        }
        if work.left_out.is_none() {
            work.left_out = stepper.script().left_out();
        }
        work.assumed |= stepper.script().assumed();
    }
    work.mismatch = stepper.mismatch();
    work.noted = stepper.noted() > 0;
    work
}

/// Batches below this size are not worth sharing out.
const SHARED: usize = 256;
/// So many states are worked on by one worker at a time.
const SLICE: usize = 64;

/// The same, shared out to workers; the steps are in the same order.
pub fn expand_all(
    machine: &Machine<'_>,
    options: &super::Options,
    store: &Store,
    states: Range<usize>,
    limits: &Limits,
) -> Vec<Work> {
    let steps = |range: Range<usize>| {
        machine
            .in_steps(options.cut, &options.answers, limits, |stepper| expand(stepper, store, range, limits))
    };
    if options.workers < 2 || states.len() < SHARED {
        return vec![steps(states)];
    }
    let slices: Vec<Range<usize>> =
        states.clone().step_by(SLICE).map(|start| start..(start + SLICE).min(states.end)).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let worker = || {
        machine.in_steps(options.cut, &options.answers, limits, |stepper| {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(slice) = slices.get(number) else { return done };
                done.push((number, expand(stepper, store, slice.clone(), limits)));
            }
        })
    };
    let mut all: Vec<(usize, Work)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..options.workers).map(|_| scope.spawn(worker)).collect();
        let mut all = worker();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, work)| work).collect()
}
