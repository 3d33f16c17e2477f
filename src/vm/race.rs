//! Data races: two threads can access the same bytes next, one of them writes, and not both accesses are atomic.
//!
//! A thread stops before it accesses what others can reach, and notes what it is about to do. Whoever is chosen compares:
//! the fault is told where bytes are accessed that another thread is about to write. Within an atomic section nobody
//! stops: accesses there are compared with those that wait outside, and a write there with reads, too, because the reader
//! would find nobody. Copies are looked at, and an object that is freed is written to as a whole. Other functions that the
//! machine provides (copies of strings and the like) are not looked at.

use super::Settings;
use crate::ir::undefined::Fault;
use crate::vm::code::Access;
use crate::vm::names;
use crate::vm::run::{Run, Step, ThreadState};
use crate::vm::value::{ObjectId, Slot};

/// An access that is about to happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Next {
    object: ObjectId,
    start: u64,
    end: u64,
    access: Access,
    atomic: bool,
}

impl Next {
    /// The object, and the rest as words.
    pub fn parts(self) -> (ObjectId, [u64; 3]) {
        let flags = u64::from(self.access == Access::Write) | u64::from(self.atomic) << 1;
        (self.object, [self.start, self.end, flags])
    }

    /// From its parts.
    pub fn of_parts(object: ObjectId, [start, end, flags]: [u64; 3]) -> Self {
        let access = if flags & 1 != 0 { Access::Write } else { Access::Read };
        Self { object, start, end, access, atomic: flags & 2 != 0 }
    }

    /// Whether this access, which is made now, meets another one that is about to happen.
    fn meets(self, other: Self, section: Section) -> bool {
        let writes =
            other.access == Access::Write || section == Section::Inside && self.access == Access::Write;
        let meet = self.object == other.object && self.start < other.end && other.start < self.end;
        writes && meet && !(self.atomic && other.atomic)
    }
}

/// Where an access is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// In an atomic section.
    Inside,
    Outside,
}

/// Whether the thread must stop before an access; what it is about to do is noted, and compared.
#[inline(always)]
pub(super) fn stops(run: &mut Run<'_>, address: Slot, bytes: u64, access: Access) -> Step<bool> {
    if !run.concurrent {
        return Ok(false);
    }
    let stops = run.pauses(address);
    if is_checked(run) && run.is_shared(address) {
        let next = next_access(run, address, bytes, access);
        if stops {
            run.thread.next = next.into_iter().collect();
        } else if let Some(next) = next {
            compare_accesses(run, next)?;
        }
    }
    Ok(stops)
}

/// The same for several accesses at once: those of a copy, or all bytes of an object that is freed. One grant serves
/// all of them.
pub(super) fn stops_for(run: &mut Run<'_>, accesses: &[(Slot, u64, Access)]) -> Step<bool> {
    let shared = |&&(address, bytes, _): &&(Slot, u64, Access)| bytes > 0 && run.is_shared(address);
    let shared: Vec<(Slot, u64, Access)> = accesses.iter().filter(shared).copied().collect();
    if !run.concurrent || shared.is_empty() {
        return Ok(false);
    }
    let stops = run.pauses_here();
    if is_checked(run) {
        let next =
            shared.iter().filter_map(|&(address, bytes, access)| next_access(run, address, bytes, access));
        let next: Vec<Next> = next.collect();
        if stops {
            run.thread.next = next;
        } else {
            next.into_iter().try_for_each(|next| compare_accesses(run, next))?;
        }
    }
    Ok(stops)
}

/// Whether the thread must stop before it frees an object: that is a write to all of it.
pub(super) fn stops_to_free(run: &mut Run<'_>, address: Slot) -> Step<bool> {
    let size = if address.is_address() { run.memory[address.object].size } else { 1 };
    let start = if address.is_address() { Slot { bits: 0, ..address } } else { address };
    // Nothing of an empty object is accessed; others have their turn all the same.
    stops_for(run, &[(start, size.max(1), Access::Write)])
}

/// Whether races are checked.
pub(super) fn is_checked(run: &Run<'_>) -> bool {
    is_asked(run.settings)
}

/// Whether settings ask for races.
pub(super) fn is_asked(settings: &Settings) -> bool {
    settings.checks.contains(&Fault::Race)
}

fn next_access(run: &Run<'_>, address: Slot, bytes: u64, access: Access) -> Option<Next> {
    let (object, start) =
        if address.is_address() { (address.object, address.bits) } else { run.memory.find(address.bits)? };
    let atomic = run.thread.atomic > 0 || is_atomic_here(run);
    Some(Next { object, start, end: start + bytes, access, atomic })
}

fn compare_accesses(run: &mut Run<'_>, next: Next) -> Step {
    let section = if run.thread.atomic > 0 { Section::Inside } else { Section::Outside };
    let own = run.thread.id as usize;
    let others = run.threads.iter().enumerate().filter(|(id, _)| *id != own);
    let waiting = others.filter(|(_, other)| other.state == ThreadState::Alive && other.wait.is_none());
    let other = waiting
        .flat_map(|(id, other)| other.next.iter().map(move |&other| (id, other)))
        .find(|(_, other)| next.meets(*other, section));
    let Some((id, _)) = other else { return Ok(()) };
    let name = names::path(run, next.object, next.start as usize, (next.end - next.start) as usize);
    run.fault(Fault::Race, |_| format!("thread {id} can access `{name}` at the same time"))
}

/// Whether the instruction at hand is atomic.
fn is_atomic_here(run: &Run<'_>) -> bool {
    let Some(frame) = run.thread.frames.last() else { return false };
    run.image.functions[frame.function].atomics.contains(&(run.thread.position - 1))
}
