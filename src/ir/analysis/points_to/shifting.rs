//! What lets addresses of different objects be the same number, or one address be that of another object later.
//!
//! An address may have left its object, and so may be where another one begins; an object may have ended, and another one has
//! taken its place; string literals may share memory.

use super::graph::{Cell, NodeId};
use super::once::in_loops;
use super::state::{Analysis, Object};
use super::uses::AddressUses;
use super::{External, Origin, Site};
use crate::ir::{Constant, Exchange, FunctionId, Operand, Operation, Terminator};
use std::collections::BTreeSet;

/// What lets addresses of different objects meet.
pub(super) struct Shifting<'s> {
    analysis: &'s Analysis<'s>,
    /// Nodes whose addresses may lie outside their objects.
    moved: BTreeSet<NodeId>,
    /// Nodes whose addresses are added to as integers.
    summed: BTreeSet<NodeId>,
    /// Whether something is added to addresses where they are in memory.
    sums_in_memory: bool,
    /// Whether objects of the heap end.
    frees: bool,
    /// Functions that are called: their variables end.
    entered: BTreeSet<FunctionId>,
    /// Functions with several activations at a time.
    several: &'s BTreeSet<FunctionId>,
    /// Nodes whose addresses are kept where they may outlive an activation.
    kept: BTreeSet<NodeId>,
}

fn is_heap(origin: Origin) -> bool {
    matches!(origin, Origin::Heap(_))
}

/// The function whose activations an object belongs to.
fn owner(origin: Origin) -> Option<FunctionId> {
    match origin {
        Origin::Local(function, _) | Origin::Copy(function, _) | Origin::Arguments(function) => {
            Some(function)
        }
        _ => None,
    }
}

impl<'s> Shifting<'s> {
    /// What the program does that lets addresses of different objects meet.
    pub(super) fn new(
        analysis: &'s Analysis<'s>,
        several: &'s BTreeSet<FunctionId>,
        uses: &AddressUses,
    ) -> Self {
        let ends =
            |name: &str| matches!((analysis.externals)(name), External::Frees | External::Reallocates(..));
        let mut functions = analysis.module.functions.iter();
        let mut shifting = Self {
            analysis,
            moved: BTreeSet::new(),
            summed: BTreeSet::new(),
            sums_in_memory: false,
            frees: functions.any(|function| !function.is_defined() && ends(&function.name)),
            entered: analysis.edges.iter().map(|(_, callee, _)| *callee).collect(),
            several,
            kept: kept(analysis, uses),
        };
        shifting.look_for_moves();
        shifting
    }

    /// Looks for addresses that may have left their objects.
    fn look_for_moves(&mut self) {
        let analysis = self.analysis;
        for &id in &analysis.reachable {
            for block in analysis.module.functions[id].blocks.iter() {
                for instruction in &block.instructions {
                    self.note_moved(id, &instruction.operation);
                }
                if let Terminator::Return(Some(value)) = &block.terminator {
                    self.note_operand(value);
                }
            }
        }
        for global in analysis.module.globals.iter() {
            for (_, address) in global.initialiser.iter().flat_map(|initialiser| &initialiser.addresses) {
                self.note_constant(address);
            }
        }
    }

    /// An address that may have left its object.
    fn note_moved(&mut self, id: FunctionId, operation: &Operation) {
        match operation {
            Operation::Offset { base, constant, terms, .. } => {
                self.note_offset(id, base, *constant, terms.is_empty())
            }
            Operation::Binary { left, right, .. } => {
                let cells = [left, right].map(|operand| self.analysis.node_of(id, operand));
                self.summed.extend(cells.into_iter().flatten().map(|cell| cell.node));
            }
            Operation::AtomicUpdate { exchange, .. } => self.sums_in_memory |= *exchange != Exchange::Swap,
            _ => {}
        }
        // The walk that changes operands serves for looking, too, on a copy.
        for operand in crate::ir::operands::operands(&mut operation.clone()) {
            self.note_operand(operand);
        }
    }

    fn note_offset(&mut self, id: FunctionId, base: &Operand, constant: i64, is_constant: bool) {
        let Some(cell) = self.analysis.known(id, base) else { return };
        let cell = self.analysis.graph.resolve(cell);
        if !is_constant || !self.is_inside(cell, constant) {
            self.moved.insert(cell.node);
        }
    }

    fn note_operand(&mut self, operand: &Operand) {
        if let Operand::Constant(constant) = operand {
            self.note_constant(constant);
        }
    }

    fn note_constant(&mut self, constant: &Constant) {
        if let Constant::Global(global, by) = constant
            && !u64::try_from(*by).is_ok_and(|by| by == 0 || by < self.analysis.module.globals[*global].size)
            && let Some(object) = self.analysis.by_origin.get(&Origin::Global(*global))
        {
            self.moved.insert(self.analysis.graph.resolve(self.analysis.objects[*object].cell).node);
        }
    }

    /// Whether an address so many bytes on is within all objects of the node, if the address itself is. In an array, it must be in
    /// the same element: the address may be that of the last one.
    fn is_inside(&self, cell: Cell, by: i64) -> bool {
        let graph = &self.analysis.graph;
        let body = graph.body(cell.node);
        let fits = |object: &Object| {
            let offset = cell.offset.wrapping_sub(graph.resolve(object.cell).offset);
            let period = i64::try_from(body.stride).unwrap_or(1);
            let offset = if period == 0 { offset } else { offset.rem_euclid(period) };
            let size = if period == 0 { object.size } else { Some(body.stride) };
            let end = u64::try_from(offset.saturating_add(by));
            offset >= 0 && end.is_ok_and(|end| size.is_some_and(|size| end < size))
        };
        by == 0
            || body
                .objects
                .iter()
                .map(|&id| &self.analysis.objects[id])
                .filter(|object| !object.invented)
                .all(fits)
    }

    /// Whether an address that is above all objects of the program is none of theirs for sure: nothing moves their addresses.
    pub(super) fn tells_foreign(&self, cell: Cell) -> bool {
        let moves = self.moved.contains(&cell.node) || self.summed.contains(&cell.node);
        !moves && !self.sums_in_memory && self.analysis.has_foreign(cell)
    }

    /// Whether the same number depends on where objects are.
    pub(super) fn may_meet(&self, a: Cell, b: Cell, direct: bool) -> bool {
        let moved = |cell: Cell| self.moved.contains(&cell.node);
        let ends = |origin: Origin| is_heap(origin) || owner(origin).is_some();
        let literal = |origin: Origin| self.is_literal(origin);
        moved(a)
            || moved(b)
            || !self.lasts(a)
            || !self.lasts(b)
            || self.frees
                && self.analysis.holds(a, ends)
                && self.analysis.holds(b, ends)
                && (self.analysis.holds(a, is_heap) || self.analysis.holds(b, is_heap))
            || self.analysis.holds(a, literal) && self.analysis.holds(b, literal)
            || !direct && self.locals_meet(a, b)
    }

    /// Whether one may be the address of a variable whose block has ended, where the other one lies now.
    fn locals_meet(&self, a: Cell, b: Cell) -> bool {
        let owners = |cell: Cell| -> Vec<(FunctionId, Origin)> {
            let objects = self
                .analysis
                .graph
                .body(cell.node)
                .objects
                .iter()
                .map(|&object| self.analysis.objects[object].origin);
            objects.filter_map(|origin| Some((owner(origin)?, origin))).collect()
        };
        let others = owners(b);
        owners(a).iter().any(|(function, origin)| {
            others.iter().any(|(other, another)| function == other && origin != another)
        })
    }

    /// Whether all objects of a node lie at one place as long as anybody has their address.
    pub(super) fn lasts(&self, cell: Cell) -> bool {
        let again = |origin: Origin| {
            owner(origin)
                .is_some_and(|function| self.entered.contains(&function) && self.kept.contains(&cell.node))
        };
        !self.analysis.holds(cell, again)
    }

    /// A string literal or the like: what C gives no name.
    fn is_literal(&self, origin: Origin) -> bool {
        let Origin::Global(global) = origin else { return false };
        self.analysis.module.globals[global].constant
            && self.analysis.module.globals[global].variable.is_none()
    }

    /// Whether all addresses of a node are in one object.
    pub(super) fn is_one_object(&self, cell: Cell) -> bool {
        let body = self.analysis.graph.body(cell.node);
        let [object] = body.objects[..] else { return false };
        let object = &self.analysis.objects[object];
        let single = match object.origin {
            Origin::Global(global) => !self.analysis.module.globals[global].thread_local,
            Origin::Heap(site) => self.is_reached_once(site),
            Origin::Unset(_) | Origin::Outside => false,
            Origin::Local(function, _) | Origin::Copy(function, _) | Origin::Arguments(function) => {
                !object.repeated && !self.several.contains(&function)
            }
        };
        !body.outside && body.functions.is_empty() && single && self.lasts(cell)
    }

    /// Whether a run gets to an instruction at most once: it is in no loop of a function that nobody calls.
    fn is_reached_once(&self, site: Site) -> bool {
        let function = &self.analysis.module.functions[site.function];
        let called = self.entered.contains(&site.function) || self.several.contains(&site.function);
        !called && !in_loops(function)[site.block]
    }
}

/// Nodes whose addresses are returned, or lie in memory that others than one activation get at.
fn kept(analysis: &Analysis<'_>, uses: &AddressUses) -> BTreeSet<NodeId> {
    let outlives = |origin: Origin| !matches!(origin, Origin::Local(..)) || uses.is_needed(origin);
    let returned = analysis.results.values().chain([&analysis.thread_result]);
    let mut kept: BTreeSet<NodeId> = returned.map(|&cell| analysis.graph.resolve(cell).node).collect();
    for node in analysis.graph.roots() {
        let body = analysis.graph.body(node);
        if body.outside || body.objects.iter().any(|&object| outlives(analysis.objects[object].origin)) {
            let links = body.slots.values().filter_map(|slot| slot.link);
            kept.extend(links.map(|link| analysis.graph.resolve(link).node));
        }
    }
    kept
}
