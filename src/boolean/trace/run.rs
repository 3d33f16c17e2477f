//! Traces told from runs of the interpreter: a state after the other.

use super::{Action, Passive, Step, Trace, View};
use crate::boolean::cfg::PropertyId;
use crate::boolean::interpret::State;
use crate::ground::index::IndexVec;

/// The trace of a run: its states, the thread (by position) that moves in each but the last, and the one that violates
/// the property in the last. A step that adds a thread has started it; one that loses a thread has ended the mover.
///
/// # Panics
/// If there is no state, or not one mover for every state but the last.
#[must_use]
pub fn trace_of_run(states: &[&State], movers: &[usize], property: PropertyId, violator: usize) -> Trace {
    assert_eq!(states.len(), movers.len() + 1, "a step leads from every state but the last");
    let mut numbering = Numbering { threads: (0..states[0].threads.len()).collect(), upcoming: 1 };
    let steps = states.windows(2).zip(movers).map(|(pair, &mover)| numbering.step(pair[0], mover, pair[1]));
    let steps = steps.collect();
    let (initial, thread) = (view(states[0], 0), numbering.threads[violator]);
    Trace { property, thread, initial, steps, segments: IndexVec::new() }
}

/// What the thread at a position sees.
fn view(state: &State, thread: usize) -> View {
    let top = state.threads[thread].top();
    View { node: Some(top.node), globals: state.globals.clone(), locals: top.locals.clone() }
}

/// The lasting numbers of the threads now alive, by position.
struct Numbering {
    threads: Vec<usize>,
    upcoming: usize,
}

impl Numbering {
    fn step(&mut self, before: &State, mover: usize, after: &State) -> Step {
        let mut step = Step {
            thread: self.threads[mover],
            node: before.threads[mover].top().node,
            action: Action::Single,
            after: View { node: None, globals: after.globals.clone(), locals: Default::default() },
            started: None,
            passive: Vec::new(),
        };
        if after.threads.len() < before.threads.len() {
            self.threads.remove(mover);
            return step;
        }
        step.after = view(after, mover);
        step.passive = self.changes(before, after, mover);
        if after.threads.len() > before.threads.len() {
            step.started = Some(view(after, after.threads.len() - 1));
            self.threads.push(self.upcoming);
            self.upcoming += 1;
        }
        step
    }

    /// The frames of other threads that the step changed.
    fn changes(&self, before: &State, after: &State, mover: usize) -> Vec<Passive> {
        let mut changes = Vec::new();
        for other in (0..before.threads.len()).filter(|&other| other != mover) {
            let pairs = before.threads[other].frames.iter().zip(&after.threads[other].frames);
            for (depth, (_, frame)) in pairs.enumerate().filter(|(_, (old, new))| old != new) {
                let locals = frame.locals.clone();
                changes.push(Passive { thread: self.threads[other], depth, locals });
            }
        }
        changes
    }
}
