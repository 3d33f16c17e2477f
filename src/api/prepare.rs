//! From a C program to a model that is ready for the loop, step by step: commands that need less stop earlier.

use super::{Asked, Assembly, Input, Reading, Refusal, file, named};
use crate::cegar::{self, Initial, Model, Models, Scope};
use crate::certify::slice::check_slice;
use crate::ir::Module;
use crate::ir::transform::leave_out::leave_out;
use crate::ir::transform::{devices, nulls, opaque};
use crate::ir::undefined::Fault;
use crate::library::functions;
use crate::library::models::EACH_PAIR;
use crate::llvm::read::child::{ReadLimits, read_in_child};
use crate::llvm::read::clang::{CompileOptions, DataModel, preprocess};
use crate::llvm::read::database::read_entries;
use crate::llvm::read::flags::{Unknown, flags};
use crate::llvm::read::program::{Library, ReadOptions, read_here};
use crate::llvm::read::source::seeds::{PREDICATE, seeds};
use crate::llvm::read::task::read_task;
use crate::lower::{Allocation, ExternalPointers, Settings, Undefined, lower};
use crate::predicate::{Precision, parse};
use crate::program::ready::ready;
use crate::program::slice::{Slice, slice};
use crate::program::{Program, PropertyId};
use crate::term::Symbol;
use crate::vm;
use std::collections::{BTreeMap, BTreeSet};
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

fn ends_in(file: &Path, endings: &[&str]) -> bool {
    file.extension().is_some_and(|extension| endings.iter().any(|one| extension == *one))
}

/// Files, with what is said of them where they are named.
#[derive(Default)]
struct Gathered {
    files: Vec<PathBuf>,
    flags_of: BTreeMap<PathBuf, Vec<String>>,
    data_model: Option<DataModel>,
    task: bool,
    database: bool,
}

impl Gathered {
    fn add(&mut self, path: &Path, of_database: &[PathBuf]) -> Result<(), Refusal> {
        if let Err(error) = std::fs::File::open(path) {
            return Err(Refusal::input(format!("cannot read `{}`: {error}", path.display())));
        }
        if ends_in(path, &["yml", "yaml"]) {
            let found = read_task(path)?;
            self.files.extend(found.inputs);
            self.data_model = self.data_model.or(found.data_model);
            self.task = true;
        } else if ends_in(path, &["json"]) {
            self.database = true;
            for entry in read_entries(path, of_database)? {
                self.data_model = self.data_model.or(entry.data_model);
                self.flags_of.insert(entry.file.clone(), entry.flags);
                self.files.push(entry.file);
            }
        } else {
            self.files.push(path.to_path_buf());
        }
        Ok(())
    }
}

/// What is to be read.
///
/// # Errors
/// A file cannot be read, a task file or a compilation database is wrong, or a flag is.
pub fn sources(input: &Input) -> Result<Sources, Refusal> {
    let mut found = Gathered::default();
    for path in &input.files {
        found.add(path, &input.of_database)?;
    }
    if !input.of_database.is_empty() && !found.database {
        return Err(Refusal::Options(
            "`--file` names a file of a compilation database, and there is none".to_owned(),
        ));
    }
    let flags = flags(&input.flags, None, Unknown::Refused).map_err(Refusal::Options)?;
    let default = if found.task { DataModel::Ilp32 } else { DataModel::Lp64 };
    let data_model = input.data_model.or(flags.data_model).or(found.data_model).unwrap_or(default);
    let compile = CompileOptions {
        data_model,
        include: input.include.clone(),
        define: input.define.clone(),
        standard: input.standard.clone(),
        flags: flags.kept,
        flags_of: found.flags_of,
        signed_shifts: false,
    };
    Ok(Sources { files: found.files, compile, task: found.task })
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
    let mut module = match input.reading {
        Reading::Here => read_here(&sources.files, &options)?,
        Reading::Child => read_in_child(&sources.files, &options, &ReadLimits::default())?,
    };
    if input.assembly == Assembly::Havoc {
        opaque::declare(&mut module);
    }
    if checked.is_empty() {
        devices::replace(&mut module);
        if input.error_labels.is_empty() {
            // A comparison has nothing that could be met.
            leave_out(&mut module, EACH_PAIR);
        }
    }
    if input.external_pointers == Some(ExternalPointers::Null) {
        let errors: Vec<String> = input.all_error_functions().into_iter().collect();
        nulls::replace(&mut module, &input.entry, &|name| functions::returns_anything(name, &errors));
    }
    Ok(Read { module, task: sources.task, sources })
}

/// Functions and labels that an input names must be somewhere in the program.
///
/// # Errors
/// One is not there.
pub fn require_names(read: &Read, input: &Input) -> Result<(), Refusal> {
    named::look_for(read, input)
}

/// The function to start with must have a body.
///
/// # Errors
/// It has none.
pub fn require_entry(read: &Read, input: &Input) -> Result<(), Refusal> {
    named::look_for_entry(read, input)
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
    require_entry(read, input)?;
    let settings = Settings {
        entry: input.entry.clone(),
        checks: asked.faults.clone(),
        error_functions: asked.error_functions.iter().cloned().collect(),
        error_labels: input.error_labels.clone(),
        undefined: undefined(read, input),
        external_pointers: input.external_pointers,
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

/// A program as the lowering makes it, from which models are made.
#[derive(Clone, Debug)]
pub(super) struct Lowered {
    /// The program as it was read.
    pub read: Read,
    /// What counts as a property.
    pub asked: Asked,
    /// All of it, with small blocks.
    pub program: Program,
    /// A file of predicates.
    predicates: Option<PathBuf>,
    initial: Initial,
}

/// Reads a program and lowers it.
///
/// # Errors
/// The input is wrong, or the options do not fit it.
pub(super) fn lowered(input: &Input, initial: Initial) -> Result<Lowered, Refusal> {
    let specified = Asked::specified(input)?;
    let mut checked = input.faults();
    checked.extend(specified.iter().flat_map(|asked| asked.faults.iter().copied()));
    let read = read(input, &checked)?;
    let asked = specified.unwrap_or_else(|| Asked::by_options(input, read.task));
    let program = model(&read, input, &asked)?;
    Ok(Lowered { read, asked, program, predicates: input.predicates.clone(), initial })
}

/// Reads a program and makes it ready to be verified, the whole of it.
///
/// # Errors
/// The input is wrong, or the options do not fit it.
pub fn prepare(input: &Input, initial: Initial) -> Result<Prepared, Refusal> {
    let lowered = lowered(input, initial)?;
    let Model { program, unready, precision, .. } = lowered.made(Scope::Whole)?;
    Ok(Prepared { read: lowered.read, asked: lowered.asked, program, unready, precision })
}

impl Lowered {
    /// A model, ready to be verified.
    ///
    /// # Errors
    /// The predicates of the input do not fit the program.
    pub fn made(&self, scope: Scope<'_>) -> Result<Model, Refusal> {
        let slice = match scope {
            Scope::Whole => None,
            Scope::Slice(properties) => sliced(&self.program, properties),
        };
        let edges = slice.as_ref().map(Slice::edges);
        let (mut program, variables) = match slice {
            Some(slice) => (slice.program, Some(slice.variables)),
            None => (self.program.clone(), None),
        };
        let unready = ready(&mut program);
        let mut all = Precision::default();
        if let Some(path) = &self.predicates {
            given(path, &mut program, &mut all)?;
        }
        asked_for(&self.read, &mut program, &mut all);
        let mut precision = Precision::default();
        // What was sliced away has no value that a predicate could speak of.
        let known = |symbol: &Symbol| {
            variables.as_ref().and_then(|variables| variables.get(*symbol).copied()).unwrap_or(true)
        };
        let mut kept = all.predicates.into_vec();
        kept.retain(|predicate| program.store.free_symbols(predicate.term).iter().all(known));
        kept.into_iter().for_each(|predicate| _ = precision.add(predicate));
        cegar::initial(&mut program, &mut precision, self.initial);
        Ok(Model { program, unready, precision, edges })
    }
}

impl Models for Lowered {
    /// The predicates of the input fitted the program once: where they do not fit a part of it, there are none.
    fn model(&self, scope: Scope<'_>) -> Model {
        let without = || Self { predicates: None, ..self.clone() }.made(scope);
        self.made(scope)
            .or_else(|_| without())
            .unwrap_or_else(|refusal| panic!("nothing to refuse: {refusal}"))
    }
}

/// A slice for these properties, if it stands when it is checked.
fn sliced(program: &Program, properties: &BTreeSet<PropertyId>) -> Option<Slice> {
    let slice = slice(program, properties);
    let checked = check_slice(program, &slice, properties);
    debug_assert_eq!(checked, Ok(()));
    checked.is_ok().then_some(slice)
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

/// The predicates that the program itself asks for. They are hints: what is not understood is left out.
fn asked_for(read: &Read, program: &mut Program, precision: &mut Precision) {
    for file in &read.sources.files {
        let asks = std::fs::read_to_string(file).is_ok_and(|text| text.contains(PREDICATE));
        let text = if asks { preprocess(file, &read.sources.compile) } else { None };
        let lines = text.iter().flat_map(|text| seeds(text));
        let predicates = lines.filter_map(|line| parse::parse(program, &line).ok()).flatten();
        predicates.for_each(|predicate| _ = precision.add(predicate));
    }
}

impl Lowered {
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
    pub(super) fn by_options(input: &Input, task: bool) -> Self {
        match &input.checks {
            None if task => Self::errors(input.all_error_functions()),
            _ => Self::all(input.all_error_functions(), input.faults()),
        }
    }
}
