//! `verify`: a C program from its files to the result of the loop.

use super::observer::{Passing, Shared};
use super::prepare::{Read, lowered, machine};
use super::{Asked, Input, Observer, Refusal};
use crate::cegar::{self, Initial, Model, Models, Scope, Task, Violation};
use crate::engine::Threads;
use crate::ground::assurance::Assumption;
use crate::ground::event::Event;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ground::verdict::{Overall, Verdict};
use crate::program::{Program, Property, PropertyId};
use crate::report::run::ending;
use crate::report::verify::{Length, steps, violations};
use crate::vm::{self, Given, Machine, RunOutcome, Tracing};
use std::collections::BTreeSet;

/// How to verify.
#[derive(Clone, Debug)]
pub struct Options {
    /// When to stop. Another thread may raise them, for which they are cloned.
    pub limits: Limits,
    /// How the loop works.
    pub cegar: cegar::Options,
    /// Predicates to start with, besides those that the input gives.
    pub initial: Initial,
    /// Whether the program is sliced to what is asked.
    pub slicing: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (limits, cegar) = (Limits::default(), cegar::Options::default());
        Self { limits, cegar, initial: Initial::default(), slicing: true }
    }
}

/// What is verified, apart from the model, which changes during the work.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program as it was read.
    pub read: Read,
    /// What counts as a property.
    pub asked: Asked,
    /// How the machine runs it.
    pub machine: vm::Settings,
}

/// The result of a verification, with what is needed to tell it.
#[derive(Clone, Debug)]
pub struct Verification {
    /// What was verified.
    pub setup: Setup,
    /// The model, with the properties.
    pub program: Program,
    /// What the loop found out.
    pub outcome: cegar::Outcome,
}

/// Verifies a C program.
///
/// # Errors
/// The input is wrong, or the options do not fit it. A limit is no error: what is open then is unknown.
pub fn verify(
    input: &Input,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Verification, Refusal> {
    let lowered = lowered(input, options.initial)?;
    let properties = lowered.properties(input)?;
    let asked: BTreeSet<PropertyId> = properties.iter().copied().collect();
    let scope = if options.slicing { Scope::Slice(&asked) } else { Scope::Whole };
    let Model { mut program, unready, precision, edges } = lowered.made(scope)?;
    observer.ready();
    if let Some((left, all)) = edges {
        observer.event(Event::Note(format!("the slice for what is asked has {left} of {all} edges")));
    }
    let machine = machine(&lowered.read, input, &lowered.asked);
    // Whoever asks for one property does not want to hear of others.
    let anywhere = if input.properties.is_empty() { lowered.asked.kinds() } else { BTreeSet::new() };
    let setup = Setup { read: lowered.read.clone(), asked: lowered.asked.clone(), machine };
    let models = options.slicing.then_some(&lowered as &dyn Models);
    let options = bounded(options, &mut program);
    let task = Task {
        module: &setup.read.module,
        machine: setup.machine.clone(),
        program: &mut program,
        unready,
        properties,
        anywhere,
        models,
    };
    let shared = Shared::new(observer);
    let mut passing = Passing { shared: &shared, setup: &setup };
    let run = Run { limits: &options.limits, observer: &shared };
    let outcome = cegar::verify(task, precision, &options.cegar, &mut passing, run);
    Ok(Verification { setup, program, outcome })
}

/// The options for a program: a bound on threads is an assumption, and holds for random runs too.
fn bounded(options: &Options, program: &mut Program) -> Options {
    let mut options = options.clone();
    if let (Threads::AtMost(bound), true) = (options.cegar.checker.threads, program.starts_threads()) {
        program.assumptions.insert(Assumption::Threads(bound));
        options.cegar.hunt.threads = bound;
    }
    options
}

impl Setup {
    /// A run that violates a property once more, with its steps written down.
    #[must_use]
    pub fn again(&self, violation: &Violation) -> RunOutcome {
        let settings = vm::Settings { tracing: Tracing::On, ..self.machine.clone() };
        Machine::new(&self.read.module, settings).run(&mut Given::new(&violation.choices), &Limits::none())
    }
}

impl Verification {
    /// What the verdicts come to.
    #[must_use]
    pub fn overall(&self) -> Overall {
        self.outcome.overall()
    }

    /// The properties, each with its verdict.
    pub fn verdicts(&self) -> impl Iterator<Item = (&Property, &Verdict<Violation>)> {
        self.outcome.verdicts.iter().map(|(id, verdict)| (&self.program.properties[*id], verdict))
    }

    /// The violated properties, each with a run.
    pub fn violations(&self) -> impl Iterator<Item = (&Property, &Violation)> {
        violations(&self.outcome).map(|(id, violation)| (&self.program.properties[id], violation))
    }

    /// The steps of a run as text: a line of C for each, with a column for each thread, and how it ends.
    #[must_use]
    pub fn tell(&self, violation: &Violation) -> String {
        let (module, run) = (&self.setup.read.module, self.setup.again(violation));
        steps(module, &run, Length::Full) + &ending(module, &run)
    }
}
