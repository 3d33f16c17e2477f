//! Objects that come into being: where they are, and that they hold anything.

use crate::ir::Operand;
use crate::ir::analysis::points_to::{ObjectCell, Origin, RegionKind};
use crate::lower::body::aggregate::Value;
use crate::lower::body::{Body, Step};
use crate::lower::memory;
use crate::lower::memory::{
    MOST_CELLS, at, how_many, is_dynamic, lifetimes, offsets, parts, single, tracking,
};
use crate::lower::shadow::Shadowed;
use crate::lower::shadow::memory::{make_undefined, write_shadowed};
use crate::program::{INDETERMINATE, Role, Scope, USED_AGAIN, Variable};
use crate::term::{Operator, Symbol, Term};

/// A local object comes into being.
pub(in crate::lower) fn allocate<'m>(
    body: &mut Body<'_, 'm>,
    size: u64,
    count: &'m Operand,
    align: u64,
) -> Step<Value> {
    body.depends_on(count);
    let value =
        body.function.blocks[body.site.block].instructions[body.site.number].result.expect("an address");
    let origin = Origin::Local(body.id, value);
    let fixed = body.lowering.memory.layout.base(origin).filter(|_| !is_dynamic(body.lowering, origin));
    let Some(base) = fixed else {
        let count = body.term(count);
        let count = body.at_pointer_width(count);
        let each = body.lowering.store.bits(body.lowering.pointer_bits(), u128::from(size));
        let bytes = body.lowering.store.binary(Operator::Multiply, count, each);
        return take(body, origin, bytes, align).map(Value::Term);
    };
    let base = body.lowering.store.bits(body.lowering.pointer_bits(), u128::from(base));
    make_arbitrary(body, origin, base)?;
    lifetimes::set(body, value, 1);
    Ok(Value::Term(base))
}

/// A fresh object of so many bytes at the end of memory. A run that needs more than there are addresses ends.
pub(in crate::lower) fn take(body: &mut Body<'_, '_>, origin: Origin, bytes: Term, align: u64) -> Step<Term> {
    if let Some(base) =
        body.lowering.memory.layout.base(origin).filter(|_| !is_dynamic(body.lowering, origin))
    {
        return single::take(body, origin, base);
    }
    let bits = body.lowering.pointer_bits();
    let tracked = body.lowering.memory.tracking.map_or(16, |tracking| tracking.slot);
    let slot = u128::from(align.max(tracked).next_power_of_two());
    let bytes = tracking::at_most_a_slot(body, bytes);
    let base = body.read(body.lowering.memory.frontier);
    let store = &mut body.lowering.store;
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
    [grows, fits, below].into_iter().for_each(|condition| body.assume(condition));
    body.write(body.lowering.memory.frontier, end);
    tracking::born(body, base, bytes, matches!(origin, Origin::Heap(_)));
    make_arbitrary_if_zeroed(body, origin, base)?;
    Ok(base)
}

/// The bytes of an object that comes into being at a fixed address are arbitrary.
pub(in crate::lower) fn make_arbitrary(body: &mut Body<'_, '_>, origin: Origin, base: Term) -> Step {
    let size = body.lowering.memory.layout.size(origin).unwrap_or(0);
    for cell in body.lowering.points.cells(origin).to_vec() {
        let held = body.lowering.memory.regions[cell.region];
        match held.kind {
            // Local variables are arbitrary at entry.
            RegionKind::Scalar { .. } if body.lowering.variables[held.symbol].scope != Scope::Global => {
                make_undefined(body, &at(&cell, cell.offset), base);
            }
            RegionKind::Scalar { bits, .. } => {
                let name = body.lowering.store.name(held.symbol).to_owned();
                let value = body.input(&format!("uninitialised {name}"), bits);
                body.write(held.symbol, value);
                make_undefined(body, &at(&cell, cell.offset), base);
            }
            // Nothing was there before, and nothing was initialised.
            _ if !held.zeroed && body.lowering.points.once().contains(&body.id) => {}
            _ => scramble(body, &cell, base, size)?,
        }
    }
    Ok(())
}

/// A local variable that has begun before begins again: its bytes are arbitrary.
pub(in crate::lower) fn make_indeterminate(body: &mut Body<'_, '_>, origin: Origin, base: Term) -> Step {
    let size = body.lowering.memory.layout.size(origin).unwrap_or(0);
    let cells = body.lowering.points.cells(origin).to_vec();
    memory::touch(body, cells.iter().map(|cell| cell.region));
    for cell in cells {
        let held = body.lowering.memory.regions[cell.region];
        match held.kind {
            _ if held.constant.is_some() => {}
            RegionKind::Scalar { bits, .. } => {
                let name = body.lowering.store.name(held.symbol).to_owned();
                let value = body.input(&format!("{INDETERMINATE}{name}"), bits);
                body.write(held.symbol, value);
                make_undefined(body, &at(&cell, cell.offset), base);
            }
            _ if held.shadow.is_none() && is_alone(body, origin, &cell) => {
                make_all_arbitrary(body, held.symbol)
            }
            _ => scramble(body, &cell, base, size)?,
        }
    }
    Ok(())
}

/// Whether nothing else is in a region.
fn is_alone(body: &Body<'_, '_>, origin: Origin, cell: &ObjectCell) -> bool {
    body.lowering.points.regions()[cell.region].origins == [origin] && !is_dynamic(body.lowering, origin)
}

/// All of a region is arbitrary.
fn make_all_arbitrary(body: &mut Body<'_, '_>, region: Symbol) {
    let name = format!("{INDETERMINATE}{}", body.lowering.store.name(region));
    let sort = body.lowering.store.sort_of_symbol(region);
    let variable = Variable { scope: Scope::Input, ty: None, role: Role::Input(name.clone()) };
    let input = body.lowering.variable(&name, sort, variable);
    body.pending().input(input);
    let value = body.lowering.store.symbol(input);
    body.write(region, value);
}

fn make_arbitrary_if_zeroed(body: &mut Body<'_, '_>, origin: Origin, base: Term) -> Step {
    for cell in body.lowering.points.cells(origin).to_vec() {
        if body.lowering.memory.regions[cell.region].zeroed {
            let size = body.lowering.memory.layout.size(origin).unwrap_or(u64::MAX);
            scramble(body, &cell, base, size)?;
        }
    }
    Ok(())
}

/// Arbitrary values for all cells of a kind in an object.
fn scramble(body: &mut Body<'_, '_>, cell: &ObjectCell, base: Term, size: u64) -> Step {
    let count = how_many(cell, size);
    if count.saturating_mul(u64::from(cell.bits).div_ceil(128)) > MOST_CELLS {
        // What other objects hold there is forgotten, too: that only adds runs, and the machine judges them.
        let held = body.lowering.memory.regions[cell.region];
        make_all_arbitrary(body, held.symbol);
        if let Some(shadow) = held.shadow {
            make_all_arbitrary(body, shadow);
        }
        return Ok(());
    }
    for offset in offsets(cell, size) {
        for part in parts(&at(cell, offset)) {
            let value = body.input(USED_AGAIN, part.bits);
            let shadow = Some(body.lowering.store.bits(part.bits, u128::MAX));
            write_shadowed(body, &part, base, Shadowed { value, shadow });
        }
    }
    Ok(())
}
