//! Arguments behind `...`.
//!
//! The caller puts them side by side into an object of their own, whose address is one more parameter of the callee.
//! clang reads them through a `va_list`: on i386 that is the address of the next argument; on x86-64 it has counters
//! for registers, which we set as if all registers were used up, and the address of the arguments in memory.

use crate::ir::analysis::points_to::{Access, Origin};
use crate::ir::{FunctionId, Operand, Type};
use crate::lower::body::{Body, Step};
use crate::lower::calls::parameters;
use crate::lower::memory::{objects, parts};
use crate::lower::shadow::Shadowed;
use crate::lower::shadow::memory::write_shadowed;
use crate::lower::{memory, shadow};
use crate::term::{Symbol, Term};

/// Puts the arguments behind the parameters of a function into memory; a variable holds the address.
pub(in crate::lower) fn pass<'m>(
    body: &mut Body<'_, 'm>,
    callee: FunctionId,
    arguments: &'m [(Operand, Type)],
) -> Step<Option<Symbol>> {
    let function = &body.lowering.module.functions[callee];
    let further = arguments.get(function.parameters.len()..).unwrap_or(&[]);
    if !function.variadic {
        return Ok(None);
    }
    let word = u64::from(body.lowering.module.pointer_bytes);
    let sizes: Vec<u64> = further
        .iter()
        .map(|(_, ty)| body.lowering.module.size_of(ty).next_multiple_of(word).max(word))
        .collect();
    let origin = Origin::Arguments(callee);
    let bits = body.lowering.pointer_bits();
    let bytes = body.lowering.store.bits(bits, sizes.iter().sum::<u64>().into());
    let base = objects::take(body, origin, bytes, 16)?;
    let base = body.kept("arguments", base);
    let region = body.lowering.points.cells(origin).first().map(|cell| cell.region);
    let mut offset = 0;
    for ((operand, ty), size) in further.iter().zip(sizes) {
        if matches!(ty, Type::Aggregate { .. } | Type::Other { .. }) {
            return body.unsupported("a struct among variable arguments");
        }
        if let Some(region) = region {
            let content = shadow::shadowed(body, operand);
            let width = u32::try_from(size * 8).unwrap_or(128);
            let value = body.lowering.store.zero_extend(width, content.value);
            let shadow = content.shadow.map(|shadow| body.lowering.store.zero_extend(width, shadow));
            let base = body.read(base);
            for part in parts(&Access { offset, bits: width, region }) {
                write_shadowed(body, &part, base, Shadowed { value, shadow });
            }
        }
        offset += size;
    }
    Ok(Some(base))
}

/// At the entry of a function with `...`: a parameter says where its further arguments are.
pub(in crate::lower) fn receive(body: &mut Body<'_, '_>) {
    if body.function.variadic {
        body.further = Some(parameters::hidden(body, "arguments"));
    }
}

/// `va_start`.
pub(in crate::lower) fn start<'m>(body: &mut Body<'_, 'm>, list: &'m Operand) -> Step {
    let Some(further) = body.further else {
        return body.unsupported("va_start outside of a variadic function");
    };
    for access in memory::offer_written(body, list)? {
        let (at, value) = (body.term(list), list_member(body, access.offset, further));
        memory::write_piece(body, &access, at, value);
    }
    Ok(())
}

fn list_member(body: &mut Body<'_, '_>, offset: u64, further: Symbol) -> Term {
    match (body.lowering.module.pointer_bytes, offset) {
        // All registers of either kind are used up.
        (8, 0) => body.lowering.store.bits(32, 48),
        (8, 4) => body.lowering.store.bits(32, 176),
        _ => body.read(further),
    }
}
