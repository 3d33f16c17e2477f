//! Shortest counterexamples: a search by distance.
//!
//! The fixpoint expands nodes in the order in which states merge best; its traces can be long. This search
//! goes by distance from the start, symbolically: Dijkstra's algorithm over sets of path edges. An entry of a
//! procedure is first reached at some distance, its path edges at that distance plus their own length; a
//! summary of length k takes a call at distance d to the node behind it at distance d + k + 2 (the call and the
//! return are steps too). Every summary is found before any call needs it: its callee was entered at most
//! one step after the call.
//!
//! Sets split by distance can be much larger than the fixpoint's, so the search has a budget of images. Where it
//! runs out, counterexamples are read from the fixpoint: right, but perhaps not shortest.

use super::fixpoint::EXPANSION;
use super::fixpoint::Hit;
use super::history::{Application, History, Piece, Ring, Stamps};
use super::transfer::Transfer;
use crate::bdd::Bdd;
use crate::boolean::cfg::{NodeId, Op, ProcedureId, PropertyId};
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

/// A call with entries that were known before: it may use summaries of any length.
#[derive(Clone, Copy)]
struct Reuse {
    call: NodeId,
    ring: Ring,
    entries: Bdd,
}

/// The state of the search.
pub struct Shortest<'t, 'p> {
    transfer: &'t mut Transfer<'p>,
    run: Run<'t>,
    wanted: BTreeSet<PropertyId>,
    /// What arrives at which distance.
    pending: BTreeMap<u64, IndexMap<NodeId, Bdd>>,
    reached: IndexVec<NodeId, Bdd>,
    entries: IndexVec<ProcedureId, Bdd>,
    pieces: IndexVec<ProcedureId, Vec<Piece>>,
    callers: IndexVec<ProcedureId, Vec<NodeId>>,
    reuses: IndexVec<ProcedureId, Vec<Reuse>>,
    /// What was reached when.
    pub history: History,
    /// The properties found violated.
    pub hits: IndexMap<PropertyId, Hit>,
}

impl<'t, 'p> Shortest<'t, 'p> {
    /// A search for the nearest violations of these properties, which are known to be violated.
    pub fn new(transfer: &'t mut Transfer<'p>, wanted: &[PropertyId], run: Run<'t>) -> Self {
        let program = transfer.symbolic.program;
        let nothing = transfer.symbolic.manager.constant(false);
        Self {
            wanted: wanted.iter().copied().collect(),
            pending: BTreeMap::new(),
            reached: IndexVec::filled(nothing, program.nodes.len()),
            entries: IndexVec::filled(nothing, program.procedures.len()),
            pieces: IndexVec::filled(Vec::new(), program.procedures.len()),
            callers: IndexVec::filled(Vec::new(), program.procedures.len()),
            reuses: IndexVec::filled(Vec::new(), program.procedures.len()),
            history: History::new(program, Stamps::Distance),
            hits: IndexMap::new(),
            transfer,
            run,
        }
    }

    /// Searches until every property was reached or the budget of images is used up.
    ///
    /// # Errors
    /// The limit that was reached; `hits` are valid all the same.
    pub fn search(&mut self, budget: u64) -> Result<(), Stop> {
        let entry = self.transfer.symbolic.program.entry;
        let all = self.transfer.symbolic.manager.constant(true);
        self.enter(entry, all, 0)?;
        let end = self.transfer.symbolic.images.saturating_add(budget);
        while self.hits.len() < self.wanted.len() {
            let Some((distance, arrivals)) = self.pending.pop_first() else { break };
            for (node, edges) in arrivals {
                self.run.limits.spend(EXPANSION)?;
                self.expand(node, edges, distance)?;
                if self.transfer.symbolic.images > end {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn arrive(&mut self, node: NodeId, edges: Bdd, distance: u64) -> Result<(), Stop> {
        let edges = self.transfer.arrive(node, edges)?;
        self.arrived(node, edges, distance)
    }

    fn arrived(&mut self, node: NodeId, edges: Bdd, distance: u64) -> Result<(), Stop> {
        let manager = &mut self.transfer.symbolic.manager;
        let new = manager.minus(edges, self.reached[node])?;
        let nothing = manager.constant(false);
        if new != nothing {
            let slot = self.pending.entry(distance).or_default().entry(node).or_insert(nothing);
            *slot = manager.or(*slot, new)?;
        }
        Ok(())
    }

    /// Adds entries to a procedure, reached at a distance.
    fn enter(&mut self, procedure: ProcedureId, entries: Bdd, distance: u64) -> Result<(), Stop> {
        let manager = &mut self.transfer.symbolic.manager;
        let new = manager.minus(entries, self.entries[procedure])?;
        if new == manager.constant(false) {
            return Ok(());
        }
        self.entries[procedure] = manager.or(self.entries[procedure], new)?;
        self.add_entry_ring(procedure, new, distance)?;
        let edges = self.transfer.seed(procedure, new)?;
        let entry = self.transfer.symbolic.program.procedures[procedure].entry;
        self.arrived(entry, edges, distance)
    }

    fn add_entry_ring(&mut self, procedure: ProcedureId, set: Bdd, stamp: u64) -> Result<(), Stop> {
        let rings = &mut self.history.entries[procedure];
        match rings.last_mut() {
            Some(last) if last.stamp == stamp => {
                last.set = self.transfer.symbolic.manager.or(last.set, set)?
            }
            _ => rings.push(Ring { stamp, set }),
        }
        Ok(())
    }

    fn expand(&mut self, node: NodeId, edges: Bdd, distance: u64) -> Result<(), Stop> {
        let manager = &mut self.transfer.symbolic.manager;
        let edges = manager.minus(edges, self.reached[node])?;
        if edges == manager.constant(false) {
            return Ok(());
        }
        self.reached[node] = manager.or(self.reached[node], edges)?;
        self.history.rings[node].push(Ring { stamp: distance, set: edges });
        for (property, violating) in self.transfer.violations(node, edges)? {
            if self.wanted.contains(&property) && !self.hits.contains_key(&property) {
                self.hits.insert(property, Hit { node, stamp: distance, edges: violating });
            }
        }
        let program = self.transfer.symbolic.program;
        match &program.nodes[node].op {
            Op::Call { procedure, .. } => self.call(node, *procedure, edges, distance),
            Op::Return(_) => self.summarise(node, edges, distance),
            _ => {
                let after = self.transfer.internal(node, edges)?;
                let successors = &program.nodes[node].successors;
                successors.iter().try_for_each(|&next| self.arrive(next, after, distance + 1))
            }
        }
    }

    fn call(&mut self, node: NodeId, callee: ProcedureId, edges: Bdd, distance: u64) -> Result<(), Stop> {
        let entries = self.transfer.entries(node, edges)?;
        let known = self.transfer.symbolic.manager.and(entries, self.entries[callee])?;
        self.enter(callee, entries, distance + 1)?;
        if !self.callers[callee].contains(&node) {
            self.callers[callee].push(node);
        }
        if known == self.transfer.symbolic.manager.constant(false) {
            return Ok(());
        }
        let reuse = Reuse { call: node, ring: Ring { stamp: distance, set: edges }, entries: known };
        self.reuses[callee].push(reuse);
        for number in 0..self.pieces[callee].len() {
            let piece = self.pieces[callee][number];
            self.reuse(reuse, piece)?;
        }
        Ok(())
    }

    /// A call with known entries and the summaries of one length.
    fn reuse(&mut self, reuse: Reuse, piece: Piece) -> Result<(), Stop> {
        let manager = &mut self.transfer.symbolic.manager;
        if manager.and(piece.summaries, reuse.entries)? == manager.constant(false) {
            return Ok(());
        }
        self.apply(reuse.call, reuse.ring, piece)
    }

    /// One ring of a call site and the summaries of one length.
    fn apply(&mut self, call: NodeId, ring: Ring, piece: Piece) -> Result<(), Stop> {
        let relation = self.transfer.call_relation(call, piece.summaries)?;
        let after = self.transfer.symbolic.image(ring.set, relation)?;
        if after == self.transfer.symbolic.manager.constant(false) {
            return Ok(());
        }
        let next = self.transfer.symbolic.program.nodes[call].successors[0];
        let distance = ring.stamp + piece.length() + 2;
        let application = Application { call, stamp: ring.stamp, piece };
        self.history.applications.entry((next, distance)).or_default().push(application);
        self.arrive(next, after, distance)
    }

    /// New summaries, split by their length: the distance of the return less that of the entry.
    fn summarise(&mut self, node: NodeId, edges: Bdd, distance: u64) -> Result<(), Stop> {
        let procedure = self.transfer.symbolic.program.nodes[node].procedure;
        if !self.transfer.scopes.of(procedure).summarised {
            return Ok(());
        }
        for number in 0..self.history.entries[procedure].len() {
            let entries = self.history.entries[procedure][number];
            let entered = self.transfer.entered(procedure, entries.set)?;
            let manager = &mut self.transfer.symbolic.manager;
            let edges = manager.and(edges, entered)?;
            if edges != manager.constant(false) {
                let summaries = self.transfer.summarise(node, edges)?;
                let piece = Piece { node, stamp: distance, entered: entries.stamp, edges, summaries };
                self.add_piece(procedure, piece)?;
            }
        }
        Ok(())
    }

    /// Gives new summaries to the calls that entered the callee first, one step before it was entered, and to those
    /// that came later. There are no earlier ones.
    fn add_piece(&mut self, procedure: ProcedureId, piece: Piece) -> Result<(), Stop> {
        self.pieces[procedure].push(piece);
        if let Some(distance) = piece.entered.checked_sub(1) {
            for number in 0..self.callers[procedure].len() {
                let call = self.callers[procedure][number];
                for ring in self.history.at(call, distance).to_vec() {
                    self.apply(call, ring, piece)?;
                }
            }
        }
        for number in 0..self.reuses[procedure].len() {
            let reuse = self.reuses[procedure][number];
            if reuse.ring.stamp + 1 > piece.entered {
                self.reuse(reuse, piece)?;
            }
        }
        Ok(())
    }
}
