//! What edges read and write, once for all: dependences are looked at again and again.

use crate::ground::index::{Index as _, IndexVec};
use crate::program::reads::Walker;
use crate::program::{Action, Edge, EdgeId, LocationId, Procedure, Program};
use crate::term::{Node, Store, Symbol, Term};
use std::collections::BTreeMap;

/// What the terms of an edge mention.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    pub guard: Vec<Symbol>,
    /// For each update of a block, or each argument, in order.
    pub values: Vec<Vec<Symbol>>,
}

/// What is known of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub reads: IndexVec<EdgeId, Reads>,
    pub outgoing: IndexVec<LocationId, Vec<EdgeId>>,
    pub incoming: IndexVec<LocationId, Vec<EdgeId>>,
    /// Whether one of its edges can be taken in every state.
    pub total: IndexVec<LocationId, bool>,
}

impl Facts {
    pub fn of(program: &Program, procedure: &Procedure, walker: &mut Walker) -> Self {
        let store = &program.store;
        let lists = IndexVec::filled(Vec::new(), procedure.locations.len());
        let (mut outgoing, mut incoming) = (lists.clone(), lists);
        for (id, edge) in procedure.edges.enumerate() {
            outgoing[edge.from].push(id);
            incoming[edge.to].push(id);
        }
        let reads = procedure.edges.iter().map(|edge| Reads::of(store, edge, walker)).collect();
        let total = |edges: &Vec<EdgeId>| {
            let guards = edges.iter().map(|&edge| guard(&procedure.edges[edge]));
            guards.collect::<Option<Vec<Term>>>().is_none_or(|guards| one_holds(store, &guards))
        };
        let total = outgoing.iter().map(total).collect();
        Self { reads: IndexVec::from_vec(reads), outgoing, incoming, total: IndexVec::from_vec(total) }
    }
}

impl Reads {
    fn of(store: &Store, edge: &Edge, walker: &mut Walker) -> Self {
        let mut symbols = |term: Term| walker.symbols(store, [term]);
        match &edge.action {
            Action::Block(block) => Self {
                guard: symbols(block.guard),
                values: block.updates.iter().map(|&(_, value)| symbols(value)).collect(),
            },
            Action::Call { arguments, .. } | Action::Start { arguments, .. } => Self {
                guard: Vec::new(),
                values: arguments.iter().map(|&argument| symbols(argument)).collect(),
            },
            _ => Self::default(),
        }
    }
}

/// The guard of an edge; none if it can be taken in any case.
fn guard(edge: &Edge) -> Option<Term> {
    match &edge.action {
        Action::Block(block) => Some(block.guard),
        _ => None,
    }
}

/// No more cases than this are told apart.
const CASES: usize = 2_000;

/// Whether one of the guards holds in every state, as far as their Boolean structure tells: conditions that are no
/// connectives may be true or false, each for itself.
fn one_holds(store: &Store, guards: &[Term]) -> bool {
    // Cases over one condition after the other, until the guards are decided.
    let mut open = vec![BTreeMap::new()];
    for _ in 0..CASES {
        let Some(case) = open.pop() else { return true };
        let mut undecided = None;
        let holds = guards.iter().any(|&guard| match value(store, guard, &case) {
            Value::Known(value) => value,
            Value::Depends(on) => {
                undecided = Some(on);
                false
            }
        });
        match undecided {
            _ if holds => {}
            None => return false,
            Some(condition) => {
                open.extend([false, true].map(|value| {
                    let mut further = case.clone();
                    further.insert(condition, value);
                    further
                }));
            }
        }
    }
    false
}

/// What a truth value is in a case, or a condition that it depends on.
enum Value {
    Known(bool),
    Depends(Term),
}

/// Guards may be deep, so this goes over their nodes with a stack of its own.
fn value(store: &Store, guard: Term, case: &BTreeMap<Term, bool>) -> Value {
    let mut known: BTreeMap<Term, Result<bool, Term>> = BTreeMap::new();
    let mut stack = vec![guard];
    while let Some(&term) = stack.last() {
        let operands = connected(store.node(term));
        let missing: Vec<Term> = operands.iter().copied().filter(|one| !known.contains_key(one)).collect();
        if known.contains_key(&term) || missing.is_empty() {
            stack.pop();
            let values: Vec<Result<bool, Term>> = operands.iter().map(|one| known[one]).collect();
            let found = match case.get(&term) {
                Some(&value) => Ok(value),
                None => combined(store.node(term), term, &values),
            };
            known.insert(term, found);
        } else {
            stack.extend(missing);
        }
    }
    known[&guard].map_or_else(Value::Depends, Value::Known)
}

/// The operands of a connective.
fn connected(node: Node) -> Vec<Term> {
    match node {
        Node::Not(a) => vec![a],
        Node::And(a, b) | Node::Or(a, b) => vec![a, b],
        _ => Vec::new(),
    }
}

/// A truth value from those of its operands.
fn combined(node: Node, term: Term, values: &[Result<bool, Term>]) -> Result<bool, Term> {
    match (node, values) {
        (Node::Boolean(value), _) => Ok(value),
        (Node::Not(_), &[a]) => a.map(|a| !a),
        (Node::And(..), &[a, b]) if a == Ok(false) || b == Ok(false) => Ok(false),
        (Node::Or(..), &[a, b]) if a == Ok(true) || b == Ok(true) => Ok(true),
        (Node::And(..), &[a, b]) => a.and(b),
        (Node::Or(..), &[a, b]) => a.and(b),
        _ => Err(term),
    }
}

/// For each symbol the procedures that write it, by number.
pub(super) fn writers(program: &Program) -> IndexVec<Symbol, Vec<usize>> {
    let mut writers = IndexVec::filled(Vec::new(), program.variables.len());
    for (id, procedure) in program.procedures.enumerate() {
        for symbol in procedure.edges.iter().flat_map(Edge::writes) {
            let known: &mut Vec<usize> = &mut writers[symbol];
            if known.last() != Some(&id.index()) {
                known.push(id.index());
            }
        }
    }
    writers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn guards_are_total_by_their_structure() {
        let mut store = Store::new();
        let mut condition = |name: &str| {
            let symbol = store.fresh(name, Sort::Boolean);
            store.symbol(symbol)
        };
        let (a, b) = (condition("a"), condition("b"));
        let (no_a, no_b) = (store.not(a), store.not(b));
        let (both, only, neither) = (store.and(a, b), store.and(a, no_b), store.and(no_a, no_b));
        let always = store.boolean(true);
        for (guards, wanted) in [
            (vec![always], true),
            (vec![a, no_a], true),
            (vec![both, only, no_a], true),
            (vec![a, b, neither], true),
            (vec![a], false),
            (vec![both, only], false),
            (vec![both, neither], false),
            (vec![], false),
        ] {
            assert_eq!(one_holds(&store, &guards), wanted, "{guards:?}");
        }
    }
}
