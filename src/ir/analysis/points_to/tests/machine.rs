//! Runs `ir` on flat memory and on regions at once.

use super::shadow::Shadow;
use crate::ground::index::{Index, IndexVec};
use crate::ir::analysis::points_to::{Origin, PointsTo, Site};
use crate::ir::{
    BlockId, Constant, Function, FunctionId, GlobalId, Instruction, Module, Operand, Operation, Terminator,
    Type, ValueId,
};
use std::collections::BTreeMap;

/// Why a run ends early.
#[derive(Debug)]
pub enum Stop {
    /// Undefined behaviour.
    Fault(#[allow(dead_code, reason = "shown when a test fails")] &'static str),
    /// Enough.
    Limit,
    /// What the machine cannot do.
    Unsupported(String),
}

/// A value: a number, or the bytes of an aggregate.
#[derive(Clone, Debug)]
pub enum Value {
    Number(u128),
    Bytes(Vec<u8>),
}

/// An object in flat memory.
pub struct Object {
    pub origin: Origin,
    pub bytes: Vec<u8>,
}

/// The machine.
pub struct Machine<'m> {
    pub module: &'m Module,
    pub points_to: &'m PointsTo,
    pub objects: BTreeMap<u64, Object>,
    pub shadow: Shadow<'m>,
    globals: IndexVec<GlobalId, u64>,
    next: u64,
    seed: u64,
    steps: usize,
    depth: usize,
    /// How many values were read and compared.
    pub compared: usize,
}

/// What is known in an activation.
pub struct Frame {
    pub function: FunctionId,
    pub values: BTreeMap<ValueId, Value>,
    locals: Vec<u64>,
}

impl<'m> Machine<'m> {
    pub fn new(module: &'m Module, points_to: &'m PointsTo, seed: u64) -> Self {
        let mut machine = Self {
            module,
            points_to,
            objects: BTreeMap::new(),
            shadow: Shadow::new(points_to),
            globals: IndexVec::new(),
            next: 0x10_0000,
            seed,
            steps: 0,
            depth: 0,
            compared: 0,
        };
        machine.make_globals();
        machine
    }

    /// Numbers that look random (splitmix64).
    pub fn random(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn make_globals(&mut self) {
        for global in self.module.globals.iter() {
            let address = self.reserve(global.size);
            self.globals.push(address);
        }
        for (id, global) in self.module.globals.enumerate() {
            let mut bytes = vec![0; usize::try_from(global.size).unwrap()];
            for (offset, piece) in global.initialiser.iter().flat_map(|i| &i.bytes) {
                let start = usize::try_from(*offset).unwrap();
                bytes[start..start + piece.len()].copy_from_slice(piece);
            }
            for (offset, constant) in global.initialiser.iter().flat_map(|i| &i.addresses) {
                let start = usize::try_from(*offset).unwrap();
                let width = self.module.pointer_bytes as usize;
                let number = self.constant_number(constant);
                bytes[start..start + width].copy_from_slice(&number.to_le_bytes()[..width]);
            }
            self.place(self.globals[id], Origin::Global(id), bytes);
        }
    }

    fn reserve(&mut self, size: u64) -> u64 {
        let address = self.next;
        self.next += (size + 64).next_multiple_of(64);
        address
    }

    fn place(&mut self, address: u64, origin: Origin, bytes: Vec<u8>) {
        self.shadow.create(address, origin, &bytes);
        self.objects.insert(address, Object { origin, bytes });
    }

    /// A new object with arbitrary contents.
    pub fn create(&mut self, origin: Origin, size: u64) -> u64 {
        let address = self.reserve(size);
        let bytes = (0..size).map(|_| self.random().to_le_bytes()[0]).collect();
        self.place(address, origin, bytes);
        address
    }

    /// The object that has these bytes, and where in it.
    pub fn locate(&self, address: u64, width: u64) -> Result<(u64, usize), Stop> {
        let (base, object) = self.objects.range(..=address).next_back().ok_or(Stop::Fault("null"))?;
        let offset = address - base;
        if offset + width > object.bytes.len() as u64 {
            return Err(Stop::Fault("bounds"));
        }
        Ok((*base, usize::try_from(offset).unwrap()))
    }

    /// Reads flat memory.
    pub fn bytes(&self, address: u64, width: u64) -> Result<Vec<u8>, Stop> {
        let (base, offset) = self.locate(address, width)?;
        let width = usize::try_from(width).unwrap();
        Ok(self.objects[&base].bytes[offset..offset + width].to_vec())
    }

    /// Writes flat memory.
    pub fn put(&mut self, address: u64, bytes: &[u8]) -> Result<(), Stop> {
        let (base, offset) = self.locate(address, bytes.len() as u64)?;
        let object = self.objects.get_mut(&base).unwrap();
        object.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// The origin of the object at this address, and the offset in it.
    pub fn place_of(&self, address: u64) -> (Origin, u64) {
        let (base, object) = self.objects.range(..=address).next_back().expect("the address is valid");
        (object.origin, address - base)
    }

    pub fn constant_number(&self, constant: &Constant) -> u128 {
        match constant {
            Constant::Integer { value, .. } => *value,
            Constant::Float(bits) => u128::from(*bits),
            Constant::Double(bits) => u128::from(*bits),
            Constant::Global(id, by) => u128::from(self.globals[*id].wrapping_add_signed(*by)),
            Constant::Function(id) => function_address(*id),
            _ => 0,
        }
    }

    fn constant(&self, constant: &Constant) -> Value {
        match constant {
            Constant::Aggregate(Type::Aggregate { members, size }, values) => {
                let mut bytes = vec![0; usize::try_from(*size).unwrap()];
                for ((offset, ty), value) in members.iter().zip(values) {
                    self.put_member(&mut bytes, *offset, ty, &self.constant(value));
                }
                Value::Bytes(bytes)
            }
            Constant::Zero(Type::Aggregate { size, .. })
            | Constant::Undefined(Type::Aggregate { size, .. })
            | Constant::Poison(Type::Aggregate { size, .. }) => {
                Value::Bytes(vec![0; usize::try_from(*size).unwrap()])
            }
            _ => Value::Number(self.constant_number(constant)),
        }
    }

    pub fn put_member(&self, bytes: &mut [u8], offset: u64, ty: &Type, value: &Value) {
        let (start, width) = (usize::try_from(offset).unwrap(), self.size(ty));
        bytes[start..start + width].copy_from_slice(&self.encode(value, ty));
    }

    pub fn size(&self, ty: &Type) -> usize {
        usize::try_from(self.module.size_of(ty)).unwrap()
    }

    pub fn encode(&self, value: &Value, ty: &Type) -> Vec<u8> {
        match value {
            Value::Number(number) => number.to_le_bytes()[..self.size(ty)].to_vec(),
            Value::Bytes(bytes) => bytes.clone(),
        }
    }

    pub fn decode(bytes: &[u8], ty: &Type) -> Value {
        if let Type::Aggregate { .. } = ty {
            return Value::Bytes(bytes.to_vec());
        }
        let mut whole = [0; 16];
        whole[..bytes.len()].copy_from_slice(bytes);
        let number = u128::from_le_bytes(whole);
        Value::Number(if let Type::Integer(bits) = ty { mask(number, *bits) } else { number })
    }

    pub fn operand(&self, frame: &Frame, operand: &Operand) -> Result<Value, Stop> {
        match operand {
            Operand::Value(id) => frame.values.get(id).cloned().ok_or(Stop::Fault("no value")),
            Operand::Constant(constant) => Ok(self.constant(constant)),
        }
    }

    pub fn number(&self, frame: &Frame, operand: &Operand) -> Result<u128, Stop> {
        match self.operand(frame, operand)? {
            Value::Number(number) => Ok(number),
            Value::Bytes(_) => Err(Stop::Unsupported("an aggregate as a number".to_owned())),
        }
    }

    pub fn address(&self, frame: &Frame, operand: &Operand) -> Result<u64, Stop> {
        Ok(u64::try_from(self.number(frame, operand)?).unwrap_or(0))
    }

    /// Runs a function.
    pub fn call(&mut self, id: FunctionId, arguments: Vec<Value>) -> Result<Option<Value>, Stop> {
        assert!(self.points_to.reachable().contains(&id), "{} is reached", self.module.functions[id].name);
        self.depth += 1;
        if self.depth > 40 {
            return Err(Stop::Limit);
        }
        let function = &self.module.functions[id];
        let mut frame = Frame { function: id, values: BTreeMap::new(), locals: Vec::new() };
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if parameter.copied.is_some()
                && let Value::Number(address) = argument
            {
                frame.locals.push(u64::try_from(address).unwrap());
            }
            frame.values.insert(parameter.value, argument);
        }
        let result = self.body(function, &mut frame)?;
        for local in frame.locals {
            self.objects.remove(&local);
        }
        self.depth -= 1;
        Ok(result)
    }

    fn body(&mut self, function: &'m Function, frame: &mut Frame) -> Result<Option<Value>, Stop> {
        let (mut block, mut before) = (BlockId::new(0), BlockId::new(0));
        loop {
            self.phis(function, frame, block, before)?;
            for (number, instruction) in function.blocks[block].instructions.iter().enumerate() {
                self.steps += 1;
                if self.steps > 20_000 {
                    return Err(Stop::Limit);
                }
                let site = Site { function: frame.function, block, number };
                self.instruction(frame, site, instruction)?;
            }
            before = block;
            block = match &function.blocks[block].terminator {
                Terminator::Return(value) => {
                    return value.as_ref().map(|value| self.operand(frame, value)).transpose();
                }
                Terminator::Jump(next) => *next,
                Terminator::Branch { condition, yes, no } => {
                    if self.number(frame, condition)? == 0 {
                        *no
                    } else {
                        *yes
                    }
                }
                Terminator::Switch { value, cases, default, .. } => {
                    let value = self.number(frame, value)?;
                    cases.iter().find(|case| case.0 == value).map_or(*default, |case| case.1)
                }
                Terminator::Unreachable => return Err(Stop::Fault("unreachable")),
                Terminator::Unsupported(text) => return Err(Stop::Unsupported(text.clone())),
            };
        }
    }

    fn phis(
        &self,
        function: &Function,
        frame: &mut Frame,
        block: BlockId,
        from: BlockId,
    ) -> Result<(), Stop> {
        let mut new = Vec::new();
        for instruction in &function.blocks[block].instructions {
            if let (Operation::Phi(incoming), Some(result)) = (&instruction.operation, instruction.result) {
                let (_, value) = incoming.iter().find(|(b, _)| *b == from).ok_or(Stop::Fault("phi"))?;
                new.push((result, self.operand(frame, value)?));
            }
        }
        frame.values.extend(new);
        Ok(())
    }

    fn instruction(&mut self, frame: &mut Frame, site: Site, instruction: &Instruction) -> Result<(), Stop> {
        if let Operation::Allocate { size, count, .. } = &instruction.operation {
            let count = u64::try_from(self.number(frame, count)?).unwrap();
            let result = instruction.result.unwrap();
            let address = self.create(Origin::Local(frame.function, result), size * count);
            frame.locals.push(address);
            frame.values.insert(result, Value::Number(u128::from(address)));
            return Ok(());
        }
        let value = self.step(frame, site, instruction)?;
        if let (Some(result), Some(value)) = (instruction.result, value) {
            frame.values.insert(result, value);
        }
        Ok(())
    }
}

/// Functions have addresses below all objects.
pub fn function_address(id: FunctionId) -> u128 {
    0x1000 + 16 * id.index() as u128
}

/// The low bits.
pub fn mask(number: u128, bits: u32) -> u128 {
    if bits >= 128 { number } else { number & ((1 << bits) - 1) }
}
