//! Compiles the models of library functions ([`library::models`](crate::library::models)) that a program needs.
//!
//! A program that declares a function which a model defines, and uses it, gets the model's body, and whatever that needs
//! in turn; nothing else of a model comes along. What a program defines itself is never replaced.

use super::read::ReadError;
use super::read::bitcode::{Linkage, Unit, decode_unit};
use super::read::clang::{CompileOptions, DataModel, compile};
use super::read::link::{Named, link};
use crate::ir::{Function, Module, Type};
use crate::library::models::{LOOK, OWNED, PLAIN, defines_any, sources};
use std::collections::BTreeSet;
use std::path::Path;

mod kinds;
mod needed;
mod owners;

pub use needed::may_get_to;
pub(super) use needed::used_functions;

use owners::Mutexes;

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
    kinds::choose(&mut module);
    // Functions that only have the name of one of the library.
    let mut others = BTreeSet::new();
    let mutexes = owners::mutexes(&module);
    let left_out = if mutexes == Mutexes::Owned { PLAIN } else { OWNED };
    let wanted = |module: &Module, others: &BTreeSet<String>| -> BTreeSet<String> {
        let used = needed::used_functions(module);
        let missing = module.functions.enumerate().filter(|(id, f)| !f.is_defined() && used.contains(id));
        missing.map(|(_, function)| function.name.clone()).filter(|name| !others.contains(name)).collect()
    };
    // Models may use each other: again, until nothing is added.
    for _ in 0..=sources().len() {
        let names = wanted(&module, &others);
        let chosen: Vec<_> =
            sources().iter().filter(|(name, text)| *name != left_out && defines_any(text, &names)).collect();
        if chosen.is_empty() {
            break;
        }
        let mut units = vec![Named { name: "the program".to_owned(), unit: whole(module) }];
        for (name, text) in chosen {
            let certain = *name == PLAIN && mutexes == Mutexes::Plain;
            let text = if certain { text.replace(LOOK, "") } else { (*text).to_owned() };
            let unit = model(name, &text, &units[0].unit, (folder, notes))?;
            others.extend(
                names.iter().filter(|name| differ(&units[0].unit.module, &unit.module, name)).cloned(),
            );
            let names = names.difference(&others).cloned().collect();
            units.push(Named { name: (*name).to_owned(), unit: needed::only(unit, &names) });
        }
        module = link(units)?;
    }
    Ok(module)
}

/// Whether a function that a program declares cannot be the one of a model with this name: one has a floating-point number where the
/// other has an integer or an address, or there are more or fewer of them.
fn differ(program: &Module, model: &Module, name: &str) -> bool {
    let find = |module: &Module| module.functions.iter().find(|function| function.name == name).map(classes);
    match (find(program), find(model)) {
        (Some(declared), Some(defined)) => {
            let floats = |classes: &[Class]| classes.iter().any(|&class| class != Class::Other);
            // Old code declares what it likes, and the library's functions on addresses and integers bear it.
            (floats(&declared) || floats(&defined)) && declared != defined
        }
        _ => false,
    }
}

/// What the result and the parameters of a function are, as far as functions on numbers differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Single,
    Double,
    Other,
}

fn classes(function: &Function) -> Vec<Class> {
    let parameters = function.parameters.iter().map(|parameter| &function.values[parameter.value].ty);
    std::iter::once(&function.result)
        .chain(parameters)
        .map(|ty| match ty {
            Type::Float => Class::Single,
            Type::Double => Class::Double,
            _ => Class::Other,
        })
        .collect()
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

/// A model, compiled as the program was.
fn model(name: &str, text: &str, program: &Unit, (folder, notes): (&Path, Notes)) -> Result<Unit, ReadError> {
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
    Ok(unit)
}

#[cfg(test)]
mod tests;
