//! Copying and setting memory.

use crate::checks::null::NULL_PAGE;
use crate::checks::{At, Cut, Event, Manner};
use crate::ir::analysis::points_to::{Access, Piece, RegionId, Transfer};
use crate::lower::body::{Body, Step};
use crate::lower::memory::parts;
use crate::lower::shadow::Shadowed;
use crate::lower::shadow::memory::{kept_shadowed, read_kept, read_shadowed, write_shadowed};
use crate::lower::{memory, shadow};
use crate::program::{Action, Block, Edge};
use crate::term::{Operator, Symbol, Term};

/// In which order a loop copies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Direction {
    /// From the first byte on.
    Forward,
    /// So that overlapping source and destination do no harm.
    Either,
}

pub(in crate::lower) fn copy(
    body: &mut Body<'_, '_>,
    to: Term,
    from: Term,
    bytes: Term,
    direction: Direction,
) -> Step {
    let bytes = body.at_pointer_width(bytes);
    let (to, from, bytes) = (body.kept("to", to), body.kept("from", from), body.kept("bytes", bytes));
    let sides = body.lowering.points.sides(body.site);
    body.offer(&Event::Block { at: from, bytes, targets: &sides.from, written: false })?;
    body.offer(&Event::Block { at: to, bytes, targets: &sides.to, written: true })?;
    let transfer = body.lowering.points.copy(body.site);
    copy_checked(body, &transfer, to, from, bytes, direction)
}

/// Copies what was checked before.
pub(in crate::lower) fn copy_checked(
    body: &mut Body<'_, '_>,
    transfer: &Transfer,
    to: Symbol,
    from: Symbol,
    bytes: Symbol,
    direction: Direction,
) -> Step {
    match transfer {
        Transfer::Nowhere => no_object_unless_empty(body, bytes, &[to, from]),
        Transfer::Pieces(pieces) if body.lowering.threaded() => copy_one_by_one(body, pieces, to, from),
        Transfer::Pieces(pieces) => {
            let parts = both_sides(pieces);
            let (to, from) = (body.read(to), body.read(from));
            let read: Vec<Shadowed> =
                parts.iter().map(|(_, source)| read_shadowed(body, source, from)).collect();
            for ((target, _), content) in parts.iter().zip(read) {
                write_shadowed(body, target, to, content);
            }
            Ok(())
        }
        Transfer::Loop { bits, to: target, from: source } => {
            let regions: Vec<RegionId> = std::iter::once(*target).chain(*source).collect();
            body.offer(&Event::Loop(&regions))?;
            let memory = Looped { bits: *bits, to, bytes, target: *target };
            copy_loop(body, &memory, from, source.expect("a copy has a source"), direction)
        }
    }
}

/// Other threads may run between the parts of a copy.
fn copy_one_by_one(body: &mut Body<'_, '_>, pieces: &[Piece], to: Symbol, from: Symbol) -> Step {
    let mut values = Vec::new();
    let parts = both_sides(pieces);
    for (_, source) in &parts {
        body.offer(&Event::Part { at: At::Kept(from), manner: Manner::Read, parts: &[*source] })?;
        memory::touch(body, std::iter::once(source.region));
        let from = body.read(from);
        let content = read_shadowed(body, source, from);
        values.push(kept_shadowed(body, "copied", content));
    }
    for ((target, _), content) in parts.iter().zip(values) {
        body.offer(&Event::Part { at: At::Kept(to), manner: Manner::Write, parts: &[*target] })?;
        memory::touch(body, std::iter::once(target.region));
        let (to, content) = (body.read(to), read_kept(body, content));
        write_shadowed(body, target, to, content);
    }
    Ok(())
}

pub(in crate::lower) fn set(body: &mut Body<'_, '_>, to: Term, byte: Shadowed, bytes: Term) -> Step {
    let byte = low_byte(body, byte);
    let bytes = body.at_pointer_width(bytes);
    let (to, byte, bytes) =
        (body.kept("to", to), kept_shadowed(body, "byte", byte), body.kept("bytes", bytes));
    let sides = body.lowering.points.sides(body.site);
    body.offer(&Event::Block { at: to, bytes, targets: &sides.to, written: true })?;
    match body.lowering.points.set(body.site) {
        Transfer::Nowhere => no_object_unless_empty(body, bytes, &[to]),
        Transfer::Pieces(pieces) => {
            for part in pieces.iter().flat_map(|piece| parts(&target(piece))) {
                body.offer(&Event::Part { at: At::Kept(to), manner: Manner::Write, parts: &[part] })?;
                memory::touch(body, std::iter::once(part.region));
                let (to, byte) = (body.read(to), read_kept(body, byte));
                let content = repeated(body, byte, part.bits);
                write_shadowed(body, &part, to, content);
            }
            Ok(())
        }
        Transfer::Loop { bits, to: target, .. } => {
            body.offer(&Event::Loop(&[target]))?;
            let memory = Looped { bits, to, bytes, target };
            let byte = read_kept(body, byte);
            let content = repeated(body, byte, bits);
            set_loop(body, &memory, content)
        }
    }
}

/// An address points to no object at all: nothing can be there but nothing.
pub(in crate::lower) fn no_object_unless_empty(
    body: &mut Body<'_, '_>,
    bytes: Symbol,
    addresses: &[Symbol],
) -> Step {
    let length = body.read(bytes);
    let something = is_something(body, length);
    let null = any_null(body, addresses);
    match body.lowering.store.truth(something) {
        Some(false) => return Ok(()),
        Some(true) => return memory::no_object(body, null),
        None => {}
    }
    body.cut(Cut::Call);
    let (start, behind, values) = (body.pending().from, body.new_location(), body.snapshot());
    let length = body.read(bytes);
    let something = is_something(body, length);
    let nothing = body.lowering.store.not(something);
    body.leave(behind, Some(nothing), &[]);
    body.restart(start);
    body.assume(something);
    let null = any_null(body, addresses);
    let _ = memory::no_object::<()>(body, null);
    body.restore(values);
    body.restart(behind);
    Ok(())
}

/// Whether a number of bytes is not zero.
fn is_something(body: &mut Body<'_, '_>, bytes: Term) -> Term {
    let zero = body.lowering.store.bits(body.lowering.store.width(bytes), 0);
    let nothing = body.lowering.store.equal(bytes, zero);
    body.lowering.store.not(nothing)
}

fn any_null(body: &mut Body<'_, '_>, addresses: &[Symbol]) -> Term {
    let page = body.lowering.store.bits(body.lowering.pointer_bits(), NULL_PAGE);
    let mut null = body.lowering.store.boolean(false);
    for &address in addresses {
        let address = body.read(address);
        let here = body.lowering.store.unsigned_less(address, page);
        null = body.lowering.store.or(null, here);
    }
    null
}

/// The byte that memory is set to. If any bit of it is undefined, all are.
fn low_byte(body: &mut Body<'_, '_>, byte: Shadowed) -> Shadowed {
    let shadow = byte.shadow.map(|shadow| {
        let low = body.lowering.store.extract(0, 8, shadow);
        let open = shadow::any_undefined(body, low);
        shadow::ones_if(body, 8, open)
    });
    Shadowed { value: body.lowering.store.extract(0, 8, byte.value), shadow }
}

/// A byte as often as a cell has bytes.
fn repeated(body: &mut Body<'_, '_>, byte: Shadowed, bits: u32) -> Shadowed {
    let store = &mut body.lowering.store;
    let mut repeat = |byte: Term| (1..bits / 8).fold(byte, |all, _| store.concatenate(all, byte));
    Shadowed { value: repeat(byte.value), shadow: byte.shadow.map(repeat) }
}

/// A loop over cells: `for (i = 0; i < bytes; i += cell) …`.
fn set_loop(body: &mut Body<'_, '_>, memory: &Looped, content: Shadowed) -> Step {
    let content = kept_shadowed(body, "byte", content);
    let counter = begin_loop(body, memory)?;
    loop_body(body, memory, counter, |body, at| {
        let content = read_kept(body, content);
        write_shadowed(body, &Access { offset: 0, bits: memory.bits, region: memory.target }, at.0, content);
    });
    Ok(())
}

fn copy_loop(
    body: &mut Body<'_, '_>,
    memory: &Looped,
    from: Symbol,
    source: RegionId,
    direction: Direction,
) -> Step {
    let backward = match direction {
        Direction::Forward => body.lowering.store.boolean(false),
        Direction::Either => {
            let (to, from) = (body.read(memory.to), body.read(from));
            body.lowering.store.unsigned_less(from, to)
        }
    };
    let backward = body.bit(backward);
    let backward = body.kept("backward", backward);
    let counter = begin_loop(body, memory)?;
    loop_body(body, memory, counter, |body, (at, offset)| {
        let from = body.lowering.store.symbol(from);
        // Backward, the cells are taken from the end.
        let flag = body.lowering.store.symbol(backward);
        let flag = body.is_one(flag);
        let back = offset_at_the_end(body, counter, memory.bits);
        let offset = body.lowering.store.choose(flag, back, offset);
        let base = body.lowering.store.symbol(counter.to);
        let _ = at;
        let at = body.lowering.store.binary(Operator::Add, base, offset);
        let from = body.lowering.store.binary(Operator::Add, from, offset);
        let content = read_shadowed(body, &Access { offset: 0, bits: memory.bits, region: source }, from);
        write_shadowed(body, &Access { offset: 0, bits: memory.bits, region: memory.target }, at, content);
    });
    Ok(())
}

fn offset_at_the_end(body: &mut Body<'_, '_>, counter: Counter, bits: u32) -> Term {
    let pointer = body.lowering.pointer_bits();
    let store = &mut body.lowering.store;
    let (end, at) = (store.symbol(counter.end), store.symbol(counter.at));
    let cell = store.bits(pointer, u128::from(bits / 8));
    let rest = store.binary(Operator::Subtract, end, at);
    store.binary(Operator::Subtract, rest, cell)
}

fn begin_loop(body: &mut Body<'_, '_>, memory: &Looped) -> Step<Counter> {
    let pointer = body.lowering.pointer_bits();
    let zero = body.lowering.store.bits(pointer, 0);
    let (at, end, to) = (body.kept("i", zero), memory.bytes, memory.to);
    body.cut(Cut::Call);
    if memory.bits > 8 {
        whole_cells_only(body, end, memory.bits);
    }
    Ok(Counter { at, end, to })
}

/// A part of a cell cannot be copied.
fn whole_cells_only(body: &mut Body<'_, '_>, end: Symbol, bits: u32) {
    let pointer = body.lowering.pointer_bits();
    let store = &mut body.lowering.store;
    let (end, mask) = (store.symbol(end), store.bits(pointer, u128::from(bits / 8 - 1)));
    let rest = store.binary(Operator::And, end, mask);
    let zero = store.bits(pointer, 0);
    let whole = store.equal(rest, zero);
    let broken = store.not(whole);
    let from = body.pending().from;
    let (middle, to) = (body.new_location(), body.new_location());
    let places: Vec<_> = body.place.into_iter().collect();
    let guard = Block { guard: broken, updates: Vec::new(), inputs: Vec::new() };
    let action = Action::Block(guard);
    body.edge(Edge { from, to: middle, action, property: None, places: places.clone() });
    let action = Action::Unsupported("copying or setting a part of a cell of memory".into());
    body.edge(Edge { from: middle, to, action, property: None, places });
    body.assume(whole);
}

fn loop_body(
    body: &mut Body<'_, '_>,
    memory: &Looped,
    counter: Counter,
    step: impl FnOnce(&mut Body<'_, '_>, (Term, Term)),
) {
    let pointer = body.lowering.pointer_bits();
    let head = body.new_location();
    body.leave(head, None, &[]);
    body.restart(head);
    let store = &mut body.lowering.store;
    let (at, end, to) = (store.symbol(counter.at), store.symbol(counter.end), store.symbol(counter.to));
    let more = store.unsigned_less(at, end);
    let done = store.not(more);
    body.assume(more);
    let address = body.lowering.store.binary(Operator::Add, to, at);
    step(body, (address, at));
    let cell = body.lowering.store.bits(pointer, u128::from(memory.bits / 8));
    let next = body.lowering.store.binary(Operator::Add, at, cell);
    body.write(counter.at, next);
    body.leave(head, None, &[]);
    body.restart(head);
    body.assume(done);
    let behind = body.new_location();
    body.leave(behind, None, &[]);
    body.restart(behind);
}

fn target(piece: &Piece) -> Access {
    Access { offset: piece.offset, bits: piece.bits, region: piece.to }
}

/// What is written and what is read, part by part.
fn both_sides(pieces: &[Piece]) -> Vec<(Access, Access)> {
    let sides = |piece: &Piece| {
        let source = Access { region: piece.from.expect("a copy has a source"), ..target(piece) };
        parts(&target(piece)).into_iter().zip(parts(&source)).collect::<Vec<_>>()
    };
    pieces.iter().flat_map(sides).collect()
}

/// Memory that a loop writes.
struct Looped {
    bits: u32,
    to: Symbol,
    bytes: Symbol,
    target: RegionId,
}

/// The variables of a loop.
#[derive(Clone, Copy)]
struct Counter {
    at: Symbol,
    end: Symbol,
    to: Symbol,
}
