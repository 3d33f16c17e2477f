//! Accesses must stay within an object that lives.
//!
//! Objects with fixed addresses are ranges of addresses, and a flag says whether they live if that is in question
//! (`lifetimes`); the others are tracked (`validity`).

use super::body::{Body, Cut};
use super::checks::NULL_PAGE;
use super::validity::{Tracking, is_tracked};
use crate::ir::Operand;
use crate::ir::analysis::points_to::Origin;
use crate::ir::undefined::Fault;
use crate::term::{Node, Operator, Symbol, Term};

/// What happens to memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Read,
    Written,
}

/// An object with a fixed address.
#[derive(Clone, Copy)]
struct Range {
    base: u64,
    size: u64,
    /// Whether it lives, if that is in question.
    lives: Option<Symbol>,
    /// Whether it may have ended, whether or not somebody keeps account of that.
    may_end: bool,
}

impl<'m> Body<'_, 'm> {
    /// A block of memory is read or written, unless it is empty.
    pub fn check_side(&mut self, at: Symbol, bytes: Symbol, targets: &[Origin], side: Side) {
        self.check_null_block(at, bytes);
        if side == Side::Written {
            let (at, bytes) = (self.read(at), self.read(bytes));
            self.check_constant(at, bytes, targets);
        }
        if targets.is_empty() {
            // That is a fault of its own.
            return;
        }
        let (at, bytes) = (self.read(at), self.read(bytes));
        self.check_range(at, bytes, targets, None);
        let ends = self.lowering.threaded && targets.iter().any(|&origin| self.may_end(origin));
        if ends && !self.lowering.checks(Fault::Race) {
            // It lives when the copy begins. Another thread that ends it while the copy goes on could have done so before,
            // unless it waited for a byte of the copy, and that is a race.
            self.without(Fault::Race, "whether others end what is copied");
        }
    }

    fn may_end(&self, origin: Origin) -> bool {
        self.lowering.lifetimes.contains_key(&origin) || is_tracked(self.lowering, origin)
    }

    fn check_null_block(&mut self, at: Symbol, bytes: Symbol) {
        let (at, bytes) = (self.read(at), self.read(bytes));
        let page = self.lowering.store.bits(self.lowering.pointer_bits(), NULL_PAGE);
        let null = self.lowering.store.unsigned_less(at, page);
        let something = self.something(bytes);
        let condition = self.lowering.store.and(null, something);
        if self.lowering.checks(Fault::Null) {
            self.fault(Fault::Null, condition, at);
        } else if self.lowering.store.node(condition) != Node::Boolean(false) {
            self.without(Fault::Null, "this block of memory");
        }
    }

    /// Whether a number of bytes is not zero.
    pub fn something(&mut self, bytes: Term) -> Term {
        let zero = self.lowering.store.bits(self.lowering.store.width(bytes), 0);
        let nothing = self.lowering.store.equal(bytes, zero);
        self.lowering.store.not(nothing)
    }

    /// A constant must not be written by a store.
    pub fn check_store(&mut self, address: &'m Operand, bytes: u64) {
        let at = self.term(address);
        let bytes = self.lowering.store.bits(self.lowering.pointer_bits(), bytes.into());
        let targets = self.targets();
        self.check_constant(at, bytes, &targets);
    }

    fn check_constant(&mut self, at: Term, bytes: Term, targets: &[Origin]) {
        let mut ranges = Vec::new();
        for &origin in targets {
            if let (Origin::Global(global), Some(object)) = (origin, self.lowering.layout.object(origin))
                && self.lowering.module.globals[global].constant
            {
                ranges.push(Range { base: object.base, size: object.size, lives: None, may_end: false });
            }
        }
        if ranges.is_empty() {
            return;
        }
        let outside = self.outside_of(&ranges, at, bytes);
        let within = self.lowering.store.not(outside);
        let something = self.something(bytes);
        let wrong = self.lowering.store.and(within, something);
        self.fault_at(Fault::Pointer, wrong, at, bytes);
    }

    /// So many bytes from an address on must be within one of these objects, and it must live. What the program calls by its
    /// name lives.
    pub fn check_range(&mut self, at: Term, bytes: Term, targets: &[Origin], named: Option<Origin>) {
        let (mut ranges, mut dynamic, mut unknown) = (Vec::new(), false, false);
        for &origin in targets {
            let is_named = named == Some(origin);
            if !is_named && self.lowering.may_be_missed(origin, self.site.function) {
                self.without(Fault::Pointer, "local variables of an earlier activation or round");
            }
            match self.lowering.layout.object(origin).filter(|_| !self.lowering.is_dynamic(origin)) {
                Some(object) => {
                    let lives = self.lowering.lifetimes.get(&origin).copied().filter(|_| !is_named);
                    let may_end = lives.is_some() || matches!(origin, Origin::Heap(_));
                    ranges.push(Range { base: object.base, size: object.size, lives, may_end });
                }
                None if is_tracked(self.lowering, origin) => dynamic = true,
                None => unknown = true,
            }
        }
        let checked = self.lowering.checks(Fault::Bounds) || self.lowering.checks(Fault::Pointer);
        if let Some(may_end) = self.is_within(&ranges, at, bytes)
            && (!may_end || !checked)
        {
            if may_end {
                self.without(Fault::Pointer, "an access to objects that may have ended");
            }
            return;
        }
        let tracking = self.lowering.tracking.filter(|_| dynamic);
        let objects = !ranges.is_empty() || tracking.is_some();
        if !checked || unknown && !objects {
            return self.not_checked();
        }
        let fault = self.outside_fault(objects, named);
        let [mut outside, mut ended] = self.range_faults(&ranges, tracking, at, bytes);
        let (mut at, mut bytes) = (at, bytes);
        if unknown {
            // Outside of all known objects may be one that is not known.
            let (address, count) = (self.kept("accessed", at), self.kept("bytes", bytes));
            self.unsupported_beside(outside, "an access to objects that are not known");
            (at, bytes) = (self.read(address), self.read(count));
            ended = self.range_faults(&ranges, tracking, at, bytes)[1];
            outside = self.lowering.store.boolean(false);
        }
        if self.lowering.store.node(ended) == Node::Boolean(false) {
            return self.fault_at(fault, outside, at, bytes);
        }
        if self.lowering.threaded {
            // Sizes stay; whether the object lives is asked in the very state of the access, for others may end it.
            let (address, count) = (self.kept("accessed", at), self.kept("bytes", bytes));
            self.fault_at(fault, outside, at, bytes);
            self.cut(Cut::Call);
            let (address, count) = (self.read(address), self.read(count));
            let [_, ended] = self.range_faults(&ranges, tracking, address, count);
            return self.fault_at(Fault::Pointer, ended, at, bytes);
        }
        // Both conditions are about the state here: the first check cuts the block.
        let [outside, ended] = self.all_settled([outside, ended]);
        self.fault_at(Fault::Pointer, ended, at, bytes);
        self.fault_at(fault, outside, at, bytes);
    }

    /// Which fault an access outside of all objects is.
    ///
    /// If the pointer comes from an object, it is one of bounds; if it comes from nowhere (a number, or null and a large
    /// index), of pointers. The program model has addresses only, and cannot tell, unless the program names the object.
    /// So only where bounds are checked may a fault of pointers be called one of bounds: it is looked for either way.
    fn outside_fault(&self, objects: bool, named: Option<Origin>) -> Fault {
        let bounds = objects && (named.is_some() || self.lowering.checks(Fault::Bounds));
        if bounds { Fault::Bounds } else { Fault::Pointer }
    }

    /// Whether an access leaves the objects, and whether its object has ended.
    fn range_faults(
        &mut self,
        ranges: &[Range],
        tracking: Option<Tracking>,
        at: Term,
        bytes: Term,
    ) -> [Term; 2] {
        let (mut outside, mut ended) = (self.outside_of(ranges, at, bytes), self.ended(ranges, at));
        if let Some(tracking) = tracking {
            let start = self.lowering.layout.end();
            let start = self.lowering.store.bits(self.lowering.pointer_bits(), start.into());
            let fixed = self.lowering.store.unsigned_less(at, start);
            let (dead, beyond) = self.dynamic_faults(tracking, at, bytes);
            outside = self.lowering.store.choose(fixed, outside, beyond);
            ended = self.lowering.store.choose(fixed, ended, dead);
        }
        let something = self.something(bytes);
        [outside, ended].map(|term| self.lowering.store.and(something, term))
    }

    /// If a constant address is within one of these objects: whether that may have ended.
    fn is_within(&self, ranges: &[Range], at: Term, bytes: Term) -> Option<bool> {
        let store = &self.lowering.store;
        let (Node::Bits(_, address), Node::Bits(_, bytes)) = (store.node(at), store.node(bytes)) else {
            return None;
        };
        let within = ranges.iter().find(|range| {
            let (base, size) = (u128::from(range.base), u128::from(range.size));
            address >= base && address + bytes <= base + size
        });
        within.map(|range| range.may_end)
    }

    /// The objects that the instruction at hand may access.
    pub fn targets(&self) -> Vec<Origin> {
        let regions = self.lowering.points.accesses(self.site).iter().map(|access| access.region);
        let origins =
            regions.flat_map(|region| self.lowering.points.regions()[region].origins.iter().copied());
        origins.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
    }

    /// What is proved rests on the absence of faults here.
    pub fn not_checked(&mut self) {
        self.without(Fault::Bounds, "an access to objects of unknown size");
        self.without(Fault::Pointer, "an access to objects that may have ended");
    }

    /// Whether bytes are not all within one of the objects.
    fn outside_of(&mut self, ranges: &[Range], at: Term, bytes: Term) -> Term {
        let mut outside = self.lowering.store.boolean(true);
        for range in ranges {
            let within = self.within(*range, at, bytes);
            let not = self.lowering.store.not(within);
            outside = self.lowering.store.and(outside, not);
        }
        outside
    }

    /// Offsets 0 … size − bytes are within.
    fn within(&mut self, range: Range, at: Term, bytes: Term) -> Term {
        let bits = self.lowering.pointer_bits();
        let store = &mut self.lowering.store;
        let base = store.bits(bits, range.base.into());
        let offset = store.binary(Operator::Subtract, at, base);
        if let Node::Bits(_, bytes) = store.node(bytes) {
            return match (u128::from(range.size) + 1).checked_sub(bytes) {
                Some(limit) if limit > 0 => {
                    let limit = store.bits(bits, limit);
                    store.unsigned_less(offset, limit)
                }
                _ => store.boolean(false),
            };
        }
        let size = store.bits(bits, range.size.into());
        let large = store.unsigned_less(size, bytes);
        let room = store.binary(Operator::Subtract, size, bytes);
        let far = store.unsigned_less(room, offset);
        let outside = store.or(large, far);
        store.not(outside)
    }

    /// Whether an address is that of an object that has ended.
    fn ended(&mut self, ranges: &[Range], at: Term) -> Term {
        let mut ended = self.lowering.store.boolean(false);
        let one = self.lowering.store.bits(self.lowering.pointer_bits(), 1);
        for range in ranges {
            let Some(lives) = range.lives else { continue };
            let within = self.within(*range, at, one);
            let flag = self.read(lives);
            let lives = self.is_one(flag);
            let dead = self.lowering.store.not(lives);
            let here = self.lowering.store.and(within, dead);
            ended = self.lowering.store.or(ended, here);
        }
        ended
    }
}
