//! The heap.

use crate::checks::{Cut, Event};
use crate::ir::analysis::points_to::{Access, Origin, RegionKind};
use crate::ir::{Operand, Type};
use crate::lower::Allocation;
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::memory::{MOST_CELLS, at, how_many, offsets, parts};
use crate::lower::shadow::Shadowed;
use crate::program::Assumption;
use crate::term::{Node, Operator, Symbol, Term};

/// So many cells are set one by one without a loop.
const FEW: u64 = 64;

/// What happens to a cell: which one, and at which offset from the start of the object.
type EachCell<'f, 'l, 'm> = dyn FnMut(&mut Body<'l, 'm>, &Access, Term) -> Shadowed + 'f;

impl<'l, 'm> Body<'l, 'm> {
    pub fn malloc(&mut self, arguments: &'m [(Operand, Type)]) -> Step<Value> {
        self.touch_objects();
        let bytes = self.term(&arguments[0].0);
        let bytes = self.at_pointer_width(bytes);
        let base = self.take_memory(Origin::Heap(self.site), bytes, 16)?;
        Ok(self.allocated(base))
    }

    /// Number and size; the memory is zero. If the product does not fit, the result is null, whether or not memory
    /// can run out.
    pub fn calloc(&mut self, arguments: &'m [(Operand, Type)]) -> Step<Value> {
        self.touch_objects();
        let (count, each) = (self.term(&arguments[0].0), self.term(&arguments[1].0));
        let (count, each) = (self.at_pointer_width(count), self.at_pointer_width(each));
        let fits = self.product_fits(count, each);
        let bytes = self.lowering.store.binary(Operator::Multiply, count, each);
        let bytes = self.kept("bytes", bytes);
        if self.lowering.store.node(fits) == Node::Boolean(true) {
            return self.zeroed(bytes);
        }
        let bits = self.lowering.pointer_bits();
        let result = self.temporary("allocated", bits);
        let fits = self.settled(fits);
        let (start, behind) = (self.pending().from, self.new_location());
        let values = self.snapshot();
        self.assume(fits);
        if let Ok(base) = self.zeroed(bytes) {
            let base = self.joined_term(&base);
            self.leave(behind, None, &[(result, base)]);
        }
        self.restore(values.clone());
        self.restart(start);
        let (overflows, null) = (self.lowering.store.not(fits), self.lowering.store.bits(bits, 0));
        self.assume(overflows);
        self.leave(behind, None, &[(result, null)]);
        self.restore(values);
        self.restart(behind);
        Ok(Value::Term(self.lowering.store.symbol(result)))
    }

    /// A new object of so many bytes, all of them zero.
    fn zeroed(&mut self, bytes: Symbol) -> Step<Value> {
        let size = self.read(bytes);
        let base = self.take_memory(Origin::Heap(self.site), size, 16)?;
        let base = self.kept("allocated", base);
        let few = match self.lowering.store.node(size) {
            Node::Bits(_, size) => u64::try_from(size).ok(),
            _ => None,
        };
        match few.filter(|&size| self.has_few_cells(size)) {
            Some(size) => self.clear(base, size),
            None => self.each_cell(base, bytes, &mut |body, cell, _| Shadowed {
                value: body.lowering.store.bits(cell.bits, 0),
                shadow: None,
            }),
        }
        let base = self.read(base);
        Ok(self.allocated(base))
    }

    /// Whether a product fits an address. With a constant factor that is a limit of the other one, which is easier to prove.
    fn product_fits(&mut self, left: Term, right: Term) -> Term {
        let bits = self.lowering.pointer_bits();
        let store = &mut self.lowering.store;
        for (factor, other) in [(right, left), (left, right)] {
            if let Node::Bits(_, factor @ 1..) = store.node(factor) {
                let most = store.bits(bits, crate::term::build::mask(bits) / factor);
                let beyond = store.unsigned_less(most, other);
                return store.not(beyond);
            }
        }
        let (left, right) = (store.zero_extend(2 * bits, left), store.zero_extend(2 * bits, right));
        let product = store.binary(Operator::Multiply, left, right);
        let high = store.extract(bits, bits, product);
        let zero = store.bits(bits, 0);
        store.equal(high, zero)
    }

    fn has_few_cells(&self, size: u64) -> bool {
        let cells = self.lowering.points.cells(Origin::Heap(self.site));
        cells.iter().map(|cell| how_many(cell, size)).sum::<u64>() <= FEW
    }

    fn clear(&mut self, base: Symbol, size: u64) {
        for cell in self.lowering.points.cells(Origin::Heap(self.site)).to_vec() {
            debug_assert!(how_many(&cell, size) <= MOST_CELLS);
            for part in offsets(&cell, size).flat_map(|offset| parts(&at(&cell, offset))) {
                let (base, zero) = (self.read(base), self.lowering.store.bits(part.bits, 0));
                self.write_piece(&part, base, zero);
            }
        }
    }

    /// The address, or null if memory may run out.
    fn allocated(&mut self, base: Term) -> Value {
        if self.lowering.settings.allocation == Allocation::Succeeds {
            self.lowering.assume(Assumption::AllocationSucceeds);
            return Value::Term(base);
        }
        let fails = self.input("malloc fails", 1);
        let fails = self.is_one(fails);
        self.not_single_if(fails);
        let null = self.lowering.store.bits(self.lowering.pointer_bits(), 0);
        Value::Term(self.lowering.store.choose(fails, null, base))
    }

    /// `realloc`: always a new object. The size 0 frees, and gives null.
    pub fn realloc(&mut self, arguments: &'m [(Operand, Type)]) -> Step<Value> {
        let (old, bytes) = (self.term(&arguments[0].0), self.term(&arguments[1].0));
        let bytes = self.at_pointer_width(bytes);
        let (old, bytes) = (self.kept("old", old), self.kept("bytes", bytes));
        let fails = self.may_fail();
        let result = self.temporary("reallocated", self.lowering.pointer_bits());
        self.cut(Cut::Call);
        let (start, behind) = (self.pending().from, self.new_location());
        let values = self.snapshot();
        let ways = [Self::first_allocation, Self::only_free, Self::grow, Self::fail];
        for way in ways {
            self.restore(values.clone());
            self.restart(start);
            if let Ok(value) = way(self, Reallocation { old, bytes, fails }) {
                self.leave(behind, None, &[(result, value)]);
            }
        }
        self.restore(values);
        self.restart(behind);
        Ok(Value::Term(self.lowering.store.symbol(result)))
    }

    /// Whether an allocation fails: a choice, kept for later.
    fn may_fail(&mut self) -> Symbol {
        let fails = match self.lowering.settings.allocation {
            Allocation::Succeeds => {
                self.lowering.assume(Assumption::AllocationSucceeds);
                self.lowering.store.bits(1, 0)
            }
            Allocation::MayFail => self.input("malloc fails", 1),
        };
        self.kept("fails", fails)
    }

    /// Which way a reallocation goes.
    fn assume_way(&mut self, what: Reallocation, old: Whether, bytes: Whether, fails: Option<Whether>) {
        let choices = [(what.old, Some(old)), (what.bytes, Some(bytes)), (what.fails, fails)];
        for (symbol, wanted) in choices {
            let Some(wanted) = wanted else { continue };
            let value = self.read(symbol);
            let zero = self.lowering.store.bits(self.lowering.store.width(value), 0);
            let is_zero = self.lowering.store.equal(value, zero);
            let holds = if wanted == Whether::Zero { is_zero } else { self.lowering.store.not(is_zero) };
            self.assume(holds);
        }
    }

    /// Of null: `malloc`.
    fn first_allocation(&mut self, what: Reallocation) -> Step<Term> {
        self.touch_objects();
        let old = self.read(what.old);
        let zero = self.lowering.store.bits(self.lowering.pointer_bits(), 0);
        let null = self.lowering.store.equal(old, zero);
        self.assume(null);
        let bytes = self.read(what.bytes);
        let base = self.take_memory(Origin::Heap(self.site), bytes, 16)?;
        let fails = self.read(what.fails);
        let fails = self.is_one(fails);
        self.not_single_if(fails);
        Ok(self.lowering.store.choose(fails, zero, base))
    }

    /// To nothing: `free`.
    fn only_free(&mut self, what: Reallocation) -> Step<Term> {
        self.assume_way(what, Whether::Other, Whether::Zero, None);
        self.tell(&Event::Free(what.old));
        self.free_at(what.old);
        Ok(self.lowering.store.bits(self.lowering.pointer_bits(), 0))
    }

    /// There is no memory: the old object stays.
    fn fail(&mut self, what: Reallocation) -> Step<Term> {
        self.assume_way(what, Whether::Other, Whether::Other, Some(Whether::Other));
        self.tell(&Event::Free(what.old));
        Ok(self.lowering.store.bits(self.lowering.pointer_bits(), 0))
    }

    /// What fits is copied.
    fn grow(&mut self, what: Reallocation) -> Step<Term> {
        self.assume_way(what, Whether::Other, Whether::Other, Some(Whether::Zero));
        self.tell(&Event::Free(what.old));
        // Others may end the old object while it is copied.
        self.tell(&Event::Reallocated);
        let (old, bytes) = (self.read(what.old), self.read(what.bytes));
        let before = self.size_before(old);
        let less = self.lowering.store.unsigned_less(before, bytes);
        let length = self.lowering.store.choose(less, before, bytes);
        let length = self.kept("length", length);
        let base = self.take_memory(Origin::Heap(self.site), bytes, 16)?;
        let base = self.kept("allocated", base);
        self.each_cell(base, length, &mut |body, cell, offset| {
            let old = body.read(what.old);
            let from = body.lowering.store.binary(Operator::Add, old, offset);
            body.read_shadowed(cell, from)
        });
        self.free_at(what.old);
        Ok(self.read(base))
    }

    /// Gives every cell of the object at `base`, up to a length, a new value.
    fn each_cell(&mut self, base: Symbol, length: Symbol, value: &mut EachCell<'_, 'l, 'm>) {
        self.cut(Cut::Call);
        for cell in self.lowering.points.cells(Origin::Heap(self.site)).to_vec() {
            let bytes = self.lowering.regions[cell.region].kind == RegionKind::Bytes;
            let (count, bits) = if bytes { (cell.bits / 8, 8) } else { (1, cell.bits) };
            let single = Access { offset: 0, bits, region: cell.region };
            match cell.repeats {
                Some(stride) => self.repeat(base, length, (cell.offset, stride), (single, value)),
                None => (0..count).for_each(|number| {
                    let offset = cell.offset + u64::from(number * bits / 8);
                    self.if_within(base, length, offset, (single, value));
                }),
            }
        }
    }

    /// One cell, if all of it is within the length.
    fn if_within(
        &mut self,
        base: Symbol,
        length: Symbol,
        offset: u64,
        (cell, value): (Access, &mut EachCell<'_, 'l, 'm>),
    ) {
        let bits = self.lowering.pointer_bits();
        let (base, length) = (self.read(base), self.read(length));
        let end = self.lowering.store.bits(bits, u128::from(offset) + u128::from(cell.bits / 8));
        let beyond = self.lowering.store.unsigned_less(length, end);
        let offset = self.lowering.store.bits(bits, offset.into());
        let at = self.lowering.store.binary(Operator::Add, base, offset);
        let (old, new) = (self.read_shadowed(&cell, at), value(self, &cell, offset));
        let shadow = (old.shadow.is_some() || new.shadow.is_some()).then(|| {
            let (old, new) = (self.shadow_or_zero(old), self.shadow_or_zero(new));
            self.lowering.store.choose(beyond, old, new)
        });
        let value = self.lowering.store.choose(beyond, old.value, new.value);
        self.write_shadowed(&cell, at, Shadowed { value, shadow });
    }

    /// A loop over cells: from an offset on, at a distance, as long as they are within the length.
    fn repeat(
        &mut self,
        base: Symbol,
        length: Symbol,
        (first, stride): (u64, u64),
        (cell, value): (Access, &mut EachCell<'_, 'l, 'm>),
    ) {
        let bits = self.lowering.pointer_bits();
        let first = self.lowering.store.bits(bits, first.into());
        let offset = self.kept("offset", first);
        let (head, behind) = (self.new_location(), self.new_location());
        self.leave(head, None, &[]);
        self.restart(head);
        let here = self.read(offset);
        let (end, length) = (self.plus(here, u64::from(cell.bits / 8)), self.read(length));
        let done = self.lowering.store.unsigned_less(length, end);
        let more = self.lowering.store.not(done);
        self.assume(more);
        let base = self.read(base);
        let at = self.lowering.store.binary(Operator::Add, base, here);
        let new = value(self, &cell, here);
        self.write_shadowed(&cell, at, new);
        let next = self.plus(here, stride);
        self.write(offset, next);
        self.leave(head, None, &[]);
        self.restart(head);
        self.assume(done);
        self.leave(behind, None, &[]);
        self.restart(behind);
    }
}

/// What `realloc` is asked for, and whether it fails.
#[derive(Clone, Copy)]
struct Reallocation {
    old: Symbol,
    bytes: Symbol,
    fails: Symbol,
}

/// Whether something is zero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whether {
    Zero,
    Other,
}
