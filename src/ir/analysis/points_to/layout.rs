//! Copies keep layouts in step.
//!
//! A copy of known length does not make its two sides one node: whatever place is accessed or points somewhere on one
//! side exists on the other as well, with the same width, and addresses flow along. So each piece of the copy is a
//! whole number of cells on both sides. A copy of unknown length needs both sides to be arrays of one kind of cell;
//! otherwise both are collapsed to bytes. Setting memory is a copy from nowhere.

use super::graph::{Body, Cell, Graph, Key, Slot};
use super::indexed;
use super::state::RawTransfer;

/// Copies that would have more pieces than this are treated as if their length were not known.
const MANY: u64 = 1024;

/// How a node looks from one of its cells on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// Nothing is accessed there.
    Blank,
    /// Cells of so many bytes, side by side, the first one here.
    Uniform(u32),
    /// Bytes.
    Bytes,
    /// Anything else.
    Mixed,
}

/// Which way addresses flow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Along,
    Against,
}

/// Brings the two sides of every copy in step. Copies of copies make chains; going through them forwards and
/// backwards in turn takes few rounds for chains in either order.
pub(super) fn align_all(graph: &mut Graph, transfers: &[RawTransfer]) {
    loop {
        let before = graph.changes;
        transfers.iter().for_each(|&transfer| align_if_inhabited(graph, transfer));
        graph.settle();
        transfers.iter().rev().for_each(|&transfer| align_if_inhabited(graph, transfer));
        graph.settle();
        if graph.changes == before {
            break;
        }
    }
}

fn align_if_inhabited(graph: &mut Graph, transfer: RawTransfer) {
    let sides = [Some(transfer.to), transfer.from];
    if sides.into_iter().flatten().all(|cell| graph.is_inhabited(cell)) {
        align(graph, transfer);
    }
}

fn align(graph: &mut Graph, transfer: RawTransfer) {
    match (constant_length(graph, &transfer), transfer.from) {
        (Some(length), Some(from)) => {
            mirror(graph, transfer.to, from, length, Flow::Against);
            mirror(graph, from, transfer.to, length, Flow::Along);
        }
        (Some(length), None) => clip(graph, transfer.to, length),
        (None, Some(from)) => align_loop(graph, transfer.to, from),
        (None, None) => {
            if shape(graph, transfer.to) == Shape::Mixed {
                collapse(graph, transfer.to);
            }
        }
    }
}

/// The length, unless it is not known or there would be too many pieces.
pub(super) fn constant_length(graph: &Graph, transfer: &RawTransfer) -> Option<u64> {
    let length = transfer.length?;
    let count = |cell: Cell| {
        let cell = graph.resolve(cell);
        let body = graph.body(cell.node);
        if !body.bands.is_empty() {
            return indexed::places(body, cell.offset).len() as u64;
        }
        let times = length.checked_div(body.stride).map_or(1, |times| times + 1);
        times.saturating_mul(body.slots.len() as u64)
    };
    let pieces = count(transfer.to).max(transfer.from.map_or(0, count));
    (pieces <= MANY && length < 1 << 40).then_some(length)
}

/// What exists behind `from` exists behind `to`.
fn mirror(graph: &mut Graph, from: Cell, to: Cell, length: u64, flow: Flow) {
    for (offset, width, slot) in within(graph, from, length) {
        let (start, end) = (offset.max(0), (offset + i64::from(width)).min(length.cast_signed()));
        if (start, end) != (offset, offset + i64::from(width)) {
            cut(graph, from, start, end);
            cut(graph, to, start, end);
            continue;
        }
        mirror_slot(graph, to.plus(offset), width, slot, flow);
    }
}

/// A place that the copy or setting splits is accessed in part.
fn clip(graph: &mut Graph, to: Cell, length: u64) {
    for (offset, width, _) in within(graph, to, length) {
        let (start, end) = (offset.max(0), (offset + i64::from(width)).min(length.cast_signed()));
        if (start, end) != (offset, offset + i64::from(width)) {
            cut(graph, to, start, end);
        }
    }
}

fn cut(graph: &mut Graph, cell: Cell, start: i64, end: i64) {
    let width = u32::try_from(end - start).unwrap_or(1);
    let part = Slot { loaded: true, stored: true, number_stored: true, ..Slot::default() };
    add(graph, cell.plus(start), width, part);
}

fn add(graph: &mut Graph, cell: Cell, width: u32, flags: Slot) {
    let mut new = false;
    graph.touch(cell, width, |slot| new = slot.add_flags(flags));
    graph.changes += u64::from(new);
}

/// Places that have bytes less than `length` behind the cell, with their offsets from the cell.
pub(super) fn within(graph: &Graph, cell: Cell, length: u64) -> Vec<(i64, u32, Slot)> {
    let cell = graph.resolve(cell);
    let body = graph.body(cell.node);
    let (mut found, length) = (Vec::new(), length.cast_signed());
    if !body.bands.is_empty() {
        for (key, slot) in indexed::places(body, cell.offset) {
            positions(body, cell.offset, key, length, |offset| found.push((offset, key.1, slot)));
        }
        return found;
    }
    for (&key, &slot) in &body.slots {
        positions(body, cell.offset, key, length, |offset| found.push((offset, key.1, slot)));
    }
    found
}

/// How the memory behind the cell looks.
pub(super) fn shape(graph: &Graph, cell: Cell) -> Shape {
    let cell = graph.resolve(cell);
    let body = graph.body(cell.node);
    let mut slots = body.slots.iter();
    match (slots.next(), slots.next()) {
        _ if !body.bands.is_empty() => Shape::Mixed,
        (None, _) => Shape::Blank,
        _ if body.stride == 1 => Shape::Bytes,
        (Some((&(offset, width), _)), None) if u64::from(width) == body.stride && offset == cell.offset => {
            Shape::Uniform(width)
        }
        _ => Shape::Mixed,
    }
}

fn align_loop(graph: &mut Graph, to: Cell, from: Cell) {
    match (shape(graph, to), shape(graph, from)) {
        (Shape::Blank, Shape::Blank) => {}
        (Shape::Blank, Shape::Uniform(width)) => make_uniform(graph, to, width),
        (Shape::Uniform(width), Shape::Blank) => make_uniform(graph, from, width),
        (Shape::Uniform(left), Shape::Uniform(right)) if left == right => {}
        _ => {
            collapse(graph, to);
            collapse(graph, from);
        }
    }
    mirror_period(graph, to, from, Flow::Against);
    mirror_period(graph, from, to, Flow::Along);
}

fn mirror_period(graph: &mut Graph, from: Cell, to: Cell, flow: Flow) {
    for (offset, width, slot) in one_period(graph, from) {
        mirror_slot(graph, to.plus(offset), width, slot, flow);
    }
}

fn mirror_slot(graph: &mut Graph, to: Cell, width: u32, slot: Slot, flow: Flow) {
    add(graph, to, width, Slot { link: None, address_loaded: false, ..slot });
    if let Some(source) = slot.link {
        let target = graph.link(to, width);
        // What is not inhabited yet has its turn in a later round; nothing is left waiting, round after round.
        if flow == Flow::Along && graph.is_inhabited(source) {
            graph.unify(target, source);
        }
    }
}

/// Places of a periodic node, with their offsets from the cell.
fn one_period(graph: &Graph, cell: Cell) -> Vec<(i64, u32, Slot)> {
    let resolved = graph.resolve(cell);
    let slots = graph.body(resolved.node).slots.iter();
    slots.map(|(&(offset, width), &slot)| (offset - resolved.offset, width, slot)).collect()
}

fn make_uniform(graph: &mut Graph, cell: Cell, width: u32) {
    graph.make_periodic(cell, u64::from(width));
    add(graph, cell, width, Slot { copied: true, ..Slot::default() });
}

/// The node becomes bytes.
fn collapse(graph: &mut Graph, cell: Cell) {
    graph.make_periodic(cell, 1);
    add(graph, cell, 1, Slot { copied: true, ..Slot::default() });
}

/// Calls back for every place of a slot that has a byte in `0..length`, relative to `start`.
fn positions(body: &Body, start: i64, (offset, width): Key, length: i64, mut found: impl FnMut(i64)) {
    let (stride, width) = (body.stride.cast_signed(), i64::from(width));
    let mut position = offset.wrapping_sub(start);
    if stride == 0 {
        if position < length && position.saturating_add(width) > 0 {
            found(position);
        }
        return;
    }
    // The first position whose last byte is at 0 or later.
    position = (position + width - 1).rem_euclid(stride) - (width - 1);
    while position < length {
        found(position);
        position += stride;
    }
}
