//! The call graph and its strongly connected components.
//!
//! A procedure is recursive if it can call itself, directly or through others: if its component has several
//! members or it calls itself. Components come callees first, so that one pass over them sees every callee
//! summarised, recursion apart. Starting a thread is no call: the starter does not wait for it.

use crate::boolean::cfg::{NodeId, Op, ProcedureId, Program};
use crate::ground::graph;
use crate::ground::index::{Index, IndexVec};

/// Who calls whom.
#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: IndexVec<ProcedureId, Vec<ProcedureId>>,
    call_sites: IndexVec<ProcedureId, Vec<NodeId>>,
    calls_in: IndexVec<ProcedureId, Vec<NodeId>>,
    components: Vec<Vec<ProcedureId>>,
    component: IndexVec<ProcedureId, usize>,
}

impl CallGraph {
    /// The call graph of a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let none: IndexVec<ProcedureId, Vec<NodeId>> =
            program.procedures.iter().map(|_| Vec::new()).collect();
        let mut callees: IndexVec<_, Vec<ProcedureId>> =
            program.procedures.iter().map(|_| Vec::new()).collect();
        let (mut call_sites, mut calls_in) = (none.clone(), none);
        for (id, node) in program.nodes.enumerate() {
            if let Op::Call { procedure, .. } = node.op {
                callees[node.procedure].push(procedure);
                call_sites[procedure].push(id);
                calls_in[node.procedure].push(id);
            }
        }
        for list in callees.iter_mut() {
            list.sort_unstable();
            list.dedup();
        }
        let (components, component) = components(&callees);
        Self { callees, call_sites, calls_in, components, component }
    }

    /// The procedures a procedure calls, sorted.
    #[must_use]
    pub fn callees(&self, procedure: ProcedureId) -> &[ProcedureId] {
        &self.callees[procedure]
    }

    /// The nodes that call a procedure.
    #[must_use]
    pub fn call_sites(&self, procedure: ProcedureId) -> &[NodeId] {
        &self.call_sites[procedure]
    }

    /// The nodes of a procedure that call.
    #[must_use]
    pub fn calls_in(&self, procedure: ProcedureId) -> &[NodeId] {
        &self.calls_in[procedure]
    }

    /// The strongly connected components, callees before callers.
    #[must_use]
    pub fn components(&self) -> &[Vec<ProcedureId>] {
        &self.components
    }

    /// The position of a procedure's component.
    #[must_use]
    pub fn component_of(&self, procedure: ProcedureId) -> usize {
        self.component[procedure]
    }

    /// Whether a procedure can call itself, directly or through others.
    #[must_use]
    pub fn is_recursive(&self, procedure: ProcedureId) -> bool {
        self.components[self.component[procedure]].len() > 1
            || self.callees[procedure].binary_search(&procedure).is_ok()
    }
}

/// The components, callees first, members in order; and the component of every procedure.
fn components(
    callees: &IndexVec<ProcedureId, Vec<ProcedureId>>,
) -> (Vec<Vec<ProcedureId>>, IndexVec<ProcedureId, usize>) {
    let successors = |number| callees[ProcedureId::new(number)].iter().map(|callee| callee.index()).collect();
    let component = IndexVec::from_vec(graph::components::<Vec<usize>>(callees.len(), successors));
    let count = component.iter().max().map_or(0, |last| last + 1);
    let mut components = vec![Vec::new(); count];
    for (procedure, &number) in component.enumerate() {
        components[number].push(procedure);
    }
    (components, component)
}
