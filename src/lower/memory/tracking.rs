//! Which memory may be accessed: sizes and lifetimes of objects that come into being at run time.
//!
//! If asked for, each such object starts at a multiple of one power of two that none of them exceeds, so that the start
//! of an object is found from any address in it; two arrays of ours hold its size and whether it lives.

use crate::checks::Event;
use crate::checks::code::Tracking;
use crate::ir::analysis::points_to::{Origin, Site};
use crate::ir::{Callee, Module, Operand, Operation, Type};
use crate::library::functions::{Known, known};
use crate::lower::body::Body;
use crate::lower::memory::layout::constant;
use crate::lower::memory::{is_dynamic, single};
use crate::lower::{Lowering, Settings, memory, sites};
use crate::term::{Operator, Sort, Symbol, Term};

/// Objects whose size is computed may have so many bits of address.
const COMPUTED: [u32; 2] = [16, 32];

/// Starts tracking, if a check needs it.
pub(in crate::lower) fn start(lowering: &mut Lowering<'_>) {
    let checked = lowering.checks.needs.objects;
    if !checked && !reallocates(lowering) {
        return;
    }
    let bits = lowering.pointer_bits();
    let size = lowering.ghost("<size>", Sort::Array { index: bits, element: bits });
    if !checked {
        lowering.memory.sizes = Some(size);
        return;
    }
    let alive = lowering.ghost("<alive>", Sort::Array { index: bits, element: 1 });
    let count = lowering.ghost("<allocated>", Sort::Bits(bits));
    let slot = slot(lowering);
    lowering.memory.sizes = Some(size);
    lowering.memory.tracking = Some(Tracking { size, alive, count, slot });
    single::watch(lowering);
}

/// Whether sizes of objects are needed for `realloc`.
fn reallocates(lowering: &Lowering<'_>) -> bool {
    let mut calls = lowering.points.reachable().iter().flat_map(|&function| sites(lowering.module, function));
    calls.any(|site| called(lowering.module, lowering.settings, site) == Some(Known::Reallocate))
}

/// A power of two that no allocation exceeds.
fn slot(lowering: &mut Lowering<'_>) -> u64 {
    let computed = 1u64 << COMPUTED[usize::from(lowering.module.pointer_bytes == 8)];
    let mut slot = 64;
    for &function in lowering.points.reachable() {
        let copies = lowering.module.functions[function].parameters.iter().filter_map(|p| p.copied);
        slot = copies.fold(slot, |slot, size| slot.max(size.next_power_of_two()));
        for site in sites(lowering.module, function) {
            slot = slot.max(further(lowering.module, site).next_power_of_two());
            if !is_dynamic(lowering, Origin::Heap(site)) {
                continue;
            }
            match allocated(lowering.module, lowering.settings, site) {
                None => {}
                Some(Some(size)) => slot = slot.max(size.max(1).next_power_of_two()),
                Some(None) => slot = slot.max(computed),
            }
        }
    }
    slot
}

/// Whether an object was made by a function that allocates memory.
pub(in crate::lower) fn is_allocation(lowering: &Lowering<'_>, site: Site) -> bool {
    allocated(lowering.module, lowering.settings, site).is_some()
}

/// How many bytes the arguments behind `...` may take, at most.
fn further(module: &Module, site: Site) -> u64 {
    let block = &module.functions[site.function].blocks[site.block];
    match &block.instructions[site.number].operation {
        Operation::Call { arguments, .. } => {
            arguments.iter().map(|(_, ty)| module.size_of(ty).next_multiple_of(8)).sum::<u64>().max(1)
        }
        _ => 1,
    }
}

/// The known function that an instruction calls.
pub(in crate::lower) fn called(module: &Module, settings: &Settings, site: Site) -> Option<Known> {
    let function = &module.functions[site.function];
    match &function.blocks[site.block].instructions[site.number].operation {
        Operation::Call { callee: Callee::Function(callee), .. } => {
            let callee = &module.functions[*callee];
            known(&callee.name, &settings.error_functions).filter(|_| !callee.is_defined())
        }
        _ => None,
    }
}

/// If an instruction allocates memory: how much, if that is a constant.
fn allocated(module: &Module, settings: &Settings, site: Site) -> Option<Option<u64>> {
    let function = &module.functions[site.function];
    match &function.blocks[site.block].instructions[site.number].operation {
        Operation::Allocate { size, count, .. } => {
            Some(constant(count).and_then(|count| count.checked_mul(*size)))
        }
        Operation::Call { callee: Callee::Function(callee), arguments, .. } => {
            let callee = &module.functions[*callee];
            let sizes =
                || arguments.iter().map(|(operand, _)| constant(operand)).collect::<Option<Vec<u64>>>();
            match known(&callee.name, &settings.error_functions).filter(|_| !callee.is_defined())? {
                Known::Allocate | Known::AllocateLocally | Known::AllocateZeroed => {
                    Some(sizes().and_then(|sizes| sizes.into_iter().try_fold(1u64, u64::checked_mul)))
                }
                Known::Reallocate => Some(arguments.get(1).and_then(|(operand, _)| constant(operand))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Objects that are tracked fit in a slot. Where one may be larger, control cuts off before it comes into being: gives
/// the number of bytes in the state behind the cut.
pub(in crate::lower) fn at_most_a_slot(body: &mut Body<'_, '_>, bytes: Term) -> Term {
    let Some(tracking) = body.lowering.memory.tracking else { return bytes };
    let limit = body.lowering.store.bits(body.lowering.pointer_bits(), u128::from(tracking.slot) + 1);
    let fits = body.lowering.store.unsigned_less(bytes, limit);
    if body.lowering.store.truth(fits) == Some(true) {
        return bytes;
    }
    let kept = body.kept("bytes", bytes);
    let too_large = body.lowering.store.not(fits);
    body.unsupported_if(too_large, "an object that is too large");
    body.read(kept)
}

/// An object comes into being.
pub(in crate::lower) fn born(body: &mut Body<'_, '_>, base: Term, bytes: Term, heap: bool) {
    if let Some(sizes) = body.lowering.memory.sizes {
        put(body, sizes, base, bytes);
    }
    let Some(tracking) = body.lowering.memory.tracking else { return };
    let one = body.lowering.store.bits(1, 1);
    put(body, tracking.alive, base, one);
    if heap {
        count(body, tracking, 1);
    }
}

/// Changes one cell of an array of ours.
fn put(body: &mut Body<'_, '_>, array: Symbol, index: Term, value: Term) {
    let old = body.read(array);
    let new = body.lowering.store.store(old, index, value);
    body.write(array, new);
}

fn count(body: &mut Body<'_, '_>, tracking: Tracking, by: i128) {
    let old = body.read(tracking.count);
    let by = body.lowering.store.bits(body.lowering.pointer_bits(), by.cast_unsigned());
    let new = body.lowering.store.binary(Operator::Add, old, by);
    body.write(tracking.count, new);
}

/// Whether the object that starts at an address lives.
pub(in crate::lower) fn lives(body: &mut Body<'_, '_>, tracking: Tracking, base: Term) -> Term {
    let alive = body.read(tracking.alive);
    let bit = body.lowering.store.select(alive, base);
    body.is_one(bit)
}

/// `free`: of null, or of the start of an object that lives.
pub(in crate::lower) fn free<'m>(body: &mut Body<'_, 'm>, arguments: &'m [(Operand, Type)]) {
    let address = body.term(&arguments[0].0);
    let address = body.kept("freed", address);
    body.tell(&Event::Free(address));
    free_at(body, address);
}

/// The object ends. If nothing was allocated there, nothing happens.
pub(in crate::lower) fn free_at(body: &mut Body<'_, '_>, address: Symbol) {
    body.tell(&Event::Freed);
    let Some(tracking) = body.lowering.memory.tracking else { return };
    memory::touch_objects(body);
    let address = body.read(address);
    single::end(body, address);
    if !single::may_free_others(body) {
        return;
    }
    let lives = lives(body, tracking, address);
    let (alive, gone) = (body.read(tracking.alive), body.lowering.store.bits(1, 0));
    let without = body.lowering.store.store(alive, address, gone);
    body.write(tracking.alive, without);
    let (old, one) = (body.read(tracking.count), body.lowering.store.bits(body.lowering.pointer_bits(), 1));
    let less = body.lowering.store.binary(Operator::Subtract, old, one);
    let new = body.lowering.store.choose(lives, less, old);
    body.write(tracking.count, new);
}

/// Origins of this kind are tracked.
pub(in crate::lower) fn is_tracked(lowering: &Lowering<'_>, origin: Origin) -> bool {
    match origin {
        Origin::Heap(site) => is_allocation(lowering, site),
        Origin::Local(..) | Origin::Copy(..) | Origin::Arguments(_) => true,
        Origin::Global(_) | Origin::Outside | Origin::Unset(_) => false,
    }
}
