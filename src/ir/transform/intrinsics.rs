//! Functions that are intrinsics by another name: `memcpy`, `memmove`, `memset` without a body. Models of pthread are put in
//! place of their calls.

use crate::ir::{BlockId, Callee, Function, FunctionId, Instruction, Intrinsic, Module, Operation};
use std::collections::BTreeSet;

/// What is known of the library.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The intrinsic that a function without a body is.
    pub intrinsic: &'a dyn Fn(&str) -> Option<Intrinsic>,
    /// Files of models that are put in place of calls.
    pub inlined: &'a [&'a str],
    /// Those of them whose accesses to memory synchronise threads.
    pub synchronising: &'a [&'a str],
}

/// The module with models and small functions in place of their calls, and calls of functions that are intrinsics made such;
/// and the blocks that came from models whose accesses synchronise threads.
#[must_use]
pub fn normalised(module: &Module, known: Known<'_>) -> (Module, BTreeSet<(FunctionId, BlockId)>) {
    let mut module = module.clone();
    let of_models = super::inline::inline(&mut module, known);
    super::scan::replace_scans(&mut module);
    let of = |function: &Function| {
        Some(function).filter(|it| !it.is_defined()).and_then(|it| (known.intrinsic)(&it.name))
    };
    let names: Vec<Option<Intrinsic>> = module.functions.iter().map(of).collect();
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
