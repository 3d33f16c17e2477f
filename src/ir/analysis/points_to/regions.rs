//! Cuts the finished graph into regions.
//!
//! Places of a node that overlap, directly or in a chain, make one region. A place that overlaps no other one is a
//! region of cells of its width, or a plain variable if its node stands for one object only and that object exists
//! once. Where places of different offsets or widths overlap, the region holds bytes.

use super::graph::{Band, Body, Cell, Key, NodeId, ObjectId};
use super::indexed::{self, APART};
use super::layout::{self, Shape};
use super::names::{Elements, Naming, describe};
use super::state::{Analysis, CopyKey, RawTransfer};
use super::threads::Activations;
use super::uses::AddressUses;
use super::{
    Access, ObjectCell, Origin, Piece, Placement, PointsTo, Region, RegionId, RegionKind, Sides, Transfer,
    escape,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Wider values are held as bytes: terms have at most 128 bits.
const WIDEST: u32 = 16;

/// Regions of the places of each node.
pub(super) struct Cutting<'s, 'a> {
    analysis: &'s Analysis<'a>,
    activations: &'s Activations,
    uses: &'s AddressUses,
    solution: PointsTo,
    of_place: FxHashMap<(NodeId, Key), RegionId>,
    groups: FxHashMap<NodeId, Vec<Group>>,
    /// Nodes that several threads may get at.
    shared: FxHashSet<NodeId>,
}

/// Places that overlap.
struct Group {
    /// The first byte, and the one behind the last.
    extent: (i64, i64),
    places: Vec<Key>,
}

impl<'s, 'a> Cutting<'s, 'a> {
    pub fn new(analysis: &'s Analysis<'a>, activations: &'s Activations, uses: &'s AddressUses) -> Self {
        let solution = PointsTo::default();
        let (of_place, groups) = (FxHashMap::default(), FxHashMap::default());
        Self { analysis, activations, uses, solution, of_place, groups, shared: escape::shared(analysis) }
    }

    pub fn run(mut self) -> PointsTo {
        for node in self.analysis.graph.roots() {
            let body = self.analysis.graph.body(node);
            if is_memory(body) {
                self.cut(node, body);
            }
        }
        self.accesses();
        self.transfers();
        self.objects();
        self.solution
    }

    fn cut(&mut self, node: NodeId, body: &Body) {
        let keys = body.slots.iter().filter(|(_, slot)| slot.is_held()).map(|(&key, _)| key);
        let keys = keys.filter(|key| !indexed::is_in_band(body, key.0));
        let groups = group(body.stride, keys.collect());
        for group in &groups {
            let kind = self.kind(node, body, group);
            let kind = indexed::held_by_address(body, group.extent.0, kind);
            let origins = self.origins(body);
            let (name, ty) = self.description(body, group, kind);
            let thread_local = origins.iter().any(|origin| self.is_thread_local(*origin));
            let private = !body.outside && !self.shared.contains(&node);
            let region = Region { kind, origins, name, ty, thread_local, private };
            let region = self.solution.regions.push(region);
            self.of_place.extend(group.places.iter().map(|&key| ((node, key), region)));
        }
        self.groups.insert(node, groups);
    }

    /// The objects of a node, in order.
    fn origins(&self, body: &Body) -> Vec<Origin> {
        let mut origins: Vec<Origin> = body.objects.iter().map(|&id| self.origin(id)).collect();
        origins.extend(body.outside.then_some(Origin::Outside));
        origins.sort_unstable();
        origins
    }

    fn origins_at(&self, cell: Cell) -> Vec<Origin> {
        self.origins(self.analysis.graph.body(self.analysis.graph.resolve(cell).node))
    }

    fn origin(&self, id: ObjectId) -> Origin {
        self.analysis.objects[id].origin
    }

    fn is_thread_local(&self, origin: Origin) -> bool {
        matches!(origin, Origin::Global(id) if self.analysis.module.globals[id].thread_local)
    }

    fn kind(&self, node: NodeId, body: &Body, group: &Group) -> RegionKind {
        let (offset, width) = group.places[0];
        let wraps = body.stride != 0 && u64::from(width) > body.stride;
        if group.places.len() > 1 || wraps || width > WIDEST || body.outside {
            return RegionKind::Bytes;
        }
        let bits = width * 8;
        match body.objects[..] {
            [object] if body.stride == 0 => match self.scalar(node, object, offset, width) {
                Some((origin, offset)) => RegionKind::Scalar { origin, offset, bits },
                None => RegionKind::Cells { bits },
            },
            _ => RegionKind::Cells { bits },
        }
    }

    fn scalar(&self, node: NodeId, id: ObjectId, offset: i64, width: u32) -> Option<(Origin, u64)> {
        let object = &self.analysis.objects[id];
        let start = self.analysis.graph.resolve(object.cell);
        debug_assert_eq!(start.node, node);
        let offset = u64::try_from(offset.wrapping_sub(start.offset)).ok()?;
        let inside = offset.checked_add(u64::from(width))? <= object.size?;
        (inside && !object.repeated && self.exists_once(object.origin)).then_some((object.origin, offset))
    }

    fn exists_once(&self, origin: Origin) -> bool {
        match origin {
            Origin::Global(_) => !self.is_thread_local(origin) || !self.activations.has_threads(),
            Origin::Local(function, _) => {
                !self.activations.several.contains(&function) || !self.uses.is_needed(origin)
            }
            // The caller writes it while another activation may have its own.
            Origin::Copy(function, _) => !self.activations.several.contains(&function),
            // Those that may exist several times are marked as repeated.
            Origin::Heap(_) => true,
            Origin::Arguments(_) | Origin::Outside | Origin::Unset(_) => false,
        }
    }

    /// The name and type in C, by the first object that has any.
    fn description(
        &self,
        body: &Body,
        group: &Group,
        kind: RegionKind,
    ) -> (String, Option<crate::ir::DebugTypeId>) {
        let (offset, width) = group.places[0];
        let mut objects: Vec<_> = body.objects.iter().map(|&id| &self.analysis.objects[id]).collect();
        objects.sort_unstable_by_key(|object| object.origin);
        let naming = if objects.len() > 1 { Naming::ByType } else { Naming::ByObject };
        let elements =
            if matches!(kind, RegionKind::Scalar { .. }) { Elements::One } else { Elements::Alike };
        let known = objects.into_iter().find_map(|object| {
            let start = self.analysis.graph.resolve(object.cell).offset;
            let first = indexed::instances(body, offset, start).first().copied().unwrap_or(offset);
            let within = u64::try_from(body.fold(first.wrapping_sub(start))).ok()?;
            describe(self.analysis.module, object.origin, within, u64::from(width) * 8, naming, elements)
        });
        known.unwrap_or_default()
    }

    /// The region of so many bytes at a cell.
    fn region(&self, cell: Cell, width: u32) -> Option<RegionId> {
        let cell = indexed::resolve(&self.analysis.graph, cell);
        self.of_place.get(&(cell.node, (cell.offset, width))).copied()
    }

    fn accesses(&mut self) {
        for raw in &self.analysis.accesses {
            if let Some(region) = self.region(raw.cell, raw.width) {
                let access = Access { offset: raw.offset, bits: raw.width * 8, region };
                self.solution.accesses.entry(raw.site).or_default().push(access);
            }
        }
    }

    fn transfers(&mut self) {
        for raw in &self.analysis.transfers {
            let transfer = self.transfer(raw);
            let from = raw.from.map(|from| self.origins_at(from)).unwrap_or_default();
            let sides = Sides { to: self.origins_at(raw.to), from };
            match raw.key {
                CopyKey::Site(site) => {
                    self.solution.transfers.insert(site, transfer);
                    self.solution.sides.insert(site, sides);
                }
                CopyKey::Argument(site, callee, parameter) => {
                    self.solution.argument_copies.insert((site, callee, parameter), transfer);
                    self.solution.argument_sides.insert((site, callee, parameter), sides);
                }
                CopyKey::Silent => {}
            }
        }
    }

    fn transfer(&self, raw: &RawTransfer) -> Transfer {
        let graph = &self.analysis.graph;
        let sides = [Some(raw.to), raw.from];
        let nowhere = |cell: Cell| !is_memory(graph.body(graph.resolve(cell).node));
        if sides.into_iter().flatten().any(nowhere) {
            return Transfer::Nowhere;
        }
        match layout::constant_length(&self.analysis.graph, raw) {
            Some(length) => Transfer::Pieces(self.pieces(raw, length)),
            None => self.repetition(raw),
        }
    }

    fn pieces(&self, raw: &RawTransfer, length: u64) -> Vec<Piece> {
        let mut places: Vec<(u64, u64, RegionId, Option<RegionId>)> = Vec::new();
        for (offset, width, slot) in layout::within(&self.analysis.graph, raw.to, length) {
            let end = offset + i64::from(width);
            let Ok(start) = u64::try_from(offset) else { continue };
            if !slot.is_held() || end > length.cast_signed() {
                continue;
            }
            let Some(to) = self.region(raw.to.plus(offset), width) else { continue };
            let from = raw.from.and_then(|from| self.region(from.plus(offset), width));
            debug_assert_eq!(from.is_some(), raw.from.is_some(), "both sides have the same layout");
            places.push((start, end.unsigned_abs(), to, from));
        }
        places.sort_unstable();
        join(places)
    }

    fn repetition(&self, raw: &RawTransfer) -> Transfer {
        let width = match layout::shape(&self.analysis.graph, raw.to) {
            Shape::Uniform(width) => width,
            Shape::Bytes => 1,
            Shape::Blank | Shape::Mixed => return Transfer::Pieces(Vec::new()),
        };
        let region = |cell: Cell| self.region(cell, width).or_else(|| self.any_region(cell));
        match (region(raw.to), raw.from.map(region)) {
            (Some(to), None) => Transfer::Loop { bits: width * 8, to, from: None },
            (Some(to), Some(Some(from))) => Transfer::Loop { bits: width * 8, to, from: Some(from) },
            _ => Transfer::Pieces(Vec::new()),
        }
    }

    /// The region of a collapsed node, whatever width its accesses have.
    fn any_region(&self, cell: Cell) -> Option<RegionId> {
        let node = self.analysis.graph.resolve(cell).node;
        let place = self.groups.get(&node)?.first()?.places.first()?;
        self.of_place.get(&(node, *place)).copied()
    }

    fn objects(&mut self) {
        for object in self.analysis.objects.iter() {
            let cells = self.object_cells(object.cell, object.size);
            let scalar = |cell: &ObjectCell| {
                matches!(self.solution.regions[cell.region].kind, RegionKind::Scalar { .. })
            };
            let promoted = cells.iter().all(scalar) && !self.uses.is_needed(object.origin);
            let by_value = matches!(object.origin, Origin::Arguments(_) | Origin::Heap(_));
            let single = !object.repeated && !by_value;
            let placement = if promoted && single { Placement::Promoted } else { Placement::Addressed };
            self.solution.objects.insert(object.origin, (placement, cells));
        }
    }

    fn object_cells(&self, start: Cell, size: Option<u64>) -> Vec<ObjectCell> {
        let start = self.analysis.graph.resolve(start);
        let body = self.analysis.graph.body(start.node);
        let mut cells = Vec::new();
        for group in self.groups.get(&start.node).map_or(&[][..], Vec::as_slice) {
            let region = self.of_place[&(start.node, group.places[0])];
            let bytes = self.solution.regions[region].kind == RegionKind::Bytes;
            if let Some(band) = indexed::band_of(body, group.extent.0) {
                cells.extend(elements(body, band, group, start.offset, region));
                continue;
            }
            let cell = match (bytes, body.stride) {
                (true, 0) => part(group, start.offset, size.unwrap_or(i64::MAX.cast_unsigned())),
                (true, _) => Some((0, 1)),
                (false, _) => whole(group, body, start.offset, size),
            };
            let stride = if bytes { body.stride.min(1) } else { body.stride };
            let repeats = (stride != 0).then_some(stride);
            cells.extend(cell.map(|(offset, width)| {
                let bits = u32::try_from(width * 8).unwrap_or(u32::MAX);
                ObjectCell { offset, bits, region, repeats, until: None }
            }));
        }
        cells.sort_by_key(|cell| cell.offset);
        cells
    }
}

/// The bytes of a group that are within an object, in a node that is not periodic: offset and width.
fn part(group: &Group, start: i64, size: u64) -> Option<(u64, u64)> {
    let first = group.extent.0.wrapping_sub(start).max(0).cast_unsigned();
    let end = group.extent.1.wrapping_sub(start).max(0).cast_unsigned().min(size);
    (first < end).then(|| (first, end - first))
}

/// Where the bytes of a group of a typical element are in an object.
fn elements(body: &Body, band: &Band, group: &Group, start: i64, region: RegionId) -> Vec<ObjectCell> {
    let bits = u32::try_from((group.extent.1 - group.extent.0) * 8).unwrap_or(u32::MAX);
    if indexed::is_near(group.extent.0, start) {
        // An object that is no struct with such an array: only a pointer may point to it as well as to elements.
        let offset = u64::try_from(group.extent.0.wrapping_sub(start));
        let cell = |offset| ObjectCell { offset, bits, region, repeats: None, until: None };
        return offset.map(cell).into_iter().collect();
    }
    let within = group.extent.0.wrapping_sub(band.low).wrapping_sub(APART);
    let repeated = |low: i64| {
        let first = low.wrapping_add(within).wrapping_sub(start);
        let until = Some(u64::try_from(low.wrapping_sub(start).wrapping_add(band.high - band.low)).ok()?);
        let first = if first < 0 { first.rem_euclid(band.stride) } else { first };
        let (offset, repeats) = (first.unsigned_abs(), Some(band.stride.unsigned_abs()));
        Some(ObjectCell { offset, bits, region, repeats, until })
    };
    indexed::instances(body, band.low, start).into_iter().filter_map(repeated).collect()
}

/// The first cell of a group that is within an object: offset and width.
fn whole(group: &Group, body: &Body, start: i64, size: Option<u64>) -> Option<(u64, u64)> {
    let (offset, width) = group.places[0];
    let offset = u64::try_from(body.fold(offset.wrapping_sub(start))).ok()?;
    let width = u64::from(width);
    size.is_none_or(|size| offset.saturating_add(width) <= size).then_some((offset, width))
}

/// Whether the node stands for memory at all.
fn is_memory(body: &Body) -> bool {
    body.outside || !body.objects.is_empty()
}

/// Places that overlap, together.
fn group(stride: u64, mut keys: Vec<Key>) -> Vec<Group> {
    keys.sort_unstable();
    let mut groups: Vec<Group> = Vec::new();
    for key in keys {
        let end = key.0.saturating_add(i64::from(key.1));
        match groups.last_mut() {
            Some(group) if key.0 < group.extent.1 => {
                group.extent.1 = group.extent.1.max(end);
                group.places.push(key);
            }
            _ => groups.push(Group { extent: (key.0, end), places: vec![key] }),
        }
    }
    if stride != 0 {
        close_circle(stride.cast_signed(), &mut groups);
    }
    groups
}

/// In a periodic node, the last places may overlap the first ones of the next period.
fn close_circle(stride: i64, groups: &mut Vec<Group>) {
    while groups.len() > 1 {
        let (first, last) = (groups[0].extent, groups[groups.len() - 1].extent);
        if last.1 - stride <= first.0 {
            break;
        }
        let first = groups.remove(0);
        let last = groups.last_mut().expect("there was more than one");
        last.extent.1 = last.extent.1.max(first.extent.1 + stride);
        last.places.extend(first.places);
    }
}

/// Pieces that overlap belong to regions of bytes and become one.
fn join(places: Vec<(u64, u64, RegionId, Option<RegionId>)>) -> Vec<Piece> {
    let mut pieces: Vec<(u64, u64, RegionId, Option<RegionId>)> = Vec::new();
    for place in places {
        match pieces.last_mut() {
            Some(last) if place.0 < last.1 => last.1 = last.1.max(place.1),
            _ => pieces.push(place),
        }
    }
    let bits = |start: u64, end: u64| u32::try_from((end - start) * 8).unwrap_or(u32::MAX);
    pieces
        .into_iter()
        .map(|(start, end, to, from)| Piece { offset: start, bits: bits(start, end), to, from })
        .collect()
}
