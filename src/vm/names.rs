//! Names of objects and of places in them, as C writes them: `a[3]`, `dev.lock`, `malloc@12`.

use super::memory::Origin;
use super::run::Run;
use super::value::ObjectId;
use crate::ir::{DebugType, DebugTypeId, FunctionId, ValueId, Variable, debug};
use std::fmt::Write;

/// The name of a value: the variable's, or LLVM's.
pub(super) fn of_value(run: &Run<'_>, function: FunctionId, value: ValueId) -> String {
    let value = &run.module.functions[function].values[value];
    value.variable.as_ref().map_or(&value.name, |variable| &variable.name).clone()
}

fn variable<'r>(run: &'r Run<'_>, id: ObjectId) -> Option<&'r Variable> {
    match run.memory[id].origin {
        Origin::Global(global) => run.module.globals[global].variable.as_ref(),
        Origin::Local(function, value) => run.module.functions[function].values[value].variable.as_ref(),
        _ => None,
    }
}

/// The name of an object.
pub(super) fn of_object(run: &Run<'_>, id: ObjectId) -> String {
    if let Some(variable) = variable(run, id) {
        return variable.name.clone();
    }
    match run.memory[id].origin {
        Origin::Global(global) => run.module.globals[global].name.clone(),
        Origin::Function(function) => run.module.functions[function].name.clone(),
        Origin::Stream(stream) => ["stdin", "stdout", "stderr"][usize::from(stream)].to_owned(),
        Origin::Local(function, value) => of_value(run, function, value),
        Origin::Argument(function) => format!("argument-of-{}", run.module.functions[function].name),
        Origin::Heap(place) => match place {
            Some(place) => format!("heap@{}", place.line),
            None => "heap".to_owned(),
        },
        Origin::Environment(name) => name.to_owned(),
        Origin::Outside => "outside".to_owned(),
    }
}

/// The name of a place in an object.
pub(super) fn path(run: &Run<'_>, id: ObjectId, offset: usize, bytes: usize) -> String {
    typed_path(run, id, offset, bytes).0
}

/// The name of a place in an object, and its type if it is one variable, element or member. With no bytes given,
/// the largest part that starts there is meant.
pub(super) fn typed_path(
    run: &Run<'_>,
    id: ObjectId,
    offset: usize,
    bytes: usize,
) -> (String, Option<DebugTypeId>) {
    let mut name = of_object(run, id);
    let whole = bytes == 0 || bytes as u64 == run.memory[id].size;
    let ty = variable(run, id).and_then(|variable| variable.ty);
    if offset == 0 && (whole || ty.is_none()) {
        return (name, ty);
    }
    let (mut rest, mut ty) = (offset as u64, ty);
    while let Some(inner) = ty {
        let resolved = debug::resolve(&run.module.types, inner);
        match step_into(run, resolved, rest, &mut name) {
            Some((next, left)) => (ty, rest) = (next, left),
            None => break,
        }
        // What starts here and has the right size is what is meant.
        let size = ty.and_then(|ty| size_of(run, ty));
        if rest == 0 && (bytes == 0 || size == Some(bytes as u64)) {
            return (name, ty);
        }
    }
    if rest != 0 {
        let _ = write!(name, "+{}", super::value::signed(rest, run.pointer_bits()));
    }
    (name, if rest == 0 { ty } else { None })
}

/// The part of a type that an offset lies in: appends its name, returns its type and the offset in it.
fn step_into(
    run: &Run<'_>,
    ty: DebugTypeId,
    offset: u64,
    name: &mut String,
) -> Option<(Option<DebugTypeId>, u64)> {
    match &run.module.types[ty] {
        DebugType::Record { fields, .. } => {
            let inside = |field: &&crate::ir::Field| {
                field.offset <= offset * 8 && offset * 8 < field.offset + field.bits.max(1)
            };
            let field = fields.iter().find(inside)?;
            if !field.name.is_empty() {
                let _ = write!(name, ".{}", field.name);
            }
            Some((field.ty, offset - field.offset / 8))
        }
        DebugType::Array { element, lengths } => {
            let mut size = element.and_then(|element| size_of(run, element)).filter(|size| *size > 0)?;
            let mut strides: Vec<u64> = Vec::new();
            for length in lengths.iter().rev() {
                strides.push(size);
                size = size.saturating_mul((*length).max(1));
            }
            let mut rest = offset;
            for stride in strides.into_iter().rev() {
                let _ = write!(name, "[{}]", rest / stride);
                rest %= stride;
            }
            Some((*element, rest))
        }
        _ => None,
    }
}

/// The size of a type of C in bytes.
fn size_of(run: &Run<'_>, ty: DebugTypeId) -> Option<u64> {
    let (mut ty, mut factor) = (ty, 1u64);
    // Arrays of arrays are one type, so that this loop is short.
    for _ in 0..run.module.types.len() {
        match &run.module.types[debug::resolve(&run.module.types, ty)] {
            DebugType::Basic { bits, .. } | DebugType::Enumeration { bits, .. } => {
                return Some(factor * bits / 8);
            }
            DebugType::Pointer(_) => return Some(factor * u64::from(run.image.word)),
            DebugType::Record { size, .. } => return Some(factor * size),
            DebugType::Array { element: Some(element), lengths } => {
                factor = lengths.iter().fold(factor, |size, length| size.saturating_mul(*length));
                ty = *element;
            }
            _ => return None,
        }
    }
    None
}
