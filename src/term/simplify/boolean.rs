//! Negation, conjunction, disjunction.
//!
//! Conjunction and disjunction are one rule, read in both ways: [`Junction`] says which. De Morgan is applied only where
//! it makes the term smaller.

use super::super::{Node, Sort, Store, Term};
use super::implication::Literal;

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

impl Store {
    pub(in crate::term) fn simplify_not(&mut self, a: Term) -> Term {
        match self.node(a) {
            Node::Boolean(value) => self.boolean(!value),
            Node::Not(inner) => inner,
            Node::And(x, y) => self.negate_junction(Junction::And, a, x, y),
            Node::Or(x, y) => self.negate_junction(Junction::Or, a, x, y),
            _ => self.intern(Node::Not(a), Sort::Boolean),
        }
    }

    /// `!(!x && y)` is `x || !y`, unless negating `y` is again a matter of junctions.
    fn negate_junction(&mut self, junction: Junction, whole: Term, x: Term, y: Term) -> Term {
        let (x_negated, y_negated) = (self.is_negation(x), self.is_negation(y));
        let flat = |store: &Self, term| store.parts(term).is_none();
        if (x_negated && flat(self, y)) || (y_negated && flat(self, x)) {
            let (x, y) = (self.not(x), self.not(y));
            return self.join(junction.dual(), x, y);
        }
        self.intern(Node::Not(whole), Sort::Boolean)
    }

    fn is_negation(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Not(_))
    }

    pub(in crate::term) fn simplify_and(&mut self, a: Term, b: Term) -> Term {
        self.join(Junction::And, a, b)
    }

    pub(in crate::term) fn simplify_or(&mut self, a: Term, b: Term) -> Term {
        self.join(Junction::Or, a, b)
    }

    fn join(&mut self, junction: Junction, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.truth(b) {
            let neutral = value == (junction == Junction::And);
            return if neutral { a } else { b };
        }
        self.join_literals(junction, a, b)
            .or_else(|| self.join_nested(junction, a, b))
            .or_else(|| self.join_nested(junction, b, a))
            .unwrap_or_else(|| self.intern_junction(junction, a, b))
    }

    fn intern_junction(&mut self, junction: Junction, a: Term, b: Term) -> Term {
        let node = match junction {
            Junction::And => Node::And(a, b),
            Junction::Or => Node::Or(a, b),
        };
        self.intern(node, Sort::Boolean)
    }

    /// The literal of which a conjunction speaks; for a disjunction, its negation: `a || b` is `!(!a && !b)`.
    fn literal_under(&self, junction: Junction, term: Term) -> Literal {
        let literal = self.literal(term);
        if junction == Junction::And { literal } else { literal.negated() }
    }

    /// Where one operand implies the other or its negation.
    fn join_literals(&mut self, junction: Junction, a: Term, b: Term) -> Option<Term> {
        let (x, y) = (self.literal_under(junction, a), self.literal_under(junction, b));
        if self.implies_literal(x, y) {
            Some(a)
        } else if self.implies_literal(y, x) {
            Some(b)
        } else if self.contradicts(x, y) {
            Some(self.boolean(junction == Junction::Or))
        } else {
            None
        }
    }

    /// Where `a` is a junction itself: `(p && q) && b`, `(p || q) && b`.
    fn join_nested(&mut self, junction: Junction, a: Term, b: Term) -> Option<Term> {
        let (inner, p, q) = self.parts(a)?;
        let literals = [p, q, b].map(|term| self.literal_under(junction, term));
        if inner == junction {
            self.join_same(junction, a, literals)
        } else {
            self.absorb(junction, [p, q, b], literals)
        }
    }

    fn join_same(&mut self, junction: Junction, a: Term, [p, q, b]: [Literal; 3]) -> Option<Term> {
        if self.implies_literal(p, b) || self.implies_literal(q, b) {
            Some(a)
        } else if self.contradicts(p, b) || self.contradicts(q, b) {
            Some(self.boolean(junction == Junction::Or))
        } else {
            None
        }
    }

    /// `(p || q) && b`: `b` if it implies `p` or `q`, and if it contradicts `p`, then `q && b`.
    fn absorb(&mut self, junction: Junction, terms: [Term; 3], literals: [Literal; 3]) -> Option<Term> {
        let ([p, q, b], [p_literal, q_literal, b_literal]) = (terms, literals);
        if self.implies_literal(b_literal, p_literal) || self.implies_literal(b_literal, q_literal) {
            return Some(b);
        }
        let rest = if self.contradicts(b_literal, p_literal) {
            q
        } else if self.contradicts(b_literal, q_literal) {
            p
        } else {
            return None;
        };
        // A rest that is a junction could start this over, again and again.
        (self.parts(rest).is_none()).then(|| self.join(junction, rest, b))
    }

    fn parts(&self, term: Term) -> Option<(Junction, Term, Term)> {
        match self.node(term) {
            Node::And(p, q) => Some((Junction::And, p, q)),
            Node::Or(p, q) => Some((Junction::Or, p, q)),
            _ => None,
        }
    }
}
