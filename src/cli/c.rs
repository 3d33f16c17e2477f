//! C on the command line: reading programs, `boolero list` and `boolero emit` for them.

use super::arguments::{
    AssemblyName, CInput, Emit, FaultName, Form, Input, List, PointersName, UndefinedName,
};
use super::ending::{complain, is_standard, print};
use super::load::{self, Refused};
use crate::api::{self, Asked, Assembly, Read, Reading, Refusal};
use crate::ground::exit::Exit;
use crate::ir::undefined::Fault;
use crate::llvm::read::clang::DataModel;
use crate::lower::{Allocation, ExternalPointers, Undefined};
use crate::program::ready::merge;
use crate::report::c as report;
use crate::report::text::Colors;
use std::collections::BTreeSet;
use std::path::Path;

/// Whether a file is read as C, by its ending.
pub fn is_c(file: &Path) -> bool {
    let known = ["c", "i", "bc", "ll", "yml", "yaml", "json"];
    file.extension().is_some_and(|extension| known.iter().any(|known| extension == *known))
}

/// What is wrong, if options for C come with another kind of file.
pub fn misplaced(input: &CInput) -> Option<String> {
    let given = !input.more.is_empty()
        || !input.of_database.is_empty()
        || !input.flags.is_empty()
        || !input.include.is_empty()
        || !input.define.is_empty()
        || input.standard.is_some()
        || input.ilp32
        || input.lp64
        || !input.checks.is_empty()
        || !input.error_function.is_empty()
        || input.undefined_functions.is_some()
        || input.assembly.is_some()
        || input.external_pointers.is_some()
        || input.malloc_may_fail;
    given.then(|| "options for C programs, or several files, come with a file that is none".to_owned())
}

/// The program that the arguments name.
pub fn input(file: &Path, options: &CInput) -> api::Input {
    let data_model = match (options.ilp32, options.lp64) {
        (true, _) => Some(DataModel::Ilp32),
        (_, true) => Some(DataModel::Lp64),
        _ => None,
    };
    let undefined = options.undefined_functions.map(|name| match name {
        UndefinedName::Unknown => Undefined::Unknown,
        UndefinedName::Havoc => Undefined::Havoc,
        UndefinedName::Pure => Undefined::Pure,
    });
    let external_pointers = options.external_pointers.map(|name| match name {
        PointersName::Any => ExternalPointers::Any,
        PointersName::Fresh => ExternalPointers::Fresh,
        PointersName::Null => ExternalPointers::Null,
    });
    let assembly = match options.assembly {
        Some(AssemblyName::Havoc) => Assembly::Havoc,
        Some(AssemblyName::Unknown) | None => Assembly::Unknown,
    };
    api::Input {
        files: std::iter::once(file.to_path_buf()).chain(options.more.iter().cloned()).collect(),
        of_database: options.of_database.clone(),
        flags: options.flags.clone(),
        include: options.include.clone(),
        define: options.define.clone(),
        standard: options.standard.clone(),
        data_model,
        checks: (!options.checks.is_empty()).then(|| checks(&options.checks)),
        error_functions: options.error_function.clone(),
        undefined,
        assembly,
        external_pointers,
        allocation: if options.malloc_may_fail { Allocation::MayFail } else { Allocation::Succeeds },
        reading: Reading::Child,
        ..api::Input::file(file)
    }
}

/// Reads a C program, to look for these faults.
///
/// # Errors
/// What is wrong has been told.
pub fn read(input: &api::Input, checked: &BTreeSet<Fault>) -> Result<Read, Refused> {
    super::panic_on_demand();
    api::read(input, checked).map_err(|refusal| refuse(&refusal))
}

/// Tells what is wrong with a C program.
pub fn refuse(refusal: &Refusal) -> Refused {
    load::refuse(refusal, Colors::Plain)
}

/// The faults that were asked for.
pub fn checks(names: &[FaultName]) -> BTreeSet<Fault> {
    names.iter().flat_map(|name| faults(*name)).collect()
}

fn faults(name: FaultName) -> Vec<Fault> {
    match name {
        FaultName::All => Fault::all().collect(),
        FaultName::None => Vec::new(),
        FaultName::One(fault) => vec![fault],
    }
}

/// What `list` and `emit` are about: everything that can be asked for, whether it is a task or not.
fn listed(file: &Path, arguments: &Input, options: &CInput) -> (api::Input, Asked) {
    let entry = arguments.entry.clone().unwrap_or_else(|| "main".to_owned());
    let input = api::Input { entry, error_labels: arguments.error_label.clone(), ..input(file, options) };
    let asked = Asked::all(input.all_error_functions(), input.faults());
    (input, asked)
}

/// `boolero list` for a C program.
pub fn list(arguments: &List) -> Exit {
    let (input, asked) = listed(&arguments.input.file, &arguments.input, &arguments.c);
    let program = read(&input, &asked.faults)
        .and_then(|read| api::model(&read, &input, &asked).map_err(|refusal| refuse(&refusal)));
    let program = match program {
        Ok(program) => program,
        Err(Refused(exit)) => return exit,
    };
    let file = arguments.input.file.display().to_string();
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
    if matches!(arguments.form, Form::Cfg | Form::Tts | Form::Mist | Form::KarpMiller) {
        complain("forms of C programs are cfa, dot, smt and ir");
        return Err(Refused(Exit::Usage));
    }
    let (input, asked) = listed(&arguments.input.file, &arguments.input, &arguments.c);
    let read = read(&input, &asked.faults)?;
    if arguments.form == Form::Ir {
        return Ok(read.module.to_string());
    }
    let mut program = api::model(&read, &input, &asked).map_err(|refusal| refuse(&refusal))?;
    if !arguments.basic_blocks {
        merge(&mut program);
    }
    Ok(match arguments.form {
        Form::Dot => crate::program::dot::dot(&program),
        Form::Smt => crate::program::smt::smt(&program),
        _ => crate::program::text::text(&program),
    })
}
