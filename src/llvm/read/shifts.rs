//! Which left shifts are of signed integers.
//!
//! LLVM's `shl` does not say whether C shifts a signed or an unsigned integer, and only of a signed one may the result
//! not fit (C11 6.5.7). So clang is told to guard signed shifts (`-fsanitize=shift-base`), and what it writes for a
//! guard is folded here into a mark on the shift, [`Wrap::base`](crate::ir::Wrap):
//!
//! ```text
//! before:  if (by <= 31) fits = value >> (31 - by) == 0;      check:
//! joined:  fits = phi [true, before], [.., check]; if (!fits) handler();
//! done:    shl value, by
//! ```
//!
//! Blocks stay where they are; those of the guard are left by nobody's way. Of constants clang folds the shift itself: where
//! it does not fit, one that does not fit either takes its place, and its result is unused.
//!
//! A guard of any other form stays what [`GUARD`] says: a run that gets to its handler has no verdict.

use crate::ir::{
    BinaryOperator, BlockId, Cast, Comparison, Constant, Function, Instruction, Operand, Operation,
    Terminator, Type, Value, Wrap,
};

/// What clang calls a number of bits that it has brought to the type of what is shifted.
const COUNT: &str = "sh_prom";

/// The function that clang calls where a shift does not fit.
pub const HANDLER: &str = "__ubsan_handle_shift_out_of_bounds_minimal";

/// What stands for its call.
pub const GUARD: &str = "a signed left shift whose result does not fit";

/// The name of the blocks around a guard: that of no label of C.
const NAME: &str = "shift.guard";

/// The blocks of a guard.
struct Guard {
    before: BlockId,
    check: BlockId,
    joined: BlockId,
    handler: BlockId,
    done: BlockId,
    /// Whether the shift fits: a value, or a constant if the shift itself is one.
    fits: Operand,
}

/// Folds all guards of a function.
pub fn fold(function: &mut Function) {
    let handlers: Vec<BlockId> = function.blocks.ids().filter(|&id| is_handler(function, id)).collect();
    for handler in handlers {
        if let Some(guard) = guard_of(function, handler) {
            mark(function, &guard);
        }
    }
}

/// Numbers of bits stay too large when clang makes them narrower: `1 << n` with `n == 1LL << 32` is no shift by zero. Where one
/// does not fit, the width of what is shifted takes its place, which is too large as well.
pub fn keep_counts(function: &mut Function) {
    for block in function.blocks.ids() {
        let mut number = 0;
        while number < function.blocks[block].instructions.len() {
            number += if keep_count(function, block, number) { 3 } else { 1 };
        }
    }
}

/// The same for one instruction, if it is such a number: three instructions take its place.
fn keep_count(function: &mut Function, block: BlockId, number: usize) -> bool {
    let Instruction { result: Some(count), operation, place } = &function.blocks[block].instructions[number]
    else {
        return false;
    };
    let Operation::Cast { cast: Cast::Truncate, value: Operand::Value(long) } = operation else {
        return false;
    };
    let (count, long, place) = (*count, *long, *place);
    let (Type::Integer(from), Type::Integer(to)) = (&function.values[long].ty, &function.values[count].ty)
    else {
        return false;
    };
    let (from, to) = (*from, *to);
    if !function.values[count].name.starts_with(COUNT) {
        return false;
    }
    let mut fresh =
        |bits| function.values.push(Value { ty: Type::Integer(bits), name: String::new(), variable: None });
    let (narrow, large) = (fresh(to), fresh(1));
    let width = |bits| Operand::Constant(Constant::Integer { bits, value: to.into() });
    let is_large = Operation::Compare {
        comparison: Comparison::UnsignedGreaterEqual,
        left: Operand::Value(long),
        right: width(from),
    };
    let kept =
        Operation::Select { condition: Operand::Value(large), yes: width(to), no: Operand::Value(narrow) };
    let truncated = Operation::Cast { cast: Cast::Truncate, value: Operand::Value(long) };
    let three = [(narrow, truncated), (large, is_large), (count, kept)];
    let three = three.map(|(result, operation)| Instruction { result: Some(result), operation, place });
    function.blocks[block].instructions.splice(number..=number, three);
    true
}

fn is_handler(function: &Function, id: BlockId) -> bool {
    let called = |operation: &Operation| matches!(operation, Operation::Unsupported(what) if what == GUARD);
    matches!(&function.blocks[id].instructions[..], [only] if called(&only.operation))
}

/// The guard that ends in a handler.
fn guard_of(function: &Function, handler: BlockId) -> Option<Guard> {
    let Terminator::Jump(done) = function.blocks[handler].terminator else { return None };
    let leads = |id: &BlockId| matches!(&function.blocks[*id].terminator, Terminator::Branch { yes, no, .. } if (*yes, *no) == (done, handler));
    let joined = function.blocks.ids().find(leads)?;
    let [Instruction { result: Some(fits), operation: Operation::Phi(incoming), .. }] =
        &function.blocks[joined].instructions[..]
    else {
        return None;
    };
    let [(before, _), (check, condition)] = &incoming[..] else { return None };
    let splits = matches!(function.blocks[*before].terminator, Terminator::Branch { yes, no, .. } if (yes, no) == (*check, joined));
    let joins = matches!(function.blocks[*check].terminator, Terminator::Jump(to) if to == joined);
    let asked = matches!(&function.blocks[joined].terminator,
        Terminator::Branch { condition: Operand::Value(value), .. } if value == fits);
    let guard = Guard { before: *before, check: *check, joined, handler, done, fits: condition.clone() };
    (splits && joins && asked && is_known(function, &guard)).then_some(guard)
}

/// Whether the shift is found: it is constant, or comes right after its guard.
fn is_known(function: &Function, guard: &Guard) -> bool {
    match &guard.fits {
        Operand::Constant(constant) => matches!(constant, Constant::Integer { .. } | Constant::Zero(_)),
        Operand::Value(_) => {
            let first = function.blocks[guard.done].instructions.first();
            let of = |operator| move |instruction: &&Instruction| matches!(&instruction.operation, Operation::Binary { operator: found, .. } if *found == operator);
            let checked =
                function.blocks[guard.check].instructions.iter().find(of(BinaryOperator::ShiftRight));
            let shift = first.filter(of(BinaryOperator::ShiftLeft));
            checked.and_then(left).is_some_and(|value| shift.and_then(left) == Some(value))
        }
    }
}

fn left(instruction: &Instruction) -> Option<&Operand> {
    match &instruction.operation {
        Operation::Binary { left, .. } => Some(left),
        _ => None,
    }
}

/// Marks the shift, and leads past its guard.
fn mark(function: &mut Function, guard: &Guard) {
    match &guard.fits {
        Operand::Value(_) => {
            if let Operation::Binary { wrap, .. } = &mut function.blocks[guard.done].instructions[0].operation
            {
                wrap.base = true;
            }
        }
        Operand::Constant(Constant::Integer { value: 1, .. }) => {}
        Operand::Constant(_) => insert_shift(function, guard),
    }
    function.blocks[guard.before].terminator = Terminator::Jump(guard.joined);
    function.blocks[guard.joined].terminator = Terminator::Jump(guard.done);
    function.blocks[guard.handler].instructions.clear();
    for instruction in &mut function.blocks[guard.check].instructions {
        let ty = instruction.result.map_or(Type::Void, |value| function.values[value].ty.clone());
        instruction.operation = Operation::Freeze(Operand::Constant(Constant::Zero(ty)));
    }
    for id in [guard.check, guard.joined, guard.handler, guard.done] {
        NAME.clone_into(&mut function.blocks[id].name);
    }
}

/// A shift that does not fit, where clang has folded one.
fn insert_shift(function: &mut Function, guard: &Guard) {
    let value = Value { ty: Type::Integer(32), name: String::new(), variable: None };
    let result = Some(function.values.push(value));
    let number = |value| Operand::Constant(Constant::Integer { bits: 32, value });
    let wrap = Wrap { base: true, ..Wrap::default() };
    let operation =
        Operation::Binary { operator: BinaryOperator::ShiftLeft, left: number(1), right: number(31), wrap };
    let place = function.blocks[guard.handler].instructions[0].place;
    function.blocks[guard.done].instructions.insert(0, Instruction { result, operation, place });
}
