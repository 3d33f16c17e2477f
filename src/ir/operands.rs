//! What operations are applied to.

use super::{Callee, Operand, Operation};

/// The operands of an operation.
#[must_use]
pub fn operands(operation: &mut Operation) -> Vec<&mut Operand> {
    match operation {
        Operation::Binary { left, right, .. }
        | Operation::Compare { left, right, .. }
        | Operation::FloatBinary { left, right, .. }
        | Operation::FloatCompare { left, right, .. } => vec![left, right],
        Operation::FloatNegate(value) | Operation::Cast { value, .. } | Operation::Freeze(value) => {
            vec![value]
        }
        Operation::Select { condition, yes, no } => vec![condition, yes, no],
        Operation::Phi(incoming) => incoming.iter_mut().map(|(_, value)| value).collect(),
        Operation::Allocate { count, .. } => vec![count],
        Operation::Load { address, .. } => vec![address],
        Operation::Store { address, value, .. } | Operation::AtomicUpdate { address, value, .. } => {
            vec![address, value]
        }
        Operation::Offset { base, terms, .. } => {
            std::iter::once(base).chain(terms.iter_mut().map(|(value, ..)| value)).collect()
        }
        Operation::CompareExchange { address, expected, new, .. } => vec![address, expected, new],
        Operation::Extract { aggregate, .. } => vec![aggregate],
        Operation::Insert { aggregate, value, .. } => vec![aggregate, value],
        Operation::Call { callee, arguments, .. } => {
            let through = match callee {
                Callee::Address(address) => Some(address),
                Callee::Function(_) | Callee::Assembly { .. } => None,
            };
            through.into_iter().chain(arguments.iter_mut().map(|(argument, _)| argument)).collect()
        }
        Operation::Intrinsic { arguments, .. } => {
            arguments.iter_mut().map(|(argument, _)| argument).collect()
        }
        Operation::Fence | Operation::Unsupported(_) => Vec::new(),
    }
}
