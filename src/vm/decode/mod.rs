//! From `ir` to the machine's code, once per program.

mod function;
mod image;
mod instruction;
pub mod operands;
mod promote;

pub(super) use image::unaligned_addresses;
pub use image::{decode, object_of_function, object_of_global};

use super::code::{Piece, Ref};
use super::value::{Slot, mask};
use crate::ir::{Constant, Module, Type};
use rustc_hash::FxHashMap;

/// Objects with more parts than this are not held in registers.
const LARGEST: usize = 4096;

/// The parts of a value of this type that fit a slot; nothing if the type is not modelled.
#[must_use]
pub fn pieces(module: &Module, ty: &Type) -> Option<Vec<Piece>> {
    let mut list = Vec::new();
    let mut work = vec![(0, ty)];
    while let Some((offset, ty)) = work.pop() {
        if list.len() > LARGEST {
            return None;
        }
        match ty {
            Type::Void => {}
            Type::Integer(bits) if *bits > 128 => return None,
            Type::Integer(bits) if *bits > 64 => {
                list.push(Piece { offset, bytes: 8, bits: 64 });
                let (rest, bytes) = ((*bits - 64) as u8, (bits.div_ceil(8) - 8) as u8);
                list.push(Piece { offset: offset + 8, bytes, bits: rest });
            }
            Type::Integer(bits) => {
                list.push(Piece { offset, bytes: bits.div_ceil(8) as u8, bits: *bits as u8 })
            }
            Type::Pointer | Type::Float | Type::Double => {
                let bytes = module.size_of(ty) as u8;
                list.push(Piece { offset, bytes, bits: bytes * 8 });
            }
            Type::Aggregate { members, .. } => {
                work.extend(members.iter().rev().map(|(inner, ty)| (offset + inner, ty)));
            }
            Type::Other { .. } => return None,
        }
    }
    Some(list)
}

/// The type of a constant.
#[must_use]
pub fn type_of(constant: &Constant) -> Type {
    match constant {
        Constant::Integer { bits, .. } => Type::Integer(*bits),
        Constant::Float(_) => Type::Float,
        Constant::Double(_) => Type::Double,
        Constant::Null | Constant::Global(..) | Constant::Function(_) => Type::Pointer,
        Constant::Zero(ty)
        | Constant::Aggregate(ty, _)
        | Constant::Undefined(ty)
        | Constant::Poison(ty)
        | Constant::Unsupported(ty, _) => ty.clone(),
    }
}

/// The constants of a program, each list of slots once.
#[derive(Default)]
struct Pool {
    slots: Vec<Slot>,
    known: FxHashMap<Vec<(u64, u64, u32)>, Ref>,
}

impl Pool {
    fn add(&mut self, slots: Vec<Slot>) -> Ref {
        use crate::ground::index::Index;
        let key = slots.iter().map(|slot| (slot.bits, slot.undefined, slot.object.index() as u32)).collect();
        *self.known.entry(key).or_insert_with(|| {
            let start = self.slots.len();
            self.slots.extend(slots);
            Ref::constant(start)
        })
    }
}

/// The slots of a constant.
fn constant_slots(module: &Module, constant: &Constant) -> Result<Vec<Slot>, String> {
    let unknown = |ty: &Type| format!("a value of type {ty:?}");
    let filled = |ty: &Type, slot: Slot| {
        pieces(module, ty).map(|list| vec![slot; list.len()]).ok_or_else(|| unknown(ty))
    };
    let word = mask(module.pointer_bits());
    Ok(match constant {
        Constant::Integer { bits, value } if *bits > 64 => {
            vec![Slot::number(*value as u64), Slot::number((*value >> 64) as u64)]
        }
        Constant::Integer { value, .. } => vec![Slot::number(*value as u64)],
        Constant::Float(bits) => vec![Slot::number(u64::from(*bits))],
        Constant::Double(bits) => vec![Slot::number(*bits)],
        Constant::Null => vec![Slot::ZERO],
        Constant::Global(id, offset) => vec![Slot::address(object_of_global(*id), *offset as u64 & word)],
        Constant::Function(id) => vec![Slot::address(object_of_function(module, *id), 0)],
        Constant::Zero(ty) => filled(ty, Slot::ZERO)?,
        Constant::Undefined(ty) | Constant::Poison(ty) => filled(ty, Slot::UNCHOSEN)?,
        Constant::Aggregate(_, members) => {
            let slots: Result<Vec<_>, _> = members.iter().map(|m| constant_slots(module, m)).collect();
            slots?.into_iter().flatten().collect()
        }
        Constant::Unsupported(_, text) => return Err(text.clone()),
    })
}

/// The number of a value's slots, for what is not modelled too.
fn slot_count(module: &Module, ty: &Type) -> u32 {
    pieces(module, ty).map_or(1, |list| list.len() as u32)
}
