//! The call stacks of all threads while a counterexample is told, and what the reader knows of them.
//!
//! A variable is *known* once the story has told its value. A known variable is told again only when it
//! changes; an unknown one when it is first read or written.

use super::story::{Change, Value, sorted};
use crate::boolean::cfg::{NodeId, Op, ProcedureId, Program, Scope, VariableId};
use crate::boolean::trace::{Action, Passive, Step, View};
use crate::ground::bits::Bits;

/// Whether the story tells what a step writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    /// It does.
    Aloud,
    /// Not now: the values stay unknown until they are used.
    Silent,
}

/// Where a new thread gets its locals from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Locals {
    /// It starts at a label: from its creator.
    Cloned,
    /// It starts with a procedure: parameters, and arbitrary values.
    Own,
}

/// A value that becomes known.
pub(super) enum Known {
    /// It has been so since the start of the run.
    AtStart(Value),
    /// It came up on the way.
    Here(Value),
}

/// Values and which of them are known.
struct Valuation {
    bits: Bits,
    known: Vec<bool>,
}

impl Valuation {
    fn new(bits: &Bits) -> Self {
        Self { bits: bits.clone(), known: vec![false; bits.len()] }
    }
}

struct Frame {
    procedure: ProcedureId,
    /// The node whose call made the frame.
    call: Option<NodeId>,
    /// Where control was last.
    node: Option<NodeId>,
    values: Valuation,
}

/// The state of the run as far as it is told.
pub(super) struct Frames<'p> {
    program: &'p Program,
    globals: Valuation,
    threads: Vec<Vec<Frame>>,
}

impl<'p> Frames<'p> {
    /// The first thread at the start of a run.
    pub fn new(program: &'p Program, initial: &View) -> Self {
        let values = Valuation::new(&initial.locals);
        let frame = Frame { procedure: program.entry, call: None, node: initial.node, values };
        Self { program, globals: Valuation::new(&initial.globals), threads: vec![vec![frame]] }
    }

    /// How many threads there have been.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// How many calls deep a thread is. The frame of `<start>` does not count.
    pub fn depth(&self, thread: usize) -> usize {
        let frames = &self.threads[thread];
        let hidden = frames.first().is_some_and(|frame| self.program.is_start(frame.procedure));
        frames.len().saturating_sub(1 + usize::from(hidden))
    }

    /// Makes variables known; those that were not.
    pub fn learn(&mut self, thread: usize, variables: Vec<VariableId>) -> Vec<Known> {
        let bottom = thread == 0 && self.depth(thread) == 0;
        let mut news = Vec::new();
        for variable in sorted(variables) {
            let global = self.program.is_global(variable);
            let Some((values, position)) = self.place(thread, variable) else { continue };
            if !std::mem::replace(&mut values.known[position], true) {
                let value = Value { variable, value: values.bits.get(position) };
                news.push(if global || bottom { Known::AtStart(value) } else { Known::Here(value) });
            }
        }
        news
    }

    /// Where the value of a variable is, as the top frame of a thread sees it.
    fn place(&mut self, thread: usize, variable: VariableId) -> Option<(&mut Valuation, usize)> {
        match self.program.variables[variable].scope {
            Scope::Global(position) => Some((&mut self.globals, position)),
            Scope::Local(procedure, position) => {
                let frame = self.threads[thread].last_mut().filter(|frame| frame.procedure == procedure)?;
                Some((&mut frame.values, position))
            }
        }
    }

    /// The parameters of a thread's new top frame; they become known.
    pub fn parameters(&mut self, thread: usize) -> Vec<Value> {
        let Some(frame) = self.threads[thread].last_mut() else { return Vec::new() };
        let mut values = Vec::new();
        for (position, &variable) in self.program.procedures[frame.procedure].parameters().iter().enumerate()
        {
            if !std::mem::replace(&mut frame.values.known[position], true) {
                values.push(Value { variable, value: frame.values.bits.get(position) });
            }
        }
        values
    }

    /// A step within the top frame of a thread. Silent steps change values without making them known.
    pub fn set(
        &mut self,
        thread: usize,
        after: &View,
        written: &[VariableId],
        telling: Telling,
    ) -> Vec<Change> {
        let mut changes = self.set_globals(&after.globals, written, telling);
        if after.node.is_none() {
            self.threads[thread].clear();
            return changes;
        }
        let program = self.program;
        if let Some(frame) = self.threads[thread].last_mut() {
            frame.node = after.node;
            let locals = &program.procedures[frame.procedure].locals;
            changes.extend(update(&mut frame.values, &after.locals, locals, written, telling));
        }
        changes
    }

    fn set_globals(&mut self, after: &Bits, written: &[VariableId], telling: Telling) -> Vec<Change> {
        let globals: Vec<VariableId> = self.program.globals().collect();
        update(&mut self.globals, after, &globals, written, telling)
    }

    /// A broadcast changed a frame of another thread.
    pub fn set_passive(&mut self, passive: &Passive) -> Vec<Change> {
        let program = self.program;
        let frames = self.threads.get_mut(passive.thread);
        let Some(frame) = frames.and_then(|frames| frames.get_mut(passive.depth)) else { return Vec::new() };
        let locals = &program.procedures[frame.procedure].locals;
        let changes = update(&mut frame.values, &passive.locals, locals, &[], Telling::Aloud);
        changes.into_iter().map(|change| Change { thread: Some(passive.thread), ..change }).collect()
    }

    /// A call: the new top frame.
    pub fn call(&mut self, thread: usize, node: NodeId, globals: &Bits, locals: &Bits) {
        self.set_globals(globals, &[], Telling::Aloud);
        let Op::Call { procedure, .. } = &self.program.nodes[node].op else { return };
        let entry = Some(self.program.procedures[*procedure].entry);
        let values = Valuation::new(locals);
        self.threads[thread].push(Frame { procedure: *procedure, call: Some(node), node: entry, values });
    }

    /// The return node that ends the top frame: the step's own, or where the unfolded call has arrived.
    pub fn return_node(&self, step: &Step) -> NodeId {
        match step.action {
            Action::Single => step.node,
            Action::Over(_) => {
                self.threads[step.thread].last().and_then(|frame| frame.node).unwrap_or(step.node)
            }
        }
    }

    /// The return of the top frame: what changes for the caller.
    pub fn leave(&mut self, thread: usize, after: &View) -> Vec<Change> {
        let left = self.threads[thread].pop();
        let call = left.and_then(|frame| frame.call).map(|node| &self.program.nodes[node].op);
        let results: Vec<VariableId> = match call {
            Some(Op::Call { results, .. }) => results.iter().flatten().copied().collect(),
            _ => Vec::new(),
        };
        self.set(thread, after, &results, Telling::Aloud)
    }

    /// A new thread; its number. One that starts at a label knows what its creator knows.
    pub fn start(&mut self, creator: usize, view: &View, locals: Locals) -> usize {
        let mut values = Valuation::new(&view.locals);
        let procedure = view.node.map_or(self.program.entry, |node| self.program.nodes[node].procedure);
        if locals == Locals::Cloned
            && let Some(frame) = self.threads[creator].last()
        {
            values.known.clone_from(&frame.values.known);
        }
        self.threads.push(vec![Frame { procedure, call: None, node: view.node, values }]);
        self.threads.len() - 1
    }
}

/// Takes new values over; what changed, or was written and not known.
fn update(
    values: &mut Valuation,
    after: &Bits,
    variables: &[VariableId],
    written: &[VariableId],
    telling: Telling,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for (position, &variable) in variables.iter().enumerate().filter(|_| telling == Telling::Aloud) {
        let (before, after) = (values.bits.get(position), after.get(position));
        let news = before != after || !values.known[position] && written.contains(&variable);
        if news {
            let before = values.known[position].then_some(before);
            changes.push(Change { thread: None, variable, before, after });
            values.known[position] = true;
        }
    }
    values.bits = after.clone();
    changes
}
