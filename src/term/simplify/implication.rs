//! When one literal implies another, as far as a glance can tell.
//!
//! Literals about the same term and constants (`x == 3`, `x < 5`, `!(x < 7)`) are compared by their constants. The
//! conjunction of path conditions is where this pays: `x == 3 && x != 4` is `x == 3`.

use super::super::arithmetic::less;
use super::super::{Node, Signedness, Store, Term};

/// An atom or its negation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) atom: Term,
    pub(super) positive: bool,
}

impl Literal {
    pub(super) fn negated(self) -> Self {
        Self { positive: !self.positive, ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Less(Signedness),
}

/// What an atom says of a term and a constant.
#[derive(Clone, Copy)]
struct Fact {
    relation: Relation,
    term: Term,
    constant: u128,
    width: u32,
}

impl Fact {
    /// Whether the atom is true where its term has this value.
    fn holds_at(self, value: u128) -> bool {
        match self.relation {
            Relation::Equal => value == self.constant,
            Relation::Less(signedness) => less(signedness, self.width, value, self.constant),
        }
    }
}

pub(super) fn literal(store: &Store, term: Term) -> Literal {
    match store.node(term) {
        Node::Not(atom) => Literal { atom, positive: false },
        _ => Literal { atom: term, positive: true },
    }
}

/// Whether `a` is seen to imply `b`.
pub(super) fn implies_literal(store: &Store, a: Literal, b: Literal) -> bool {
    if a.atom == b.atom {
        return a.positive == b.positive;
    }
    match (fact(store, a.atom), fact(store, b.atom)) {
        (Some(left), Some(right)) if left.term == right.term => implied(a.positive, left, b.positive, right),
        _ => false,
    }
}

/// Whether the two are seen not to hold together.
pub(super) fn contradicts(store: &Store, a: Literal, b: Literal) -> bool {
    implies_literal(store, a, b.negated())
}

fn fact(store: &Store, atom: Term) -> Option<Fact> {
    let (relation, term, constant) = match store.node(atom) {
        Node::Equal(x, c) => (Relation::Equal, x, c),
        Node::UnsignedLess(x, c) => (Relation::Less(Signedness::Unsigned), x, c),
        Node::SignedLess(x, c) => (Relation::Less(Signedness::Signed), x, c),
        _ => return None,
    };
    let Node::Bits(width, constant) = store.node(constant) else { return None };
    Some(Fact { relation, term, constant, width })
}

fn implied(left_positive: bool, left: Fact, right_positive: bool, right: Fact) -> bool {
    match (left.relation, left_positive, right.relation, right_positive) {
        (Relation::Equal, true, _, _) => right.holds_at(left.constant) == right_positive,
        // All of one side of the bound, so never a value on the other.
        (Relation::Less(_), _, Relation::Equal, false) => left.holds_at(right.constant) != left_positive,
        (Relation::Less(a), true, Relation::Less(b), true) if a == b => {
            !less(a, left.width, right.constant, left.constant)
        }
        (Relation::Less(a), false, Relation::Less(b), false) if a == b => {
            !less(a, left.width, left.constant, right.constant)
        }
        _ => false,
    }
}
