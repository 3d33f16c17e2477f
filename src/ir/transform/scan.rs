//! `scanf` and its like, where the format is known and has only integers and characters: a number of conversions
//! succeeds, and each of these stores an arbitrary value. The others are not modelled. That is more than `sscanf` may do, whose text is in the
//! program: the machine reads it.

use crate::ground::index::IndexVec;
use crate::ir::scan::{COUNT, conversions, input, scan};
use crate::ir::strings::text_of;
use crate::ir::{
    BinaryOperator, Callee, Comparison, Constant, Function, FunctionId, Instruction, Module, Operand,
    Operation, Place, Type, Value, ValueId, Wrap,
};

/// What reads the text that is its argument, and does nothing else.
const READS: &str = "boolero_reads_text";

/// Replaces such calls.
pub fn replace_scans(module: &mut Module) {
    let used =
        module.functions.iter().any(|function| scan(&function.name).is_some() && !function.is_defined());
    if !used {
        return;
    }
    for id in module.functions.ids() {
        let mut function = module.functions[id].clone();
        for block in function.blocks.ids() {
            let old = std::mem::take(&mut function.blocks[block].instructions);
            for instruction in old {
                let new = match scanned(module, &instruction) {
                    Some(scanned) => {
                        let place = instruction.place;
                        Rewriting { module, function: &mut function, out: Vec::new(), place }
                            .call(&scanned, instruction.result)
                    }
                    None => vec![instruction],
                };
                function.blocks[block].instructions.extend(new);
            }
        }
        module.functions[id] = function;
    }
}

/// A call.
struct Scanned {
    /// The text that it reads, if that is in the program.
    text: Option<(Operand, Type)>,
    /// Where it stores.
    targets: Vec<Operand>,
    /// How wide.
    widths: Vec<u32>,
}

/// What a call does, if it is one that is modelled.
fn scanned(module: &Module, instruction: &Instruction) -> Option<Scanned> {
    let Operation::Call { callee: Callee::Function(callee), arguments, .. } = &instruction.operation else {
        return None;
    };
    let callee = &module.functions[*callee];
    let scan = scan(&callee.name).filter(|_| !callee.is_defined())?;
    let format = text_of(module, &arguments.get(scan.format)?.0)?;
    let widths = conversions(format.as_bytes(), module.pointer_bits())?;
    let targets = arguments[scan.format + 1..].iter().map(|(operand, _)| operand.clone());
    let targets: Vec<Operand> = targets.collect();
    let text = scan.of_text.then(|| arguments[0].clone());
    (targets.len() == widths.len()).then_some(Scanned { text, targets, widths })
}

/// Instructions in place of one call.
struct Rewriting<'f> {
    module: &'f mut Module,
    function: &'f mut Function,
    out: Vec<Instruction>,
    place: Option<Place>,
}

impl Rewriting<'_> {
    fn call(mut self, scanned: &Scanned, result: Option<ValueId>) -> Vec<Instruction> {
        let Scanned { text, targets, widths } = scanned;
        if let Some(text) = text {
            let function = self.declared(READS, Type::Void);
            self.push(None, called(function, vec![text.clone()]));
        }
        let count = result.unwrap_or_else(|| self.value(32));
        let function = self.declared(COUNT, Type::Integer(32));
        self.push(Some(count), called(function, Vec::new()));
        self.assume_range(count, widths.len() as u128);
        for (number, (target, &bits)) in targets.iter().zip(widths).enumerate() {
            self.store(count, number as u128, target, bits);
        }
        self.out
    }

    /// −1, which is the end of the input, up to the number of conversions.
    fn assume_range(&mut self, count: ValueId, most: u128) {
        let (sum, fits) = (self.value(32), self.value(1));
        let (left, right) = (Operand::Value(count), integer(32, 1));
        let operation =
            Operation::Binary { operator: BinaryOperator::Add, left, right, wrap: Wrap::default() };
        self.push(Some(sum), operation);
        let (left, right) = (Operand::Value(sum), integer(32, most + 1));
        self.push(Some(fits), Operation::Compare { comparison: Comparison::UnsignedLessEqual, left, right });
        let assume = self.declared("__VERIFIER_assume", Type::Void);
        self.push(None, called(assume, vec![(Operand::Value(fits), Type::Integer(1))]));
    }

    /// Stores an arbitrary value, if this conversion succeeds; otherwise what is there stays.
    fn store(&mut self, count: ValueId, number: u128, target: &Operand, bits: u32) {
        let [succeeds, new, old, value] = [1, bits, bits, bits].map(|bits| self.value(bits));
        let (left, right) = (Operand::Value(count), integer(32, number));
        self.push(Some(succeeds), Operation::Compare { comparison: Comparison::SignedGreater, left, right });
        let function = self.declared(&input(bits), Type::Integer(bits));
        self.push(Some(new), called(function, Vec::new()));
        let align = u64::from(bits / 8);
        let address = target.clone();
        self.push(Some(old), Operation::Load { address, align, volatile: false, atomic: false });
        let (yes, no) = (Operand::Value(new), Operand::Value(old));
        self.push(Some(value), Operation::Select { condition: Operand::Value(succeeds), yes, no });
        let (address, value, ty) = (target.clone(), Operand::Value(value), Type::Integer(bits));
        self.push(None, Operation::Store { address, value, ty, align, volatile: false, atomic: false });
    }

    fn push(&mut self, result: Option<ValueId>, operation: Operation) {
        self.out.push(Instruction { result, operation, place: self.place });
    }

    fn value(&mut self, bits: u32) -> ValueId {
        self.function.values.push(Value { ty: Type::Integer(bits), name: String::new(), variable: None })
    }

    /// A function without a body.
    fn declared(&mut self, name: &str, result: Type) -> FunctionId {
        if let Some(id) = self.module.function(name) {
            return id;
        }
        self.module.functions.push(Function {
            name: name.into(),
            parameters: Vec::new(),
            result,
            variadic: false,
            never_returns: false,
            blocks: IndexVec::new(),
            values: IndexVec::new(),
            place: None,
            variable: None,
        })
    }
}

fn called(function: FunctionId, arguments: Vec<(Operand, Type)>) -> Operation {
    Operation::Call { callee: Callee::Function(function), arguments, copied: Vec::new() }
}

fn integer(bits: u32, value: u128) -> Operand {
    Operand::Constant(Constant::Integer { bits, value })
}
