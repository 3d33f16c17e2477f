//! Tests of the machine on whole programs of C.

mod choices;
mod faults;
mod hostile;
mod native;
mod threads;

use super::choices::format;
use super::{Chooser, End, Given, Machine, Random, Recorder, RunOutcome, Settings, Zeros};
use crate::ground::limits::Limits;
use crate::ir::Module;
use crate::ir::undefined::Fault;
use crate::llvm::read::clang::{CompileOptions, DataModel};
use crate::llvm::read::program::{Folder, Library, ReadOptions, read_here};

/// Both widths of pointers.
const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

/// Reads a program; library functions are the machine's own.
fn read(source: &str, data_model: DataModel) -> Module {
    let folder = Folder::new().unwrap();
    let path = folder.0.join("test.c");
    std::fs::write(&path, source).unwrap();
    let compile = CompileOptions { data_model, ..CompileOptions::default() };
    let options = ReadOptions { compile, library: Library::Declared };
    read_here(&[path], &options).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// All faults are checked.
fn checking() -> Settings {
    Settings { checks: Fault::of_one_thread().collect(), steps: 2_000_000, ..Settings::default() }
}

/// No fault is checked.
fn lenient() -> Settings {
    Settings { steps: 2_000_000, ..Settings::default() }
}

/// Runs a program, and again with the choices that were written down and read back: the same must happen.
fn run_module(module: &Module, settings: Settings, chooser: &mut dyn Chooser) -> RunOutcome {
    let mut machine = Machine::new(module, settings);
    let mut recorder = Recorder::new(chooser);
    let outcome = machine.run(&mut recorder, &Limits::none());
    let text = format::print(&recorder.list, &module.files);
    let list = format::parse(&text).unwrap();
    let mut given = Given::new(&list);
    let again = machine.run(&mut given, &Limits::none());
    assert_eq!(outcome, again, "a run is its list of choices:\n{text}");
    assert!(given.rest().is_empty());
    outcome
}

/// Runs a program with zeros for all choices.
fn run(source: &str, settings: Settings) -> RunOutcome {
    run_module(&read(source, DataModel::Lp64), settings, &mut Zeros)
}

/// The ends of runs with so many seeds.
fn random_ends(source: &str, settings: &Settings, runs: u64) -> Vec<End> {
    let module = read(source, DataModel::Lp64);
    (0..runs).map(|seed| run_module(&module, settings.clone(), &mut Random::new(seed)).end).collect()
}

/// The fault that ended a run.
fn fault_of(end: &End) -> Option<Fault> {
    match end {
        End::Fault(report) | End::Stopped(report) => Some(report.fault),
        _ => None,
    }
}
