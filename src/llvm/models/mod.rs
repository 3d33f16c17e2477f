//! Models of library functions, written in C: see the README of this folder.
//!
//! A program that declares a function which a model defines, and uses it, gets the model's body, and whatever that needs
//! in turn; nothing else of a model comes along. What a program defines itself is never replaced.

use super::read::ReadError;
use super::read::bitcode::{Linkage, Unit, decode_unit};
use super::read::clang::{CompileOptions, DataModel, compile};
use super::read::link::{Named, link};
use crate::ir::Module;
use std::collections::BTreeSet;
use std::path::Path;

mod needed;
mod owners;

pub use needed::may_get_to;

use owners::Mutexes;

/// The models of pthread; the machine has its own.
const THREADS: &str = "pthread.c";

/// Those of mutexes: one of these is taken, as [`owners::mutexes`] says.
const PLAIN: &str = "mutex.c";
const OWNED: &str = "owner.c";

/// How the models of plain mutexes look whether a mutex is plain; left out where all are.
const LOOK: &str = "boolero_plain(mutex->kind);";

/// The threads of C11, by pthread; the machine uses them, too.
const THREADS_OF_C: &str = "threads.c";

/// Models that the lowering puts in place of calls.
pub(super) const INLINED: [&str; 4] = [THREADS, PLAIN, OWNED, THREADS_OF_C];

/// Those of them whose accesses to memory synchronise threads: such accesses are no races.
pub(super) const SYNCHRONISING: [&str; 3] = [THREADS, PLAIN, OWNED];

/// The models of input and output, which leave open what the machine knows.
const OUTPUT: &str = "stdio.c";

/// So do those of the time.
const TIME: &str = "time.c";

/// What verification tasks ask for.
const VERIFIER: &str = "verifier.c";

/// File names and texts of the models.
#[must_use]
pub fn sources() -> &'static [(&'static str, &'static str)] {
    &[
        ("ctype.c", include_str!("ctype.c")),
        (PLAIN, include_str!("mutex.c")),
        (OWNED, include_str!("owner.c")),
        (THREADS, include_str!("pthread.c")),
        (OUTPUT, include_str!("stdio.c")),
        ("stdlib.c", include_str!("stdlib.c")),
        ("string.c", include_str!("string.c")),
        (THREADS_OF_C, include_str!("threads.c")),
        (TIME, include_str!("time.c")),
        (VERIFIER, include_str!("verifier.c")),
    ]
}

/// What models tell besides what they do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notes {
    /// Nothing.
    None,
    /// Who wants, takes and leaves a lock.
    Locks,
}

/// Adds the models that a program needs. `folder` is for temporary files.
///
/// # Errors
/// There is no clang, or it does not compile our models.
pub fn add(module: Module, folder: &Path, notes: Notes) -> Result<Module, ReadError> {
    let mut module = module;
    let mutexes = owners::mutexes(&module);
    let left_out = if mutexes == Mutexes::Owned { PLAIN } else { OWNED };
    let wanted = |module: &Module| -> BTreeSet<String> {
        let used = needed::used_functions(module);
        let missing = module.functions.enumerate().filter(|(id, f)| !f.is_defined() && used.contains(id));
        missing.map(|(_, function)| function.name.clone()).collect()
    };
    // Models may use each other: again, until nothing is added.
    for _ in 0..=sources().len() {
        let names = wanted(&module);
        let chosen: Vec<_> =
            sources().iter().filter(|(name, text)| *name != left_out && defines_any(text, &names)).collect();
        if chosen.is_empty() {
            break;
        }
        let mut units = vec![Named { name: "the program".to_owned(), unit: whole(module) }];
        for (name, text) in chosen {
            let certain = *name == PLAIN && mutexes == Mutexes::Plain;
            let text = if certain { text.replace(LOOK, "") } else { (*text).to_owned() };
            units.push(Named {
                name: (*name).to_owned(),
                unit: model(name, &text, &names, &units[0].unit, (folder, notes))?,
            });
        }
        module = link(units)?;
    }
    Ok(module)
}

/// Whether a model may define one of these functions: its text names it before a parenthesis at the start of a line.
fn defines_any(text: &str, names: &BTreeSet<String>) -> bool {
    defined_names(text).any(|name| names.contains(name))
}

/// The functions that a model defines. Definitions start in the first column and end their line with a brace.
fn defined_names(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| line.ends_with('{') && !line.starts_with([' ', '\t', '}']));
    lines.filter_map(|line| {
        let head = &line[..line.find('(')?];
        head.rsplit([' ', '*']).next()
    })
}

/// A linked program as a unit: names are settled, but for what is only declared.
fn whole(module: Module) -> Unit {
    Unit {
        functions: module.functions.iter().map(|_| Linkage::Strong).collect(),
        globals: module.globals.iter().map(|_| Linkage::Strong).collect(),
        aliases: Vec::new(),
        module,
    }
}

/// The wanted functions of a model, and what they need.
fn model(
    name: &str,
    text: &str,
    names: &BTreeSet<String>,
    program: &Unit,
    (folder, notes): (&Path, Notes),
) -> Result<Unit, ReadError> {
    let data_model = if program.module.pointer_bytes == 4 { DataModel::Ilp32 } else { DataModel::Lp64 };
    let source = folder.join(name);
    let bitcode = source.with_extension("bc");
    std::fs::write(&source, text)
        .map_err(|error| ReadError::Environment(format!("{}: {error}", source.display())))?;
    let define = if notes == Notes::Locks { vec!["BOOLERO_LOCKS".to_owned()] } else { Vec::new() };
    compile(&source, &bitcode, &CompileOptions { data_model, define, ..CompileOptions::default() })?;
    let mut unit = decode_unit(&bitcode)?;
    // The path is a temporary one: the model goes by its name.
    for file in unit.module.files.iter_mut() {
        if file.ends_with(name) {
            *file = format!("{}{name}", crate::ir::MODELS);
        }
    }
    Ok(needed::only(unit, names))
}

#[cfg(test)]
mod tests;
