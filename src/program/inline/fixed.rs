//! Which local variables of a procedure hold what a parameter held at the call, from their first use to the end.
//!
//! Clang copies parameters to variables of their own as the first thing. If neither is written after that, they say the same
//! as long as the activation lasts: what forgets the variables of an activation need not forget these.

use crate::ground::index::IndexVec;
use crate::program::{Action, Edge, LocationId, Procedure, Program};
use crate::term::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// Variables that nobody writes but the call, and once at the beginning; each with its parameter.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    /// The parameter whose value each of them has. Parameters stand for themselves.
    pub of: BTreeMap<Symbol, Symbol>,
}

impl Fixed {
    /// Those of a procedure.
    pub fn of(program: &Program, procedure: &Procedure) -> Self {
        let mut writes: BTreeMap<Symbol, usize> = BTreeMap::new();
        for symbol in procedure.edges.iter().flat_map(Edge::writes) {
            *writes.entry(symbol).or_default() += 1;
        }
        let unwritten = |symbol: &&Symbol| !writes.contains_key(symbol);
        let mut of: BTreeMap<Symbol, Symbol> =
            procedure.parameters.iter().filter(unwritten).map(|&symbol| (symbol, symbol)).collect();
        for edge in first_edges(procedure) {
            let Action::Block(block) = &edge.action else { continue };
            for &(symbol, value) in &block.updates {
                let parameter = program.store.as_symbol(value).and_then(|value| of.get(&value).copied());
                if let Some(parameter) = parameter
                    && writes[&symbol] == 1
                    && procedure.locals.contains(&symbol)
                {
                    of.insert(symbol, parameter);
                }
            }
        }
        Self { of }
    }
}

/// The blocks that every run of a procedure takes first, before it calls anything.
fn first_edges(procedure: &Procedure) -> Vec<&Edge> {
    let mut leaving: IndexVec<LocationId, Vec<&Edge>> =
        IndexVec::filled(Vec::new(), procedure.locations.len());
    for edge in procedure.edges.iter() {
        leaving[edge.from].push(edge);
    }
    let (mut found, mut seen, mut at) = (Vec::new(), BTreeSet::new(), procedure.entry);
    while seen.insert(at)
        && let [only] = leaving[at][..]
        && matches!(only.action, Action::Block(_))
    {
        found.push(only);
        at = only.to;
    }
    found
}
