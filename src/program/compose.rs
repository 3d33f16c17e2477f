//! Composition of blocks: one after the other, and one or the other.
//!
//! *One after the other* substitutes the updates of the first block into guard and updates of the second; the result
//! is again a guard and simultaneous updates over the state at the start. *One or the other* joins parallel blocks whose
//! guards exclude each other, by a choice on the conjunct that tells them apart. Blocks whose guards may hold together
//! stay apart, because a choice would lose one of them; so do blocks that ask C for different inputs, because the
//! order in which a program asks must not depend on how its blocks were composed.

use super::{Block, Program, Role, Scope, Variable};
use crate::ir::Place;
use crate::term::substitute::Substitution;
use crate::term::{Node, Store, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// The first block, then the second. They must not share inputs.
#[must_use]
pub fn sequence(store: &mut Store, first: &Block, second: &Block) -> Block {
    let earlier: FxHashSet<Symbol> = first.updates.iter().map(|&(symbol, _)| symbol).collect();
    let second = substitute(store, second, &first.updates);
    let guard = store.and(first.guard, second.guard);
    let later: FxHashMap<Symbol, Term> = second.updates.iter().copied().collect();
    let mut updates = Vec::with_capacity(first.updates.len() + second.updates.len());
    for &(symbol, value) in &first.updates {
        updates.push((symbol, later.get(&symbol).copied().unwrap_or(value)));
    }
    updates.extend(second.updates.iter().copied().filter(|(symbol, _)| !earlier.contains(symbol)));
    updates.retain(|&(symbol, value)| store.node(value) != Node::Symbol(symbol));
    let inputs = first.inputs.iter().chain(&second.inputs).copied().collect();
    Block { guard, updates, inputs }
}

/// One block or the other, if their guards exclude each other and they ask for the same inputs.
#[must_use]
pub fn alternative(program: &mut Program, first: &Block, second: &Block) -> Option<Block> {
    let second = &with_inputs_of(program, first, second)?;
    let store = &mut program.store;
    let split = exclusive(store, first.guard, second.guard)?;
    let either = store.or(split.first, split.second);
    let guard = store.and(split.common, either);
    let mut updates = Vec::new();
    let others: FxHashMap<Symbol, Term> = second.updates.iter().copied().collect();
    for &(symbol, yes) in &first.updates {
        let no = others.get(&symbol).copied().unwrap_or_else(|| store.symbol(symbol));
        updates.push((symbol, store.choose(split.condition, yes, no)));
    }
    let done: FxHashSet<Symbol> = first.updates.iter().map(|&(symbol, _)| symbol).collect();
    for &(symbol, no) in second.updates.iter().filter(|(symbol, _)| !done.contains(symbol)) {
        let yes = store.symbol(symbol);
        updates.push((symbol, store.choose(split.condition, yes, no)));
    }
    Some(Block { guard, updates, inputs: first.inputs.clone() })
}

/// The block over other symbols or terms.
fn substitute(store: &mut Store, block: &Block, by: &[(Symbol, Term)]) -> Block {
    let mut substitution = Substitution::new(by.iter().copied());
    let guard = substitution.apply(store, block.guard);
    let value = |&(symbol, value): &(Symbol, Term)| (symbol, substitution.apply(store, value));
    let updates = block.updates.iter().map(value).collect();
    Block { guard, updates, inputs: block.inputs.clone() }
}

/// The block with the inputs of the other one, if they are asked for in the same words and are of the same sorts.
fn with_inputs_of(program: &mut Program, other: &Block, block: &Block) -> Option<Block> {
    let same = |&a: &Symbol, &b: &Symbol| {
        program.variables[a].role == program.variables[b].role
            && program.store.sort_of_symbol(a) == program.store.sort_of_symbol(b)
    };
    let pairs = || block.inputs.iter().zip(&other.inputs);
    if block.inputs.len() != other.inputs.len() || !pairs().all(|(a, b)| same(a, b)) {
        return None;
    }
    Some(rename_inputs(program, block, other.inputs.clone()))
}

fn rename_inputs(program: &mut Program, block: &Block, inputs: Vec<Symbol>) -> Block {
    if inputs == block.inputs {
        return block.clone();
    }
    let store = &mut program.store;
    let by =
        block.inputs.iter().zip(&inputs).map(|(&old, &new)| (old, store.symbol(new))).collect::<Vec<_>>();
    Block { inputs, ..substitute(store, block, &by) }
}

/// A copy of the block with inputs of its own.
#[must_use]
pub fn copy(program: &mut Program, block: &Block) -> Block {
    let mut inputs = Vec::with_capacity(block.inputs.len());
    for &input in &block.inputs {
        let (name, sort) = (program.store.name(input).to_string(), program.store.sort_of_symbol(input));
        let Variable { ty, role, .. } = program.variables[input].clone();
        debug_assert!(matches!(role, Role::Input(_)), "only inputs are copied");
        program.variables.push(Variable { scope: Scope::Input, ty, role });
        inputs.push(program.store.fresh(name, sort));
    }
    rename_inputs(program, block, inputs)
}

/// The lines of two edges, in order; a line that ends the first and starts the second counts once.
#[must_use]
pub fn join_places(first: &[Place], second: &[Place]) -> Vec<Place> {
    let mut places = first.to_vec();
    places.extend(second.iter().copied());
    places.dedup_by_key(|place| (place.file, place.line));
    places
}

/// The lines of two parallel edges: those of the first, and what the second has besides. Both may share a long way, and
/// lines that were told twice at every branch would double with each.
#[must_use]
pub fn either_places(first: &[Place], second: &[Place]) -> Vec<Place> {
    let line = |place: &Place| (place.file, place.line);
    let known: FxHashSet<_> = first.iter().map(line).collect();
    let mut places = first.to_vec();
    places.extend(second.iter().copied().filter(|place| !known.contains(&line(place))));
    places
}

/// Two guards that exclude each other.
struct Exclusive {
    /// What both demand.
    common: Term,
    /// What else the first demands.
    first: Term,
    /// What else the second demands.
    second: Term,
    /// True where the first guard holds, false where the second does.
    condition: Term,
}

fn exclusive(store: &mut Store, first: Term, second: Term) -> Option<Exclusive> {
    let (a, b) = (conjuncts(store, first), conjuncts(store, second));
    let common: Vec<Term> = a.iter().copied().filter(|term| b.contains(term)).collect();
    let a: Vec<Term> = a.into_iter().filter(|term| !common.contains(term)).collect();
    let b: Vec<Term> = b.into_iter().filter(|term| !common.contains(term)).collect();
    let common = conjunction(store, &common);
    let (first, second) = (conjunction(store, &a), conjunction(store, &b));
    let condition = if store.not(first) == second { Some(first) } else { contradiction(store, &a, &b) };
    condition.map(|condition| Exclusive { common, first, second, condition })
}

/// A conjunct of the first list that one of the second contradicts.
fn contradiction(store: &mut Store, a: &[Term], b: &[Term]) -> Option<Term> {
    for &left in a {
        let negation = store.not(left);
        if b.iter().any(|&right| right == negation || different_values(store, left, right)) {
            return Some(left);
        }
    }
    None
}

/// Whether the terms say that one thing equals two different constants: two cases of a `switch`.
fn different_values(store: &Store, a: Term, b: Term) -> bool {
    let parts = |term: Term| match store.node(term) {
        Node::Equal(x, y) => match (store.node(x), store.node(y)) {
            (Node::Bits(_, value), _) => Some((y, value)),
            (_, Node::Bits(_, value)) => Some((x, value)),
            _ => None,
        },
        _ => None,
    };
    matches!((parts(a), parts(b)), (Some((x, m)), Some((y, n))) if x == y && m != n)
}

/// More conjuncts than this are not looked at one by one.
const CONJUNCTS: usize = 64;

/// The conjuncts of a guard, in order, each once.
fn conjuncts(store: &Store, guard: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut stack = vec![guard];
    while let Some(term) = stack.pop() {
        match store.node(term) {
            Node::And(a, b) => stack.extend([b, a]),
            Node::Boolean(true) => {}
            _ if found.contains(&term) => {}
            _ => found.push(term),
        }
        if found.len() + stack.len() > CONJUNCTS {
            return vec![guard];
        }
    }
    found
}

fn conjunction(store: &mut Store, terms: &[Term]) -> Term {
    let truth = store.boolean(true);
    terms.iter().fold(truth, |all, &term| store.and(all, term))
}
