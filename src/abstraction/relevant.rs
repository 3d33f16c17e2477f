//! Which facts, and which parts of a guard, can say something about a term.
//!
//! Terms are related by what they have in common: scalar variables, and cells of memory that are read at the same
//! address. That both read the same region relates nothing by itself, or every predicate over memory would be related to
//! every other. Facts that share something with the term come first, the more the earlier; then those that share
//! something with parts of the guard that are connected with the term; then those that share something with these.
//! Leaving out a fact or a part of the guard loses precision, never soundness.

use super::oracle::Oracle;
use super::variables::Fact;
use crate::term::{Node, Store, Term};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Scalar variables and cells of a term.
pub(super) type Handles = Rc<BTreeSet<Term>>;

/// Remembers what terms are about.
#[derive(Default)]
pub(super) struct About {
    known: FxHashMap<Term, Handles>,
}

impl About {
    /// The scalar variables and cells of a term.
    pub fn of(&mut self, store: &Store, term: Term) -> Handles {
        let find = || {
            let parts = store.reachable(&[term]).into_iter();
            Rc::new(parts.filter(|&part| is_handle(store, part)).collect::<BTreeSet<Term>>())
        };
        self.known.entry(term).or_insert_with(find).clone()
    }
}

fn is_handle(store: &Store, term: Term) -> bool {
    use crate::term::Sort;
    match store.node(term) {
        Node::Symbol(_) => !matches!(store.sort(term), Sort::Array { .. }),
        Node::Select(..) => true,
        _ => false,
    }
}

/// The conjuncts of a term, in order.
pub(super) fn conjuncts(store: &Store, term: Term) -> Vec<Term> {
    let (mut stack, mut found) = (vec![term], Vec::new());
    while let Some(term) = stack.pop() {
        match store.node(term) {
            Node::And(left, right) => stack.extend([right, left]),
            Node::Boolean(true) => {}
            _ => found.push(term),
        }
    }
    found
}

/// What a guard connects with some handles: the conjuncts, in order, and all handles of them, the given ones included.
pub(super) fn connected(
    oracle: &mut Oracle,
    store: &Store,
    handles: &BTreeSet<Term>,
    guard: Term,
) -> (Vec<Term>, BTreeSet<Term>) {
    let mut apart: Vec<(usize, Term)> = conjuncts(store, guard).into_iter().enumerate().collect();
    let (mut reached, mut met) = (handles.clone(), Vec::new());
    loop {
        let before = apart.len();
        apart.retain(|&(number, part)| {
            let about = oracle.about(store, part);
            let apart = about.is_disjoint(&reached);
            if !apart {
                reached.extend(about.iter().copied());
                met.push((number, part));
            }
            apart
        });
        if apart.len() == before {
            met.sort_unstable();
            return (met.into_iter().map(|(_, part)| part).collect(), reached);
        }
    }
}

/// The part of a guard that is connected with terms.
pub(super) fn slice(oracle: &mut Oracle, store: &mut Store, guard: Term, terms: &[Term]) -> Term {
    let mut handles = BTreeSet::new();
    for &term in terms {
        handles.extend(oracle.about(store, term).iter().copied());
    }
    let (parts, _) = connected(oracle, store, &handles, guard);
    let always = store.boolean(true);
    parts.into_iter().fold(always, |all, part| store.and(all, part))
}

/// The facts that are relevant to what is about these handles under a guard, best first, at most so many.
pub(super) fn relevant(
    oracle: &mut Oracle,
    store: &Store,
    facts: &[Fact],
    (own, guard): (&BTreeSet<Term>, Term),
    most: usize,
) -> Vec<Fact> {
    let (_, reached) = connected(oracle, store, own, guard);
    let about: Vec<Handles> = facts.iter().map(|fact| oracle.about(store, fact.term)).collect();
    let near = about.iter().filter(|handles| !handles.is_disjoint(&reached));
    let beyond: BTreeSet<Term> = near.flat_map(|handles| handles.iter().copied()).collect();
    let ring = |handles: &BTreeSet<Term>| match () {
        () if !handles.is_disjoint(own) => Some(0),
        () if !handles.is_disjoint(&reached) => Some(1),
        () if !handles.is_disjoint(&beyond) => Some(2),
        () => None,
    };
    let is_cell = |handle: &&Term| matches!(store.node(**handle), Node::Select(..));
    let mut ranked: Vec<_> = (0..facts.len())
        .filter_map(|fact| {
            let ring = ring(&about[fact])?;
            let cells = about[fact].intersection(own).filter(is_cell).count();
            let shared = about[fact].intersection(own).count();
            Some((ring, Reverse(cells), Reverse(shared), fact))
        })
        .collect();
    ranked.sort_unstable();
    ranked.into_iter().take(most).map(|(.., fact)| facts[fact]).collect()
}
