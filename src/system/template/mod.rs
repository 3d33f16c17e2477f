//! What one thread runs: the program with its calls inlined [Bas10, 7.2].
//!
//! Without recursion a call stack is one of finitely many chains of calls, so the stack and the position in it can
//! be one *location*. A thread is then a location and the values of its *slots*: the frames of the chain lie side
//! by side, as on a machine's stack, and chains of the same depth use the same slots. Whether the thread is in an
//! atomic section is part of the location too: at most one thread is at a location where [`Atomicity::Held`].
//!
//! Every statement has become a [`Step`] of one shape: a condition, simultaneous writes, a constraint. The locations
//! are those that control can reach. A program in which control can reach a recursive call has no template, nor has
//! one that is too large inlined; [`Refusal`] says which.

mod build;
mod live;
#[cfg(test)]
mod tests;

use crate::boolean::cfg::{NodeId, ProcedureId, Program, PropertyId, Time};
use crate::boolean::expression;
use crate::boolean::interpret;
use crate::ground::bits::Bits;
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::{Reason, Stop};
use crate::index_types;

index_types! {
    /// A location: a chain of calls, and where control is in it.
    LocationId,
}

/// What one thread runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// The locations that control can reach.
    pub locations: IndexVec<LocationId, Location>,
    /// Where the first thread starts; its slots are arbitrary.
    pub start: LocationId,
    /// How many shared variables there are.
    pub shared: usize,
    /// How many slots the longest chain of calls needs.
    pub slots: usize,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The frames, the first one called first, the one that runs last.
    pub frames: Vec<FrameAt>,
    /// Whether a thread here keeps all others from running.
    pub atomicity: Atomicity,
    /// A thread here can do nothing, and violate nothing, unless this can be true. It reads current values only.
    pub enforce: Option<Expression>,
    /// What may be violated here.
    pub checks: Vec<Check>,
    /// The steps from here: any of them may be taken.
    pub steps: Vec<Step>,
    /// The slots whose values matter here, in order.
    pub live: Vec<usize>,
}

/// A frame of a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FrameAt {
    /// The next node; below the top, the call that is being executed.
    pub node: NodeId,
    /// The procedure of the frame.
    pub procedure: ProcedureId,
    /// Its first slot.
    pub base: usize,
}

/// Whether a thread is in an atomic section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atomicity {
    /// It is not.
    Free,
    /// It is: only this thread runs.
    Held,
}

/// Something that may be violated at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// The property.
    pub property: PropertyId,
    /// It is violated if this can be false; with [`Cell::Passive`] in it, if it can be false for some passive copy,
    /// or, if there is none, whatever the copy is.
    pub condition: Expression,
    /// The procedure whose frames are the passive copies, if the condition reads them.
    pub audience: Option<ProcedureId>,
}

/// A step of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The node that is executed.
    pub node: NodeId,
    /// The step is impossible unless this can be true. It reads current values only.
    pub assume: Option<Expression>,
    /// What is written, simultaneously; each cell at most once.
    pub writes: Vec<Write>,
    /// The step is impossible unless this can be true of the old and the new values. What is read as a next value is
    /// written.
    pub constrain: Option<Expression>,
    /// If the step reads or writes passive copies: they are the frames of this procedure on the stacks of the other
    /// threads, the condition and the constraint must be true and the values possible for every one of them, and if
    /// there is none, for some values of the copy.
    pub audience: Option<ProcedureId>,
    /// Where the thread goes; `None`: it ends.
    pub target: Option<LocationId>,
    /// The thread that is started, unless the bound on threads is reached.
    pub starts: Option<Start>,
}

/// A cell and its new value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Write {
    /// The cell.
    pub cell: Cell,
    /// The value, over current values; `None`: arbitrary.
    pub value: Option<Expression>,
}

/// A thread that is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// Where.
    pub location: LocationId,
    /// Its slots, from 0 on: each with its value over the current values of the starting thread; `None`: arbitrary.
    pub slots: Vec<Option<Expression>>,
}

/// A variable of the state, as a thread sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// A shared variable.
    Shared(usize),
    /// A slot of the thread itself.
    Slot(usize),
    /// The variable at this position in the frame that is the passive copy.
    Passive(usize),
}

/// A cell in an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The cell.
    pub cell: Cell,
    /// Before or after the step.
    pub time: Time,
}

/// An expression over cells.
pub type Expression = expression::Expression<Place>;

/// Why a program has no template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// These procedures call each other, the last one the first.
    Recursion(Vec<String>),
    /// A limit was reached, or the inlined program is too large.
    Stopped(Stop),
}

impl From<Refusal> for Reason {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Recursion(cycle) => Self::Recursion(cycle),
            Refusal::Stopped(stop) => stop.into(),
        }
    }
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl Template {
    /// Inlines the calls of a program.
    ///
    /// # Errors
    /// The program is recursive, or too large, or a limit was reached.
    pub fn new(program: &Program, limits: &Limits) -> Result<Self, Refusal> {
        build::build(program, limits)
    }

    /// Whether some step or check looks at passive copies.
    #[must_use]
    pub fn has_broadcasts(&self) -> bool {
        self.locations.iter().any(|location| {
            location.steps.iter().any(|step| step.audience.is_some())
                || location.checks.iter().any(|check| check.audience.is_some())
        })
    }

    /// Whether some step starts a thread.
    #[must_use]
    pub fn starts_threads(&self) -> bool {
        self.locations.iter().any(|location| location.steps.iter().any(|step| step.starts.is_some()))
    }

    /// The thread of the interpreter that is at a location with these slots.
    #[must_use]
    pub fn thread(&self, program: &Program, location: LocationId, slots: &Bits) -> interpret::Thread {
        let frame = |frame: &FrameAt| {
            let size = program.procedures[frame.procedure].locals.len();
            let locals = (frame.base..frame.base + size).map(|slot| slots.get(slot)).collect();
            interpret::Frame { node: frame.node, locals }
        };
        interpret::Thread { frames: self.locations[location].frames.iter().map(frame).collect() }
    }
}

impl Location {
    /// The frame that runs.
    ///
    /// # Panics
    /// If there is none, which no location has.
    #[must_use]
    pub fn top(&self) -> &FrameAt {
        self.frames.last().expect("a location has a frame")
    }

    /// The first slot of the frame of a procedure, if the procedure is active here. There is at most one such frame:
    /// two would be recursion.
    #[must_use]
    pub fn frame_of(&self, procedure: ProcedureId) -> Option<usize> {
        self.frames.iter().find(|frame| frame.procedure == procedure).map(|frame| frame.base)
    }
}

impl Place {
    /// A cell before the step.
    #[must_use]
    pub fn now(cell: Cell) -> Self {
        Self { cell, time: Time::Now }
    }
}
