//! A decoded program: its functions, and memory as it is before the first instruction.

use super::function::FunctionDecoder;
use super::{Pool, constant_slots};
use crate::ground::index::{Index, IndexVec};
use crate::ir::{FunctionId, Global, GlobalId, Module};
use crate::vm::Settings;
use crate::vm::code::Image;
use crate::vm::memory::{Contents, Lifetime, Memory, Object, Origin, shadow};
use crate::vm::value::{ObjectId, Slot};

/// The object of a global variable.
#[must_use]
pub fn object_of_global(global: GlobalId) -> ObjectId {
    ObjectId::new(1 + global.index())
}

/// The object of a function.
#[must_use]
pub fn object_of_function(module: &Module, function: FunctionId) -> ObjectId {
    ObjectId::new(1 + module.globals.len() + function.index())
}

/// The object of `stdin`, `stdout` or `stderr`.
#[must_use]
pub fn object_of_stream(module: &Module, stream: u8) -> ObjectId {
    ObjectId::new(1 + module.globals.len() + module.functions.len() + usize::from(stream))
}

/// Decodes a program.
#[must_use]
pub fn decode(module: &Module, settings: &Settings) -> Image {
    let mut pool = Pool::default();
    let functions = module.functions.ids();
    let functions = functions.map(|id| FunctionDecoder::decode(module, settings, &mut pool, id)).collect();
    Image {
        functions: IndexVec::from_vec(functions),
        constants: pool.slots,
        memory: memory(module),
        word: module.pointer_bytes,
    }
}

fn memory(module: &Module) -> Memory {
    let mut memory = Memory::new(module.pointer_bytes as usize);
    for (id, global) in module.globals.enumerate() {
        memory.add(global_object(module, id, global));
    }
    for id in module.functions.ids() {
        memory.add(Object::new(Origin::Function(id), 1, 16, Contents::Zeros));
    }
    for stream in 0..3 {
        memory.add(Object::new(Origin::Stream(stream), 1, 16, Contents::Zeros));
    }
    memory
}

/// The stream that an external variable of this name holds.
fn stream_of(name: &str) -> Option<u8> {
    ["stdin", "stdout", "stderr"].iter().position(|stream| *stream == name).map(|number| number as u8)
}

/// A global variable with its initial contents.
pub(in crate::vm) fn global_object(module: &Module, id: GlobalId, global: &Global) -> Object {
    let word = module.pointer_bytes as usize;
    let mut object = Object::new(Origin::Global(id), global.size, global.align, Contents::Zeros);
    object.constant = global.constant;
    let Some(initialiser) = &global.initialiser else {
        match stream_of(&global.name) {
            Some(stream) if object.size as usize >= word => {
                object.write_address(0, word, Slot::address(object_of_stream(module, stream), 0));
            }
            _ => object.mark(0, global.size as usize, shadow::HAVOCKED),
        }
        return object;
    };
    if initialiser.unsupported.is_some() {
        object.lifetime = Lifetime::Unsupported;
    }
    for (offset, bytes) in &initialiser.bytes {
        let start = *offset as usize;
        object.bytes[start..start + bytes.len()].copy_from_slice(bytes);
    }
    for (offset, constant) in &initialiser.addresses {
        let slot = constant_slots(module, constant).ok().and_then(|slots| slots.first().copied());
        write_initial(&mut object, *offset as usize, word, slot.unwrap_or(Slot::ZERO));
    }
    object
}

/// Addresses in packed structs may lie anywhere; those are written when memory is first used, see `observe_unaligned`.
fn write_initial(object: &mut Object, offset: usize, word: usize, slot: Slot) {
    if slot.is_address() && offset.is_multiple_of(word) {
        object.write_address(offset, word, slot);
    } else {
        object.write(offset, word, slot.bits);
    }
}

/// Addresses in initialisers that are not aligned: object, offset, address. The run gives them numbers at its start.
#[must_use]
pub(in crate::vm) fn unaligned_addresses(module: &Module) -> Vec<(ObjectId, usize, Slot)> {
    let word = u64::from(module.pointer_bytes);
    let mut list = Vec::new();
    for (id, global) in module.globals.enumerate() {
        for (offset, constant) in global.initialiser.iter().flat_map(|initialiser| &initialiser.addresses) {
            let slot = constant_slots(module, constant).ok().and_then(|slots| slots.first().copied());
            if let Some(slot) = slot.filter(|slot| slot.is_address() && !offset.is_multiple_of(word)) {
                list.push((object_of_global(id), *offset as usize, slot));
            }
        }
    }
    list
}
