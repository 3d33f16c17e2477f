//! Pointers from outside as null pointers (`--external-pointers null`): what functions without a body return, and what the function
//! to start with gets. They are replaced wherever the program uses them, so that model and machine need not know.

use super::inline::replace_all;
use crate::ground::index::Index as _;
use crate::ir::{Callee, Constant, Function, Instruction, Module, Operand, Operation, Type, ValueId};
use rustc_hash::FxHashMap;

/// Replaces pointers from outside by null. It is told where the program starts, and which functions without a body return anything.
pub fn replace(module: &mut Module, entry: &str, returns_anything: &dyn Fn(&str) -> bool) {
    let open = |function: &Function| {
        !function.is_defined() && function.result == Type::Pointer && returns_anything(&function.name)
    };
    let open: Vec<bool> = module.functions.iter().map(open).collect();
    for id in module.functions.ids() {
        let function = &module.functions[id];
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        let results = instructions.filter(|instruction| calls(instruction, &open));
        let mut values: Vec<ValueId> = results.filter_map(|instruction| instruction.result).collect();
        if function.name == entry && entry != "main" {
            values.extend(given(function));
        }
        let null = || Operand::Constant(Constant::Null);
        let by: FxHashMap<ValueId, Operand> = values.into_iter().map(|value| (value, null())).collect();
        if !by.is_empty() {
            replace_all(&mut module.functions[id], &by);
        }
    }
}

/// Whether an instruction calls one of these functions.
fn calls(instruction: &Instruction, open: &[bool]) -> bool {
    match &instruction.operation {
        Operation::Call { callee: Callee::Function(function), .. } => {
            open.get(function.index()).copied().unwrap_or(false)
        }
        _ => false,
    }
}

/// The pointers that a function gets.
fn given(function: &Function) -> impl Iterator<Item = ValueId> + '_ {
    let plain = function.parameters.iter().filter(|parameter| parameter.copied.is_none());
    plain.map(|parameter| parameter.value).filter(|value| function.values[*value].ty == Type::Pointer)
}
