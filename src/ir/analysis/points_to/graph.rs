//! The points-to graph: nodes with offsets, merged by unification.
//!
//! A node stands for a set of objects; a cell is a node and an offset in it. Nodes are classes of a union–find forest
//! whose edges carry a shift, so that two cells can be unified at any two offsets, negative ones included
//! (`container_of`). Unifying two offsets of one node makes the node periodic: its *stride* is the greatest common
//! divisor of all such distances, and offsets are taken modulo the stride. A stride of one is what Lattner and Adve
//! call a collapsed node, so that no separate state is needed for it; an array of structs has the size of the struct
//! as its stride and keeps the fields apart.
//!
//! Deviation from Steensgaard's analysis, in the direction of his conditional join: `to = from` does nothing until
//! `from` points to a node that stands for some object. Integers take part in the analysis for the sake of casts, and
//! this keeps them from joining unrelated memory.

use super::Site;
use crate::ground::index::IndexVec;
use crate::ir::FunctionId;
use std::collections::{BTreeMap, BTreeSet};

crate::index_types! {
    /// A node of the graph.
    NodeId,
    /// An object, by number.
    ObjectId,
}

/// A place in a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    /// The node, which may have been merged into another.
    pub node: NodeId,
    /// The offset, in coordinates of that node.
    pub offset: i64,
}

impl Cell {
    /// The cell so many bytes on.
    pub fn plus(self, bytes: i64) -> Self {
        Self { node: self.node, offset: self.offset.wrapping_add(bytes) }
    }
}

/// Bytes that are accessed together, or that hold an address.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Slot {
    /// What the bytes may point to; only if an address fits.
    pub link: Option<Cell>,
    /// Whether exactly these bytes are read.
    pub loaded: bool,
    /// Whether exactly these bytes are written.
    pub stored: bool,
    /// Whether these bytes are copied or set as a whole, maybe with others.
    pub copied: bool,
    /// Whether a number is written here that does not plainly come from an address.
    pub number_stored: bool,
    /// Whether what is read here becomes an address.
    pub address_loaded: bool,
    /// Whether an access is not aligned for an address.
    pub misaligned: bool,
}

impl Slot {
    /// Whether a region must hold these bytes.
    pub fn is_held(&self) -> bool {
        self.loaded || self.stored || self.copied
    }

    /// Takes over what was done with other bytes; says whether that is new.
    pub fn add_flags(&mut self, other: Self) -> bool {
        let before = *self;
        self.copied |= other.copied;
        self.loaded |= other.loaded;
        self.stored |= other.stored;
        self.number_stored |= other.number_stored;
        self.address_loaded |= other.address_loaded;
        self.misaligned |= other.misaligned;
        before.flags() != self.flags()
    }

    fn flags(&self) -> [bool; 6] {
        let access = [self.loaded, self.stored, self.copied];
        let rest = [self.number_stored, self.address_loaded, self.misaligned];
        [access[0], access[1], access[2], rest[0], rest[1], rest[2]]
    }
}

/// Offset and width in bytes.
pub(super) type Key = (i64, u32);

/// What waits for a node to stand for some object.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pending {
    /// `to = from`.
    Assign {
        /// Gets the address.
        to: Cell,
        /// Has it.
        from: Cell,
    },
    /// The number of the address is made use of.
    Expose(Cell),
}

/// An array in a struct that is indexed there by a variable ([`super::indexed`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Band {
    /// Where the array begins.
    pub low: i64,
    /// Where it ends.
    pub high: i64,
    /// The size of an element.
    pub stride: i64,
    /// Where the index is.
    pub site: Site,
}

impl Band {
    /// How many elements there are.
    pub fn count(&self) -> i64 {
        (self.high - self.low) / self.stride
    }
}

/// What is known of a node that was not merged into another.
#[derive(Clone, Default, Debug)]
pub(super) struct Body {
    /// Offsets are taken modulo this; 0 if they are not.
    pub stride: u64,
    /// Places that are accessed or hold addresses.
    pub slots: BTreeMap<Key, Slot>,
    /// Objects; where each one starts, its own cell knows.
    pub objects: Vec<ObjectId>,
    /// Functions.
    pub functions: Vec<FunctionId>,
    /// Calls through addresses of this node, by number.
    pub calls: Vec<usize>,
    /// Whether it has something that is not known.
    pub outside: bool,
    /// Whether an object has contents that are not known.
    pub foreign: bool,
    /// Whether an object has a name that code elsewhere may use.
    pub exported: bool,
    /// Arrays that are indexed by variables while the node is not periodic.
    pub bands: Vec<Band>,
    pending: Vec<Pending>,
}

impl Body {
    /// Whether anything is there to point to.
    pub fn is_inhabited(&self) -> bool {
        self.outside || !self.objects.is_empty() || !self.functions.is_empty()
    }

    /// What gets its addresses as soon as there are any.
    pub fn copies(&self) -> impl Iterator<Item = Cell> {
        self.pending.iter().filter_map(|pending| match pending {
            Pending::Assign { to, .. } => Some(*to),
            Pending::Expose(_) => None,
        })
    }

    /// The offset that stands for this one.
    pub fn fold(&self, offset: i64) -> i64 {
        match i64::try_from(self.stride) {
            Ok(0) | Err(_) => offset,
            Ok(stride) => offset.rem_euclid(stride),
        }
    }
}

struct Node {
    parent: NodeId,
    /// Offset `x` here is offset `x + shift` in the parent.
    shift: i64,
    weight: usize,
    body: Body,
}

/// The graph.
#[derive(Default)]
pub(super) struct Graph {
    nodes: IndexVec<NodeId, Node>,
    /// Pairs to be unified.
    equations: Vec<(Cell, Cell)>,
    /// Constraints whose time has come.
    ready: Vec<Pending>,
    /// Nodes that have got functions or calls.
    pub callable: Vec<NodeId>,
    /// Addresses whose numbers are made use of.
    pub exposed: Vec<Cell>,
    /// Where indices are of arrays that are no bands after all.
    pub broken: BTreeSet<Site>,
    /// Counts what has changed.
    pub changes: u64,
}

impl Graph {
    /// A cell of a node of its own.
    pub fn fresh(&mut self) -> Cell {
        let node = self.nodes.next_id();
        self.nodes.push(Node { parent: node, shift: 0, weight: 1, body: Body::default() });
        Cell { node, offset: 0 }
    }

    /// The same cell in coordinates of a node that was not merged into another.
    pub fn resolve(&self, cell: Cell) -> Cell {
        let (mut node, mut offset) = (cell.node, cell.offset);
        while self.nodes[node].parent != node {
            offset = offset.wrapping_add(self.nodes[node].shift);
            node = self.nodes[node].parent;
        }
        Cell { node, offset: self.nodes[node].body.fold(offset) }
    }

    /// What is known of the node of a resolved cell.
    pub fn body(&self, node: NodeId) -> &Body {
        &self.nodes[node].body
    }

    /// Nodes that were not merged into another, in order.
    pub fn roots(&self) -> Vec<NodeId> {
        self.nodes.ids().filter(|&id| self.nodes[id].parent == id).collect()
    }

    /// Whether the cell's node stands for some object or function.
    pub fn is_inhabited(&self, cell: Cell) -> bool {
        self.body(self.resolve(cell).node).is_inhabited()
    }

    /// The node of the cell gets an inhabitant.
    pub fn inhabit(&mut self, cell: Cell, add: impl FnOnce(&mut Body)) {
        let node = self.resolve(cell).node;
        add(&mut self.nodes[node].body);
        self.nodes[node].weight += 1;
        self.changes += 1;
        self.wake(node);
    }

    /// `to = from`, now or once there is something to point to.
    pub fn assign(&mut self, to: Cell, from: Cell) {
        self.wait(from, Pending::Assign { to, from });
    }

    /// The number of this address is made use of.
    pub fn expose(&mut self, cell: Cell) {
        self.wait(cell, Pending::Expose(cell));
    }

    fn wait(&mut self, on: Cell, pending: Pending) {
        let node = self.resolve(on).node;
        if self.nodes[node].body.is_inhabited() {
            self.ready.push(pending);
        } else {
            self.nodes[node].body.pending.push(pending);
            self.nodes[node].weight += 1;
        }
    }

    fn wake(&mut self, node: NodeId) {
        let body = &mut self.nodes[node].body;
        if body.is_inhabited() {
            self.ready.append(&mut body.pending);
        }
        if !body.calls.is_empty() && (!body.functions.is_empty() || body.outside) {
            self.callable.push(node);
        }
    }

    /// Does all that is ready to be done.
    pub fn settle(&mut self) {
        while let Some(pending) = self.ready.pop() {
            match pending {
                Pending::Assign { to, from } => self.unify(to, from),
                Pending::Expose(cell) => self.exposed.push(cell),
            }
        }
    }

    /// Makes two cells one.
    pub fn unify(&mut self, left: Cell, right: Cell) {
        self.equations.push((left, right));
        while let Some((left, right)) = self.equations.pop() {
            let (left, right) = (self.resolve(left), self.resolve(right));
            if left == right {
                continue;
            }
            self.changes += 1;
            if left.node == right.node {
                self.fold_by(left.node, left.offset.abs_diff(right.offset));
            } else if self.nodes[left.node].weight < self.nodes[right.node].weight {
                self.merge(right, left);
            } else {
                self.merge(left, right);
            }
        }
    }

    /// Offsets of this cell's node are equal modulo `stride` from now on.
    pub fn make_periodic(&mut self, cell: Cell, stride: u64) {
        let cell = self.resolve(cell);
        let old = self.nodes[cell.node].body.stride;
        if gcd(old, stride) != old {
            self.changes += 1;
            self.fold_by(cell.node, stride);
            self.drain_equations();
        }
    }

    fn drain_equations(&mut self) {
        if let Some((left, right)) = self.equations.pop() {
            self.unify(left, right);
        }
    }

    /// An array begins there.
    pub fn add_band(&mut self, cell: Cell, (bytes, stride): (i64, i64), site: Site) {
        let cell = self.resolve(cell);
        let (low, high) = (cell.offset, cell.offset.wrapping_add(bytes));
        self.nodes[cell.node].body.bands.push(Band { low, high, stride, site });
        if self.nodes[cell.node].body.stride != 0 {
            self.break_bands(cell.node);
        }
    }

    /// The arrays of a node cannot be kept apart from the rest of it.
    pub fn break_bands(&mut self, node: NodeId) {
        let bands = std::mem::take(&mut self.nodes[node].body.bands);
        self.broken.extend(bands.into_iter().map(|band| band.site));
    }

    fn fold_by(&mut self, node: NodeId, distance: u64) {
        self.break_bands(node);
        let body = &mut self.nodes[node].body;
        body.stride = gcd(body.stride, distance);
        let slots = std::mem::take(&mut body.slots);
        for ((offset, width), slot) in slots {
            self.insert(node, offset, width, slot);
        }
    }

    fn insert(&mut self, node: NodeId, offset: i64, width: u32, slot: Slot) {
        let body = &mut self.nodes[node].body;
        let key = (body.fold(offset), width);
        let there = body.slots.entry(key).or_default();
        there.add_flags(slot);
        match (there.link, slot.link) {
            (Some(old), Some(new)) => self.equations.push((old, new)),
            (None, link) => there.link = link,
            (Some(_), None) => {}
        }
    }

    /// `small` becomes part of `large`.
    fn merge(&mut self, large: Cell, small: Cell) {
        let shift = large.offset.wrapping_sub(small.offset);
        let node = &mut self.nodes[small.node];
        (node.parent, node.shift) = (large.node, shift);
        let (body, weight) = (std::mem::take(&mut node.body), node.weight);
        self.nodes[large.node].weight += weight;
        if gcd(self.nodes[large.node].body.stride, body.stride) != self.nodes[large.node].body.stride {
            self.fold_by(large.node, body.stride);
        }
        for ((offset, width), slot) in body.slots {
            self.insert(large.node, offset.wrapping_add(shift), width, slot);
        }
        let shifted = |band: Band| Band {
            low: band.low.wrapping_add(shift),
            high: band.high.wrapping_add(shift),
            ..band
        };
        self.nodes[large.node].body.bands.extend(body.bands.into_iter().map(shifted));
        if self.nodes[large.node].body.stride != 0 {
            self.break_bands(large.node);
        }
        let target = &mut self.nodes[large.node].body;
        target.objects.extend(body.objects);
        target.functions.extend(body.functions);
        target.calls.extend(body.calls);
        target.pending.extend(body.pending);
        target.outside |= body.outside;
        target.foreign |= body.foreign;
        target.exported |= body.exported;
        self.wake(large.node);
    }

    /// The slot of so many bytes at this cell, changed; it comes into being if need be.
    pub fn touch(&mut self, cell: Cell, width: u32, change: impl FnOnce(&mut Slot)) {
        let cell = self.resolve(cell);
        let node = &mut self.nodes[cell.node];
        let before = node.body.slots.len();
        let slot = node.body.slots.entry((cell.offset, width)).or_default();
        change(slot);
        if node.body.slots.len() != before {
            node.weight += 1;
            self.changes += 1;
        }
    }

    /// What so many bytes at this cell may point to.
    pub fn link(&mut self, cell: Cell, width: u32) -> Cell {
        let resolved = self.resolve(cell);
        let slot = self.nodes[resolved.node].body.slots.get(&(resolved.offset, width));
        if let Some(link) = slot.and_then(|slot| slot.link) {
            return link;
        }
        let link = self.fresh();
        self.touch(cell, width, |slot| slot.link = Some(link));
        link
    }
}

/// Greatest common divisor; zero is neutral.
pub(super) fn gcd(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}
