//! Makes a failing program small: drops edges and updates as long as it still fails.

use crate::ground::index::{Index, IndexVec};
use crate::program::{Action, EdgeId, ProcedureId, Program};

/// A program that fails like the given one, from which nothing more can be dropped.
pub(crate) fn shrink(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    while let Some(smaller) = candidates(&smallest).into_iter().find(|candidate| fails(candidate)) {
        smallest = smaller;
    }
    smallest
}

fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for (id, procedure) in program.procedures.enumerate() {
        for edge in procedure.edges.ids() {
            found.push(without_edge(program, id, edge));
        }
    }
    for (id, procedure) in program.procedures.enumerate() {
        for (edge, contents) in procedure.edges.enumerate() {
            let Action::Block(block) = &contents.action else { continue };
            found.extend((0..block.updates.len()).map(|number| without_update(program, id, edge, number)));
        }
    }
    found
}

/// The program without an edge; those after it move up.
pub(crate) fn without_edge(program: &Program, procedure: ProcedureId, dropped: EdgeId) -> Program {
    let mut smaller = program.clone();
    let edges = &mut smaller.procedures[procedure].edges;
    let kept = edges.enumerate().filter(|&(id, _)| id != dropped).map(|(_, edge)| edge.clone());
    *edges = kept.collect::<IndexVec<_, _>>();
    for property in smaller.properties.iter_mut() {
        property.edges.retain(|&edge| edge != (procedure, dropped));
        for (_, edge) in property.edges.iter_mut().filter(|(owner, _)| *owner == procedure) {
            *edge = EdgeId::new(edge.index() - usize::from(*edge > dropped));
        }
    }
    smaller
}

fn without_update(program: &Program, procedure: ProcedureId, edge: EdgeId, number: usize) -> Program {
    let mut smaller = program.clone();
    if let Action::Block(block) = &mut smaller.procedures[procedure].edges[edge].action {
        block.updates.remove(number);
    }
    smaller
}
