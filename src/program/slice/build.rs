//! The program that is left: the edges of anchors, with what matters of them.

use super::Slice;
use super::search::Found;
use crate::ground::assurance::Assumption;
use crate::ground::index::IndexVec;
use crate::program::graph::renumber_properties;
use crate::program::{Action, Block, Edge, EdgeId, Procedure, ProcedureId, Program};
use crate::term::Term;

/// The slice of what was found.
pub(super) fn build(program: &Program, found: &Found) -> Slice {
    let mut slice = Slice {
        program: program.clone(),
        variables: found.matters.variables.clone(),
        places: IndexVec::filled(None, program.procedures.len()),
        images: IndexVec::new(),
    };
    let always = slice.program.store.boolean(true);
    for (id, procedure) in program.procedures.enumerate() {
        let mut builder =
            Builder { program, found, id, always, edges: IndexVec::new(), images: IndexVec::new() };
        builder.images = IndexVec::filled(None, procedure.edges.len());
        if found.matters.procedures[id] {
            builder.edges(procedure);
            slice.places[id] = Some(found.anchors[id].next.clone());
        }
        slice.images.push(builder.images);
        let left = &mut slice.program.procedures[id];
        left.edges = builder.edges;
        left.parameters.retain(|&parameter| found.matters.variables[parameter]);
        left.result = left.result.filter(|&result| found.matters.variables[result]);
        renumber_properties(&mut slice.program, id);
    }
    // A verdict rests on it even if the threads are never started.
    if program.starts_threads() {
        slice.program.assumptions.insert(Assumption::SequentialConsistency);
    }
    slice
}

struct Builder<'p> {
    program: &'p Program,
    found: &'p Found,
    id: ProcedureId,
    always: Term,
    edges: IndexVec<EdgeId, Edge>,
    images: IndexVec<EdgeId, Option<EdgeId>>,
}

impl Builder<'_> {
    fn edges(&mut self, procedure: &Procedure) {
        let (facts, anchors) = (&self.found.facts[self.id], &self.found.anchors[self.id]);
        for location in procedure.locations.ids().filter(|&location| anchors.stays[location]) {
            let counts = |&edge: &EdgeId| self.found.matters.counts(self.program, self.id, edge);
            let edges: Vec<EdgeId> = facts.outgoing[location].iter().copied().filter(counts).collect();
            if anchors.decides[location] {
                for edge in edges {
                    let decided = self.edge(edge, true);
                    self.images[edge] = Some(self.edges.push(decided));
                }
            } else {
                self.one_for_all(&edges);
            }
        }
    }

    /// One edge for edges that do the same. It goes where anything may still happen.
    fn one_for_all(&mut self, edges: &[EdgeId]) {
        let next = &self.found.anchors[self.id].next;
        let leads_on = |&&edge: &&EdgeId| next[self.program.procedures[self.id].edges[edge].to].is_some();
        let Some(&chosen) = edges.iter().find(leads_on).or(edges.first()) else { return };
        let image = self.edge(chosen, false);
        let image = self.edges.push(image);
        edges.iter().for_each(|&edge| self.images[edge] = Some(image));
    }

    /// What is left of an edge, with its guard or without.
    fn edge(&self, edge: EdgeId, guarded: bool) -> Edge {
        let edge = &self.program.procedures[self.id].edges[edge];
        let to = self.found.anchors[self.id].next[edge.to].unwrap_or(edge.to);
        Edge { to, action: self.action(&edge.action, guarded), ..edge.clone() }
    }

    fn action(&self, action: &Action, guarded: bool) -> Action {
        let matters = &self.found.matters;
        match action {
            Action::Block(block) => Action::Block(Block {
                guard: if guarded { block.guard } else { self.always },
                updates: matters.updates(block).collect(),
                inputs: block.inputs.clone(),
            }),
            &Action::Call { procedure, ref arguments, result } if matters.procedures[procedure] => {
                Action::Call {
                    procedure,
                    arguments: self.arguments(procedure, arguments),
                    result: result.filter(|&result| matters.variables[result]),
                }
            }
            Action::Call { .. } => {
                Action::Block(Block { guard: self.always, updates: Vec::new(), inputs: Vec::new() })
            }
            &Action::Start { procedure, ref arguments } => {
                Action::Start { procedure, arguments: self.arguments(procedure, arguments) }
            }
            other => other.clone(),
        }
    }

    /// The arguments for parameters that matter.
    fn arguments(&self, callee: ProcedureId, arguments: &[Term]) -> Vec<Term> {
        let parameters = self.program.procedures[callee].parameters.iter();
        let matter =
            parameters.zip(arguments).filter(|&(&parameter, _)| self.found.matters.variables[parameter]);
        matter.map(|(_, &argument)| argument).collect()
    }
}
