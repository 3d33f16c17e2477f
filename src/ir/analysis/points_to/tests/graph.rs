//! The graph by itself.

use crate::ir::analysis::points_to::graph::{Graph, gcd};

fn inhabited(graph: &mut Graph) -> crate::ir::analysis::points_to::graph::Cell {
    let cell = graph.fresh();
    graph.inhabit(cell, |body| body.foreign = true);
    graph.inhabit(cell, |body| body.outside = true);
    cell
}

#[test]
fn unifying_two_offsets_of_one_node_makes_it_periodic() {
    let mut graph = Graph::default();
    let cell = graph.fresh();
    graph.unify(cell, cell.plus(12));
    graph.unify(cell.plus(5), cell.plus(13));
    assert_eq!(graph.body(graph.resolve(cell).node).stride, 4);
    assert_eq!(graph.resolve(cell.plus(7)), graph.resolve(cell.plus(-1)));
}

#[test]
fn merging_shifts_places_and_joins_what_they_point_to() {
    let mut graph = Graph::default();
    let (left, right) = (graph.fresh(), graph.fresh());
    let (first, second) = (graph.link(left.plus(8), 4), graph.link(right.plus(-4), 4));
    graph.unify(left.plus(12), right);
    assert_eq!(graph.resolve(first), graph.resolve(second));
    assert_eq!(graph.body(graph.resolve(left).node).slots.len(), 1);
}

#[test]
fn nothing_flows_from_what_points_nowhere() {
    let mut graph = Graph::default();
    let (to, from, other) = (inhabited(&mut graph), graph.fresh(), graph.fresh());
    graph.assign(to, from);
    graph.settle();
    assert_ne!(graph.resolve(to).node, graph.resolve(from).node);
    graph.unify(from, other);
    let late = inhabited(&mut graph);
    graph.unify(other, late);
    graph.settle();
    assert_eq!(graph.resolve(to), graph.resolve(from));
}

#[test]
fn divisors() {
    assert_eq!((gcd(0, 6), gcd(6, 0), gcd(12, 18), gcd(0, 0)), (6, 6, 6, 0));
}
