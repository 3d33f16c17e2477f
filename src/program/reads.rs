//! What terms and edges mention: walks over the graph of a term that visit each shared node once.
//!
//! A [`Walker`] keeps its marks between walks, so that many walks over small terms of a large store cost what the
//! terms cost, not what the store does.

use super::{Action, Edge};
use crate::ground::index::Index;
use crate::term::{Node, Store, Symbol, Term};

/// Walks over terms of one store.
#[derive(Clone, Debug, Default)]
pub struct Walker {
    /// For each term, the last walk that visited it.
    marks: Vec<u32>,
    round: u32,
    stack: Vec<Term>,
}

impl Walker {
    /// A walker that has visited nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Visits every node below the roots once, each after the node that first led to it.
    pub fn visit(
        &mut self,
        store: &Store,
        roots: impl IntoIterator<Item = Term>,
        mut each: impl FnMut(Term),
    ) {
        self.begin(store);
        for root in roots {
            self.push(root);
            while let Some(term) = self.stack.pop() {
                each(term);
                store.node(term).operands().for_each(|operand| self.push(operand));
            }
        }
    }

    fn begin(&mut self, store: &Store) {
        self.marks.resize(store.len(), 0);
        if self.round == u32::MAX {
            self.marks.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    fn push(&mut self, term: Term) {
        let mark = &mut self.marks[term.index()];
        if *mark != self.round {
            *mark = self.round;
            self.stack.push(term);
        }
    }

    /// The symbols that the terms mention, in their order.
    pub fn symbols(&mut self, store: &Store, roots: impl IntoIterator<Item = Term>) -> Vec<Symbol> {
        let mut found = Vec::new();
        self.visit(store, roots, |term| {
            if let Node::Symbol(symbol) = store.node(term) {
                found.push(symbol);
            }
        });
        found.sort_unstable();
        found
    }

    /// How many different nodes the terms have.
    pub fn size(&mut self, store: &Store, roots: impl IntoIterator<Item = Term>) -> usize {
        let mut count = 0;
        self.visit(store, roots, |_| count += 1);
        count
    }
}

impl Edge {
    /// The terms that it evaluates in the state at its start.
    #[must_use]
    pub fn terms(&self) -> Vec<Term> {
        match &self.action {
            Action::Block(block) => {
                let values = block.updates.iter().map(|&(_, value)| value);
                std::iter::once(block.guard).chain(values).collect()
            }
            Action::Call { arguments, .. } | Action::Start { arguments, .. } => arguments.clone(),
            _ => Vec::new(),
        }
    }

    /// The variables that it writes itself (what a called procedure writes is not among them).
    #[must_use]
    pub fn writes(&self) -> Vec<Symbol> {
        match &self.action {
            Action::Block(block) => block.updates.iter().map(|&(symbol, _)| symbol).collect(),
            Action::Call { result, .. } => result.iter().copied().collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Operator, Sort};

    #[test]
    fn shared_nodes_are_visited_once() {
        let mut store = Store::new();
        let x = store.fresh("x", Sort::Bits(32));
        let y = store.fresh("y", Sort::Bits(32));
        let mut term = store.symbol(x);
        let other = store.symbol(y);
        term = store.binary(Operator::Xor, term, other);
        for _ in 0..60 {
            term = store.binary(Operator::Multiply, term, term);
        }
        let mut walker = Walker::new();
        assert_eq!(walker.symbols(&store, [term]), [x, y]);
        assert_eq!(walker.size(&store, [term, other]), 63);
        assert_eq!(walker.symbols(&store, [other]), [y], "marks of an earlier walk do not count");
    }
}
