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
use crate::ground::graph::components;
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
    let successors =
        |node| program.nodes[NodeId::new(node)].successors.iter().map(|next| next.index()).collect();
    let components = components::<Vec<usize>>(program.nodes.len(), successors);
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
fn reverse_postorder(program: &Program, components: &[usize]) -> IndexVec<NodeId, u32> {
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
fn ordered_successors(program: &Program, components: &[usize], node: NodeId) -> Vec<NodeId> {
    let (mut inside, outside): (Vec<_>, Vec<_>) = program.nodes[node]
        .successors
        .iter()
        .partition(|&&next| components[next.index()] == components[node.index()]);
    inside.extend(outside);
    inside
}
