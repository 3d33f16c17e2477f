//! Arrays that are members of structs, and are indexed by variables.
//!
//! A variable index makes a node periodic, and a struct would be mixed up with the array in it. So a member that is indexed is a
//! *band* of its node: bytes `low..high` that hold elements of `stride` bytes. The address of an element with a variable index is not
//! in the band itself, but [`APART`] bytes on from it, at the *typical element*, which stands for all of them. The sum is the same in all
//! coordinates of a node, so that nodes with bands are merged like others. Whatever is accessed at a constant place
//! of the band is accessed in the typical element too; the regions are cut there.
//!
//! That is right only as long as an index stays within its array, and as long as an address of an element stays within the element. The
//! first is for the program model to check at the index ([`PointsTo::indexed`](super::PointsTo::indexed)). The second is checked here: if an address may
//! leave its element, or if the node becomes periodic, the band is *broken*, and the analysis starts again without it.

use super::graph::{Band, Body, Cell, Graph, Key, NodeId, Slot};
use super::state::{Analysis, RawTransfer};
use super::{RegionKind, Site};
use std::collections::{BTreeMap, BTreeSet};

/// How far a typical element is from its array. No object is as large as half of this.
pub(super) const APART: i64 = 1 << 44;

/// More instances of an element than these are too many to be copied one by one.
const MANY: usize = 4096;

impl Band {
    /// Whether bytes at an offset are all in one element of the array.
    fn has(&self, (offset, width): Key) -> bool {
        let within = offset.wrapping_sub(self.low);
        within >= 0 && offset < self.high && within.rem_euclid(self.stride) + i64::from(width) <= self.stride
    }

    /// Whether bytes at an offset are all in the typical element.
    fn is_typical(&self, (offset, width): Key) -> bool {
        let within = offset.wrapping_sub(self.element());
        within >= 0 && within + i64::from(width) <= self.stride
    }

    fn meets(&self, (offset, width): Key) -> bool {
        offset < self.high && offset.wrapping_add(i64::from(width)) > self.low
    }

    /// Where the typical element begins.
    fn element(&self) -> i64 {
        self.low.wrapping_add(APART)
    }

    /// The place of the typical element that stands for a place of the array.
    fn lifted(&self, offset: i64) -> i64 {
        self.element().wrapping_add(offset.wrapping_sub(self.low).rem_euclid(self.stride))
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.low, self.high, self.stride) == (other.low, other.high, other.stride)
    }
}

/// Whether two offsets may be of one object.
pub(super) fn is_near(left: i64, right: i64) -> bool {
    left.abs_diff(right) < APART.unsigned_abs() / 2
}

/// The cell whose slots stand for this one: of a typical element, if this is in an array that is a band.
pub(super) fn resolve(graph: &Graph, cell: Cell) -> Cell {
    let Cell { node, mut offset } = graph.resolve(cell);
    let body = graph.body(node);
    // A band in an element of another one is one level further up; there are only so many levels.
    for _ in 0..=body.bands.len() {
        match body.bands.iter().find(|band| band.has((offset, 0))) {
            Some(band) => offset = band.lifted(offset),
            None => break,
        }
    }
    Cell { node, offset }
}

/// Whether an offset is in an array that is a band.
pub(super) fn is_in_band(body: &Body, offset: i64) -> bool {
    body.bands.iter().any(|band| band.has((offset, 0)))
}

/// The band whose typical element has this offset.
pub(super) fn band_of(body: &Body, offset: i64) -> Option<&Band> {
    body.bands.iter().find(|band| band.is_typical((offset, 0)) && offset < band.element() + band.stride)
}

/// Where in an object that begins at `start` an element begins whose array may itself be in elements of arrays: all offsets that `low` stands for.
pub(super) fn instances(body: &Body, low: i64, start: i64) -> Vec<i64> {
    let (mut found, mut waiting) = (Vec::new(), vec![low]);
    while let Some(offset) = waiting.pop() {
        if found.len() > MANY {
            break;
        }
        if is_near(offset, start) {
            found.push(offset);
        } else if let Some(band) = band_of(body, offset) {
            let first = offset.wrapping_sub(APART);
            waiting.extend((0..band.count()).map(|number| first + number * band.stride));
        }
    }
    found.sort_unstable();
    found
}

/// Places at the level of an offset: those of the node, and those that typical elements stand for.
pub(super) fn places(body: &Body, at: i64) -> BTreeMap<Key, Slot> {
    let mut places = BTreeMap::new();
    for (&(offset, width), &slot) in &body.slots {
        for instance in instances(body, offset, at) {
            places.insert((instance, width), slot);
        }
    }
    places
}

impl Analysis<'_> {
    /// Brings bands and their typical elements in step, and breaks those that cannot be kept apart.
    pub fn settle_bands(&mut self) {
        for node in self.graph.roots() {
            if self.graph.body(node).bands.is_empty() {
                continue;
            }
            if is_broken(self.graph.body(node)) {
                self.graph.break_bands(node);
            } else {
                lift_all(&mut self.graph, node);
            }
        }
        let leaving: Vec<NodeId> =
            self.transfers.iter().flat_map(|transfer| leaving(&self.graph, transfer)).collect();
        leaving.into_iter().for_each(|node| self.graph.break_bands(node));
        self.graph.settle();
    }

    /// The indices that must stay within their arrays, and how many elements those have.
    pub fn indices(&self) -> BTreeMap<Site, u64> {
        let mut found = BTreeMap::new();
        for node in self.graph.roots() {
            let bands = &self.graph.body(node).bands;
            found.extend(bands.iter().map(|band| (band.site, band.count().unsigned_abs())));
        }
        found
    }
}

/// Whether an access leaves its element, or bands overlap in another way than one in an element of the other.
fn is_broken(body: &Body) -> bool {
    let bands = &body.bands;
    let pairs = bands.iter().flat_map(|a| bands.iter().map(move |b| (a, b)));
    body.stride != 0
        || pairs.into_iter().any(|(a, b)| clash(a, b))
        || body.slots.keys().any(|&key| leaves(bands, key))
}

fn clash(a: &Band, b: &Band) -> bool {
    let bytes = |band: &Band| u32::try_from(band.high - band.low).unwrap_or(u32::MAX);
    let overlap = a.low < b.high && b.low < a.high && !a.is_like(b);
    overlap || is_near(a.element(), b.low) && !a.is_typical((b.low, bytes(b)))
}

/// Whether a place is partly in a band, in several elements of it, or near a typical element but not in it.
fn leaves(bands: &[Band], key: Key) -> bool {
    let typical = bands.iter().any(|band| band.is_typical(key));
    let astray = |band: &Band| is_near(key.0, band.element()) && !typical;
    bands.iter().any(|band| band.meets(key) && !band.has(key) || astray(band))
}

/// What is accessed in an array is accessed in its typical element.
fn lift_all(graph: &mut Graph, node: NodeId) {
    let body = graph.body(node);
    let in_bands: Vec<(Key, Slot, i64)> = body
        .slots
        .iter()
        .filter_map(|(&key, &slot)| {
            let band = body.bands.iter().find(|band| band.has(key))?;
            Some((key, slot, band.lifted(key.0)))
        })
        .collect();
    for ((_, width), slot, offset) in in_bands {
        let cell = Cell { node, offset };
        let mut new = false;
        graph.touch(cell, width, |typical| new = typical.add_flags(slot));
        graph.changes += u64::from(new);
        if let Some(link) = slot.link {
            let typical = graph.link(cell, width);
            graph.unify(link, typical);
        }
    }
}

/// Nodes with elements that a copy leaves.
fn leaving(graph: &Graph, transfer: &RawTransfer) -> BTreeSet<NodeId> {
    let sides = [Some(transfer.to), transfer.from].into_iter().flatten();
    let leaves = |cell: Cell| {
        let cell = graph.resolve(cell);
        let bands = &graph.body(cell.node).bands;
        let length = transfer.length.and_then(|length| u32::try_from(length).ok());
        let fits = |key| bands.iter().any(|band| band.is_typical(key));
        let astray = bands.iter().any(|band| is_near(cell.offset, band.element()));
        (astray && !length.is_some_and(|length| fits((cell.offset, length)))).then_some(cell.node)
    };
    sides.filter_map(leaves).collect()
}

/// Elements are held by address: one variable cannot be all of them.
pub(super) fn held_by_address(body: &Body, offset: i64, kind: RegionKind) -> RegionKind {
    match kind {
        RegionKind::Scalar { bits, .. } if band_of(body, offset).is_some() => RegionKind::Cells { bits },
        kind => kind,
    }
}
