//! If, then, else.
//!
//! A choice between truth values is a conjunction or a disjunction; a choice on a negated condition is turned round; and
//! nested choices with a common arm are merged. That, with comparisons that look into choices, undoes what compilers do to
//! truth values on their way through `int`.

use super::super::{Node, Sort, Store, Term};

impl Store {
    pub(in crate::term) fn simplify_choose(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        if yes == no {
            return yes;
        }
        match self.node(condition) {
            Node::Boolean(true) => return yes,
            Node::Boolean(false) => return no,
            Node::Not(inner) => return self.simplify_choose(inner, no, yes),
            _ => {}
        }
        if self.sort(yes) == Sort::Boolean {
            return self.choose_boolean(condition, yes, no);
        }
        self.choose_single_bit(condition, yes, no)
            .or_else(|| self.choose_same_as_operand(condition, yes, no))
            .or_else(|| self.choose_nested(condition, yes, no))
            .unwrap_or_else(|| {
                let sort = self.sort(yes);
                self.intern(Node::Choose(condition, yes, no), sort)
            })
    }

    fn choose_boolean(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        let negated = self.not(condition);
        match (self.truth(yes), self.truth(no)) {
            (Some(true), _) => return self.or(condition, no),
            (Some(false), _) => return self.and(negated, no),
            (_, Some(true)) => return self.or(negated, yes),
            (_, Some(false)) => return self.and(condition, yes),
            (None, None) => {}
        }
        if yes == condition {
            self.or(condition, no)
        } else if no == condition {
            self.and(condition, yes)
        } else if yes == negated {
            self.and(negated, no)
        } else if no == negated {
            self.or(negated, yes)
        } else if self.not(yes) == no {
            self.equal(condition, yes)
        } else {
            self.intern(Node::Choose(condition, yes, no), Sort::Boolean)
        }
    }

    /// `x == 1 ? 1 : 0` of a single bit is the bit, extended.
    fn choose_single_bit(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        let (Node::Bits(width, yes), Node::Bits(_, no)) = (self.node(yes), self.node(no)) else {
            return None;
        };
        let Node::Equal(bit, one) = self.node(condition) else { return None };
        if self.node(one) != Node::Bits(1, 1) {
            return None;
        }
        let bit = match (yes, no) {
            (1, 0) => bit,
            (0, 1) => self.complement(bit),
            _ => return None,
        };
        Some(self.zero_extend(width, bit))
    }

    /// `x == k ? k : x` is `x`.
    fn choose_same_as_operand(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        let Node::Equal(a, b) = self.node(condition) else { return None };
        ((yes == a && no == b) || (yes == b && no == a)).then_some(no)
    }

    /// A choice below this one, on the same condition or with an arm in common.
    fn choose_nested(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        if let Node::Choose(inner, a, b) = self.node(yes) {
            if inner == condition {
                return Some(self.simplify_choose(condition, a, no));
            }
            if b == no {
                return Some(self.choose_if_both(condition, inner, a, no));
            }
            if a == no {
                let inner = self.not(inner);
                return Some(self.choose_if_both(condition, inner, b, no));
            }
        }
        let Node::Choose(inner, a, b) = self.node(no) else { return None };
        if inner == condition {
            return Some(self.simplify_choose(condition, yes, b));
        }
        let negated = self.not(condition);
        if a == yes {
            let inner = self.not(inner);
            return Some(self.choose_if_both(negated, inner, b, yes));
        }
        (b == yes).then(|| self.choose_if_both(negated, inner, a, yes))
    }

    fn choose_if_both(&mut self, first: Term, second: Term, yes: Term, no: Term) -> Term {
        let both = self.and(first, second);
        self.simplify_choose(both, yes, no)
    }
}
