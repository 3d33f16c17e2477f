//! Atomic sections: where they are, and those that have become one step.

use super::super::graph::Graph;
use super::super::{Action, Edge, LocationId, ProcedureId, Program};
use crate::ground::index::IndexVec;

/// Which locations are within a section of the procedure. None, if sections cross each other.
pub(super) fn within(graph: &Graph, entry: LocationId, count: usize) -> IndexVec<LocationId, bool> {
    let mut depths: IndexVec<LocationId, Option<usize>> = IndexVec::filled(None, count);
    depths[entry] = Some(0);
    let mut open = vec![entry];
    while let Some(location) = open.pop() {
        let depth = depths[location].expect("it was reached");
        for &number in graph.outgoing(location) {
            let edge = graph.edge(number);
            let behind = match edge.action {
                Action::AtomicBegin => depth + 1,
                Action::AtomicEnd => depth.saturating_sub(1),
                _ => depth,
            };
            match depths[edge.to] {
                None => {
                    depths[edge.to] = Some(behind);
                    open.push(edge.to);
                }
                Some(known) if known == behind => {}
                Some(_) => return IndexVec::filled(false, count),
            }
        }
    }
    depths.iter().map(|depth| depth.is_some_and(|depth| depth > 0)).collect()
}

/// Drops begin and end of sections that are one step; whether there were any.
pub(super) fn dissolve(program: &mut Program, id: ProcedureId) -> bool {
    let procedure = &mut program.procedures[id];
    let locations: Vec<LocationId> = procedure.locations.ids().collect();
    let mut graph = Graph::take(procedure);
    let inside = within(&graph, procedure.entry, locations.len());
    let mut changed = false;
    for &location in &locations {
        changed |= dissolve_one(&mut graph, &inside, location);
    }
    graph.restore(program, id);
    changed
}

/// A section that starts here, and whose every edge ends it or violates a property.
fn dissolve_one(graph: &mut Graph, inside: &IndexVec<LocationId, bool>, first: LocationId) -> bool {
    let &[begin] = graph.incoming(first) else { return false };
    let Edge { from, action, .. } = graph.edge(begin).clone();
    let steps: Vec<usize> = graph.outgoing(first).to_vec();
    let starts = action == Action::AtomicBegin && !inside[from];
    if !starts || steps.is_empty() || !steps.iter().all(|&step| ends(graph, step)) {
        return false;
    }
    graph.remove(begin);
    for step in steps {
        let edge = graph.remove(step);
        let to = match graph.outgoing(edge.to) {
            &[end] if edge.property.is_none() => graph.edge(end).to,
            _ => edge.to,
        };
        graph.add(Edge { from, to, ..edge });
    }
    true
}

/// Whether a section is over with an edge: it violates a property, or only the end follows.
fn ends(graph: &Graph, number: usize) -> bool {
    let edge = graph.edge(number);
    let block = matches!(edge.action, Action::Block(_));
    let over = match graph.outgoing(edge.to) {
        [] => true,
        &[end] => graph.edge(end).action == Action::AtomicEnd,
        _ => false,
    };
    block && edge.from != edge.to && (edge.property.is_some() || over)
}
