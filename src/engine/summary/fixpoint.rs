//! The fixpoint of path edges and summaries [Bas10, figure 4.3; BR00; RHS95].
//!
//! The work-list holds nodes with path edges that were not expanded yet, and call sites whose callee has new
//! summaries. Expanding a node takes all its new path edges at once; they are recorded as a ring, from which
//! counterexamples are read back. The search ends when nothing is new, or when every property asked for has been
//! reached.

use super::history::{History, Ring, Stamps};
use super::rank::{Rank, ranks};
use super::symbolic::Relation;
use super::transfer::Transfer;
use crate::bdd::Bdd;
use crate::boolean::cfg::{NodeId, Op, ProcedureId, PropertyId};
use crate::ground::event::Event;
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// Nodes stored by the manager that make a collection worth while. Tests collect often, on small programs.
const COLLECT_ABOVE: usize = if cfg!(test) { 1 << 8 } else { 1 << 20 };

/// What a task of the work-list costs besides the operations on BDDs, in units of work.
pub(super) const EXPANSION: u64 = 64;

/// Where a property was found violated: path edges of a ring that violate it.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// The node.
    pub node: NodeId,
    /// The stamp of the ring.
    pub stamp: u64,
    /// The violating path edges.
    pub edges: Bdd,
}

/// An entry of the work-list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Task {
    /// Expand the new path edges of a node.
    Expand(NodeId),
    /// Apply new summaries at a call site.
    Apply(NodeId),
}

/// The state of the search.
pub struct Fixpoint<'t, 'p> {
    transfer: &'t mut Transfer<'p>,
    run: Run<'t>,
    ranks: IndexVec<NodeId, Rank>,
    work: BTreeSet<(Rank, Task)>,
    /// By node: the path edges found so far.
    pub(super) reached: IndexVec<NodeId, Bdd>,
    frontier: IndexVec<NodeId, Bdd>,
    entries: IndexVec<ProcedureId, Bdd>,
    summaries: IndexVec<ProcedureId, Bdd>,
    /// By call site: the summaries already turned into its relation, and that relation.
    applied: IndexMap<NodeId, (Bdd, Relation)>,
    /// By procedure: the call sites that were reached.
    callers: IndexVec<ProcedureId, Vec<NodeId>>,
    collect_above: usize,
    stamp: u64,
    wanted: BTreeSet<PropertyId>,
    /// What was reached when.
    pub history: History,
    /// The properties found violated.
    pub hits: IndexMap<PropertyId, Hit>,
}

impl<'t, 'p> Fixpoint<'t, 'p> {
    /// A search for violations of these properties.
    pub fn new(transfer: &'t mut Transfer<'p>, wanted: &[PropertyId], run: Run<'t>) -> Self {
        let program = transfer.symbolic.program;
        let nothing = transfer.symbolic.manager.constant(false);
        Self {
            ranks: ranks(program, &transfer.scopes.depth),
            work: BTreeSet::new(),
            reached: IndexVec::filled(nothing, program.nodes.len()),
            frontier: IndexVec::filled(nothing, program.nodes.len()),
            entries: IndexVec::filled(nothing, program.procedures.len()),
            summaries: IndexVec::filled(nothing, program.procedures.len()),
            applied: IndexMap::new(),
            callers: IndexVec::filled(Vec::new(), program.procedures.len()),
            collect_above: COLLECT_ABOVE,
            stamp: 0,
            wanted: wanted.iter().copied().collect(),
            history: History::new(program, Stamps::Expansion),
            hits: IndexMap::new(),
            transfer,
            run,
        }
    }

    /// Searches until nothing is new or every property was reached.
    ///
    /// # Errors
    /// The limit that was reached; `hits` are valid all the same.
    pub fn search(&mut self) -> Result<(), Stop> {
        self.search_until(|search| search.hits.len() == search.wanted.len())
    }

    /// Searches until nothing is new.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn exhaust(&mut self) -> Result<(), Stop> {
        self.search_until(|_| false)
    }

    fn search_until(&mut self, done: impl Fn(&Self) -> bool) -> Result<(), Stop> {
        let entry = self.transfer.symbolic.program.entry;
        let all = self.transfer.symbolic.manager.constant(true);
        self.enter(entry, all, 0)?;
        while !done(self) {
            let Some((_, task)) = self.work.pop_first() else { break };
            self.run.limits.spend(EXPANSION)?;
            self.stamp += 1;
            match task {
                Task::Expand(node) => self.expand(node, self.stamp)?,
                Task::Apply(call) => self.apply(call)?,
            }
            self.report();
            self.collect();
        }
        Ok(())
    }

    /// How many tasks of the work-list were done.
    pub fn expansions(&self) -> u64 {
        self.stamp
    }

    /// How many procedures have summaries.
    pub fn procedures_summarised(&self) -> usize {
        let nothing = self.transfer.symbolic.manager.constant(false);
        self.summaries.iter().filter(|&&summary| summary != nothing).count()
    }

    fn report(&self) {
        if self.stamp.is_multiple_of(256) {
            let text = format!("{} expansions, {} pending", self.stamp, self.work.len());
            self.run.observer.event(Event::Progress(text));
        }
    }

    fn is_empty(&self, set: Bdd) -> bool {
        set == self.transfer.symbolic.manager.constant(false)
    }

    /// Adds path edges to a node.
    fn add(&mut self, node: NodeId, edges: Bdd) -> Result<(), Stop> {
        let edges = self.transfer.arrive(node, edges)?;
        self.add_arrived(node, edges)
    }

    fn add_arrived(&mut self, node: NodeId, edges: Bdd) -> Result<(), Stop> {
        let manager = &mut self.transfer.symbolic.manager;
        let new = manager.minus(edges, self.reached[node])?;
        if new == manager.constant(false) {
            return Ok(());
        }
        self.reached[node] = manager.or(self.reached[node], new)?;
        self.frontier[node] = manager.or(self.frontier[node], new)?;
        self.work.insert((self.ranks[node], Task::Expand(node)));
        Ok(())
    }

    /// Adds entries to a procedure.
    fn enter(&mut self, procedure: ProcedureId, entries: Bdd, stamp: u64) -> Result<(), Stop> {
        let manager = &mut self.transfer.symbolic.manager;
        let new = manager.minus(entries, self.entries[procedure])?;
        if new == manager.constant(false) {
            return Ok(());
        }
        self.entries[procedure] = manager.or(self.entries[procedure], new)?;
        self.history.entries[procedure].push(Ring { stamp, set: new });
        let edges = self.transfer.seed(procedure, new)?;
        let entry = self.transfer.symbolic.program.procedures[procedure].entry;
        self.add_arrived(entry, edges)
    }

    /// Expands the new path edges of a node.
    fn expand(&mut self, node: NodeId, stamp: u64) -> Result<(), Stop> {
        let nothing = self.transfer.symbolic.manager.constant(false);
        let edges = std::mem::replace(&mut self.frontier[node], nothing);
        self.history.rings[node].push(Ring { stamp, set: edges });
        for (property, violating) in self.transfer.violations(node, edges)? {
            if self.wanted.contains(&property) && !self.hits.contains_key(&property) {
                self.hits.insert(property, Hit { node, stamp, edges: violating });
            }
        }
        let program = self.transfer.symbolic.program;
        match &program.nodes[node].op {
            Op::Call { procedure, .. } => self.call(node, *procedure, edges, stamp),
            Op::Return(_) => self.summarise(node, edges),
            _ => {
                let after = self.transfer.internal(node, edges)?;
                program.nodes[node].successors.iter().try_for_each(|&next| self.add(next, after))
            }
        }
    }

    /// New path edges at a call: new entries of the callee, and the known summaries.
    fn call(&mut self, node: NodeId, callee: ProcedureId, edges: Bdd, stamp: u64) -> Result<(), Stop> {
        let entries = self.transfer.entries(node, edges)?;
        self.enter(callee, entries, stamp)?;
        if !self.applied.contains_key(&node) {
            self.callers[callee].push(node);
            let nothing = self.transfer.symbolic.manager.constant(false);
            let none = self.transfer.call_relation(node, nothing)?;
            self.applied.insert(node, (nothing, none));
            self.await_summaries(node, callee);
        }
        let (_, relation) = self.applied[&node];
        self.pass(node, edges, relation)
    }

    fn await_summaries(&mut self, call: NodeId, callee: ProcedureId) {
        if self.summaries[callee] != self.applied[&call].0 {
            self.work.insert((self.ranks[call], Task::Apply(call)));
        }
    }

    fn pass(&mut self, call: NodeId, edges: Bdd, relation: Relation) -> Result<(), Stop> {
        if self.is_empty(relation.body) {
            return Ok(());
        }
        let after = self.transfer.symbolic.image(edges, relation)?;
        let next = self.transfer.symbolic.program.nodes[call].successors[0];
        self.add(next, after)
    }

    /// New path edges at a return: new summaries, which every reached call site must apply.
    fn summarise(&mut self, node: NodeId, edges: Bdd) -> Result<(), Stop> {
        let procedure = self.transfer.symbolic.program.nodes[node].procedure;
        if !self.transfer.scopes.of(procedure).summarised {
            return Ok(());
        }
        let summaries = self.transfer.summarise(node, edges)?;
        let manager = &mut self.transfer.symbolic.manager;
        self.summaries[procedure] = manager.or(self.summaries[procedure], summaries)?;
        for number in 0..self.callers[procedure].len() {
            let call = self.callers[procedure][number];
            self.await_summaries(call, procedure);
        }
        Ok(())
    }

    /// New summaries at a call site, applied to the path edges that were expanded there.
    fn apply(&mut self, call: NodeId) -> Result<(), Stop> {
        let callee = self.transfer.call_site(call)?.callee;
        let (known, relation) = self.applied[&call];
        let summaries = self.summaries[callee];
        let new = self.transfer.symbolic.manager.minus(summaries, known)?;
        let new = self.transfer.call_relation(call, new)?;
        let body = self.transfer.symbolic.manager.or(relation.body, new.body)?;
        self.applied.insert(call, (summaries, Relation { body, ..new }));
        let expanded = self.transfer.symbolic.manager.minus(self.reached[call], self.frontier[call])?;
        self.pass(call, expanded, new)
    }

    /// Frees what the search no longer needs, when much is stored.
    fn collect(&mut self) {
        if self.transfer.symbolic.manager.stored_nodes() < self.collect_above {
            return;
        }
        let roots = self.roots();
        let manager = &mut self.transfer.symbolic.manager;
        manager.retain(&roots);
        self.collect_above = COLLECT_ABOVE.max(2 * manager.stored_nodes());
    }

    /// Everything that must survive a collection of the manager.
    fn roots(&self) -> Vec<Bdd> {
        let sets = self.reached.iter().chain(self.frontier.iter()).copied();
        let interfaces = self.entries.iter().chain(self.summaries.iter()).copied();
        let applied = self.applied.values().flat_map(|(known, relation)| [*known, relation.body]);
        let hits = self.hits.values().map(|hit| hit.edges);
        let kept = self.transfer.roots().chain(self.history.roots());
        sets.chain(interfaces).chain(applied).chain(hits).chain(kept).collect()
    }
}
