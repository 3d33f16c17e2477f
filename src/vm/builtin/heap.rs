//! The heap.

use super::{Arguments, Flow, Run, Step, Table};
use crate::ir::undefined::Fault;
use crate::vm::Allocation;
use crate::vm::choices::ChoiceKind;
use crate::vm::memory::{Contents, Lifetime, Origin};
use crate::vm::value::{ObjectId, Slot, mask};
use crate::vm::{exact, names, race, range};

pub(super) const TABLE: Table = &[
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("free", free),
    ("cfree", free),
    ("alloca", alloca),
    ("__builtin_alloca", alloca),
    ("aligned_alloc", aligned_alloc),
    ("memalign", aligned_alloc),
    ("posix_memalign", posix_memalign),
];

/// A new object of the heap, or null if it fails.
fn allocate(run: &mut Run<'_>, size: u64, align: u64, contents: Contents) -> Step<Slot> {
    if run.settings.allocation == Allocation::MayFail && run.choose_whether(ChoiceKind::Allocation, "")? {
        return Ok(Slot::ZERO);
    }
    if size == 0 {
        exact::settle(run, "an allocation of no bytes")?;
    }
    let place = run.place();
    let id = run.new_object(Origin::Heap(place), size, align, contents)?;
    run.tell_allocation(id, place);
    Ok(Slot::address(id, 0))
}

fn malloc(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let size = arguments.number(run, 0)?;
    Ok(Flow::Return(allocate(run, size, 16, Contents::Fresh)?))
}

fn calloc(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let (count, size) = (arguments.number(run, 0)?, arguments.number(run, 1)?);
    let largest = mask(run.pointer_bits());
    match count.checked_mul(size).filter(|&bytes| bytes <= largest) {
        Some(bytes) => Ok(Flow::Return(allocate(run, bytes, 16, Contents::Zeros)?)),
        // C11 7.22.3.2: no object has so many bytes.
        None => Ok(Flow::Return(Slot::ZERO)),
    }
}

fn aligned_alloc(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let (align, size) = (arguments.number(run, 0)?, arguments.number(run, 1)?);
    Ok(Flow::Return(allocate(run, size, align.max(16), Contents::Fresh)?))
}

fn posix_memalign(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let (align, size) = (arguments.number(run, 1)?, arguments.number(run, 2)?);
    let address = allocate(run, size, align.max(16), Contents::Fresh)?;
    if address == Slot::ZERO {
        return Flow::int(12);
    }
    let word = run.memory.word;
    run.store(arguments.get(0), address, word, run.pointer_bits())?;
    Flow::zero()
}

fn alloca(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let size = arguments.number(run, 0)?;
    let Some(function) = run.thread.frames.last().map(|frame| frame.function) else { return Flow::zero() };
    let id = run.new_object(Origin::Argument(function), size, 16, Contents::Fresh)?;
    if let Some(frame) = run.thread.frames.last_mut() {
        frame.objects.push(id);
    }
    Ok(Flow::Return(Slot::address(id, 0)))
}

/// The object of the heap that starts at an address; nothing for null.
fn owned(run: &mut Run<'_>, address: Slot) -> Step<Option<ObjectId>> {
    if address.object == ObjectId::NONE && address.bits == 0 {
        return Ok(None);
    }
    let found = if address.is_address() {
        Some((address.object, address.bits))
    } else {
        run.memory.find(address.bits)
    };
    let Some((id, offset)) = found else {
        run.fault(Fault::Free, |_| format!("nothing was allocated at {:#x}", address.bits))?;
        return run.unsupported("a bad free");
    };
    let is_heap = matches!(run.memory[id].origin, Origin::Heap(_));
    if !is_heap || offset != 0 {
        let what = if is_heap { "not freed at its start" } else { "freed, and not of the heap" };
        run.fault(Fault::Free, |run| format!("`{}` is {what}", names::of_object(run, id)))?;
    }
    if run.memory[id].lifetime != Lifetime::Live {
        run.fault(Fault::Free, |run| run.ended_text(id))?;
    }
    Ok(Some(id))
}

fn free(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    if race::stops_to_free(run, arguments.get(0))? {
        return Ok(Flow::Again);
    }
    if let Some(id) = owned(run, arguments.get(0))? {
        let place = run.place();
        run.memory.end(id, Lifetime::Freed(place));
    }
    Flow::zero()
}

fn realloc(run: &mut Run<'_>, arguments: &Arguments) -> Step<Flow> {
    let size = arguments.number(run, 1)?;
    if race::stops_to_free(run, arguments.get(0))? {
        return Ok(Flow::Again);
    }
    let Some(old) = owned(run, arguments.get(0))? else {
        return Ok(Flow::Return(allocate(run, size, 16, Contents::Fresh)?));
    };
    if size == 0 {
        exact::settle(run, "an allocation of no bytes")?;
        let place = run.place();
        run.memory.end(old, Lifetime::Freed(place));
        return Flow::zero();
    }
    let address = allocate(run, size, 16, Contents::Fresh)?;
    if address != Slot::ZERO {
        let length = size.min(run.memory[old].size) as usize;
        // The old object ends: bytes that nobody chose need not be chosen now.
        range::copy_range(run, (address.object, 0), (old, 0), length)?;
        let place = run.place();
        run.memory.end(old, Lifetime::Freed(place));
    }
    Ok(Flow::Return(address))
}
