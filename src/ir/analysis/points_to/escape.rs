//! What more than one thread may get at.
//!
//! A thread starts with an argument and with the global variables, and gets at what they lead to. Whatever is reached in no
//! such way belongs to the thread that made it: local variables whose addresses are only passed down, memory that is
//! allocated and freed within a function.

use super::Origin;
use super::graph::{Cell, NodeId};
use super::state::{Analysis, Entry};
use rustc_hash::FxHashSet;

/// Nodes of memory that several threads may get at.
pub(super) fn shared(analysis: &Analysis<'_>) -> FxHashSet<NodeId> {
    let mut waiting: Vec<Cell> = known_to_all(analysis);
    let mut shared = FxHashSet::default();
    while let Some(cell) = waiting.pop() {
        let node = analysis.graph.resolve(cell).node;
        if shared.insert(node) {
            waiting.extend(analysis.graph.body(node).slots.values().filter_map(|slot| slot.link));
        }
    }
    shared
}

/// Global variables, what threads are given and return, and addresses that have become numbers.
fn known_to_all(analysis: &Analysis<'_>) -> Vec<Cell> {
    let global = |origin: Origin| match origin {
        Origin::Global(id) => !analysis.module.globals[id].thread_local,
        Origin::Outside | Origin::Unset(_) => true,
        Origin::Local(..) | Origin::Copy(..) | Origin::Heap(_) | Origin::Arguments(_) => false,
    };
    let objects = analysis.objects.iter().filter(|object| global(object.origin)).map(|object| object.cell);
    let mut known: Vec<Cell> = objects.chain([analysis.outside, analysis.thread_result]).collect();
    known.extend(&analysis.adopted);
    known.extend(&analysis.graph.exposed);
    for &(_, routine, entry) in &analysis.edges {
        if entry == Entry::Thread {
            let parameters = analysis.module.functions[routine].parameters.iter();
            known.extend(parameters.filter_map(|it| analysis.values.get(&(routine, it.value))));
            known.extend(analysis.results.get(&routine));
        }
    }
    let started = analysis.calls.iter().filter(|call| call.entry == Entry::Thread);
    known.extend(started.flat_map(|call| call.arguments.iter().filter_map(|(cell, _)| *cell)));
    known
}
