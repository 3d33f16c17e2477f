//! Intrinsics of LLVM, by name.
//!
//! A name is a stem and the types that it is used at (`llvm.ctpop.i32`); the stem decides. What is not in the table is
//! unsupported, except for families that never do anything.

use super::layout;
use crate::ir::{Intrinsic, Operand, Type};

/// Stems, and what they mean.
const TABLE: [(&str, Intrinsic); 59] = [
    ("llvm.memcpy", Intrinsic::CopyMemory),
    ("llvm.memmove", Intrinsic::MoveMemory),
    ("llvm.memset", Intrinsic::SetMemory),
    ("llvm.sadd.with.overflow", Intrinsic::SignedAddOverflow),
    ("llvm.uadd.with.overflow", Intrinsic::UnsignedAddOverflow),
    ("llvm.ssub.with.overflow", Intrinsic::SignedSubtractOverflow),
    ("llvm.usub.with.overflow", Intrinsic::UnsignedSubtractOverflow),
    ("llvm.smul.with.overflow", Intrinsic::SignedMultiplyOverflow),
    ("llvm.umul.with.overflow", Intrinsic::UnsignedMultiplyOverflow),
    ("llvm.expect.with.probability", Intrinsic::First),
    ("llvm.expect", Intrinsic::First),
    ("llvm.launder.invariant.group", Intrinsic::First),
    ("llvm.strip.invariant.group", Intrinsic::First),
    ("llvm.annotation", Intrinsic::First),
    ("llvm.ptr.annotation", Intrinsic::First),
    ("llvm.var.annotation", Intrinsic::Nothing),
    ("llvm.lifetime.start", Intrinsic::StartLife),
    ("llvm.lifetime.end", Intrinsic::EndLife),
    ("llvm.donothing", Intrinsic::Nothing),
    ("llvm.prefetch", Intrinsic::Nothing),
    ("llvm.sideeffect", Intrinsic::Nothing),
    ("llvm.pseudoprobe", Intrinsic::Nothing),
    ("llvm.experimental.noalias.scope.decl", Intrinsic::Nothing),
    ("llvm.assume", Intrinsic::Assume),
    ("llvm.trap", Intrinsic::Trap),
    ("llvm.debugtrap", Intrinsic::Trap),
    ("llvm.ubsantrap", Intrinsic::Trap),
    ("llvm.ctpop", Intrinsic::CountOnes),
    ("llvm.ctlz", Intrinsic::LeadingZeros),
    ("llvm.cttz", Intrinsic::TrailingZeros),
    ("llvm.bswap", Intrinsic::SwapBytes),
    ("llvm.bitreverse", Intrinsic::ReverseBits),
    ("llvm.abs", Intrinsic::Absolute),
    ("llvm.smax", Intrinsic::SignedMax),
    ("llvm.smin", Intrinsic::SignedMin),
    ("llvm.umax", Intrinsic::UnsignedMax),
    ("llvm.umin", Intrinsic::UnsignedMin),
    ("llvm.fshl", Intrinsic::FunnelShiftLeft),
    ("llvm.fshr", Intrinsic::FunnelShiftRight),
    ("llvm.va_start", Intrinsic::StartArguments),
    ("llvm.va_end", Intrinsic::EndArguments),
    ("llvm.va_copy", Intrinsic::CopyArguments),
    ("llvm.stacksave", Intrinsic::SaveStack),
    ("llvm.stackrestore", Intrinsic::RestoreStack),
    ("llvm.objectsize", Intrinsic::ObjectSize),
    ("llvm.is.constant", Intrinsic::IsConstant),
    ("llvm.threadlocal.address", Intrinsic::ThreadLocalAddress),
    ("llvm.fabs", Intrinsic::FloatAbsolute),
    ("llvm.fmuladd", Intrinsic::FloatMultiplyAdd),
    ("llvm.sqrt", Intrinsic::SquareRoot),
    ("llvm.floor", Intrinsic::Floor),
    ("llvm.ceil", Intrinsic::Ceiling),
    ("llvm.trunc", Intrinsic::RoundTowardsZero),
    ("llvm.round", Intrinsic::Round),
    ("llvm.roundeven", Intrinsic::RoundEven),
    ("llvm.rint", Intrinsic::RoundEven),
    ("llvm.nearbyint", Intrinsic::RoundEven),
    ("llvm.copysign", Intrinsic::CopySign),
    ("llvm.is.fpclass", Intrinsic::IsOfClass),
];

/// The intrinsic with this name.
#[must_use]
pub fn named(name: &str) -> Option<Intrinsic> {
    let fits = |stem: &str| name == stem || name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'));
    // `llvm.memcpy.element.unordered.atomic` and `llvm.memcpy.inline` are not plain copies of the same arguments.
    if name.contains(".element.unordered.") {
        return None;
    }
    TABLE
        .iter()
        .filter(|(stem, _)| fits(stem))
        .max_by_key(|(stem, _)| stem.len())
        .map(|&(_, intrinsic)| intrinsic)
}

/// Whether it is used at types that are modelled; the first argument and the result may be anything if nothing happens.
#[must_use]
pub fn is_modelled(intrinsic: Intrinsic, arguments: &[(Operand, Type)], result: &Type) -> bool {
    matches!(intrinsic, Intrinsic::Nothing | Intrinsic::IsConstant)
        || arguments.iter().map(|(_, ty)| ty).chain([result]).all(layout::is_modelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_stem_decides() {
        assert_eq!(named("llvm.memcpy.p0.p0.i32"), Some(Intrinsic::CopyMemory));
        assert_eq!(named("llvm.expect.with.probability.i64"), Some(Intrinsic::First));
        assert_eq!(named("llvm.smax.i32"), Some(Intrinsic::SignedMax));
        assert_eq!(named("llvm.trap"), Some(Intrinsic::Trap));
    }

    #[test]
    fn what_only_looks_alike_is_unknown() {
        assert_eq!(named("llvm.memcpy.element.unordered.atomic.p0.p0.i32"), None);
        assert_eq!(named("llvm.absolutely"), None);
        assert_eq!(named("llvm.eh.sjlj.setjmp"), None);
    }
}
