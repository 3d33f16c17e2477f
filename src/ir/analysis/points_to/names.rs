//! What C calls a place of an object: `dev.lock`, `table[].port`, or `struct device.lock` if there are several objects.

use super::Origin;
use crate::ir::debug::resolve;
use crate::ir::{DebugType, DebugTypeId, Field, Module, Variable};
use std::fmt::Write as _;

/// What a name starts with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// The variable.
    ByObject,
    /// The record that it is, or else the variable.
    ByType,
}

/// How elements of arrays are called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    /// All alike: `a[]`.
    Alike,
    /// It is one element: `a[2]`, as the machine calls it.
    One,
}

/// The name and type of so many bits at an offset of an object; nothing if the object has no name in C. Elements of arrays
/// are all called alike (`table[].port`), unless it is known that just one is meant.
pub(super) fn describe(
    module: &Module,
    origin: Origin,
    offset: u64,
    bits: u64,
    naming: Naming,
    elements: Elements,
) -> Option<(String, Option<DebugTypeId>)> {
    let variable = variable(module, origin)?;
    let record = variable.ty.and_then(|ty| record_name(module, ty)).filter(|_| naming == Naming::ByType);
    let mut name = record.unwrap_or(&variable.name).to_owned();
    let ty = variable.ty.and_then(|ty| member(module, ty, offset * 8, bits, elements, &mut name));
    Some((name, ty))
}

fn record_name(module: &Module, ty: DebugTypeId) -> Option<&str> {
    match &module.types[resolve(&module.types, ty)] {
        DebugType::Record { name, .. } if !name.is_empty() => Some(name),
        _ => None,
    }
}

fn variable(module: &Module, origin: Origin) -> Option<&Variable> {
    match origin {
        Origin::Global(id) => module.globals[id].variable.as_ref(),
        Origin::Local(function, value) => module.functions[function].values[value].variable.as_ref(),
        Origin::Copy(function, parameter) => {
            let function = &module.functions[function];
            function.values[function.parameters[parameter].value].variable.as_ref()
        }
        Origin::Arguments(_) | Origin::Heap(_) | Origin::Outside | Origin::Unset(_) => None,
    }
}

/// Goes down into members as long as there is one that has these bits; the name grows on the way.
fn member(
    module: &Module,
    ty: DebugTypeId,
    offset: u64,
    bits: u64,
    elements: Elements,
    name: &mut String,
) -> Option<DebugTypeId> {
    let (mut ty, mut offset) = (ty, offset);
    // Types may be nested only as deep as there are types.
    for _ in 0..=module.types.len() {
        let resolved = resolve(&module.types, ty);
        match &module.types[resolved] {
            DebugType::Record { fields, .. } => {
                let Some(field) = fields.iter().find(|field| has(field, offset, bits)) else {
                    return if offset == 0 { Some(ty) } else { None };
                };
                if !field.name.is_empty() {
                    name.push('.');
                    name.push_str(&field.name);
                }
                offset -= field.offset;
                ty = field.ty?;
            }
            DebugType::Array { element: Some(element), lengths } => {
                let size = size_in_bits(module, *element)?;
                if size == 0 {
                    return None;
                }
                match elements {
                    Elements::Alike => name.push_str("[]"),
                    Elements::One => indices(lengths, offset / size, name),
                }
                (ty, offset) = (*element, offset % size);
            }
            _ => return Some(ty),
        }
    }
    None
}

/// The indices of an element, given its number from the start of the array.
fn indices(lengths: &[u64], number: u64, name: &mut String) {
    let mut rest = number;
    for inner in
        (1..lengths.len().max(1)).map(|from| lengths[from..].iter().product::<u64>().max(1)).chain([1])
    {
        let _ = write!(name, "[{}]", rest / inner);
        rest %= inner;
    }
}

fn has(field: &Field, offset: u64, bits: u64) -> bool {
    field.offset <= offset && offset + bits <= field.offset + field.bits
}

fn size_in_bits(module: &Module, ty: DebugTypeId) -> Option<u64> {
    let (mut ty, mut factor) = (ty, 1);
    for _ in 0..=module.types.len() {
        let bits = match &module.types[resolve(&module.types, ty)] {
            DebugType::Basic { bits, .. } | DebugType::Enumeration { bits, .. } => *bits,
            DebugType::Pointer(_) => u64::from(module.pointer_bits()),
            DebugType::Record { size, .. } => size * 8,
            DebugType::Array { element: Some(element), lengths } => {
                factor *= lengths.iter().product::<u64>();
                ty = *element;
                continue;
            }
            _ => return None,
        };
        return Some(bits * factor);
    }
    None
}
