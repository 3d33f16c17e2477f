//! Constant strings.

use super::{Constant, Module, Operand};

/// The constant string that an operand points to, which nobody can change.
#[must_use]
pub fn text_of(module: &Module, operand: &Operand) -> Option<String> {
    let Operand::Constant(Constant::Global(global, offset)) = operand else { return None };
    let global = module.globals.get(*global)?;
    let initialiser = global.initialiser.as_ref().filter(|_| global.constant)?;
    let start = usize::try_from(*offset).ok()?;
    // What no piece covers is zero, and ends the string.
    let none = (0, Vec::new());
    let (_, bytes) = initialiser.bytes.first().filter(|(at, _)| *at == 0).unwrap_or(&none);
    let ends = (bytes.len() as u64) < global.size;
    let bytes = bytes.get(start..)?;
    let end = bytes.iter().position(|&byte| byte == 0).or(ends.then_some(bytes.len()))?;
    Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
}
