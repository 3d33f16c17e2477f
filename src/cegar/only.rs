//! The only run of a program that has no choices.
//!
//! A program without inputs, threads and other choices has one run. If the machine makes it to the end and no property
//! is violated, then they hold, whatever is not modelled. The run is strict: it ends where the machine would settle by itself
//! what is open ([`vm::exact`](crate::vm::exact)), and at the first choice, because it is given an empty list of choices.
//!
//! The machine does not look for every fault in the way that a proof has to: see [`decided`].

use super::{Loop, Verdict, Violation};
use crate::program::{PropertyId, PropertyKind};
use crate::simulate::Feasible;
use crate::vm::{End, Exactness, Given, Machine, RunOutcome, Settings};

/// How long the run may be.
const STEPS: u64 = 5_000_000;

/// Makes the only run, if it can be the only one. Decides what it can; returns a violation, since random runs may find
/// the same, and say how.
pub(super) fn run(search: &mut Loop<'_>) -> Option<(PropertyId, Violation)> {
    let task = &search.task;
    if search.options.hunt.runs == 0 || task.machine.entry != "main" {
        return None;
    }
    let settings = Settings { steps: STEPS, exactness: Exactness::Strict, ..task.machine.clone() };
    let outcome = Machine::new(task.module, settings).run(&mut Given::new(&[]), search.run.limits);
    if is_complete(&outcome) {
        search.record.only_run = Some(outcome.steps);
        decide(search);
        return None;
    }
    if !outcome.end.is_violation() {
        return None;
    }
    let property = search.matching(&outcome).or_else(|| search.claimed(&outcome))?;
    let (path, values, choices) = (Vec::new(), Feasible::default(), Vec::new());
    Some((property, Violation { seed: None, path, values, choices, run: outcome }))
}

/// What was asked for and is not violated by the only run holds.
fn decide(search: &mut Loop<'_>) {
    let properties = &search.task.program.properties;
    for (&id, verdict) in &mut search.verdicts {
        if decided(properties[id].kind) {
            *verdict = Some(Verdict::Holds);
            search.record.by_run.insert(id);
        }
    }
}

/// Whether the only run, or all states, have decided whatever could be asked.
pub(super) fn decides_all(search: &Loop<'_>) -> bool {
    let faults = &search.task.machine.checks;
    let all = search.record.only_run.is_some() || search.record.all_states.is_some();
    all && faults.iter().all(|&fault| decided(PropertyKind::Fault(fault)))
}

/// Whether a run that asked nothing has come to its end: without a fault, and in one thread.
fn is_complete(outcome: &RunOutcome) -> bool {
    let ended = matches!(outcome.end, End::Exit(_) | End::Abort | End::AssumptionFailed);
    ended && outcome.noted.is_empty() && outcome.threads == 1
}

/// Whether the machine sees every violation of a property of this kind, in the runs that it makes.
pub(super) fn decided(kind: PropertyKind) -> bool {
    match kind {
        PropertyKind::Fault(fault) => fault.row().settled_by_a_run,
        _ => true,
    }
}
