//! Functions that are not called after all.

use crate::ir::{Callee, Module, Operation};

/// Calls of a function without a result become nothing.
pub fn leave_out(module: &mut Module, name: &str) {
    let Some(left_out) = module.function(name) else { return };
    for function in module.functions.iter_mut() {
        for instruction in function.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
            let is_call = |operation: &Operation| matches!(operation, Operation::Call { callee: Callee::Function(callee), .. } if *callee == left_out);
            if instruction.result.is_none() && is_call(&instruction.operation) {
                instruction.operation = Operation::Fence;
            }
        }
    }
}
