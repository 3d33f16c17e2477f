//! The operands of an operation.

use crate::ir::{Callee, Operand, Operation};

/// All operands of an operation, in order.
#[must_use]
pub fn operands(operation: &Operation) -> Vec<&Operand> {
    match operation {
        Operation::Binary { left, right, .. }
        | Operation::Compare { left, right, .. }
        | Operation::FloatBinary { left, right, .. }
        | Operation::FloatCompare { left, right, .. } => vec![left, right],
        Operation::FloatNegate(value) | Operation::Freeze(value) => vec![value],
        Operation::Cast { value, .. } => vec![value],
        Operation::Select { condition, yes, no } => vec![condition, yes, no],
        Operation::Phi(incoming) => incoming.iter().map(|(_, operand)| operand).collect(),
        Operation::Allocate { count, .. } => vec![count],
        Operation::Load { address, .. } => vec![address],
        Operation::Store { address, value, .. } => vec![address, value],
        Operation::Offset { base, terms, .. } => {
            std::iter::once(base).chain(terms.iter().map(|(operand, ..)| operand)).collect()
        }
        Operation::AtomicUpdate { address, value, .. } => vec![address, value],
        Operation::CompareExchange { address, expected, new, .. } => vec![address, expected, new],
        Operation::Extract { aggregate, .. } => vec![aggregate],
        Operation::Insert { aggregate, value, .. } => vec![aggregate, value],
        Operation::Call { callee, arguments, .. } => {
            let address = if let Callee::Address(operand) = callee { Some(operand) } else { None };
            address.into_iter().chain(arguments.iter().map(|(operand, _)| operand)).collect()
        }
        Operation::Intrinsic { arguments, .. } => arguments.iter().map(|(operand, _)| operand).collect(),
        Operation::Fence | Operation::Unsupported(_) => Vec::new(),
    }
}
