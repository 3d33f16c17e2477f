//! All states, explicitly, before the loop: what closed programs with a fixed number of threads mostly need.
//!
//! The machine makes every step of every thread from every state ([`states`](crate::states)). If that ends, and every end of a run is one that
//! counts, then what was not violated holds. Otherwise nothing follows from it, and the loop goes on as ever; a violation that was found
//! is a violation, once the machine has made its run from the start. The budget is a number of states, so that it does not depend on the
//! clock who decides.

use super::only::decided;
use super::{Certificates, Loop, Verdict, Violation, Watcher};
use crate::ground::reason::{Defect, Reason, Stop};
use crate::program::PropertyId;
use crate::simulate::Feasible;
use crate::states::{Ended, Explored, Incomplete, Options, Recheck, explore};
use crate::vm::{End, Exactness, Machine, Settings};

/// Which engine decides C programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The loop.
    #[default]
    Loop,
    /// Of programs that start threads, states within a budget; then the loop.
    Both,
    /// States, however many there are.
    States,
}

/// So many states at most, where the loop comes after them.
const BUDGET: usize = 100_000;

/// So many bytes, which is far more than that many states of most programs take.
const BYTES: usize = 64 << 20;

/// What a complete search has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    /// So many states.
    states: usize,
    /// Whether a second pass has seen the same.
    again: bool,
}

impl Seen {
    /// It as a certificate: yes or no, in words.
    pub fn told(self) -> Result<String, String> {
        let states = self.states;
        if self.again {
            Ok(format!("all {states} states seen, and every step from them once more"))
        } else {
            Err(format!("all {states} states seen, once"))
        }
    }
}

/// Explores, and decides what can be decided.
///
/// # Errors
/// If states are all that was asked for, and do not decide everything: why.
pub(super) fn run(search: &mut Loop<'_>, watcher: &mut dyn Watcher) -> Result<(), Reason> {
    let engine = search.options.engine;
    let wanted = match engine {
        Engine::Both => {
            search.options.hunt.runs > 0 && search.task.program.starts_threads() && is_open(search)
        }
        Engine::Loop => false,
        Engine::States => true,
    };
    if !wanted {
        return Ok(());
    }
    let settings =
        Settings { exactness: Exactness::Explored, steps: u64::MAX, ..search.task.machine.clone() };
    let machine = Machine::new(search.task.module, settings);
    let options = options(search, engine);
    let explored = explore(&machine, &options, search.run);
    search.record.explored = explored.states;
    let confirmed = violations(search, &machine, &explored, &options, watcher);
    if !confirmed {
        return refused(engine, Reason::ReplayMismatch("of states".to_owned()));
    }
    match why_open(&explored) {
        Some(reason) => refused(engine, reason),
        None => {
            decide(search, &explored);
            Ok(())
        }
    }
}

/// Nothing is decided by states. That is no result if they are all that was asked for.
fn refused(engine: Engine, reason: Reason) -> Result<(), Reason> {
    match reason {
        Reason::Defect(_) => Err(reason),
        _ if engine == Engine::States => Err(reason),
        _ => Ok(()),
    }
}

fn is_open(search: &Loop<'_>) -> bool {
    search.verdicts.values().any(Option::is_none)
}

fn options(search: &Loop<'_>, engine: Engine) -> Options {
    Options {
        states: if engine == Engine::States { usize::MAX } else { BUDGET },
        bytes: if engine == Engine::States { usize::MAX } else { BYTES },
        workers: if engine == Engine::States { 2 } else { 1 },
        stop_at_first: search.options.stop_at_first,
        only_complete: engine == Engine::Both,
        recheck: search.options.certificate == Certificates::All,
        ..Options::default()
    }
}

/// Notes the violations that the machine confirms; whether it confirmed all of them.
fn violations(
    search: &mut Loop<'_>,
    machine: &Machine<'_>,
    explored: &Explored,
    options: &Options,
    watcher: &mut dyn Watcher,
) -> bool {
    let mut confirmed = true;
    for row in explored.ends.iter().filter(|row| row.end.is_violation()) {
        let Some((property, violation)) = violation(search, machine, explored, row, options) else {
            confirmed = false;
            continue;
        };
        if search.verdicts.get(&property).is_none_or(Option::is_none) {
            search.violated(property, violation, watcher);
        }
    }
    confirmed
}

fn violation(
    search: &mut Loop<'_>,
    machine: &Machine<'_>,
    explored: &Explored,
    row: &Ended,
    options: &Options,
) -> Option<(PropertyId, Violation)> {
    let found = explored.run_to(machine, row, options, search.run);
    if !found.run.end.is_violation() {
        return None;
    }
    let property = search.matching(&found.run).or_else(|| search.claimed(&found.run))?;
    let (choices, run) = (found.choices, found.run);
    let mut violation = Violation { seed: None, path: Vec::new(), values: Feasible::default(), choices, run };
    super::fewer(&search.task, property, &mut violation, search.run.limits);
    Some((property, violation))
}

/// Why nothing follows from a search.
fn why_open(explored: &Explored) -> Option<Reason> {
    if let Recheck::Failed(what) = &explored.recheck {
        return Some(Defect::CertificateRejected(format!("states: {what}")).into());
    }
    Some(match explored.incomplete.as_ref()? {
        Incomplete::Stopped(stop) => stop.clone().into(),
        Incomplete::States(states) => Stop::Bound(format!("{states} states")).into(),
        Incomplete::FirstViolation => Reason::FirstViolationOnly,
        Incomplete::LeftOut(what) => {
            Reason::Unsupported(format!("states: not all values can be tried of {what}"))
        }
        Incomplete::End(End::Stopped(fault)) => {
            let name = fault.fault.name();
            Reason::Unsupported(format!("states: a fault of kind {name} ends a run, and is not checked"))
        }
        Incomplete::End(End::Unsupported(what)) => Reason::Unsupported(format!("states: {what}")),
        Incomplete::End(end) => Reason::Unsupported(format!("states: a run ends: {}", end.name())),
        Incomplete::Races => Reason::Unsupported("states: they do not show all races".to_owned()),
        Incomplete::Noted => Reason::Unsupported("states: a fault happens that is not checked".to_owned()),
    })
}

/// What was asked for and was not violated in any state holds.
fn decide(search: &mut Loop<'_>, explored: &Explored) {
    search.record.all_states =
        Some(Seen { states: explored.states, again: explored.recheck == Recheck::Passed });
    let properties = &search.task.program.properties;
    for (&id, verdict) in &mut search.verdicts {
        if verdict.is_none() && decided(properties[id].kind) {
            *verdict = Some(Verdict::Holds);
            search.record.by_run.insert(id);
        }
    }
}
