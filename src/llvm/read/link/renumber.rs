//! The numbers of one translation unit, and what they become in the linked program.

use crate::ground::index::{Index, IndexVec};
use crate::ir::debug::{DebugType, DebugTypeId, FileId, Place, Variable};
use crate::ir::operands::operands;
use crate::ir::{
    Callee, Constant, Function, FunctionId, Global, GlobalId, Instruction, Module, Operand, Operation,
    Terminator,
};

/// New numbers of a unit's files, types, functions and variables. A function or variable may become any constant
/// address: that is what an alias is.
#[derive(Default)]
pub(super) struct Renumber {
    pub files: IndexVec<FileId, FileId>,
    pub types: usize,
    pub functions: IndexVec<FunctionId, Constant>,
    pub globals: IndexVec<GlobalId, Constant>,
    /// The places that declarations entered before they turned out to be aliases.
    pub replaced: Vec<(Constant, Constant)>,
}

impl Renumber {
    /// Lets every use of one address become another one.
    pub fn replace(&mut self, old: &Constant, new: &Constant) {
        self.replaced.push((old.clone(), new.clone()));
    }

    /// The places of the functions, in order.
    pub fn entered_functions(&self) -> Vec<FunctionId> {
        let id = |constant: &Constant| match constant {
            Constant::Function(id) => Some(*id),
            _ => None,
        };
        self.functions.iter().filter_map(id).collect()
    }

    /// The places of the variables, in order.
    pub fn entered_globals(&self) -> Vec<GlobalId> {
        let id = |constant: &Constant| match constant {
            Constant::Global(id, _) => Some(*id),
            _ => None,
        };
        self.globals.iter().filter_map(id).collect()
    }

    /// A unit with its new numbers.
    pub fn module(&self, mut module: Module) -> Module {
        module.functions.iter_mut().for_each(|function| self.function(function));
        module.globals.iter_mut().for_each(|global| self.global(global));
        module.types.iter_mut().for_each(|ty| self.debug_type(ty));
        module
    }

    fn global(&self, global: &mut Global) {
        global.variable.iter_mut().for_each(|variable| self.variable(variable));
        for (_, address) in global.initialiser.iter_mut().flat_map(|initialiser| &mut initialiser.addresses) {
            *address = self.constant(std::mem::replace(address, Constant::Null));
        }
    }

    fn function(&self, function: &mut Function) {
        function.variable.iter_mut().for_each(|variable| self.variable(variable));
        function.place.iter_mut().for_each(|place| self.place(place));
        for value in function.values.iter_mut() {
            value.variable.iter_mut().for_each(|variable| self.variable(variable));
        }
        for block in function.blocks.iter_mut() {
            block.place.iter_mut().for_each(|place| self.place(place));
            block.instructions.iter_mut().for_each(|instruction| self.instruction(instruction));
            match &mut block.terminator {
                Terminator::Return(Some(value))
                | Terminator::Branch { condition: value, .. }
                | Terminator::Switch { value, .. } => self.operand(value),
                _ => {}
            }
        }
    }

    fn place(&self, place: &mut Place) {
        place.file = self.files[place.file];
    }

    fn variable(&self, variable: &mut Variable) {
        variable.place.iter_mut().for_each(|place| self.place(place));
        variable.ty.iter_mut().for_each(|ty| self.ty(ty));
    }

    fn ty(&self, ty: &mut DebugTypeId) {
        *ty = DebugTypeId::new(ty.index() + self.types);
    }

    fn debug_type(&self, ty: &mut DebugType) {
        match ty {
            DebugType::Pointer(of)
            | DebugType::Alias { of, .. }
            | DebugType::Qualified { of, .. }
            | DebugType::Array { element: of, .. } => of.iter_mut().for_each(|ty| self.ty(ty)),
            DebugType::Record { fields, .. } => {
                fields.iter_mut().filter_map(|field| field.ty.as_mut()).for_each(|ty| self.ty(ty));
            }
            _ => {}
        }
    }

    fn instruction(&self, instruction: &mut Instruction) {
        instruction.place.iter_mut().for_each(|place| self.place(place));
        operands(&mut instruction.operation).into_iter().for_each(|operand| self.operand(operand));
        // A call of an alias of a variable would be a call through its address; C cannot write one.
        if let Operation::Call { callee, .. } = &mut instruction.operation
            && let Callee::Function(id) = callee
        {
            *callee = match self.constant(Constant::Function(*id)) {
                Constant::Function(id) => Callee::Function(id),
                other => Callee::Address(Operand::Constant(other)),
            };
        }
    }

    fn operand(&self, operand: &mut Operand) {
        if let Operand::Constant(constant) = operand {
            *constant = self.constant(std::mem::replace(constant, Constant::Null));
        }
    }

    /// A constant with its new numbers. Constants nest as deep as types do.
    pub fn constant(&self, constant: Constant) -> Constant {
        match constant {
            Constant::Global(id, offset) => moved(self.current(&self.globals[id]), offset),
            Constant::Function(id) => self.current(&self.functions[id]),
            Constant::Aggregate(ty, members) => {
                Constant::Aggregate(ty, members.into_iter().map(|member| self.constant(member)).collect())
            }
            other => other,
        }
    }

    fn current(&self, constant: &Constant) -> Constant {
        let replaced = self.replaced.iter().find(|(old, _)| old == constant);
        replaced.map_or(constant, |(_, new)| new).clone()
    }
}

fn moved(address: Constant, by: i64) -> Constant {
    match address {
        Constant::Global(id, offset) => Constant::Global(id, offset.wrapping_add(by)),
        other => other,
    }
}
