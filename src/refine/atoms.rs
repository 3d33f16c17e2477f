//! Atoms: the parts of a truth value without Boolean structure, without choices and without stores.
//!
//! A read of an array behind writes is a choice between the written elements, one for each question whether two addresses
//! are the same; those questions are atoms themselves. A comparison over a choice is one comparison for each case. Where
//! there are too many cases, the rest is left out: atoms are candidates, and nothing rests on having all of them.

use crate::term::{Node, Sort, Store, Term};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;

/// So many atoms come out of one term at most.
const MOST: usize = 40;

/// Chains of writes that are longer are not resolved where the addresses are not known.
const LONGEST: usize = 24;

/// The atoms of a term, from left to right; never negated, never constant.
pub(super) fn atoms(store: &mut Store, term: Term) -> IndexSet<Term> {
    let mut found = IndexSet::new();
    let mut seen = IndexSet::new();
    let mut open = vec![resolve(store, term)];
    while let Some(term) = open.pop() {
        if found.len() >= MOST || seen.len() > 8 * MOST || !seen.insert(term) {
            continue;
        }
        match store.node(term) {
            Node::Boolean(_) => {}
            Node::Not(a) => open.push(a),
            Node::And(a, b) | Node::Or(a, b) => open.extend([b, a]),
            Node::Choose(c, a, b) => open.extend([b, a, c]),
            Node::Equal(a, b) if store.sort(a) == Sort::Boolean => open.extend([b, a]),
            // No predicate compares whole regions of memory.
            Node::Equal(a, _) if matches!(store.sort(a), Sort::Array { .. }) => {}
            _ => match choice(store, term) {
                Some(choice) => open.extend(cases(store, term, choice)),
                None if has_store(store, term) => {}
                None => {
                    found.insert(term);
                }
            },
        }
    }
    found
}

/// The first choice within a term, innermost first.
fn choice(store: &Store, term: Term) -> Option<Term> {
    store.reachable(&[term]).into_iter().find(|&part| matches!(store.node(part), Node::Choose(..)))
}

/// The condition of a choice, and the term in both cases.
fn cases(store: &mut Store, term: Term, choice: Term) -> Vec<Term> {
    let Node::Choose(condition, yes, no) = store.node(choice) else { return Vec::new() };
    let cases = [no, yes].map(|case| replace(store, term, choice, case));
    cases.into_iter().chain([condition]).collect()
}

fn has_store(store: &Store, term: Term) -> bool {
    let kept = |part: Term| matches!(store.node(part), Node::Store(..) | Node::Constant(..));
    store.reachable(&[term]).into_iter().any(kept)
}

/// The term with one of its parts replaced.
pub(super) fn replace(store: &mut Store, term: Term, part: Term, by: Term) -> Term {
    let mut done = FxHashMap::default();
    done.insert(part, by);
    for one in store.reachable_unless(&[term], |one| one == part) {
        let node = store.node(one);
        let same = node.operands().all(|operand| done.get(&operand) == Some(&operand));
        let copy = if same { one } else { store.rebuild(node, |operand| done[&operand]) };
        done.insert(one, copy);
    }
    done[&term]
}

/// The term with reads behind writes resolved.
pub(super) fn resolve(store: &mut Store, term: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for one in store.reachable(&[term]) {
        let node = store.node(one);
        let copy = match node {
            Node::Select(array, index) => read(store, done[&array], done[&index]),
            _ if node.operands().all(|operand| done[&operand] == operand) => one,
            _ => store.rebuild(node, |operand| done[&operand]),
        };
        done.insert(one, copy);
    }
    done[&term]
}

/// What an array holds at an index.
fn read(store: &mut Store, array: Term, index: Term) -> Term {
    let mut writes = Vec::new();
    let mut inner = array;
    while let Node::Store(below, at, element) = store.node(inner)
        && writes.len() < LONGEST
    {
        let same = store.equal(at, index);
        match store.truth(same) {
            Some(false) => {}
            _ => writes.push((same, element)),
        }
        if store.truth(same) == Some(true) {
            break;
        }
        inner = below;
    }
    let rest = match store.node(inner) {
        Node::Choose(condition, yes, no) => {
            let (yes, no) = (store.select(yes, index), store.select(no, index));
            store.choose(condition, yes, no)
        }
        _ => store.select(inner, index),
    };
    writes.into_iter().rev().fold(rest, |rest, (same, element)| store.choose(same, element, rest))
}
