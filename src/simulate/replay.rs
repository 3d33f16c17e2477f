//! Replay: the machine runs the program with the choices of a simulation, and judges.
//!
//! The machine asks for what its run does not determine, in the words of C; a simulation knows values of symbols of the
//! program model. They are matched by name, in order: an input by the function that it comes from, an uninitialised
//! variable by its own name, what a heap object holds at first by the object (`allocations`), other memory by its address (`contents`). What a simulation does not know is zero, and addresses are those that the machine suggests,
//! or the other way round.
//! If a match is wrong, the run does not violate the property and that is all: a mismatch, never a verdict.

mod allocations;
mod contents;
mod pointers;
mod schedule;

use super::Feasible;
use crate::ground::limits::Limits;
use crate::ir::{FileId, Module, Place};
use crate::predicate::PathStep;
use crate::program::{CHANGED_OUTSIDE, INDETERMINATE, Program, Property, PropertyId, PropertyKind, Role};
use crate::term::Symbol;
use crate::term::arithmetic::mask;
use crate::term::evaluate::Value;
use crate::vm::choices::{Choice, ChoiceError, ChoiceKind, Domain};
use crate::vm::outcome::Location;
use crate::vm::{Chooser, Chosen, End, Machine, Recorder, RunOutcome, Settings};
use allocations::Allocations;
use contents::Contents;
use pointers::{Attempt, Nulls, Pointers};
use rustc_hash::FxHashMap;
use schedule::{Deviation, Deviations, Schedule, Turns};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// What the machine says of a simulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// The property is violated in this run: its choices, and what happened.
    Confirmed(Vec<Chosen>, Box<RunOutcome>),
    /// It is not; what happened instead.
    Mismatch(String),
}

/// A run of several threads is followed for so many steps.
const STEPS: u64 = 300_000;

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
    // A thread that waits for another in a loop may be the only one that this schedule lets go on.
    let steps = if program.starts_threads() { settings.steps.min(STEPS) } else { settings.steps };
    let mut machine = Machine::new(module, Settings { steps, ..settings.clone() });
    let property = &program.properties[property];
    let turns =
        if settings.checks.iter().any(|fault| fault.row().of_accesses) { Turns::All } else { Turns::Usual };
    let pointer = module.pointer_bits();
    let mut run = |deviations: Vec<(usize, Deviation)>, order: Order, nulls: Nulls, inputs: Inputs| {
        let schedule = Schedule::new(program, path, deviations, turns);
        let mut replay = Replay::new(program, path, feasible, schedule, order, Pointers::new(pointer, nulls));
        replay.inputs = inputs;
        let mut recorder = Recorder::new(&mut replay);
        let outcome = machine.run(&mut recorder, limits);
        let choices = recorder.list;
        let steps = outcome.steps;
        let confirmation = match mismatch(property, program, &outcome) {
            None => Confirmation::Confirmed(choices, Box::new(outcome)),
            Some(text) => Confirmation::Mismatch(text),
        };
        let attempt = Attempt { confirmation, steps, seen: replay.pointers.seen };
        (attempt, replay.schedule.questions, replay.placed, replay.astray)
    };
    let (first, questions, placed, astray) = run(Vec::new(), Order::Upward, Nulls::Kept, Inputs::InOrder);
    if matches!(first.confirmation, Confirmation::Confirmed(..)) {
        return first.confirmation;
    }
    // What was sliced away asks for inputs, too.
    if astray {
        let (other, ..) = run(Vec::new(), Order::Upward, Nulls::Kept, Inputs::ByLine);
        if matches!(other.confirmation, Confirmation::Confirmed(..)) {
            return other.confirmation;
        }
    }
    // The run may depend on where objects lie.
    if placed > 0 {
        let (other, ..) = run(Vec::new(), Order::Downward, Nulls::Kept, Inputs::InOrder);
        if matches!(other.confirmation, Confirmation::Confirmed(..)) {
            return other.confirmation;
        }
    }
    // Pointers from outside may have to lead somewhere.
    let mut with = |nulls| run(Vec::new(), Order::Upward, nulls, Inputs::InOrder).0;
    if let Some(other) = pointers::confirmed(&first, &mut with) {
        return other;
    }
    // Path and machine may see different accesses: the order is tried in variations.
    let others = Deviations::of(questions).take_while(|_| limits.raised().is_none());
    let mut tried = |deviations| run(deviations, Order::Upward, Nulls::Kept, Inputs::InOrder).0.confirmation;
    let mut others = others.map(&mut tried);
    others.find(|other| matches!(other, Confirmation::Confirmed(..))).unwrap_or(first.confirmation)
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
        (End::Fault(report), PropertyKind::Fault(fault)) => {
            report.fault == fault || fault.row().alike.contains(&report.fault)
        }
        _ => false,
    };
    if same_kind && same_place(property, program, outcome) {
        return None;
    }
    let line = outcome.location.place.map_or_else(String::new, |place| at(program, place));
    Some(format!("{}: the run ends with {}{line}", property.id, tell(&outcome.end)))
}

fn at(program: &Program, place: Place) -> String {
    format!(" at {}", program.place_text(place))
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

/// Whether a run ends at the instruction that a property belongs to; a deadlock is at those of all who wait.
fn same_place(property: &Property, program: &Program, outcome: &RunOutcome) -> bool {
    let same = |location: &Location| match (property.place, location.place) {
        (Some(wanted), Some(found)) if wanted.line > 0 && found.line > 0 => wanted == found,
        _ => location.function == program.procedures[property.procedure].name,
    };
    match &outcome.end {
        // If the last thread that could go on has ended, the run ends where nobody waits.
        End::Fault(report) if report.others.iter().chain([&report.location]).any(same) => true,
        _ => same(&outcome.location),
    }
}

/// Where objects lie whose addresses the program looks at, in the order in which it does so.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Each above the ones before, with gaps between them.
    Upward,
    /// Each below the ones before, far from each other.
    Downward,
}

/// Which question of the machine is for the next input of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inputs {
    /// The next one.
    InOrder,
    /// The next one at a line of the step that takes it: others are asked by what was sliced away.
    ByLine,
}

/// The lines of C that a step of a path comes from.
type Lines = Rc<BTreeSet<(FileId, u32)>>;

/// The address below which objects lie that are placed downward.
const TOP: u64 = 0x7000_0000;

/// How far such objects are apart.
const APART: u64 = 0x10_0000;

/// Answers from a simulation.
struct Replay {
    /// Values by what they are for, in order.
    known: FxHashMap<(ChoiceKind, String), VecDeque<(Value, Lines)>>,
    inputs: Inputs,
    /// Whether an input was taken at another line than that of its step.
    astray: bool,
    /// What local variables hold when they begin again, by name, in order: not each of these values is ever read.
    again: BTreeMap<String, VecDeque<Value>>,
    /// What memory holds after code from outside has changed it, by the name of the region, in order.
    changed: BTreeMap<String, VecDeque<Value>>,
    /// Those that began or were changed last.
    begun: BTreeMap<String, Value>,
    contents: Contents,
    allocations: Allocations,
    schedule: Schedule,
    order: Order,
    /// How many objects got addresses.
    placed: u64,
    pointers: Pointers,
}

impl Replay {
    fn new(
        program: &Program,
        path: &[PathStep],
        feasible: &Feasible,
        schedule: Schedule,
        order: Order,
        pointers: Pointers,
    ) -> Self {
        let mut known: FxHashMap<(ChoiceKind, String), VecDeque<(Value, Lines)>> = FxHashMap::default();
        let mut again: BTreeMap<String, VecDeque<Value>> = BTreeMap::new();
        let mut changed: BTreeMap<String, VecDeque<Value>> = BTreeMap::new();
        for input in &feasible.inputs {
            if let Role::Input(origin) = &program.variables[input.symbol].role {
                let kept = [(INDETERMINATE, &mut again), (CHANGED_OUTSIDE, &mut changed)];
                let mut kept = kept
                    .into_iter()
                    .filter_map(|(prefix, by_name)| Some((origin.strip_prefix(prefix)?, by_name)));
                if let Some((name, by_name)) = kept.next() {
                    by_name.entry(words(name)).or_default().push_back(input.value.clone());
                    continue;
                }
            }
            let key = input_key(program, input.symbol);
            let lines = lines(program, &path[input.step]);
            known.entry(key).or_default().push_back((input.value.clone(), lines));
        }
        for arbitrary in &feasible.arbitrary {
            let name = words(program.store.name(arbitrary.symbol));
            let key = (ChoiceKind::Uninitialised, name);
            let lines = lines(program, &path[arbitrary.step]);
            known.entry(key).or_default().push_back((arbitrary.value.clone(), lines));
        }
        Self {
            known,
            inputs: Inputs::InOrder,
            astray: false,
            again,
            changed,
            begun: BTreeMap::new(),
            contents: Contents::new(program, path, feasible),
            allocations: Allocations::new(program, path, feasible),
            schedule,
            order,
            placed: 0,
            pointers,
        }
    }

    fn value(&mut self, choice: &Choice) -> Option<u128> {
        if matches!(choice.kind, ChoiceKind::Uninitialised | ChoiceKind::Result)
            && let Some(value) = self.begun.remove(&choice.name)
        {
            return number(&value);
        }
        let object = choice.spot.as_ref().filter(|_| choice.kind == ChoiceKind::Uninitialised);
        if let Some(value) = object.and_then(|spot| self.allocations.value(spot.object, &choice.name)) {
            return Some(value);
        }
        // What is defined elsewhere is a result in the machine, and a variable that nobody has set in the model.
        let kinds = match choice.kind {
            ChoiceKind::Result => vec![ChoiceKind::Input, ChoiceKind::Uninitialised],
            kind => vec![kind],
        };
        let (inputs, astray) = (self.inputs, &mut self.astray);
        let mut asked = |(_, lines): &mut (Value, Lines)| match (choice.kind, choice.place) {
            (ChoiceKind::Input, Some(place)) if !lines.contains(&(place.file, place.line)) => {
                *astray = true;
                inputs == Inputs::InOrder
            }
            _ => true,
        };
        let mut values = kinds.into_iter().filter_map(|kind| {
            let known = self.known.get_mut(&(kind, choice.name.clone()))?;
            if known.front_mut().is_some_and(&mut asked) { known.pop_front() } else { None }
        });
        let value = values.find_map(|(value, _)| number(&value));
        value.or_else(|| match (&choice.spot, &choice.domain) {
            (Some(spot), Domain::Bits(bits)) => self.contents.value(spot, &choice.name, *bits),
            _ => None,
        })
    }

    /// An address for the next object.
    fn address(&mut self, suggestion: u64, align: u64) -> u64 {
        let align = align.max(1);
        self.placed += 1;
        match self.order {
            Order::Upward => suggestion,
            Order::Downward => TOP.saturating_sub(self.placed.saturating_mul(APART)) / align * align,
        }
    }

    fn among(&mut self, choice: &Choice, values: &[u64]) -> u128 {
        let known = match choice.kind {
            ChoiceKind::Thread => Some(u128::from(self.schedule.choose(choice.place, values))),
            // In the model a thread may wake at any time.
            ChoiceKind::Wake if choice.name == "spurious" => Some(1),
            // The model says whether it succeeds.
            ChoiceKind::Exchange => self.value(choice).map(|success| u128::from(success == 0)),
            _ => self.value(choice),
        };
        let first = u128::from(values.first().copied().unwrap_or(0));
        known.filter(|&value| choice.domain.contains(value)).unwrap_or(first)
    }
}

impl Chooser for Replay {
    fn begins(&mut self, name: &str) {
        let is_part = |key: &str| {
            key.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let begin = self.again.iter_mut().filter(|(key, _)| is_part(key));
        renew(begin, &mut self.contents, &mut self.begun);
    }

    fn changes(&mut self) {
        self.contents.changes();
        renew(self.changed.iter_mut(), &mut self.contents, &mut self.begun);
    }

    fn allocates(&mut self, object: usize, line: Option<u32>) {
        self.contents.allocates(object, line);
        self.allocations.allocates(object, line);
    }

    fn choose(&mut self, choice: &Choice) -> Result<u128, ChoiceError> {
        if self.schedule.is_over() {
            return Err(ChoiceError {
                number: self.schedule.questions,
                text: "the path has ended".to_owned(),
            });
        }
        Ok(match &choice.domain {
            Domain::Bits(bits) => {
                let value = self.value(choice).unwrap_or(0) & mask(*bits);
                let Some(instead) = self.pointers.instead(choice, value) else { return Ok(value) };
                self.contents.moves(instead, value as u64);
                u128::from(instead)
            }
            Domain::Among(values) => self.among(choice, &values.clone()),
            Domain::Address { suggestion, align } => u128::from(self.address(*suggestion, *align)),
        })
    }
}

/// Memory holds the next values that a simulation has for it.
fn renew<'r>(
    memory: impl Iterator<Item = (&'r String, &'r mut VecDeque<Value>)>,
    contents: &mut Contents,
    begun: &mut BTreeMap<String, Value>,
) {
    for (key, values) in memory {
        match values.pop_front() {
            Some(Value::Array(cells)) => contents.begins(key, &cells),
            Some(value) => drop(begun.insert(key.clone(), value)),
            None => {}
        }
    }
}

fn lines(program: &Program, step: &PathStep) -> Lines {
    let edge = &program.procedures[step.procedure].edges[step.edge];
    Rc::new(edge.places.iter().map(|place| (place.file, place.line)).collect())
}

/// A value as a number, if it is one.
fn number(value: &Value) -> Option<u128> {
    match value {
        Value::Bool(value) => Some(u128::from(*value)),
        Value::Bits(value) => Some(*value),
        Value::Array(_) => None,
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
        "conversion that does not fit" => (ChoiceKind::Undefined, "conversion"),
        "undefined value" => (ChoiceKind::Undefined, ""),
        "malloc fails" => (ChoiceKind::Allocation, ""),
        "boolero_nondet_time" => (ChoiceKind::Input, "time"),
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
