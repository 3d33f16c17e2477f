//! Whether a program has mutexes that know their owner: recursive or error-checking ones.
//!
//! A wrong guess costs no wrong verdict: the model of plain mutexes says "unsupported" where it meets another one.

use crate::ir::{Callee, Constant, Global, Module, Operand, Operation};

/// Whether there may be such mutexes: an attribute or an argument asks for one, or an initialiser does.
pub(super) fn may_have_owners(module: &Module) -> bool {
    let instructions = module.functions.iter().flat_map(|function| function.blocks.iter());
    let mut operations = instructions.flat_map(|block| &block.instructions).map(|it| &it.operation);
    operations.any(|operation| asks(module, operation))
        || module.globals.iter().any(|global| is_owned(module, global))
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

/// A variable that is a mutex by its size, and whose initialiser names a kind.
fn is_owned(module: &Module, global: &Global) -> bool {
    let (size, kind) = if module.pointer_bytes == 8 { (40, 16) } else { (24, 12) };
    let Some(initialiser) = global.initialiser.as_ref().filter(|_| global.size == size) else { return false };
    let within = |(at, bytes): &(u64, Vec<u8>)| {
        let byte = usize::try_from(kind - at.min(&kind)).ok().filter(|_| *at <= kind);
        byte.and_then(|byte| bytes.get(byte)).is_some_and(|&byte| byte == 1 || byte == 2)
    };
    initialiser.bytes.iter().any(within)
}
