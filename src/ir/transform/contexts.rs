//! Small functions, copied for each of their calls.
//!
//! The points-to analysis has one set of objects for each function. So all that is allocated in `kzalloc` is one object for it, and
//! all that passes through `dev_get_drvdata` is one kind of memory, whose members it cannot tell apart. With a copy of the function for
//! each call it can. A copy of an allocating function allocates an object of its own: this is heap cloning \[LA07\], done by copying
//! functions before the analysis, where Lattner and Adve copy their graphs.
//!
//! Copies are made from the callers down, so that a copy calls copies. Functions that may call themselves, directly or not, are not copied:
//! there would be no end. Functions that claim something are not copied either, because a property has one place. All copies share the static
//! variables of their function, have its name and its lines, and whoever takes its address gets the original. Every run of the original is one of the
//! copies and the other way round, so nothing that is said about the program changes.

use crate::ground::graph::components;
use crate::ground::index::Index as _;
use crate::ir::{BlockId, Callee, Function, FunctionId, Module, Operation, Type};
use std::collections::{BTreeSet, VecDeque};

/// What claims something.
#[derive(Clone, Copy)]
pub struct Claimed<'a> {
    /// Whether a call of a function of this name does.
    pub calls: &'a dyn Fn(&str) -> bool,
    /// Whether a block of this name does.
    pub labels: &'a dyn Fn(&str) -> bool,
}

/// Functions with more instructions are not copied.
const LONGEST: usize = 40;

/// Copies have so many instructions together at most.
const MOST: usize = 40_000;

/// Gives each call of a small function through which addresses pass a copy of its own.
pub fn separate(module: &mut Module, claimed: Claimed<'_>) {
    let originals = module.functions.clone();
    let copied = copied(module, claimed);
    let mut left = MOST;
    let called: BTreeSet<FunctionId> =
        originals.iter().flat_map(calls).map(|(_, _, callee)| callee).collect();
    // What is copied and only run otherwise (by a new thread, or as the entry) calls copies itself.
    let runs = |id: &FunctionId| !copied.contains(id) || !called.contains(id);
    let mut callers: VecDeque<FunctionId> = originals.ids().filter(runs).collect();
    while let Some(caller) = callers.pop_front() {
        for (block, number, callee) in calls(&module.functions[caller]) {
            let size = size(&originals[callee]);
            if size > left || !copied.contains(&callee) {
                continue;
            }
            left -= size;
            let copy = module.functions.push(originals[callee].clone());
            callers.push_back(copy);
            let instruction = &mut module.functions[caller].blocks[block].instructions[number];
            if let Operation::Call { callee, .. } = &mut instruction.operation {
                *callee = Callee::Function(copy);
            }
        }
    }
}

/// The functions that are copied.
fn copied(module: &Module, claimed: Claimed<'_>) -> BTreeSet<FunctionId> {
    let recursive = recursive(module);
    let fits = |id: &FunctionId| {
        let function = &module.functions[*id];
        function.is_defined()
            && module.model_file(function).is_none()
            && size(function) <= LONGEST
            && !function.variadic
            && passes_addresses(function)
            && !recursive.contains(id)
            && !claims(module, function, claimed)
    };
    module.functions.ids().filter(fits).collect()
}

fn passes_addresses(function: &Function) -> bool {
    let parameters = function.parameters.iter().map(|parameter| &function.values[parameter.value].ty);
    parameters.chain([&function.result]).any(|ty| *ty == Type::Pointer)
}

/// Whether a function has a claim of its own: it calls what claims something, or has a label that does.
fn claims(module: &Module, function: &Function, claimed: Claimed<'_>) -> bool {
    let mut callees = calls(function).into_iter().map(|(_, _, callee)| &module.functions[callee].name);
    callees.any(|name| (claimed.calls)(name))
        || function.blocks.iter().any(|block| (claimed.labels)(&block.name))
}

/// Functions that may call themselves.
fn recursive(module: &Module) -> BTreeSet<FunctionId> {
    let callees = |function: &Function| -> Vec<usize> {
        calls(function).into_iter().map(|(_, _, callee)| callee.index()).collect()
    };
    let graph: Vec<Vec<usize>> = module.functions.iter().map(callees).collect();
    let component = components(graph.len(), |function| &graph[function]);
    let mut sizes = vec![0; graph.len()];
    component.iter().for_each(|&number| sizes[number] += 1);
    let is_recursive = |id: &FunctionId| {
        let number = id.index();
        sizes[component[number]] > 1 || graph[number].contains(&number)
    };
    module.functions.ids().filter(is_recursive).collect()
}

/// The calls of a function by name: where they are, and of whom.
fn calls(function: &Function) -> Vec<(BlockId, usize, FunctionId)> {
    let mut found = Vec::new();
    for (block, content) in function.blocks.enumerate() {
        for (number, instruction) in content.instructions.iter().enumerate() {
            if let Operation::Call { callee: Callee::Function(callee), .. } = &instruction.operation {
                found.push((block, number, *callee));
            }
        }
    }
    found
}

fn size(function: &Function) -> usize {
    function.blocks.iter().map(|block| block.instructions.len() + 1).sum()
}
