//! Which kinds of mutexes a program may have: those that know their owner (recursive and error-checking ones), or plain
//! ones only.
//!
//! A kind is asked for by an attribute or by an initialiser. A program without a call that asks for another kind than the
//! plain one, and without a constant that looks like the initialiser of one, has plain ones only.

use crate::ir::{Callee, Constant, Global, Module, Operand, Operation};

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
    let instructions = module.functions.iter().flat_map(|function| function.blocks.iter());
    let mut operations = instructions.flat_map(|block| &block.instructions).map(|it| &it.operation);
    if operations.any(|operation| asks(module, operation)) {
        return Mutexes::Owned;
    }
    module.globals.iter().map(|global| initialised(module, global)).max().unwrap_or(Mutexes::Plain)
}

/// `pthread_mutexattr_settype(…, kind)` and `mtx_init(…, type)`, unless what is asked for is plain.
fn asks(module: &Module, operation: &Operation) -> bool {
    let Operation::Call { callee: Callee::Function(callee), arguments, .. } = operation else { return false };
    let plain: &[u128] = match module.functions[*callee].name.as_str() {
        "pthread_mutexattr_settype" => &[0, 3],
        "mtx_init" => &[0, 2],
        _ => return false,
    };
    let given = arguments.get(1).map(|(operand, _)| operand);
    !matches!(given, Some(Operand::Constant(Constant::Integer { value, .. })) if plain.contains(value))
}

/// What the initialiser of a variable says: somewhere in it there are zeros, a kind, and zeros again.
fn initialised(module: &Module, global: &Global) -> Mutexes {
    let (size, kind) = if module.pointer_bytes == 8 { (40, 16) } else { (24, 12) };
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
