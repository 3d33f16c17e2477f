//! Counters that are changed under a lock: read into a local variable, changed there, written back.
//!
//! A variable is a lock if it is taken only where it is zero, becoming something else, and set to zero only by who has
//! taken it. Where a thread *holds* it, by every way that leads there, no other thread does. If a counter is written only
//! there, it stays as it is while a thread is between its own writes; so what a local variable has in common with it stays
//! known: a *copy* is the counter and a constant.

use super::super::{Action, Edge, LocationId, ProcedureId, Program, Role, Scope};
use super::change::{Same, difference, equal_to};
use super::find::Survey;
use crate::ground::index::IndexVec;
use crate::term::{Node, Store, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A location of a template.
pub type Place = (ProcedureId, LocationId);

/// What is known of a counter because it is changed under a lock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Locked {
    /// The lock: a global variable.
    pub lock: Symbol,
    /// Where a thread holds it.
    pub held: BTreeSet<Place>,
    /// Local variables that are the counter and a constant.
    pub copies: BTreeMap<Place, Copies>,
}

/// Variables, and what they are more than the counter.
pub type Copies = BTreeMap<Symbol, i128>;

impl Locked {
    /// What is known of copies before an edge.
    pub(super) fn before(&self, template: ProcedureId, edge: &Edge) -> Copies {
        self.copies.get(&(template, edge.from)).cloned().unwrap_or_default()
    }
}

/// The locks of a program, and where each is held.
pub(super) fn locks(program: &Program, survey: &Survey) -> Vec<(Symbol, BTreeSet<Place>)> {
    let candidate = |(_, variable): &(Symbol, &super::super::Variable)| {
        variable.scope == Scope::Global && variable.role == Role::Plain
    };
    let candidates = program.variables.enumerate().filter(candidate).map(|(symbol, _)| symbol);
    candidates.filter_map(|symbol| Some((symbol, held(program, survey, symbol)?))).collect()
}

/// What an edge does to a lock.
#[derive(PartialEq)]
enum Effect {
    Nothing,
    Takes,
    LetsGo,
    /// It is no lock.
    Other,
}

fn effect(store: &Store, edge: &Edge, lock: Symbol) -> Effect {
    let Action::Block(block) = &edge.action else { return Effect::Nothing };
    let Some(&(_, value)) = block.updates.iter().find(|&&(symbol, _)| symbol == lock) else {
        return Effect::Nothing;
    };
    let is_free = |&part: &Term| match store.node(part) {
        Node::Equal(left, right) => [(left, right), (right, left)].into_iter().any(|(variable, zero)| {
            store.as_symbol(variable) == Some(lock) && matches!(store.node(zero), Node::Bits(_, 0))
        }),
        _ => false,
    };
    match store.node(value) {
        Node::Bits(_, 0) => Effect::LetsGo,
        Node::Bits(..) if store.conjuncts(block.guard).iter().any(is_free) => Effect::Takes,
        _ => Effect::Other,
    }
}

/// Where a lock is held; none if it is no lock, or never held.
fn held(program: &Program, survey: &Survey, lock: Symbol) -> Option<BTreeSet<Place>> {
    let mut all = BTreeSet::new();
    for &template in &survey.templates {
        let procedure = &program.procedures[template];
        let mut held: IndexVec<LocationId, bool> = IndexVec::filled(true, procedure.locations.len());
        held[procedure.entry] = false;
        loop {
            let before = held.clone();
            for edge in procedure.edges.iter() {
                held[edge.to] &= match effect(&program.store, edge, lock) {
                    Effect::Nothing => held[edge.from],
                    Effect::Takes => true,
                    Effect::LetsGo => false,
                    Effect::Other => return None,
                };
            }
            if held == before {
                break;
            }
        }
        let strange = |edge: &Edge| {
            effect(&program.store, edge, lock) == Effect::LetsGo
                && !held[edge.from]
                && !survey.is_early(program, template, edge)
        };
        if procedure.edges.iter().any(strange) {
            return None;
        }
        all.extend(held.enumerate().filter(|(_, held)| **held).map(|(location, _)| (template, location)));
    }
    (!all.is_empty()).then_some(all)
}

/// What is known of a counter under a lock; none if it is written elsewhere.
pub(super) fn locked(
    program: &mut Program,
    survey: &Survey,
    counter: Symbol,
    (lock, held): &(Symbol, BTreeSet<Place>),
) -> Option<Locked> {
    let mut copies = BTreeMap::new();
    for &template in &survey.templates {
        let writes = |edge: &&Edge| edge.writes().contains(&counter);
        let outside =
            |edge: &Edge| !held.contains(&(template, edge.from)) && !survey.is_early(program, template, edge);
        if program.procedures[template].edges.iter().filter(writes).any(outside) {
            return None;
        }
        copies.extend(copies_of(program, template, counter, held));
    }
    Some(Locked { lock: *lock, held: held.clone(), copies })
}

/// The copies of a counter at the locations of a template where a lock is held.
fn copies_of(
    program: &mut Program,
    template: ProcedureId,
    counter: Symbol,
    held: &BTreeSet<Place>,
) -> BTreeMap<Place, Copies> {
    let edges: Vec<Edge> = program.procedures[template].edges.iter().cloned().collect();
    // Not there: nobody got there yet.
    let mut known: BTreeMap<LocationId, Copies> = BTreeMap::new();
    known.insert(program.procedures[template].entry, Copies::new());
    loop {
        let before = known.clone();
        for edge in &edges {
            let Some(here) = known.get(&edge.from) else { continue };
            let there = match held.contains(&(template, edge.to)) {
                true => behind(program, template, counter, edge, &here.clone()),
                false => Copies::new(),
            };
            let joined = match known.get(&edge.to) {
                Some(other) => {
                    there.into_iter().filter(|(copy, more)| other.get(copy) == Some(more)).collect()
                }
                None => there,
            };
            known.insert(edge.to, joined);
        }
        if known == before {
            let all = known.into_iter().filter(|(_, copies)| !copies.is_empty());
            return all.map(|(location, copies)| ((template, location), copies)).collect();
        }
    }
}

/// Copies behind an edge, of the counter as it is then.
fn behind(
    program: &mut Program,
    template: ProcedureId,
    counter: Symbol,
    edge: &Edge,
    here: &Copies,
) -> Copies {
    let Action::Block(block) = &edge.action else { return here.clone() };
    let Program { store, variables, .. } = program;
    let same = same(store, counter, block.guard, here);
    let mut constant = |value: Term| {
        let range = difference(store, &same, value)?.range;
        (range.0 == range.1).then_some(range.0)
    };
    let value = |symbol: Symbol| block.updates.iter().find(|&&(other, _)| other == symbol);
    let moved = match value(counter) {
        Some(&(_, value)) => match constant(value) {
            Some(by) => by,
            None => return Copies::new(),
        },
        None => 0,
    };
    let mut found: Copies =
        here.iter().filter(|(copy, _)| value(**copy).is_none()).map(|(&copy, &more)| (copy, more)).collect();
    for &(symbol, value) in &block.updates {
        if variables[symbol].scope == Scope::Local(template)
            && let Some(more) = constant(value)
        {
            found.insert(symbol, more);
        }
    }
    found.values_mut().for_each(|more| *more -= moved);
    found
}

/// What is the counter, and how much more, under a guard.
pub(super) fn same(store: &mut Store, counter: Symbol, guard: Term, copies: &Copies) -> Vec<Same> {
    let mut same = equal_to(store, counter, guard);
    for (&copy, &more) in copies {
        let copy = store.symbol(copy);
        same.push((copy, more));
    }
    same
}
