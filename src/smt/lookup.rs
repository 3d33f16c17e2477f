//! Reads of an array that many writes have made.
//!
//! The memory that a C program starts with is such an array: each byte of its strings and tables is a write at a constant
//! address. Z3's theory of arrays relates each write to each of the others, which takes it minutes for a few hundred, even
//! if one read is all that is asked for. So a read through a long chain of writes is told as choices: by comparisons of its
//! index with those of the writes, the last one first. Writes at constant indices next to each other in the chain are a
//! table, by pages: so that most comparisons are narrow.

use super::translate::{Translator, numeral};
use crate::term::{Node, Store, Term};
use std::collections::BTreeMap;
use z3::ast::BV;

/// A chain of fewer writes is left to the theory of arrays.
const LONG: usize = 24;

/// A table has a page for all indices that differ in their lowest bits only: so many.
const PAGE: u32 = 8;

/// Writes, of which those at constant indices are together.
enum Layer {
    /// At any index.
    Cell(Term, Term),
    /// At constant indices.
    Table(BTreeMap<u128, Term>),
}

impl Translator {
    /// The element of an array at an index, both of which are translated.
    pub(super) fn look_up(&self, store: &Store, array: Term, index: Term) -> BV {
        let index = self.bits(index);
        let (rest, layers) = if is_long(store, array) { layers(store, array) } else { (array, Vec::new()) };
        let mut element = match store.node(rest) {
            Node::Constant(_, element) if !layers.is_empty() => self.bits(element).clone(),
            _ => self.array(rest).select(index).as_bv().expect("arrays have bit vectors as elements"),
        };
        for layer in layers.into_iter().rev() {
            element = match layer {
                Layer::Cell(at, value) => index.eq(self.bits(at)).ite(self.bits(value), &element),
                Layer::Table(table) => self.by_pages(index, &table, element),
            };
        }
        element
    }

    /// The entry of a table, or what there is otherwise.
    fn by_pages(&self, index: &BV, table: &BTreeMap<u128, Term>, otherwise: BV) -> BV {
        let width = index.get_size();
        if width <= PAGE {
            return self.in_page(index, 0, table.iter(), &otherwise);
        }
        let (high, low) = (index.extract(width - 1, PAGE), index.extract(PAGE - 1, 0));
        let mut pages: Vec<u128> = table.keys().map(|at| at >> PAGE).collect();
        pages.dedup();
        pages.into_iter().fold(otherwise.clone(), |others, page| {
            let (first, last) = (page << PAGE, page << PAGE | ((1 << PAGE) - 1));
            let here = self.in_page(&low, first, table.range(first..=last), &otherwise);
            high.eq(numeral(width - PAGE, page)).ite(&here, &others)
        })
    }

    fn in_page<'t>(
        &self,
        low: &BV,
        first: u128,
        entries: impl Iterator<Item = (&'t u128, &'t Term)>,
        otherwise: &BV,
    ) -> BV {
        entries.fold(otherwise.clone(), |others, (at, &value)| {
            low.eq(numeral(low.get_size(), at - first)).ite(self.bits(value), &others)
        })
    }
}

fn is_long(store: &Store, array: Term) -> bool {
    let chain = std::iter::successors(Some(array), |&array| match store.node(array) {
        Node::Store(inner, ..) => Some(inner),
        _ => None,
    });
    chain.take(LONG + 1).count() > LONG
}

/// The writes of a chain, the last one first, and what they were made to.
fn layers(store: &Store, mut array: Term) -> (Term, Vec<Layer>) {
    let mut layers = Vec::new();
    while let Node::Store(inner, at, value) = store.node(array) {
        match (store.node(at), layers.last_mut()) {
            // A later write hides an earlier one.
            (Node::Bits(_, at), Some(Layer::Table(table))) => _ = table.entry(at).or_insert(value),
            (Node::Bits(_, at), _) => layers.push(Layer::Table(BTreeMap::from([(at, value)]))),
            _ => layers.push(Layer::Cell(at, value)),
        }
        array = inner;
    }
    (array, layers)
}
