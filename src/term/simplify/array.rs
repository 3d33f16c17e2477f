//! Reading and writing arrays.
//!
//! A read walks down the writes as long as each is seen to be at the same index, which answers it, or at another, which is
//! passed over. Indices differ if they are different constants, or the same term with different offsets.

use super::super::{Node, Sort, Store, Term};

/// How many writes a read passes over.
const WRITES: usize = 256;

pub(in crate::term) fn read(store: &mut Store, mut array: Term, index: Term) -> Term {
    for _ in 0..WRITES {
        match store.node(array) {
            Node::Store(_, at, element) if at == index => return element,
            Node::Store(below, at, _) if differ(store, at, index) => array = below,
            Node::Constant(_, element) => return element,
            _ => break,
        }
    }
    let (_, element) = store.array_widths(array);
    store.intern(Node::Select(array, index), Sort::Bits(element))
}

pub(in crate::term) fn write(store: &mut Store, array: Term, index: Term, element: Term) -> Term {
    if store.node(element) == Node::Select(array, index) {
        return array;
    }
    match store.node(array) {
        Node::Store(below, at, _) if at == index => write(store, below, index, element),
        Node::Constant(_, same) if same == element => array,
        _ => {
            let sort = store.sort(array);
            store.intern(Node::Store(array, index, element), sort)
        }
    }
}

/// Whether two indices are seen to differ.
fn differ(store: &Store, a: Term, b: Term) -> bool {
    if let (Some(a), Some(b)) = (store.constant(a), store.constant(b)) {
        return a != b;
    }
    let ((x, c), (y, d)) = (store.offset(a), store.offset(b));
    x == y && c != d
}
