//! The executable reference semantics of Boolean programs with threads [Bas10, 5.1].
//!
//! A state holds the globals and the whole call stack of every thread. One step is one node of one
//! thread. The relation is given twice, and tests hold the two against each other:
//! [`Interpreter::successors`] enumerates the steps of a state, every choice tried out;
//! [`Interpreter::permits`] tests whether one state may follow another, in time linear in the
//! statement, so that a step with thirty choices can be replayed. Both are written to be obviously
//! right rather than fast: everything else in this crate is measured against them.
//!
//! A caller's frame stays at its call node while the callee runs; the return assigns the results and
//! moves it on. A thread that has ended leaves the state, and the threads behind it move up.
//!
//! `v$` means the frames of the statement's procedure on the stacks of all other threads. Where
//! [Bas10, 5.1] gives one relation for one passive thread, ours must hold for every such frame; if there
//! is none, it must hold for some values of the `$` variables.

mod candidates;
mod evaluate;
mod permits;
mod product;
#[cfg(test)]
mod semantics;
mod start;
#[cfg(test)]
mod tests;

pub use product::Product;

use super::cfg::{NodeId, Op, ProcedureId, Program, PropertyId};
use super::expression::Values;
use crate::ground::bits::Bits;

/// How many threads may run at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// At most this many, at least 1. At the bound, starting a thread does nothing [Bas10, 5.2].
    AtMost(usize),
    /// Any number.
    Unbounded,
}

/// An active procedure of a thread.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Frame {
    /// The next node; for a frame below the top, the call that is being executed.
    pub node: NodeId,
    /// The parameters and locals, in the procedure's order.
    pub locals: Bits,
}

/// A thread: a stack of frames, the last one on top, never empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Thread {
    /// The frames.
    pub frames: Vec<Frame>,
}

/// A state of the whole program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// The globals, in order.
    pub globals: Bits,
    /// The threads that have not ended.
    pub threads: Vec<Thread>,
    /// The thread in an atomic section, if one is: only it runs.
    pub atomic: Option<usize>,
}

impl Thread {
    /// The frame that runs.
    ///
    /// # Panics
    /// If there is none: a thread without frames has ended and belongs in no state.
    #[must_use]
    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a live thread has a frame")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a live thread has a frame")
    }
}

impl State {
    /// With one more thread, which has this frame.
    pub(crate) fn with_thread(mut self, frame: Frame) -> Self {
        self.threads.push(Thread { frames: vec![frame] });
        self
    }

    /// Without a thread that ends. Its end releases its atomic section.
    pub(crate) fn without_thread(&self, thread: usize) -> Self {
        let mut next = self.clone();
        next.threads.remove(thread);
        next.atomic = match self.atomic {
            Some(holder) if holder == thread => None,
            Some(holder) if holder > thread => Some(holder - 1),
            holder => holder,
        };
        next
    }
}

/// One step and where it leads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Successor {
    /// The thread that did it, by its position in the state before.
    pub thread: usize,
    /// The node it executed.
    pub node: NodeId,
    /// The state after.
    pub state: State,
    /// What happened to the set of threads.
    pub effect: Effect,
}

/// What a step does to the set of threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// It started a thread: the last one of the new state.
    Started,
    /// It would have started a thread, but the bound was reached.
    Suppressed,
    /// The executing thread ended.
    Ended,
}

/// The semantics of one program.
#[derive(Clone, Copy, Debug)]
pub struct Interpreter<'p> {
    program: &'p Program,
    bound: Threads,
}

impl<'p> Interpreter<'p> {
    /// The semantics of a program under a bound on the threads.
    #[must_use]
    pub fn new(program: &'p Program, bound: Threads) -> Self {
        Self { program, bound }
    }

    /// The states in which the program may start: all values of the globals and of the entry's locals.
    pub fn initial_states(&self) -> impl Iterator<Item = State> + use<'p> {
        let entry = &self.program.procedures[self.program.entry];
        self.states_at_entry(vec![Values::BOTH; self.program.global_count + entry.locals.len()])
    }

    /// The states at the start with these values of globals and locals.
    fn states_at_entry(&self, sets: Vec<Values>) -> impl Iterator<Item = State> + use<'p> {
        let entry = &self.program.procedures[self.program.entry];
        let globals = self.program.global_count;
        Product::new(sets).map(move |values| State {
            globals: values[..globals].iter().copied().collect(),
            threads: vec![Thread {
                frames: vec![Frame {
                    node: entry.entry,
                    locals: values[globals..].iter().copied().collect(),
                }],
            }],
            atomic: None,
        })
    }

    /// All steps of a state, without repetition. There may be exponentially many in the number of choices;
    /// see [`candidates`](Self::candidates).
    #[must_use]
    pub fn successors(&self, state: &State) -> Vec<Successor> {
        let found: indexmap::IndexSet<Successor> = self.candidates(state).flatten().collect();
        found.into_iter().collect()
    }

    /// The properties that are violated in a state, each with the thread (by position) that violates it.
    #[must_use]
    pub fn violations(&self, state: &State) -> Vec<(usize, PropertyId)> {
        let mut found = Vec::new();
        for thread in (0..state.threads.len()).filter(|&thread| self.may_run(state, thread)) {
            let node = &self.program.nodes[state.threads[thread].top().node];
            found.extend(node.forbidden.iter().map(|&property| (thread, property)));
            if let Op::Assert(condition, property) = &node.op
                && self.can_fail(state, thread, condition)
            {
                found.push((thread, *property));
            }
        }
        found
    }

    /// Whether a thread may step: no other thread is in an atomic section, and what its procedure enforces
    /// can be true.
    #[must_use]
    pub fn may_run(&self, state: &State, thread: usize) -> bool {
        let Some(frame) = state.threads.get(thread).and_then(|thread| thread.frames.last()) else {
            return false;
        };
        let procedure = &self.program.procedures[self.procedure_of(frame)];
        state.atomic.is_none_or(|holder| holder == thread)
            && procedure.enforce.as_ref().is_none_or(|enforce| self.can_pass(state, thread, enforce))
    }

    /// Whether a state fits the program: known nodes, as many values as variables, no thread without frames.
    #[must_use]
    pub fn well_formed(&self, state: &State) -> bool {
        state.globals.len() == self.program.global_count
            && state.atomic.is_none_or(|holder| holder < state.threads.len())
            && state.threads.iter().all(|thread| !thread.frames.is_empty())
            && state.threads.iter().flat_map(|thread| &thread.frames).all(|frame| self.frame_fits(frame))
    }

    fn frame_fits(&self, frame: &Frame) -> bool {
        self.program.nodes.get(frame.node).is_some()
            && frame.locals.len() == self.program.procedures[self.procedure_of(frame)].locals.len()
    }

    fn procedure_of(&self, frame: &Frame) -> ProcedureId {
        self.program.nodes[frame.node].procedure
    }

    /// The only successor of a node that is neither a jump nor an end.
    fn successor_of(&self, node: NodeId) -> NodeId {
        self.program.nodes[node].successors[0]
    }

    /// Whether starting one more thread does nothing.
    fn is_full(&self, state: &State) -> bool {
        match self.bound {
            Threads::AtMost(bound) => state.threads.len() >= bound,
            Threads::Unbounded => false,
        }
    }
}
