//! Functions: parameters, blocks, and the numbering of values.
//!
//! Each function is gone through twice: first every parameter and result gets its id, because loops use values before
//! they are defined; then instructions are converted. Instructions come from the crate `llvm-ir`; their constant operands
//! and all types from [`debug`](super::debug), where they are found by their position.

use super::ReadError;
use super::bitcode::Reader;
use super::constant::Folded;
use super::debug::Val;
use super::labels;
use super::layout::is_modelled;
use super::scopes::told::Told;
use super::scopes::{self, Declared, ScopeId, Scoping};
use crate::ground::index::{Index, IndexVec};
use crate::ir::{
    BinaryOperator, Block, BlockId, Cast, Constant, FileId, Function, Instruction, Operand, Operation,
    Parameter, Place, Type, Value, ValueId, Variable, Wrap,
};
use llvm_ir::{HasDebugLoc, Name};
use llvm_sys::LLVMOpcode as Opcode;
use rustc_hash::FxHashMap;

/// A function while it is built.
pub struct Builder<'r, 'd> {
    /// Everything about the module.
    pub reader: &'r mut Reader<'d>,
    /// Parameters and results so far.
    pub values: IndexVec<ValueId, Value>,
    ids: FxHashMap<Name, ValueId>,
    blocks: FxHashMap<Name, BlockId>,
    /// The instructions of the block so far.
    pub out: Vec<Instruction>,
    /// Where the instruction at hand stands.
    pub place: Option<Place>,
    /// How many instructions have stood in a line and column so far.
    crowds: FxHashMap<(FileId, u32, u32), u32>,
    /// The instruction at hand, in LLVM.
    pub item: Val<'d>,
    /// What phis of other blocks compute at the end of a block.
    tails: FxHashMap<BlockId, Vec<Instruction>>,
    /// Results, by what they are in LLVM.
    of_item: FxHashMap<Val<'d>, ValueId>,
    /// The blocks of C, if debug information tells them.
    told: Option<Told<'d>>,
    /// The block of C of each instruction and of the end of a block.
    scopes: IndexVec<BlockId, Vec<Option<ScopeId>>>,
    /// What has become of the n-th instruction of a block of LLVM: where it begins.
    begins: Vec<Vec<usize>>,
    /// Where computed jumps are, if there are any: then a block follows for those that lead to no label of the function.
    pub astray: Option<Option<Place>>,
}

/// A declaration: no body.
pub fn declared<'d>(reader: &mut Reader<'d>, function: Val<'d>) -> Function {
    let (result, parameters, variadic) = function.pointee().signature();
    let mut values = IndexVec::new();
    let mut all = Vec::new();
    for (number, ty) in (0u32..).zip(parameters) {
        let ty = reader.constants.shapes.value_type(ty);
        let value = values.push(Value { ty, name: String::new(), variable: None });
        let copied = function.by_value(number).map(|ty| reader.constants.shapes.shape(ty).size);
        all.push(Parameter { value, copied });
    }
    let variable = function.subprogram().and_then(|node| reader.names.variable(node));
    Function {
        name: function.name(),
        parameters: all,
        result: reader.constants.shapes.value_type(result),
        variadic,
        never_returns: function.never_returns(),
        blocks: IndexVec::new(),
        values,
        place: variable.as_ref().and_then(|variable| variable.place),
        variable,
    }
}

/// A definition.
///
/// # Errors
/// The two views of the module differ.
pub fn defined<'d>(
    reader: &mut Reader<'d>,
    function: Val<'d>,
    source: &llvm_ir::Function,
) -> Result<Function, ReadError> {
    let mut result = declared(reader, function);
    let items = function.blocks();
    let mut locals = reader.names.locals(reader.door.variables(function));
    let mut builder = Builder {
        reader,
        values: std::mem::take(&mut result.values),
        ids: FxHashMap::default(),
        blocks: FxHashMap::default(),
        out: Vec::new(),
        place: None,
        crowds: FxHashMap::default(),
        item: function,
        tails: FxHashMap::default(),
        of_item: FxHashMap::default(),
        told: function.subprogram().and_then(Told::of),
        scopes: IndexVec::new(),
        begins: Vec::new(),
        astray: None,
    };
    builder.number_parameters(source, &mut locals);
    builder.number_results(source, &items, locals)?;
    result.blocks = builder.blocks(source, &items);
    let scoping = builder.scoping(function);
    let pointer = builder.reader.constants.shapes.layout.pointer_bytes;
    result.values = builder.values;
    // Positions of scopes are those of before the guards are folded.
    scopes::mark(&mut result, scoping, pointer);
    super::shifts::fold(&mut result);
    super::shifts::keep_counts(&mut result);
    Ok(result)
}

impl<'d> Builder<'_, 'd> {
    /// A struct that is passed by value has no `alloca`: the parameter is the variable.
    fn number_parameters(&mut self, source: &llvm_ir::Function, locals: &mut FxHashMap<Val<'d>, Variable>) {
        for ((id, parameter), number) in self.values.ids().zip(&source.parameters).zip(0u32..) {
            self.values[id].variable = locals.remove(&self.item.parameter(number));
            self.values[id].name = text(&parameter.name);
            self.ids.insert(parameter.name.clone(), id);
        }
    }

    fn number_results(
        &mut self,
        source: &llvm_ir::Function,
        items: &[Vec<Val<'d>>],
        mut locals: FxHashMap<Val<'d>, Variable>,
    ) -> Result<(), ReadError> {
        let differ = || ReadError::Input(format!("{}: two views of it differ", source.name));
        let described = self.item.subprogram().is_some();
        if source.basic_blocks.len() != items.len() {
            return Err(differ());
        }
        for (number, (block, items)) in source.basic_blocks.iter().zip(items).enumerate() {
            self.blocks.insert(block.name.clone(), BlockId::new(number));
            if instructions(block).count() + 1 != items.len() {
                return Err(differ());
            }
            let results =
                instructions(block).map(|i| i.try_get_result()).chain([block.term.try_get_result()]);
            for (name, &item) in results.zip(items) {
                if let Some(name) = name {
                    let guess = || if described { None } else { named_like(item, name) };
                    let variable = locals.remove(&item).or_else(guess);
                    self.number(name, item, variable);
                }
            }
        }
        Ok(())
    }

    fn number(&mut self, name: &Name, item: Val<'d>, variable: Option<Variable>) {
        let ty = self.reader.constants.type_of(item);
        let id = self.values.push(Value { ty, name: text(name), variable });
        self.ids.insert(name.clone(), id);
        self.of_item.insert(item, id);
    }

    fn blocks(&mut self, source: &llvm_ir::Function, items: &[Vec<Val<'d>>]) -> IndexVec<BlockId, Block> {
        let mut blocks: IndexVec<BlockId, Block> =
            source.basic_blocks.iter().zip(items).map(|(block, items)| self.block(block, items)).collect();
        for id in blocks.ids() {
            blocks[id].instructions.extend(self.tails.remove(&id).unwrap_or_default());
            let end = self.scopes[id].last().copied().flatten();
            self.scopes[id].resize(blocks[id].instructions.len() + 1, end);
        }
        if let Some(place) = self.astray.take() {
            self.scopes.push(vec![None]);
            self.begins.push(vec![0]);
            blocks.push(labels::astray(place));
        }
        blocks
    }

    /// What debug information tells of the blocks of C.
    fn scoping(&mut self, function: Val<'d>) -> Option<Scoping> {
        let mut told = self.told.take()?;
        let door = self.reader.door;
        let labels = door.labels(function).into_iter().filter_map(|label| told.location(label)).collect();
        let mut declared = Vec::new();
        for item in door.declared(function) {
            let (Some(&value), Some(location)) = (self.of_item.get(&item.object), item.location) else {
                continue;
            };
            let Some(scope) = told.location(location) else { continue };
            let (block, number) = item.at;
            let at = (BlockId::new(block), self.begins[block][number]);
            if let Some(variable) = &mut self.values[value].variable {
                variable.scope = told.chain(scope);
            }
            declared.push(Declared { value, at, scope, given: item.is_given() });
        }
        let of = std::mem::take(&mut self.scopes);
        Some(Scoping { around: told.around, of, declared, labels })
    }

    /// The block of C that an instruction is in, if it is told.
    fn scope_of(&mut self, item: Val<'d>) -> Option<ScopeId> {
        self.told.as_mut()?.location(item.location()?)
    }

    fn block(&mut self, block: &llvm_ir::BasicBlock, items: &[Val<'d>]) -> Block {
        let (mut begins, mut scopes) = (Vec::new(), Vec::new());
        for (instruction, &item) in instructions(block).zip(items) {
            self.item = item;
            self.place = self.place_of(instruction);
            begins.push(self.out.len());
            let operation = self.instruction(instruction);
            let result = instruction.try_get_result().map(|name| self.ids[name]);
            self.out.push(Instruction { result, operation, place: self.place });
            scopes.resize(self.out.len(), self.scope_of(item));
        }
        self.item = items[items.len() - 1];
        begins.push(self.out.len());
        self.place = self.place_of(&block.term);
        let terminator = self.terminator(&block.term);
        if let Some(name) = block.term.try_get_result() {
            // Only ends that are not modelled give a result: `invoke`, assembly with `goto`.
            let operation = Operation::Unsupported("a result of the end of a block".to_owned());
            self.out.push(Instruction { result: Some(self.ids[name]), operation, place: self.place });
        }
        scopes.resize(self.out.len() + 1, self.scope_of(self.item));
        self.scopes.push(scopes);
        self.begins.push(begins);
        Block {
            name: text(&block.name),
            instructions: std::mem::take(&mut self.out),
            terminator,
            place: self.place,
        }
    }

    fn place_of(&mut self, item: &impl HasDebugLoc) -> Option<Place> {
        let place = item.get_debug_loc().as_ref()?;
        let file = self.reader.names.file(&place.filename);
        let (line, column) = (place.line, place.col.unwrap_or(0));
        let crowd = self.crowds.entry((file, line, column)).or_default();
        *crowd += 1;
        Some(Place { file, line, column, number: *crowd - 1 })
    }

    /// The value with this name.
    #[must_use]
    pub fn value(&self, name: &Name) -> ValueId {
        self.ids[name]
    }

    /// The block after all of LLVM's.
    #[must_use]
    pub fn last_block(&self) -> BlockId {
        BlockId::new(self.blocks.len())
    }

    /// The block with this name.
    #[must_use]
    pub fn target(&self, name: &Name) -> BlockId {
        self.blocks[name]
    }

    /// An operand, and its number in LLVM's list of operands.
    pub fn operand(&mut self, operand: &llvm_ir::Operand, number: u32) -> Operand {
        match operand {
            llvm_ir::Operand::LocalOperand { name, .. } => Operand::Value(self.ids[name]),
            llvm_ir::Operand::ConstantOperand(_) => self.constant(self.item.operand(number)),
            llvm_ir::Operand::MetadataOperand => {
                Operand::Constant(Constant::Unsupported(Type::Void, "metadata".to_owned()))
            }
        }
    }

    /// What flows into a phi from a block. What has to be computed is computed at the end of that block.
    pub fn incoming(&mut self, operand: &llvm_ir::Operand, number: u32, from: BlockId) -> Operand {
        let kept = std::mem::take(&mut self.out);
        let result = self.operand(operand, number);
        let computed = std::mem::replace(&mut self.out, kept);
        self.tails.entry(from).or_default().extend(computed);
        result
    }

    /// A constant; what does not fold is computed before the instruction at hand.
    pub fn constant(&mut self, value: Val<'d>) -> Operand {
        let pointer = Type::Pointer;
        match self.reader.constants.fold(value) {
            Folded::Constant(constant) => Operand::Constant(constant),
            Folded::AddressAsInteger(address, bits) => {
                self.cast(Cast::PointerToInteger, Operand::Constant(address), Type::Integer(bits))
            }
            Folded::IntegerAsAddress(address) => {
                let bits = self.reader.constants.shapes.layout.pointer_bytes * 8;
                let integer = Operand::Constant(Constant::Integer { bits, value: address });
                self.cast(Cast::IntegerToPointer, integer, pointer)
            }
            Folded::Expression(opcode) => self.expression(opcode, value),
            Folded::Unsupported(what) => self.unsupported_constant(value, what),
        }
    }

    /// A run that gets here goes no further: an address that is not known must not be used like any other.
    fn unsupported_constant(&mut self, value: Val<'d>, what: String) -> Operand {
        let ty = self.reader.constants.type_of(value);
        self.emit(ty, Operation::Unsupported(what))
    }

    fn expression(&mut self, opcode: Opcode, value: Val<'d>) -> Operand {
        let ty = self.reader.constants.type_of(value);
        let inner = |number| value.operand(number);
        if !is_modelled(&ty) || !is_modelled(&self.reader.constants.type_of(inner(0))) {
            return self.unsupported_constant(value, "a constant expression on vectors".to_owned());
        }
        let binary = match opcode {
            Opcode::LLVMAdd => BinaryOperator::Add,
            Opcode::LLVMSub => BinaryOperator::Subtract,
            Opcode::LLVMMul => BinaryOperator::Multiply,
            Opcode::LLVMXor => BinaryOperator::Xor,
            Opcode::LLVMGetElementPtr => return self.constant_address(value),
            _ => return self.constant_cast(opcode, value, ty),
        };
        let (left, right) = (self.constant(inner(0)), self.constant(inner(1)));
        // Whether an overflow would be undefined cannot matter: clang writes none that overflows.
        self.emit(ty, Operation::Binary { operator: binary, left, right, wrap: Wrap::default() })
    }

    fn constant_cast(&mut self, opcode: Opcode, value: Val<'d>, ty: Type) -> Operand {
        let cast = match opcode {
            Opcode::LLVMTrunc => Cast::Truncate,
            Opcode::LLVMPtrToInt => Cast::PointerToInteger,
            Opcode::LLVMIntToPtr => Cast::IntegerToPointer,
            Opcode::LLVMBitCast => Cast::Bits,
            _ => return self.unsupported_constant(value, "a constant expression".to_owned()),
        };
        let inner = self.constant(value.operand(0));
        self.cast(cast, inner, ty)
    }

    fn constant_address(&mut self, value: Val<'d>) -> Operand {
        let Some((constant, terms)) = self.reader.constants.distance(value) else {
            return self.unsupported_constant(value, "a constant address".to_owned());
        };
        let base = self.constant(value.operand(0));
        let array = self.reader.constants.indexed_array(value, constant, &terms);
        let mut sum = Vec::new();
        for (step, bits, scale) in terms {
            sum.push((self.constant(value.operand(step as u32 + 1)), bits, scale));
        }
        self.emit(
            Type::Pointer,
            Operation::Offset { base, constant, terms: sum, in_bounds: value.in_bounds(), array },
        )
    }

    fn cast(&mut self, cast: Cast, value: Operand, ty: Type) -> Operand {
        self.emit(ty, Operation::Cast { cast, value })
    }

    /// Adds an instruction before the one at hand.
    pub fn emit(&mut self, ty: Type, operation: Operation) -> Operand {
        let id = self.values.push(Value { ty, name: String::new(), variable: None });
        self.out.push(Instruction { result: Some(id), operation, place: self.place });
        Operand::Value(id)
    }
}

/// The instructions of a block, without calls that only tell debug information.
fn instructions(block: &llvm_ir::BasicBlock) -> impl Iterator<Item = &llvm_ir::Instruction> {
    block.instrs.iter().filter(|instruction| match instruction {
        llvm_ir::Instruction::Call(call) => {
            !callee_name(call).is_some_and(|name| name.starts_with("llvm.dbg."))
        }
        _ => true,
    })
}

fn callee_name(call: &llvm_ir::instruction::Call) -> Option<&str> {
    let constant = call.function.as_ref().right()?.as_constant()?;
    match constant {
        llvm_ir::Constant::GlobalReference { name: Name::Name(name), .. } => Some(name),
        _ => None,
    }
}

/// Without debug information, the name of an `alloca` is all there is: `x`, or `x.addr` for a parameter.
fn named_like(item: Val<'_>, name: &Name) -> Option<Variable> {
    let Name::Name(name) = name else { return None };
    let helper = ["retval", "tmp", "saved_stack", "cleanup", "agg", "ref", "coerce", "indirect", "byval"];
    let stem = name.strip_suffix(".addr").unwrap_or(name);
    if item.opcode() != Opcode::LLVMAlloca || stem.contains('.') {
        return None;
    }
    if helper.iter().any(|word| stem.starts_with(word)) {
        return None;
    }
    Some(Variable { name: stem.to_owned(), ty: None, place: None, parameter: None, scope: Vec::new() })
}

/// A name of LLVM; empty if it is only a number.
fn text(name: &Name) -> String {
    match name {
        Name::Name(name) => name.to_string(),
        Name::Number(_) => String::new(),
    }
}
