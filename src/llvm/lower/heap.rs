//! The heap.

use super::super::points_to::Origin;
use super::Allocation;
use super::aggregate::Value;
use super::body::{Body, Step};
use super::memory::{MOST_CELLS, at, how_many, offsets, parts};
use crate::ir::{Operand, Type, ValueId};
use crate::program::Assumption;
use crate::term::{Node, Operator, Term};

impl<'m> Body<'_, 'm> {
    pub fn malloc(&mut self, result: Option<ValueId>, arguments: &'m [(Operand, Type)]) -> Step<Value> {
        let bytes = self.term(&arguments[0].0);
        let bytes = self.at_pointer_width(bytes);
        let base = self.take_memory(Origin::Heap(self.site), bytes, 16)?;
        self.allocated(result, base)
    }

    /// Number and size; the memory is zero.
    pub fn calloc(&mut self, result: Option<ValueId>, arguments: &'m [(Operand, Type)]) -> Step<Value> {
        let (count, each) = (self.term(&arguments[0].0), self.term(&arguments[1].0));
        let (count, each) = (self.at_pointer_width(count), self.at_pointer_width(each));
        let bytes = self.lowering.store.binary(Operator::Multiply, count, each);
        let base = self.take_memory(Origin::Heap(self.site), bytes, 16)?;
        let Node::Bits(_, size) = self.lowering.store.node(bytes) else {
            return self.unsupported("calloc of a computed size");
        };
        self.clear(base, u64::try_from(size).unwrap_or(u64::MAX))?;
        self.allocated(result, base)
    }

    fn clear(&mut self, base: Term, size: u64) -> Step {
        for cell in self.lowering.points.cells(Origin::Heap(self.site)).to_vec() {
            if how_many(&cell, size) > MOST_CELLS {
                return self.unsupported("calloc of very much memory");
            }
            for part in offsets(&cell, size).flat_map(|offset| parts(&at(&cell, offset))) {
                let zero = self.lowering.store.bits(part.bits, 0);
                self.write_piece(&part, base, zero);
            }
        }
        Ok(())
    }

    /// The address, or null if memory may run out.
    fn allocated(&mut self, _result: Option<ValueId>, base: Term) -> Step<Value> {
        if self.lowering.settings.allocation == Allocation::Succeeds {
            self.lowering.assume(Assumption::AllocationSucceeds);
            return Ok(Value::Term(base));
        }
        let fails = self.input("malloc fails", 1);
        let fails = self.is_one(fails);
        let null = self.lowering.store.bits(self.lowering.pointer_bits(), 0);
        Ok(Value::Term(self.lowering.store.choose(fails, null, base)))
    }
}
