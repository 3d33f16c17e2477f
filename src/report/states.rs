//! All runs of a C program, told: how they end, how many states there are, what follows.

use super::grouped;
use super::run::short;
use crate::ground::exit::Exit;
use crate::ground::reason::Stop;
use crate::ir::Module;
use crate::states::{Ended, Explored, Incomplete, Recheck};
use crate::vm::End;

/// What a search says about the program.
#[must_use]
pub fn exit(explored: &Explored) -> Exit {
    let violated = explored.ends.iter().any(|row| row.end.is_violation());
    match &explored.incomplete {
        _ if violated => Exit::Violated,
        _ if matches!(explored.recheck, Recheck::Failed(_)) => Exit::Internal,
        None => Exit::Holds,
        Some(Incomplete::Stopped(Stop::Interrupted)) => Exit::Interrupted,
        Some(_) => Exit::Unknown,
    }
}

/// The table of ends, the figures, the result.
#[must_use]
pub fn text(module: &Module, explored: &Explored) -> String {
    let mut out = String::new();
    for row in &explored.ends {
        out += &format!("{:>12}  {}\n", grouped(row.count), end_text(module, row));
    }
    if explored.ends.is_empty() {
        out += "no run ends\n";
    }
    out += &figures(explored);
    out + &result(explored)
}

fn end_text(module: &Module, row: &Ended) -> String {
    let place = row.location.place.map(|place| super::run::place_text(module, place));
    let at = place.map(|place| format!(" at {place}")).unwrap_or_default();
    match &row.end {
        End::Exit(code) => format!("exit code {code}"),
        End::AssertionFailed(text) => format!("assertion `{text}` fails{at}"),
        End::ErrorReached(name) => format!("{name} is reached{at}"),
        End::Fault(fault) | End::Stopped(fault) => {
            let place = fault.location.place.map(|place| super::run::place_text(module, place));
            let at = place.map(|place| format!(" at {place}")).unwrap_or_default();
            format!("{}: {}{at}", fault.fault.name(), fault.text)
        }
        End::Choices(error) => format!("not all values can be tried of {}{at}", error.text),
        End::Deadlock(_) => "deadlock: no thread can go on".to_owned(),
        End::AssumptionFailed => "an assumption does not hold".to_owned(),
        end => format!("{}{at}", short(end)),
    }
}

fn figures(explored: &Explored) -> String {
    let (states, steps) = (grouped(explored.states as u64), grouped(explored.steps));
    let mut text = format!("{states} states, {steps} steps between them");
    if explored.incomplete.is_none() {
        text += &format!("; none is more than {} steps away", explored.depth);
    }
    text += &format!("; {} bytes per state\n", explored.bytes_per_state());
    match &explored.recheck {
        Recheck::NotMade => {}
        Recheck::Stopped => text += "second pass: stopped\n",
        Recheck::Passed => text += "second pass: every step from a state leads to one of them\n",
        Recheck::Failed(what) => text += &format!("second pass: {what}\n"),
    }
    if explored.assumed {
        text += "assumption: inputs have the values that were tried\n";
    }
    text
}

fn result(explored: &Explored) -> String {
    match exit(explored) {
        Exit::Violated => "result: violated\n".to_owned(),
        Exit::Holds => "result: holds\n".to_owned(),
        _ => format!("result: unknown ({})\n", why(explored)),
    }
}

fn why(explored: &Explored) -> String {
    match &explored.incomplete {
        None => "the second pass did not see the same".to_owned(),
        Some(Incomplete::Stopped(stop)) => stop.to_string(),
        Some(Incomplete::States(states)) => format!("{} states", grouped(*states as u64)),
        Some(Incomplete::FirstViolation) => "the search stopped at the first violation".to_owned(),
        Some(Incomplete::LeftOut(what)) => format!("not all values can be tried of {what}"),
        Some(Incomplete::End(end)) => short(end),
        Some(Incomplete::Races) => "states do not show all races".to_owned(),
        Some(Incomplete::Noted) => "a fault happens that is not checked".to_owned(),
    }
}
