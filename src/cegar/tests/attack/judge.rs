//! The verdict on a program, held against the truth.

use super::super::{options, within};
use super::recipe::Recipe;
use crate::api::{self, Input, Options, Refusal, prepare};
use crate::cegar::{self, Initial};
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::verdict::Overall;
use crate::ir::Module;
use crate::llvm::read::clang::DataModel;
use crate::llvm::read::program::Folder;
use crate::vm::{self, End, Machine, Random};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
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
    let folder = Folder::new().unwrap();
    let path = folder.0.join("test.c");
    std::fs::write(&path, recipe.text()).unwrap();
    let input = input(path, recipe);
    let prepared = match prepare(&input, Initial::None) {
        Ok(prepared) => prepared,
        Err(Refusal::Clang(text)) => return Judgement::Broken(text),
        Err(refusal) => return Judgement::Unknown(format!("refused: {refusal}")),
    };
    let machine = vm::Settings { steps: 100_000, ..api::machine(&prepared.read, &input, &prepared.asked) };
    let found = violation(&prepared.read.module, &machine, if recipe.faulty { 300 } else { 30 });
    if let (false, Some(end)) = (recipe.faulty, &found) {
        return Judgement::Unsafe(format!("{end:?}"));
    }
    match verdict(&input) {
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

fn input(path: PathBuf, recipe: &Recipe) -> Input {
    Input {
        entry: recipe.entry().to_owned(),
        data_model: Some(if recipe.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 }),
        ..Input::file(path).checking(recipe.checks())
    }
}

/// How a random run ends that violates something, if one does.
fn violation(module: &Module, settings: &vm::Settings, runs: u64) -> Option<End> {
    let mut machine = Machine::new(module, settings.clone());
    (1..=runs).map(|seed| machine.run(&mut Random::new(seed), &Limits::none()).end).find(End::is_violation)
}

/// What the loop says, without random runs.
fn verdict(input: &Input) -> Overall {
    // A number of iterations, because it is the same on a busy machine; the time is for what goes on within one.
    let cegar = cegar::Options { iterations: super::number("BOOLERO_ITERATIONS", 12) as usize, ..options(0) };
    let time = Duration::from_secs(super::number("BOOLERO_SECONDS", 3));
    within(time, |run| {
        let options = Options { limits: run.limits.clone(), cegar, ..Options::default() };
        api::verify(input, &options, &mut Silent).expect("it asks for all properties").overall()
    })
}
