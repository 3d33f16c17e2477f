//! The verdict on a program, held against the truth.

use super::super::{Blind, options, within};
use super::recipe::Recipe;
use crate::cegar::{Initial, Options, Task, initial, verify};
use crate::ground::limits::Limits;
use crate::ground::verdict::Overall;
use crate::ir::Module;
use crate::ir::undefined::Fault;
use crate::llvm::lower::{self, lower};
use crate::llvm::read::ReadError;
use crate::llvm::read::clang::{CompileOptions, DataModel};
use crate::llvm::read::program::{Folder, Library, ReadOptions, read_here};
use crate::predicate::Precision;
use crate::program::ready::ready;
use crate::vm::{self, End, Machine, Random};
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// What came of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Judgement {
    /// The verdict is the truth.
    Right,
    /// There is none, for this reason.
    Unknown(String),
    /// The verdict is wrong.
    Wrong(&'static str),
    /// There is none, for this reason, and the machine does not make the planted fault happen either.
    Unconfirmed(String),
    /// The machine finds a fault in a program that has none.
    Unsafe(String),
    /// Something of ours broke.
    Broken(String),
}

impl Judgement {
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::Right | Self::Unknown(_) | Self::Unconfirmed(_))
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right => write!(f, "right"),
            Self::Unknown(reason) => write!(f, "{reason}"),
            Self::Wrong(verdict) => write!(f, "WRONG: {verdict}"),
            Self::Unconfirmed(reason) => write!(f, "no run of the machine has the planted fault; {reason}"),
            Self::Unsafe(end) => write!(f, "a safe program goes wrong in the machine: {end}"),
            Self::Broken(text) => write!(f, "broken: {text}"),
        }
    }
}

/// Judges a program. A panic is a judgement, too.
pub(super) fn judged(recipe: &Recipe) -> Judgement {
    let result = catch_unwind(AssertUnwindSafe(|| judge(recipe)));
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Judgement::Broken(text.unwrap_or_default())
    })
}

fn judge(recipe: &Recipe) -> Judgement {
    let module = match read(recipe) {
        Ok(module) => module,
        Err(ReadError::Clang(text)) => return Judgement::Broken(text),
        Err(error) => return Judgement::Unknown(format!("refused: {error}")),
    };
    let machine = vm::Settings {
        checks: recipe.checks(),
        entry: recipe.entry().to_owned(),
        steps: 100_000,
        ..vm::Settings::default()
    };
    let found = violation(&module, &machine, if recipe.faulty { 300 } else { 30 });
    if let (false, Some(end)) = (recipe.faulty, &found) {
        return Judgement::Unsafe(format!("{end:?}"));
    }
    match verdict(&module, machine, recipe) {
        Overall::Holds if recipe.faulty && found.is_none() => {
            Judgement::Wrong("holds, and the machine finds nothing")
        }
        Overall::Holds if recipe.faulty => Judgement::Wrong("holds"),
        Overall::Violated if !recipe.faulty => Judgement::Wrong("violated"),
        Overall::Unknown(reason) if recipe.faulty && found.is_none() => {
            Judgement::Unconfirmed(Overall::Unknown(reason).to_string())
        }
        Overall::Unknown(reason) => Judgement::Unknown(Overall::Unknown(reason).to_string()),
        _ => Judgement::Right,
    }
}

fn read(recipe: &Recipe) -> Result<Module, ReadError> {
    let folder = Folder::new().unwrap();
    let path = folder.0.join("test.c");
    std::fs::write(&path, recipe.text()).unwrap();
    let checks = recipe.checks();
    let locks = [Fault::Lock, Fault::Deadlock].iter().any(|fault| checks.contains(fault));
    let library = if locks { Library::ModelsWithLocks } else { Library::Models };
    let data_model = if recipe.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
    let signed_shifts = checks.contains(&Fault::Overflow);
    let compile = CompileOptions { data_model, signed_shifts, ..CompileOptions::default() };
    read_here(&[path], &ReadOptions { compile, library })
}

/// How a random run ends that violates something, if one does.
fn violation(module: &Module, settings: &vm::Settings, runs: u64) -> Option<End> {
    let mut machine = Machine::new(module, settings.clone());
    (1..=runs).map(|seed| machine.run(&mut Random::new(seed), &Limits::none()).end).find(End::is_violation)
}

/// What the loop says, without random runs.
fn verdict(module: &Module, machine: vm::Settings, recipe: &Recipe) -> Overall {
    let settings = lower::Settings {
        checks: machine.checks.clone(),
        entry: recipe.entry().to_owned(),
        ..lower::Settings::default()
    };
    let mut program = lower(module, &settings).unwrap_or_else(|error| panic!("{error}"));
    let unready = ready(&mut program);
    let mut precision = Precision::default();
    initial(&mut program, &mut precision, Initial::None);
    let properties = program.properties.ids().collect();
    let task =
        Task { module, machine, program: &mut program, unready, properties, anywhere: BTreeSet::new() };
    // A number of iterations, because it is the same on a busy machine; the time is for what goes on within one.
    let options = Options { iterations: super::number("BOOLERO_ITERATIONS", 12) as usize, ..options(0) };
    let time = Duration::from_secs(super::number("BOOLERO_SECONDS", 3));
    within(time, |run| verify(task, precision, &options, &mut Blind, run)).overall()
}
