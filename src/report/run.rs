//! A run of a C program, told.

use crate::ground::exit::Exit;
use crate::ground::reason::Stop;
use crate::ir::{Module, Place};
use crate::vm::{End, Event, FaultReport, Location, RunOutcome, TraceStep};

/// What a run belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Its seed, if it was random.
    pub seed: Option<u64>,
    /// How many runs were asked for.
    pub runs: u64,
}

/// What a run says about the program.
#[must_use]
pub fn exit(outcome: &RunOutcome) -> Exit {
    match &outcome.end {
        end if end.is_violation() => Exit::Violated,
        End::Exit(_) | End::Abort | End::AssumptionFailed => Exit::Holds,
        End::Interrupted(Stop::Interrupted) => Exit::Interrupted,
        End::Choices(_) => Exit::Input,
        _ => Exit::Unknown,
    }
}

/// What the program wrote, its steps if they were recorded, how it ended.
#[must_use]
pub fn text(module: &Module, outcome: &RunOutcome, context: Context) -> String {
    let mut out = String::new();
    if outcome.trace.is_empty() {
        out.push_str(&String::from_utf8_lossy(&outcome.output));
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
    }
    outcome.trace.iter().for_each(|step| out.push_str(&step_line(module, step, outcome.threads)));
    for fault in &outcome.noted {
        out.push_str(&format!("note: {}\n", fault_text(module, fault)));
    }
    out.push_str(&ending(module, outcome));
    if let Some(seed) = context.seed.filter(|_| context.runs > 1) {
        let runs =
            if exit(outcome) == Exit::Violated { "found by the run" } else { "no violation up to the run" };
        out.push_str(&format!("{runs} with seed {seed}\n"));
    }
    out.push_str(&result(outcome));
    out
}

/// The last line: there is a result only if the run shows one.
fn result(outcome: &RunOutcome) -> String {
    match exit(outcome) {
        Exit::Violated => "result: violated\n".into(),
        Exit::Unknown | Exit::Interrupted => format!("result: unknown ({})\n", short(&outcome.end)),
        _ => String::new(),
    }
}

pub(super) fn short(end: &End) -> String {
    match end {
        End::Unsupported(what) => format!("unsupported: {what}"),
        End::Bound(bound) => bound.to_string(),
        End::Interrupted(stop) => stop.to_string(),
        End::Stopped(fault) => format!("{} ended the run", fault.fault.name()),
        other => other.name().into(),
    }
}

/// How it ended, with the open calls.
#[must_use]
pub fn ending(module: &Module, outcome: &RunOutcome) -> String {
    let at = location(module, &outcome.location);
    let mut text = match &outcome.end {
        End::Exit(code) => {
            return format!("exit code {code} after {} steps\n", super::grouped(outcome.steps));
        }
        End::Abort => return format!("aborted {at}\n"),
        End::AssumptionFailed => {
            return format!("an assumption does not hold {at}: the run does not count\n");
        }
        End::Choices(error) => return format!("the choices do not fit the program: {error}\n"),
        End::AssertionFailed(text) => format!("assertion `{text}` fails {at}\n"),
        End::ErrorReached(name) => format!("{name} is reached {at}\n"),
        End::Fault(fault) | End::Stopped(fault) => format!("{}\n", fault_text(module, fault)),
        End::Unsupported(what) => format!("unsupported: {what} {at}\n"),
        End::Bound(bound) => format!("{bound} {at}\n"),
        End::Interrupted(stop) => format!("stopped ({stop}) {at}\n"),
        End::Deadlock(waiting) => {
            let lines: Vec<String> = waiting
                .iter()
                .map(|(place, what)| {
                    format!("  thread {} {} {what}\n", place.thread, location(module, place))
                })
                .collect();
            format!("deadlock: no thread can go on\n{}", lines.concat())
        }
    };
    for caller in outcome.stack.iter().skip(1).take(CALLERS) {
        text.push_str(&format!("  called {}\n", location(module, caller)));
    }
    if let Some(more) = outcome.stack.len().checked_sub(CALLERS + 2) {
        text.push_str(&format!("  … and {} more calls\n", more + 1));
    }
    text
}

/// So many open calls are told.
const CALLERS: usize = 8;

fn fault_text(module: &Module, fault: &FaultReport) -> String {
    format!("{}: {} {}", fault.fault.name(), fault.text, location(module, &fault.location))
}

/// `at file.c:12 in main`.
fn location(module: &Module, location: &Location) -> String {
    let place = location.place.map(|place| format!("at {} ", place_text(module, place))).unwrap_or_default();
    format!("{place}in {}", location.function)
}

pub(super) fn place_text(module: &Module, place: Place) -> String {
    format!("{}:{}", module.files[place.file], place.line)
}

fn step_line(module: &Module, step: &TraceStep, threads: usize) -> String {
    let place = step.location.place.map(|place| place_text(module, place)).unwrap_or_default();
    let thread = if threads > 1 { format!("thread {}  ", step.location.thread) } else { String::new() };
    let indent = "  ".repeat(step.depth.saturating_sub(1).min(20));
    let what = what(&step.event);
    format!("{place:<24} {thread}{indent}{what}\n")
}

/// What happened, in the words of C.
pub(super) fn what(event: &Event) -> String {
    match event {
        Event::Store { target, value } => format!("{target} = {value}"),
        Event::Call { function, arguments } => format!("{function}({})", arguments.join(", ")),
        Event::Return { function, value: Some(value) } => format!("{function} returns {value}"),
        Event::Return { function, value: None } => format!("{function} returns"),
        Event::Choice { what, value } => format!("{what}: {value}"),
        Event::Output(text) => format!("writes {text:?}"),
        Event::Fault(fault) => format!("{}: {}", fault.fault.name(), fault.text),
    }
}
