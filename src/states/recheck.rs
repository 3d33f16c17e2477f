//! The second pass: every step from a stored state leads to a stored state.
//!
//! The set of states is read again, and steps are made anew, by steppers that check what reductions rest on: whether
//! another thread can reach an object is computed by other code, and registers that nobody reads any more get a value that would
//! be noticed. If the set is closed under steps and has the first state, it has all states that can be reached.

use super::Options;
use super::expand::{To, expand_all};
use super::store::Store;
use crate::ground::event::Event;
use crate::ground::run::Run;
use crate::vm::Machine;
use crate::vm::state::Cut;

/// What the second pass came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recheck {
    /// There was none.
    NotMade,
    /// It was broken off.
    Stopped,
    /// Everything was as the first pass had it.
    Passed,
    /// It was not: a defect of ours.
    Failed(String),
}

/// States at a time.
const BATCH: usize = 8192;

/// Makes the second pass over a complete set of states.
pub fn recheck(machine: &Machine<'_>, options: &Options, store: &Store, steps: u64, run: Run<'_>) -> Recheck {
    let options = Options { cut: Cut { checked: true, ..options.cut }, ..options.clone() };
    let mut counted = 0;
    for start in (0..store.len()).step_by(BATCH) {
        let batch = start..store.len().min(start + BATCH);
        run.observer.event(Event::Phase(format!("second pass, {start} of {} states", store.len())));
        for work in expand_all(machine, &options, store, batch, run.limits) {
            if work.stopped.is_some() {
                return Recheck::Stopped;
            }
            for taken in work.taken {
                match taken.to {
                    To::Known(_) => counted += 1,
                    To::End(..) => {}
                    To::New(_) => {
                        let text = format!("thread {} leads out of state {}", taken.thread, taken.from);
                        return Recheck::Failed(text);
                    }
                }
            }
            if let Some(what) = work.mismatch {
                return Recheck::Failed(what);
            }
        }
    }
    if counted == steps { Recheck::Passed } else { Recheck::Failed(format!("{counted} steps, not {steps}")) }
}
