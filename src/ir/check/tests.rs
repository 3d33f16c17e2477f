//! A small module that is well-formed, and what makes it not so.

use super::*;
use crate::ir::{BinaryOperator, Global, Initialiser, Parameter, Value, Wrap};

fn value(ty: Type) -> Value {
    Value { ty, name: String::new(), variable: None }
}

fn integer(bits: u32, value: u128) -> Operand {
    Operand::Constant(Constant::Integer { bits, value })
}

fn add(left: Operand, right: Operand) -> Operation {
    Operation::Binary { operator: BinaryOperator::Add, left, right, wrap: Wrap::default() }
}

fn block(instructions: Vec<Instruction>, terminator: Terminator) -> Block {
    Block { name: String::new(), instructions, terminator, place: None }
}

fn id<I: Index>(number: usize) -> I {
    I::new(number)
}

/// `f(x) { entry: b := x + 1; jump loop; loop: c := phi(entry: b, loop: c); branch … ? loop : end; end: return c }`
fn sample() -> Module {
    let result = |number: usize, operation| Instruction { result: Some(id(number)), operation, place: None };
    let x = Operand::Value(id(0));
    let phi = Operation::Phi(vec![(id(0), Operand::Value(id(1))), (id(1), Operand::Value(id(2)))]);
    let branch = Terminator::Branch { condition: integer(1, 1), yes: id(1), no: id(2) };
    let function = Function {
        name: "f".to_owned(),
        parameters: vec![Parameter { value: id(0), copied: None }],
        result: Type::Integer(32),
        variadic: false,
        never_returns: false,
        blocks: IndexVec::from_vec(vec![
            block(vec![result(1, add(x, integer(32, 1)))], Terminator::Jump(id(1))),
            block(vec![result(2, phi)], branch),
            block(vec![], Terminator::Return(Some(Operand::Value(id(2))))),
        ]),
        values: IndexVec::filled(value(Type::Integer(32)), 3),
        place: None,
        variable: None,
    };
    let initialiser = Initialiser {
        bytes: vec![(0, vec![1, 2])],
        addresses: vec![(4, Constant::Global(id(0), 0))],
        unsupported: None,
    };
    let global = Global {
        name: "g".to_owned(),
        size: 8,
        align: 4,
        constant: false,
        thread_local: false,
        exported: true,
        initialiser: Some(initialiser),
        variable: None,
    };
    Module {
        pointer_bytes: 4,
        files: IndexVec::new(),
        types: IndexVec::new(),
        globals: IndexVec::from_vec(vec![global]),
        functions: IndexVec::from_vec(vec![function]),
    }
}

#[track_caller]
fn broken(change: impl FnOnce(&mut Module), wanted: &str) {
    let mut module = sample();
    change(&mut module);
    let message = check(&module).expect_err("it is not well-formed any more");
    assert!(message.contains(wanted), "{message}");
}

fn body(module: &mut Module) -> &mut Function {
    &mut module.functions[id(0)]
}

#[test]
fn the_sample_is_well_formed() {
    check(&sample()).unwrap();
}

#[test]
fn operands_have_the_right_types() {
    let wide = |module: &mut Module| {
        let x = Operand::Value(id(0));
        body(module).blocks[id(0)].instructions[0].operation = add(x, integer(64, 1));
    };
    broken(wide, "i64 where i32 is due");
    broken(|module| body(module).result = Type::Void, "where void is due");
    let unknown = |module: &mut Module| {
        body(module).blocks[id(2)].terminator = Terminator::Return(Some(Operand::Value(id(9))));
    };
    broken(unknown, "value 9 is unknown");
    let large = |module: &mut Module| {
        body(module).blocks[id(2)].terminator = Terminator::Return(Some(integer(32, 1 << 32)));
    };
    broken(large, "the constant");
}

#[test]
fn values_are_defined_once() {
    broken(|module| body(module).blocks[id(0)].instructions[0].result = Some(id(0)), "defined twice");
    let more = |module: &mut Module| {
        body(module).values.push(value(Type::Pointer));
    };
    broken(more, "value 3 is never defined");
}

#[test]
fn phis_match_the_blocks_before_them() {
    let shorter = |module: &mut Module| {
        let phi = Operation::Phi(vec![(id(0), Operand::Value(id(1)))]);
        body(module).blocks[id(1)].instructions[0].operation = phi;
    };
    broken(shorter, "does not match the blocks before it");
    let later = |module: &mut Module| {
        let fence = Instruction { result: None, operation: Operation::Fence, place: None };
        body(module).blocks[id(1)].instructions.insert(0, fence);
    };
    broken(later, "a phi behind other instructions");
}

#[test]
fn jumps_lead_to_blocks() {
    broken(|module| body(module).blocks[id(0)].terminator = Terminator::Jump(id(7)), "jumps to block 7");
}

#[test]
fn initialisers_lie_within_their_variable() {
    broken(|module| module.globals[id(0)].size = 7, "4 bytes at 4");
    let overlap = |module: &mut Module| {
        let initialiser = module.globals[id(0)].initialiser.as_mut().unwrap();
        initialiser.bytes[0].1 = vec![1; 5];
    };
    broken(overlap, "overlap");
    let unknown = |module: &mut Module| {
        let initialiser = module.globals[id(0)].initialiser.as_mut().unwrap();
        initialiser.addresses[0].1 = Constant::Function(id(3));
    };
    broken(unknown, "the constant");
}

#[test]
fn names_differ() {
    broken(|module| module.globals[id(0)].name = "f".to_owned(), "@f occurs twice");
    broken(|module| module.pointer_bytes = 2, "pointers of 2 bytes");
}
