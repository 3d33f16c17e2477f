//! The order of the work-list [Bas10, 10.6]: states merge before they are expanded.
//!
//! Algorithm 10.1 ranks a node by the number of nodes behind it, so that nodes far from the return go first.
//! With loops that number misleads: what follows a loop can be larger than its body and would be expanded at
//! every turn. Here nodes are ranked in reverse postorder of a depth-first search that leaves a loop only
//! after it has gone through it, which agrees with Algorithm 10.1 on graphs without cycles and lets a loop
//! come to rest before what follows it.
//!
//! Calls and returns wait until no internal step is left anywhere; among them, callees go before callers, so
//! that summaries are complete before they are used.

use crate::boolean::cfg::{NodeId, Op, ProcedureId, Program};
use crate::ground::index::{Index, IndexVec};

/// The place of a node in the work-list: smaller goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rank {
    class: Class,
    procedure: u32,
    position: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Internal,
    Interface,
}

/// The rank of every node; `depth` numbers the procedures, callees before callers.
pub fn ranks(program: &Program, depth: &IndexVec<ProcedureId, u32>) -> IndexVec<NodeId, Rank> {
    let components = components(program);
    let position = reverse_postorder(program, &components);
    let rank = |(id, node): (NodeId, &crate::boolean::cfg::Node)| {
        let interface = matches!(node.op, Op::Call { .. } | Op::Return(_));
        let class = if interface { Class::Interface } else { Class::Internal };
        Rank { class, procedure: depth[node.procedure], position: position[id] }
    };
    program.nodes.enumerate().map(rank).collect()
}

/// Numbers the nodes in reverse postorder. Successors outside the component of a node are visited first, so
/// they are numbered after everything inside.
fn reverse_postorder(program: &Program, components: &IndexVec<NodeId, u32>) -> IndexVec<NodeId, u32> {
    let mut position = IndexVec::filled(u32::MAX, program.nodes.len());
    let mut visited = IndexVec::filled(false, program.nodes.len());
    for procedure in program.procedures.iter() {
        let mut postorder = Vec::new();
        let mut stack = vec![(procedure.entry, ordered_successors(program, components, procedure.entry))];
        visited[procedure.entry] = true;
        while let Some((node, successors)) = stack.last_mut() {
            match successors.pop() {
                Some(next) if !visited[next] => {
                    visited[next] = true;
                    stack.push((next, ordered_successors(program, components, next)));
                }
                Some(_) => {}
                None => {
                    postorder.push(*node);
                    stack.pop();
                }
            }
        }
        for (number, node) in postorder.into_iter().rev().enumerate() {
            position[node] = u32::try_from(number).expect("fewer than 2^32 nodes");
        }
    }
    position
}

/// The successors of a node, those outside its component last: they are taken from the end.
fn ordered_successors(program: &Program, components: &IndexVec<NodeId, u32>, node: NodeId) -> Vec<NodeId> {
    let (mut inside, outside): (Vec<_>, Vec<_>) =
        program.nodes[node].successors.iter().partition(|&&next| components[next] == components[node]);
    inside.extend(outside);
    inside
}

/// Tarjan's strongly connected components, without recursion.
fn components(program: &Program) -> IndexVec<NodeId, u32> {
    let mut search = Components {
        program,
        index: IndexVec::filled(0, program.nodes.len()),
        low: IndexVec::filled(0, program.nodes.len()),
        component: IndexVec::filled(u32::MAX, program.nodes.len()),
        open: Vec::new(),
        visited: 0,
        found: 0,
    };
    for node in program.nodes.ids() {
        if search.index[node] == 0 {
            search.visit(node);
        }
    }
    search.component
}

struct Components<'p> {
    program: &'p Program,
    /// Order of discovery, from 1; 0 is undiscovered.
    index: IndexVec<NodeId, u32>,
    low: IndexVec<NodeId, u32>,
    component: IndexVec<NodeId, u32>,
    open: Vec<NodeId>,
    visited: u32,
    found: u32,
}

impl Components<'_> {
    fn discover(&mut self, node: NodeId) {
        self.visited += 1;
        self.index[node] = self.visited;
        self.low[node] = self.visited;
        self.open.push(node);
    }

    fn visit(&mut self, root: NodeId) {
        let mut stack = vec![(root, 0)];
        self.discover(root);
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            if let Some(&successor) = self.program.nodes[node].successors.get(*next) {
                *next += 1;
                if self.index[successor] == 0 {
                    self.discover(successor);
                    stack.push((successor, 0));
                } else if self.component[successor] == u32::MAX {
                    self.low[node] = self.low[node].min(self.index[successor]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.index[node] {
                self.close(node);
            }
        }
    }

    fn close(&mut self, root: NodeId) {
        while let Some(node) = self.open.pop() {
            self.component[node] = self.found;
            if node.index() == root.index() {
                break;
            }
        }
        self.found += 1;
    }
}
