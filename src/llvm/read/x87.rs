//! Functions whose floating-point numbers an x87 unit computes.
//!
//! Its registers have more bits than `float` and `double`, and when a result is rounded to its type is for the compiler to say. What is
//! computed there is not modelled. Processors for 64 bits compute with SSE, as the types say; for 32 bits we compile for one that has SSE2.
//! Of bitcode its own attributes tell.

use crate::ir::{Cast, Function, Intrinsic, Operation};

/// Whether a function computes on an x87 unit, by its `target-features` and the module's triple.
pub fn computes(features: Option<&str>, triple: &str) -> bool {
    let has = |wanted: &str| features.is_some_and(|all| all.split(',').any(|feature| feature == wanted));
    let narrow = ["i386", "i486", "i586", "i686"].iter().any(|start| triple.starts_with(start));
    if narrow { !has("+sse2") } else { triple.starts_with("x86_64") && (has("-sse2") || has("-sse")) }
}

/// What may be more precise than its type becomes what is not modelled.
pub fn leave_open(function: &mut Function) {
    for instruction in function.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
        if may_be_wider(&instruction.operation) {
            let what = "floating-point arithmetic of an x87 unit, which is more precise than the types say";
            instruction.operation = Operation::Unsupported(what.to_owned());
        }
    }
}

fn may_be_wider(operation: &Operation) -> bool {
    match operation {
        Operation::FloatBinary { .. } => true,
        Operation::Cast { cast, .. } => matches!(cast, Cast::SignedToFloat | Cast::UnsignedToFloat),
        Operation::Intrinsic { intrinsic, .. } => {
            matches!(intrinsic, Intrinsic::FloatMultiplyAdd | Intrinsic::SquareRoot)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::computes;

    #[test]
    fn without_sse_there_is_an_x87_unit() {
        assert!(computes(None, "i386-pc-linux-gnu"));
        assert!(computes(Some("+cmov,+cx8,+x87"), "i686-unknown-linux-gnu"));
        assert!(!computes(Some("+cmov,+mmx,+sse,+sse2,+x87"), "i386-pc-linux-gnu"));
        assert!(!computes(Some("+sse,+sse2,+x87"), "x86_64-pc-linux-gnu"));
        assert!(!computes(None, "x86_64-pc-linux-gnu"));
        assert!(computes(Some("+x87,-sse2"), "x86_64-pc-linux-gnu"));
        assert!(!computes(None, ""), "nothing says so");
    }
}
