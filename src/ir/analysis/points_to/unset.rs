//! Pointers that nobody initialised.
//!
//! An access through an address that never gets a value is undefined in C. Each such address gets an object of its own
//! here, with arbitrary contents: what is proved with it rests on the assumption that uninitialised pointers point to none
//! of the program's objects. What such an object points to may be another one of its kind, besides what the program
//! stores there, and a function called through it may be any.

use super::Origin;
use super::graph::{Body, Cell, NodeId, Slot};
use super::state::Analysis;
use std::collections::{BTreeMap, BTreeSet};

/// Gives objects to addresses that are used and have none; says whether there were any.
pub(super) fn settle(analysis: &mut Analysis<'_>) -> bool {
    let nodes: BTreeSet<NodeId> = addresses(analysis).into_iter().chain(contents(analysis)).collect();
    for &node in &nodes {
        let number = analysis.by_origin.keys().filter(|origin| matches!(origin, Origin::Unset(_))).count();
        let object = analysis.object(Origin::Unset(number), None);
        analysis.graph.unify(Cell { node, offset: 0 }, object);
    }
    analysis.graph.settle();
    !nodes.is_empty()
}

/// Addresses that are accessed and stand for nothing, and those that they were copied from.
fn addresses(analysis: &Analysis<'_>) -> BTreeSet<NodeId> {
    let mut found = leading_to(analysis, |_, body| is_accessed(body));
    found.retain(|&node| !analysis.graph.body(node).is_inhabited());
    found
}

/// What objects of this kind may point to, as far as it is accessed or called.
fn contents(analysis: &Analysis<'_>) -> BTreeSet<NodeId> {
    let transferred = transferred(analysis);
    let used = leading_to(analysis, |node, body| {
        !body.calls.is_empty() || transferred.contains(&node) || is_accessed(body)
    });
    let of_unset = analysis.graph.roots().into_iter().filter(|&node| is_unset(analysis, node));
    let links =
        of_unset.flat_map(|node| analysis.graph.body(node).slots.values().filter_map(|slot| slot.link));
    let links = links.map(|link| analysis.graph.resolve(link).node);
    links.filter(|node| !is_unset(analysis, *node) && used.contains(node)).collect()
}

fn is_accessed(body: &Body) -> bool {
    body.slots.values().any(Slot::is_held)
}

/// What is copied or set as a whole, even if nobody accesses a part of it.
fn transferred(analysis: &Analysis<'_>) -> BTreeSet<NodeId> {
    let ends = analysis.transfers.iter().flat_map(|transfer| [Some(transfer.to), transfer.from]);
    ends.flatten().map(|cell| analysis.graph.resolve(cell).node).collect()
}

/// Nodes that are used, and those whose addresses are copied there as soon as there are any.
fn leading_to(analysis: &Analysis<'_>, used: impl Fn(NodeId, &Body) -> bool) -> BTreeSet<NodeId> {
    let roots = analysis.graph.roots();
    let mut found: BTreeSet<NodeId> =
        roots.iter().copied().filter(|&node| used(node, analysis.graph.body(node))).collect();
    let mut sources: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for &node in &roots {
        for copy in analysis.graph.body(node).copies() {
            sources.entry(analysis.graph.resolve(copy).node).or_default().push(node);
        }
    }
    let mut waiting: Vec<NodeId> = found.iter().copied().collect();
    while let Some(node) = waiting.pop() {
        for &source in sources.get(&node).into_iter().flatten() {
            if found.insert(source) {
                waiting.push(source);
            }
        }
    }
    found
}

/// Whether a node has an object of this kind.
pub(super) fn is_unset(analysis: &Analysis<'_>, node: NodeId) -> bool {
    let objects = &analysis.graph.body(node).objects;
    objects.iter().any(|&id| matches!(analysis.objects[id].origin, Origin::Unset(_)))
}
