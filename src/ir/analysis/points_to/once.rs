//! Functions that run at most once in a run of the program.

use super::threads::Activations;
use super::{Callees, Site};
use crate::ground::graph::components;
use crate::ground::index::{Index, IndexVec};
use crate::ir::check::successors;
use crate::ir::{BlockId, Callee, Function, FunctionId, Module, Operation};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Who calls a function, and whether in a loop.
type Callers = BTreeMap<FunctionId, Vec<(FunctionId, bool)>>;

/// The roots, and what is called from one place only, outside of loops, in such a function.
pub(super) fn once(
    module: &Module,
    reachable: &BTreeSet<FunctionId>,
    roots: &[FunctionId],
    callees: &FxHashMap<Site, Callees>,
    activations: &Activations,
) -> BTreeSet<FunctionId> {
    let mut callers = Callers::new();
    for &caller in reachable {
        note_calls(module, caller, callees, &mut callers);
    }
    let routine = |function: &FunctionId| activations.routines.contains(function);
    let mut out: BTreeSet<FunctionId> =
        roots.iter().copied().filter(|root| !callers.contains_key(root) && !routine(root)).collect();
    // A chain of calls is as long as there are functions.
    loop {
        let before = out.len();
        for (&callee, sites) in &callers {
            let single = matches!(sites[..], [(caller, false)] if out.contains(&caller));
            if single && !activations.several.contains(&callee) && !routine(&callee) {
                out.insert(callee);
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

fn note_calls(
    module: &Module,
    caller: FunctionId,
    callees: &FxHashMap<Site, Callees>,
    callers: &mut Callers,
) {
    let function = &module.functions[caller];
    let cyclic = in_loops(function);
    for (block, content) in function.blocks.enumerate() {
        for (number, instruction) in content.instructions.iter().enumerate() {
            let called = match &instruction.operation {
                Operation::Call { callee: Callee::Function(callee), .. } => vec![*callee],
                Operation::Call { callee: Callee::Address(_), .. } => {
                    let site = Site { function: caller, block, number };
                    callees.get(&site).map(|callees| callees.functions.clone()).unwrap_or_default()
                }
                _ => continue,
            };
            called
                .into_iter()
                .for_each(|callee| callers.entry(callee).or_default().push((caller, cyclic[block])));
        }
    }
}

/// Which blocks lie on a cycle.
pub fn in_loops(function: &Function) -> IndexVec<BlockId, bool> {
    let next = |block: usize| successors(&function.blocks[BlockId::new(block)].terminator);
    let component =
        components(function.blocks.len(), |block| next(block).iter().map(|b| b.index()).collect::<Vec<_>>());
    let mut sizes = vec![0; function.blocks.len()];
    component.iter().for_each(|&number| sizes[number] += 1);
    let cyclic = |block: BlockId| sizes[component[block.index()]] > 1 || next(block.index()).contains(&block);
    function.blocks.ids().map(cyclic).collect()
}
