//! Locations are split by what is known there.
//!
//! A compare-and-swap says in a temporary whether it has swapped; the next condition asks for it. In between others may
//! move, so the two edges stay apart, and at the location between them nobody knows any more which way was taken.
//! If edges that lead to a location set what the conditions there ask for to different constants, the location is split:
//! each way has its own, where the conditions are decided.

use super::compose::copy;
use super::{Action, Block, Edge, LocationId, ProcedureId, Program, Scope};
use crate::ground::index::IndexVec;
use crate::term::substitute::Substitution;
use crate::term::{Node, Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A location is not split into more than this.
const PARTS: usize = 4;
/// A procedure with more edges stays as it is.
const MOST: usize = 2_000;

/// What local variables are, as far as conditions ask for them.
type Known = BTreeMap<Symbol, Term>;

/// Splits locations of all procedures.
pub fn split(program: &mut Program) {
    for id in program.procedures.ids() {
        if program.procedures[id].edges.len() <= MOST {
            Splitter { program, id }.run();
        }
    }
    super::prune(program);
}

struct Splitter<'p> {
    program: &'p mut Program,
    id: ProcedureId,
}

impl Splitter<'_> {
    fn run(mut self) {
        self.decide_updates();
        let old: Vec<LocationId> = self.program.procedures[self.id].locations.ids().collect();
        old.into_iter().for_each(|location| self.location(location));
    }

    /// Updates say what they come to where the guard holds.
    fn decide_updates(&mut self) {
        let Program { store, procedures, .. } = &mut *self.program;
        for edge in procedures[self.id].edges.iter_mut() {
            if let Action::Block(block) = &mut edge.action {
                let known = decided(store, block.guard);
                for (_, value) in &mut block.updates {
                    *value = under(store, &known, *value);
                }
                block.updates.retain(|&(symbol, value)| store.as_symbol(value) != Some(symbol));
            }
        }
    }

    fn location(&mut self, location: LocationId) {
        let procedure = &self.program.procedures[self.id];
        if location == procedure.entry || location == procedure.exit {
            return;
        }
        let asked = self.asked(location);
        let mut ways: BTreeMap<Known, Vec<usize>> = BTreeMap::new();
        for (number, edge) in procedure.edges.iter().enumerate() {
            // What an edge from here to here knows is not known yet.
            if edge.to == location && edge.from == location {
                return;
            }
            if edge.to == location {
                ways.entry(self.known(edge, &asked)).or_default().push(number);
            }
        }
        if ways.len() > 1 && ways.len() <= PARTS {
            ways.into_iter().filter(|(known, _)| !known.is_empty()).for_each(|(known, edges)| {
                self.part(location, &known, &edges);
            });
        }
    }

    /// Local variables that the conditions at a location ask for.
    fn asked(&self, location: LocationId) -> BTreeSet<Symbol> {
        let program = &*self.program;
        let mut asked = BTreeSet::new();
        for edge in program.procedures[self.id].edges.iter().filter(|edge| edge.from == location) {
            if let Action::Block(block) = &edge.action {
                asked.extend(program.store.free_symbols(block.guard));
            }
        }
        asked.retain(|&symbol| program.variables[symbol].scope == Scope::Local(self.id));
        asked
    }

    /// What an edge sets these variables to.
    fn known(&self, edge: &Edge, asked: &BTreeSet<Symbol>) -> Known {
        let Action::Block(block) = &edge.action else { return Known::new() };
        let constant = |&&(symbol, value): &&(Symbol, Term)| {
            asked.contains(&symbol)
                && matches!(self.program.store.node(value), Node::Bits(..) | Node::Boolean(_))
        };
        block.updates.iter().filter(constant).copied().collect()
    }

    /// A location for some of the edges that lead to one, where this is known.
    fn part(&mut self, location: LocationId, known: &Known, arriving: &[usize]) {
        let procedure = &mut self.program.procedures[self.id];
        let contents = procedure.locations[location].clone();
        let part = procedure.locations.push(contents);
        let mut edges: Vec<Edge> = procedure.edges.iter().cloned().collect();
        arriving.iter().for_each(|&number| edges[number].to = part);
        let leaving: Vec<Edge> = edges.iter().filter(|edge| edge.from == location).cloned().collect();
        for mut edge in leaving {
            edge.from = part;
            if let Action::Block(block) = &mut edge.action {
                *block = copy(self.program, block);
                decide(&mut self.program.store, block, known);
            }
            edges.push(edge);
        }
        self.program.procedures[self.id].edges = IndexVec::from_vec(edges);
    }
}

/// A block where some variables are known.
fn decide(store: &mut Store, block: &mut Block, known: &Known) {
    let mut known = Substitution::new(known.iter().map(|(&symbol, &value)| (symbol, value)));
    block.guard = known.apply(store, block.guard);
    for (_, value) in &mut block.updates {
        *value = known.apply(store, *value);
    }
}

/// The truth values of what a condition is made of, if it holds.
fn decided(store: &Store, condition: Term) -> FxHashMap<Term, bool> {
    let conjuncts = store.conjuncts(condition).into_iter();
    conjuncts
        .map(|part| match store.node(part) {
            Node::Not(other) => (other, false),
            _ => (part, true),
        })
        .collect()
}

/// A term where some truth values are decided.
fn under(store: &mut Store, known: &FxHashMap<Term, bool>, term: Term) -> Term {
    let parts = store.reachable(&[term]);
    if !parts.iter().any(|part| known.contains_key(part)) {
        return term;
    }
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    for part in parts {
        let simpler = match known.get(&part) {
            Some(&value) => store.boolean(value),
            None => store.rebuild(store.node(part), |operand| new[&operand]),
        };
        new.insert(part, simpler);
    }
    new[&term]
}
