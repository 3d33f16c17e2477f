//! What matters: the least set of variables, anchors and procedures that is closed under dependences.
//!
//! Procedures are looked at one after the other, again when a variable that they write or a procedure that they call has come to
//! matter, until nothing is added.

use super::anchors::Anchors;
use super::facts::{Facts, writers};
use crate::ground::graph::components;
use crate::ground::index::{Index as _, IndexVec};
use crate::program::reads::Walker;
use crate::program::{
    Action, Block, Edge, EdgeId, LocationId, Procedure, ProcedureId, Program, PropertyId, Scope,
};
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;

/// What matters for some properties.
pub(super) struct Found {
    pub facts: IndexVec<ProcedureId, Facts>,
    pub anchors: IndexVec<ProcedureId, Anchors>,
    pub matters: Matters,
}

/// Variables and procedures that matter.
pub(super) struct Matters {
    asked: BTreeSet<PropertyId>,
    pub variables: IndexVec<Symbol, bool>,
    /// Procedures in which something happens: calls of them stay.
    pub procedures: IndexVec<ProcedureId, bool>,
}

impl Matters {
    /// Whether an edge counts at all. One that violates what nobody asked for ends the run: without it there are more runs.
    pub fn counts(&self, program: &Program, procedure: ProcedureId, edge: EdgeId) -> bool {
        let property = program.procedures[procedure].edges[edge].property;
        property.is_none_or(|property| self.asked.contains(&property))
    }

    /// Whether something happens on an edge that counts.
    fn happens(&self, program: &Program, procedure: ProcedureId, edge: EdgeId) -> bool {
        let edge = &program.procedures[procedure].edges[edge];
        edge.property.is_some()
            || match &edge.action {
                Action::Block(block) => self.updates(block).next().is_some(),
                &Action::Call { procedure, result, .. } => {
                    self.procedures[procedure] || result.is_some_and(|result| self.variables[result])
                }
                Action::Start { .. }
                | Action::AtomicBegin
                | Action::AtomicEnd
                | Action::End
                | Action::Unsupported(_) => true,
            }
    }

    /// The updates that matter.
    pub fn updates(&self, block: &Block) -> impl Iterator<Item = (Symbol, Term)> {
        block.updates.iter().copied().filter(|&(symbol, _)| self.variables[symbol])
    }

    /// Whether these edges do the same, apart from where they lead and when they can be taken.
    fn alike(&self, program: &Program, procedure: ProcedureId, edges: &[EdgeId]) -> bool {
        let edges = || edges.iter().map(|&edge| &program.procedures[procedure].edges[edge]);
        let updates = |edge: &Edge| match edge {
            Edge { action: Action::Block(block), property: None, .. } => {
                Some(self.updates(block).collect::<Vec<_>>())
            }
            _ => None,
        };
        let first = edges().next().and_then(updates);
        edges().count() < 2 || first.is_some() && edges().all(|edge| updates(edge) == first)
    }
}

struct Search<'p> {
    program: &'p Program,
    found: Found,
    /// For each variable, who writes it.
    writers: IndexVec<Symbol, Vec<usize>>,
    callers: IndexVec<ProcedureId, Vec<ProcedureId>>,
    /// Procedures that may run.
    runs: IndexVec<ProcedureId, bool>,
    threaded: bool,
    open: Vec<ProcedureId>,
    waiting: IndexVec<ProcedureId, bool>,
}

/// What matters for these properties.
pub(super) fn search(program: &Program, asked: &BTreeSet<PropertyId>) -> Found {
    let mut walker = Walker::new();
    let procedures = &program.procedures;
    let facts = procedures.iter().map(|procedure| Facts::of(program, procedure, &mut walker)).collect();
    let matters = Matters {
        asked: asked.clone(),
        variables: IndexVec::filled(false, program.variables.len()),
        procedures: IndexVec::filled(false, procedures.len()),
    };
    let anchors = IndexVec::from_vec(procedures.iter().map(Anchors::new).collect());
    let mut search = Search {
        program,
        found: Found { facts: IndexVec::from_vec(facts), anchors, matters },
        writers: writers(program),
        callers: IndexVec::filled(Vec::new(), procedures.len()),
        runs: IndexVec::filled(false, procedures.len()),
        threaded: program.starts_threads(),
        open: Vec::new(),
        waiting: IndexVec::filled(false, procedures.len()),
    };
    search.start();
    while let Some(procedure) = search.open.pop() {
        search.waiting[procedure] = false;
        search.visit(procedure);
    }
    search.found
}

impl Search<'_> {
    /// Finds procedures that may run, and their callers. The entry and what threads run stay in any case.
    fn start(&mut self) {
        let mut open = vec![self.program.entry];
        self.found.matters.procedures[self.program.entry] = true;
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.runs[id], true) {
                continue;
            }
            self.look_again(id);
            for edge in self.program.procedures[id].edges.iter() {
                match edge.action {
                    Action::Call { procedure, .. } => {
                        self.callers[procedure].push(id);
                        open.push(procedure);
                    }
                    Action::Start { procedure, .. } => {
                        self.callers[procedure].push(id);
                        self.found.matters.procedures[procedure] = true;
                        open.push(procedure);
                    }
                    _ => {}
                }
            }
            self.force(id);
        }
    }

    /// Locations that stay whatever matters: where a run may get stuck, and with threads where
    /// loops end.
    fn force(&mut self, id: ProcedureId) {
        let Found { facts, anchors, matters } = &mut self.found;
        let (procedure, facts, anchors) = (&self.program.procedures[id], &facts[id], &mut anchors[id]);
        let counts = |&edge: &EdgeId| matters.counts(self.program, id, edge);
        for location in procedure.locations.ids().filter(|&location| !facts.total[location]) {
            anchors.stays[location] |= facts.incoming[location].iter().any(counts);
        }
        if self.threaded {
            for location in exits_of_loops(procedure, facts) {
                (anchors.stays[location], anchors.decides[location]) = (true, true);
            }
        }
    }

    fn look_again(&mut self, id: ProcedureId) {
        if self.runs[id] && !std::mem::replace(&mut self.waiting[id], true) {
            self.open.push(id);
        }
    }

    fn visit(&mut self, id: ProcedureId) {
        let (program, procedure) = (self.program, &self.program.procedures[id]);
        let Found { facts, anchors, matters } = &mut self.found;
        let (facts, anchors) = (&facts[id], &mut anchors[id]);
        let counts = |edge: EdgeId| matters.counts(program, id, edge);
        for (number, edge) in procedure.edges.enumerate() {
            anchors.stays[edge.from] |= counts(number) && matters.happens(program, id, number);
        }
        anchors.close(procedure, facts, &counts, &|edges| matters.alike(program, id, edges));
        if self.something_happens(id) && !self.found.matters.procedures[id] {
            self.keep(id);
        }
        for symbol in self.read(id) {
            self.mark(symbol);
        }
    }

    /// Whether a procedure does anything but return.
    fn something_happens(&self, id: ProcedureId) -> bool {
        let (procedure, anchors) = (&self.program.procedures[id], &self.found.anchors[id]);
        let (entry, exit) = (procedure.entry, procedure.exit);
        let inside = |location: LocationId| location != exit && anchors.stays[location];
        let matters = &self.found.matters;
        let happens = |&edge: &EdgeId| {
            matters.counts(self.program, id, edge) && matters.happens(self.program, id, edge)
        };
        let facts = &self.found.facts[id];
        let at_entry = anchors.decides[entry] || facts.outgoing[entry].iter().any(happens);
        at_entry || procedure.locations.ids().any(|location| location != entry && inside(location))
    }

    fn keep(&mut self, id: ProcedureId) {
        self.found.matters.procedures[id] = true;
        for caller in self.callers[id].clone() {
            self.look_again(caller);
        }
    }

    /// The variables that the edges of anchors read, as far as they matter.
    fn read(&self, id: ProcedureId) -> BTreeSet<Symbol> {
        let Found { facts, anchors, matters } = &self.found;
        let mut read = BTreeSet::new();
        for (number, edge) in self.program.procedures[id].edges.enumerate() {
            if !anchors[id].stays[edge.from] || !matters.counts(self.program, id, number) {
                continue;
            }
            let reads = &facts[id].reads[number];
            if anchors[id].decides[edge.from] {
                read.extend(&reads.guard);
            }
            let targets: &[Symbol] = match &edge.action {
                Action::Block(block) => &block.updates.iter().map(|&(symbol, _)| symbol).collect::<Vec<_>>(),
                Action::Call { procedure, result, .. } if matters.happens(self.program, id, number) => {
                    let callee = &self.program.procedures[*procedure];
                    let result = result.filter(|&result| matters.variables[result]);
                    read.extend(result.and(callee.result));
                    &callee.parameters
                }
                Action::Start { procedure, .. } => &self.program.procedures[*procedure].parameters,
                _ => &[],
            };
            let values = targets.iter().zip(&reads.values).filter(|&(&target, _)| matters.variables[target]);
            read.extend(values.flat_map(|(_, value)| value));
        }
        read
    }

    /// A variable matters: so does what is written to it.
    fn mark(&mut self, symbol: Symbol) {
        if std::mem::replace(&mut self.found.matters.variables[symbol], true) {
            return;
        }
        for writer in self.writers[symbol].clone() {
            self.look_again(ProcedureId::new(writer));
        }
        if let Scope::Local(owner) = self.program.variables[symbol].scope {
            self.look_again(owner);
            for caller in self.callers[owner].clone() {
                self.look_again(caller);
            }
            if self.program.procedures[owner].result == Some(symbol) && !self.found.matters.procedures[owner]
            {
                self.keep(owner);
            }
        }
    }
}

/// Where loops may be left.
fn exits_of_loops(procedure: &Procedure, facts: &Facts) -> Vec<LocationId> {
    let to = |edge: &EdgeId| procedure.edges[*edge].to;
    let successors = |location: usize| -> Vec<usize> {
        facts.outgoing[LocationId::new(location)].iter().map(|edge| to(edge).index()).collect()
    };
    let component = components(procedure.locations.len(), successors);
    let same = |a: LocationId, b: LocationId| component[a.index()] == component[b.index()];
    let leaves = |location: &LocationId| {
        let mut next = facts.outgoing[*location].iter().map(to);
        let loops = facts.incoming[*location].iter().any(|&edge| same(procedure.edges[edge].from, *location));
        loops && next.any(|next| !same(next, *location))
    };
    procedure.locations.ids().filter(leaves).collect()
}
