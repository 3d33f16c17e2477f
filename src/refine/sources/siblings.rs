//! The other values that a variable is compared with, or gets.
//!
//! Where predicates compare a variable with one number after the other, it is the state of a state machine, the one that
//! comes next, or what a `switch` is about. Sooner or later all numbers are needed that it is compared with, and those
//! that it is set to; they are added together.

use super::{Question, Source};
use crate::ground::reason::Stop;
use crate::predicate::PredicateScope;
use crate::program::Action;
use crate::program::overlay::Frozen;
use crate::refine::Candidate;
use crate::refine::loops::cases;
use crate::term::{Node, Store, Symbol, Term};
use indexmap::IndexSet;
use std::collections::BTreeSet;

/// Variables that are compared with more numbers are left alone.
const MOST: usize = 40;

/// It proposes nothing by itself: its candidates are added to those of other sources.
pub(in crate::refine) struct Siblings;

impl Source for Siblings {
    fn reason(&self) -> &'static str {
        "value that a variable is compared with"
    }

    fn candidates(&self, _: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        Ok(IndexSet::new())
    }
}

/// All comparisons of the same variable with a number, if there are not too many.
pub(in crate::refine) fn siblings(program: &mut Frozen<'_>, one: Candidate) -> IndexSet<Candidate> {
    let mut found = IndexSet::new();
    let Some(symbol) = compared(&program.store, one.term) else { return found };
    let mut numbers = IndexSet::new();
    let mut seen = BTreeSet::new();
    for (id, procedure) in program.procedures.enumerate() {
        if matches!(one.scope, PredicateScope::Local(owner) if owner != id) {
            continue;
        }
        for edge in procedure.edges.iter() {
            let Action::Block(block) = &edge.action else { continue };
            for (_, value) in block.updates.iter().filter(|(written, _)| *written == symbol) {
                let cases = cases(&program.store, *value).into_iter();
                numbers.extend(cases.filter(|&case| program.store.constant(case).is_some()));
            }
            let roots: Vec<Term> =
                block.updates.iter().map(|&(_, value)| value).chain([block.guard]).collect();
            for part in program.store.reachable_unless(&roots, |part| seen.contains(&part)) {
                seen.insert(part);
                if compared(&program.store, part) == Some(symbol) {
                    found.insert(Candidate { term: part, scope: one.scope });
                }
            }
        }
    }
    let variable = program.terms().symbol(symbol);
    for number in numbers {
        let equation = program.terms().equal(variable, number);
        let term = crate::refine::canonical(&program.store, equation);
        found.extend(term.map(|term| Candidate { term, scope: one.scope }));
    }
    if found.len() > MOST {
        found.clear();
    }
    found
}

/// The variable that a term compares with a number.
fn compared(store: &Store, term: Term) -> Option<Symbol> {
    let Node::Equal(a, b) = store.node(term) else { return None };
    match (store.node(a), store.node(b)) {
        (Node::Symbol(symbol), Node::Bits(..)) | (Node::Bits(..), Node::Symbol(symbol)) => Some(symbol),
        _ => None,
    }
}
