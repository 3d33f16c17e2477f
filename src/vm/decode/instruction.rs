//! One instruction.

use super::function::FunctionDecoder;
use crate::ir::{Callee, Cast, Instruction, Intrinsic, Operand, Operation, Type, ValueId};
use crate::vm::code::{
    ArgumentCode, CallCode, CalleeCode, Code, ExchangeCode, IntrinsicCode, Piece, Precision, Ref, Register,
};

type Decoded = Result<(), String>;

impl FunctionDecoder<'_> {
    /// Appends the code of an instruction.
    ///
    /// # Errors
    /// What is not modelled, by name.
    pub(super) fn instruction(&mut self, instruction: &Instruction) -> Decoded {
        let place = instruction.place;
        let into = instruction.result.map_or(0, |value| self.register(value));
        let code = match &instruction.operation {
            Operation::Phi(_) | Operation::Fence => return Ok(()),
            Operation::Insert { aggregate, value, path } => {
                return self.insert(instruction, aggregate, value, path);
            }
            Operation::Extract { aggregate, ty, path } => self.extract(aggregate, ty, path, into)?,
            Operation::Allocate { size, count, align, .. } => {
                let Some(value) = instruction.result else { return Ok(()) };
                self.allocate(value, *size, count, *align)?
            }
            Operation::Load { address, atomic, .. } => {
                self.note_atomic(*atomic);
                self.load(instruction, address, into)?
            }
            Operation::Store { address, value, ty, atomic, .. } => {
                self.note_atomic(*atomic);
                self.store(address, value, ty)?
            }
            Operation::Offset { base, constant, terms, .. } => self.offset(base, *constant, terms, into)?,
            Operation::Call { callee, arguments, copied } => {
                self.call(instruction, callee, arguments, copied)?
            }
            Operation::Intrinsic { intrinsic: Intrinsic::Nothing | Intrinsic::UnknownLife, .. } => {
                return Ok(());
            }
            Operation::Intrinsic {
                intrinsic: intrinsic @ (Intrinsic::StartLife | Intrinsic::EndLife),
                arguments,
            } => match self.life(*intrinsic, arguments) {
                Some(code) => code,
                None => return Ok(()),
            },
            Operation::Intrinsic { intrinsic, arguments } => {
                self.intrinsic(instruction, *intrinsic, arguments)?
            }
            Operation::Freeze(value) => return self.freeze(instruction, value),
            Operation::AtomicUpdate { .. } | Operation::CompareExchange { .. } => {
                self.note_atomic(true);
                self.atomic(&instruction.operation, into)?
            }
            Operation::Unsupported(text) => return Err(text.clone()),
            operation => self.computation(instruction, operation, into)?,
        };
        self.emit(place, code);
        Ok(())
    }

    fn computation(
        &mut self,
        instruction: &Instruction,
        operation: &Operation,
        into: Register,
    ) -> Result<Code, String> {
        Ok(match operation {
            Operation::Binary { operator, left, right, wrap } => {
                let bits = self.width(left)?;
                let (operator, wrap, left, right) =
                    (*operator, *wrap, self.operand(left)?, self.operand(right)?);
                if bits > 64 {
                    Code::WideBinary { operator, wrap, bits, into, left, right }
                } else {
                    Code::Binary { operator, wrap, bits, into, left, right }
                }
            }
            Operation::Compare { comparison, left, right } => {
                let bits = self.width(left)?;
                let (comparison, left, right) = (*comparison, self.operand(left)?, self.operand(right)?);
                if bits > 64 {
                    Code::WideCompare { comparison, bits, into, left, right }
                } else {
                    Code::Compare { comparison, bits, into, left, right }
                }
            }
            Operation::FloatBinary { operator, left, right } => {
                let precision = self.precision(left)?;
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                Code::FloatBinary { operator: *operator, precision, into, left, right }
            }
            Operation::FloatCompare { comparison, left, right } => {
                let precision = self.precision(left)?;
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                Code::FloatCompare { comparison: *comparison, precision, into, left, right }
            }
            Operation::FloatNegate(value) => {
                Code::FloatNegate { precision: self.precision(value)?, into, value: self.operand(value)? }
            }
            Operation::Cast { cast, value } => self.cast(instruction, *cast, value, into)?,
            Operation::Select { condition, yes, no } => {
                let slots = self.pieces_of(&self.operand_type(yes))?.len() as u32;
                let (condition, yes, no) = (self.operand(condition)?, self.operand(yes)?, self.operand(no)?);
                Code::Select { condition, yes, no, into, slots }
            }
            _ => return Err("an instruction of unknown kind".into()),
        })
    }

    /// The width of a scalar in bits, up to 128.
    fn width(&self, operand: &Operand) -> Result<u8, String> {
        self.width_of(&self.operand_type(operand))
    }

    fn width_of(&self, ty: &Type) -> Result<u8, String> {
        match ty {
            Type::Integer(bits @ 1..=128) => Ok(*bits as u8),
            Type::Pointer => Ok(self.module.pointer_bits() as u8),
            Type::Float => Ok(32),
            Type::Double => Ok(64),
            Type::Other { name, .. } => Err(format!("a value of type {name}")),
            _ => Err("a scalar operation on an aggregate".into()),
        }
    }

    fn precision(&self, operand: &Operand) -> Result<Precision, String> {
        match self.operand_type(operand) {
            Type::Float => Ok(Precision::Single),
            Type::Double => Ok(Precision::Double),
            Type::Other { name, .. } => Err(format!("a value of type {name}")),
            _ => Err("arithmetic on floating-point numbers of this type".into()),
        }
    }

    fn result_type(&self, instruction: &Instruction) -> Type {
        instruction.result.map_or(Type::Void, |value| self.function.values[value].ty.clone())
    }

    fn cast(
        &mut self,
        instruction: &Instruction,
        cast: Cast,
        value: &Operand,
        into: Register,
    ) -> Result<Code, String> {
        let (from, to) = (self.width(value)?, self.width_of(&self.result_type(instruction))?);
        let value = self.operand(value)?;
        Ok(if from > 64 || to > 64 {
            Code::WideCast { cast, from, to, into, value }
        } else {
            Code::Cast { cast, from, to, into, value }
        })
    }

    fn allocate(&mut self, value: ValueId, size: u64, count: &Operand, align: u64) -> Result<Code, String> {
        let into = self.register(value);
        if self.promoted[value].is_some() {
            return Ok(Code::FreshLocal { local: into });
        }
        let count_bits = self.width(count)?;
        let count = self.operand(count)?;
        let align = u32::try_from(align).map_err(|_| "a local variable of huge alignment")?;
        Ok(Code::Allocate { value, size, count, count_bits, align, into })
    }

    /// A local variable begins or ends. If it lives in a register, nobody has its address.
    fn life(&self, intrinsic: Intrinsic, arguments: &[(Operand, Type)]) -> Option<Code> {
        let (Operand::Value(value), _) = arguments.first()? else { return None };
        let local = self.register(*value);
        match (intrinsic, self.promoted[*value].is_some()) {
            (Intrinsic::StartLife, promoted) => {
                // Nobody asks for what is written first.
                Some(Code::StartLocal { local, promoted, read: arguments.len() == 1 })
            }
            (_, true) => None,
            (_, false) => Some(Code::EndLocal { local }),
        }
    }

    /// The register of a local variable that lives in one.
    fn local(&self, address: &Operand) -> Option<Register> {
        match address {
            Operand::Value(value) if self.promoted[*value].is_some() => Some(self.register(*value)),
            _ => None,
        }
    }

    fn load(&mut self, instruction: &Instruction, address: &Operand, into: Register) -> Result<Code, String> {
        let pieces = self.pieces_of(&self.result_type(instruction))?;
        if let Some(local) = self.local(address) {
            return Ok(Code::LoadLocal { local, into, bits: pieces[0].bits });
        }
        let address = self.operand(address)?;
        Ok(match pieces[..] {
            [Piece { offset: 0, bytes, bits }] => Code::Load { address, into, bytes, bits },
            _ => Code::LoadPieces { address, into, pieces: pieces.into() },
        })
    }

    fn store(&mut self, address: &Operand, value: &Operand, ty: &Type) -> Result<Code, String> {
        let pieces = self.pieces_of(ty)?;
        let value = self.operand(value)?;
        if let Some(local) = self.local(address) {
            return Ok(Code::StoreLocal { local, value, bits: pieces[0].bits });
        }
        let address = self.operand(address)?;
        Ok(match pieces[..] {
            [Piece { offset: 0, bytes, bits }] => Code::Store { address, value, bytes, bits },
            _ => Code::StorePieces { address, value, pieces: pieces.into() },
        })
    }

    fn offset(
        &mut self,
        base: &Operand,
        constant: i64,
        terms: &[(Operand, u32, i64)],
        into: Register,
    ) -> Result<Code, String> {
        let base = self.operand(base)?;
        let mut list = Vec::new();
        for (operand, bits, scale) in terms {
            // Only the low bits matter, and those are in the first slot.
            list.push((self.operand(operand)?, (*bits).min(64) as u8, *scale));
        }
        Ok(match list[..] {
            [] => Code::OffsetConstant { base, constant, into },
            [(term, bits, scale)] if constant == 0 => Code::OffsetOne { base, term, bits, scale, into },
            _ => Code::Offset { base, constant, terms: list.into(), into },
        })
    }

    /// Where a member's slots start within its aggregate's, and how many it has.
    fn member(&self, ty: &Type, path: &[u32]) -> Result<(u32, u32), String> {
        let (mut ty, mut start) = (ty, 0);
        for &step in path {
            let Type::Aggregate { members, .. } = ty else { return Err("a member of no aggregate".into()) };
            for (_, before) in &members[..step as usize] {
                start += self.pieces_of(before)?.len() as u32;
            }
            ty = &members[step as usize].1;
        }
        Ok((start, self.pieces_of(ty)?.len() as u32))
    }

    fn extract(
        &mut self,
        aggregate: &Operand,
        ty: &Type,
        path: &[u32],
        into: Register,
    ) -> Result<Code, String> {
        let (start, slots) = self.member(ty, path)?;
        Ok(Code::Move { from: self.operand(aggregate)?.plus(start), into, slots })
    }

    fn insert(
        &mut self,
        instruction: &Instruction,
        aggregate: &Operand,
        value: &Operand,
        path: &[u32],
    ) -> Decoded {
        let Some(result) = instruction.result else { return Ok(()) };
        let ty = self.result_type(instruction);
        let (start, slots) = self.member(&ty, path)?;
        let into = self.register(result);
        let all = self.pieces_of(&ty)?.len() as u32;
        let (from, value) = (self.operand(aggregate)?, self.operand(value)?);
        self.emit(instruction.place, Code::Move { from, into, slots: all });
        self.emit(instruction.place, Code::Move { from: value, into: into + start, slots });
        Ok(())
    }

    fn freeze(&mut self, instruction: &Instruction, value: &Operand) -> Decoded {
        let Some(result) = instruction.result else { return Ok(()) };
        let pieces = self.pieces_of(&self.result_type(instruction))?;
        let (from, into) = (self.operand(value)?, self.register(result));
        for (slot, piece) in (0..).zip(pieces) {
            let code = Code::Freeze { from: from.plus(slot), into: into + slot, bits: piece.bits };
            self.emit(instruction.place, code);
        }
        Ok(())
    }

    fn single(&self, ty: &Type) -> Result<Piece, String> {
        match self.pieces_of(ty)?[..] {
            [piece] => Ok(piece),
            _ => Err("an atomic access of more than 64 bits".into()),
        }
    }

    fn atomic(&mut self, operation: &Operation, into: Register) -> Result<Code, String> {
        match operation {
            Operation::AtomicUpdate { exchange, address, value } => {
                let piece = self.single(&self.operand_type(value))?;
                let (address, value) = (self.operand(address)?, self.operand(value)?);
                Ok(Code::AtomicUpdate { exchange: *exchange, address, value, piece, into })
            }
            Operation::CompareExchange { address, expected, new, ty, weak } => {
                let piece = self.single(ty)?;
                let (address, expected, new) =
                    (self.operand(address)?, self.operand(expected)?, self.operand(new)?);
                let code = ExchangeCode { address, expected, new, piece, weak: *weak, into };
                Ok(Code::CompareExchange(Box::new(code)))
            }
            _ => Err("an atomic operation of unknown kind".into()),
        }
    }

    fn call(
        &mut self,
        instruction: &Instruction,
        callee: &Callee,
        arguments: &[(Operand, Type)],
        copied: &[Option<u64>],
    ) -> Result<Code, String> {
        let callee = match callee {
            Callee::Function(id) => CalleeCode::Known(*id),
            Callee::Address(address) => CalleeCode::Address(self.operand(address)?),
            Callee::Assembly { template, .. } => return Err(format!("inline assembly `{template}`")),
        };
        let mut list = Vec::new();
        for (number, (operand, ty)) in arguments.iter().enumerate() {
            list.push(ArgumentCode {
                from: self.operand(operand)?,
                pieces: self.pieces_of(ty)?.into(),
                bytes: self.module.size_of(ty),
                copied: copied.get(number).copied().flatten(),
            });
        }
        let result = self.pieces_of(&self.result_type(instruction))?.into();
        let into = instruction.result.map_or(0, |value| self.register(value));
        Ok(Code::Call(Box::new(CallCode { callee, arguments: list.into(), into, result })))
    }

    fn intrinsic(
        &mut self,
        instruction: &Instruction,
        intrinsic: Intrinsic,
        arguments: &[(Operand, Type)],
    ) -> Result<Code, String> {
        let mut list: Vec<(Ref, u32)> = Vec::new();
        for (operand, ty) in arguments {
            list.push((self.operand(operand)?, u32::from(self.width_of(ty)?)));
        }
        let pieces = self.pieces_of(&self.result_type(instruction))?;
        let wide = list.iter().any(|(_, bits)| *bits > 64) || pieces.len() > 2;
        if wide {
            return Err(format!("{intrinsic:?} on more than 64 bits"));
        }
        let into = instruction.result.map_or(0, |value| self.register(value));
        let bits = pieces.first().map_or(0, |piece| u32::from(piece.bits));
        Ok(Code::Intrinsic(Box::new(IntrinsicCode { intrinsic, arguments: list.into(), into, bits })))
    }
}
