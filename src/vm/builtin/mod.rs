//! Functions that the machine provides where a program only declares them: one file per family, one table each.

mod heap;
mod kept;
mod lock;
mod math;
mod missing;
pub(super) mod process;
mod scan;
mod scan_text;
mod stdio;
mod string;
mod sync;
mod thread;
mod verifier;

pub(super) use sync::{Key, Synchronisation};

use super::run::schedule::Wait;
use super::run::{Run, Step};
use super::value::{ObjectId, Slot, signed};
use crate::ir::FunctionId;
use std::collections::BTreeMap;

/// Does what a function does.
pub(super) type Handler = for<'r, 'a> fn(&'r mut Run<'a>, &Arguments) -> Step<Flow>;

/// The functions of a family.
type Table = &'static [(&'static str, Handler)];

/// The function of this name, or the one that says that it is not there.
pub(super) fn find(name: &str) -> Option<Handler> {
    find_own(name).or_else(|| missing::find(name))
}

/// The function of this name.
pub(super) fn find_own(name: &str) -> Option<Handler> {
    let tables = [
        heap::TABLE,
        lock::TABLE,
        math::TABLE,
        process::TABLE,
        stdio::TABLE,
        string::TABLE,
        sync::TABLE,
        thread::TABLE,
        verifier::TABLE,
    ];
    let exact = tables.iter().flat_map(|table| table.iter()).find(|(one, _)| *one == name);
    exact.map(|(_, handler)| *handler).or_else(|| verifier::input(name)).or_else(|| scan::find(name))
}

/// How a run goes on after such a function.
pub(super) enum Flow {
    /// It returns.
    Return(Slot),
    /// Its thread waits; the call is made again later.
    Blocked(Wait),
    /// Another thread may run first; the call is made again later.
    Again,
    /// Something else runs first, or the thread has ended.
    Elsewhere,
}

impl Flow {
    /// Returns a number.
    pub(super) fn number(value: u64) -> Step<Self> {
        Ok(Self::Return(Slot::number(value)))
    }

    /// Returns an `int`.
    pub(super) fn int(value: i32) -> Step<Self> {
        Self::number(u64::from(value as u32))
    }

    /// Returns a success, or nothing.
    pub(super) fn zero() -> Step<Self> {
        Self::number(0)
    }
}

/// The arguments of a call; each is defined, or the use of it was reported.
#[derive(Clone, Debug)]
pub(super) struct Arguments {
    pub function: FunctionId,
    slots: Vec<(Slot, u32)>,
    /// Width of the result that the caller wants, in bits; 0 if none.
    pub result: u32,
}

impl Arguments {
    pub(super) fn new(function: FunctionId) -> Self {
        Self { function, slots: Vec::new(), result: 0 }
    }

    pub(super) fn push(&mut self, slot: Slot, bits: u32) {
        self.slots.push((slot, bits));
    }

    /// The argument of this number; zero if there is none.
    pub(super) fn get(&self, number: usize) -> Slot {
        self.slots.get(number).map_or(Slot::ZERO, |(slot, _)| *slot)
    }

    /// Its width in bits.
    pub(super) fn bits(&self, number: usize) -> u32 {
        self.slots.get(number).map_or(32, |(_, bits)| *bits)
    }

    /// The argument as a number.
    pub(super) fn number(&self, run: &mut Run<'_>, number: usize) -> Step<u64> {
        Ok(run.number(self.get(number), self.bits(number))?.bits)
    }

    /// The argument as a signed number.
    pub(super) fn signed(&self, run: &mut Run<'_>, number: usize) -> Step<i64> {
        Ok(signed(self.number(run, number)?, self.bits(number)))
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Objects that the arguments point to.
    pub(super) fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.slots.iter().filter(|(slot, _)| slot.is_address()).map(|(slot, _)| slot.object)
    }
}

/// What the environment of a program keeps.
#[derive(Default)]
pub(super) struct Environment {
    /// Functions to be called at the end, the last one first.
    pub at_exit: Vec<FunctionId>,
    /// What `getenv` has returned, by name.
    pub texts: BTreeMap<Vec<u8>, u64>,
    /// `errno`, by thread.
    pub errno: BTreeMap<u32, ObjectId>,
    /// Copies of thread-local variables, by thread and original.
    pub thread_locals: BTreeMap<(u32, ObjectId), ObjectId>,
    /// Values of `pthread_setspecific`, by thread and key.
    pub specific: BTreeMap<(u32, u64), Slot>,
    /// Destructors of the keys.
    pub keys: Vec<Option<FunctionId>>,
}

impl Environment {
    /// Objects that it refers to.
    pub(super) fn objects(&self) -> impl Iterator<Item = ObjectId> {
        let kept = self.errno.values().chain(self.thread_locals.values()).copied();
        kept.chain(self.specific.values().map(|slot| slot.object))
    }
}
