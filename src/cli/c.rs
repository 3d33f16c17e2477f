//! C on the command line: reading programs, `boolero list` and `boolero emit` for them.

use super::arguments::{CInput, Emit, FaultName, Form, Input, List, UndefinedName};
use super::ending::{complain, is_standard, print, print_error};
use super::load::Refused;
use crate::ground::exit::Exit;
use crate::ir::undefined::{FAULTS, Fault, OF_THREADS};
use crate::ir::{ERROR_FUNCTIONS, Module};
use crate::llvm::lower::{Allocation, Settings, Undefined, lower};
use crate::llvm::read::ReadError;
use crate::llvm::read::child::{ReadLimits, read_in_child};
use crate::llvm::read::clang::{CompileOptions, DataModel};
use crate::llvm::read::program::{Library, ReadOptions};
use crate::llvm::read::task::read_task;
use crate::program::Program;
use crate::program::ready::merge;
use crate::report::c as report;
use crate::vm;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Whether a file is read as C, by its ending.
pub fn is_c(file: &Path) -> bool {
    let known = ["c", "i", "bc", "ll", "yml", "yaml"];
    file.extension().is_some_and(|extension| known.iter().any(|known| extension == *known))
}

fn is_task(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// What is wrong, if options for C come with another kind of file.
pub fn misplaced(input: &CInput) -> Option<String> {
    let given = !input.more.is_empty()
        || !input.include.is_empty()
        || !input.define.is_empty()
        || input.standard.is_some()
        || input.ilp32
        || input.lp64
        || !input.checks.is_empty()
        || !input.error_function.is_empty()
        || input.undefined_functions.is_some()
        || input.malloc_may_fail;
    given.then(|| "options for C programs, or several files, come with a file that is none".to_owned())
}

/// A C program that was read.
pub struct Read {
    /// The program.
    pub module: Module,
    /// The file that was named first.
    pub file: PathBuf,
    /// Whether it is the task of a competition, with its rules.
    pub task: bool,
    /// What it was read from.
    pub sources: Sources,
}

/// Reads a C program, to look for these faults.
///
/// # Errors
/// What is wrong has been told.
pub fn read(file: &Path, input: &CInput, checked: &BTreeSet<Fault>) -> Result<Read, Refused> {
    super::panic_on_demand();
    let mut sources = sources(file, input)?;
    sources.compile.signed_shifts = checked.contains(&Fault::Overflow);
    let locks = [Fault::Lock, Fault::Deadlock].iter().any(|fault| checked.contains(fault));
    let library = if locks { Library::ModelsWithLocks } else { Library::Models };
    let options = ReadOptions { compile: sources.compile.clone(), library };
    let module =
        read_in_child(&sources.files, &options, &ReadLimits::default()).map_err(|error| refuse(&error))?;
    Ok(Read { module, file: file.to_path_buf(), task: sources.task, sources })
}

/// The files of a program, and how they are compiled.
pub struct Sources {
    /// The files.
    pub files: Vec<PathBuf>,
    /// How they are compiled.
    pub compile: CompileOptions,
    /// Whether it is the task of a competition.
    pub task: bool,
}

/// What is to be read.
///
/// # Errors
/// What is wrong has been told.
pub fn sources(file: &Path, input: &CInput) -> Result<Sources, Refused> {
    let mut files = Vec::new();
    let (mut model, mut task) = (None, false);
    for path in std::iter::once(file).chain(input.more.iter().map(PathBuf::as_path)) {
        if let Err(error) = std::fs::File::open(path) {
            complain(&format!("cannot read `{}`: {error}", path.display()));
            return Err(Refused(Exit::Input));
        }
        if is_task(path) {
            let found = read_task(path).map_err(|error| refuse(&error))?;
            files.extend(found.inputs);
            model = model.or(found.data_model);
            task = true;
        } else {
            files.push(path.to_path_buf());
        }
    }
    let default = if task { DataModel::Ilp32 } else { DataModel::Lp64 };
    let data_model = match (input.ilp32, input.lp64) {
        (true, _) => DataModel::Ilp32,
        (_, true) => DataModel::Lp64,
        _ => model.unwrap_or(default),
    };
    let compile = CompileOptions {
        data_model,
        include: input.include.clone(),
        define: input.define.clone(),
        standard: input.standard.clone(),
        signed_shifts: false,
    };
    Ok(Sources { files, compile, task })
}

/// Tells what is wrong.
pub fn refuse(error: &ReadError) -> Refused {
    match error {
        // clang's words are passed on as they are.
        ReadError::Clang(text) => print_error(&format!("{}\n", text.trim_end())),
        ReadError::Input(text) | ReadError::Environment(text) => complain(text),
    }
    Refused(Exit::Input)
}

/// The faults that were asked for.
pub fn checks(names: &[FaultName]) -> BTreeSet<Fault> {
    names.iter().flat_map(|name| faults(*name)).collect()
}

fn faults(name: FaultName) -> Vec<Fault> {
    let one = match name {
        FaultName::All => return FAULTS.into_iter().chain(OF_THREADS).collect(),
        FaultName::None => return Vec::new(),
        FaultName::Division => Fault::Division,
        FaultName::Overflow => Fault::Overflow,
        FaultName::Shift => Fault::Shift,
        FaultName::Null => Fault::Null,
        FaultName::Bounds => Fault::Bounds,
        FaultName::Pointer => Fault::Pointer,
        FaultName::Free => Fault::Free,
        FaultName::Uninitialised => Fault::Uninitialised,
        FaultName::Leak => Fault::Leak,
        FaultName::Race => Fault::Race,
        FaultName::Deadlock => Fault::Deadlock,
        FaultName::Lock => Fault::Lock,
    };
    vec![one]
}

/// What functions without a body do; for tasks the competition's rules hold.
pub fn undefined(input: &CInput, task: bool) -> Undefined {
    match input.undefined_functions {
        Some(UndefinedName::Unknown) => Undefined::Unknown,
        Some(UndefinedName::Havoc) => Undefined::Havoc,
        Some(UndefinedName::Pure) => Undefined::Pure,
        None if task => Undefined::Pure,
        None => Undefined::Unknown,
    }
}

/// The program model.
///
/// # Errors
/// What is wrong has been told.
pub fn model(
    read: &Read,
    input: &CInput,
    checks: BTreeSet<Fault>,
    goals: Goals<'_>,
) -> Result<Program, Refused> {
    super::named::look_for(read, &input.error_function, goals.labels)?;
    let settings = Settings {
        entry: goals.entry.unwrap_or("main").to_owned(),
        checks,
        error_functions: goals.functions,
        error_labels: goals.labels.to_vec(),
        undefined: undefined(input, read.task),
        allocation: if input.malloc_may_fail { Allocation::MayFail } else { Allocation::Succeeds },
    };
    lower(&read.module, &settings).map_err(|message| {
        complain(&format!("`{}`: {message}", read.file.display()));
        Refused(Exit::Usage)
    })
}

/// Where a program starts, and what it must not get to.
pub struct Goals<'a> {
    /// The function that it starts with, if not `main`.
    pub entry: Option<&'a str>,
    /// Functions that must not be called.
    pub functions: Vec<String>,
    /// Labels that must not be reached.
    pub labels: &'a [String],
}

fn goals<'a>(input: &'a Input, options: &CInput) -> Goals<'a> {
    let functions = error_functions(&options.error_function);
    Goals { entry: input.entry.as_deref(), functions, labels: &input.error_label }
}

/// The usual error functions, and these.
pub fn error_functions(more: &[String]) -> Vec<String> {
    ERROR_FUNCTIONS.iter().map(|&name| name.to_owned()).chain(more.iter().cloned()).collect()
}

/// `boolero list` for a C program.
pub fn list(arguments: &List) -> Exit {
    let (input, options) = (&arguments.input, &arguments.c);
    let checked = checks(&options.checks);
    let program = read(&input.file, options, &checked)
        .and_then(|read| model(&read, options, checked, goals(input, options)));
    let program = match program {
        Ok(program) => program,
        Err(Refused(exit)) => return exit,
    };
    let file = input.file.display().to_string();
    match &arguments.json {
        Some(path) if is_standard(path) => {
            print(&report::list_json(&file, &program));
            return Exit::Holds;
        }
        Some(path) => {
            if let Err(error) = std::fs::write(path, report::list_json(&file, &program)) {
                complain(&format!("cannot write `{}`: {error}", path.display()));
                return Exit::Usage;
            }
        }
        None => {}
    }
    print(&report::list(&file, &program));
    Exit::Holds
}

/// `boolero emit` for a C program.
pub fn emit(arguments: &Emit) -> Exit {
    match emitted(arguments) {
        Ok(text) => {
            print(&text);
            Exit::Holds
        }
        Err(Refused(exit)) => exit,
    }
}

fn emitted(arguments: &Emit) -> Result<String, Refused> {
    let (input, options) = (&arguments.input, &arguments.c);
    if matches!(arguments.form, Form::Cfg | Form::Tts | Form::Mist | Form::KarpMiller) {
        complain("forms of C programs are cfa, dot, smt and ir");
        return Err(Refused(Exit::Usage));
    }
    let checked = checks(&options.checks);
    let read = read(&input.file, options, &checked)?;
    if arguments.form == Form::Ir {
        return Ok(read.module.to_string());
    }
    let mut program = model(&read, options, checked, goals(input, options))?;
    if !arguments.basic_blocks {
        merge(&mut program);
    }
    Ok(match arguments.form {
        Form::Dot => crate::program::dot::dot(&program),
        Form::Smt => crate::program::smt::smt(&program),
        _ => crate::program::text::text(&program),
    })
}

/// How the machine runs the program: with the same checks, the same environment.
pub fn machine(read: &Read, input: &CInput, entry: &str, checks: BTreeSet<Fault>) -> vm::Settings {
    let standard = vm::Settings::default();
    let undefined = match undefined(input, read.task) {
        Undefined::Unknown => vm::Undefined::Unknown,
        Undefined::Havoc => vm::Undefined::Havoc,
        Undefined::Pure => vm::Undefined::Pure,
    };
    vm::Settings {
        checks,
        undefined,
        allocation: if input.malloc_may_fail { vm::Allocation::MayFail } else { vm::Allocation::Succeeds },
        error_functions: error_functions(&input.error_function).into_iter().collect(),
        entry: entry.to_owned(),
        ..standard
    }
}
