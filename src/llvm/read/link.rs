//! Linking: several translation units become one [`Module`].
//!
//! Declarations meet definitions by name. `static` names stay apart: where a name is taken, it becomes `name@file`. Of
//! several definitions, a strong one beats weak and common ones; of common ones the largest counts; among weak ones the
//! first. Two strong ones are an error that names both files. An alias counts as a definition of what it stands for.
//!
//! Functions and variables are numbered anew in the order in which they come, so that linking one unit changes nothing
//! but names of aliases.

use super::ReadError;
use super::bitcode::{Linkage, Unit};
use crate::ground::index::{Index, IndexVec};
use crate::ir::{Constant, DebugTypeId, FileId, Function, FunctionId, Global, GlobalId, Module};
use indexmap::IndexMap;
use std::collections::BTreeSet;

mod renumber;
use renumber::Renumber;

/// A translation unit and what it is called in messages.
pub struct Named {
    /// The file.
    pub name: String,
    /// What it holds.
    pub unit: Unit,
}

/// What a name means after linking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Function(FunctionId),
    Global(GlobalId),
}

/// Links translation units.
///
/// # Errors
/// A name is defined twice, as a function and as a variable, or units are for different machines.
pub fn link(units: Vec<Named>) -> Result<Module, ReadError> {
    let mut linker = Linker { taken: external_names(&units), ..Linker::default() };
    let mut renumbered = Vec::new();
    for unit in &units {
        linker.same_machine(unit)?;
        renumbered.push(linker.enter(unit)?);
    }
    for (number, (unit, renumber)) in units.iter().zip(&renumbered).enumerate() {
        linker.aliases(number, unit, renumber)?;
    }
    linker.resolve_aliases(&mut renumbered)?;
    for (unit, renumber) in units.into_iter().zip(&renumbered) {
        linker.fill(unit.unit, renumber);
    }
    Ok(linker.finish())
}

/// The names that units share: all but the `static` ones.
fn external_names(units: &[Named]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for Unit { module, functions, globals, aliases } in units.iter().map(|named| &named.unit) {
        let functions = module.functions.iter().map(|f| &f.name).zip(functions.iter());
        let globals = module.globals.iter().map(|g| &g.name).zip(globals.iter());
        let shared = functions.chain(globals).filter(|(_, linkage)| **linkage != Linkage::Internal);
        names.extend(shared.map(|(name, _)| name.clone()));
        names.extend(aliases.iter().map(|(name, ..)| name.clone()));
    }
    names
}

/// Where a name was defined, and how firmly.
#[derive(Clone, Debug)]
struct Definition {
    unit: usize,
    linkage: Linkage,
    size: u64,
}

#[derive(Default)]
struct Linker {
    pointer_bytes: u32,
    files: IndexMap<String, ()>,
    types: usize,
    /// What names that units share mean.
    names: IndexMap<String, Meaning>,
    /// All names that are used already, or will be by several units.
    taken: BTreeSet<String>,
    functions: IndexVec<FunctionId, Slot<Function>>,
    globals: IndexVec<GlobalId, Slot<Global>>,
    aliases: IndexMap<String, (usize, Linkage, Constant)>,
    units: Vec<String>,
    done: Vec<Module>,
}

/// A place in the result, and who fills it.
struct Slot<T> {
    name: String,
    definition: Option<Definition>,
    item: Option<T>,
}

impl Linker {
    fn same_machine(&mut self, unit: &Named) -> Result<(), ReadError> {
        let bytes = unit.unit.module.pointer_bytes;
        if self.pointer_bytes != 0 && self.pointer_bytes != bytes {
            let first = &self.units[0];
            return Err(ReadError::Input(format!("{} and {first} are for different machines", unit.name)));
        }
        self.pointer_bytes = bytes;
        Ok(())
    }

    /// Gives each file, type, function and variable of a unit its number in the result.
    fn enter(&mut self, named: &Named) -> Result<Renumber, ReadError> {
        let number = self.units.len();
        self.units.push(named.name.clone());
        let unit = &named.unit;
        let mut renumber = Renumber { types: self.types, ..Renumber::default() };
        self.types += unit.module.types.len();
        for file in unit.module.files.iter() {
            let id = self.files.insert_full(file.clone(), ()).0;
            renumber.files.push(FileId::new(id));
        }
        for (id, function) in unit.module.functions.enumerate() {
            let definition = function.is_defined().then(|| unit.functions[id]);
            let id = self.function(&function.name, unit.functions[id], definition, number)?;
            renumber.functions.push(Constant::Function(id));
        }
        for (id, global) in unit.module.globals.enumerate() {
            let definition = global.initialiser.is_some().then(|| unit.globals[id]);
            let id = self.global(global, unit.globals[id], definition, number)?;
            renumber.globals.push(Constant::Global(id, 0));
        }
        Ok(renumber)
    }

    fn function(
        &mut self,
        name: &str,
        linkage: Linkage,
        definition: Option<Linkage>,
        unit: usize,
    ) -> Result<FunctionId, ReadError> {
        let found = definition.map(|linkage| Definition { unit, linkage, size: 0 });
        let known = match self.names.get(name).filter(|_| linkage != Linkage::Internal) {
            Some(Meaning::Function(id)) => *id,
            Some(Meaning::Global(_)) => return Err(self.two_kinds(name, unit)),
            None => {
                let slot = Slot { name: self.own_name(name, linkage, unit), definition: found, item: None };
                let id = self.functions.push(slot);
                self.share(name, linkage, Meaning::Function(id));
                return Ok(id);
            }
        };
        let old = self.functions[known].definition.take();
        self.functions[known].definition = better(old, found).map_err(|pair| self.twice(name, pair))?;
        Ok(known)
    }

    fn global(
        &mut self,
        global: &Global,
        linkage: Linkage,
        definition: Option<Linkage>,
        unit: usize,
    ) -> Result<GlobalId, ReadError> {
        let name = &global.name;
        let found = definition.map(|linkage| Definition { unit, linkage, size: global.size });
        let known = match self.names.get(name).filter(|_| linkage != Linkage::Internal) {
            Some(Meaning::Global(id)) => *id,
            Some(Meaning::Function(_)) => return Err(self.two_kinds(name, unit)),
            None => {
                let slot = Slot { name: self.own_name(name, linkage, unit), definition: found, item: None };
                let id = self.globals.push(slot);
                self.share(name, linkage, Meaning::Global(id));
                return Ok(id);
            }
        };
        let old = self.globals[known].definition.take();
        self.globals[known].definition = better(old, found).map_err(|pair| self.twice(name, pair))?;
        Ok(known)
    }

    fn share(&mut self, name: &str, linkage: Linkage, meaning: Meaning) {
        if linkage != Linkage::Internal {
            self.names.insert(name.to_owned(), meaning);
        }
    }

    /// `static` names that are taken are told apart by the file; by a number, if that is taken, too.
    fn own_name(&mut self, name: &str, linkage: Linkage, unit: usize) -> String {
        if linkage != Linkage::Internal {
            return name.to_owned();
        }
        let file = self.units[unit].rsplit('/').next().unwrap_or_default();
        let plain = format!("{name}@{file}");
        let numbered = (2..).map(|number| format!("{plain}@{number}"));
        let mut choices = [name.to_owned(), plain.clone()].into_iter().chain(numbered);
        let free = choices.find(|name| !self.taken.contains(name)).unwrap_or(plain);
        self.taken.insert(free.clone());
        free
    }

    fn twice(&self, name: &str, (a, b): (usize, usize)) -> ReadError {
        defined_twice(name, &self.units[a], &self.units[b])
    }

    fn two_kinds(&self, name: &str, unit: usize) -> ReadError {
        ReadError::Input(format!("{}: {name} is a function here and a variable elsewhere", self.units[unit]))
    }

    fn aliases(&mut self, unit: usize, named: &Named, renumber: &Renumber) -> Result<(), ReadError> {
        for (name, linkage, constant) in &named.unit.aliases {
            if *linkage == Linkage::Internal {
                continue;
            }
            let target = renumber.constant(constant.clone());
            let taken = self.aliases.insert(name.clone(), (unit, *linkage, target));
            if let Some((other, Linkage::Strong, _)) = taken.filter(|_| *linkage == Linkage::Strong) {
                return Err(defined_twice(name, &self.units[other], &named.name));
            }
        }
        Ok(())
    }

    /// What is only declared, but is the name of an alias, becomes what the alias stands for.
    fn resolve_aliases(&mut self, units: &mut [Renumber]) -> Result<(), ReadError> {
        let aliases = std::mem::take(&mut self.aliases);
        for (name, (unit, linkage, target)) in &aliases {
            let (old, definition) = match self.names.get(name) {
                Some(Meaning::Function(id)) => (Constant::Function(*id), &self.functions[*id].definition),
                Some(Meaning::Global(id)) => (Constant::Global(*id, 0), &self.globals[*id].definition),
                None => continue,
            };
            match definition {
                None => units.iter_mut().for_each(|renumber| renumber.replace(&old, target)),
                Some(found) if found.linkage == Linkage::Strong && *linkage == Linkage::Strong => {
                    return Err(defined_twice(name, &self.units[found.unit], &self.units[*unit]));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Moves what a unit has to say into the places that it fills.
    fn fill(&mut self, unit: Unit, renumber: &Renumber) {
        let number = self.done.len();
        let mut module = renumber.module(unit.module);
        let entered = renumber.entered_functions();
        for (mut function, id) in std::mem::take(&mut module.functions).into_vec().into_iter().zip(entered) {
            let slot = &mut self.functions[id];
            if takes(slot, number, function.is_defined()) {
                function.name.clone_from(&slot.name);
                slot.item = Some(function);
            }
        }
        let entered = renumber.entered_globals();
        for (mut global, id) in std::mem::take(&mut module.globals).into_vec().into_iter().zip(entered) {
            let slot = &mut self.globals[id];
            if takes(slot, number, global.initialiser.is_some()) {
                global.name.clone_from(&slot.name);
                slot.item = Some(global);
            }
        }
        self.done.push(module);
    }

    fn finish(self) -> Module {
        let types = self.done.into_iter().flat_map(|module| module.types.into_vec());
        Module {
            pointer_bytes: self.pointer_bytes,
            files: self.files.into_keys().collect(),
            types: types.collect::<IndexVec<DebugTypeId, _>>(),
            globals: self.globals.into_vec().into_iter().filter_map(|slot| slot.item).collect(),
            functions: self.functions.into_vec().into_iter().filter_map(|slot| slot.item).collect(),
        }
    }
}

/// Whether an item of a unit is the one that a place keeps: its definition, or the first declaration.
fn takes<T>(slot: &Slot<T>, unit: usize, defined: bool) -> bool {
    match &slot.definition {
        Some(definition) => defined && definition.unit == unit,
        None => slot.item.is_none(),
    }
}

fn defined_twice(name: &str, first: &str, second: &str) -> ReadError {
    ReadError::Input(format!("{name} is defined in {first} and in {second}"))
}

/// The better of two definitions; both units, if both are strong.
fn better(old: Option<Definition>, new: Option<Definition>) -> Result<Option<Definition>, (usize, usize)> {
    let (Some(old), Some(new)) = (&old, &new) else { return Ok(old.or(new)) };
    Ok(Some(match (old.linkage, new.linkage) {
        (Linkage::Strong, Linkage::Strong) => return Err((old.unit, new.unit)),
        (_, Linkage::Strong) => new.clone(),
        (Linkage::Weak, Linkage::Common) => new.clone(),
        (Linkage::Common, Linkage::Common) if new.size > old.size => new.clone(),
        _ => old.clone(),
    }))
}
