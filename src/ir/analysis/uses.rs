//! Where the values of a function are used: what must be kept behind a cut.

use crate::ground::index::IndexVec;
use crate::ir::{BlockId, Callee, Function, Operand, Operation, Terminator, ValueId};

/// Where a value is used.
#[derive(Clone, Copy, Default, Debug)]
pub struct Use {
    /// How often.
    pub count: usize,
    /// In another block than the one that defines it.
    pub elsewhere: bool,
    /// The number of the last instruction of its own block that uses it; the end of the block comes after all.
    pub last: usize,
}

/// The number of the end of a block.
pub const END: usize = usize::MAX;

/// All uses in a function.
pub fn uses(function: &Function) -> IndexVec<ValueId, Use> {
    let mut collector = Collector {
        uses: IndexVec::filled(Use::default(), function.values.len()),
        home: IndexVec::filled(None, function.values.len()),
    };
    for (id, block) in function.blocks.enumerate() {
        block.instructions.iter().filter_map(|i| i.result).for_each(|value| collector.home[value] = Some(id));
    }
    for (id, block) in function.blocks.enumerate() {
        for (number, instruction) in block.instructions.iter().enumerate() {
            match &instruction.operation {
                Operation::Phi(incoming) => {
                    incoming.iter().for_each(|(from, o)| collector.operand(o, *from, END))
                }
                operation => operands(operation).into_iter().for_each(|o| collector.operand(o, id, number)),
            }
        }
        terminator_operand(&block.terminator).into_iter().for_each(|o| collector.operand(o, id, END));
    }
    collector.uses
}

struct Collector {
    uses: IndexVec<ValueId, Use>,
    home: IndexVec<ValueId, Option<BlockId>>,
}

impl Collector {
    fn operand(&mut self, operand: &Operand, block: BlockId, number: usize) {
        let Operand::Value(value) = *operand else { return };
        let entry = &mut self.uses[value];
        entry.count += 1;
        match self.home[value] {
            Some(home) if home == block => entry.last = entry.last.max(number),
            _ => entry.elsewhere = true,
        }
    }
}

fn terminator_operand(terminator: &Terminator) -> Option<&Operand> {
    match terminator {
        Terminator::Return(operand) => operand.as_ref(),
        Terminator::Branch { condition, .. } => Some(condition),
        Terminator::Switch { value, .. } => Some(value),
        Terminator::Jump(_) | Terminator::Unreachable | Terminator::Unsupported(_) => None,
    }
}

/// The operands of an operation.
pub fn operands(operation: &Operation) -> Vec<&Operand> {
    use Operation as O;
    match operation {
        O::Binary { left, right, .. }
        | O::Compare { left, right, .. }
        | O::FloatBinary { left, right, .. }
        | O::FloatCompare { left, right, .. } => vec![left, right],
        O::FloatNegate(value) | O::Cast { value, .. } | O::Freeze(value) => vec![value],
        O::Select { condition, yes, no } => vec![condition, yes, no],
        O::Phi(incoming) => incoming.iter().map(|(_, operand)| operand).collect(),
        O::Allocate { count, .. } => vec![count],
        O::Load { address, .. } => vec![address],
        O::Store { address, value, .. } | O::AtomicUpdate { address, value, .. } => vec![address, value],
        O::Offset { base, terms, .. } => std::iter::once(base).chain(terms.iter().map(|(o, ..)| o)).collect(),
        O::CompareExchange { address, expected, new, .. } => vec![address, expected, new],
        O::Extract { aggregate, .. } => vec![aggregate],
        O::Insert { aggregate, value, .. } => vec![aggregate, value],
        O::Call { callee, arguments, .. } => {
            let address = if let Callee::Address(address) = callee { Some(address) } else { None };
            address.into_iter().chain(arguments.iter().map(|(o, _)| o)).collect()
        }
        O::Intrinsic { arguments, .. } => arguments.iter().map(|(o, _)| o).collect(),
        O::Fence | O::Unsupported(_) => Vec::new(),
    }
}
