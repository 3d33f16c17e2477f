//! `boolero run --all`: all runs of a C program.

use super::arguments::{Run as Arguments, StepsName};
use super::ending::{complain, note, print};
use super::load::Refused;
use super::progress::{Notes, Progress};
use crate::ground::exit::Exit;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ir::Module;
use crate::report::run as run_report;
use crate::report::states as report;
use crate::states::{Explored, Options, dot, explore};
use crate::vm::choices::format;
use crate::vm::state::{Cut, Dead, Stops};
use crate::vm::{Exactness, Given, Machine, Settings, Tracing};
use std::path::Path;

/// Larger graphs are of no use.
const DRAWN: usize = 2_000;

/// Makes all runs, and tells how they end.
pub fn all(
    arguments: &Arguments,
    module: &Module,
    settings: Settings,
    limits: &Limits,
) -> Result<Exit, Refused> {
    let strict = Settings {
        exactness: Exactness::Explored,
        steps: u64::MAX,
        tracing: Tracing::Off,
        ..settings.clone()
    };
    let machine = Machine::new(module, strict);
    let options = options(arguments);
    let progress = Progress::start(Notes::Hidden);
    let run = Run { limits, observer: progress.as_ref() };
    let explored = explore(&machine, &options, run);
    progress.finish();
    if let Some(path) = &arguments.dot {
        if explored.states <= DRAWN {
            write(path, &dot(&explored, &machine, &options, run))?;
        } else {
            note(&format!("no graph is written: there are more than {DRAWN} states"));
        }
    }
    tell_violation(arguments, module, &settings, (&explored, &machine, &options), run)?;
    print(&report::text(module, &explored));
    Ok(report::exit(&explored))
}

/// The first run that violates something, as the machine makes it.
fn tell_violation(
    arguments: &Arguments,
    module: &Module,
    settings: &Settings,
    (explored, machine, options): (&Explored, &Machine<'_>, &Options),
    run: Run<'_>,
) -> Result<(), Refused> {
    let Some(row) = explored.ends.iter().find(|row| row.end.is_violation()) else { return Ok(()) };
    let found = explored.run_to(machine, row, options, run);
    if let Some(path) = &arguments.save_choices {
        write(path, &format::print(&found.choices, &module.files))?;
    }
    if arguments.trace {
        let settings = Settings { tracing: Tracing::On, ..settings.clone() };
        let again = Machine::new(module, settings).run(&mut Given::new(&found.choices), run.limits);
        let told = run_report::text(module, &again, run_report::Context { seed: None, runs: 1 });
        // The result is told below, for all runs.
        print(told.strip_suffix("result: violated\n").unwrap_or(&told));
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Refused> {
    std::fs::write(path, text).map_err(|error| {
        complain(&format!("cannot write `{}`: {error}", path.display()));
        Refused(Exit::Usage)
    })
}

fn options(arguments: &Arguments) -> Options {
    let stops = match arguments.reduction {
        StepsName::None => Stops::Instructions,
        StepsName::Tau => Stops::Accesses,
        StepsName::TauPlus => Stops::Loops,
        StepsName::Shared => Stops::Shared,
        StepsName::Visible | StepsName::All => Stops::Visible,
    };
    let dead = if arguments.reduction == StepsName::All { Dead::Forgotten } else { Dead::Kept };
    Options {
        cut: Cut { stops, dead, ..Cut::default() },
        answers: arguments.inputs.clone(),
        states: arguments.states.unwrap_or(usize::MAX),
        workers: std::thread::available_parallelism().map_or(1, usize::from).min(8),
        ..Options::default()
    }
}
