//! Walking over the graph of a term.
//!
//! Operands are interned before what they are operands of, so ids are a topological order: whatever is computed from the
//! operands up is one loop over the reachable ids in increasing order, without recursion however deep the term is.

use super::{Node, Store, Term};
use rustc_hash::FxHashSet;

/// The operands of a node.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    terms: [Option<Term>; 3],
}

impl Iterator for Operands {
    type Item = Term;
    fn next(&mut self) -> Option<Term> {
        let first = self.terms[0].take();
        self.terms.rotate_left(1);
        first
    }
}

impl Node {
    /// The operands, in order.
    #[must_use]
    pub fn operands(self) -> Operands {
        let terms = match self {
            Node::Symbol(_) | Node::Boolean(_) | Node::Bits(..) => [None, None, None],
            Node::Not(a)
            | Node::Extract { of: a, .. }
            | Node::ZeroExtend(_, a)
            | Node::SignExtend(_, a)
            | Node::FloatUnary(_, a)
            | Node::Constant(_, a) => [Some(a), None, None],
            Node::And(a, b)
            | Node::Or(a, b)
            | Node::Equal(a, b)
            | Node::UnsignedLess(a, b)
            | Node::SignedLess(a, b)
            | Node::Binary(_, a, b)
            | Node::FloatBinary(_, a, b)
            | Node::FloatCompare(_, a, b)
            | Node::Concatenate(a, b)
            | Node::Select(a, b) => [Some(a), Some(b), None],
            Node::Choose(a, b, c) | Node::Store(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        Operands { terms }
    }
}

impl Store {
    /// The conjuncts of a truth value, from left to right.
    #[must_use]
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let mut found = Vec::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match self.node(term) {
                Node::And(left, right) => open.extend([right, left]),
                Node::Boolean(true) => {}
                _ => found.push(term),
            }
        }
        found
    }

    /// All terms that these consist of, each once, operands before what they are operands of.
    #[must_use]
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        self.reachable_unless(roots, |_| false)
    }

    /// The same without the terms that are known, and without what is only below them.
    #[must_use]
    pub fn reachable_unless(&self, roots: &[Term], known: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(term) = stack.pop() {
            if !known(term) && seen.insert(term) {
                found.push(term);
                stack.extend(self.node(term).operands());
            }
        }
        found.sort_unstable();
        found
    }

    /// The node with other operands, built anew. The node may be of another store, if it is no symbol.
    pub(crate) fn rebuild(&mut self, node: Node, mut operand: impl FnMut(Term) -> Term) -> Term {
        match node {
            Node::Symbol(symbol) => self.symbol(symbol),
            Node::Boolean(value) => self.boolean(value),
            Node::Bits(width, value) => self.bits(width, value),
            Node::Not(a) => self.not(operand(a)),
            Node::And(a, b) => self.and(operand(a), operand(b)),
            Node::Or(a, b) => self.or(operand(a), operand(b)),
            Node::Equal(a, b) => self.equal(operand(a), operand(b)),
            Node::UnsignedLess(a, b) => self.unsigned_less(operand(a), operand(b)),
            Node::SignedLess(a, b) => self.signed_less(operand(a), operand(b)),
            Node::Choose(c, a, b) => self.choose(operand(c), operand(a), operand(b)),
            Node::Binary(operator, a, b) => self.binary(operator, operand(a), operand(b)),
            Node::FloatBinary(operator, a, b) => self.float_binary(operator, operand(a), operand(b)),
            Node::FloatCompare(relation, a, b) => self.float_compare(relation, operand(a), operand(b)),
            Node::FloatUnary(function, a) => self.float_unary(function, operand(a)),
            Node::Extract { low, width, of } => self.extract(low, width, operand(of)),
            Node::Concatenate(a, b) => self.concatenate(operand(a), operand(b)),
            Node::ZeroExtend(width, a) => self.zero_extend(width, operand(a)),
            Node::SignExtend(width, a) => self.sign_extend(width, operand(a)),
            Node::Select(a, i) => self.select(operand(a), operand(i)),
            Node::Store(a, i, e) => self.store(operand(a), operand(i), operand(e)),
            Node::Constant(width, e) => self.constant_array(width, operand(e)),
        }
    }
}
