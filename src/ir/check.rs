//! Well-formedness of a [`Module`]: what every reader of it may rely on.
//!
//! Ids exist; each value is defined once and its uses fit its type; phis come first and name exactly the blocks that lead
//! to theirs; the ends of blocks name blocks that exist. That definitions dominate uses is LLVM's verifier's business.
//! Calls may differ from the function they call: K&R C.

use super::{
    Block, BlockId, Callee, Constant, Function, Instruction, Intrinsic, Module, Operand, Operation,
    Terminator, Type, ValueId,
};
use crate::ground::index::{Index, IndexVec};
use std::collections::BTreeSet;

/// Checks a module.
///
/// # Errors
/// What is wrong, and where.
pub fn check(module: &Module) -> Result<(), String> {
    if !matches!(module.pointer_bytes, 4 | 8) {
        return Err(format!("pointers of {} bytes", module.pointer_bytes));
    }
    for global in module.globals.iter() {
        check_global(module, global).map_err(|what| format!("@{}: {what}", global.name))?;
    }
    check_names(module)?;
    for function in module.functions.iter() {
        let checker = Checker::new(module, function).map_err(|what| format!("@{}: {what}", function.name))?;
        checker.function().map_err(|what| format!("@{}: {what}", function.name))?;
    }
    Ok(())
}

fn check_names(module: &Module) -> Result<(), String> {
    let mut names = BTreeSet::new();
    let all = module.functions.iter().map(|f| &f.name).chain(module.globals.iter().map(|g| &g.name));
    for name in all {
        if !names.insert(name) {
            return Err(format!("@{name} occurs twice"));
        }
    }
    Ok(())
}

fn check_global(module: &Module, global: &super::Global) -> Result<(), String> {
    let Some(initialiser) = &global.initialiser else { return Ok(()) };
    let pointer = u64::from(module.pointer_bytes);
    let mut pieces: Vec<(u64, u64)> = initialiser.bytes.iter().map(|(at, b)| (*at, b.len() as u64)).collect();
    pieces.extend(initialiser.addresses.iter().map(|(at, _)| (*at, pointer)));
    pieces.sort_unstable();
    let mut end = 0;
    for (at, length) in pieces {
        if at < end || at + length > global.size {
            return Err(format!("{length} bytes at {at} overlap or lie outside"));
        }
        end = at + length;
    }
    initialiser.addresses.iter().try_for_each(|(_, address)| check_constant(module, address))
}

fn check_constant(module: &Module, constant: &Constant) -> Result<(), String> {
    let mut waiting = vec![constant];
    while let Some(constant) = waiting.pop() {
        let right = match constant {
            Constant::Integer { bits, value } => {
                (1..=128).contains(bits) && (*bits == 128 || value >> bits == 0)
            }
            Constant::Global(id, _) => id.index() < module.globals.len(),
            Constant::Function(id) => id.index() < module.functions.len(),
            Constant::Aggregate(ty, members) => {
                waiting.extend(members);
                matches!(ty, Type::Aggregate { members: types, .. } if types.len() == members.len())
            }
            _ => true,
        };
        if !right {
            return Err(format!("the constant {constant:?}"));
        }
    }
    Ok(())
}

/// The type of a constant.
#[must_use]
pub fn constant_type(constant: &Constant) -> Type {
    match constant {
        Constant::Integer { bits, .. } => Type::Integer(*bits),
        Constant::Float(_) => Type::Float,
        Constant::Double(_) => Type::Double,
        Constant::Null | Constant::Global(..) | Constant::Function(_) => Type::Pointer,
        Constant::Zero(ty)
        | Constant::Aggregate(ty, _)
        | Constant::Undefined(ty)
        | Constant::Poison(ty)
        | Constant::Unsupported(ty, _) => ty.clone(),
    }
}

struct Checker<'a> {
    module: &'a Module,
    function: &'a Function,
    predecessors: IndexVec<BlockId, BTreeSet<BlockId>>,
}

impl<'a> Checker<'a> {
    fn new(module: &'a Module, function: &'a Function) -> Result<Self, String> {
        let mut predecessors = IndexVec::filled(BTreeSet::new(), function.blocks.len());
        for (id, block) in function.blocks.enumerate() {
            for next in successors(&block.terminator) {
                if next.index() >= function.blocks.len() {
                    return Err(format!("{}: jumps to block {}", block.name, next.index()));
                }
                predecessors[next].insert(id);
            }
        }
        Ok(Self { module, function, predecessors })
    }

    fn function(&self) -> Result<(), String> {
        self.definitions()?;
        for (id, block) in self.function.blocks.enumerate() {
            self.block(id, block).map_err(|what| format!("block {} {}: {what}", id.index(), block.name))?;
        }
        Ok(())
    }

    /// Each value is a parameter or the result of one instruction.
    fn definitions(&self) -> Result<(), String> {
        let mut defined = BTreeSet::new();
        let parameters = self.function.parameters.iter().map(|parameter| parameter.value);
        let results = self.function.blocks.iter().flat_map(|b| &b.instructions).filter_map(|i| i.result);
        for id in parameters.chain(results) {
            if id.index() >= self.function.values.len() || !defined.insert(id) {
                return Err(format!("value {} is unknown or defined twice", id.index()));
            }
        }
        match self.function.values.ids().find(|id| !defined.contains(id)) {
            Some(id) => Err(format!("value {} is never defined", id.index())),
            None => Ok(()),
        }
    }

    fn block(&self, id: BlockId, block: &Block) -> Result<(), String> {
        let mut phis_end = false;
        for instruction in &block.instructions {
            let is_phi = matches!(instruction.operation, Operation::Phi(_));
            if is_phi && phis_end {
                return Err("a phi behind other instructions".to_owned());
            }
            phis_end |= !is_phi;
            self.instruction(id, instruction)
                .map_err(|what| format!("{what} in {:?}", instruction.operation))?;
        }
        self.terminator(&block.terminator)
    }

    fn instruction(&self, block: BlockId, instruction: &Instruction) -> Result<(), String> {
        let result = instruction.result.map_or(Type::Void, |id| self.function.values[id].ty.clone());
        self.fits(block, &instruction.operation, &result)
    }

    fn type_of(&self, operand: &Operand) -> Result<Type, String> {
        match operand {
            Operand::Value(id) => self.value_type(*id),
            Operand::Constant(constant) => {
                check_constant(self.module, constant)?;
                Ok(constant_type(constant))
            }
        }
    }

    fn value_type(&self, id: ValueId) -> Result<Type, String> {
        let value = self.function.values.get(id).ok_or_else(|| format!("value {} is unknown", id.index()))?;
        Ok(value.ty.clone())
    }

    fn is(&self, operand: &Operand, wanted: &Type) -> Result<(), String> {
        let found = self.type_of(operand)?;
        if found == *wanted { Ok(()) } else { Err(format!("{found} where {wanted} is due")) }
    }

    fn integer(&self, operand: &Operand) -> Result<Type, String> {
        match self.type_of(operand)? {
            ty @ Type::Integer(_) => Ok(ty),
            other => Err(format!("{other} where an integer is due")),
        }
    }

    fn fits(&self, block: BlockId, operation: &Operation, result: &Type) -> Result<(), String> {
        match operation {
            Operation::Binary { left, right, .. } => {
                self.is(left, result)?;
                self.is(right, result)?;
                self.integer(left).map(drop)
            }
            Operation::Compare { left, right, .. } => {
                let ty = self.type_of(left)?;
                self.is(right, &ty)?;
                wanted(result, &Type::Integer(1))
            }
            Operation::FloatBinary { left, right, .. } => {
                self.is(left, result)?;
                self.is(right, result)
            }
            Operation::FloatCompare { left, right, .. } => {
                let ty = self.type_of(left)?;
                self.is(right, &ty)?;
                wanted(result, &Type::Integer(1))
            }
            Operation::FloatNegate(value) | Operation::Freeze(value) => self.is(value, result),
            Operation::Cast { value, .. } => self.type_of(value).map(drop),
            Operation::Select { condition, yes, no } => {
                self.is(condition, &Type::Integer(1))?;
                self.is(yes, result)?;
                self.is(no, result)
            }
            Operation::Phi(incoming) => self.phi(block, incoming, result),
            Operation::Unsupported(_) | Operation::Fence => Ok(()),
            _ => self.memory(operation, result),
        }
    }

    fn memory(&self, operation: &Operation, result: &Type) -> Result<(), String> {
        match operation {
            Operation::Allocate { count, .. } => self.integer(count).map(drop),
            Operation::Load { address, .. } => self.is(address, &Type::Pointer),
            Operation::Store { address, value, ty, .. } => {
                self.is(address, &Type::Pointer)?;
                self.is(value, ty)
            }
            Operation::Offset { base, terms, .. } => {
                self.is(base, &Type::Pointer)?;
                terms.iter().try_for_each(|(value, bits, _)| self.is(value, &Type::Integer(*bits)))
            }
            Operation::AtomicUpdate { address, value, .. } => {
                self.is(address, &Type::Pointer)?;
                self.is(value, result)
            }
            Operation::CompareExchange { address, expected, new, ty, .. } => {
                self.is(address, &Type::Pointer)?;
                self.is(expected, ty)?;
                self.is(new, ty)
            }
            Operation::Extract { aggregate, ty, path } => {
                self.is(aggregate, ty)?;
                wanted(&member(ty, path)?, result)
            }
            Operation::Insert { aggregate, value, path } => {
                self.is(aggregate, result)?;
                self.is(value, &member(result, path)?)
            }
            Operation::Call { callee, arguments, copied } => {
                self.callee(callee)?;
                if !copied.is_empty() && copied.len() != arguments.len() {
                    return Err("sizes of copied arguments".to_owned());
                }
                self.arguments(arguments)
            }
            Operation::Intrinsic { intrinsic, arguments } => {
                if *intrinsic == Intrinsic::First && arguments.is_empty() {
                    return Err("an intrinsic without arguments".to_owned());
                }
                self.arguments(arguments)
            }
            _ => Ok(()),
        }
    }

    fn arguments(&self, arguments: &[(Operand, Type)]) -> Result<(), String> {
        arguments.iter().try_for_each(|(argument, ty)| self.is(argument, ty))
    }

    fn callee(&self, callee: &Callee) -> Result<(), String> {
        match callee {
            Callee::Function(id) if id.index() >= self.module.functions.len() => {
                Err("an unknown function".to_owned())
            }
            Callee::Address(address) => self.is(address, &Type::Pointer),
            _ => Ok(()),
        }
    }

    fn phi(&self, block: BlockId, incoming: &[(BlockId, Operand)], result: &Type) -> Result<(), String> {
        let from: BTreeSet<BlockId> = incoming.iter().map(|(from, _)| *from).collect();
        // Blocks that end in something unsupported do not tell where they lead.
        let opaque =
            |id: &BlockId| matches!(self.function.blocks[*id].terminator, Terminator::Unsupported(_));
        let known: BTreeSet<BlockId> = from.iter().copied().filter(|id| !opaque(id)).collect();
        if from.len() != incoming.len() || known != self.predecessors[block] {
            return Err("a phi that does not match the blocks before it".to_owned());
        }
        incoming.iter().try_for_each(|(_, value)| self.is(value, result))
    }

    fn terminator(&self, terminator: &Terminator) -> Result<(), String> {
        match terminator {
            Terminator::Return(Some(value)) => self.is(value, &self.function.result),
            Terminator::Return(None) => wanted(&self.function.result, &Type::Void),
            Terminator::Branch { condition, .. } => self.is(condition, &Type::Integer(1)),
            Terminator::Switch { value, bits, .. } => self.is(value, &Type::Integer(*bits)),
            _ => Ok(()),
        }
    }
}

fn wanted(found: &Type, wanted: &Type) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{found} where {wanted} is due")) }
}

/// The type of a member of a member of …
fn member(ty: &Type, path: &[u32]) -> Result<Type, String> {
    let mut ty = ty;
    for &number in path {
        ty = match ty {
            Type::Aggregate { members, .. } => members.get(number as usize).map(|(_, member)| member),
            _ => None,
        }
        .ok_or_else(|| format!("no member {number}"))?;
    }
    Ok(ty.clone())
}

/// Where a block leads.
#[must_use]
pub fn successors(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Jump(to) => vec![*to],
        Terminator::Branch { yes, no, .. } => vec![*yes, *no],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|(_, to)| *to).chain([*default]).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable | Terminator::Unsupported(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
