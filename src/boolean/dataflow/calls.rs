//! The call graph and its strongly connected components [Tar72].
//!
//! A procedure is recursive if it can call itself, directly or through others: if its component has several
//! members or it calls itself. Components come callees first, so that one pass over them sees every callee
//! summarised, recursion apart. Starting a thread is no call: the starter does not wait for it.

use crate::boolean::cfg::{NodeId, Op, ProcedureId, Program};
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

/// The state of the search for components: Tarjan's, with a stack of its own.
struct Search<'a> {
    callees: &'a IndexVec<ProcedureId, Vec<ProcedureId>>,
    /// When a procedure was entered, from 1; 0 is never.
    number: IndexVec<ProcedureId, usize>,
    low: IndexVec<ProcedureId, usize>,
    count: usize,
    open: Vec<ProcedureId>,
    component: IndexVec<ProcedureId, usize>,
    components: Vec<Vec<ProcedureId>>,
}

const OPEN: usize = usize::MAX;

fn components(
    callees: &IndexVec<ProcedureId, Vec<ProcedureId>>,
) -> (Vec<Vec<ProcedureId>>, IndexVec<ProcedureId, usize>) {
    let length = callees.len();
    let mut search = Search {
        callees,
        number: IndexVec::filled(0, length),
        low: IndexVec::filled(0, length),
        count: 0,
        open: Vec::new(),
        component: IndexVec::filled(OPEN, length),
        components: Vec::new(),
    };
    for root in callees.ids() {
        if search.number[root] == 0 {
            search.from(root);
        }
    }
    (search.components, search.component)
}

impl Search<'_> {
    fn from(&mut self, root: ProcedureId) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((procedure, next)) = path.last_mut() {
            let procedure = *procedure;
            if let Some(&callee) = self.callees[procedure].get(*next) {
                *next += 1;
                if self.number[callee] == 0 {
                    self.enter(callee);
                    path.push((callee, 0));
                } else if self.component[callee] == OPEN {
                    self.low[procedure] = self.low[procedure].min(self.number[callee]);
                }
            } else {
                path.pop();
                if let Some(&(caller, _)) = path.last() {
                    self.low[caller] = self.low[caller].min(self.low[procedure]);
                }
                self.leave(procedure);
            }
        }
    }

    fn enter(&mut self, procedure: ProcedureId) {
        self.count += 1;
        self.number[procedure] = self.count;
        self.low[procedure] = self.count;
        self.open.push(procedure);
    }

    fn leave(&mut self, procedure: ProcedureId) {
        if self.low[procedure] < self.number[procedure] {
            return;
        }
        let start = self.open.iter().rposition(|&member| member == procedure).expect("it is open");
        let mut members = self.open.split_off(start);
        members.sort_unstable_by_key(|member| member.index());
        for &member in &members {
            self.component[member] = self.components.len();
        }
        self.components.push(members);
    }
}
