//! Puts marks in their places.

use super::{Position, Spot};
use crate::ground::index::Index;
use crate::ir::{Block, BlockId, Function, Instruction, Intrinsic, Operation, Terminator};
use std::collections::BTreeMap;

/// Marks, and where they belong.
#[derive(Default)]
pub(super) struct Marks {
    before: BTreeMap<Position, Vec<Operation>>,
    edges: BTreeMap<(BlockId, BlockId), Vec<Operation>>,
}

impl Marks {
    /// Adds a mark before an instruction.
    pub fn before(&mut self, at: Position, mark: Operation) {
        add(self.before.entry(at).or_default(), mark);
    }

    /// Adds a mark.
    pub fn at(&mut self, spot: Spot, mark: Operation) {
        match spot {
            Spot::Before(at) => self.before(at, mark),
            Spot::Edge(from, to) => add(self.edges.entry((from, to)).or_default(), mark),
        }
    }

    /// Puts all marks into the function.
    pub fn insert(self, function: &mut Function) {
        for ((block, number), marks) in self.before.into_iter().rev() {
            let marks = instructions(marks);
            function.blocks[block].instructions.splice(number..number, marks);
        }
        for ((from, to), marks) in self.edges {
            split(function, from, to, instructions(marks));
        }
    }
}

fn add(marks: &mut Vec<Operation>, mark: Operation) {
    if !marks.contains(&mark) {
        marks.push(mark);
    }
}

/// What ends comes before what begins.
fn instructions(mut marks: Vec<Operation>) -> Vec<Instruction> {
    let ends = |mark: &Operation| matches!(mark, Operation::Intrinsic { intrinsic: Intrinsic::EndLife, .. });
    marks.sort_by_key(|mark| !ends(mark));
    marks.into_iter().map(|operation| Instruction { result: None, operation, place: None }).collect()
}

/// Puts a block of its own between two blocks.
fn split(function: &mut Function, from: BlockId, to: BlockId, instructions: Vec<Instruction>) {
    let between = BlockId::new(function.blocks.len());
    let place = function.blocks[from].place;
    let name = format!("{}.leave", function.blocks[from].name);
    function.blocks.push(Block { name, instructions, terminator: Terminator::Jump(to), place });
    targets(&mut function.blocks[from].terminator)
        .into_iter()
        .filter(|target| **target == to)
        .for_each(|target| *target = between);
    for instruction in &mut function.blocks[to].instructions {
        if let Operation::Phi(incoming) = &mut instruction.operation {
            let mut seen = false;
            // A switch with several ways to one block has a value for each; from now on there is one way.
            incoming.retain(|(block, _)| *block != from || !std::mem::replace(&mut seen, true));
            incoming.iter_mut().filter(|(block, _)| *block == from).for_each(|(block, _)| *block = between);
        }
    }
}

fn targets(terminator: &mut Terminator) -> Vec<&mut BlockId> {
    match terminator {
        Terminator::Jump(to) => vec![to],
        Terminator::Branch { yes, no, .. } => vec![yes, no],
        Terminator::Switch { cases, default, .. } => {
            cases.iter_mut().map(|(_, to)| to).chain([default]).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable | Terminator::Unsupported(_) => Vec::new(),
    }
}
