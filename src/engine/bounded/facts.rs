//! What the search knows of a program before it begins: loops, calls, live variables, and the order of work.
//!
//! The order follows [Bas10, 10.6]: nodes nearer to a return wait for those farther away, so that all ways to a node are
//! merged before it is executed. Algorithm 10.1 orders nodes by the size of what comes after them, which inside
//! loops says little. Here strongly connected components of the control flow come first in topological order, so that
//! what comes after a loop is executed once for all of its unrollings; inside a component nodes are in reverse
//! postorder, and an edge that goes back in it begins the next unrolling.

use crate::boolean::cfg::{Copy, NodeId, Op, ProcedureId, Program, PropertyId};
use crate::boolean::dataflow::calls::CallGraph;
use crate::boolean::dataflow::liveness::Liveness;
use crate::boolean::dataflow::modref::ModRef;
use crate::ground::graph;
use crate::ground::index::{Index, IndexVec};

/// Facts about a program of which some properties are asked about.
pub struct Facts<'p> {
    /// The program.
    pub program: &'p Program,
    /// Who calls whom.
    pub calls: CallGraph,
    /// Which globals a procedure may change.
    pub touched: ModRef,
    /// Which variables may still be read.
    pub liveness: Liveness,
    /// The properties that are asked about.
    pub asked: Vec<PropertyId>,
    component: Vec<usize>,
    rank: IndexVec<NodeId, usize>,
    may_fail: IndexVec<ProcedureId, bool>,
}

/// The place of a node in the order of work: its component of the control flow, the first one being the smallest, and
/// its place there.
pub type Place = (usize, usize);

impl<'p> Facts<'p> {
    /// The facts about a program.
    pub fn new(program: &'p Program, asked: &[PropertyId]) -> Self {
        let calls = CallGraph::new(program);
        let touched = ModRef::new(program, &calls);
        let liveness = Liveness::with_inputs(program, &calls, &touched, asked);
        let successors = |node| -> Vec<usize> {
            program.nodes[NodeId::new(node)].successors.iter().map(|s| s.index()).collect()
        };
        let component = graph::components(program.nodes.len(), successors);
        let may_fail = may_fail(program, &calls, asked);
        Self {
            program,
            calls,
            touched,
            liveness,
            asked: asked.to_vec(),
            component,
            rank: ranks(program),
            may_fail,
        }
    }

    /// The place of a node in the order of work.
    pub fn place(&self, node: NodeId) -> Place {
        // A component leads to components with smaller numbers only.
        (usize::MAX - self.component[node.index()], self.rank[node])
    }

    /// Whether a call of the procedure may violate what is asked about.
    pub fn may_fail(&self, procedure: ProcedureId) -> bool {
        self.may_fail[procedure]
    }

    /// Whether something is to be unrolled: a loop, or recursion.
    pub fn is_cyclic(&self) -> bool {
        let goes_back = |(id, node): (NodeId, &crate::boolean::cfg::Node)| {
            node.successors.iter().any(|&next| self.place(next) <= self.place(id))
        };
        self.program.nodes.enumerate().any(goes_back)
            || self.program.procedures.ids().any(|procedure| self.calls.is_recursive(procedure))
    }
}

/// The reverse postorder of the nodes of each procedure, by a walk with a stack of its own.
fn ranks(program: &Program) -> IndexVec<NodeId, usize> {
    let count = program.nodes.len();
    let mut rank = IndexVec::filled(usize::MAX, count);
    let mut seen = vec![false; count];
    let mut left = count;
    for procedure in program.procedures.iter() {
        let mut open = vec![(procedure.entry, 0)];
        seen[procedure.entry.index()] = true;
        while let Some((node, position)) = open.last_mut() {
            if let Some(&next) = program.nodes[*node].successors.get(*position) {
                *position += 1;
                if !std::mem::replace(&mut seen[next.index()], true) {
                    open.push((next, 0));
                }
            } else {
                left -= 1;
                rank[*node] = left;
                open.pop();
            }
        }
    }
    rank
}

/// Which procedures have a property that is asked about, or call one that has.
fn may_fail(program: &Program, calls: &CallGraph, asked: &[PropertyId]) -> IndexVec<ProcedureId, bool> {
    let mut may_fail = IndexVec::filled(false, program.procedures.len());
    for &property in asked {
        may_fail[program.nodes[program.properties[property].node].procedure] = true;
    }
    for members in calls.components() {
        let fails = |&member: &ProcedureId| {
            may_fail[member] || calls.callees(member).iter().any(|&callee| may_fail[callee])
        };
        if members.iter().any(fails) {
            members.iter().for_each(|&member| may_fail[member] = true);
        }
    }
    may_fail
}

/// Why a program is none for this engine, if it is none.
pub fn unsupported(program: &Program) -> Option<&'static str> {
    if program.starts_threads() {
        return Some("the bounded engine checks programs that start no thread");
    }
    let passive = program.nodes.ids().any(|node| has_passive(program, node))
        || program
            .procedures
            .iter()
            .any(|procedure| procedure.enforce.as_ref().is_some_and(|e| is_passive(program, e)));
    passive.then_some("the bounded engine does not know local variables of other threads (`$`)")
}

fn is_passive(program: &Program, expression: &crate::boolean::cfg::Expression) -> bool {
    expression.variables().any(|read| read.copy == Copy::Passive && !program.is_global(read.variable))
}

fn has_passive(program: &Program, node: NodeId) -> bool {
    let passive = |expression| is_passive(program, expression);
    match &program.nodes[node].op {
        Op::Assume(condition) | Op::Assert(condition, _) => passive(condition),
        Op::Assign { targets, values, constrain } => {
            let written = |target: &crate::boolean::cfg::Target| {
                target.copy == Copy::Passive && !program.is_global(target.variable)
            };
            targets.iter().any(written) || values.iter().chain(constrain).any(passive)
        }
        Op::Call { arguments, .. } | Op::StartThread { arguments, .. } => arguments.iter().any(passive),
        Op::Return(values) => values.iter().any(passive),
        Op::Skip | Op::StartLabel(_) | Op::EndThread | Op::AtomicBegin | Op::AtomicEnd => false,
    }
}
