//! Small functions that get the address of a local variable, to leave something there.
//!
//! `__VERIFIER_atomic_fetch_and_inc(&ticket)` makes `ticket` an object in memory, which any thread might know of. In place of
//! its call the function writes to the variable itself, and that is a plain local variable again. Only functions that
//! call nothing of the program, keep no variables of their own and claim nothing are put in place: then nothing else
//! can be told from the difference. Only programs that start threads have need of it.

use super::inline::without_parameter_variables;
use crate::ir::{
    BlockId, Callee, Function, FunctionId, Instruction, Module, Operand, Operation, Terminator, Type,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Longer functions stay where they are.
const LONGEST: usize = 40;

/// What starts threads.
const STARTERS: [&str; 2] = ["pthread_create", "thrd_create"];
/// What such a function may call.
const HARMLESS: [&str; 3] = ["__VERIFIER_assume", BEGIN, END];
const BEGIN: &str = "__VERIFIER_atomic_begin";
const END: &str = "__VERIFIER_atomic_end";

/// The bodies of such functions.
pub fn helpers(module: &mut Module) -> FxHashMap<FunctionId, Function> {
    if !module.functions.iter().any(|function| STARTERS.contains(&function.name.as_str())) {
        return FxHashMap::default();
    }
    let mut found = FxHashMap::default();
    for id in given_locals(module) {
        let function = &module.functions[id];
        if module.model_file(function).is_none() && may_be_put(function) {
            let body = without_parameter_variables(function.clone());
            let calls_well = calls(&body).all(|callee| is_harmless(module, callee));
            if calls_well && !body_instructions(&body).any(is_variable) {
                let atomic = body.name.starts_with("__VERIFIER_atomic_");
                found.insert(id, if atomic { in_section(module, body) } else { body });
            }
        }
    }
    found
}

/// Functions that are given the address of a local variable by some call.
fn given_locals(module: &Module) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    for function in module.functions.iter() {
        let variables = body_instructions(function).filter(|instruction| is_variable(instruction));
        let variables: BTreeSet<_> = variables.filter_map(|instruction| instruction.result).collect();
        for instruction in body_instructions(function) {
            if let Operation::Call { callee: Callee::Function(callee), arguments, .. } =
                &instruction.operation
                && arguments.iter().any(
                    |(argument, _)| matches!(argument, Operand::Value(value) if variables.contains(value)),
                )
            {
                found.insert(*callee);
            }
        }
    }
    found
}

fn may_be_put(function: &Function) -> bool {
    let short = body_instructions(function).count() <= LONGEST;
    let copied = function.parameters.iter().any(|parameter| parameter.copied.is_some());
    let ends =
        |terminator: &Terminator| matches!(terminator, Terminator::Unreachable | Terminator::Unsupported(_));
    function.is_defined()
        && short
        && !copied
        && !function.variadic
        && !function.blocks.iter().any(|block| ends(&block.terminator))
}

fn body_instructions(function: &Function) -> impl Iterator<Item = &Instruction> {
    function.blocks.iter().flat_map(|block| &block.instructions)
}

fn is_variable(instruction: &Instruction) -> bool {
    matches!(instruction.operation, Operation::Allocate { .. })
}

/// What a body calls; none stands for what is not known by name.
fn calls(function: &Function) -> impl Iterator<Item = Option<FunctionId>> + '_ {
    body_instructions(function).filter_map(|instruction| match &instruction.operation {
        Operation::Call { callee: Callee::Function(callee), .. } => Some(Some(*callee)),
        Operation::Call { .. } => Some(None),
        _ => None,
    })
}

fn is_harmless(module: &Module, callee: Option<FunctionId>) -> bool {
    callee.is_some_and(|callee| {
        let callee = &module.functions[callee];
        !callee.is_defined() && HARMLESS.contains(&callee.name.as_str())
    })
}

/// A body with an atomic section around it.
fn in_section(module: &mut Module, mut body: Function) -> Function {
    let (begin, end) = (module.declare(BEGIN, Type::Void), module.declare(END, Type::Void));
    let first = &mut body.blocks[BlockId::FIRST];
    let place = first.instructions.first().map_or(first.place, |instruction| instruction.place);
    first.instructions.insert(0, call(begin, place));
    for block in body.blocks.iter_mut() {
        if matches!(block.terminator, Terminator::Return(_)) {
            let place = block.place;
            block.instructions.push(call(end, place));
        }
    }
    body
}

fn call(function: FunctionId, place: Option<crate::ir::Place>) -> Instruction {
    let operation =
        Operation::Call { callee: Callee::Function(function), arguments: Vec::new(), copied: Vec::new() };
    Instruction { result: None, operation, place }
}
