//! From a C program to a model that is ready for the loop, step by step: commands that need less stop earlier.

use super::{Asked, Input, Reading, Refusal, file, named};
use crate::cegar::{self, Initial};
use crate::ir::Module;
use crate::ir::undefined::Fault;
use crate::llvm::read::child::{ReadLimits, read_in_child};
use crate::llvm::read::clang::{CompileOptions, DataModel};
use crate::llvm::read::program::{Library, ReadOptions, read_here};
use crate::llvm::read::task::read_task;
use crate::lower::{Allocation, Settings, Undefined, lower};
use crate::predicate::{Precision, parse};
use crate::program::ready::ready;
use crate::program::{Program, PropertyId};
use crate::vm;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files of a program, and how they are compiled.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The files.
    pub files: Vec<PathBuf>,
    /// How they are compiled.
    pub compile: CompileOptions,
    /// Whether it is the task of a competition.
    pub task: bool,
}

/// A C program that was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The program.
    pub module: Module,
    /// Whether it is the task of a competition, with its rules.
    pub task: bool,
    /// What it was read from.
    pub sources: Sources,
}

/// A program that is ready to be verified.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The program as it was read.
    pub read: Read,
    /// What counts as a property.
    pub asked: Asked,
    /// The model.
    pub program: Program,
    /// Why it cannot be abstracted, if it cannot.
    pub unready: Option<String>,
    /// Predicates to start with.
    pub precision: Precision,
}

fn is_task(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// What is to be read.
///
/// # Errors
/// A file cannot be read, or a task file is wrong.
pub fn sources(input: &Input) -> Result<Sources, Refusal> {
    let mut files = Vec::new();
    let (mut model, mut task) = (None, false);
    for path in &input.files {
        if let Err(error) = std::fs::File::open(path) {
            return Err(Refusal::input(format!("cannot read `{}`: {error}", path.display())));
        }
        if is_task(path) {
            let found = read_task(path)?;
            files.extend(found.inputs);
            model = model.or(found.data_model);
            task = true;
        } else {
            files.push(path.clone());
        }
    }
    let default = if task { DataModel::Ilp32 } else { DataModel::Lp64 };
    let compile = CompileOptions {
        data_model: input.data_model.or(model).unwrap_or(default),
        include: input.include.clone(),
        define: input.define.clone(),
        standard: input.standard.clone(),
        signed_shifts: false,
    };
    Ok(Sources { files, compile, task })
}

/// Reads a C program, to look for these faults.
///
/// # Errors
/// The input is wrong.
pub fn read(input: &Input, checked: &BTreeSet<Fault>) -> Result<Read, Refusal> {
    let mut sources = sources(input)?;
    sources.compile.signed_shifts = checked.iter().any(|fault| fault.row().of_signed_shifts);
    let locks = checked.iter().any(|fault| fault.row().of_locks);
    let library = if locks { Library::ModelsWithLocks } else { Library::Models };
    let options = ReadOptions { compile: sources.compile.clone(), library };
    let module = match input.reading {
        Reading::Here => read_here(&sources.files, &options)?,
        Reading::Child => read_in_child(&sources.files, &options, &ReadLimits::default())?,
    };
    Ok(Read { module, task: sources.task, sources })
}

/// Functions and labels that an input names must be somewhere in the program.
///
/// # Errors
/// One is not there.
pub fn require_names(read: &Read, input: &Input) -> Result<(), Refusal> {
    named::look_for(read, input)
}

/// What functions without a body do; for tasks the competition's rules hold.
fn undefined(read: &Read, input: &Input) -> Undefined {
    input.undefined.unwrap_or(if read.task { Undefined::Pure } else { Undefined::Unknown })
}

/// The program model.
///
/// # Errors
/// A function or label that the input names is not there.
pub fn model(read: &Read, input: &Input, asked: &Asked) -> Result<Program, Refusal> {
    require_names(read, input)?;
    let settings = Settings {
        entry: input.entry.clone(),
        checks: asked.faults.clone(),
        error_functions: asked.error_functions.iter().cloned().collect(),
        error_labels: input.error_labels.clone(),
        undefined: undefined(read, input),
        allocation: input.allocation,
    };
    lower(&read.module, &settings)
        .map_err(|message| Refusal::Options(format!("`{}`: {message}", input.name())))
}

/// How the machine runs the program: with the same checks, the same environment as the model has.
#[must_use]
pub fn machine(read: &Read, input: &Input, asked: &Asked) -> vm::Settings {
    let undefined = match undefined(read, input) {
        Undefined::Unknown => vm::Undefined::Unknown,
        Undefined::Havoc => vm::Undefined::Havoc,
        Undefined::Pure => vm::Undefined::Pure,
    };
    let allocation = match input.allocation {
        Allocation::MayFail => vm::Allocation::MayFail,
        Allocation::Succeeds => vm::Allocation::Succeeds,
    };
    vm::Settings {
        checks: asked.faults.clone(),
        undefined,
        allocation,
        error_functions: asked.error_functions.clone(),
        error_labels: input.error_labels.iter().cloned().collect(),
        entry: input.entry.clone(),
        ..vm::Settings::default()
    }
}

/// Reads a program and makes it ready to be verified.
///
/// # Errors
/// The input is wrong, or the options do not fit it.
pub fn prepare(input: &Input, initial: Initial) -> Result<Prepared, Refusal> {
    let specified = Asked::specified(input)?;
    let mut checked = input.faults();
    checked.extend(specified.iter().flat_map(|asked| asked.faults.iter().copied()));
    let read = read(input, &checked)?;
    let asked = specified.unwrap_or_else(|| Asked::by_options(input, read.task));
    let mut program = model(&read, input, &asked)?;
    let unready = ready(&mut program);
    let mut precision = Precision::default();
    if let Some(path) = &input.predicates {
        given(path, &mut program, &mut precision)?;
    }
    cegar::initial(&mut program, &mut precision, initial);
    Ok(Prepared { read, asked, program, unready, precision })
}

/// The predicates of a file.
fn given(path: &Path, program: &mut Program, precision: &mut Precision) -> Result<(), Refusal> {
    let source = file::source(path)?;
    let predicates = parse::parse(program, source.text()).map_err(|errors| {
        let told = errors.iter().map(|error| format!("{}:{}: {}", path.display(), error.line, error.text));
        Refusal::Input(told.collect())
    })?;
    predicates.into_iter().for_each(|predicate| _ = precision.add(predicate));
    Ok(())
}

impl Prepared {
    /// The properties that were asked for. Of a task only the calls of error functions count.
    pub(super) fn properties(&self, input: &Input) -> Result<Vec<PropertyId>, Refusal> {
        let known = &self.program.properties;
        let file = input.name();
        for id in &input.properties {
            if !known.iter().any(|property| property.id == *id) {
                return Err(Refusal::Options(format!(
                    "`{file}` has no property `{id}`; `boolero list {file}` tells the properties"
                )));
            }
        }
        let named = |id: &String| input.properties.is_empty() || input.properties.contains(id);
        let asked =
            known.enumerate().filter(|(_, property)| named(&property.id) && self.asked.counts(property.kind));
        Ok(asked.map(|(id, _)| id).collect())
    }
}

impl Asked {
    /// What the options of an input ask for.
    fn by_options(input: &Input, task: bool) -> Self {
        match &input.checks {
            None if task => Self::errors(input.all_error_functions()),
            _ => Self::all(input.all_error_functions(), input.faults()),
        }
    }
}
