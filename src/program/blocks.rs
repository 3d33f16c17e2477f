//! Large blocks [Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: Software model checking via large-block encoding,
//! FMCAD 2009]: fewer locations, larger formulas.
//!
//! Two rules are applied as long as they can be: a location with one edge to it vanishes, and that edge is put before
//! each edge that leaves it; parallel edges that exclude each other become one edge with choices. What remains are
//! heads of loops, ends of procedures, and the ends of edges that are no blocks or violate a property. We keep the
//! edges of a location whose merged form would be larger than a budget, and locations whose labels matter. A location
//! with one edge that does nothing vanishes, too, however many edges lead to it.
//!
//! With threads, an edge is one step that nobody interrupts, so two edges are merged only if one of them touches
//! nothing shared, and an edge that writes what is shared is put before others only if one of them can always be
//! taken: otherwise the write could be seen by others although this thread gets no further. For the same reason such a
//! write is not merged with the end of the whole run. Within an atomic section nobody sees anything, and blocks are merged
//! as if there were one thread; a section that has become one step needs no edges for its begin and end.

mod sections;

use super::compose::{alternative, copy, either_places, join_places, sequence};
use super::graph::Graph;
use super::reads::Walker;
use super::{Action, Block, Edge, LocationId, ProcedureId, Program};
use crate::ground::index::IndexVec;
use crate::term::{Node, Symbol, Term};
use std::collections::BTreeSet;

/// What a step is.
#[derive(Clone, Copy)]
pub enum Granularity<'a> {
    /// There is one thread: any block is a step.
    Sequential,
    /// Steps of threads interleave; the function says which variables others can see.
    Threaded(&'a dyn Fn(Symbol) -> bool),
}

/// How far blocks are merged.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What a step is.
    pub granularity: Granularity<'a>,
    /// Edges with more nodes than this are not made.
    pub budget: usize,
    /// Locations with these labels stay.
    pub labels: &'a BTreeSet<String>,
}

/// Locations with more edges than this keep them: all pairs would be looked at.
const PARALLEL: usize = 64;

/// Merges blocks in all procedures, and drops what cannot be reached.
pub fn large_blocks(program: &mut Program, options: Options<'_>) {
    for id in program.procedures.ids() {
        Merger::new(program, id, options).run();
        if matches!(options.granularity, Granularity::Threaded(_)) && sections::dissolve(program, id) {
            Merger::new(program, id, options).run();
        }
    }
    debug_assert_eq!(super::well_formed::check(program), []);
}

struct Merger<'a> {
    program: &'a mut Program,
    id: ProcedureId,
    options: Options<'a>,
    graph: Graph,
    /// Locations that stay.
    kept: IndexVec<LocationId, bool>,
    /// Locations within atomic sections.
    within: IndexVec<LocationId, bool>,
    walker: Walker,
}

impl<'a> Merger<'a> {
    fn new(program: &'a mut Program, id: ProcedureId, options: Options<'a>) -> Self {
        let procedure = &mut program.procedures[id];
        let graph = Graph::take(procedure);
        let mut kept = graph.loop_heads(procedure.entry);
        (kept[procedure.entry], kept[procedure.exit]) = (true, true);
        for (location, contents) in procedure.locations.enumerate() {
            kept[location] |= options.labels.contains(&contents.label);
        }
        let within = sections::within(&graph, procedure.entry, kept.len());
        Self { program, id, options, graph, kept, within, walker: Walker::new() }
    }

    fn run(mut self) {
        // A stack, so that a location is looked at again when an edge to or from it has changed.
        let mut work: Vec<LocationId> = self.kept.ids().rev().collect();
        let mut waiting = IndexVec::filled(true, self.kept.len());
        while let Some(location) = work.pop() {
            waiting[location] = false;
            let mut changed = self.merge_parallel(location);
            if !self.kept[location] {
                changed.extend(self.bypass(location));
                changed.extend(self.merge_through(location));
            }
            for neighbour in changed {
                if !std::mem::replace(&mut waiting[neighbour], true) {
                    work.push(neighbour);
                }
            }
        }
        self.graph.restore(self.program, self.id);
    }

    fn block(&self, number: usize) -> Option<&Block> {
        plain_block(self.graph.edge(number))
    }

    /// Joins edges from a location that lead to the same place. Returns what to look at again.
    fn merge_parallel(&mut self, location: LocationId) -> Vec<LocationId> {
        let mut changed = Vec::new();
        if self.graph.outgoing(location).len() > PARALLEL {
            return changed;
        }
        let mut position = 0;
        while let Some(&first) = self.graph.outgoing(location).get(position) {
            let others = self.graph.outgoing(location)[position + 1..].to_vec();
            let joined = others.into_iter().find_map(|second| Some((second, self.join(first, second)?)));
            let Some((second, edge)) = joined else {
                position += 1;
                continue;
            };
            changed.extend([location, edge.to]);
            self.graph.remove(first);
            self.graph.remove(second);
            self.graph.add(edge);
        }
        changed
    }

    /// One edge for two parallel ones.
    fn join(&mut self, first: usize, second: usize) -> Option<Edge> {
        let (a, b) = (self.graph.edge(first).clone(), self.graph.edge(second).clone());
        if a.to != b.to {
            return None;
        }
        let (left, right) = (plain_block(&a)?, plain_block(&b)?);
        if self.size(left) + self.size(right) > self.options.budget {
            return None;
        }
        let merged = alternative(self.program, left, right)?;
        let single = match self.options.granularity {
            Granularity::Sequential => true,
            Granularity::Threaded(_) => self.within[a.from] || self.accesses(&merged) <= 1,
        };
        let fits = single && self.size(&merged) <= self.options.budget;
        let places = either_places(&a.places, &b.places);
        fits.then_some(Edge { action: Action::Block(merged), places, ..a })
    }

    /// If nothing happens after a location, leads the edges to it further on. Returns what to look at again.
    fn bypass(&mut self, location: LocationId) -> Vec<LocationId> {
        let &[after] = self.graph.outgoing(location) else { return Vec::new() };
        let incoming = self.graph.incoming(location).to_vec();
        // A loop that nothing leads to is no loop from the entry, and its head is not kept.
        let endless = self.graph.edge(after).to == location;
        let nothing = !endless && self.block(after).is_some_and(|block| self.does_nothing(block));
        let fits = |&number: &usize| self.block(number).is_some_and(|block| !self.hides(block, after));
        if !nothing || incoming.is_empty() || !incoming.iter().all(fits) {
            return Vec::new();
        }
        let after = self.graph.remove(after);
        let mut changed = vec![after.to];
        for number in incoming {
            let before = self.graph.remove(number);
            changed.push(before.from);
            let places = join_places(&before.places, &after.places);
            self.graph.add(Edge { to: after.to, places, ..before });
        }
        changed
    }

    fn does_nothing(&self, block: &Block) -> bool {
        let always = self.program.store.node(block.guard) == Node::Boolean(true);
        always && block.updates.is_empty() && block.inputs.is_empty()
    }

    /// Puts the one edge to a location before each edge from it. Returns what to look at again.
    fn merge_through(&mut self, location: LocationId) -> Vec<LocationId> {
        let &[before] = self.graph.incoming(location) else { return Vec::new() };
        let after = self.graph.outgoing(location).to_vec();
        if !self.may_merge(before, &after) {
            return Vec::new();
        }
        let Some(merged) = self.compose(before, &after) else { return Vec::new() };
        let from = self.graph.remove(before).from;
        let mut changed = vec![from];
        for (number, edge) in after.into_iter().zip(merged) {
            changed.push(edge.to);
            self.graph.remove(number);
            self.graph.add(edge);
        }
        changed
    }

    fn may_merge(&mut self, before: usize, after: &[usize]) -> bool {
        let edge = self.graph.edge(before);
        let blocks = after.iter().all(|&number| self.block(number).is_some());
        if plain_block(edge).is_none() || !blocks || after.is_empty() || edge.from == edge.to {
            return false;
        }
        let Granularity::Threaded(_) = self.options.granularity else { return true };
        if self.within[edge.to] {
            return true;
        }
        let first = self.block(before).expect("a block").clone();
        if self.accesses(&first) == 0 {
            return true;
        }
        let rest: Vec<Block> = after.iter().filter_map(|&number| self.block(number).cloned()).collect();
        let private = rest.iter().all(|block| self.accesses(block) == 0);
        let hidden = after.iter().any(|&number| self.hides(&first, number));
        private && !hidden && (!self.writes_shared(&first) || self.always_one(&rest))
    }

    /// Whether others could see what the block writes only before the run ends with the edge after it.
    fn hides(&self, block: &Block, after: usize) -> bool {
        let exit = self.program.procedures[self.id].exit;
        let ends = self.id == self.program.entry && self.graph.edge(after).to == exit;
        ends && self.writes_shared(block)
    }

    /// Whether one of the guards holds in every state, as far as that is easily seen.
    fn always_one(&mut self, blocks: &[Block]) -> bool {
        let store = &mut self.program.store;
        let never = store.boolean(false);
        let some = blocks.iter().fold(never, |some, block| store.or(some, block.guard));
        store.node(some) == Node::Boolean(true)
    }

    fn compose(&mut self, before: usize, after: &[usize]) -> Option<Vec<Edge>> {
        let before = self.graph.edge(before).clone();
        let mut first = plain_block(&before)?.clone();
        let mut merged = Vec::with_capacity(after.len());
        for &number in after {
            let second = self.graph.edge(number).clone();
            let block = plain_block(&second)?;
            if self.size(&first) + self.size(block) > self.options.budget {
                return None;
            }
            if !merged.is_empty() {
                first = copy(self.program, &first);
            }
            let block = sequence(&mut self.program.store, &first, block);
            if self.size(&block) > self.options.budget {
                return None;
            }
            let places = join_places(&before.places, &second.places);
            merged.push(Edge { from: before.from, action: Action::Block(block), places, ..second });
        }
        Some(merged)
    }

    fn size(&mut self, block: &Block) -> usize {
        self.walker.size(&self.program.store, terms(block))
    }

    /// How many shared variables the block reads, and how many it writes.
    fn accesses(&mut self, block: &Block) -> usize {
        let Granularity::Threaded(shared) = self.options.granularity else { return 0 };
        let read = self.walker.symbols(&self.program.store, terms(block));
        let written = block.updates.iter().map(|&(symbol, _)| symbol);
        read.into_iter().chain(written).filter(|&symbol| shared(symbol)).count()
    }

    fn writes_shared(&self, block: &Block) -> bool {
        match self.options.granularity {
            Granularity::Sequential => false,
            Granularity::Threaded(shared) => block.updates.iter().any(|&(symbol, _)| shared(symbol)),
        }
    }
}

/// The block of an edge that violates nothing.
fn plain_block(edge: &Edge) -> Option<&Block> {
    match &edge.action {
        Action::Block(block) if edge.property.is_none() => Some(block),
        _ => None,
    }
}

fn terms(block: &Block) -> impl Iterator<Item = Term> + '_ {
    std::iter::once(block.guard).chain(block.updates.iter().map(|&(_, value)| value))
}
