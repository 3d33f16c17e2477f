//! Fewer steps: what the other threads do at their end and nobody notices is left out of a counterexample.
//!
//! Engines with a partial-order reduction let threads go on with steps that no other thread can notice. Thread by thread,
//! last steps first, a step is taken out if the rest still replays; the first that is needed ends it.

use super::replay::replay;
use crate::boolean::cfg::Program;
use crate::boolean::interpret::Threads;
use crate::boolean::trace::Trace;
use crate::ground::limits::Limits;

/// Longer traces stay as they are: each attempt is a replay.
const LONGEST: usize = 1_000;

/// The same violation with fewer steps, if steps can be left out: it replays, too.
#[must_use]
pub fn trim(program: &Program, trace: &Trace, threads: Threads, limits: &Limits) -> Option<Trace> {
    if trace.steps.len() > LONGEST || !trace.segments.is_empty() {
        return None;
    }
    let mut others: Vec<usize> = trace.steps.iter().map(|step| step.thread).collect();
    others.sort_unstable();
    others.dedup();
    others.retain(|&thread| thread != trace.thread);
    let mut best = trace.clone();
    for thread in others {
        while let Some(last) = best.steps.iter().rposition(|step| step.thread == thread) {
            // A limit costs only the shorter run.
            if limits.check().is_err() {
                break;
            }
            let mut shorter = best.clone();
            shorter.steps.remove(last);
            if replay(program, &shorter, threads).is_err() {
                break;
            }
            best = shorter;
        }
    }
    (best.steps.len() < trace.steps.len()).then_some(best)
}
