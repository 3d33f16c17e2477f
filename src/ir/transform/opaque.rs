//! Assembly that is not understood, as a call of a function without a body (`--assembly havoc`).
//!
//! What stays assembly after [`assembly`](super::assembly) gives results, writes the operands in memory that are its outputs, and, if it
//! says that it clobbers memory, whatever it gets at. So it becomes a call of a function that is only declared, which gives
//! the results, and stores of what such functions return to the outputs in memory. Model and machine treat these calls like those of
//! other functions without a body: the user has said what they do. The name of such a function tells where the assembly stands, and what kind it is; no function of C
//! has a name with spaces.

use crate::ir::{
    Callee, Function, FunctionId, Instruction, Module, Operand, Operation, Place, Type, Value, ValueId,
};

/// How the names of functions begin that stand for assembly that changes nothing but its outputs.
const OUTPUTS: &str = "the outputs of the assembly at ";

/// The same for assembly that clobbers memory.
const CLOBBERS: &str = "the assembly at ";

/// What assembly changes besides its outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Changes {
    /// Nothing.
    Outputs,
    /// What its operands lead to, and what code elsewhere can name.
    Memory,
}

/// What the function with this name changes, if it stands for assembly.
#[must_use]
pub fn changes(name: &str) -> Option<Changes> {
    if name.starts_with(OUTPUTS) {
        Some(Changes::Outputs)
    } else {
        name.starts_with(CLOBBERS).then_some(Changes::Memory)
    }
}

/// Declares a function for each piece of assembly that there still is, and calls it instead.
pub fn declare(module: &mut Module) {
    for id in module.functions.ids() {
        let mut function = module.functions[id].clone();
        if !function.blocks.iter().flat_map(|block| &block.instructions).any(is_assembly) {
            continue;
        }
        for block in function.blocks.ids() {
            let old = std::mem::take(&mut function.blocks[block].instructions);
            for instruction in old {
                let mut writer = Writer { module, function: &mut function, out: Vec::new() };
                writer.instruction(instruction);
                let new = writer.out;
                function.blocks[block].instructions.extend(new);
            }
        }
        module.functions[id] = function;
    }
}

fn is_assembly(instruction: &Instruction) -> bool {
    matches!(instruction.operation, Operation::Call { callee: Callee::Assembly { .. }, .. })
}

/// Writes what takes the place of an instruction.
struct Writer<'w> {
    module: &'w mut Module,
    function: &'w mut Function,
    out: Vec<Instruction>,
}

impl Writer<'_> {
    fn instruction(&mut self, instruction: Instruction) {
        let Operation::Call { callee: Callee::Assembly { constraints, .. }, arguments, copied } =
            &instruction.operation
        else {
            return self.out.push(instruction);
        };
        let place = instruction.place;
        let outputs = outputs(constraints, arguments, copied);
        // An output of unknown size may be anything that its address leads to.
        let known = outputs.iter().all(|(_, size)| size.is_some());
        let clobbers = constraints.split(',').any(|constraint| constraint == "~{memory}");
        let kind = if known && !clobbers { OUTPUTS } else { CLOBBERS };
        let name = format!("{kind}{}", self.at(place));
        let result = instruction.result.map(|value| self.function.values[value].ty.clone());
        // Macros put several pieces of assembly into one line: each kind of result has a function.
        let function = self.module.declare(&name, result.unwrap_or(Type::Void));
        self.push(instruction.result, called(function, arguments.clone()), place);
        for (address, size) in outputs.into_iter().filter_map(|(address, size)| Some((address, size?))) {
            self.fill(&address, size, place);
        }
    }

    /// Where an instruction stands.
    fn at(&self, place: Option<Place>) -> String {
        match place {
            Some(place) => format!("{}:{}", self.module.files[place.file], place.line),
            None => "an unknown place".to_owned(),
        }
    }

    /// Memory gets arbitrary values, in the largest parts that fit.
    fn fill(&mut self, base: &Operand, size: u64, place: Option<Place>) {
        let mut offset = 0;
        while offset < size {
            let bytes = [8, 4, 2, 1].into_iter().find(|bytes| offset + bytes <= size).unwrap_or(1);
            let ty = Type::Integer(bytes as u32 * 8);
            let function = self.module.declare(&format!("{OUTPUTS}{}", self.at(place)), ty.clone());
            let (value, address) = (self.value(ty.clone()), self.value(Type::Pointer));
            self.push(Some(value), called(function, Vec::new()), place);
            let constant = offset as i64;
            let from = Operation::Offset {
                base: base.clone(),
                constant,
                terms: Vec::new(),
                in_bounds: true,
                array: None,
            };
            self.push(Some(address), from, place);
            let (value, address) = (Operand::Value(value), Operand::Value(address));
            let store = Operation::Store { address, value, ty, align: 1, volatile: true, atomic: false };
            self.push(None, store, place);
            offset += bytes;
        }
    }

    fn push(&mut self, result: Option<ValueId>, operation: Operation, place: Option<Place>) {
        self.out.push(Instruction { result, operation, place });
    }

    fn value(&mut self, ty: Type) -> ValueId {
        self.function.values.push(Value { ty, name: String::new(), variable: None })
    }
}

/// The outputs in memory: their addresses, and their sizes if they are known.
fn outputs(
    constraints: &str,
    arguments: &[(Operand, Type)],
    sizes: &[Option<u64>],
) -> Vec<(Operand, Option<u64>)> {
    let mut given = arguments.iter().enumerate();
    let mut out = Vec::new();
    for constraint in constraints.split(',').filter(|text| !text.starts_with('~')) {
        let (is_output, in_memory) = (constraint.starts_with('='), constraint.contains('*'));
        if is_output && !in_memory {
            continue;
        }
        let Some((number, (operand, _))) = given.next() else { break };
        if is_output {
            out.push((operand.clone(), sizes.get(number).copied().flatten()));
        }
    }
    out
}

fn called(function: FunctionId, arguments: Vec<(Operand, Type)>) -> Operation {
    Operation::Call { callee: Callee::Function(function), arguments, copied: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Constant;

    fn pointer() -> (Operand, Type) {
        (Operand::Constant(Constant::Null), Type::Pointer)
    }

    #[test]
    fn outputs_in_memory_are_arguments() {
        let arguments = [pointer(), pointer(), pointer()];
        let sizes = [Some(4), None, Some(2)];
        // The first output is a register; the second argument is an input.
        let found = outputs("=r,=*m,r,=&*m,~{dirflag}", &arguments, &sizes);
        let sizes: Vec<Option<u64>> = found.into_iter().map(|(_, size)| size).collect();
        assert_eq!(sizes, [Some(4), Some(2)]);
    }

    #[test]
    fn names_tell_what_is_changed() {
        assert_eq!(changes("the outputs of the assembly at a.c:1"), Some(Changes::Outputs));
        assert_eq!(changes("the assembly at a.c:1"), Some(Changes::Memory));
        assert_eq!(changes("the"), None);
    }
}
