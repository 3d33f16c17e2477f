//! `boolero run`: one run of a C program, or many, in the machine.

use super::arguments::Run;
use super::c;
use super::ending::{complain, print, print_error};
use super::load::Refused;
use crate::api::{self, Asked, Read};
use crate::ground::exit::Exit;
use crate::ground::limits::{Limits, Watchdog};
use crate::ir::undefined::Fault;
use crate::report::run as report;
use crate::vm::choices::format;
use crate::vm::{self, Chosen, Given, Machine, Random, Recorder, RunOutcome, Settings, Tracing};
use std::collections::BTreeSet;

/// Runs a program.
pub fn run(arguments: &Run) -> Exit {
    match runs(arguments) {
        Ok(exit) | Err(Refused(exit)) => exit,
    }
}

fn runs(arguments: &Run) -> Result<Exit, Refused> {
    let given = arguments.choices.as_deref().map(choices).transpose()?;
    let input = api::Input {
        entry: arguments.entry.clone(),
        error_labels: arguments.error_label.clone(),
        ..c::input(&arguments.file, &arguments.c)
    };
    let read = c::read(&input, &checked(arguments))?;
    api::require_names(&read, &input).map_err(|refusal| c::refuse(&refusal))?;
    api::require_entry(&read, &input).map_err(|refusal| c::refuse(&refusal))?;
    let limits = Limits::new(arguments.timeout, arguments.memory);
    Watchdog::start(&limits, |stop| super::ending::broken_off(&stop.to_string(), Exit::Unknown));
    let handler = limits.clone();
    // If there is no handler, an interrupt ends the process as ever.
    let _ = ctrlc::set_handler(move || handler.interrupt());
    let settings = settings(arguments, &read, &input);
    if arguments.all {
        return super::states::all(arguments, &read.module, settings, &limits);
    }
    let mut machine = Machine::new(&read.module, settings);
    let (outcome, chosen, seed) = match given {
        Some(list) => {
            let outcome = machine.run(&mut Given::new(&list), &limits);
            (outcome, list, None)
        }
        None => random(arguments, &mut machine, &limits),
    };
    if let Some(path) = &arguments.save_choices {
        std::fs::write(path, format::print(&chosen, &read.module.files)).map_err(|error| {
            complain(&format!("cannot write `{}`: {error}", path.display()));
            Refused(Exit::Usage)
        })?;
    }
    print_error(&String::from_utf8_lossy(&outcome.errors));
    print(&report::text(&read.module, &outcome, report::Context { seed, runs: arguments.runs }));
    Ok(report::exit(&outcome))
}

/// Random runs, until one violates something; the last one otherwise.
fn random(
    arguments: &Run,
    machine: &mut Machine<'_>,
    limits: &Limits,
) -> (RunOutcome, Vec<Chosen>, Option<u64>) {
    let mut seed = arguments.seed;
    loop {
        let mut source = Random::new(seed);
        let mut recorder = Recorder::new(&mut source);
        let outcome = machine.run(&mut recorder, limits);
        let last = seed + 1 >= arguments.seed.saturating_add(arguments.runs);
        let stopped = matches!(outcome.end, vm::End::Interrupted(_));
        if last || stopped || report::exit(&outcome) == Exit::Violated {
            return (outcome, recorder.list, Some(seed));
        }
        seed += 1;
    }
}

fn choices(path: &std::path::Path) -> Result<Vec<Chosen>, Refused> {
    let source = super::load::source(path)?;
    format::parse(source.text()).map_err(|error| {
        complain(&format!("`{}`: {error}", path.display()));
        Refused(Exit::Input)
    })
}

/// The faults that end a run.
fn checked(arguments: &Run) -> BTreeSet<Fault> {
    // A run is there to find faults; leaks, uninitialised values and what threads do to each other are for those who ask.
    if arguments.c.checks.is_empty() {
        Fault::all().filter(|fault| fault.row().stops_runs).collect()
    } else {
        c::checks(&arguments.c.checks)
    }
}

fn settings(arguments: &Run, read: &Read, input: &api::Input) -> Settings {
    let asked = Asked::all(input.all_error_functions(), checked(arguments));
    Settings {
        steps: arguments.steps,
        tracing: if arguments.trace { Tracing::On } else { Tracing::Off },
        ..api::machine(read, input, &asked)
    }
}
