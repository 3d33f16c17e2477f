//! Whether the address of an object is needed as a value.
//!
//! It is not if every use of it, with or without a constant offset, is to access the object there and then. Such an
//! object is seen by no other activation, and it needs no address if it is held in plain variables.

use super::Origin;
use super::state::{Analysis, definitions};
use crate::ground::index::IndexVec;
use crate::ir::{Callee, Constant, Function, FunctionId, Intrinsic, Operand, Operation, Terminator, ValueId};
use std::collections::BTreeSet;

type Definitions<'m> = IndexVec<ValueId, Option<&'m Operation>>;

/// Objects whose addresses are needed.
pub(super) struct AddressUses {
    needed: BTreeSet<Origin>,
}

impl AddressUses {
    /// Looks at all reachable functions and at initialisers.
    pub fn new(analysis: &Analysis<'_>) -> Self {
        let mut uses = Self { needed: BTreeSet::new() };
        for (_, global) in analysis.module.globals.enumerate() {
            for (_, constant) in global.initialiser.iter().flat_map(|initialiser| &initialiser.addresses) {
                uses.need_constant(constant);
            }
        }
        for &id in &analysis.reachable {
            uses.function(analysis, id);
        }
        uses
    }

    /// Whether the address is needed as a value.
    pub fn is_needed(&self, origin: Origin) -> bool {
        self.needed.contains(&origin)
    }

    fn need_constant(&mut self, constant: &Constant) {
        let mut stack = vec![constant];
        while let Some(constant) = stack.pop() {
            match constant {
                Constant::Global(id, _) => {
                    self.needed.insert(Origin::Global(*id));
                }
                Constant::Aggregate(_, members) => stack.extend(members),
                _ => {}
            }
        }
    }

    fn function(&mut self, analysis: &Analysis<'_>, id: FunctionId) {
        let function = &analysis.module.functions[id];
        let definitions = definitions(function);
        let mut need = |operand: &Operand| match operand {
            Operand::Constant(constant) => self.need_constant(constant),
            Operand::Value(_) => self.needed.extend(base(id, function, operand, &definitions)),
        };
        for block in function.blocks.iter() {
            for instruction in &block.instructions {
                needed_operands(analysis, &instruction.operation, &mut need);
            }
            match &block.terminator {
                Terminator::Return(Some(value)) => need(value),
                Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => need(value),
                _ => {}
            }
        }
    }
}

/// The object whose address, plus something, an operand is.
fn base(
    id: FunctionId,
    function: &Function,
    operand: &Operand,
    definitions: &Definitions<'_>,
) -> Option<Origin> {
    let mut operand = operand;
    for _ in 0..=definitions.len() {
        let value = match operand {
            Operand::Value(value) => *value,
            Operand::Constant(Constant::Global(global, _)) => return Some(Origin::Global(*global)),
            Operand::Constant(_) => return None,
        };
        operand = match definitions[value] {
            Some(Operation::Allocate { .. }) => return Some(Origin::Local(id, value)),
            Some(Operation::Offset { base, .. }) => base,
            Some(Operation::Intrinsic { intrinsic: Intrinsic::ThreadLocalAddress, arguments }) => {
                &arguments.first()?.0
            }
            Some(_) => return None,
            None => {
                let mut parameters = function.parameters.iter();
                let number = parameters.position(|parameter| parameter.value == value)?;
                return function.parameters[number].copied.map(|_| Origin::Copy(id, number));
            }
        };
    }
    None
}

/// Calls back for operands that are more than the address of an access.
fn needed_operands(analysis: &Analysis<'_>, operation: &Operation, need: &mut dyn FnMut(&Operand)) {
    match operation {
        Operation::Load { .. } | Operation::Fence | Operation::Unsupported(_) => {}
        Operation::Store { value, .. } | Operation::AtomicUpdate { value, .. } => need(value),
        Operation::CompareExchange { expected, new, .. } => {
            need(expected);
            need(new);
        }
        // The base lives on in the result.
        Operation::Offset { terms, .. } => terms.iter().for_each(|(operand, _, _)| need(operand)),
        Operation::Binary { left, right, .. }
        | Operation::Compare { left, right, .. }
        | Operation::FloatBinary { left, right, .. }
        | Operation::FloatCompare { left, right, .. } => {
            need(left);
            need(right);
        }
        Operation::FloatNegate(value)
        | Operation::Cast { value, .. }
        | Operation::Allocate { count: value, .. }
        | Operation::Extract { aggregate: value, .. }
        | Operation::Freeze(value) => need(value),
        Operation::Select { condition, yes, no } => [condition, yes, no].into_iter().for_each(need),
        Operation::Phi(incoming) => incoming.iter().for_each(|(_, value)| need(value)),
        Operation::Insert { aggregate, value, .. } => {
            need(aggregate);
            need(value);
        }
        Operation::Call { callee, arguments, .. } => {
            if let Callee::Address(address) = callee {
                need(address);
            }
            for (number, (argument, _)) in arguments.iter().enumerate() {
                if !is_copied(analysis, callee, number) {
                    need(argument);
                }
            }
        }
        Operation::Intrinsic { intrinsic, arguments } => {
            if !only_accesses(*intrinsic) {
                arguments.iter().for_each(|(argument, _)| need(argument));
            }
        }
    }
}

/// Whether the callee gets a copy of what the argument points to.
fn is_copied(analysis: &Analysis<'_>, callee: &Callee, argument: usize) -> bool {
    let Callee::Function(target) = callee else { return false };
    let function = &analysis.module.functions[*target];
    function.is_defined()
        && function.parameters.get(argument).is_some_and(|parameter| parameter.copied.is_some())
}

fn only_accesses(intrinsic: Intrinsic) -> bool {
    matches!(
        intrinsic,
        Intrinsic::CopyMemory
            | Intrinsic::MoveMemory
            | Intrinsic::SetMemory
            | Intrinsic::Nothing
            | Intrinsic::StartLife
            | Intrinsic::EndLife
            | Intrinsic::UnknownLife
            | Intrinsic::ThreadLocalAddress
            | Intrinsic::StartArguments
            | Intrinsic::EndArguments
            | Intrinsic::CopyArguments
            | Intrinsic::IsConstant
            | Intrinsic::ObjectSize
    )
}
