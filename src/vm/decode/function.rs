//! One function: registers, blocks, and the moves that phis stand for.

use super::promote::promote;
use super::{Pool, constant_slots, pieces, slot_count, type_of};
use crate::ground::index::{Index, IndexVec};
use crate::ir::{
    Block, BlockId, Constant, Function, FunctionId, Module, Operand, Operation, Place, Terminator, Type,
    ValueId, is_label,
};
use crate::vm::code::{Body, Code, FunctionCode, ParameterCode, Ref, Register, SwitchCode};
use crate::vm::{Settings, builtin};
use std::collections::BTreeSet;

/// Decodes one function. Positions in the code are numbers of labels until the end.
pub(super) struct FunctionDecoder<'a> {
    pub module: &'a Module,
    pub function: &'a Function,
    settings: &'a Settings,
    pool: &'a mut Pool,
    registers: IndexVec<ValueId, Register>,
    /// Local variables that live in the register of their address.
    pub promoted: IndexVec<ValueId, Option<Type>>,
    next: Register,
    code: Vec<Code>,
    places: Vec<Option<Place>>,
    /// Which instructions are atomic.
    atomics: BTreeSet<usize>,
    /// The position of each label; the first ones are the blocks.
    labels: Vec<u32>,
}

impl<'a> FunctionDecoder<'a> {
    pub(super) fn decode(
        module: &'a Module,
        settings: &'a Settings,
        pool: &'a mut Pool,
        id: FunctionId,
    ) -> FunctionCode {
        let function = &module.functions[id];
        let mut decoder = Self {
            module,
            function,
            settings,
            pool,
            registers: IndexVec::filled(0, function.values.len()),
            promoted: promote(module, function),
            next: 0,
            code: Vec::new(),
            places: Vec::new(),
            atomics: BTreeSet::new(),
            labels: vec![0; function.blocks.len()],
        };
        decoder.number_values();
        function.blocks.enumerate().for_each(|(id, block)| decoder.block(id, block));
        decoder.resolve();
        decoder.finish()
    }

    /// Parameters get the first registers, in order.
    fn number_values(&mut self) {
        let parameters: Vec<ValueId> = self.function.parameters.iter().map(|p| p.value).collect();
        parameters.iter().for_each(|&value| self.number(value));
        for value in self.function.values.ids().filter(|value| !parameters.contains(value)) {
            self.number(value);
        }
    }

    fn number(&mut self, value: ValueId) {
        self.registers[value] = self.next;
        self.next += slot_count(self.module, &self.function.values[value].ty);
    }

    fn finish(self) -> FunctionCode {
        let function = self.function;
        let parameter = |parameter: &crate::ir::Parameter| ParameterCode {
            slots: slot_count(self.module, &function.values[parameter.value].ty),
            copied: parameter.copied,
        };
        let parameters: Box<[ParameterCode]> = function.parameters.iter().map(parameter).collect();
        let locals = self.promoted.enumerate().filter(|(_, ty)| ty.is_some());
        FunctionCode {
            body: body(self.module, function, self.settings),
            parameter_slots: parameters.iter().map(|parameter| parameter.slots).sum(),
            parameters,
            locals: locals.map(|(value, _)| (self.registers[value], value)).collect(),
            code: self.code,
            places: self.places,
            atomics: self.atomics,
            registers: self.next,
            variadic: function.variadic,
            atomic: function.name.starts_with("__VERIFIER_atomic_"),
        }
    }

    /// Whether the next instruction is atomic.
    pub(super) fn note_atomic(&mut self, atomic: bool) {
        if atomic {
            self.atomics.insert(self.code.len());
        }
    }

    pub(super) fn emit(&mut self, place: Option<Place>, code: Code) {
        self.code.push(code);
        self.places.push(place);
    }

    /// Registers for ourselves.
    pub(super) fn temporary(&mut self, slots: u32) -> Register {
        self.next += slots;
        self.next - slots
    }

    pub(super) fn register(&self, value: ValueId) -> Register {
        self.registers[value]
    }

    /// An operand; what is not modelled is named.
    pub(super) fn operand(&mut self, operand: &Operand) -> Result<Ref, String> {
        match operand {
            Operand::Value(value) => Ok(Ref(self.registers[*value])),
            Operand::Constant(constant) => self.constant(constant),
        }
    }

    pub(super) fn constant(&mut self, constant: &Constant) -> Result<Ref, String> {
        Ok(self.pool.add(constant_slots(self.module, constant)?))
    }

    pub(super) fn operand_type(&self, operand: &Operand) -> Type {
        match operand {
            Operand::Value(value) => self.function.values[*value].ty.clone(),
            Operand::Constant(constant) => type_of(constant),
        }
    }

    fn block(&mut self, id: BlockId, block: &Block) {
        self.labels[id.index()] = self.code.len() as u32;
        let label = self.settings.error_labels.iter().find(|label| is_label(&block.name, label));
        if let Some(label) = label {
            self.emit(block.start(), Code::ErrorLabel(label.as_str().into()));
        }
        for instruction in &block.instructions {
            if let Err(text) = self.instruction(instruction) {
                self.emit(instruction.place, Code::Unsupported(text.into()));
            }
        }
        if let Err(text) = self.terminator(id, block) {
            self.emit(block.place, Code::Unsupported(text.into()));
        }
    }

    fn terminator(&mut self, from: BlockId, block: &Block) -> Result<(), String> {
        let code = match &block.terminator {
            Terminator::Return(None) => Code::Return { value: Ref(0), slots: 0 },
            Terminator::Return(Some(value)) => {
                let slots = self.pieces_of(&self.operand_type(value))?.len() as u32;
                Code::Return { value: self.operand(value)?, slots }
            }
            Terminator::Unreachable => Code::Unreachable,
            Terminator::Unsupported(text) => return Err(text.clone()),
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => {
                return self.jumps(from, block);
            }
        };
        self.emit(block.place, code);
        Ok(())
    }

    /// Ends a block with jumps; edges to blocks with phis go through moves that are appended behind it.
    fn jumps(&mut self, from: BlockId, block: &Block) -> Result<(), String> {
        let mut stubs = Vec::new();
        let code = match &block.terminator {
            Terminator::Branch { condition, yes, no } => {
                let condition = self.operand(condition)?;
                Code::Branch { condition, yes: self.edge(*yes, &mut stubs), no: self.edge(*no, &mut stubs) }
            }
            Terminator::Switch { value, bits, cases, default } => {
                if *bits > 64 {
                    return Err("a switch over more than 64 bits".into());
                }
                let value = self.operand(value)?;
                let mut table: Vec<(u64, u32)> =
                    cases.iter().map(|(case, to)| (*case as u64, self.edge(*to, &mut stubs))).collect();
                table.sort_unstable();
                let default = self.edge(*default, &mut stubs);
                Code::Switch(Box::new(SwitchCode { value, bits: *bits as u8, cases: table.into(), default }))
            }
            Terminator::Jump(to) => Code::Jump(self.edge(*to, &mut stubs)),
            _ => return Ok(()),
        };
        self.emit(block.place, code);
        stubs.into_iter().for_each(|(label, to)| self.stub(label, from, to, block.place));
        Ok(())
    }

    fn has_phis(&self, block: BlockId) -> bool {
        matches!(self.function.blocks[block].instructions.first(), Some(i) if matches!(i.operation, Operation::Phi(_)))
    }

    fn edge(&mut self, to: BlockId, stubs: &mut Vec<(u32, BlockId)>) -> u32 {
        if !self.has_phis(to) {
            return to.index() as u32;
        }
        let label = self.labels.len() as u32;
        self.labels.push(0);
        stubs.push((label, to));
        label
    }

    fn stub(&mut self, label: u32, from: BlockId, to: BlockId, place: Option<Place>) {
        self.labels[label as usize] = self.code.len() as u32;
        match self.phi_moves(from, to) {
            Ok(moves) => moves.into_iter().for_each(|code| self.emit(place, code)),
            Err(text) => self.emit(place, Code::Unsupported(text.into())),
        }
        self.emit(place, Code::Jump(to.index() as u32));
    }

    /// All phis at once: through temporaries if there are several.
    fn phi_moves(&mut self, from: BlockId, to: BlockId) -> Result<Vec<Code>, String> {
        let function = self.function;
        let mut moves = Vec::new();
        for instruction in &function.blocks[to].instructions {
            let (Operation::Phi(incoming), Some(result)) = (&instruction.operation, instruction.result)
            else {
                break;
            };
            let operand = incoming.iter().find(|(block, _)| *block == from).map(|(_, operand)| operand);
            let operand = operand.ok_or("a phi without a value for this edge")?;
            let slots = self.pieces_of(&function.values[result].ty)?.len() as u32;
            moves.push((self.operand(operand)?, self.register(result), slots));
        }
        if let [(from, into, slots)] = moves[..] {
            return Ok(vec![Code::Move { from, into, slots }]);
        }
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (from, into, slots) in moves {
            let temporary = self.temporary(slots);
            first.push(Code::Move { from, into: temporary, slots });
            second.push(Code::Move { from: Ref(temporary), into, slots });
        }
        first.append(&mut second);
        Ok(first)
    }

    pub(super) fn pieces_of(&self, ty: &Type) -> Result<Vec<crate::vm::code::Piece>, String> {
        let name =
            || if let Type::Other { name, .. } = ty { name.clone() } else { "a large aggregate".into() };
        pieces(self.module, ty).ok_or_else(|| format!("a value of type {}", name()))
    }

    /// Labels become positions.
    fn resolve(&mut self) {
        let labels = &self.labels;
        let at = |label: &mut u32| *label = labels[*label as usize];
        for code in &mut self.code {
            match code {
                Code::Jump(to) => at(to),
                Code::Branch { yes, no, .. } => [yes, no].into_iter().for_each(at),
                Code::Switch(switch) => {
                    switch.cases.iter_mut().for_each(|(_, to)| at(to));
                    at(&mut switch.default);
                }
                _ => {}
            }
        }
    }
}

fn body(module: &Module, function: &Function, settings: &Settings) -> Body {
    if settings.error_functions.contains(&function.name) {
        Body::Error
    } else if let Some(own) = builtin::find_own(&function.name).filter(|_| is_open(module, function)) {
        Body::Builtin(own)
    } else if function.is_defined() {
        Body::Code
    } else {
        builtin::find(&function.name).map_or(Body::Undefined, Body::Builtin)
    }
}

/// Whether the body is a model that leaves open what the machine knows: who holds a lock, what a format makes.
fn is_open(module: &Module, function: &Function) -> bool {
    matches!(
        module.model_file(function),
        Some("pthread.c" | "mutex.c" | "owner.c" | "stdio.c" | "time.c" | "errno.c")
    )
}
