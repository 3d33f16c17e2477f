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
use crate::lower::{Lowering, sites};
use crate::term::{Symbol, Term};

/// The addresses of one thread take so many bits.
const BITS: u32 = 16;

/// More cells than these are not set one by one.
const MOST_CELLS: usize = 64;

impl Lowering<'_> {
    /// Whether an instruction asks for the address of such a variable.
    pub(super) fn is_local_address(&self, site: Site) -> bool {
        let block = &self.module.functions[site.function].blocks[site.block];
        let operation = &block.instructions[site.number].operation;
        matches!(operation, Operation::Intrinsic { intrinsic: Intrinsic::ThreadLocalAddress, .. })
    }

    /// Whether all such variables fit, and nothing is checked that would have to know where they are.
    fn locals_are_modelled(&self) -> bool {
        let ends = self.module.globals.ids().filter(|&id| self.module.globals[id].thread_local);
        let end = ends.map(|id| self.offset_of(id) + self.module.globals[id].size).max().unwrap_or(0);
        end < 1 << BITS && !crate::checks::bounds::is_asked(self)
    }

    /// Where a variable is in the block of a thread.
    fn offset_of(&self, id: GlobalId) -> u64 {
        let before = self.module.globals.ids().take(id.index());
        let sizes = before.filter(|&id| self.module.globals[id].thread_local);
        sizes.map(|id| self.module.globals[id].size.next_multiple_of(16) + 16).sum()
    }

    /// Where the blocks of threads start.
    fn first_block(&self) -> u64 {
        if self.module.pointer_bytes == 4 { 0xa000_0000 } else { 0x6000_0000_0000 }
    }

    /// Where a variable is for the first thread, if each thread has its own.
    pub fn address_for_main(&self, id: GlobalId) -> Option<u64> {
        let own = self.module.globals[id].thread_local && self.threaded;
        let block = self.first_block() + ((MAIN as u64) << BITS);
        own.then(|| block + self.offset_of(id))
    }
}

impl Body<'_, '_> {
    /// The address of a variable of this thread.
    pub fn local_address(&mut self, variable: &Operand) -> Step<Value> {
        let Operand::Constant(Constant::Global(id, offset)) = variable else {
            return self.unsupported("a computed variable that each thread has for itself");
        };
        if !self.lowering.locals_are_modelled() {
            return self.unsupported("a variable that each thread has for itself");
        }
        let own = self.own_number();
        let block = self.block_of(own);
        let offset = self.lowering.offset_of(*id).wrapping_add_signed(*offset);
        Ok(Value::Term(self.plus(block, offset)))
    }

    /// Where the variables of a thread are.
    fn block_of(&mut self, number: Term) -> Term {
        let bits = self.lowering.pointer_bits();
        let first = self.lowering.first_block();
        let store = &mut self.lowering.store;
        let low = store.extract(0, bits - BITS, number);
        let zeros = store.bits(BITS, 0);
        let distance = store.concatenate(low, zeros);
        let first = store.bits(bits, first.into());
        store.add(first, distance)
    }

    /// The variables of a new thread get their first values.
    pub(super) fn set_locals(&mut self, number: Symbol) -> Step {
        let used = self.lowering.points.reachable().iter().flat_map(|&id| sites(self.lowering.module, id));
        let used = used.filter(|&site| self.lowering.is_local_address(site)).count() > 0;
        if !used || !self.lowering.locals_are_modelled() {
            return Ok(());
        }
        self.cut(Cut::Call);
        let module = self.lowering.module;
        for (id, global) in module.globals.enumerate().filter(|(_, global)| global.thread_local) {
            let cells = self.cells_of(id, global.size);
            if cells.len() > MOST_CELLS {
                return self.unsupported("a large variable that each thread has for itself");
            }
            for cell in cells {
                let value = match &global.initialiser {
                    Some(initialiser) => initial(self.lowering, initialiser, cell.offset, cell.bits),
                    None => self.input("extern variable", cell.bits),
                };
                let number = self.read(number);
                let block = self.block_of(number);
                let base = self.plus(block, self.lowering.offset_of(id));
                self.write_piece(&cell, base, value);
            }
        }
        Ok(())
    }

    fn cells_of(&self, id: GlobalId, size: u64) -> Vec<Access> {
        let mut cells = Vec::new();
        for cell in self.lowering.points.cells(Origin::Global(id)) {
            let bytes = self.lowering.regions[cell.region].kind == RegionKind::Bytes;
            let (bits, count) = if bytes { (8, u64::from(cell.bits / 8)) } else { (cell.bits, 1) };
            for offset in offsets(cell, size) {
                let parts =
                    (0..count).map(|byte| Access { offset: offset + byte, bits, region: cell.region });
                cells.extend(parts);
            }
        }
        cells
    }
}
