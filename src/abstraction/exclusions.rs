//! Values of predicates that exclude each other in every state: `x == 0` and `x == 1`, say.
//!
//! Pairs of predicates over a common variable or cell of memory are asked for, and triples all of whose pairs have one,
//! in small numbers. What is found holds in every state, so it may be said wherever values are chosen.

use super::image::Imager;
use super::table::{Table, cover};
use super::variables::{Expression, Fact, Variable, literal};
use crate::ground::reason::Stop;
use crate::term::{Node, Store, Term};
use std::collections::BTreeSet;

/// Values that do not occur together.
pub(super) type Exclusion = Vec<(Variable, bool)>;

/// A predicate has at most so many partners: a state machine may have as many states.
const PARTNERS: usize = 48;
/// Triples are asked for among so many predicates.
const TRIPLES: usize = 8;

impl Imager<'_> {
    /// Exclusions among these facts, shorter ones first.
    pub fn exclusions(&mut self, facts: &[Fact]) -> Result<Vec<Exclusion>, Stop> {
        let subjects: Vec<BTreeSet<Term>> =
            facts.iter().map(|fact| subjects(self.store, fact.term)).collect();
        let share = |a: usize, b: usize| !subjects[a].is_disjoint(&subjects[b]);
        let mut found = Vec::new();
        for first in 0..facts.len() {
            let partners = (first + 1..facts.len()).filter(|&second| share(first, second)).take(PARTNERS);
            for second in partners {
                self.exclude(&[facts[first], facts[second]], &mut found)?;
            }
        }
        if facts.len() <= TRIPLES {
            for first in 0..facts.len() {
                for second in (first + 1..facts.len()).filter(|&second| share(first, second)) {
                    let linked = |&third: &usize| share(first, third) && share(second, third);
                    for third in (second + 1..facts.len()).filter(linked) {
                        self.exclude(&[facts[first], facts[second], facts[third]], &mut found)?;
                    }
                }
            }
        }
        Ok(found)
    }

    /// Adds what these facts exclude and shorter exclusions do not.
    fn exclude(&mut self, facts: &[Fact], found: &mut Vec<Exclusion>) -> Result<(), Stop> {
        let always = self.store.boolean(true);
        let atoms: Vec<_> = facts.iter().map(|fact| fact.term).collect();
        let possible = self.oracle.valuations(self.store, always, &atoms)?;
        let known = |assignment: usize| {
            found.iter().any(|exclusion| {
                exclusion.iter().all(|&(variable, value)| {
                    let holds = |(number, fact): (usize, &Fact)| {
                        fact.variable == variable && (assignment >> number & 1 == 1) == value
                    };
                    facts.iter().enumerate().any(holds)
                })
            })
        };
        let new = Table::of(facts.len(), |it| !possible.contains(it) && !known(it));
        let free = Table::of(facts.len(), |it| !possible.contains(it));
        for cube in cover(&new, &free) {
            found.push(cube.literals().map(|(atom, value)| (facts[atom].variable, value)).collect());
        }
        Ok(())
    }
}

/// What a predicate compares: variables and cells, but not what only says where a cell is.
fn subjects(store: &Store, term: Term) -> BTreeSet<Term> {
    let is_subject = |term: &Term| matches!(store.node(*term), Node::Symbol(_) | Node::Select(..));
    let mut inner = BTreeSet::new();
    for part in store.reachable(&[term]).into_iter().filter(is_subject) {
        inner.extend(store.node(part).operands());
    }
    let cells: Vec<Term> = inner.into_iter().collect();
    let below: BTreeSet<Term> = store.reachable(&cells).into_iter().collect();
    store.reachable(&[term]).into_iter().filter(|part| is_subject(part) && !below.contains(part)).collect()
}

/// The clause of an exclusion, over values before or behind a step.
pub(super) fn clause(exclusion: &Exclusion, value_of: impl Fn(Variable) -> Expression) -> Expression {
    let literals = exclusion.iter().map(|&(variable, value)| literal(value_of(variable), value));
    Expression::conjunction(literals).negate()
}
