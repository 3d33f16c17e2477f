//! Variables that each thread has for itself (`_Thread_local`).
//!
//! Each thread has a block of addresses for them, by its number, far from everything else. Whoever starts a thread gives
//! its variables their first values.

use super::own::MAIN;
use crate::checks::Cut;
use crate::ground::index::Index;
use crate::ir::analysis::points_to::{Access, Origin, RegionKind, Site};
use crate::ir::{Constant, GlobalId, Intrinsic, Operand, Operation};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::entry::initial;
use crate::lower::memory::offsets;
use crate::lower::threads::own;
use crate::lower::{Lowering, memory, sites};
use crate::term::{Symbol, Term};

/// The addresses of one thread take so many bits.
const BITS: u32 = 16;

/// More cells than these are not set one by one.
const MOST_CELLS: usize = 64;

/// Whether an instruction asks for the address of such a variable.
pub(super) fn is_address(lowering: &Lowering<'_>, site: Site) -> bool {
    let block = &lowering.module.functions[site.function].blocks[site.block];
    let operation = &block.instructions[site.number].operation;
    matches!(operation, Operation::Intrinsic { intrinsic: Intrinsic::ThreadLocalAddress, .. })
}

/// Whether all such variables fit, and nothing is checked that would have to know where they are.
fn are_modelled(lowering: &Lowering<'_>) -> bool {
    let ends = lowering.module.globals.ids().filter(|&id| lowering.module.globals[id].thread_local);
    let end = ends.map(|id| offset_of(lowering, id) + lowering.module.globals[id].size).max().unwrap_or(0);
    end < 1 << BITS && !crate::checks::bounds::is_asked(lowering)
}

/// Where a variable is in the block of a thread.
fn offset_of(lowering: &Lowering<'_>, id: GlobalId) -> u64 {
    let before = lowering.module.globals.ids().take(id.index());
    let sizes = before.filter(|&id| lowering.module.globals[id].thread_local);
    sizes.map(|id| lowering.module.globals[id].size.next_multiple_of(16) + 16).sum()
}

/// Where the blocks of threads start.
fn first_block(lowering: &Lowering<'_>) -> u64 {
    if lowering.module.pointer_bytes == 4 { 0xa000_0000 } else { 0x6000_0000_0000 }
}

/// Where a variable is for the first thread, if each thread has its own.
pub(in crate::lower) fn address_for_main(lowering: &Lowering<'_>, id: GlobalId) -> Option<u64> {
    let own = lowering.module.globals[id].thread_local && lowering.threaded();
    let block = first_block(lowering) + ((MAIN as u64) << BITS);
    own.then(|| block + offset_of(lowering, id))
}

/// The address of a variable of this thread.
pub(in crate::lower) fn address(body: &mut Body<'_, '_>, variable: &Operand) -> Step<Value> {
    let Operand::Constant(Constant::Global(id, offset)) = variable else {
        return body.unsupported("a computed variable that each thread has for itself");
    };
    if !are_modelled(body.lowering) {
        return body.unsupported("a variable that each thread has for itself");
    }
    let own = own::number(body);
    let block = block_of(body, own);
    let offset = offset_of(body.lowering, *id).wrapping_add_signed(*offset);
    Ok(Value::Term(body.plus(block, offset)))
}

/// Where the variables of a thread are.
fn block_of(body: &mut Body<'_, '_>, number: Term) -> Term {
    let bits = body.lowering.pointer_bits();
    let first = first_block(body.lowering);
    let store = &mut body.lowering.store;
    let low = store.extract(0, bits - BITS, number);
    let zeros = store.bits(BITS, 0);
    let distance = store.concatenate(low, zeros);
    let first = store.bits(bits, first.into());
    store.add(first, distance)
}

/// The variables of a new thread get their first values.
pub(super) fn set_up(body: &mut Body<'_, '_>, number: Symbol) -> Step {
    let used = body.lowering.points.reachable().iter().flat_map(|&id| sites(body.lowering.module, id));
    let used = used.filter(|&site| is_address(body.lowering, site)).count() > 0;
    if !used || !are_modelled(body.lowering) {
        return Ok(());
    }
    body.cut(Cut::Call);
    let module = body.lowering.module;
    for (id, global) in module.globals.enumerate().filter(|(_, global)| global.thread_local) {
        let cells = cells_of(body, id, global.size);
        if cells.len() > MOST_CELLS {
            return body.unsupported("a large variable that each thread has for itself");
        }
        for cell in cells {
            let value = match &global.initialiser {
                Some(initialiser) => initial(body.lowering, initialiser, cell.offset, cell.bits),
                None => body.input("extern variable", cell.bits),
            };
            let number = body.read(number);
            let block = block_of(body, number);
            let base = body.plus(block, offset_of(body.lowering, id));
            memory::write_piece(body, &cell, base, value);
        }
    }
    Ok(())
}

fn cells_of(body: &Body<'_, '_>, id: GlobalId, size: u64) -> Vec<Access> {
    let mut cells = Vec::new();
    for cell in body.lowering.points.cells(Origin::Global(id)) {
        let bytes = body.lowering.memory.regions[cell.region].kind == RegionKind::Bytes;
        let (bits, count) = if bytes { (8, u64::from(cell.bits / 8)) } else { (cell.bits, 1) };
        for offset in offsets(cell, size) {
            let parts = (0..count).map(|byte| Access { offset: offset + byte, bits, region: cell.region });
            cells.extend(parts);
        }
    }
    cells
}
