//! Concrete traces of Boolean programs: what a counterexample is.
//!
//! A trace tells each step by the node it executes and the executing thread's view of the state after it.
//! A call that has returned may be told as one step [`Action::Over`] with a reference to a [`Segment`]:
//! segments are shared, so that a trace through deep non-recursive calls is not exponentially long.

pub mod run;

use crate::boolean::cfg::{NodeId, PropertyId};
use crate::ground::bits::Bits;
use crate::ground::index::IndexVec;
use crate::index_types;

index_types! {
    /// A shared run of a procedure from entry to return.
    SegmentId,
}

/// What a thread sees: globals, its position, the locals of its top frame.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    /// The node of the top frame; `None` when the thread has ended.
    pub node: Option<NodeId>,
    /// The globals, in order.
    pub globals: Bits,
    /// The locals of the top frame, in the procedure's order.
    pub locals: Bits,
}

/// How a step is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// One step of the semantics.
    Single,
    /// A call, the run of the callee as this segment tells it, and the return.
    Over(SegmentId),
}

/// One step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// Which thread: 0 is the first; a started thread gets the next number, never reused.
    pub thread: usize,
    /// The node that is executed.
    pub node: NodeId,
    /// How.
    pub action: Action,
    /// The executing thread's view after the step.
    pub after: View,
    /// The view of the thread that the step started, if it started one.
    pub started: Option<View>,
    /// After a broadcast: the frames of other threads that it changed, by thread number and depth.
    pub passive: Vec<Passive>,
}

/// A frame of another thread that a broadcast changed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Passive {
    /// The number of the thread.
    pub thread: usize,
    /// Which of its frames: 0 is the first one, the deepest on the stack.
    pub depth: usize,
    /// The locals of the frame after the step.
    pub locals: Bits,
}

/// A run of a procedure from its entry to a return node, the return not included.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Segment {
    /// The view at the entry.
    pub initial: View,
    /// The steps; all of one thread and at the same or a deeper call depth.
    pub steps: Vec<Step>,
}

/// A counterexample.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The property it violates, in the state after the last step.
    pub property: PropertyId,
    /// The thread that violates it.
    pub thread: usize,
    /// The first thread's view at the start.
    pub initial: View,
    /// The steps.
    pub steps: Vec<Step>,
    /// The shared segments; a segment refers only to segments with smaller ids.
    pub segments: IndexVec<SegmentId, Segment>,
}
