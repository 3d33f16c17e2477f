//! The state of a run: global values, threads, activations.

use super::ThreadId;
use super::arrays::{Base, Unknowns};
use super::evaluate::Values;
use super::layout::{Layout, Slot, Space, is_array};
use crate::ground::index::{Index, IndexVec};
use crate::program::{EdgeId, LocationId, ProcedureId, Program};
use crate::term::Symbol;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A value, as a run shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value (0 or 1) or a bit vector.
    Scalar(u128),
    /// An array.
    Array(Contents),
}

/// The cells of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// What all other cells hold, if that is not arbitrary.
    pub rest: Option<u128>,
    /// Cells that were written, in order.
    pub cells: BTreeMap<u128, u128>,
}

/// An activation of a procedure.
#[derive(Clone, Copy, Hash, Debug)]
pub(super) struct Activation {
    pub procedure: ProcedureId,
    pub location: LocationId,
    /// Where its scalars and its arrays start.
    pub base: (usize, usize),
    /// The edge of the caller.
    pub call: Option<EdgeId>,
}

/// A thread; it has ended if it has no activation.
#[derive(Clone, Debug, Default)]
pub(super) struct Thread {
    pub activations: Vec<Activation>,
    /// Values of all activations, one after the other.
    pub values: Values,
}

impl Thread {
    pub fn new(program: &Program, layout: &Layout, procedure: ProcedureId) -> Self {
        let mut thread = Self::default();
        thread.activate(program, layout, procedure, None);
        thread
    }

    pub fn activate(
        &mut self,
        program: &Program,
        layout: &Layout,
        procedure: ProcedureId,
        call: Option<EdgeId>,
    ) {
        let base = (self.values.scalars.len(), self.values.arrays.len());
        self.values.grow(&layout.frames[procedure]);
        let location = program.procedures[procedure].entry;
        self.activations.push(Activation { procedure, location, base, call });
    }

    pub fn deactivate(&mut self) {
        if let Some(activation) = self.activations.pop() {
            self.values.scalars.truncate(activation.base.0);
            self.values.arrays.truncate(activation.base.1);
        }
    }

    /// The activation below the last.
    pub fn caller(&self) -> Option<Activation> {
        self.activations.iter().rev().nth(1).copied()
    }
}

/// The state of a run.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub globals: Values,
    pub threads: IndexVec<ThreadId, Thread>,
    pub unknowns: Unknowns,
    /// Who is in an atomic section, and how deep.
    pub atomic: Option<ThreadId>,
    pub nesting: u32,
}

impl State {
    pub fn new(layout: &Layout) -> Self {
        let mut globals = Values::default();
        globals.grow(&layout.globals);
        Self { globals, threads: IndexVec::new(), unknowns: Unknowns::default(), atomic: None, nesting: 0 }
    }

    /// All of it, for comparisons.
    pub fn write(&self, to: &mut impl Hasher) {
        self.globals.write(to);
        for thread in self.threads.iter() {
            thread.activations.hash(to);
            thread.values.write(to);
        }
        self.unknowns.chosen().for_each(|cells| cells.hash(to));
        (self.atomic.map(Index::index), self.nesting).hash(to);
    }

    pub fn value(
        &self,
        program: &Program,
        layout: &Layout,
        thread: ThreadId,
        symbol: Symbol,
    ) -> Option<Value> {
        let slot = layout.slot(symbol)?;
        let (values, base) = match slot.space {
            Space::Global => (&self.globals, (0, 0)),
            Space::Local => {
                let thread = self.threads.get(thread)?;
                (&thread.values, thread.activations.last()?.base)
            }
        };
        let number = slot.number as usize;
        if !is_array(program, symbol) {
            return values.scalars.get(base.0 + number).copied().flatten().map(Value::Scalar);
        }
        let array = values.arrays.get(base.1 + number)?.as_ref()?;
        let rest = match array.base {
            Base::Constant(value) => Some(value),
            Base::Unknown(_) => None,
        };
        Some(Value::Array(Contents { rest, cells: array.written().into_iter().collect() }))
    }

    /// Copies a variable of the last activation of a thread to one that its caller sees.
    pub fn copy_result(
        &mut self,
        program: &Program,
        thread: ThreadId,
        (result, from): (Symbol, Slot),
        to: Slot,
    ) {
        let thread = &mut self.threads[thread];
        let (Some(callee), Some(caller)) = (thread.activations.last(), thread.caller()) else { return };
        let (from, to_number) = (from.number as usize, to.number as usize);
        if is_array(program, result) {
            let value = thread.values.arrays[callee.base.1 + from].clone();
            match to.space {
                Space::Global => self.globals.arrays[to_number] = value,
                Space::Local => thread.values.arrays[caller.base.1 + to_number] = value,
            }
        } else {
            let value = thread.values.scalars[callee.base.0 + from];
            match to.space {
                Space::Global => self.globals.scalars[to_number] = value,
                Space::Local => thread.values.scalars[caller.base.0 + to_number] = value,
            }
        }
    }
}
