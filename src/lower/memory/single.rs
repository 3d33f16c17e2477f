//! Allocations that happen at most once: their objects have fixed addresses.
//!
//! An object of the heap gets its address at run time, in general, and an array says which of them live (`tracking`). A program
//! proves something about such an object by arithmetic on addresses and by facts about arrays, which is expensive. But
//! many allocations have a constant size, and a run gets there at most once. Such an object is like a variable: its address
//! is a constant, and one bit says whether it lives.

use crate::checks::code::Tracking;
use crate::ir::analysis::points_to::{Origin, Site};
use crate::lower::Lowering;
use crate::lower::body::{Body, Step};
use crate::lower::memory::{is_dynamic, objects, tracking};
use crate::term::{Sort, Symbol, Term};

/// Gives addresses to what is allocated at most once.
pub(in crate::lower) fn place(lowering: &mut Lowering<'_>) {
    for (&site, &size) in lowering.points.single() {
        lowering.memory.layout.add(Origin::Heap(site), allocation_name(lowering, site), size);
    }
}

/// As the machine calls it: `heap@7` is allocated in line 7.
fn allocation_name(lowering: &Lowering<'_>, site: Site) -> String {
    let instruction = &lowering.module.functions[site.function].blocks[site.block].instructions[site.number];
    instruction.place.map_or_else(|| "heap".to_owned(), |place| format!("heap@{}", place.line))
}

/// Makes a bit for each of them: whether it lives.
pub(in crate::lower) fn watch(lowering: &mut Lowering<'_>) {
    for origin in lowering.points.single().keys().map(|&site| Origin::Heap(site)) {
        let name = lowering.memory.layout.name(origin).unwrap_or_default();
        let flag = lowering.ghost(&format!("<lives {name}>"), Sort::Bits(1));
        lowering.memory.lifetimes.insert(origin, flag);
    }
}

fn is_single(lowering: &Lowering<'_>, origin: Origin) -> bool {
    matches!(origin, Origin::Heap(_)) && !is_dynamic(lowering, origin)
}

/// What must be zero if nothing of the heap lives.
pub(in crate::lower) fn what_lives(lowering: &Lowering<'_>, tracking: Tracking) -> Vec<Symbol> {
    let flags = lowering.memory.lifetimes.iter();
    let flags = flags.filter(|(origin, _)| is_single(lowering, **origin)).map(|(_, &flag)| flag);
    let others = lowering.points.origins().any(|origin| {
        matches!(origin, Origin::Heap(site) if tracking::is_allocation(lowering, site))
            && !is_single(lowering, origin)
    });
    flags.chain(others.then_some(tracking.count)).collect()
}

/// An object that comes into being at most once comes into being.
pub(in crate::lower) fn take(body: &mut Body<'_, '_>, origin: Origin, base: u64) -> Step<Term> {
    let base = body.lowering.store.bits(body.lowering.pointer_bits(), base.into());
    objects::make_arbitrary(body, origin, base)?;
    if let Some(flag) = body.lowering.memory.life(origin) {
        let lives = body.lowering.store.bits(1, 1);
        body.write(flag, lives);
    }
    Ok(base)
}

/// The allocation at hand fails if the condition holds: there is no object.
pub(in crate::lower) fn fails_if(body: &mut Body<'_, '_>, fails: Term) {
    if let Some(flag) = body.lowering.memory.life(Origin::Heap(body.site)) {
        let (lives, gone) = (body.read(flag), body.lowering.store.bits(1, 0));
        let lives = body.lowering.store.choose(fails, gone, lives);
        body.write(flag, lives);
    }
}

/// Those of them that the instruction at hand may free: the address, and the bit.
fn targets(body: &mut Body<'_, '_>) -> Vec<(Origin, Term)> {
    let targets = body.lowering.points.argument(body.site, 0);
    // What `realloc` allocates was not there before.
    let own = Origin::Heap(body.site);
    let targets = targets.into_iter().filter(|&origin| origin != own && is_single(body.lowering, origin));
    let bases = targets
        .filter_map(|origin| Some((origin, body.lowering.memory.layout.base(origin)?)))
        .collect::<Vec<_>>();
    let bits = body.lowering.pointer_bits();
    bases.into_iter().map(|(origin, base)| (origin, body.lowering.store.bits(bits, base.into()))).collect()
}

/// Whether the instruction at hand may free something else.
pub(in crate::lower) fn may_free_others(body: &Body<'_, '_>) -> bool {
    let targets = body.lowering.points.argument(body.site, 0);
    targets.is_empty() || targets.into_iter().any(|origin| !is_single(body.lowering, origin))
}

/// Whether an object of the heap that lives starts at the address that is freed.
pub(in crate::lower) fn heap_lives(body: &mut Body<'_, '_>, tracking: Tracking, address: Term) -> Term {
    let mut lives = if may_free_others(body) {
        tracking::lives(body, tracking, address)
    } else {
        body.lowering.store.boolean(false)
    };
    for (origin, base) in targets(body) {
        let Some(flag) = body.lowering.memory.life(origin) else { continue };
        let flag = body.read(flag);
        let (here, there) = (body.is_one(flag), body.lowering.store.equal(address, base));
        let both = body.lowering.store.and(there, here);
        lives = body.lowering.store.or(lives, both);
    }
    lives
}

/// What starts at the address that is freed ends.
pub(in crate::lower) fn end(body: &mut Body<'_, '_>, address: Term) {
    for (origin, base) in targets(body) {
        let Some(flag) = body.lowering.memory.life(origin) else { continue };
        let (before, gone) = (body.read(flag), body.lowering.store.bits(1, 0));
        let there = body.lowering.store.equal(address, base);
        let after = body.lowering.store.choose(there, gone, before);
        body.write(flag, after);
    }
}

/// The size of the object that is reallocated. That it is one of those that the address can point to was checked, or is
/// assumed.
pub(in crate::lower) fn size_before(body: &mut Body<'_, '_>, address: Term) -> Term {
    let bits = body.lowering.pointer_bits();
    let mut known = None;
    if may_free_others(body) {
        let sizes = body.lowering.memory.sizes.expect("sizes are kept for realloc");
        let sizes = body.read(sizes);
        known = Some(body.lowering.store.select(sizes, address));
    }
    for (origin, base) in targets(body) {
        let size = body.lowering.memory.layout.size(origin).unwrap_or(0);
        let size = body.lowering.store.bits(bits, size.into());
        let there = body.lowering.store.equal(address, base);
        known = Some(known.map_or(size, |other| body.lowering.store.choose(there, size, other)));
    }
    known.unwrap_or_else(|| body.lowering.store.bits(bits, 0))
}
