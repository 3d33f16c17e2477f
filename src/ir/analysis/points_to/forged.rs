//! Addresses that are made of numbers, and addresses that are read in part.
//!
//! Where an address of an object of the program may be made of numbers that are not followed, the program model, in which objects lie
//! elsewhere, cannot go on. Where a part of an address is read, its number is observed ([`observed`](super::observed)).

use super::graph::{Cell, Slot};
use super::indexed;
use super::outside::{is_forged, is_overlapped, is_torn, widest};
use super::state::{Analysis, definitions};
use super::{Origin, Site};
use crate::ir::{FunctionId, Operand, Operation, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Where an address of an object of the program may be made of numbers that are not followed: there the program
/// model, in which objects lie elsewhere, cannot go on.
pub(super) fn find(analysis: &Analysis<'_>) -> BTreeSet<Site> {
    if !analysis.numbers_meet {
        return BTreeSet::new();
    }
    let mut sites = analysis.forging.clone();
    let casts = analysis.becoming.iter().filter(|(_, cell, width)| {
        let cell = indexed::resolve(&analysis.graph, *cell);
        let (body, key) = (analysis.graph.body(cell.node), (cell.offset, *width));
        body.slots.get(&key).is_some_and(|slot| is_forged(body, key, slot))
    });
    sites.extend(casts.map(|(site, ..)| *site));
    for access in &analysis.accesses {
        let cell = indexed::resolve(&analysis.graph, access.cell);
        let (body, key) = (analysis.graph.body(cell.node), (cell.offset, access.width));
        let forged = |slot: &Slot| slot.address_loaded && is_forged(body, key, slot);
        let reads = match operation(analysis, access.site) {
            Some(Operation::Load { .. }) => result_type(analysis, access.site) == Some(&Type::Pointer),
            _ => false,
        };
        // Arguments behind `...` are read as what was passed: anything else is undefined.
        let passed = analysis.holds(cell, |origin| matches!(origin, Origin::Arguments(_)));
        if reads && !passed && body.slots.get(&key).is_some_and(forged) {
            sites.insert(access.site);
        }
    }
    sites
}

/// Reads of a part of an address, or of more than one.
pub(super) fn torn_reads(analysis: &Analysis<'_>) -> BTreeSet<Site> {
    let mut known: BTreeMap<FunctionId, BTreeSet<Site>> = BTreeMap::new();
    let mut sites = BTreeSet::new();
    for access in &analysis.accesses {
        let id = access.site.function;
        if matches!(operation(analysis, access.site), Some(Operation::Load { .. }))
            && is_torn_read(analysis, access.cell, access.width, || {
                known.entry(id).or_insert_with(|| bytewise(analysis, id)).contains(&access.site)
            })
        {
            sites.insert(access.site);
        }
    }
    sites
}

/// Whether a read of so many bytes may be of a part of an address. Where the analysis does not tell the members of
/// objects apart, only bytes that are read one by one may: to read an address as an integer is undefined there.
fn is_torn_read(analysis: &Analysis<'_>, cell: Cell, width: u32, bytewise: impl FnOnce() -> bool) -> bool {
    let cell = indexed::resolve(&analysis.graph, cell);
    let (body, key) = (analysis.graph.body(cell.node), (cell.offset, width));
    let address = |slot: &Slot| slot.link.is_some_and(|link| analysis.owns(link));
    let misaligned = |slot: &Slot| is_torn(body, key, slot) && address(slot);
    let torn =
        || body.slots.get(&key).is_some_and(misaligned) || is_overlapped(body, key, widest(body), address);
    let collapsed = body.stride != 0 && body.stride < u64::from(analysis.pointer());
    if collapsed { width == 1 && torn() && bytewise() } else { torn() }
}

/// Loads through pointers to bytes: no members of structs, which lie at constant offsets.
fn bytewise(analysis: &Analysis<'_>, id: FunctionId) -> BTreeSet<Site> {
    let function = &analysis.module.functions[id];
    let definitions = definitions(function);
    let is_member = |address: &Operand| match address {
        Operand::Value(value) => match definitions[*value] {
            Some(Operation::Offset { terms, .. }) => terms.is_empty(),
            Some(Operation::Allocate { .. }) => true,
            _ => false,
        },
        Operand::Constant(_) => true,
    };
    let mut sites = BTreeSet::new();
    for (block, content) in function.blocks.enumerate() {
        for (number, instruction) in content.instructions.iter().enumerate() {
            if let Operation::Load { address, .. } = &instruction.operation
                && !is_member(address)
            {
                sites.insert(Site { function: id, block, number });
            }
        }
    }
    sites
}

fn operation<'m>(analysis: &Analysis<'m>, site: Site) -> Option<&'m Operation> {
    let block = &analysis.module.functions[site.function].blocks[site.block];
    block.instructions.get(site.number).map(|instruction| &instruction.operation)
}

fn result_type<'m>(analysis: &Analysis<'m>, site: Site) -> Option<&'m Type> {
    let function = &analysis.module.functions[site.function];
    let result = function.blocks[site.block].instructions.get(site.number)?.result?;
    Some(&function.values[result].ty)
}
