//! Temporaries give way to what they are copies of.
//!
//! A `switch` compares a temporary that was loaded from a variable, an edge before; a condition that is computed at the end
//! of one block decides in the next. Predicates would have to say that both are the same. Where all ways to a
//! location agree that a temporary is a small term over local variables, the edges that leave it use the term instead.
//! Only local variables may stand in such a term: other threads, and callees, can change all others.
//!
//! With threads, all local variables give way to constants: what is passed to a procedure in place of its call is known.

use super::liveness::{Drop, Liveness};
use super::reads::Walker;
use super::{Action, Block, Edge, LocationId, ProcedureId, Program, Role, Scope};
use crate::ground::index::IndexVec;
use crate::term::substitute::Substitution;
use crate::term::{Node, Store, Symbol, Term};
use std::collections::BTreeMap;

/// Terms with more parts than this are not repeated.
const LARGEST: usize = 8;

/// What temporaries are, at a location.
type Facts = BTreeMap<Symbol, Term>;

/// Uses what temporaries (or all local variables that are copies) stand for.
pub fn use_originals(program: &mut Program, which: Drop) {
    let mut walker = Walker::new();
    let constants = program.starts_threads();
    for id in program.procedures.ids().collect::<Vec<_>>() {
        let liveness = Liveness::of(program, id, which, &mut walker);
        let mut search = Search { program, id, which, liveness, constants };
        let facts = search.facts();
        search.rewrite(&facts);
    }
    debug_assert_eq!(super::well_formed::check(program), []);
}

struct Search<'p> {
    program: &'p mut Program,
    id: ProcedureId,
    which: Drop,
    liveness: Liveness,
    /// Whether all local variables give way to constants.
    constants: bool,
}

impl Search<'_> {
    /// What holds at each location on all ways there; none where no way leads.
    fn facts(&mut self) -> IndexVec<LocationId, Option<Facts>> {
        let procedure = &self.program.procedures[self.id];
        let mut outgoing: IndexVec<LocationId, Vec<Edge>> =
            IndexVec::filled(Vec::new(), procedure.locations.len());
        procedure.edges.iter().for_each(|edge| outgoing[edge.from].push(edge.clone()));
        let entry = procedure.entry;
        let mut facts: IndexVec<LocationId, Option<Facts>> = IndexVec::filled(None, outgoing.len());
        facts[entry] = Some(Facts::new());
        let mut open = vec![entry];
        while let Some(location) = open.pop() {
            for edge in &outgoing[location] {
                let here = facts[location].clone().expect("a location that was reached");
                let there = self.behind(edge, here);
                let known = &mut facts[edge.to];
                let joined = known.as_ref().map_or_else(|| there.clone(), |known| common(known, &there));
                if known.as_ref() != Some(&joined) {
                    *known = Some(joined);
                    open.push(edge.to);
                }
            }
        }
        facts
    }

    /// What holds behind an edge.
    fn behind(&mut self, edge: &Edge, mut facts: Facts) -> Facts {
        let new = match &edge.action {
            Action::Block(block) => self.new_facts(block, &facts),
            _ => Facts::new(),
        };
        let written = edge.writes();
        let store = &self.program.store;
        facts.retain(|symbol, term| {
            !written.contains(symbol) && store.free_symbols(*term).iter().all(|used| !written.contains(used))
        });
        facts.extend(new);
        facts.retain(|&symbol, _| self.liveness.is_live(edge.to, symbol));
        facts
    }

    /// What a block makes of temporaries.
    fn new_facts(&mut self, block: &Block, facts: &Facts) -> Facts {
        let mut substitution = Substitution::new(facts.iter().map(|(&symbol, &term)| (symbol, term)));
        let values: Vec<(Symbol, Term)> = block
            .updates
            .iter()
            .map(|&(symbol, value)| (symbol, substitution.apply(&mut self.program.store, value)))
            .collect();
        let mut found = Facts::new();
        for &(symbol, value) in &values {
            if !self.is_temporary(symbol) {
                let local = self.program.variables[symbol].scope == Scope::Local(self.id);
                if self.constants && local && matches!(self.program.store.node(value), Node::Bits(..)) {
                    found.insert(symbol, value);
                }
                continue;
            }
            let twin = values.iter().find(|&&(other, it)| it == value && self.is_original(other));
            if let Some(&(other, _)) = twin {
                found.insert(symbol, self.program.store.symbol(other));
            } else if self.stays(block, value) {
                found.insert(symbol, value);
            }
        }
        found
    }

    fn is_temporary(&self, symbol: Symbol) -> bool {
        let variable = &self.program.variables[symbol];
        variable.scope == Scope::Local(self.id) && self.which.includes(&variable.role)
    }

    /// A local variable that nobody replaces.
    fn is_original(&self, symbol: Symbol) -> bool {
        let variable = &self.program.variables[symbol];
        variable.scope == Scope::Local(self.id)
            && variable.role != Role::Temporary
            && !self.is_temporary(symbol)
    }

    /// Whether a value is a small term that means the same behind the block.
    fn stays(&self, block: &Block, value: Term) -> bool {
        let store: &Store = &self.program.store;
        let changes = |symbol: &Symbol| block.updates.iter().any(|(written, _)| written == symbol);
        let symbols = store.free_symbols(value);
        symbols.iter().all(|&symbol| self.is_original(symbol) && !changes(&symbol))
            && store.reachable(&[value]).len() <= LARGEST
    }

    /// Edges use what is known where they start.
    fn rewrite(&mut self, facts: &IndexVec<LocationId, Option<Facts>>) {
        let Program { procedures, store, .. } = &mut *self.program;
        for edge in procedures[self.id].edges.iter_mut() {
            let Some(known) = facts[edge.from].as_ref().filter(|known| !known.is_empty()) else { continue };
            let mut known = Substitution::new(known.iter().map(|(&symbol, &term)| (symbol, term)));
            match &mut edge.action {
                Action::Block(block) => {
                    block.guard = known.apply(store, block.guard);
                    for (_, value) in &mut block.updates {
                        *value = known.apply(store, *value);
                    }
                }
                Action::Call { arguments, .. } | Action::Start { arguments, .. } => {
                    for argument in arguments {
                        *argument = known.apply(store, *argument);
                    }
                }
                _ => {}
            }
        }
    }
}

/// What both say.
fn common(a: &Facts, b: &Facts) -> Facts {
    a.iter()
        .filter(|(symbol, term)| b.get(symbol) == Some(term))
        .map(|(&symbol, &term)| (symbol, term))
        .collect()
}
