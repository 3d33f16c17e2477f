//! Which counters there are, and what threads do to them.
//!
//! Before the first thread is started a counter may be set to anything. From then on every write must be a change by a
//! constant, or there is nothing to keep account of.

use super::super::inline::templates;
use super::super::templates::{Count, summary};
use super::super::{Action, Block, Edge, EdgeId, LocationId, Procedure, ProcedureId, Program, Role, Scope};
use super::LARGEST;
use super::change::{Change, difference};
use super::locked::{Locked, locked, locks, same};
use crate::ground::index::IndexVec;
use crate::term::arithmetic::to_signed;
use crate::term::{Node, Sort, Store, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// Narrower counters wrap around soon.
const NARROWEST: u32 = 32;
/// Numbers drawn have one bit more.
const WIDEST: u32 = 64;

/// Sums of changes on the ways to each location, at least and at most.
pub(super) type Sums = IndexVec<LocationId, Option<(i128, i128)>>;

/// What threads do to a counter.
pub(super) struct Counter {
    pub symbol: Symbol,
    /// Its value before there are threads, if that is always the same.
    pub first: Option<u128>,
    /// What edges add to it from then on.
    pub changes: BTreeMap<(ProcedureId, EdgeId), Change>,
    /// The lock under which it is changed, if changes are known by that.
    pub locked: Option<Locked>,
    /// What each template adds in all; none if there is no bound.
    pub shares: BTreeMap<ProcedureId, Option<Sums>>,
}

/// What a program starts.
pub(super) struct Survey {
    pub templates: BTreeSet<ProcedureId>,
    /// How many threads run each.
    pub counts: BTreeMap<ProcedureId, Count>,
    /// Those that at most one thread runs.
    pub once: BTreeSet<ProcedureId>,
    /// Locations of the first thread where there may be others.
    late: IndexVec<LocationId, bool>,
}

impl Survey {
    pub fn of(program: &Program) -> Self {
        let counts: BTreeMap<ProcedureId, Count> =
            summary(program).iter().map(|template| (template.procedure, template.count)).collect();
        let is_single = |&(_, &count): &(&ProcedureId, &Count)| count == Count::AtMost(1);
        let once = counts.iter().filter(is_single).map(|(&template, _)| template).collect();
        let late = late(&program.procedures[program.entry]);
        Self { templates: templates(program), counts, once, late }
    }

    /// Whether an edge is taken before there are other threads.
    pub fn is_early(&self, program: &Program, template: ProcedureId, edge: &Edge) -> bool {
        template == program.entry && !self.late[edge.from] && !matches!(edge.action, Action::Start { .. })
    }

    /// All counters.
    pub fn counters(&self, program: &mut Program) -> Vec<Counter> {
        let candidate = |(_, variable): &(Symbol, &super::super::Variable)| {
            variable.scope == Scope::Global && variable.role == Role::Plain
        };
        let candidates: Vec<Symbol> =
            program.variables.enumerate().filter(candidate).map(|(symbol, _)| symbol).collect();
        let fits = |symbol: &Symbol| match program.store.sort_of_symbol(*symbol) {
            Sort::Bits(width) => (NARROWEST..=WIDEST).contains(&width),
            _ => false,
        };
        let candidates: Vec<Symbol> = candidates.into_iter().filter(fits).collect();
        let locks = locks(program, self);
        let mut found = Vec::new();
        for symbol in candidates {
            let alone = self.counter(program, symbol, None);
            found.extend(alone.or_else(|| {
                locks.iter().filter(|(lock, _)| *lock != symbol).find_map(|lock| {
                    let locked = locked(program, self, symbol, lock)?;
                    self.counter(program, symbol, Some(locked))
                })
            }));
        }
        found
    }

    /// A counter, which may be changed under a lock.
    fn counter(&self, program: &mut Program, symbol: Symbol, locked: Option<Locked>) -> Option<Counter> {
        let mut changes = BTreeMap::new();
        for &template in &self.templates {
            let Program { store, procedures, entry, .. } = &mut *program;
            for (id, edge) in procedures[template].edges.enumerate() {
                let early = template == *entry && !self.late[edge.from];
                if let Some((block, value)) = write(edge, symbol)
                    && !early
                {
                    let copies = locked.as_ref().map(|locked| locked.before(template, edge));
                    let same = same(store, symbol, block.guard, &copies.unwrap_or_default());
                    let change = difference(store, &same, value)?;
                    if change.range.0.abs().max(change.range.1.abs()) > LARGEST {
                        return None;
                    }
                    changes.insert((template, id), change);
                }
            }
        }
        if changes.is_empty() {
            return None;
        }
        let first = self.first(program, symbol);
        let shares = self.templates.iter().map(|&id| (id, share(&program.procedures[id], id, &changes)));
        let shares = shares.collect();
        Some(Counter { symbol, first, changes, locked, shares })
    }

    /// The value of a variable when the first thread is started, if it is always the same.
    fn first(&self, program: &Program, symbol: Symbol) -> Option<u128> {
        let procedure = &program.procedures[program.entry];
        // None: not reached. Some(None): it may have several values.
        let mut values: IndexVec<LocationId, Option<Option<u128>>> =
            IndexVec::filled(None, procedure.locations.len());
        values[procedure.entry] = Some(None);
        let mut open = vec![procedure.entry];
        while let Some(location) = open.pop() {
            let Some(value) = values[location] else { continue };
            let leaving = procedure.edges.iter().filter(|edge| edge.from == location);
            for edge in leaving.filter(|edge| self.is_early(program, program.entry, edge)) {
                let behind = value_behind(&program.store, edge, symbol, value);
                let joined = match values[edge.to] {
                    Some(known) if known != behind => Some(None),
                    _ => Some(behind),
                };
                if joined != values[edge.to] {
                    values[edge.to] = joined;
                    open.push(edge.to);
                }
            }
        }
        let starts = |edge: &&Edge| matches!(edge.action, Action::Start { .. });
        let early_start = |edge: &&Edge| !self.late[edge.from] && starts(edge);
        let at_starts = procedure.edges.iter().filter(early_start).map(|edge| edge.from);
        let into_late = |edge: &&Edge| self.is_early(program, program.entry, edge) && self.late[edge.to];
        let at_late = procedure.edges.iter().filter(into_late).map(|edge| edge.to);
        let found: BTreeSet<Option<u128>> =
            at_starts.chain(at_late).filter_map(|location| values[location]).collect();
        match found.len() {
            1 => found.first().copied().flatten(),
            _ => None,
        }
    }
}

/// The write of an edge to a variable.
fn write(edge: &Edge, symbol: Symbol) -> Option<(&Block, crate::term::Term)> {
    let Action::Block(block) = &edge.action else { return None };
    let update = block.updates.iter().find(|&&(other, _)| other == symbol)?;
    Some((block, update.1))
}

fn value_behind(store: &Store, edge: &Edge, symbol: Symbol, before: Option<u128>) -> Option<u128> {
    match write(edge, symbol) {
        None => before,
        Some((_, value)) => match store.node(value) {
            Node::Bits(_, value) => Some(value),
            _ => None,
        },
    }
}

/// Locations behind the start of a thread.
fn late(procedure: &Procedure) -> IndexVec<LocationId, bool> {
    let mut late = IndexVec::filled(false, procedure.locations.len());
    let starts = |edge: &&Edge| matches!(edge.action, Action::Start { .. });
    let mut open: Vec<LocationId> = procedure.edges.iter().filter(starts).map(|edge| edge.to).collect();
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut late[location], true) {
            open.extend(procedure.edges.iter().filter(|edge| edge.from == location).map(|edge| edge.to));
        }
    }
    late
}

/// The least and the greatest sum of changes on paths from the entry; none if there is no bound.
fn share(
    procedure: &Procedure,
    id: ProcedureId,
    changes: &BTreeMap<(ProcedureId, EdgeId), Change>,
) -> Option<Sums> {
    let mut sums: Sums = IndexVec::filled(None, procedure.locations.len());
    sums[procedure.entry] = Some((0, 0));
    // A path without cycles is no longer than there are locations.
    for _ in 0..=procedure.locations.len() {
        let before = sums.clone();
        for (edge, contents) in procedure.edges.enumerate() {
            let Some((least, most)) = sums[contents.from] else { continue };
            let by = changes.get(&(id, edge)).map_or((0, 0), |change| change.range);
            let known = sums[contents.to].unwrap_or((i128::MAX, i128::MIN));
            sums[contents.to] = Some((known.0.min(least + by.0), known.1.max(most + by.1)));
        }
        if sums == before {
            return Some(sums);
        }
    }
    None
}

/// Whether a share is within what is told apart from a counter that wraps around.
pub(super) fn is_small(width: u32, first: u128) -> bool {
    to_signed(width, first).abs() <= LARGEST
}
