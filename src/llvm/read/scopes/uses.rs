//! Local variables, and where they are used.

use super::Position;
use crate::ground::index::IndexVec;
use crate::ir::operands::operands;
use crate::ir::{
    BlockId, Constant, Function, Instruction, Intrinsic, Operand, Operation, Terminator, Type, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// A local variable.
#[derive(Clone, Debug)]
pub(super) struct Local {
    /// The instruction behind its `alloca`.
    pub after: Position,
    /// Instructions that use its address, or one made of it.
    pub uses: BTreeSet<Position>,
    /// Those that write all of it, and do nothing else with it.
    pub writes: BTreeSet<Position>,
    /// Size in bytes.
    size: u64,
    /// Whether its address is used for more than accesses.
    pub escapes: bool,
    /// Whether the program says itself when it begins or ends.
    pub marked: bool,
}

/// The variables of a function that have a fixed size. Marks of anything else mark nothing: they are taken out.
pub(super) fn locals(function: &mut Function, pointer: u64) -> BTreeMap<ValueId, Local> {
    let mut locals = BTreeMap::new();
    let Some(entry) = function.blocks.iter().next() else { return locals };
    for (number, instruction) in entry.instructions.iter().enumerate() {
        if let (Some(value), Some(size)) = (instruction.result, size_of(&instruction.operation)) {
            let (after, none) = ((BlockId::FIRST, number + 1), BTreeSet::new());
            let local =
                Local { after, uses: none.clone(), writes: none, size, escapes: false, marked: false };
            locals.insert(value, local);
        }
    }
    let roots = roots(function, &locals);
    for block in function.blocks.ids() {
        for number in 0..function.blocks[block].instructions.len() {
            let instruction = &mut function.blocks[block].instructions[number];
            visit(instruction, (block, number), (&roots, pointer), &mut locals);
        }
        let content = &function.blocks[block];
        if let Terminator::Return(Some(Operand::Value(value))) = content.terminator
            && let Some(local) = roots[value].and_then(|root| locals.get_mut(&root))
        {
            local.uses.insert((block, content.instructions.len()));
            local.escapes = true;
        }
    }
    locals
}

/// The size of a variable, if it is fixed.
fn size_of(operation: &Operation) -> Option<u64> {
    match operation {
        Operation::Allocate { size, count, .. } => size.checked_mul(number(count)?),
        _ => None,
    }
}

fn number(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Constant(Constant::Integer { value, .. }) => u64::try_from(*value).ok(),
        _ => None,
    }
}

/// What an instruction writes: where, and how many bytes.
fn written(operation: &Operation, pointer: u64) -> Option<(ValueId, u64)> {
    let (to, bytes) = match operation {
        Operation::Store { address, ty, .. } => (address, size_of_type(ty, pointer)),
        Operation::Intrinsic {
            intrinsic: Intrinsic::SetMemory | Intrinsic::CopyMemory | Intrinsic::MoveMemory,
            arguments,
        } => (&arguments[0].0, number(&arguments[2].0)?),
        _ => return None,
    };
    match to {
        Operand::Value(value) => Some((*value, bytes)),
        Operand::Constant(_) => None,
    }
}

fn size_of_type(ty: &Type, pointer: u64) -> u64 {
    match ty {
        Type::Void => 0,
        Type::Integer(bits) => u64::from(bits.div_ceil(8)),
        Type::Pointer => pointer,
        Type::Float => 4,
        Type::Double => 8,
        Type::Aggregate { size, .. } | Type::Other { size, .. } => *size,
    }
}

/// The variable that an address is made of.
fn roots(function: &Function, locals: &BTreeMap<ValueId, Local>) -> IndexVec<ValueId, Option<ValueId>> {
    let mut roots = IndexVec::filled(None, function.values.len());
    locals.keys().for_each(|&value| roots[value] = Some(value));
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            if let (Some(result), Operation::Offset { base: Operand::Value(base), .. }) =
                (instruction.result, &instruction.operation)
                && roots[result] != roots[*base]
            {
                roots[result] = roots[*base];
                changed = true;
            }
        }
    }
    roots
}

fn visit(
    instruction: &mut Instruction,
    at: Position,
    (roots, pointer): (&IndexVec<ValueId, Option<ValueId>>, u64),
    locals: &mut BTreeMap<ValueId, Local>,
) {
    if let Operation::Intrinsic {
        intrinsic: intrinsic @ (Intrinsic::StartLife | Intrinsic::EndLife),
        arguments,
    } = &mut instruction.operation
    {
        let variable = arguments.first().and_then(|(operand, _)| match operand {
            Operand::Value(value) => locals.get_mut(value),
            Operand::Constant(_) => None,
        });
        match variable {
            Some(local) => local.marked = true,
            None => *intrinsic = Intrinsic::Nothing,
        }
        return;
    }
    let accesses = accesses(&instruction.operation);
    let written = written(&instruction.operation, pointer);
    let mut touched = Vec::new();
    for (number, operand) in operands(&mut instruction.operation).into_iter().enumerate() {
        let Operand::Value(value) = operand else { continue };
        if let Some(local) = roots[*value].and_then(|root| locals.get_mut(&root)) {
            local.uses.insert(at);
            local.escapes |= number >= accesses;
            touched.extend(roots[*value]);
        }
    }
    // What it also reads, or takes the address of, is touched twice.
    if let Some((value, bytes)) = written
        && touched.iter().filter(|&&root| root == value).count() == 1
        && let Some(local) = locals.get_mut(&value).filter(|local| bytes >= local.size)
    {
        local.writes.insert(at);
    }
}

/// How many of the first operands are addresses of accesses, or live on in another address.
fn accesses(operation: &Operation) -> usize {
    match operation {
        Operation::Load { .. }
        | Operation::Store { .. }
        | Operation::AtomicUpdate { .. }
        | Operation::CompareExchange { .. }
        | Operation::Offset { .. } => 1,
        Operation::Intrinsic { intrinsic, .. } => match intrinsic {
            Intrinsic::CopyMemory | Intrinsic::MoveMemory => 2,
            Intrinsic::SetMemory | Intrinsic::StartArguments | Intrinsic::EndArguments => 1,
            Intrinsic::CopyArguments => 2,
            Intrinsic::Nothing => usize::MAX,
            _ => 0,
        },
        _ => 0,
    }
}
