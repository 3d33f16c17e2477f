//! Removal of skips and jumps.
//!
//! A skip from which nothing but skips can be reached is a dead end. A skip with one successor is passed
//! over by all that lead to it; one with several is absorbed by its only predecessor if that is a skip,
//! too, so that the number of edges never grows. Nodes with an error label stay.
//!
//! This is right among threads, too: skipping changes nothing that another thread could see, and a thread
//! that can go on from where it is can skip just before. A thread that is stuck stays alive, and stays in
//! its atomic section, whether it is stuck here or a few skips further.

use crate::boolean::cfg::{NodeId, Op, Program};
use crate::boolean::dataflow::NodeSet;
use crate::boolean::dataflow::reach::predecessors;
use crate::ground::index::IndexVec;

/// Bypasses skips. The nodes stay where they are; nothing leads to them any more.
pub(super) fn bypass(program: &mut Program) {
    cut_dead_ends(program);
    let targets: IndexVec<NodeId, NodeId> = resolve(program);
    for node in program.nodes.iter_mut() {
        node.successors.iter_mut().for_each(|successor| *successor = targets[*successor]);
        if let Op::StartLabel(label) = &mut node.op {
            *label = targets[*label];
        }
    }
    for procedure in program.procedures.iter_mut() {
        procedure.entry = targets[procedure.entry];
    }
    for id in program.nodes.ids() {
        tidy(program, id);
    }
    absorb(program);
}

/// A skip that no error label makes a place of its own.
fn is_idle(program: &Program, node: NodeId) -> bool {
    matches!(program.nodes[node].op, Op::Skip) && program.nodes[node].forbidden.is_empty()
}

/// Skips that lead to nothing else lose their successors, and other skips lose them as successors.
fn cut_dead_ends(program: &mut Program) {
    let before = predecessors(program);
    let mut alive = NodeSet::new(program.nodes.len());
    let mut work: Vec<NodeId> = program.nodes.ids().filter(|&node| !is_idle(program, node)).collect();
    while let Some(node) = work.pop() {
        if alive.insert(node) {
            work.extend(before[node].iter().filter(|&&predecessor| is_idle(program, predecessor)));
        }
    }
    for node in program.nodes.iter_mut() {
        if matches!(node.op, Op::Skip) {
            node.successors.retain(|&successor| alive.contains(successor));
        }
    }
}

/// For every node, the node to go to instead.
fn resolve(program: &Program) -> IndexVec<NodeId, NodeId> {
    let mut targets: IndexVec<NodeId, Option<NodeId>> = IndexVec::filled(None, program.nodes.len());
    for start in program.nodes.ids() {
        let mut path = Vec::new();
        let mut node = start;
        let target = loop {
            if let Some(target) = targets[node] {
                break target;
            }
            // No chain comes back to itself: what only cycles has lost its successors.
            match &program.nodes[node].successors[..] {
                [only] if is_idle(program, node) => {
                    path.push(node);
                    node = *only;
                }
                _ => break node,
            }
        };
        path.push(node);
        for passed in path {
            targets[passed] = Some(target);
        }
    }
    targets.iter().enumerate().map(|(number, target)| target.unwrap_or_else(|| index(number))).collect()
}

fn index(number: usize) -> NodeId {
    crate::ground::index::Index::new(number)
}

/// Successors of a skip: each once, and not itself.
fn tidy(program: &mut Program, id: NodeId) {
    if matches!(program.nodes[id].op, Op::Skip) {
        let mut seen = std::collections::HashSet::from([id]);
        program.nodes[id].successors.retain(|&successor| seen.insert(successor));
    }
}

/// A skip takes over the choices of its successors that are skips and that nothing else leads to.
fn absorb(program: &mut Program) {
    let mut incoming = incoming(program);
    for id in program.nodes.ids() {
        if !matches!(program.nodes[id].op, Op::Skip) || incoming[id] == 0 {
            continue;
        }
        let mut choices = Vec::new();
        let mut work: Vec<NodeId> = program.nodes[id].successors.iter().rev().copied().collect();
        while let Some(successor) = work.pop() {
            if successor != id && incoming[successor] == 1 && is_idle(program, successor) {
                incoming[successor] = 0;
                let taken = std::mem::take(&mut program.nodes[successor].successors);
                work.extend(taken.into_iter().rev());
            } else {
                choices.push(successor);
            }
        }
        program.nodes[id].successors = choices;
        tidy(program, id);
    }
}

/// How many edges, thread starts and procedure entries lead to each node from where something leads to.
fn incoming(program: &Program) -> IndexVec<NodeId, usize> {
    let mut incoming = IndexVec::filled(0, program.nodes.len());
    let mut work: Vec<NodeId> = program.procedures.iter().map(|procedure| procedure.entry).collect();
    while let Some(node) = work.pop() {
        incoming[node] += 1;
        if incoming[node] > 1 {
            continue;
        }
        work.extend(&program.nodes[node].successors);
        if let Op::StartLabel(label) = program.nodes[node].op {
            work.push(label);
        }
    }
    incoming
}
