//! Global variables that nobody changes: what is read there is what they start with. So it is with elements of arrays, if all
//! start with the same; what is read from a small table of different values is chosen by the address.

use crate::ir::analysis::points_to::{Origin, RegionId, RegionKind, Site, Transfer};
use crate::ir::{Operand, Operation};
use crate::lower::entry::initial;
use crate::lower::memory::{MOST_CELLS, how_many, offsets};
use crate::lower::{Lowering, sites};
use crate::term::Term;
use std::collections::BTreeMap;

/// Larger tables stay arrays.
const LARGEST_TABLE: u64 = 16;

/// Finds regions that always hold what they start with.
pub(in crate::lower) fn find(lowering: &mut Lowering<'_>) {
    let mut candidates = starting_values(lowering);
    let mut tables = starting_tables(lowering);
    for &function in lowering.points.reachable() {
        for site in sites(lowering.module, function) {
            for region in changed(lowering, site, &candidates) {
                candidates.remove(&region);
                tables.remove(&region);
            }
        }
    }
    for (region, value) in candidates {
        lowering.memory.regions[region].constant = Some(value);
    }
    lowering.memory.tables = tables;
}

/// What the cells of small arrays start with, by address.
fn starting_tables(lowering: &mut Lowering<'_>) -> BTreeMap<RegionId, Vec<(u64, Term)>> {
    let mut tables = BTreeMap::new();
    for id in lowering.points.regions().ids() {
        if let Some(table) = starting_table(lowering, id) {
            tables.insert(id, table);
        }
    }
    tables
}

fn starting_table(lowering: &mut Lowering<'_>, region: RegionId) -> Option<Vec<(u64, Term)>> {
    let held = &lowering.points.regions()[region];
    let RegionKind::Cells { .. } = held.kind else { return None };
    let mut table = Vec::new();
    for &origin in &held.origins {
        let Origin::Global(global) = origin else { return None };
        let base = lowering.memory.layout.base(origin)?;
        let global = &lowering.module.globals[global];
        let initialiser = global.initialiser.as_ref().filter(|i| i.unsupported.is_none())?;
        for cell in lowering.points.cells(origin).iter().filter(|cell| cell.region == region) {
            if how_many(cell, global.size) > LARGEST_TABLE {
                return None;
            }
            for offset in offsets(cell, global.size) {
                table.push((base + offset, initial(lowering, initialiser, offset, cell.bits)));
            }
        }
    }
    (table.len() as u64 <= LARGEST_TABLE).then_some(table)
}

/// What is read from an array at an address: from a table what it always holds.
pub(in crate::lower) fn read_cell(
    lowering: &mut Lowering<'_>,
    region: RegionId,
    memory: Term,
    address: Term,
) -> Term {
    let mut value = lowering.store.select(memory, address);
    for (at, cell) in lowering.memory.tables.get(&region).cloned().unwrap_or_default() {
        let at = lowering.store.bits(lowering.pointer_bits(), at.into());
        let here = lowering.store.equal(address, at);
        value = lowering.store.choose(here, cell, value);
    }
    value
}

/// What plain global variables start with, and elements of arrays that all start with the same.
fn starting_values(lowering: &mut Lowering<'_>) -> BTreeMap<RegionId, Term> {
    let mut values = BTreeMap::new();
    for id in lowering.points.regions().ids() {
        if let Some(value) = common_start(lowering, id) {
            values.insert(id, value);
        }
    }
    values
}

/// The value that all cells of a region start with, if all belong to global variables.
fn common_start(lowering: &mut Lowering<'_>, region: RegionId) -> Option<Term> {
    let held = &lowering.points.regions()[region];
    if held.kind == RegionKind::Bytes {
        return None;
    }
    let (mut common, mut count) = (None, 0);
    for &origin in &held.origins {
        let Origin::Global(global) = origin else { return None };
        let global = &lowering.module.globals[global];
        let initialiser = global.initialiser.as_ref().filter(|i| i.unsupported.is_none())?;
        for cell in lowering.points.cells(origin).iter().filter(|cell| cell.region == region) {
            count += how_many(cell, global.size);
            if count > MOST_CELLS {
                return None;
            }
            for offset in offsets(cell, global.size) {
                let value = initial(lowering, initialiser, offset, cell.bits);
                if *common.get_or_insert(value) != value {
                    return None;
                }
            }
        }
    }
    common
}

/// The regions that an instruction may give another value.
fn changed(lowering: &mut Lowering<'_>, site: Site, start: &BTreeMap<RegionId, Term>) -> Vec<RegionId> {
    let function = &lowering.module.functions[site.function];
    let mut changed: Vec<RegionId> = match lowering.points.copy(site) {
        Transfer::Pieces(pieces) => pieces.iter().map(|piece| piece.to).collect(),
        Transfer::Loop { to, .. } => vec![to],
        Transfer::Nowhere => Vec::new(),
    };
    let accesses = lowering.points.accesses(site).iter().map(|access| access.region);
    match &function.blocks[site.block].instructions[site.number].operation {
        Operation::Load { .. } => {}
        Operation::Store { value, .. } => {
            let same = |region: &RegionId| is_same(lowering, value, start.get(region).copied());
            changed.extend(accesses.filter(|region| !same(region)).collect::<Vec<_>>());
        }
        _ => changed.extend(accesses),
    }
    changed
}

/// Whether an operand is the integer that a region starts with.
fn is_same(lowering: &Lowering<'_>, operand: &Operand, start: Option<Term>) -> bool {
    let Operand::Constant(crate::ir::Constant::Integer { bits, value }) = operand else { return false };
    let start = start.map(|start| lowering.store.node(start));
    start == Some(crate::term::Node::Bits(*bits, *value))
}
