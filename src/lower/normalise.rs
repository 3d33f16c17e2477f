//! Functions that are intrinsics by another name: `memcpy`, `memmove`, `memset` without a body. Models of pthread are put in
//! place of their calls.

use super::Settings;
use super::environment::{Known, known};
use crate::ir::{BlockId, Callee, Function, FunctionId, Instruction, Intrinsic, Module, Operation};
use std::collections::BTreeSet;

/// The module with calls of such functions made intrinsics, and the blocks that came from models of pthread.
pub(super) fn normalised(module: &Module, settings: &Settings) -> (Module, BTreeSet<(FunctionId, BlockId)>) {
    let mut module = module.clone();
    let of_models = super::inline::inline(&mut module);
    super::scan::replace_scans(&mut module);
    let names: Vec<Option<Intrinsic>> =
        module.functions.iter().map(|function| intrinsic(function, settings)).collect();
    if names.iter().all(Option::is_none) {
        return (module, of_models);
    }
    for function in module.functions.iter_mut() {
        for block in function.blocks.iter_mut() {
            let old = std::mem::take(&mut block.instructions);
            block.instructions =
                old.into_iter().flat_map(|instruction| replaced(instruction, &names)).collect();
        }
    }
    (module, of_models)
}

fn intrinsic(function: &Function, settings: &Settings) -> Option<Intrinsic> {
    if function.is_defined() {
        return None;
    }
    match known(&function.name, settings)? {
        Known::Copy => Some(Intrinsic::CopyMemory),
        Known::Move => Some(Intrinsic::MoveMemory),
        Known::Set => Some(Intrinsic::SetMemory),
        _ => None,
    }
}

/// The intrinsic, and its first argument as the result.
fn replaced(instruction: Instruction, names: &[Option<Intrinsic>]) -> Vec<Instruction> {
    let Operation::Call { callee: Callee::Function(function), arguments, .. } = &instruction.operation else {
        return vec![instruction];
    };
    let Some(intrinsic) =
        names[crate::ground::index::Index::index(*function)].filter(|_| arguments.len() == 3)
    else {
        return vec![instruction];
    };
    let arguments = arguments.clone();
    let (place, result) = (instruction.place, instruction.result);
    let first = Operation::Intrinsic { intrinsic: Intrinsic::First, arguments: arguments[..1].to_vec() };
    let act = Instruction { result: None, operation: Operation::Intrinsic { intrinsic, arguments }, place };
    let value = result.map(|_| Instruction { result, operation: first, place });
    std::iter::once(act).chain(value).collect()
}
