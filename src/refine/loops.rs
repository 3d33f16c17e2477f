//! Candidates for loops on a path, so that refinement does not count `i == 0`, `i == 1`, ….
//!
//! A loop is a location that an activation visits twice. Its variables move: `x := x + c`. Candidates are the bounds that
//! guards give to such variables (`x < n`, `x == n`, `n < x`), the value that they start with as a bound, and relations
//! between two that move together (`x == y`, `y == 2 * x + 1`); then the lowest bits, where they stay (`residues`).

use super::Candidate;
use super::atoms::atoms;
use super::{conditions, residues};
use crate::path::Line;
use crate::predicate::PredicateScope;
use crate::program::overlay::Frozen;
use crate::program::{Action, LocationId, ProcedureId, Program, Scope};
use crate::term::substitute::Substitution;
use crate::term::{Node, Operator, Store, Symbol, Term};
use indexmap::{IndexMap, IndexSet};
use std::collections::BTreeMap;

/// No more cases of one update than this are looked at.
const CASES: usize = 16;

/// Which candidates are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Bounds from guards, and relations.
    Relations,
    /// The values that variables start with, as bounds.
    Starts,
}

/// A loop of a path.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub procedure: ProcedureId,
    pub head: LocationId,
    pub activation: usize,
    pub first: usize,
    pub last: usize,
}

/// The loops of a path, each location once per activation; outermost first.
pub(super) fn loops(program: &Program, line: &Line<'_>) -> Vec<Loop> {
    let mut visits: IndexMap<(usize, LocationId), Loop> = IndexMap::new();
    for (number, step) in line.path.iter().enumerate().filter(|(_, step)| !step.returns) {
        let head = line.edge(program, number).from;
        let activation = line.frames.before[number];
        let new = Loop { procedure: step.procedure, head, activation, first: number, last: number };
        visits.entry((activation, head)).or_insert(new).last = number;
    }
    visits.into_values().filter(|one| one.last > one.first).collect()
}

/// Candidates for the loops of a path.
pub(super) fn candidates(program: &mut Frozen<'_>, line: &Line<'_>, kind: Kind) -> IndexSet<Candidate> {
    let mut found = IndexSet::new();
    // Inner locations of a loop move the same variables: the first per activation stands for all.
    let mut done = IndexSet::new();
    for one in loops(program, line) {
        if !done.insert(one.activation) {
            continue;
        }
        let moving = moving(program, line, &one);
        let start = constants(program, line, &one);
        let terms = match kind {
            Kind::Relations => {
                let mut terms = pairs(program.terms(), &moving, &start);
                terms.extend(followers(program, line, &one, &moving));
                terms.extend(bounds(program, line, &one, &moving));
                let written = residues::written(program, line, &one);
                terms.extend(residues::residues(program.terms(), &written, &moving, &start));
                terms
            }
            Kind::Starts => starts(program.terms(), &moving, &start),
        };
        for term in terms {
            let Some(term) = super::canonical(&program.store, term) else { continue };
            found.extend(scoped(program, one.procedure, term));
        }
    }
    found
}

/// Variables that get the value of one that moves, or a number more: what they are then, when that has moved on or not.
fn followers(
    program: &mut Frozen<'_>,
    line: &Line<'_>,
    one: &Loop,
    moving: &IndexSet<(Symbol, u128)>,
) -> Vec<Term> {
    let mut found = IndexSet::new();
    for (number, step) in line.path.iter().enumerate().take(one.last).skip(one.first) {
        let edge = &program.procedures[step.procedure].edges[step.edge];
        let Action::Block(block) = &edge.action else { continue };
        if line.frames.before[number] != one.activation {
            continue;
        }
        let updates = block.updates.clone();
        for (symbol, value) in
            updates.into_iter().filter(|(symbol, _)| moving.iter().all(|it| it.0 != *symbol))
        {
            for &(leader, by) in moving {
                let store = program.terms();
                let same = store.as_symbol(value) == Some(leader);
                let more = if same { Some(0) } else { moved(store, leader, value) };
                let Some(more) = more else { continue };
                let (follower, leader) = (store.symbol(symbol), store.symbol(leader));
                let width = store.width(follower);
                for offset in [more.wrapping_sub(by), more] {
                    let offset = store.bits(width, offset & crate::term::arithmetic::mask(width));
                    let sum = store.add(leader, offset);
                    found.insert(store.equal(follower, sum));
                }
            }
        }
    }
    found.into_iter().collect()
}

/// For each loop the variables that it moves.
pub(super) fn companions(program: &Program, line: &Line<'_>) -> Vec<Vec<Symbol>> {
    let mut done = IndexSet::new();
    let first = loops(program, line).into_iter().filter(|one| done.insert(one.activation));
    first.map(|one| moving(program, line, &one).into_iter().map(|(symbol, _)| symbol).collect()).collect()
}

/// For each loop the variables that it moves, and those that follow them.
pub(super) fn followed(program: &Program, line: &Line<'_>) -> Vec<Vec<Symbol>> {
    let mut done = IndexSet::new();
    let first = loops(program, line).into_iter().filter(|one| done.insert(one.activation));
    let mut all = Vec::new();
    for one in first {
        let moving = moving(program, line, &one);
        let mut symbols: IndexSet<Symbol> = moving.iter().map(|&(symbol, _)| symbol).collect();
        for step in &line.path[one.first..one.last] {
            let edge = &program.procedures[step.procedure].edges[step.edge];
            let Action::Block(block) = &edge.action else { continue };
            for &(symbol, value) in &block.updates {
                let follows = |&(leader, _): &(Symbol, u128)| {
                    program.store.as_symbol(value) == Some(leader)
                        || moved(&program.store, leader, value).is_some()
                };
                if moving.iter().any(follows) {
                    symbols.insert(symbol);
                }
            }
        }
        all.push(symbols.into_iter().collect());
    }
    all
}

/// The candidate that a term is, if it mentions no inputs.
pub(super) fn scoped(program: &Program, procedure: ProcedureId, term: Term) -> Option<Candidate> {
    let mut scope = PredicateScope::Global;
    for symbol in program.store.free_symbols(term) {
        match program.variables[symbol].scope {
            Scope::Global => {}
            Scope::Local(_) => scope = PredicateScope::Local(procedure),
            Scope::Input => return None,
        }
    }
    Some(Candidate { term, scope })
}

/// Variables that the loop moves by a constant, and by how much; one that moves in two ways is listed twice.
fn moving(program: &Program, line: &Line<'_>, one: &Loop) -> IndexSet<(Symbol, u128)> {
    let mut found = IndexSet::new();
    for (number, step) in line.path.iter().enumerate().take(one.last).skip(one.first) {
        let edge = &program.procedures[step.procedure].edges[step.edge];
        let Action::Block(block) = &edge.action else { continue };
        for &(symbol, value) in &block.updates {
            let own = line.frames.before[number] == one.activation
                || program.variables[symbol].scope == Scope::Global;
            for case in cases(&program.store, value) {
                if let Some(by) = moved(&program.store, symbol, case).filter(|_| own) {
                    found.insert((symbol, by));
                }
            }
        }
    }
    found
}

/// The values that a term chooses between, a few of them.
pub(super) fn cases(store: &Store, value: Term) -> Vec<Term> {
    let (mut open, mut found) = (vec![value], Vec::new());
    while let Some(value) = open.pop() {
        match store.node(value) {
            Node::Choose(_, yes, no) if open.len() + found.len() < CASES => open.extend([no, yes]),
            _ => found.push(value),
        }
    }
    found
}

/// By how much an update moves its variable.
fn moved(store: &Store, symbol: Symbol, value: Term) -> Option<u128> {
    let Node::Binary(operator, a, b) = store.node(value) else { return None };
    let width = store.width(value);
    let constant = |term: Term| match store.node(term) {
        Node::Bits(_, value) => Some(value),
        _ => None,
    };
    let is_it = |term: Term| store.as_symbol(term) == Some(symbol);
    match operator {
        Operator::Add if is_it(a) => constant(b),
        Operator::Add if is_it(b) => constant(a),
        Operator::Subtract if is_it(a) => {
            constant(b).map(|by| by.wrapping_neg() & crate::term::arithmetic::mask(width))
        }
        _ => None,
    }
}

/// Bounds from guards of the whole path, in the loop's activation.
fn bounds(
    program: &mut Frozen<'_>,
    line: &Line<'_>,
    one: &Loop,
    moving: &IndexSet<(Symbol, u128)>,
) -> Vec<Term> {
    let mut found = Vec::new();
    for (number, step) in line.path.iter().enumerate() {
        if line.frames.before[number] != one.activation || step.returns {
            continue;
        }
        let edge = program.procedures[step.procedure].edges[step.edge].clone();
        for condition in conditions(&program.store, &edge) {
            for atom in atoms(program.terms(), condition) {
                found.extend(around(program.terms(), atom, moving));
            }
        }
    }
    found
}

/// All comparisons of the two sides of an atom, if it bounds a variable that moves.
fn around(store: &mut Store, atom: Term, moving: &IndexSet<(Symbol, u128)>) -> Vec<Term> {
    let (Node::SignedLess(a, b) | Node::UnsignedLess(a, b) | Node::Equal(a, b)) = store.node(atom) else {
        return Vec::new();
    };
    let moves = |store: &Store, term: Term| {
        store.free_symbols(term).iter().any(|symbol| moving.iter().any(|(other, _)| other == symbol))
    };
    if !matches!(store.sort(a), crate::term::Sort::Bits(_)) || moves(store, a) == moves(store, b) {
        return Vec::new();
    }
    let unsigned = matches!(store.node(atom), Node::UnsignedLess(..));
    let mut found = vec![store.equal(a, b)];
    for (x, y) in [(a, b), (b, a)] {
        found.push(if unsigned { store.unsigned_less(x, y) } else { store.signed_less(x, y) });
    }
    found.extend(scaled(store, a, b, moving));
    found.extend(scaled(store, b, a, moving));
    found
}

/// Bounds of the variable itself, if a multiple of it is compared with a constant: `4 * i + 4 < 37` gives `i < 9`,
/// and what is next to it. So the sizes of arrays become bounds of their indices.
fn scaled(store: &mut Store, side: Term, bound: Term, moving: &IndexSet<(Symbol, u128)>) -> Vec<Term> {
    let Node::Bits(_, bound) = store.node(bound) else { return Vec::new() };
    let mut found = Vec::new();
    for &(symbol, _) in moving {
        let variable = store.symbol(symbol);
        let factor = store.reachable(&[side]).into_iter().find_map(|part| factor_of(store, part, variable));
        let (Some(factor), crate::term::Sort::Bits(width)) = (factor, store.sort(variable)) else { continue };
        let limit = bound.div_ceil(factor);
        for limit in [limit, limit.saturating_sub(1)] {
            let limit = store.bits(width, limit);
            found.extend([store.equal(variable, limit), store.signed_less(variable, limit)]);
            found.extend([store.signed_less(limit, variable), store.unsigned_less(variable, limit)]);
        }
    }
    found
}

/// The constant that a product multiplies a variable with, extended or not.
fn factor_of(store: &Store, product: Term, variable: Term) -> Option<u128> {
    let plain = |term: Term| match store.node(term) {
        Node::SignExtend(_, inner) | Node::ZeroExtend(_, inner) => inner,
        _ => term,
    };
    let Node::Binary(operator, a, b) = store.node(product) else { return None };
    let (other, constant) = match (store.node(a), store.node(b)) {
        (_, Node::Bits(_, constant)) => (a, constant),
        (Node::Bits(_, constant), _) => (b, constant),
        _ => return None,
    };
    let constant = match operator {
        Operator::Multiply => constant,
        Operator::ShiftLeft if constant < 32 => 1 << constant,
        _ => return None,
    };
    (plain(other) == variable && constant > 1).then_some(constant)
}

/// The values that variables start with, as bounds.
fn starts(store: &mut Store, moving: &IndexSet<(Symbol, u128)>, start: &BTreeMap<Symbol, Term>) -> Vec<Term> {
    let mut found = Vec::new();
    for (symbol, _) in moving {
        let variable = store.symbol(*symbol);
        let crate::term::Sort::Bits(width) = store.sort(variable) else { continue };
        let zero = store.bits(width, 0);
        let first = start.get(symbol).copied().unwrap_or(zero);
        found.extend([store.signed_less(variable, first), store.equal(variable, first)]);
        found.extend([store.signed_less(variable, zero), store.signed_less(first, variable)]);
    }
    found
}

/// Relations between variables that move together.
fn pairs(store: &mut Store, moving: &IndexSet<(Symbol, u128)>, start: &BTreeMap<Symbol, Term>) -> Vec<Term> {
    let mut found = Vec::new();
    for (number, &(x, by)) in moving.iter().enumerate() {
        for &(y, other) in moving.iter().skip(number + 1) {
            if x == y || store.sort_of_symbol(x) != store.sort_of_symbol(y) {
                continue;
            }
            let (slow, fast, factor) = match (by, other) {
                (a, b) if a != 0 && b % a == 0 => (x, y, b / a),
                (a, b) if b != 0 && a % b == 0 => (y, x, a / b),
                _ => continue,
            };
            found.push(relation(store, (slow, fast, factor), start));
            found.push(relation(store, (slow, fast, factor), &BTreeMap::new()));
        }
    }
    found
}

/// `fast == factor * slow + offset`, with the offset that they start with, or none if that is not known.
fn relation(
    store: &mut Store,
    (slow, fast, factor): (Symbol, Symbol, u128),
    start: &BTreeMap<Symbol, Term>,
) -> Term {
    let (slow_term, fast_term) = (store.symbol(slow), store.symbol(fast));
    let width = store.width(slow_term);
    let factor = store.bits(width, factor);
    let product = store.binary(Operator::Multiply, slow_term, factor);
    let zero = store.bits(width, 0);
    let offset = match (start.get(&slow), start.get(&fast)) {
        (Some(&a), Some(&b)) => {
            let product = store.binary(Operator::Multiply, a, factor);
            store.subtract(b, product)
        }
        _ => zero,
    };
    let sum = store.add(product, offset);
    store.equal(fast_term, sum)
}

/// Variables that are constant when the loop is first reached.
fn constants(program: &mut Frozen<'_>, line: &Line<'_>, one: &Loop) -> BTreeMap<Symbol, Term> {
    let mut known: BTreeMap<Symbol, Term> = BTreeMap::new();
    for (number, step) in line.path.iter().enumerate().take(one.first) {
        let edge = program.procedures[step.procedure].edges[step.edge].clone();
        let own = line.frames.before[number] == one.activation;
        let updates = match &edge.action {
            Action::Block(block) => block.updates.clone(),
            Action::Call { result: Some(result), .. } if step.returns => {
                known.remove(result);
                continue;
            }
            _ => continue,
        };
        let mut substitution = Substitution::new(known.iter().map(|(&symbol, &term)| (symbol, term)));
        for (symbol, value) in updates {
            if !own && program.variables[symbol].scope != Scope::Global {
                continue;
            }
            let value = substitution.apply(program.terms(), value);
            match program.store.node(value) {
                Node::Bits(..) => known.insert(symbol, value),
                _ => known.remove(&symbol),
            };
        }
    }
    known
}
