//! Substitution, symbols, sizes, copies: against trees and on deep terms.

use super::generate::{Random, Vocabulary, assignment};
use crate::term::free::FreeSymbols;
use crate::term::import::Import;
use crate::term::reference::{Shape, Tree};
use crate::term::substitute::Substitution;
use crate::term::{Operator, Sort, Store, Symbol, Term, size};
use std::collections::BTreeSet;

fn replaced(tree: &Tree, number: usize, by: &Tree) -> Tree {
    match tree.shape {
        Shape::Symbol(found, _) if found == number => by.clone(),
        shape => {
            Tree::new(shape, tree.operands.iter().map(|operand| replaced(operand, number, by)).collect())
        }
    }
}

#[test]
fn substitution_keeps_values() {
    let mut random = Random::new(20);
    let vocabulary = Vocabulary::new(&[1, 3]);
    for _ in 0..4_000 {
        let mut store = Store::new();
        let symbols = vocabulary.symbols(&mut store);
        let tree = vocabulary.tree(&mut random, Sort::Boolean, 4);
        let number = random.below(symbols.len() as u32) as usize;
        let by = vocabulary.tree(&mut random, vocabulary.sorts[number], 2);
        let (term, replacement) = (tree.build(&mut store, &symbols), by.build(&mut store, &symbols));
        let result = store.substitute(term, &[(symbols[number], replacement)]);
        let values = vocabulary.values(&mut random);
        let expected = replaced(&tree, number, &by).evaluate(&values);
        assert_eq!(
            store.evaluate(result, &assignment(&symbols, &values)).unwrap(),
            expected,
            "{tree:?} {number} {by:?}"
        );
    }
}

#[test]
fn substitution_is_simultaneous() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Bits(8)));
    let (a, b) = (store.symbol(x), store.symbol(y));
    let (difference, swapped) = (store.subtract(a, b), store.subtract(b, a));
    let mut swap = Substitution::new([(x, b), (y, a)]);
    assert_eq!(swap.apply(&mut store, difference), swapped);
    assert_eq!(swap.apply(&mut store, swapped), difference);
    swap.set(x, a);
    let zero = store.bits(8, 0);
    assert_eq!(swap.apply(&mut store, difference), zero);
}

#[test]
fn copies_have_the_same_values() {
    let mut random = Random::new(21);
    let vocabulary = Vocabulary::new(&[7]);
    let (mut from, mut to) = (Store::new(), Store::new());
    let symbols = vocabulary.symbols(&mut from);
    let _shift = to.fresh("other", Sort::Boolean);
    let mut import = Import::default();
    let copied: Vec<Term> = symbols.iter().map(|&symbol| import.symbol(&from, &mut to, symbol)).collect();
    let copied: Vec<Symbol> = copied.into_iter().map(|term| to.as_symbol(term).unwrap()).collect();
    for _ in 0..1_000 {
        let term = vocabulary.tree(&mut random, Sort::Boolean, 4).build(&mut from, &symbols);
        let copy = import.term(&from, &mut to, term);
        let values = vocabulary.values(&mut random);
        let expected = from.evaluate(term, &assignment(&symbols, &values));
        assert_eq!(to.evaluate(copy, &assignment(&copied, &values)), expected);
    }
}

#[test]
fn symbols_are_found() {
    let mut random = Random::new(22);
    let vocabulary = Vocabulary::new(&[7]);
    let mut store = Store::new();
    let symbols = vocabulary.symbols(&mut store);
    let mut free = FreeSymbols::default();
    for _ in 0..1_000 {
        let term = vocabulary.tree(&mut random, Sort::Boolean, 4).build(&mut store, &symbols);
        let found: BTreeSet<Symbol> = store.free_symbols(term);
        assert_eq!(*free.of(&store, term), found);
        let values = vocabulary.values(&mut random);
        let mut only = assignment(&symbols, &values);
        only.retain(|symbol, _| found.contains(symbol));
        assert!(store.evaluate(term, &only).is_ok());
        if let Some(&some) = found.iter().next() {
            only.remove(&some);
            assert!(store.evaluate(term, &only).is_err());
        }
    }
}

#[test]
fn a_million_levels_need_no_stack() {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Bits(32)));
    let (a, b) = (store.symbol(x), store.symbol(y));
    let mut deep = a;
    for level in 0..1_000_000 {
        deep = store.binary(if level % 2 == 0 { Operator::Multiply } else { Operator::Xor }, deep, b);
    }
    assert_eq!(size::dag(&store, deep), 1_000_002);
    assert_eq!(size::tree(&store, deep), 2_000_001);
    assert_eq!(store.free_symbols(deep).len(), 2);
    let shallow = store.substitute(deep, &[(y, a)]);
    let mut other = Store::new();
    let copy = Import::default().term(&store, &mut other, shallow);
    let symbol = *other.free_symbols(copy).iter().next().unwrap_or(&x);
    let three = super::generate::assignment(&[symbol], &[crate::term::evaluate::Value::Bits(3)]);
    let at_home = super::generate::assignment(&[x], &[crate::term::evaluate::Value::Bits(3)]);
    assert_eq!(other.evaluate(copy, &three), store.evaluate(shallow, &at_home));
}

#[test]
fn long_chains_of_writes_are_evaluated_in_place() {
    let mut store = Store::new();
    let memory = store.fresh("m", Sort::Array { index: 32, element: 8 });
    let index = store.fresh("i", Sort::Bits(32));
    let (mut array, index_term) = (store.symbol(memory), store.symbol(index));
    for number in 0..200_000u32 {
        let (at, element) = (store.bits(32, number.into()), store.bits(8, (number % 251).into()));
        array = store.store(array, at, element);
    }
    let element = store.select(array, index_term);
    let values = [
        crate::term::evaluate::Value::zero(store.sort_of_symbol(memory)),
        crate::term::evaluate::Value::Bits(1000),
    ];
    let found = store.evaluate(element, &assignment(&[memory, index], &values)).unwrap();
    assert_eq!(found.as_bits(), 1000 % 251);
}

#[test]
fn shared_terms_are_large_trees() {
    let mut store = Store::new();
    let x = store.fresh("x", Sort::Bits(8));
    let mut term = store.symbol(x);
    for _ in 0..100 {
        term = store.binary(Operator::Multiply, term, term);
    }
    assert_eq!((size::dag(&store, term), size::tree(&store, term)), (101, u64::MAX));
}
