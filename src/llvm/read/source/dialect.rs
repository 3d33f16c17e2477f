//! Names from other verifiers.
//!
//! Programs for CBMC and SATABS say `__CPROVER_assume` where ours say `__VERIFIER_assume`, take `nondet_int()` for an input, and
//! use `assert` without its header. Functions without a body that are called so get our names here, once, so that the
//! model and the machine agree on them. Calls that say something about the program and do nothing are taken away. Names
//! that begin like ours, and that nobody knows, are refused: they may be misspelt, and to take them for harmless
//! functions would change what the program says.

use super::cprover::advice;
use crate::ir::analysis::uses::uses;
use crate::ir::{BlockId, Callee, Function, FunctionId, Instruction, Module, Operation, Type, ValueId};
use crate::llvm::models::used_functions;
use std::collections::BTreeSet;

/// Their names, and ours.
const NAMES: [(&str, &str); 7] = [
    ("__CPROVER_assume", "__VERIFIER_assume"),
    ("__CPROVER_assert", "__VERIFIER_assert"),
    ("__CPROVER_atomic_begin", "__VERIFIER_atomic_begin"),
    ("__CPROVER_atomic_end", "__VERIFIER_atomic_end"),
    ("__CPROVER_precondition", "__VERIFIER_assert"),
    ("__CPROVER_postcondition", "__VERIFIER_assert"),
    ("assert", "__VERIFIER_assert"),
];

/// Their functions that do nothing: they name values for a trace, wish for predicates or coverage, or order accesses to
/// memory, which is sequentially consistent here.
const IDLE: [&str; 7] = [
    "__CPROVER_input",
    "__CPROVER_output",
    "__CPROVER_fence",
    "__CPROVER_cover",
    "__CPROVER_predicate",
    "__CPROVER_parameter_predicates",
    "__CPROVER_return_predicates",
];

/// How inputs begin there and here.
const INPUTS: (&str, &str) = ("nondet_", "__VERIFIER_nondet_");

/// What begins like this has a meaning for verifiers.
const RESERVED: [&str; 2] = ["__CPROVER_", "__VERIFIER_"];

/// Names of ours; inputs and functions that are atomic as a whole come in addition.
const OURS: [&str; 6] = [
    "__VERIFIER_assume",
    "__VERIFIER_assert",
    "__VERIFIER_error",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__VERIFIER_silent_exit",
];

/// A label that starts a thread.
const ASYNCHRONOUS: &str = "__CPROVER_ASYNC_";

/// Gives our names to functions without a body, and takes calls away that do nothing.
pub(in crate::llvm::read) fn translate(module: &mut Module) {
    let idle: BTreeSet<FunctionId> = IDLE.iter().filter_map(|name| module.function(name)).collect();
    let idle = idle.into_iter().filter(|id| !module.functions[*id].is_defined()).collect();
    module.functions.iter_mut().for_each(|function| take_away(function, &idle));
    for id in module.functions.ids() {
        let function = &module.functions[id];
        if function.is_defined() {
            continue;
        }
        // An input takes nothing and gives something.
        let input = function.parameters.is_empty() && function.result != Type::Void;
        if let Some(ours) = ours(&function.name, input) {
            rename(module, id, ours);
        }
    }
}

/// Our name for theirs.
fn ours(name: &str, input: bool) -> Option<String> {
    let known = NAMES.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| (*ours).to_owned());
    let rest = name.strip_prefix(INPUTS.0).filter(|_| input);
    known.or_else(|| Some(format!("{}{}", INPUTS.1, rest?)))
}

/// A function gets another name, unless one of that name is there: then that one is called instead.
fn rename(module: &mut Module, id: FunctionId, name: String) {
    match module.function(&name) {
        None => module.functions[id].name = name,
        Some(other) => module.functions.iter_mut().for_each(|function| redirect(function, id, other)),
    }
}

/// Takes calls of these functions away whose results nobody uses.
fn take_away(function: &mut Function, idle: &BTreeSet<FunctionId>) {
    if idle.is_empty() {
        return;
    }
    let used = uses(function);
    let is_idle = |instruction: &Instruction| {
        let unused = |value: ValueId| used[value].count == 0;
        matches!(&instruction.operation, Operation::Call { callee: Callee::Function(callee), .. } if idle.contains(callee))
            && instruction.result.is_none_or(unused)
    };
    for block in function.blocks.iter_mut() {
        block.instructions.retain(|instruction| !is_idle(instruction));
    }
}

fn redirect(function: &mut Function, from: FunctionId, to: FunctionId) {
    let blocks = function.blocks.iter_mut();
    for instruction in blocks.flat_map(|block| &mut block.instructions) {
        if let Operation::Call { callee: Callee::Function(callee), .. } = &mut instruction.operation
            && *callee == from
        {
            *callee = to;
        }
    }
}

/// What a program has that begins like names of verifiers, and that nobody knows.
pub(in crate::llvm::read) fn unknown_name(module: &Module) -> Option<String> {
    let called = used_functions(module);
    let functions = module.functions.enumerate().filter(|(id, it)| !it.is_defined() && called.contains(id));
    let mut names = functions.map(|(_, function)| &function.name);
    if let Some(name) = names.find(|name| is_unknown(name)) {
        return Some(format!("`{name}` is no function that Boolero knows; {}", advice(name)));
    }
    let mut variables = module.globals.iter().filter(|global| global.initialiser.is_none());
    if let Some(global) =
        variables.find(|global| RESERVED.iter().any(|prefix| global.name.starts_with(prefix)))
    {
        return Some(format!("`{}` is no variable that Boolero knows; is it misspelt?", global.name));
    }
    let labels = |function: &Function| {
        let blocks = function.blocks.enumerate().map(|(_, block): (BlockId, _)| block.name.clone());
        blocks.filter(|name| name.starts_with(ASYNCHRONOUS)).collect::<Vec<_>>()
    };
    let label = module.functions.iter().flat_map(labels).next()?;
    Some(format!("`{label}:` starts a thread, which is not modelled; start it with pthread_create"))
}

fn is_unknown(name: &str) -> bool {
    let reserved = RESERVED.iter().any(|prefix| name.starts_with(prefix));
    let input = name.starts_with(INPUTS.1);
    let atomic = name.starts_with("__VERIFIER_atomic_");
    reserved && !input && !atomic && !OURS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_verifiers_are_ours() {
        assert_eq!(ours("__CPROVER_assume", false).as_deref(), Some("__VERIFIER_assume"));
        assert_eq!(ours("nondet_uint", true).as_deref(), Some("__VERIFIER_nondet_uint"));
        assert_eq!(ours("my_nondet_int", true), None);
        assert_eq!(ours("nondet_fill", false), None);
    }

    #[test]
    fn misspelt_names_are_noticed() {
        assert!(is_unknown("__VERIFIER_asume") && is_unknown("__CPROVER_foo"));
        assert!(!is_unknown("__VERIFIER_nondet_int") && !is_unknown("__VERIFIER_atomic_take"));
        assert!(!is_unknown("assume"));
    }
}
