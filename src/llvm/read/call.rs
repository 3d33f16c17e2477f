//! Calls: of functions, through addresses, of intrinsics, and inline assembly.
//!
//! With opaque pointers a direct call may take and give other types than the definition (K&R C). It stays a direct call,
//! with the types of the call itself.

use super::constant::Folded;
use super::debug::Kind;
use super::function::Builder;
use super::intrinsic;
use super::shifts::{GUARD, HANDLER};
use crate::ir::{Callee, Constant, Intrinsic, Operand, Operation, Type};
use llvm_ir::instruction::Call;

/// Functions that come back twice, or elsewhere: no model of a function can say what they do.
const STRANGE: [&str; 13] = [
    "setjmp",
    "_setjmp",
    "__setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "getcontext",
    "setcontext",
    "swapcontext",
    "fork",
    "vfork",
];

impl Builder<'_, '_> {
    /// A call.
    pub fn call(&mut self, call: &Call) -> Operation {
        let callee = self.item.callee();
        if let Some((template, constraints)) = callee.assembly() {
            return self.finish_call(call, Callee::Assembly { template, constraints });
        }
        if callee.kind() == Kind::Function && callee.name().starts_with("llvm.") {
            return self.intrinsic_call(call, &callee.name());
        }
        if callee.kind() == Kind::Function && callee.name() == HANDLER {
            return Operation::Unsupported(GUARD.to_owned());
        }
        if callee.kind() == Kind::Function
            && callee.is_declaration()
            && STRANGE.contains(&callee.name().as_str())
        {
            return Operation::Unsupported(callee.name());
        }
        let through = match call.function.as_ref().right() {
            Some(llvm_ir::Operand::LocalOperand { name, .. }) => Operand::Value(self.value(name)),
            _ => match self.reader.constants.fold(callee) {
                Folded::Constant(Constant::Function(id)) => {
                    return self.finish_call(call, Callee::Function(id));
                }
                _ => self.constant(callee),
            },
        };
        self.finish_call(call, Callee::Address(through))
    }

    fn finish_call(&mut self, call: &Call, callee: Callee) -> Operation {
        let arguments = self.arguments(call);
        let (_, fixed, _) = self.item.called_type().signature();
        let assembly = matches!(callee, Callee::Assembly { .. });
        let mut copied: Vec<Option<u64>> = Vec::new();
        for number in 0..arguments.len() as u32 {
            let pointed_to = match number as usize >= fixed.len() {
                _ if assembly => self.item.in_memory(number),
                true => self.item.by_value(number),
                false => None,
            };
            copied.push(pointed_to.map(|ty| self.reader.constants.shapes.shape(ty).size));
        }
        if copied.iter().all(Option::is_none) {
            copied.clear();
        }
        Operation::Call { callee, arguments, copied }
    }

    fn arguments(&mut self, call: &Call) -> Vec<(Operand, Type)> {
        let mut all = Vec::new();
        for (number, (argument, _)) in (0u32..).zip(&call.arguments) {
            if !matches!(argument, llvm_ir::Operand::MetadataOperand) {
                all.push((self.operand(argument, number), self.operand_type(number)));
            }
        }
        all
    }

    fn intrinsic_call(&mut self, call: &Call, name: &str) -> Operation {
        let mut arguments = self.arguments(call);
        let result = self.reader.constants.type_of(self.item);
        match intrinsic::named(name) {
            // The size comes first, and says nothing.
            Some(intrinsic @ (Intrinsic::StartLife | Intrinsic::EndLife)) => {
                arguments.drain(..arguments.len().saturating_sub(1));
                Operation::Intrinsic { intrinsic, arguments }
            }
            Some(intrinsic) if intrinsic::is_modelled(intrinsic, &arguments, &result) => {
                Operation::Intrinsic { intrinsic, arguments }
            }
            _ => Operation::Unsupported(format!("the intrinsic {name}")),
        }
    }
}
