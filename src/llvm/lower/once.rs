//! Functions that run at most once in a run of the program.

use super::super::points_to::{Multiplicity, PointsTo};
use crate::ground::graph::components;
use crate::ground::index::{Index, IndexVec};
use crate::ir::{BlockId, Callee, Function, FunctionId, Module, Operation, Terminator};
use std::collections::{BTreeMap, BTreeSet};

/// The entry, and what is called from one place only, outside of loops, in such a function.
pub(super) fn once(module: &Module, points: &PointsTo, start: FunctionId) -> BTreeSet<FunctionId> {
    let mut calls: BTreeMap<FunctionId, Vec<(FunctionId, bool)>> = BTreeMap::new();
    for &caller in points.reachable() {
        let function = &module.functions[caller];
        let cyclic = in_loops(function);
        for site in super::sites(module, caller) {
            let operation = &function.blocks[site.block].instructions[site.number].operation;
            let callees = match operation {
                Operation::Call { callee: Callee::Function(callee), .. } => vec![*callee],
                Operation::Call { callee: Callee::Address(_), .. } => points.callees(site).functions,
                _ => continue,
            };
            callees
                .into_iter()
                .for_each(|callee| calls.entry(callee).or_default().push((caller, cyclic[site.block])));
        }
    }
    let mut out = BTreeSet::new();
    if !calls.contains_key(&start) && !points.routines().contains(&start) {
        out.insert(start);
    }
    // A chain of calls is as long as there are functions.
    loop {
        let before = out.len();
        for (&callee, sites) in &calls {
            let single = matches!(sites[..], [(caller, false)] if out.contains(&caller));
            let runs =
                points.multiplicity(callee) == Multiplicity::Once && !points.routines().contains(&callee);
            if single && runs {
                out.insert(callee);
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

/// Which blocks lie on a cycle.
pub(super) fn in_loops(function: &Function) -> IndexVec<BlockId, bool> {
    let next = |block: usize| successors(&function.blocks[BlockId::new(block)].terminator);
    let component =
        components(function.blocks.len(), |block| next(block).iter().map(|b| b.index()).collect::<Vec<_>>());
    let mut sizes = vec![0; function.blocks.len()];
    component.iter().for_each(|&number| sizes[number] += 1);
    let cyclic = |block: BlockId| sizes[component[block.index()]] > 1 || next(block.index()).contains(&block);
    function.blocks.ids().map(cyclic).collect()
}

pub(super) fn successors(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Jump(to) => vec![*to],
        Terminator::Branch { yes, no, .. } => vec![*yes, *no],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|(_, to)| *to).chain(std::iter::once(*default)).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable | Terminator::Unsupported(_) => Vec::new(),
    }
}
