//! Where a context may end: around steps that other threads can notice, or that can notice other threads.
//!
//! Any other step of a thread commutes with all steps of other threads. If a run does such a step at the beginning
//! of a context, the thread could as well have done it at the end of its context before. So nothing is lost if a
//! thread that goes on later leaves a context only before a visible step, and no run gets more context switches by that. A thread
//! that never goes on may not be able to get so far: it may block, or run in circles. It stops right after its last visible step.

use crate::boolean::cfg::{Expression, Node, NodeId, Op, ProcedureId, Program, Target};
use crate::ground::index::IndexVec;

/// Tells the visible steps of a program.
pub struct Visible<'p> {
    program: &'p Program,
    /// Whether the number of threads is bounded: then the end of a thread is visible.
    bounded: bool,
    /// Procedures whose results some caller puts into globals.
    writes_results: IndexVec<ProcedureId, bool>,
    /// Procedures whose frame may be the only one of a thread.
    roots: IndexVec<ProcedureId, bool>,
    /// Nodes at which a thread may be right after a visible step.
    after: IndexVec<NodeId, bool>,
}

/// How a context may end at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Not at all.
    No,
    /// The thread does nothing any more.
    ForGood,
    /// The thread may go on later.
    Any,
}

impl<'p> Visible<'p> {
    /// The visible steps of a program.
    pub fn new(program: &'p Program, bounded: bool) -> Self {
        let count = program.procedures.len();
        let mut found = Self {
            program,
            bounded,
            writes_results: IndexVec::filled(false, count),
            roots: IndexVec::filled(false, count),
            after: IndexVec::filled(false, program.nodes.len()),
        };
        found.roots[program.entry] = true;
        for node in program.nodes.iter() {
            match &node.op {
                Op::Call { procedure, results, .. } => {
                    let global = results.iter().flatten().any(|&result| program.is_global(result));
                    found.writes_results[*procedure] |= global;
                }
                Op::StartThread { procedure, .. } => found.roots[*procedure] = true,
                Op::StartLabel(target) => found.roots[program.nodes[*target].procedure] = true,
                _ => {}
            }
        }
        found.find_after();
        found
    }

    /// A call leads to the entry of a procedure, and later, perhaps right after something visible, to the next node.
    fn find_after(&mut self) {
        for (id, node) in self.program.nodes.enumerate() {
            let visible = self.is_visible(id);
            if let (true, Op::Call { procedure, .. }) = (visible, &node.op) {
                self.after[self.program.procedures[*procedure].entry] = true;
            }
            if visible || matches!(node.op, Op::Call { .. }) {
                node.successors.iter().for_each(|&next| self.after[next] = true);
            }
        }
    }

    /// How a context may end at a node.
    pub fn end_at(&self, node: NodeId) -> End {
        match (self.is_visible(node), self.after[node]) {
            (true, _) => End::Any,
            (false, true) => End::ForGood,
            (false, false) => End::No,
        }
    }

    /// Whether the step of a node is visible.
    fn is_visible(&self, node: NodeId) -> bool {
        let node = &self.program.nodes[node];
        let enforced = self.program.procedures[node.procedure].enforce.as_ref();
        enforced.is_some_and(|enforce| self.reads(enforce)) || self.is_visible_step(node)
    }

    fn is_visible_step(&self, node: &Node) -> bool {
        match &node.op {
            Op::Skip | Op::AtomicEnd => false,
            Op::Assume(condition) | Op::Assert(condition, _) => self.reads(condition),
            Op::Assign { targets, values, constrain } => {
                let written = |target: &Target| self.program.is_global(target.variable);
                targets.iter().any(written) || values.iter().chain(constrain).any(|value| self.reads(value))
            }
            Op::Call { arguments, .. } => arguments.iter().any(|argument| self.reads(argument)),
            Op::Return(values) => {
                self.writes_results[node.procedure]
                    || self.bounded && self.roots[node.procedure]
                    || values.iter().any(|value| self.reads(value))
            }
            // Whoever starts a section, or a thread, must wait until no other thread is in a section.
            Op::StartLabel(_) | Op::StartThread { .. } | Op::AtomicBegin => true,
            Op::EndThread => self.bounded,
        }
    }

    /// Whether an expression reads a global.
    fn reads(&self, expression: &Expression) -> bool {
        expression.variables().any(|read| self.program.is_global(read.variable))
    }
}
