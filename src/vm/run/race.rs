//! Data races: two threads can access the same bytes next, one of them writes, and not both accesses are atomic.
//!
//! A thread stops before it accesses what others can reach, and notes what it is about to do; whoever stops next compares.
//! Within an atomic section nobody stops: accesses there are compared with those that wait outside. Functions that the
//! machine provides (copies of strings and the like) are not looked at.

use super::{Run, Step, ThreadState};
use crate::ir::undefined::Fault;
use crate::vm::code::Access;
use crate::vm::value::{ObjectId, Slot};

/// An access that is about to happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::vm) struct Next {
    object: ObjectId,
    start: u64,
    end: u64,
    access: Access,
    atomic: bool,
}

impl Next {
    fn conflicts(self, other: Self) -> bool {
        let writes = self.access == Access::Write || other.access == Access::Write;
        let meet = self.object == other.object && self.start < other.end && other.start < self.end;
        writes && meet && !(self.atomic && other.atomic)
    }
}

impl Run<'_> {
    /// Whether the thread must stop before an access; what it is about to do is noted, and compared.
    #[inline(always)]
    pub(super) fn stops(&mut self, address: Slot, bytes: u64, access: Access) -> Step<bool> {
        if !self.concurrent {
            return Ok(false);
        }
        let stops = self.pauses(address);
        if (stops || self.thread.atomic > 0) && self.looks_for_races() {
            self.compare_accesses(address, bytes, access)?;
        }
        Ok(stops)
    }

    /// Whether races are checked.
    pub(super) fn looks_for_races(&self) -> bool {
        self.settings.checks.contains(&Fault::Race)
    }

    fn compare_accesses(&mut self, address: Slot, bytes: u64, access: Access) -> Step {
        if !address.is_address() || !self.is_shared(address) {
            return Ok(());
        }
        let atomic = self.thread.atomic > 0 || self.is_atomic_here();
        let next =
            Next { object: address.object, start: address.bits, end: address.bits + bytes, access, atomic };
        let own = self.thread.id as usize;
        let others = self.threads.iter().enumerate().filter(|(id, _)| *id != own);
        let waiting = others.filter(|(_, other)| other.state == ThreadState::Alive && other.wait.is_none());
        let other = waiting
            .filter_map(|(id, other)| Some((id, other.next?)))
            .find(|(_, other)| next.conflicts(*other));
        if let Some((id, _)) = other {
            let name = self.path_name(address.object, address.bits as usize, bytes as usize);
            return self.fault(Fault::Race, |_| format!("thread {id} can access `{name}` at the same time"));
        }
        self.thread.next = (self.thread.atomic == 0).then_some(next);
        Ok(())
    }

    /// Whether the instruction at hand is atomic.
    fn is_atomic_here(&self) -> bool {
        let Some(frame) = self.thread.frames.last() else { return false };
        self.image.functions[frame.function].atomics.contains(&(self.thread.position - 1))
    }
}
