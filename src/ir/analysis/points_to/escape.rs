//! What more than one thread may get at.
//!
//! A thread starts with an argument and with the global variables, and gets at what they lead to. Whatever is reached in no
//! such way belongs to the thread that made it: local variables whose addresses are only passed down, memory that is
//! allocated and freed within a function.

use super::Origin;
use super::graph::{Cell, NodeId};
use super::state::{Analysis, Entry};
use rustc_hash::FxHashSet;

impl Analysis<'_> {
    /// Nodes of memory that several threads may get at.
    pub fn shared(&self) -> FxHashSet<NodeId> {
        let mut waiting: Vec<Cell> = self.known_to_all();
        let mut shared = FxHashSet::default();
        while let Some(cell) = waiting.pop() {
            let node = self.graph.resolve(cell).node;
            if shared.insert(node) {
                waiting.extend(self.graph.body(node).slots.values().filter_map(|slot| slot.link));
            }
        }
        shared
    }

    /// Global variables, what threads are given and return, and addresses that have become numbers.
    fn known_to_all(&self) -> Vec<Cell> {
        let global = |origin: Origin| match origin {
            Origin::Global(id) => !self.module.globals[id].thread_local,
            Origin::Outside | Origin::Unset(_) => true,
            Origin::Local(..) | Origin::Copy(..) | Origin::Heap(_) | Origin::Arguments(_) => false,
        };
        let objects = self.objects.iter().filter(|object| global(object.origin)).map(|object| object.cell);
        let mut known: Vec<Cell> = objects.chain([self.outside, self.thread_result]).collect();
        known.extend(&self.adopted);
        known.extend(&self.graph.exposed);
        for &(_, routine, entry) in &self.edges {
            if entry == Entry::Thread {
                let parameters = self.module.functions[routine].parameters.iter();
                known.extend(parameters.filter_map(|it| self.values.get(&(routine, it.value))));
                known.extend(self.results.get(&routine));
            }
        }
        let started = self.calls.iter().filter(|call| call.entry == Entry::Thread);
        known.extend(started.flat_map(|call| call.arguments.iter().filter_map(|(cell, _)| *cell)));
        known
    }
}
