//! Reachability in the control-flow graphs, along matching calls and returns, blind to data.
//!
//! Forwards: which nodes a run can come to. Control passes a call only if the callee can come to a return,
//! so what stands behind the call of a procedure that never returns is not reached. Backwards: which nodes
//! *matter*, because a checked property can be violated at them or behind them. This goes in two sweeps, so
//! that a helper called from everywhere does not make everything matter: first "a property can be violated
//! before this procedure returns", which passes from a procedure's entry to its callers, then "… after
//! it returns", which passes from behind a call to the callee's returns and never to other callers.
//!
//! In a program that starts threads every reachable node matters: what one thread does, or that it goes on
//! at all, may be what another needs.

use super::calls::CallGraph;
use super::{NodeSet, ProcedureSet};
use crate::boolean::cfg::{NodeId, Op, ProcedureId, Program, PropertyId};
use crate::ground::index::IndexVec;

/// What a run can come to.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The nodes.
    pub nodes: NodeSet,
    /// The procedures with such a node.
    pub procedures: ProcedureSet,
    /// The procedures that can return.
    pub returning: ProcedureSet,
}

impl Reach {
    /// What a run from the entry can come to.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut search = Forward {
            program,
            reach: Self {
                nodes: NodeSet::new(program.nodes.len()),
                procedures: ProcedureSet::new(program.procedures.len()),
                returning: ProcedureSet::new(program.procedures.len()),
            },
            waiting: program.procedures.iter().map(|_| Vec::new()).collect(),
            work: Vec::new(),
        };
        search.visit(program.procedures[program.entry].entry);
        while let Some(node) = search.work.pop() {
            search.expand(node);
        }
        search.reach
    }
}

struct Forward<'a> {
    program: &'a Program,
    reach: Reach,
    /// Reached calls of procedures not known to return.
    waiting: IndexVec<ProcedureId, Vec<NodeId>>,
    work: Vec<NodeId>,
}

impl Forward<'_> {
    fn visit(&mut self, node: NodeId) {
        if self.reach.nodes.insert(node) {
            self.reach.procedures.insert(self.program.nodes[node].procedure);
            self.work.push(node);
        }
    }

    fn pass(&mut self, node: NodeId) {
        let program = self.program;
        for &successor in &program.nodes[node].successors {
            self.visit(successor);
        }
    }

    fn expand(&mut self, node: NodeId) {
        let program = self.program;
        match program.nodes[node].op {
            Op::Call { procedure, .. } => {
                self.visit(program.procedures[procedure].entry);
                if self.reach.returning.contains(procedure) {
                    self.pass(node);
                } else {
                    self.waiting[procedure].push(node);
                }
            }
            Op::Return(_) => {
                let procedure = program.nodes[node].procedure;
                self.reach.returning.insert(procedure);
                for call in std::mem::take(&mut self.waiting[procedure]) {
                    self.pass(call);
                }
            }
            Op::StartThread { procedure, .. } => {
                self.visit(program.procedures[procedure].entry);
                self.pass(node);
            }
            Op::StartLabel(label) => {
                self.visit(label);
                self.pass(node);
            }
            _ => self.pass(node),
        }
    }
}

/// The reachable nodes at or behind which one of the properties can be violated.
#[must_use]
pub fn useful(program: &Program, calls: &CallGraph, reach: &Reach, checked: &[PropertyId]) -> NodeSet {
    if program.starts_threads() {
        return reach.nodes.clone();
    }
    let mut search = Backward::new(program, calls, reach);
    for &property in checked {
        search.visit(program.properties[property].node);
    }
    while let Some(node) = search.work.pop() {
        search.step_back(node);
        let procedure = program.nodes[node].procedure;
        if program.procedures[procedure].entry == node {
            calls.call_sites(procedure).iter().for_each(|&site| search.visit(site));
        }
    }
    search.work = search.useful.iter().collect();
    while let Some(node) = search.work.pop() {
        search.step_back(node);
        search.enter_callees_before(node);
    }
    search.useful
}

struct Backward<'a> {
    program: &'a Program,
    reach: &'a Reach,
    predecessors: IndexVec<NodeId, Vec<NodeId>>,
    returns: IndexVec<ProcedureId, Vec<NodeId>>,
    useful: NodeSet,
    work: Vec<NodeId>,
}

impl<'a> Backward<'a> {
    fn new(program: &'a Program, calls: &CallGraph, reach: &'a Reach) -> Self {
        let mut returns: IndexVec<ProcedureId, Vec<NodeId>> =
            program.procedures.iter().map(|_| Vec::new()).collect();
        for node in reach.nodes.iter() {
            let Op::Return(_) = program.nodes[node].op else { continue };
            let procedure = program.nodes[node].procedure;
            if !calls.call_sites(procedure).is_empty() {
                returns[procedure].push(node);
            }
        }
        let predecessors = predecessors(program);
        Self {
            program,
            reach,
            predecessors,
            returns,
            useful: NodeSet::new(program.nodes.len()),
            work: Vec::new(),
        }
    }

    fn visit(&mut self, node: NodeId) {
        if self.reach.nodes.contains(node) && self.useful.insert(node) {
            self.work.push(node);
        }
    }

    fn step_back(&mut self, node: NodeId) {
        for position in 0..self.predecessors[node].len() {
            let predecessor = self.predecessors[node][position];
            let passes = match self.program.nodes[predecessor].op {
                Op::Call { procedure, .. } => self.reach.returning.contains(procedure),
                _ => true,
            };
            if passes {
                self.visit(predecessor);
            }
        }
    }

    /// The callee of a call directly before a useful node matters at its returns.
    fn enter_callees_before(&mut self, node: NodeId) {
        for position in 0..self.predecessors[node].len() {
            let predecessor = self.predecessors[node][position];
            if let Op::Call { procedure, .. } = self.program.nodes[predecessor].op
                && self.reach.nodes.contains(predecessor)
            {
                // Once is enough: the returns stay useful.
                for returning in std::mem::take(&mut self.returns[procedure]) {
                    self.visit(returning);
                }
            }
        }
    }
}

/// The predecessors of every node.
#[must_use]
pub fn predecessors(program: &Program) -> IndexVec<NodeId, Vec<NodeId>> {
    let mut predecessors: IndexVec<NodeId, Vec<NodeId>> = program.nodes.iter().map(|_| Vec::new()).collect();
    for (id, node) in program.nodes.enumerate() {
        for &successor in &node.successors {
            predecessors[successor].push(id);
        }
    }
    predecessors
}
