//! Where addresses of local variables may be kept: whether anybody can still have one when the variable has ended.
//!
//! An address that is only passed down is gone by then: the callees have returned, and their variables have ended. So what
//! matters are addresses in global variables, on the heap, in variables of callers, in what functions return, and in other
//! threads; and, for a variable of a block, those in other variables of its own function.

use super::Origin;
use super::graph::NodeId;
use super::state::{Analysis, Entry};
use super::threads::Activations;
use crate::ir::FunctionId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Where addresses of local variables may be kept.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// Variables whose addresses others may have when their function has returned.
    pub outlived: BTreeSet<Origin>,
    /// The variables of the same function that may hold the address of a variable.
    pub beside: BTreeMap<Origin, BTreeSet<Origin>>,
}

/// The function whose activation an object ends with.
fn owner(origin: Origin) -> Option<FunctionId> {
    match origin {
        Origin::Local(function, _) | Origin::Copy(function, _) | Origin::Arguments(function) => {
            Some(function)
        }
        Origin::Global(_) | Origin::Heap(_) | Origin::Outside | Origin::Unset(_) => None,
    }
}

/// Finds them; `shared` is what global variables and other threads lead to.
pub(super) fn find(analysis: &Analysis<'_>, activations: &Activations, shared: &FxHashSet<NodeId>) -> Kept {
    let holders = holders(analysis);
    let callers = callers(analysis);
    let mut above: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
    let mut kept = Kept::default();
    for object in analysis.objects.iter() {
        let Some(function) = owner(object.origin) else { continue };
        let above = above.entry(function).or_insert_with(|| all_above(function, &callers));
        let node = analysis.graph.resolve(object.cell).node;
        let returns = |id: &FunctionId| {
            analysis.results.get(id).is_some_and(|&cell| analysis.graph.resolve(cell).node == node)
        };
        let returned = returns(&function) || above.iter().any(returns);
        let mut outlived = shared.contains(&node) || returned;
        for &holder in holders.get(&node).into_iter().flatten() {
            match owner(holder) {
                Some(other) if other == function => {
                    outlived |= activations.recursive.contains(&function);
                    kept.beside.entry(object.origin).or_default().insert(holder);
                }
                Some(other) => outlived |= above.contains(&other),
                None => outlived = true,
            }
        }
        if outlived {
            kept.outlived.insert(object.origin);
        }
    }
    kept
}

/// The objects that may hold addresses of what is in a node.
fn holders(analysis: &Analysis<'_>) -> FxHashMap<NodeId, BTreeSet<Origin>> {
    let mut all: FxHashMap<NodeId, BTreeSet<Origin>> = FxHashMap::default();
    for object in analysis.objects.iter() {
        let node = analysis.graph.resolve(object.cell).node;
        for link in analysis.graph.body(node).slots.values().filter_map(|slot| slot.link) {
            all.entry(analysis.graph.resolve(link).node).or_default().insert(object.origin);
        }
    }
    all
}

fn callers(analysis: &Analysis<'_>) -> BTreeMap<FunctionId, BTreeSet<FunctionId>> {
    let mut callers: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
    for &(site, target, _) in analysis.edges.iter().filter(|(_, _, entry)| *entry == Entry::Call) {
        callers.entry(target).or_default().insert(site.function);
    }
    callers
}

/// The functions that call a function, directly or not.
fn all_above(
    function: FunctionId,
    callers: &BTreeMap<FunctionId, BTreeSet<FunctionId>>,
) -> BTreeSet<FunctionId> {
    let (mut waiting, mut found) = (vec![function], BTreeSet::new());
    while let Some(callee) = waiting.pop() {
        let new = callers.get(&callee).into_iter().flatten().copied();
        waiting.extend(new.filter(|&caller| found.insert(caller)));
    }
    found
}
