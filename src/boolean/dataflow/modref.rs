//! Which globals a procedure may read or write, its callees included.
//!
//! The plain may sets, transitive over calls: one pass over the components of the call graph, callees
//! first; members of a component share their sets. The sharper sets of [SW92] (read before written, written
//! on every path) are a by-product of [`liveness`](super::liveness). What a started thread does is not what
//! its starter does; in programs that start threads a shared variable may change between any two steps, and
//! these sets alone tell nothing.

use super::VariableSet;
use super::calls::CallGraph;
use super::effects::Effects;
use crate::boolean::cfg::{ProcedureId, Program, VariableId};
use crate::ground::index::IndexVec;
use std::sync::Arc;

/// The globals that procedures touch.
#[derive(Clone, Debug)]
pub struct ModRef {
    may_read: IndexVec<ProcedureId, Arc<VariableSet>>,
    may_write: IndexVec<ProcedureId, Arc<VariableSet>>,
}

impl ModRef {
    /// The sets of every procedure.
    #[must_use]
    pub fn new(program: &Program, calls: &CallGraph) -> Self {
        let (mut reads, mut writes) = direct(program);
        let empty = Arc::new(VariableSet::new(program.global_count));
        let mut may_read = IndexVec::filled(empty.clone(), program.procedures.len());
        let mut may_write = IndexVec::filled(empty, program.procedures.len());
        for members in calls.components() {
            close(program, calls, members, &mut reads, &mut may_read);
            close(program, calls, members, &mut writes, &mut may_write);
        }
        Self { may_read, may_write }
    }

    /// The globals that a call of the procedure may read.
    #[must_use]
    pub fn may_read(&self, procedure: ProcedureId) -> &VariableSet {
        &self.may_read[procedure]
    }

    /// The globals that a call of the procedure may change.
    #[must_use]
    pub fn may_write(&self, procedure: ProcedureId) -> &VariableSet {
        &self.may_write[procedure]
    }

    /// The globals that a call of the procedure may read or change.
    #[must_use]
    pub fn touched(&self, procedure: ProcedureId) -> VariableSet {
        let mut touched = self.may_read(procedure).clone();
        touched.union_with(self.may_write(procedure));
        touched
    }
}

type Lists = IndexVec<ProcedureId, Vec<VariableId>>;

/// The globals that the nodes of each procedure read and write themselves.
fn direct(program: &Program) -> (Lists, Lists) {
    let empty: Lists = program.procedures.iter().map(|_| Vec::new()).collect();
    let (mut reads, mut writes) = (empty.clone(), empty);
    for (id, node) in program.nodes.enumerate() {
        let effects = Effects::of(program, id);
        let global = |variable: &VariableId| program.is_global(*variable);
        reads[node.procedure].extend(effects.reads.into_iter().filter(global));
        writes[node.procedure].extend(effects.writes.into_iter().filter(global));
    }
    (reads, writes)
}

/// The closed sets of one component, whose callees outside it are closed already.
fn close(
    program: &Program,
    calls: &CallGraph,
    members: &[ProcedureId],
    direct: &mut Lists,
    closed: &mut IndexVec<ProcedureId, Arc<VariableSet>>,
) {
    let mut set = VariableSet::new(program.global_count);
    for &member in members {
        for variable in std::mem::take(&mut direct[member]) {
            set.insert(variable);
        }
        for &callee in calls.callees(member) {
            set.union_with(&closed[callee]);
        }
    }
    let set = Arc::new(set);
    for &member in members {
        closed[member] = set.clone();
    }
}
