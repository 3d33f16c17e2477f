//! Computed jumps: GNU C's addresses of labels (`&&label`) and `goto *address`.
//!
//! The address of a label is that of an object of one byte, which nobody accesses. A computed jump compares its address with those
//! of the labels that it may lead to, and becomes a `switch` over their numbers, so that neither machine nor model knows of such jumps.
//! All that a program may do with labels is to keep their addresses, to compare them and to jump: a difference of two, as some tables hold, is
//! arithmetic on addresses of different objects. A jump to anything else than a label of the function is undefined, and has no verdict.

use super::function::Builder;
use crate::ir::{
    Block, BlockId, Comparison, Constant, Global, Initialiser, Operand, Operation, Place, Terminator, Type,
    Variable,
};

/// The bits of the numbers of labels.
const BITS: u32 = 32;

/// The object that stands for a label.
pub fn object(number: usize) -> Global {
    let name = format!(".label.{number}");
    // What has a name in C is no string literal: no two labels share an address.
    let variable = Variable { name: name.clone(), ty: None, place: None, parameter: None, scope: Vec::new() };
    Global {
        name,
        size: 1,
        align: 1,
        constant: true,
        thread_local: false,
        exported: false,
        initialiser: Some(Initialiser::default()),
        variable: Some(variable),
    }
}

/// A computed jump.
pub fn jump(builder: &mut Builder<'_, '_>, jump: &llvm_ir::terminator::IndirectBr) -> Terminator {
    let address = builder.operand(&jump.operand, 0);
    let targets: Vec<BlockId> = jump.possible_dests.iter().map(|name| builder.target(name)).collect();
    let mut number = integer(0);
    for place in 1u32..=targets.len() as u32 {
        let label = builder.constant(builder.item.label(place));
        let comparison =
            Operation::Compare { comparison: Comparison::Equal, left: address.clone(), right: label };
        let condition = builder.emit(Type::Integer(1), comparison);
        let select = Operation::Select { condition, yes: integer(place), no: number };
        number = builder.emit(Type::Integer(BITS), select);
    }
    builder.astray = Some(builder.place);
    let cases = (1u128..).zip(targets).collect();
    Terminator::Switch { value: number, bits: BITS, cases, default: builder.last_block() }
}

/// Where a jump leads that is to no label of its function.
pub fn astray(place: Option<Place>) -> Block {
    let terminator = Terminator::Unsupported("a computed jump to no label of its function".to_owned());
    Block { name: "no.label".to_owned(), instructions: Vec::new(), terminator, place }
}

fn integer(value: u32) -> Operand {
    Operand::Constant(Constant::Integer { bits: BITS, value: value.into() })
}
