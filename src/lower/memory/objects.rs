//! Objects that come into being: where they are, and that they hold anything.

use crate::ir::Operand;
use crate::ir::analysis::points_to::{ObjectCell, Origin, RegionKind};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::memory::{Held, MOST_CELLS, at, how_many, offsets, parts};
use crate::lower::shadow::Shadowed;
use crate::program::{INDETERMINATE, Role, Scope, USED_AGAIN, Variable};
use crate::term::{Operator, Term};

impl<'m> Body<'_, 'm> {
    /// A local object comes into being.
    pub fn allocate(&mut self, size: u64, count: &'m Operand, align: u64) -> Step<Value> {
        self.depends_on(count);
        let value =
            self.function.blocks[self.site.block].instructions[self.site.number].result.expect("an address");
        let origin = Origin::Local(self.id, value);
        let fixed = self.lowering.layout.base(origin).filter(|_| !self.lowering.is_dynamic(origin));
        let Some(base) = fixed else {
            let count = self.term(count);
            let count = self.at_pointer_width(count);
            let each = self.lowering.store.bits(self.lowering.pointer_bits(), u128::from(size));
            let bytes = self.lowering.store.binary(Operator::Multiply, count, each);
            return self.take_memory(origin, bytes, align).map(Value::Term);
        };
        let base = self.lowering.store.bits(self.lowering.pointer_bits(), u128::from(base));
        self.make_arbitrary(origin, base)?;
        self.begins(value);
        Ok(Value::Term(base))
    }

    pub fn at_pointer_width(&mut self, term: Term) -> Term {
        let (width, pointer) = (self.lowering.store.width(term), self.lowering.pointer_bits());
        if width < pointer {
            self.lowering.store.zero_extend(pointer, term)
        } else {
            self.lowering.store.extract(0, pointer, term)
        }
    }

    /// A fresh object of so many bytes at the end of memory. A run that needs more than there are addresses ends.
    pub fn take_memory(&mut self, origin: Origin, bytes: Term, align: u64) -> Step<Term> {
        if let Some(base) = self.lowering.layout.base(origin).filter(|_| !self.lowering.is_dynamic(origin)) {
            return self.take_single(origin, base);
        }
        let bits = self.lowering.pointer_bits();
        let tracked = self.lowering.tracking.map_or(16, |tracking| tracking.slot);
        let slot = u128::from(align.max(tracked).next_power_of_two());
        let bytes = self.at_most_a_slot(bytes);
        let base = self.read(self.lowering.frontier);
        let store = &mut self.lowering.store;
        let gap = store.bits(bits, 2 * slot - 1 + 16);
        let round = store.bits(bits, (slot - 1) ^ crate::term::build::mask(bits));
        let end = store.binary(Operator::Add, base, bytes);
        let end = store.binary(Operator::Add, end, gap);
        let end = store.binary(Operator::And, end, round);
        let limit = store.bits(bits, crate::term::build::mask(bits) - 0xffff);
        // Neither may the sum wrap around, nor come near the end of the address space.
        let grows = store.unsigned_less(base, end);
        let fits = store.unsigned_less(bytes, limit);
        let below = store.unsigned_less(end, limit);
        [grows, fits, below].into_iter().for_each(|condition| self.assume(condition));
        self.write(self.lowering.frontier, end);
        self.born(base, bytes, matches!(origin, Origin::Heap(_)));
        self.make_arbitrary_if_zeroed(origin, base)?;
        Ok(base)
    }

    /// The bytes of an object that comes into being at a fixed address are arbitrary.
    pub fn make_arbitrary(&mut self, origin: Origin, base: Term) -> Step {
        let size = self.lowering.layout.size(origin).unwrap_or(0);
        for cell in self.lowering.points.cells(origin).to_vec() {
            let held = self.lowering.regions[cell.region];
            match held.kind {
                // Local variables are arbitrary at entry.
                RegionKind::Scalar { .. } if self.lowering.variables[held.symbol].scope != Scope::Global => {
                    self.make_undefined(&at(&cell, cell.offset), base);
                }
                RegionKind::Scalar { bits, .. } => {
                    let name = self.lowering.store.name(held.symbol).to_owned();
                    let value = self.input(&format!("uninitialised {name}"), bits);
                    self.write(held.symbol, value);
                    self.make_undefined(&at(&cell, cell.offset), base);
                }
                // Nothing was there before, and nothing was initialised.
                _ if !held.zeroed && self.lowering.points.once().contains(&self.id) => {}
                _ => self.scramble(&cell, base, size)?,
            }
        }
        Ok(())
    }

    /// A local variable that has begun before begins again: its bytes are arbitrary.
    pub fn make_indeterminate(&mut self, origin: Origin, base: Term) -> Step {
        let size = self.lowering.layout.size(origin).unwrap_or(0);
        let cells = self.lowering.points.cells(origin).to_vec();
        self.touch(cells.iter().map(|cell| cell.region));
        for cell in cells {
            let held = self.lowering.regions[cell.region];
            match held.kind {
                _ if held.constant.is_some() => {}
                RegionKind::Scalar { bits, .. } => {
                    let name = self.lowering.store.name(held.symbol).to_owned();
                    let value = self.input(&format!("{INDETERMINATE}{name}"), bits);
                    self.write(held.symbol, value);
                    self.make_undefined(&at(&cell, cell.offset), base);
                }
                _ if held.shadow.is_none() && self.is_alone(origin, &cell) => self.make_all_arbitrary(held),
                _ => self.scramble(&cell, base, size)?,
            }
        }
        Ok(())
    }

    /// Whether nothing else is in a region.
    fn is_alone(&self, origin: Origin, cell: &ObjectCell) -> bool {
        self.lowering.points.regions()[cell.region].origins == [origin] && !self.lowering.is_dynamic(origin)
    }

    /// All of a region is arbitrary.
    fn make_all_arbitrary(&mut self, held: Held) {
        let name = format!("{INDETERMINATE}{}", self.lowering.store.name(held.symbol));
        let sort = self.lowering.store.sort_of_symbol(held.symbol);
        let variable = Variable { scope: Scope::Input, ty: None, role: Role::Input(name.clone()) };
        let input = self.lowering.variable(&name, sort, variable);
        self.pending().input(input);
        let value = self.lowering.store.symbol(input);
        self.write(held.symbol, value);
    }

    fn make_arbitrary_if_zeroed(&mut self, origin: Origin, base: Term) -> Step {
        for cell in self.lowering.points.cells(origin).to_vec() {
            if self.lowering.regions[cell.region].zeroed {
                let size = self.lowering.layout.size(origin).unwrap_or(u64::MAX);
                self.scramble(&cell, base, size)?;
            }
        }
        Ok(())
    }

    /// Arbitrary values for all cells of a kind in an object.
    fn scramble(&mut self, cell: &ObjectCell, base: Term, size: u64) -> Step {
        let count = how_many(cell, size);
        if count.saturating_mul(u64::from(cell.bits).div_ceil(128)) > MOST_CELLS {
            return self.unsupported("much uninitialised memory that is used again");
        }
        for offset in offsets(cell, size) {
            for part in parts(&at(cell, offset)) {
                let value = self.input(USED_AGAIN, part.bits);
                let shadow = Some(self.lowering.store.bits(part.bits, u128::MAX));
                self.write_shadowed(&part, base, Shadowed { value, shadow });
            }
        }
        Ok(())
    }
}
