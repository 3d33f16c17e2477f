//! Local variables that can live in registers: scalars whose address is used for nothing but reading and writing all of
//! them. Unlike LLVM's `mem2reg`, nothing is assumed of a read before the first write: it reads a chosen value.

use super::operands::operands;
use super::pieces;
use crate::ground::index::IndexVec;
use crate::ir::{
    Constant, Function, Instruction, Intrinsic, Module, Operand, Operation, Terminator, Type, ValueId,
};

/// What was seen of a value so far.
#[derive(Clone, PartialEq, Debug)]
enum State {
    /// No candidate.
    No,
    /// A candidate of so many bytes that was not accessed yet.
    Untouched(u64),
    /// A candidate that is only accessed as this type.
    As(Type),
}

/// For each value whether it is a local variable that lives in a register, and its type.
#[must_use]
pub fn promote(module: &Module, function: &Function) -> IndexVec<ValueId, Option<Type>> {
    let mut states = IndexVec::filled(State::No, function.values.len());
    let entry = function.blocks.iter().next();
    for instruction in entry.into_iter().flat_map(|block| &block.instructions) {
        if let (Some(result), Some(size)) = (instruction.result, candidate(&instruction.operation)) {
            states[result] = State::Untouched(size);
        }
    }
    for block in function.blocks.iter() {
        block.instructions.iter().for_each(|instruction| visit(module, function, instruction, &mut states));
        visit_terminator(&block.terminator, &mut states);
    }
    let kept = |state: &State| if let State::As(ty) = state { Some(ty.clone()) } else { None };
    IndexVec::from_vec(states.iter().map(kept).collect())
}

fn candidate(operation: &Operation) -> Option<u64> {
    match operation {
        Operation::Allocate {
            size, count: Operand::Constant(Constant::Integer { value: 1, .. }), ..
        } => Some(*size),
        _ => None,
    }
}

type States = IndexVec<ValueId, State>;

fn visit(module: &Module, function: &Function, instruction: &Instruction, states: &mut States) {
    match &instruction.operation {
        Operation::Load { address, .. } => {
            if let Some(result) = instruction.result {
                access(module, address, &function.values[result].ty, states);
            }
        }
        Operation::Store { address, value, ty, .. } => {
            access(module, address, ty, states);
            give_up(value, states);
        }
        Operation::Intrinsic {
            intrinsic: Intrinsic::Nothing | Intrinsic::StartLife | Intrinsic::EndLife | Intrinsic::UnknownLife,
            ..
        } => {}
        operation => operands(operation).into_iter().for_each(|operand| give_up(operand, states)),
    }
}

fn visit_terminator(terminator: &Terminator, states: &mut States) {
    match terminator {
        Terminator::Return(Some(operand))
        | Terminator::Branch { condition: operand, .. }
        | Terminator::Switch { value: operand, .. } => give_up(operand, states),
        _ => {}
    }
}

fn access(module: &Module, address: &Operand, ty: &Type, states: &mut States) {
    let Operand::Value(value) = address else { return };
    let fits =
        |size: u64| pieces(module, ty).is_some_and(|list| list.len() == 1) && module.size_of(ty) <= size;
    states[*value] = match std::mem::replace(&mut states[*value], State::No) {
        State::Untouched(size) if fits(size) => State::As(ty.clone()),
        State::As(before) if before == *ty => State::As(before),
        _ => State::No,
    };
}

fn give_up(operand: &Operand, states: &mut States) {
    if let Operand::Value(value) = operand {
        states[*value] = State::No;
    }
}
