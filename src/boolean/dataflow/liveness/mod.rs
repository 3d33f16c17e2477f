//! Interprocedural live variables [SW92; Bas10, 10.9.1 and appendix C].
//!
//! Phase 1, callees first, finds for every procedure the globals that it reads before it writes them (REF),
//! and those that it writes on every path to a return (MOD). MOD is computed as the complement of "some
//! path leaves it alone", which makes both a least fixpoint of one and the same backward transfer, with
//! nothing or everything at the returns. Phase 2, callers first, is the plain analysis, a call being a
//! step that reads REF and overwrites MOD; at a return is live what is live behind some call, its results
//! taken out.
//!
//! A set per node ranges only over the locals of the procedure and the globals that it touches. What it
//! does not touch is live throughout if it is live when it returns, and is kept once per procedure. Within a
//! procedure, and within a component of mutually recursive ones, work is done from a worklist, so a program
//! without recursion costs one sweep over its nodes per phase.
//!
//! Deviations. Nothing is live at a node that does not matter ([`reach::useful`]). In a program that starts
//! threads a shared variable that any node reads is live everywhere, and a thread started at a label reads
//! what is live there. A local that occurs with `$` is live everywhere, and what is enforced in a
//! procedure is read at each of its nodes.

mod analysis;
mod frame;

use super::VariableSet;
use super::calls::CallGraph;
use super::modref::ModRef;
use super::reach::{self, Reach};
use crate::boolean::cfg::{NodeId, ProcedureId, Program, PropertyId, VariableId};
use crate::ground::index::{Index, IndexVec};
use analysis::Analysis;
use frame::{Frame, Slots};

/// Which variables may still be read, at every node.
#[derive(Clone, Debug)]
pub struct Liveness {
    frames: IndexVec<ProcedureId, Frame>,
    before: IndexVec<NodeId, Slots>,
    owner: IndexVec<NodeId, ProcedureId>,
    through: IndexVec<ProcedureId, VariableSet>,
    at_return: IndexVec<ProcedureId, VariableSet>,
    read_first: IndexVec<ProcedureId, VariableSet>,
    must_write: IndexVec<ProcedureId, VariableSet>,
    evaluations: u64,
}

/// The variables that are live at a node.
#[derive(Clone, Copy, Debug)]
pub struct Live<'a> {
    frame: &'a Frame,
    slots: &'a Slots,
    through: &'a VariableSet,
}

impl<'a> Live<'a> {
    /// Whether a variable, global or of the node's procedure, may still be read.
    #[must_use]
    pub fn contains(&self, variable: VariableId) -> bool {
        match self.frame.slot(variable) {
            Some(slot) => self.slots.contains(slot),
            None => self.through.contains(variable),
        }
    }

    /// The live ones among the locals and the globals that the procedure touches.
    pub fn touched(&self) -> impl Iterator<Item = VariableId> + use<'a> {
        let (frame, slots) = (self.frame, self.slots);
        slots.iter().map(|slot| frame.variables[slot.index()])
    }

    /// All live variables: those, and the globals that the procedure only passes on.
    pub fn iter(&self) -> impl Iterator<Item = VariableId> + use<'a> {
        self.touched().chain(self.through.iter())
    }
}

impl Liveness {
    /// The live variables of a program of which these properties are checked.
    #[must_use]
    pub fn of(program: &Program, checked: &[PropertyId]) -> Self {
        let calls = CallGraph::new(program);
        let touched = ModRef::new(program, &calls);
        Self::new(program, &calls, &touched, checked)
    }

    /// The same, where call graph and touched globals are known.
    #[must_use]
    pub fn new(program: &Program, calls: &CallGraph, touched: &ModRef, checked: &[PropertyId]) -> Self {
        let reach = Reach::new(program);
        let useful = reach::useful(program, calls, &reach, checked);
        let mut analysis = Analysis::new(program, calls, touched, useful);
        analysis.summarise();
        analysis.propagate();
        analysis.finish()
    }

    /// The same with calls that keep alive whatever is live at the entry of the callee, for any of its callers.
    ///
    /// An engine that summarises a procedure for the values of what is live at its entry needs this: a value
    /// forgotten before one call, because nothing behind that call reads it, would still tell apart the
    /// summaries of the callee.
    #[must_use]
    pub fn with_inputs(
        program: &Program,
        calls: &CallGraph,
        touched: &ModRef,
        checked: &[PropertyId],
    ) -> Self {
        let reach = Reach::new(program);
        let useful = reach::useful(program, calls, &reach, checked);
        let mut analysis = Analysis::new(program, calls, touched, useful);
        analysis.summarise();
        analysis.propagate();
        analysis.keep_inputs();
        analysis.finish()
    }

    /// What is live before a node.
    #[must_use]
    pub fn live_before(&self, node: NodeId) -> Live<'_> {
        let procedure = self.owner[node];
        Live { frame: &self.frames[procedure], slots: &self.before[node], through: &self.through[procedure] }
    }

    /// The globals that are live when a procedure has returned, its results not yet assigned: those that are
    /// live behind one of its calls and are no result of it.
    #[must_use]
    pub fn live_at_return(&self, procedure: ProcedureId) -> &VariableSet {
        &self.at_return[procedure]
    }

    /// REF: the globals that a call may read before it writes them.
    #[must_use]
    pub fn read_first(&self, procedure: ProcedureId) -> &VariableSet {
        &self.read_first[procedure]
    }

    /// MOD: the globals, of those it touches, that a call writes on every path on which it returns.
    #[must_use]
    pub fn must_write(&self, procedure: ProcedureId) -> &VariableSet {
        &self.must_write[procedure]
    }

    /// What the analysis cost: how many times a node was evaluated.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }
}
