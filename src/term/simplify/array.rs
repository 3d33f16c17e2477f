//! Reading and writing arrays.
//!
//! A read walks down the writes as long as each is seen to be at the same index, which answers it, or at another, which is
//! passed over. Indices differ if they are different constants, or the same term with different offsets.

use super::super::{Node, Sort, Store, Term};

/// How many writes a read passes over.
const WRITES: usize = 256;

impl Store {
    pub(in crate::term) fn simplify_select(&mut self, mut array: Term, index: Term) -> Term {
        for _ in 0..WRITES {
            match self.node(array) {
                Node::Store(_, at, element) if at == index => return element,
                Node::Store(below, at, _) if self.differ(at, index) => array = below,
                Node::Constant(_, element) => return element,
                _ => break,
            }
        }
        let (_, element) = self.array_widths(array);
        self.intern(Node::Select(array, index), Sort::Bits(element))
    }

    pub(in crate::term) fn simplify_store(&mut self, array: Term, index: Term, element: Term) -> Term {
        if self.node(element) == Node::Select(array, index) {
            return array;
        }
        match self.node(array) {
            Node::Store(below, at, _) if at == index => self.simplify_store(below, index, element),
            Node::Constant(_, same) if same == element => array,
            _ => {
                let sort = self.sort(array);
                self.intern(Node::Store(array, index, element), sort)
            }
        }
    }

    /// Whether two indices are seen to differ.
    fn differ(&self, a: Term, b: Term) -> bool {
        if let (Some(a), Some(b)) = (self.constant(a), self.constant(b)) {
            return a != b;
        }
        let ((x, c), (y, d)) = (self.offset(a), self.offset(b));
        x == y && c != d
    }
}
