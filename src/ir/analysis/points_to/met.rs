//! Which objects of the program a pointer from outside may lead to.
//!
//! Code elsewhere knows the addresses of what has a name there, and of what it was handed, directly or within what that leads to. It can
//! give back no others. So a pointer that a function without a body returns, or that the function to start with gets, leads to one of those objects or to none of
//! the program's own. An access through it meets an object if it fits into it, if one of the two writes, and if the object is of the type that the pointer is
//! declared to lead to, or has such a part. That pointers from outside lead to what they are declared to lead to is an assumption, where it matters.

use super::graph::{Cell, NodeId, Slot};
use super::state::{Analysis, Object, definitions};
use super::{Met, Origin, Site};
use crate::ir::analysis::declared::{Declared, may_have};
use crate::ir::{DebugTypeId, FunctionId, Operand, Operation};
use rustc_hash::{FxHashMap, FxHashSet};

/// An access, as far as it may meet objects.
struct Reach {
    site: Site,
    node: NodeId,
    /// How many bytes an object must have at least.
    bytes: u64,
    writes: bool,
}

/// All accesses through pointers from outside that may meet objects of the program, and which.
pub(super) fn find(analysis: &Analysis<'_>, roots: &[FunctionId]) -> FxHashMap<Site, Met> {
    let known = known_outside(analysis, roots);
    let mut found: FxHashMap<Site, Met> = FxHashMap::default();
    for reach in accesses(analysis).into_iter().chain(transfers(analysis)) {
        let mut ty = None;
        for node in
            known.iter().filter(|&&node| node != reach.node && conflicts(analysis, node, reach.writes))
        {
            let objects = analysis.graph.body(*node).objects.iter().map(|&id| &analysis.objects[id]);
            for object in objects.filter(|object| !object.invented) {
                if object.size.is_some_and(|size| size < reach.bytes) {
                    continue;
                }
                let met = found.entry(reach.site).or_default();
                let ty = *ty.get_or_insert_with(|| pointee(analysis, reach.site));
                match fits(analysis, object, ty) {
                    true => drop(met.objects.insert(object.origin)),
                    false => met.typed = true,
                }
            }
        }
    }
    found
}

/// The nodes whose addresses code elsewhere may know.
fn known_outside(analysis: &Analysis<'_>, roots: &[FunctionId]) -> Vec<NodeId> {
    let graph = &analysis.graph;
    let mut waiting: Vec<NodeId> = graph
        .roots()
        .into_iter()
        .filter(|&node| graph.body(node).exported || graph.body(node).foreign)
        .collect();
    let given = analysis.callbacks.iter().chain(roots).filter_map(|function| analysis.results.get(function));
    let cells = analysis.handed.iter().chain(given).chain([&analysis.outside]);
    waiting.extend(cells.map(|&cell| graph.resolve(cell).node));
    let mut known = FxHashSet::default();
    let mut order = Vec::new();
    while let Some(node) = waiting.pop() {
        if known.insert(node) {
            order.push(node);
            let links = graph.body(node).slots.values().filter_map(|slot| slot.link);
            waiting.extend(links.map(|link| graph.resolve(link).node));
        }
    }
    order.sort_unstable();
    order
}

/// Whether the program itself accesses what is there, and one of the two accesses writes.
fn conflicts(analysis: &Analysis<'_>, node: NodeId, writes: bool) -> bool {
    let written = |slot: &Slot| slot.stored || slot.copied;
    analysis.graph.body(node).slots.values().any(|slot| if writes { slot.is_held() } else { written(slot) })
}

fn fits(analysis: &Analysis<'_>, object: &Object, wanted: Option<DebugTypeId>) -> bool {
    let module = analysis.module;
    let ty = match object.origin {
        Origin::Global(id) => module.globals[id].variable.as_ref().and_then(|variable| variable.ty),
        Origin::Local(function, value) => {
            module.functions[function].values[value].variable.as_ref().and_then(|variable| variable.ty)
        }
        _ => None,
    };
    match (ty, wanted) {
        (Some(ty), Some(wanted)) => may_have(module, ty, wanted),
        _ => true,
    }
}

/// What the pointer of an access is declared to lead to.
fn pointee(analysis: &Analysis<'_>, site: Site) -> Option<DebugTypeId> {
    let function = &analysis.module.functions[site.function];
    let address: &Operand = match &function.blocks[site.block].instructions.get(site.number)?.operation {
        Operation::Load { address, .. }
        | Operation::Store { address, .. }
        | Operation::AtomicUpdate { address, .. }
        | Operation::CompareExchange { address, .. } => address,
        _ => return None,
    };
    let definitions = definitions(function);
    Declared { module: analysis.module, function, definitions: &definitions }.pointee(address)
}

fn accesses(analysis: &Analysis<'_>) -> Vec<Reach> {
    let reach = |raw: &super::state::RawAccess| {
        let cell = analysis.graph.resolve(raw.cell);
        let bytes = offset_in_foreign(analysis, cell)?.saturating_add(u64::from(raw.width));
        let function = &analysis.module.functions[raw.site.function];
        let instruction = function.blocks[raw.site.block].instructions.get(raw.site.number);
        let reads = instruction.is_some_and(|it| matches!(it.operation, Operation::Load { .. }));
        Some(Reach { site: raw.site, node: cell.node, bytes, writes: !reads })
    };
    analysis.accesses.iter().filter_map(reach).collect()
}

fn transfers(analysis: &Analysis<'_>) -> Vec<Reach> {
    let mut found = Vec::new();
    for raw in &analysis.transfers {
        let site = match raw.key {
            super::state::CopyKey::Site(site) | super::state::CopyKey::Argument(site, ..) => site,
            super::state::CopyKey::Silent => continue,
        };
        let ends = [Some((raw.to, true)), raw.from.map(|from| (from, false))];
        for (cell, writes) in ends.into_iter().flatten() {
            let cell = analysis.graph.resolve(cell);
            if let Some(offset) = offset_in_foreign(analysis, cell) {
                let bytes = offset.saturating_add(raw.length.unwrap_or(1));
                found.push(Reach { site, node: cell.node, bytes, writes });
            }
        }
    }
    found
}

/// How far behind the beginning of what a pointer from outside leads to a cell is at least; nothing if no such pointer leads there.
fn offset_in_foreign(analysis: &Analysis<'_>, cell: Cell) -> Option<u64> {
    let body = analysis.graph.body(cell.node);
    if body.outside {
        return Some(0);
    }
    let objects = body.objects.iter().map(|&id| &analysis.objects[id]);
    let foreign = objects.filter(|object| object.invented && !matches!(object.origin, Origin::Unset(_)));
    let offset = |object: &Object| {
        let offset = cell.offset.wrapping_sub(analysis.graph.resolve(object.cell).offset);
        u64::try_from(body.fold(offset)).unwrap_or(0)
    };
    foreign.map(offset).min()
}
