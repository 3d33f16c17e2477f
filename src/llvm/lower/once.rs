//! Functions that run at most once in a run of the program.

use super::super::points_to::{Multiplicity, PointsTo};
use crate::ground::index::IndexVec;
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
            callees.into_iter().for_each(|callee| calls.entry(callee).or_default().push((caller, cyclic[site.block])));
        }
    }
    let mut out = BTreeSet::new();
    if !calls.contains_key(&start) {
        out.insert(start);
    }
    // A chain of calls is as long as there are functions.
    loop {
        let before = out.len();
        for (&callee, sites) in &calls {
            let single = matches!(sites[..], [(caller, false)] if out.contains(&caller));
            let runs = points.multiplicity(callee) == Multiplicity::Once && !points.routines().contains(&callee);
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
fn in_loops(function: &Function) -> IndexVec<BlockId, bool> {
    function.blocks.ids().map(|block| reaches_itself(function, block)).collect()
}

fn reaches_itself(function: &Function, block: BlockId) -> bool {
    let mut seen = BTreeSet::new();
    let mut stack = successors(&function.blocks[block].terminator);
    while let Some(next) = stack.pop() {
        if next == block {
            return true;
        }
        if seen.insert(next) {
            stack.extend(successors(&function.blocks[next].terminator));
        }
    }
    false
}

fn successors(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Jump(to) => vec![*to],
        Terminator::Branch { yes, no, .. } => vec![*yes, *no],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|(_, to)| *to).chain(std::iter::once(*default)).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable | Terminator::Unsupported(_) => Vec::new(),
    }
}
