//! The fixed point, and what is not known: memory from outside, and addresses made of numbers.
//!
//! One node stands for all that is not known; it is collapsed, and whatever it holds points to it. Functions that
//! get there are called from outside. An exposed object joins it as soon as some address is made of numbers that are
//! not followed. Such addresses are: casts of integers that do not plainly come from an address, and addresses read
//! where other numbers were written, or where writes of other sizes overlap. Reading a part of an address exposes the
//! object, too. While nothing is exposed, they point nowhere,
//! because no number is known to be an address.

use super::graph::{Body, Cell, Key, NodeId, Slot};
use super::state::Analysis;
use super::{layout, unset};
use crate::ir::{FunctionId, Type};

impl Analysis<'_> {
    /// Does everything until nothing changes, or until an array turns out not to be apart from its struct.
    pub fn solve(&mut self, roots: &[FunctionId]) {
        for &root in roots {
            self.enter_from_outside(root);
        }
        loop {
            let before = self.graph.changes;
            self.propagate();
            layout::align_all(&mut self.graph, &self.transfers);
            self.settle_bands();
            self.settle_outside();
            self.settle_numbers();
            if !self.graph.broken.is_empty() {
                break;
            }
            let settled =
                self.graph.changes == before && self.unread.is_empty() && self.graph.callable.is_empty();
            if settled && !unset::settle(self) {
                break;
            }
        }
    }

    /// Reads functions and follows addresses, until nothing is left to do.
    fn propagate(&mut self) {
        loop {
            while let Some(function) = self.unread.pop() {
                self.read(function);
            }
            self.link_globals();
            self.graph.settle();
            if !self.bind_callable() && self.unread.is_empty() && self.late_links.is_empty() {
                break;
            }
        }
    }

    /// A root, or a function whose address got outside: its arguments may be anything.
    fn enter_from_outside(&mut self, function: FunctionId) {
        let definition = &self.module.functions[function];
        if !definition.is_defined() || !self.callbacks.insert(function) {
            return;
        }
        self.reach(function);
        self.graph.changes += 1;
        for (number, parameter) in definition.parameters.iter().enumerate() {
            if let Some(size) = parameter.copied {
                let copy = self.parameter_copy(function, number, size);
                self.graph.inhabit(copy, |body| body.foreign = true);
            } else if definition.values[parameter.value].ty == Type::Pointer {
                let to = self.value(function, parameter.value);
                self.assign(to, Some(self.outside));
            }
        }
    }

    /// What is outside points outside; its functions are called from there.
    fn settle_outside(&mut self) {
        let outside = self.graph.resolve(self.outside).node;
        for function in self.graph.body(outside).functions.clone() {
            self.enter_from_outside(function);
            let result = self.result(function);
            self.assign(Some(self.outside), Some(result));
        }
        for node in self.graph.roots() {
            let (foreign, exported) = (self.graph.body(node).foreign, self.graph.body(node).exported);
            if (foreign && self.unknown_code || exported && self.other_files) && node != outside {
                // What is defined elsewhere, or has a name there, can be changed there.
                self.graph.unify(Cell { node, offset: 0 }, self.outside);
            } else if node == outside || foreign {
                for link in self.links(node) {
                    self.graph.unify(link, self.outside);
                }
            }
        }
        self.graph.settle();
    }

    fn links(&self, node: NodeId) -> Vec<Cell> {
        self.graph.body(node).slots.values().filter_map(|slot| slot.link).collect()
    }

    /// Exposed objects and adopted addresses meet outside.
    fn settle_numbers(&mut self) {
        let (mut exposed, mut adopted) = (Vec::new(), self.adopted.clone());
        for node in self.graph.roots() {
            self.look_at_overlaps(node, &mut exposed, &mut adopted);
        }
        for &(left, right) in &self.differences {
            if self.graph.resolve(left).node != self.graph.resolve(right).node {
                exposed.extend([left, right]);
            }
        }
        exposed.extend(&self.graph.exposed);
        exposed.retain(|&cell| self.graph.is_inhabited(cell));
        if exposed.is_empty() || adopted.is_empty() {
            return;
        }
        self.numbers_meet |= exposed.iter().any(|&cell| self.owns(cell));
        for cell in exposed.into_iter().chain(adopted) {
            self.graph.unify(cell, self.outside);
        }
        self.graph.settle();
    }

    /// Addresses that are read or written in part.
    fn look_at_overlaps(&self, node: NodeId, exposed: &mut Vec<Cell>, adopted: &mut Vec<Cell>) {
        let body = self.graph.body(node);
        if !body.is_inhabited() || body.outside {
            return;
        }
        let widest = widest(body);
        for (&key, slot) in &body.slots {
            let Some(link) = slot.link else { continue };
            if is_torn(body, key, slot) || is_overlapped(body, key, widest, |other| other.loaded) {
                exposed.push(link);
            }
            if slot.address_loaded && is_forged(body, key, slot) {
                adopted.push(link);
            }
        }
    }
}

/// Whether an address in this place may be made of numbers that are not followed.
pub(super) fn is_forged(body: &Body, key: Key, slot: &Slot) -> bool {
    slot.number_stored
        || is_torn(body, key, slot)
        || is_overlapped(body, key, widest(body), |other| other.stored)
}

/// Whether an access may begin within another one to the same place of the period.
pub(super) fn is_torn(body: &Body, key: Key, slot: &Slot) -> bool {
    body.stride != 0 && body.stride < u64::from(key.1) && slot.misaligned
}

/// The width of the widest access.
pub(super) fn widest(body: &Body) -> i64 {
    body.slots.keys().map(|key| i64::from(key.1)).max().unwrap_or(0)
}

/// Whether an access of some kind to other bytes has a byte of this place.
pub(super) fn is_overlapped(body: &Body, key: Key, widest: i64, access: impl Fn(&Slot) -> bool) -> bool {
    let stride = body.stride.cast_signed();
    // In a periodic node, neighbours may be in the period before or after; a stride as small as an access makes all
    // places neighbours.
    let all = stride != 0 && stride <= widest.saturating_mul(2);
    let shifts = if stride == 0 { vec![0] } else { vec![-stride, 0, stride] };
    shifts.into_iter().any(|shift| {
        let (low, high) = (key.0.saturating_sub(widest) + shift, key.0.saturating_add(widest) + shift);
        let range = if all { (i64::MIN, 0)..=(i64::MAX, u32::MAX) } else { (low, 0)..=(high, u32::MAX) };
        let mut near = body.slots.range(range);
        near.any(|(&other, slot)| other != key && access(slot) && overlap(body.stride, key, other))
    })
}

/// Whether two places may have a byte in common.
fn overlap(stride: u64, left: Key, right: Key) -> bool {
    let Ok(stride) = i64::try_from(stride) else { return true };
    let before = |first: Key, second: Key| second.0.wrapping_sub(first.0);
    if stride == 0 {
        let distance = before(left, right);
        return if distance >= 0 { distance < i64::from(left.1) } else { distance > -i64::from(right.1) };
    }
    before(left, right).rem_euclid(stride) < i64::from(left.1)
        || before(right, left).rem_euclid(stride) < i64::from(right.1)
}
