//! Choices that are decided on the path.

use crate::term::{Node, Store, Term};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;

/// A term whose decided choices are made, and the conditions of those that matter.
pub(super) fn specialised(
    store: &mut Store,
    term: Term,
    decided: &FxHashMap<Term, bool>,
    done: &mut FxHashMap<Term, Term>,
    conditions: &mut IndexSet<Term>,
) -> Term {
    let mut open = vec![term];
    while let Some(&next) = open.last() {
        if done.contains_key(&next) {
            open.pop();
            continue;
        }
        let node = store.node(next);
        let chosen = match node {
            Node::Choose(condition, yes, no) => {
                decided.get(&condition).map(|&truth| if truth { yes } else { no })
            }
            _ => None,
        };
        let needed: Vec<Term> = match chosen {
            Some(chosen) => vec![chosen],
            None => node.operands().collect(),
        };
        let missing: Vec<Term> = needed.into_iter().filter(|part| !done.contains_key(part)).collect();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        open.pop();
        let result = match (chosen, node) {
            (Some(chosen), Node::Choose(condition, ..)) => {
                let holds = if decided[&condition] { condition } else { store.not(condition) };
                conditions.insert(holds);
                done[&chosen]
            }
            _ if node.operands().all(|operand| done[&operand] == operand) => next,
            _ => store.rebuild(node, |operand| done[&operand]),
        };
        done.insert(next, result);
    }
    done[&term]
}
