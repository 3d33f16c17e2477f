//! The edges of one procedure as a graph that a pass changes, and renumbering afterwards.

use super::{Action, Edge, LocationId, Procedure, ProcedureId, Program};
use crate::ground::index::IndexVec;
use crate::term::Node;

/// The locations of a procedure where loops begin: every cycle has one.
#[must_use]
pub fn loop_heads(procedure: &Procedure) -> IndexVec<LocationId, bool> {
    Graph::take(&mut procedure.clone()).loop_heads(procedure.entry)
}

/// Edges that come and go, and which of them enter and leave each location.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    edges: Vec<Option<Edge>>,
    incoming: IndexVec<LocationId, Vec<usize>>,
    outgoing: IndexVec<LocationId, Vec<usize>>,
}

impl Graph {
    /// Takes the edges out of a procedure.
    pub fn take(procedure: &mut Procedure) -> Self {
        let lists = IndexVec::filled(Vec::new(), procedure.locations.len());
        let mut graph = Self { edges: Vec::new(), incoming: lists.clone(), outgoing: lists };
        for edge in std::mem::take(&mut procedure.edges).iter() {
            graph.add(edge.clone());
        }
        graph
    }

    /// Adds an edge.
    pub fn add(&mut self, edge: Edge) -> usize {
        let number = self.edges.len();
        self.incoming[edge.to].push(number);
        self.outgoing[edge.from].push(number);
        self.edges.push(Some(edge));
        number
    }

    /// Removes an edge and returns it.
    pub fn remove(&mut self, number: usize) -> Edge {
        let edge = self.edges[number].take().expect("an edge is removed once");
        self.incoming[edge.to].retain(|&other| other != number);
        self.outgoing[edge.from].retain(|&other| other != number);
        edge
    }

    /// An edge that was not removed.
    pub fn edge(&self, number: usize) -> &Edge {
        self.edges[number].as_ref().expect("a removed edge")
    }

    /// Edges to a location, in order.
    pub fn incoming(&self, location: LocationId) -> &[usize] {
        &self.incoming[location]
    }

    /// Edges from a location, in order.
    pub fn outgoing(&self, location: LocationId) -> &[usize] {
        &self.outgoing[location]
    }

    /// Where back edges of a depth-first search from the entry lead: every cycle has such a location.
    pub fn loop_heads(&self, entry: LocationId) -> IndexVec<LocationId, bool> {
        let mut heads = IndexVec::filled(false, self.outgoing.len());
        // 0: not seen, 1: on the stack, 2: done.
        let mut colours: IndexVec<LocationId, u8> = IndexVec::filled(0, self.outgoing.len());
        let mut stack = vec![(entry, 0)];
        colours[entry] = 1;
        while let Some((location, position)) = stack.last_mut() {
            let location = *location;
            let Some(&number) = self.outgoing[location].get(*position) else {
                colours[location] = 2;
                stack.pop();
                continue;
            };
            *position += 1;
            let target = self.edge(number).to;
            match colours[target] {
                0 => {
                    colours[target] = 1;
                    stack.push((target, 0));
                }
                1 => heads[target] = true,
                _ => {}
            }
        }
        heads
    }

    /// Locations that the entry leads to.
    fn reachable(&self, entry: LocationId) -> IndexVec<LocationId, bool> {
        let mut reached = IndexVec::filled(false, self.outgoing.len());
        let mut stack = vec![entry];
        reached[entry] = true;
        while let Some(location) = stack.pop() {
            for &number in &self.outgoing[location] {
                let target = self.edge(number).to;
                if !std::mem::replace(&mut reached[target], true) {
                    stack.push(target);
                }
            }
        }
        reached
    }

    /// Puts the edges back, without what cannot be reached; locations, edges and properties are renumbered. Edges
    /// stand in the order of their locations.
    pub fn restore(mut self, program: &mut Program, id: ProcedureId) {
        self.drop_impossible(program);
        let procedure = &mut program.procedures[id];
        let mut kept = self.reachable(procedure.entry);
        kept[procedure.exit] = true;
        let mut numbers: IndexVec<LocationId, Option<LocationId>> = IndexVec::filled(None, kept.len());
        let mut locations = IndexVec::new();
        for (location, contents) in procedure.locations.enumerate() {
            numbers[location] = kept[location].then(|| locations.push(contents.clone()));
        }
        let new = |location: LocationId| numbers[location].expect("ends of kept edges are kept");
        (procedure.entry, procedure.exit) = (new(procedure.entry), new(procedure.exit));
        let mut edges = IndexVec::new();
        for location in procedure.locations.ids().filter(|&location| kept[location]) {
            for &number in &self.outgoing[location] {
                let edge = self.edges[number].take().expect("an edge leaves one location");
                edges.push(Edge { from: new(edge.from), to: new(edge.to), ..edge });
            }
        }
        procedure.locations = locations;
        procedure.edges = edges;
        renumber_properties(program, id);
    }

    fn drop_impossible(&mut self, program: &Program) {
        for number in 0..self.edges.len() {
            let impossible = self.edges[number].as_ref().is_some_and(|edge| match &edge.action {
                Action::Block(block) => program.store.node(block.guard) == Node::Boolean(false),
                _ => false,
            });
            if impossible {
                self.remove(number);
            }
        }
    }
}

/// Makes the properties of a procedure list the edges that carry them.
pub(super) fn renumber_properties(program: &mut Program, id: ProcedureId) {
    for property in program.properties.iter_mut() {
        property.edges.retain(|&(procedure, _)| procedure != id);
    }
    for (number, edge) in program.procedures[id].edges.enumerate() {
        if let Some(property) = edge.property {
            program.properties[property].edges.push((id, number));
        }
    }
}

/// Drops edges whose guard is false, and locations and edges that cannot be reached from the entry of their procedure.
pub fn prune(program: &mut Program) {
    for id in program.procedures.ids() {
        let graph = Graph::take(&mut program.procedures[id]);
        graph.restore(program, id);
    }
    debug_assert_eq!(super::well_formed::check(program), []);
}
