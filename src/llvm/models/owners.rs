//! Which kinds of mutexes a program may have: those that know their owner (recursive and error-checking ones), or plain
//! ones only.
//!
//! A kind is asked for by an attribute or by an initialiser. A program without a call that asks for another kind than the
//! plain one, without a constant that looks like the initialiser of one, and without a write to where a mutex has its kind, has
//! plain ones only.

use super::needed::mentioned_functions;
use crate::ir::{Callee, Constant, Function, Global, Module, Operand, Operation, ValueId};
use std::collections::BTreeSet;

/// The mutexes of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Mutexes {
    /// Plain ones.
    Plain,
    /// Some variable looks as if it held another one: the model has to look.
    Unsure,
    /// Others, too.
    Owned,
}

/// The mutexes of a program.
pub(super) fn mutexes(module: &Module) -> Mutexes {
    let mut operations = module.functions.iter().flat_map(operations);
    let by_pointer =
        mentioned_functions(module).into_iter().any(|id| plain(&module.functions[id].name).is_some());
    if by_pointer || operations.any(|(_, operation)| asks(module, operation)) {
        return Mutexes::Owned;
    }
    let globals = module.globals.iter().map(|global| initialised(module, global));
    let functions = module.functions.iter().map(|function| written(module, function));
    globals.chain(functions).max().unwrap_or(Mutexes::Plain)
}

fn operations(function: &Function) -> impl Iterator<Item = (Option<ValueId>, &Operation)> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    instructions.map(|instruction| (instruction.result, &instruction.operation))
}

/// Where a mutex has its kind, and its size.
fn layout(module: &Module) -> (u64, u64) {
    if module.pointer_bytes == 8 { (16, 40) } else { (12, 24) }
}

/// What a function writes to where a mutex would have its kind: a local variable, or a mutex made anew.
fn written(module: &Module, function: &Function) -> Mutexes {
    let (kind, _) = layout(module);
    let member = |(result, operation): (Option<ValueId>, &Operation)| match operation {
        Operation::Offset { constant, terms, .. } if *constant == kind.cast_signed() && terms.is_empty() => {
            result
        }
        _ => None,
    };
    let members: BTreeSet<ValueId> = operations(function).filter_map(member).collect();
    let changes = |(_, operation): (Option<ValueId>, &Operation)| match operation {
        Operation::Store { address: Operand::Value(address), value, .. } if members.contains(address) => {
            !matches!(value, Operand::Constant(Constant::Integer { value: 0 | 3, .. }))
        }
        _ => false,
    };
    if operations(function).any(changes) { Mutexes::Unsure } else { Mutexes::Plain }
}

/// For a function that is told the kind of a mutex: the plain kinds.
fn plain(function: &str) -> Option<&'static [u128]> {
    match function {
        "pthread_mutexattr_settype" => Some(&[0, 3]),
        "mtx_init" => Some(&[0, 2]),
        _ => None,
    }
}

/// `pthread_mutexattr_settype(…, kind)` and `mtx_init(…, type)`, unless what is asked for is plain.
fn asks(module: &Module, operation: &Operation) -> bool {
    let Operation::Call { callee: Callee::Function(callee), arguments, .. } = operation else { return false };
    let Some(plain) = plain(&module.functions[*callee].name) else { return false };
    let given = arguments.get(1).map(|(operand, _)| operand);
    !matches!(given, Some(Operand::Constant(Constant::Integer { value, .. })) if plain.contains(value))
}

/// What the initialiser of a variable says: somewhere in it there are zeros, a kind, and zeros again.
fn initialised(module: &Module, global: &Global) -> Mutexes {
    let (kind, size) = layout(module);
    let Some(initialiser) = &global.initialiser else { return Mutexes::Plain };
    for (at, bytes) in &initialiser.bytes {
        for (number, _) in bytes.iter().enumerate().filter(|(_, byte)| matches!(byte, 1 | 2)) {
            let place = at + number as u64;
            let Some(start) = place.checked_sub(kind).filter(|start| start + size <= global.size) else {
                continue;
            };
            let zero = |offset: u64| offset == place || byte_at(&initialiser.bytes, offset) == 0;
            if (start..start + size).all(zero) {
                return if global.size == size { Mutexes::Owned } else { Mutexes::Unsure };
            }
        }
    }
    Mutexes::Plain
}

fn byte_at(pieces: &[(u64, Vec<u8>)], offset: u64) -> u8 {
    let piece = pieces.iter().rfind(|(at, _)| *at <= offset);
    let byte = piece.and_then(|(at, bytes)| bytes.get(usize::try_from(offset - at).ok()?));
    byte.copied().unwrap_or(0)
}
