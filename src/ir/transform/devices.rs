//! Registers of devices at fixed addresses: `*(volatile unsigned *)0xfee00010`.
//!
//! What a volatile access finds at an address that is a constant is no object of the program. Each read gives something else, and
//! a write changes nothing that the program could see but by such a read. So a read becomes an input of its width, and a write becomes
//! nothing, for model and machine alike. That the program's own objects lie elsewhere is an assumption, which the lowering notes
//! where the program calls [`REGISTER`]. Accesses through pointers that were kept in variables are left as they are, and so are all accesses where somebody asked for
//! faults: then an access to a number may be one.

use crate::ir::{Callee, Cast, Constant, Function, Module, Operand, Operation, Type, ValueId};
use rustc_hash::FxHashMap;

/// How the names of the inputs begin: they are inputs for model and machine.
pub const REGISTER: &str = "__VERIFIER_nondet_register_";

/// Below, an access is one through null.
const FIRST: u128 = 0x1000;

/// Replaces volatile accesses to constant addresses.
pub fn replace(module: &mut Module) {
    for id in module.functions.ids() {
        let fixed = fixed(&module.functions[id]);
        if fixed.is_empty() {
            continue;
        }
        let mut function = module.functions[id].clone();
        for block in function.blocks.ids() {
            for number in 0..function.blocks[block].instructions.len() {
                let instruction = &function.blocks[block].instructions[number];
                let ty = instruction.result.map(|value| function.values[value].ty.clone());
                if let Some(operation) = of_register(module, &instruction.operation, ty, &fixed) {
                    function.blocks[block].instructions[number].operation = operation;
                }
            }
        }
        module.functions[id] = function;
    }
}

/// What stands for an access, if it is one to a register.
fn of_register(
    module: &mut Module,
    operation: &Operation,
    ty: Option<Type>,
    fixed: &FxHashMap<ValueId, u128>,
) -> Option<Operation> {
    let is_fixed = |address: &Operand| number(address, fixed).is_some_and(|address| address >= FIRST);
    match operation {
        Operation::Load { address, volatile: true, .. } if is_fixed(address) => {
            let ty = ty.filter(|ty| matches!(ty, Type::Integer(..=64)))?;
            let Type::Integer(bits) = ty else { return None };
            let callee = Callee::Function(module.declare(&format!("{REGISTER}{bits}"), ty));
            Some(Operation::Call { callee, arguments: Vec::new(), copied: Vec::new() })
        }
        Operation::Store { address, volatile: true, .. } if is_fixed(address) => Some(Operation::Fence),
        _ => None,
    }
}

/// Addresses of a function that are constants.
fn fixed(function: &Function) -> FxHashMap<ValueId, u128> {
    let mut found = FxHashMap::default();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        let address = match &instruction.operation {
            Operation::Cast {
                cast: Cast::IntegerToPointer,
                value: Operand::Constant(Constant::Integer { value, .. }),
            } => Some(*value),
            Operation::Offset { base, constant, terms, .. } if terms.is_empty() => {
                number(base, &found).map(|base| base.wrapping_add_signed((*constant).into()))
            }
            _ => None,
        };
        found.extend(instruction.result.zip(address));
    }
    found
}

fn number(operand: &Operand, fixed: &FxHashMap<ValueId, u128>) -> Option<u128> {
    match operand {
        Operand::Value(value) => fixed.get(value).copied(),
        Operand::Constant(_) => None,
    }
}
