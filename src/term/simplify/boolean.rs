//! Negation, conjunction, disjunction.
//!
//! Conjunction and disjunction are one rule, read in both ways: [`Junction`] says which. De Morgan is applied only where
//! it makes the term smaller.

use super::super::{Node, Sort, Store, Term};
use super::implication::{self, Literal};
use super::operand;

/// Conjunction or disjunction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Junction {
    And,
    Or,
}

impl Junction {
    fn dual(self) -> Self {
        match self {
            Self::And => Self::Or,
            Self::Or => Self::And,
        }
    }
}

pub(in crate::term) fn not(store: &mut Store, a: Term) -> Term {
    match store.node(a) {
        Node::Boolean(value) => store.boolean(!value),
        Node::Not(inner) => inner,
        Node::And(x, y) => negate_junction(store, Junction::And, a, x, y),
        Node::Or(x, y) => negate_junction(store, Junction::Or, a, x, y),
        _ => store.intern(Node::Not(a), Sort::Boolean),
    }
}

/// `!(!x && y)` is `x || !y`, unless negating `y` is again a matter of junctions.
fn negate_junction(store: &mut Store, junction: Junction, whole: Term, x: Term, y: Term) -> Term {
    let (x_negated, y_negated) = (is_negation(store, x), is_negation(store, y));
    let flat = |store: &Store, term| parts(store, term).is_none();
    if (x_negated && flat(store, y)) || (y_negated && flat(store, x)) {
        let (x, y) = (store.not(x), store.not(y));
        return join(store, junction.dual(), x, y);
    }
    store.intern(Node::Not(whole), Sort::Boolean)
}

fn is_negation(store: &Store, term: Term) -> bool {
    matches!(store.node(term), Node::Not(_))
}

pub(in crate::term) fn and(store: &mut Store, a: Term, b: Term) -> Term {
    join(store, Junction::And, a, b)
}

pub(in crate::term) fn or(store: &mut Store, a: Term, b: Term) -> Term {
    join(store, Junction::Or, a, b)
}

fn join(store: &mut Store, junction: Junction, a: Term, b: Term) -> Term {
    let (a, b) = operand::ordered(store, a, b);
    if let Some(value) = store.truth(b) {
        let neutral = value == (junction == Junction::And);
        return if neutral { a } else { b };
    }
    join_literals(store, junction, a, b)
        .or_else(|| join_nested(store, junction, a, b))
        .or_else(|| join_nested(store, junction, b, a))
        .unwrap_or_else(|| intern_junction(store, junction, a, b))
}

fn intern_junction(store: &mut Store, junction: Junction, a: Term, b: Term) -> Term {
    let node = match junction {
        Junction::And => Node::And(a, b),
        Junction::Or => Node::Or(a, b),
    };
    store.intern(node, Sort::Boolean)
}

/// The literal of which a conjunction speaks; for a disjunction, its negation: `a || b` is `!(!a && !b)`.
fn literal_under(store: &Store, junction: Junction, term: Term) -> Literal {
    let literal = implication::literal(store, term);
    if junction == Junction::And { literal } else { literal.negated() }
}

/// Where one operand implies the other or its negation.
fn join_literals(store: &mut Store, junction: Junction, a: Term, b: Term) -> Option<Term> {
    let (x, y) = (literal_under(store, junction, a), literal_under(store, junction, b));
    if implication::implies_literal(store, x, y) {
        Some(a)
    } else if implication::implies_literal(store, y, x) {
        Some(b)
    } else if implication::contradicts(store, x, y) {
        Some(store.boolean(junction == Junction::Or))
    } else {
        None
    }
}

/// Where `a` is a junction itself: `(p && q) && b`, `(p || q) && b`.
fn join_nested(store: &mut Store, junction: Junction, a: Term, b: Term) -> Option<Term> {
    let (inner, p, q) = parts(store, a)?;
    let literals = [p, q, b].map(|term| literal_under(store, junction, term));
    if inner == junction {
        join_same(store, junction, a, literals)
    } else {
        absorb(store, junction, [p, q, b], literals)
    }
}

fn join_same(store: &mut Store, junction: Junction, a: Term, [p, q, b]: [Literal; 3]) -> Option<Term> {
    if implication::implies_literal(store, p, b) || implication::implies_literal(store, q, b) {
        Some(a)
    } else if implication::contradicts(store, p, b) || implication::contradicts(store, q, b) {
        Some(store.boolean(junction == Junction::Or))
    } else {
        None
    }
}

/// `(p || q) && b`: `b` if it implies `p` or `q`, and if it contradicts `p`, then `q && b`.
fn absorb(store: &mut Store, junction: Junction, terms: [Term; 3], literals: [Literal; 3]) -> Option<Term> {
    let ([p, q, b], [p_literal, q_literal, b_literal]) = (terms, literals);
    if implication::implies_literal(store, b_literal, p_literal)
        || implication::implies_literal(store, b_literal, q_literal)
    {
        return Some(b);
    }
    let rest = if implication::contradicts(store, b_literal, p_literal) {
        q
    } else if implication::contradicts(store, b_literal, q_literal) {
        p
    } else {
        return None;
    };
    // A rest that is a junction could start this over, again and again.
    (parts(store, rest).is_none()).then(|| join(store, junction, rest, b))
}

fn parts(store: &Store, term: Term) -> Option<(Junction, Term, Term)> {
    match store.node(term) {
        Node::And(p, q) => Some((Junction::And, p, q)),
        Node::Or(p, q) => Some((Junction::Or, p, q)),
        _ => None,
    }
}
