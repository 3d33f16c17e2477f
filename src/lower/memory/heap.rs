//! The heap.

use crate::checks::{Cut, Event};
use crate::ir::analysis::points_to::{Access, ObjectCell, Origin, RegionKind};
use crate::ir::{Operand, Type};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::memory::{MOST_CELLS, at, how_many, objects, offsets, parts, single, tracking};
use crate::lower::shadow::Shadowed;
use crate::lower::shadow::memory::{read_shadowed, write_shadowed};
use crate::lower::{Allocation, memory, shadow};
use crate::program::Assumption;
use crate::term::{Node, Operator, Symbol, Term};

/// So many cells are set one by one without a loop.
const FEW: u64 = 64;

/// What happens to a cell: which one, and at which offset from the start of the object.
type EachCell<'f, 'l, 'm> = dyn FnMut(&mut Body<'l, 'm>, &Access, Term) -> Shadowed + 'f;

pub(in crate::lower) fn malloc<'m>(body: &mut Body<'_, 'm>, arguments: &'m [(Operand, Type)]) -> Step<Value> {
    memory::touch_objects(body);
    let bytes = body.term(&arguments[0].0);
    let bytes = body.at_pointer_width(bytes);
    let base = objects::take(body, Origin::Heap(body.site), bytes, 16)?;
    Ok(allocated(body, base))
}

/// Number and size; the memory is zero. If the product does not fit, the result is null, whether or not memory
/// can run out.
pub(in crate::lower) fn calloc<'m>(body: &mut Body<'_, 'm>, arguments: &'m [(Operand, Type)]) -> Step<Value> {
    memory::touch_objects(body);
    let (count, each) = (body.term(&arguments[0].0), body.term(&arguments[1].0));
    let (count, each) = (body.at_pointer_width(count), body.at_pointer_width(each));
    let fits = product_fits(body, count, each);
    let bytes = body.lowering.store.binary(Operator::Multiply, count, each);
    let bytes = body.kept("bytes", bytes);
    if body.lowering.store.node(fits) == Node::Boolean(true) {
        return zeroed(body, bytes);
    }
    let bits = body.lowering.pointer_bits();
    let result = body.temporary("allocated", bits);
    let fits = body.settled(fits);
    let (start, behind) = (body.pending().from, body.new_location());
    let values = body.snapshot();
    body.assume(fits);
    if let Ok(base) = zeroed(body, bytes) {
        let base = body.joined_term(&base);
        body.leave(behind, None, &[(result, base)]);
    }
    body.restore(values.clone());
    body.restart(start);
    let (overflows, null) = (body.lowering.store.not(fits), body.lowering.store.bits(bits, 0));
    body.assume(overflows);
    body.leave(behind, None, &[(result, null)]);
    body.restore(values);
    body.restart(behind);
    Ok(Value::Term(body.lowering.store.symbol(result)))
}

/// A new object of so many bytes, all of them zero.
fn zeroed(body: &mut Body<'_, '_>, bytes: Symbol) -> Step<Value> {
    let size = body.read(bytes);
    let base = objects::take(body, Origin::Heap(body.site), size, 16)?;
    let base = body.kept("allocated", base);
    let few = match body.lowering.store.node(size) {
        Node::Bits(_, size) => u64::try_from(size).ok(),
        _ => None,
    };
    match few.filter(|&size| has_few_cells(body, size)) {
        Some(size) => clear(body, base, size),
        None => each_cell(body, base, bytes, &mut |body, cell, _| Shadowed {
            value: body.lowering.store.bits(cell.bits, 0),
            shadow: None,
        }),
    }
    let base = body.read(base);
    Ok(allocated(body, base))
}

/// Whether a product fits an address. With a constant factor that is a limit of the other one, which is easier to prove.
fn product_fits(body: &mut Body<'_, '_>, left: Term, right: Term) -> Term {
    let bits = body.lowering.pointer_bits();
    let store = &mut body.lowering.store;
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

fn has_few_cells(body: &Body<'_, '_>, size: u64) -> bool {
    let cells = body.lowering.points.cells(Origin::Heap(body.site));
    cells.iter().map(|cell| how_many(cell, size)).sum::<u64>() <= FEW
}

fn clear(body: &mut Body<'_, '_>, base: Symbol, size: u64) {
    for cell in body.lowering.points.cells(Origin::Heap(body.site)).to_vec() {
        debug_assert!(how_many(&cell, size) <= MOST_CELLS);
        for part in offsets(&cell, size).flat_map(|offset| parts(&at(&cell, offset))) {
            let (base, zero) = (body.read(base), body.lowering.store.bits(part.bits, 0));
            memory::write_piece(body, &part, base, zero);
        }
    }
}

/// The address, or null if memory may run out.
fn allocated(body: &mut Body<'_, '_>, base: Term) -> Value {
    if body.lowering.settings.allocation == Allocation::Succeeds {
        body.lowering.claims.assume(Assumption::AllocationSucceeds);
        return Value::Term(base);
    }
    let fails = body.input("malloc fails", 1);
    let fails = body.is_one(fails);
    single::fails_if(body, fails);
    let null = body.lowering.store.bits(body.lowering.pointer_bits(), 0);
    Value::Term(body.lowering.store.choose(fails, null, base))
}

/// `realloc`: always a new object. The size 0 frees, and gives null.
pub(in crate::lower) fn realloc<'m>(
    body: &mut Body<'_, 'm>,
    arguments: &'m [(Operand, Type)],
) -> Step<Value> {
    let (old, bytes) = (body.term(&arguments[0].0), body.term(&arguments[1].0));
    let bytes = body.at_pointer_width(bytes);
    let (old, bytes) = (body.kept("old", old), body.kept("bytes", bytes));
    let fails = may_fail(body);
    let result = body.temporary("reallocated", body.lowering.pointer_bits());
    body.cut(Cut::Call);
    let (start, behind) = (body.pending().from, body.new_location());
    let values = body.snapshot();
    let ways = [first_allocation, only_free, grow, fail];
    for way in ways {
        body.restore(values.clone());
        body.restart(start);
        if let Ok(value) = way(body, Reallocation { old, bytes, fails }) {
            body.leave(behind, None, &[(result, value)]);
        }
    }
    body.restore(values);
    body.restart(behind);
    Ok(Value::Term(body.lowering.store.symbol(result)))
}

/// Whether an allocation fails: a choice, kept for later.
fn may_fail(body: &mut Body<'_, '_>) -> Symbol {
    let fails = match body.lowering.settings.allocation {
        Allocation::Succeeds => {
            body.lowering.claims.assume(Assumption::AllocationSucceeds);
            body.lowering.store.bits(1, 0)
        }
        Allocation::MayFail => body.input("malloc fails", 1),
    };
    body.kept("fails", fails)
}

/// Which way a reallocation goes.
fn assume_way(
    body: &mut Body<'_, '_>,
    what: Reallocation,
    old: Whether,
    bytes: Whether,
    fails: Option<Whether>,
) {
    let choices = [(what.old, Some(old)), (what.bytes, Some(bytes)), (what.fails, fails)];
    for (symbol, wanted) in choices {
        let Some(wanted) = wanted else { continue };
        let value = body.read(symbol);
        let zero = body.lowering.store.bits(body.lowering.store.width(value), 0);
        let is_zero = body.lowering.store.equal(value, zero);
        let holds = if wanted == Whether::Zero { is_zero } else { body.lowering.store.not(is_zero) };
        body.assume(holds);
    }
}

/// Of null: `malloc`.
fn first_allocation(body: &mut Body<'_, '_>, what: Reallocation) -> Step<Term> {
    memory::touch_objects(body);
    let old = body.read(what.old);
    let zero = body.lowering.store.bits(body.lowering.pointer_bits(), 0);
    let null = body.lowering.store.equal(old, zero);
    body.assume(null);
    let bytes = body.read(what.bytes);
    let base = objects::take(body, Origin::Heap(body.site), bytes, 16)?;
    let fails = body.read(what.fails);
    let fails = body.is_one(fails);
    single::fails_if(body, fails);
    Ok(body.lowering.store.choose(fails, zero, base))
}

/// To nothing: `free`.
fn only_free(body: &mut Body<'_, '_>, what: Reallocation) -> Step<Term> {
    assume_way(body, what, Whether::Other, Whether::Zero, None);
    body.tell(&Event::Free(what.old));
    tracking::free_at(body, what.old);
    Ok(body.lowering.store.bits(body.lowering.pointer_bits(), 0))
}

/// There is no memory: the old object stays.
fn fail(body: &mut Body<'_, '_>, what: Reallocation) -> Step<Term> {
    assume_way(body, what, Whether::Other, Whether::Other, Some(Whether::Other));
    body.tell(&Event::Free(what.old));
    Ok(body.lowering.store.bits(body.lowering.pointer_bits(), 0))
}

/// What fits is copied.
fn grow(body: &mut Body<'_, '_>, what: Reallocation) -> Step<Term> {
    assume_way(body, what, Whether::Other, Whether::Other, Some(Whether::Zero));
    body.tell(&Event::Free(what.old));
    // Others may end the old object while it is copied.
    body.tell(&Event::Reallocated);
    let (old, bytes) = (body.read(what.old), body.read(what.bytes));
    let before = single::size_before(body, old);
    let less = body.lowering.store.unsigned_less(before, bytes);
    let length = body.lowering.store.choose(less, before, bytes);
    let length = body.kept("length", length);
    let base = objects::take(body, Origin::Heap(body.site), bytes, 16)?;
    let base = body.kept("allocated", base);
    each_cell(body, base, length, &mut |body, cell, offset| {
        let old = body.read(what.old);
        let from = body.lowering.store.binary(Operator::Add, old, offset);
        read_shadowed(body, cell, from)
    });
    tracking::free_at(body, what.old);
    Ok(body.read(base))
}

/// Gives every cell of the object at `base`, up to a length, a new value.
fn each_cell<'l, 'm>(
    body: &mut Body<'l, 'm>,
    base: Symbol,
    length: Symbol,
    value: &mut EachCell<'_, 'l, 'm>,
) {
    body.cut(Cut::Call);
    for cell in body.lowering.points.cells(Origin::Heap(body.site)).to_vec() {
        let bytes = body.lowering.memory.regions[cell.region].kind == RegionKind::Bytes;
        let (count, bits) = if bytes { (cell.bits / 8, 8) } else { (1, cell.bits) };
        let single = Access { offset: 0, bits, region: cell.region };
        match cell.repeats {
            Some(stride) if !is_short(&cell) => (0..count).for_each(|number| {
                let first = cell.offset + u64::from(number * bits / 8);
                let length = limited(body, length, cell.until);
                repeat(body, base, length, (first, stride), (single, value));
            }),
            _ => offsets(&cell, cell.until.unwrap_or(u64::MAX)).for_each(|first| {
                for number in 0..count {
                    let offset = first + u64::from(number * bits / 8);
                    if_within(body, base, length, offset, (single, value));
                }
            }),
        }
    }
}

/// Whether the elements of an array are so few that setting them is one step.
fn is_short(cell: &ObjectCell) -> bool {
    cell.until.is_some_and(|until| how_many(cell, until) <= FEW)
}

/// The length, or less if cells end before.
fn limited(body: &mut Body<'_, '_>, length: Symbol, until: Option<u64>) -> Symbol {
    let Some(until) = until else { return length };
    let (bits, length) = (body.lowering.pointer_bits(), body.read(length));
    let until = body.lowering.store.bits(bits, until.into());
    let shorter = body.lowering.store.unsigned_less(length, until);
    let limited = body.lowering.store.choose(shorter, length, until);
    body.kept("length", limited)
}

/// One cell, if all of it is within the length.
fn if_within<'l, 'm>(
    body: &mut Body<'l, 'm>,
    base: Symbol,
    length: Symbol,
    offset: u64,
    (cell, value): (Access, &mut EachCell<'_, 'l, 'm>),
) {
    let bits = body.lowering.pointer_bits();
    let (base, length) = (body.read(base), body.read(length));
    let end = body.lowering.store.bits(bits, u128::from(offset) + u128::from(cell.bits / 8));
    let beyond = body.lowering.store.unsigned_less(length, end);
    let offset = body.lowering.store.bits(bits, offset.into());
    let at = body.lowering.store.binary(Operator::Add, base, offset);
    let (old, new) = (read_shadowed(body, &cell, at), value(body, &cell, offset));
    let shadow = (old.shadow.is_some() || new.shadow.is_some()).then(|| {
        let (old, new) = (shadow::or_zero(body, old), shadow::or_zero(body, new));
        body.lowering.store.choose(beyond, old, new)
    });
    let value = body.lowering.store.choose(beyond, old.value, new.value);
    write_shadowed(body, &cell, at, Shadowed { value, shadow });
}

/// A loop over cells: from an offset on, at a distance, as long as they are within the length.
fn repeat<'l, 'm>(
    body: &mut Body<'l, 'm>,
    base: Symbol,
    length: Symbol,
    (first, stride): (u64, u64),
    (cell, value): (Access, &mut EachCell<'_, 'l, 'm>),
) {
    let bits = body.lowering.pointer_bits();
    let first = body.lowering.store.bits(bits, first.into());
    let offset = body.kept("offset", first);
    let (head, behind) = (body.new_location(), body.new_location());
    body.leave(head, None, &[]);
    body.restart(head);
    let here = body.read(offset);
    let (end, length) = (body.plus(here, u64::from(cell.bits / 8)), body.read(length));
    let done = body.lowering.store.unsigned_less(length, end);
    let more = body.lowering.store.not(done);
    body.assume(more);
    let base = body.read(base);
    let at = body.lowering.store.binary(Operator::Add, base, here);
    let new = value(body, &cell, here);
    write_shadowed(body, &cell, at, new);
    let next = body.plus(here, stride);
    body.write(offset, next);
    body.leave(head, None, &[]);
    body.restart(head);
    body.assume(done);
    body.leave(behind, None, &[]);
    body.restart(behind);
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
