//! Local objects: where they begin and end.

use crate::ir::ValueId;
use crate::vm::code::{Ref, Register};
use crate::vm::memory::{Contents, Lifetime, Origin, shadow};
use crate::vm::names;
use crate::vm::outcome::{Bound, End};
use crate::vm::run::{Run, Step};
use crate::vm::value::Slot;

/// A local object starts.
pub(super) fn allocate(
    run: &mut Run<'_>,
    value: ValueId,
    size: u64,
    (count, bits): (Slot, u32),
    align: u64,
    into: Register,
) -> Step {
    let count = run.number(count, bits)?;
    run.branch_on(count)?;
    let Some(size) = size.checked_mul(count.bits) else {
        return Err(Box::new(End::Bound(Bound::Memory)));
    };
    let Some(function) = run.thread.frames.last().map(|frame| frame.function) else { return Ok(()) };
    let id = run.new_object(Origin::Local(function, value), size, align, Contents::Fresh)?;
    if let Some(frame) = run.thread.frames.last_mut() {
        frame.objects.push(id);
    }
    run.set(into, Slot::address(id, 0));
    Ok(())
}

/// A local variable begins, maybe again: nobody knows what it holds. If it had ended, it is another object.
pub(super) fn start(run: &mut Run<'_>, local: Register, promoted: bool, read: bool) -> Step {
    if promoted {
        if read {
            let name = run.local_name(local);
            run.tell_beginning(&name);
        }
        run.set(local, Slot::UNCHOSEN);
        return Ok(());
    }
    let address = run.get(Ref(local));
    let object = &run.memory[address.object];
    let (origin, size, align) = (object.origin, object.size, object.align);
    if run.concurrent && run.is_shared(address) && run.pauses_here() {
        return run.switch();
    }
    if run.memory[address.object].lifetime == Lifetime::Live {
        run.forget_words(address.object, 0, size as usize)?;
        run.memory[address.object].mark(0, size as usize, shadow::FRESH);
    } else {
        let id = run.new_object(origin, size, align, Contents::Fresh)?;
        let objects = run.thread.frames.last_mut().into_iter().flat_map(|frame| &mut frame.objects);
        objects.filter(|object| **object == address.object).for_each(|object| *object = id);
        run.set(local, Slot::address(id, 0));
    }
    if read {
        let name = names::of_object(run, run.get(Ref(local)).object);
        run.tell_beginning(&name);
    }
    Ok(())
}

/// A local variable ends, though its function has not returned.
pub(super) fn end(run: &mut Run<'_>, local: Register) -> Step {
    let address = run.get(Ref(local));
    if run.concurrent && run.is_shared(address) && run.pauses_here() {
        return run.switch();
    }
    run.memory.end(address.object, Lifetime::Ended);
    Ok(())
}
