//! Replay: the machine runs the program with the choices of a simulation, and judges.
//!
//! The machine asks for what its run does not determine, in the words of C; a simulation knows values of symbols of the
//! program model. They are matched by name, in order: an input by the function that it comes from, an uninitialised
//! variable by its own name. What a simulation does not know is zero, and addresses are those that the machine suggests.
//! If a match is wrong, the run does not violate the property and that is all: a mismatch, never a verdict.

use super::Feasible;
use crate::ground::limits::Limits;
use crate::ir::{Module, Place};
use crate::predicate::PathStep;
use crate::program::{Program, Property, PropertyId, PropertyKind, Role};
use crate::term::Symbol;
use crate::term::arithmetic::mask;
use crate::term::evaluate::Value;
use crate::vm::choices::{Choice, ChoiceError, ChoiceKind, Domain};
use crate::vm::{Chooser, Chosen, End, Machine, Recorder, RunOutcome, Settings};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What the machine says of a simulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// The property is violated in this run: its choices, and what happened.
    Confirmed(Vec<Chosen>, Box<RunOutcome>),
    /// It is not; what happened instead.
    Mismatch(String),
}

/// Lets the machine run a feasible path. The settings are those that the program was lowered with.
#[must_use]
pub fn confirm(
    module: &Module,
    settings: &Settings,
    program: &Program,
    path: &[PathStep],
    feasible: &Feasible,
    property: PropertyId,
    limits: &Limits,
) -> Confirmation {
    let mut replay = Replay::new(program, path, feasible);
    let mut recorder = Recorder::new(&mut replay);
    let outcome = Machine::new(module, settings.clone()).run(&mut recorder, limits);
    let choices = recorder.list;
    let property = &program.properties[property];
    match mismatch(property, program, &outcome) {
        None => Confirmation::Confirmed(choices, Box::new(outcome)),
        Some(text) => Confirmation::Mismatch(text),
    }
}

/// Whether a run violates a property.
#[must_use]
pub fn violates(program: &Program, property: PropertyId, outcome: &RunOutcome) -> bool {
    mismatch(&program.properties[property], program, outcome).is_none()
}

/// What is not as the property says; nothing if it is violated.
fn mismatch(property: &Property, program: &Program, outcome: &RunOutcome) -> Option<String> {
    let same_kind = match (&outcome.end, property.kind) {
        (End::AssertionFailed(_), PropertyKind::Assertion)
        | (End::ErrorReached(_), PropertyKind::ErrorReached) => true,
        (End::Fault(report), PropertyKind::Fault(fault)) => report.fault == fault,
        _ => false,
    };
    if same_kind && same_place(property, program, outcome) {
        return None;
    }
    let line = outcome.location.place.map_or_else(String::new, |place| at(program, place));
    Some(format!("{}: the run ends with {}{line}", property.id, tell(&outcome.end)))
}

fn at(program: &Program, place: Place) -> String {
    format!(" at {}:{}", program.files[place.file], place.line)
}

fn tell(end: &End) -> String {
    match end {
        End::AssertionFailed(text) | End::ErrorReached(text) | End::Unsupported(text) => {
            format!("{}: {text}", end.name())
        }
        End::Fault(report) | End::Stopped(report) => format!("{}: {}", end.name(), report.text),
        End::Choices(error) => format!("{}: {error}", end.name()),
        _ => end.name().to_owned(),
    }
}

fn same_place(property: &Property, program: &Program, outcome: &RunOutcome) -> bool {
    let line = |place: Place| (place.file, place.line);
    match (property.place, outcome.location.place) {
        (Some(wanted), Some(found)) if wanted.line > 0 && found.line > 0 => line(wanted) == line(found),
        _ => outcome.location.function == program.procedures[property.procedure].name,
    }
}

/// Answers from a simulation.
struct Replay<'a> {
    program: &'a Program,
    path: &'a [PathStep],
    /// Values by what they are for, in order.
    known: FxHashMap<(ChoiceKind, String), VecDeque<Value>>,
    /// How much of the path's schedule is done.
    position: usize,
}

impl<'a> Replay<'a> {
    fn new(program: &'a Program, path: &'a [PathStep], feasible: &Feasible) -> Self {
        let mut known: FxHashMap<(ChoiceKind, String), VecDeque<Value>> = FxHashMap::default();
        for input in &feasible.inputs {
            let key = input_key(program, input.symbol);
            known.entry(key).or_default().push_back(input.value.clone());
        }
        for arbitrary in &feasible.arbitrary {
            let name = words(program.store.name(arbitrary.symbol));
            let key = (ChoiceKind::Uninitialised, name);
            known.entry(key).or_default().push_back(arbitrary.value.clone());
        }
        Self { program, path, known, position: 0 }
    }

    fn value(&mut self, choice: &Choice) -> Option<u128> {
        let kind = if choice.kind == ChoiceKind::Result { ChoiceKind::Input } else { choice.kind };
        let queue = self.known.get_mut(&(kind, choice.name.clone()))?;
        match queue.pop_front()? {
            Value::Bool(value) => Some(u128::from(value)),
            Value::Bits(value) => Some(value),
            Value::Array(_) => None,
        }
    }

    fn among(&mut self, choice: &Choice, values: &[u64]) -> u128 {
        let known = match choice.kind {
            ChoiceKind::Thread => Some(self.thread(choice.place)),
            // The model says whether it succeeds.
            ChoiceKind::Exchange => self.value(choice).map(|success| u128::from(success == 0)),
            _ => self.value(choice),
        };
        let first = u128::from(values.first().copied().unwrap_or(0));
        known.filter(|&value| choice.domain.contains(value)).unwrap_or(first)
    }

    /// The thread that moves next. A thread is asked before it does something that others can see, at this place: it
    /// goes on if the path has such a step for it before it switches.
    fn thread(&mut self, place: Option<Place>) -> u128 {
        let Some(current) = self.path.get(self.position).map(|step| step.thread) else { return 0 };
        let rest = self.path[self.position..].iter().take_while(|step| step.thread == current);
        let length = rest.clone().count();
        match rest.clone().position(|step| self.is_at(step, place)) {
            Some(number) => self.position += number,
            None => self.position += length,
        }
        self.path.get(self.position).map_or(current as u128, |step| step.thread as u128)
    }

    fn is_at(&self, step: &PathStep, place: Option<Place>) -> bool {
        let edge = &self.program.procedures[step.procedure].edges[step.edge];
        let same =
            |other: &Place| place.is_some_and(|place| (place.file, place.line) == (other.file, other.line));
        !step.returns && edge.places.iter().any(same)
    }
}

impl Chooser for Replay<'_> {
    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        Ok(match &choice.domain {
            Domain::Bits(bits) => self.value(choice).unwrap_or(0) & mask(*bits),
            Domain::Among(values) => self.among(choice, &values.clone()),
            Domain::Address { suggestion, .. } => u128::from(*suggestion),
        })
    }
}

/// The question of the machine that a symbol answers.
fn input_key(program: &Program, symbol: Symbol) -> (ChoiceKind, String) {
    let origin = match &program.variables[symbol].role {
        Role::Input(origin) => origin.as_str(),
        _ => program.store.name(symbol),
    };
    let (kind, name) = match origin {
        "result of too wide a shift" => (ChoiceKind::Undefined, "shift"),
        "undefined value" => (ChoiceKind::Undefined, ""),
        "malloc fails" => (ChoiceKind::Allocation, ""),
        "success of a weak compare-and-exchange" => (ChoiceKind::Exchange, ""),
        _ => match origin.strip_prefix("uninitialised ") {
            Some(name) => (ChoiceKind::Uninitialised, name),
            None => (ChoiceKind::Input, origin.strip_prefix("__VERIFIER_nondet_").unwrap_or(origin)),
        },
    };
    (kind, words(name))
}

/// As the machine writes names.
fn words(name: &str) -> String {
    name.replace(|c: char| c.is_whitespace() || c == '#', "_")
}
