//! Terms: bit vectors, truth values and arrays, hash-consed. Floating-point numbers are bit vectors, with operators of their own.
//!
//! A [`Term`] is an id into a [`Store`], which is passed explicitly; equal terms have equal ids, so comparing, hashing
//! and caching cost nothing. Terms are built by the methods of the store in [`build`], which simplify as they go, by the rules of `simplify`.
//! What reads terms (printing, evaluation, sizes) is functions and types over the store.
//! Ids of different stores never mix: a [`Program`](crate::program::Program) owns its store.

pub mod arithmetic;
pub mod build;
pub mod c;
pub mod evaluate;
pub mod float;
pub mod free;
pub mod import;
pub mod overflow;
pub mod resolve;
mod simplify;
pub mod size;
pub mod smtlib;
pub mod substitute;
pub mod walk;

#[cfg(test)]
pub(crate) mod reference;
#[cfg(test)]
pub(crate) mod tests;

use crate::ground::index::IndexVec;
use evaluate::{Assignment, Unassigned, Value};
use float::{FloatFunction, FloatOperator, FloatRelation};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;
use std::hash::BuildHasher;
use substitute::Substitution;

crate::index_types! {
    /// A term.
    Term,
    /// A symbol: a variable of the program, or an input.
    Symbol,
}

/// What a term denotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// True or false.
    Boolean,
    /// A bit vector of so many bits (1 to 128).
    Bits(u32),
    /// A map from bit vectors to bit vectors: widths of index and element.
    Array {
        /// Width of the index.
        index: u32,
        /// Width of an element.
        element: u32,
    },
}

/// The top of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A symbol.
    Symbol(Symbol),
    /// True or false.
    Boolean(bool),
    /// A bit vector: its width, and its value below `2^width`.
    Bits(u32, u128),
    /// Negation of a truth value.
    Not(Term),
    /// Conjunction.
    And(Term, Term),
    /// Disjunction.
    Or(Term, Term),
    /// Two operands of one sort are equal.
    Equal(Term, Term),
    /// Unsigned comparison of bit vectors.
    UnsignedLess(Term, Term),
    /// Signed comparison of bit vectors.
    SignedLess(Term, Term),
    /// If, then, else: of any sort.
    Choose(Term, Term, Term),
    /// An operation on two bit vectors of one width.
    Binary(Operator, Term, Term),
    /// An operation on two floating-point numbers, as bit vectors of one format. Of the bit patterns that are not a number,
    /// the result has one ([`float::Format::nan`]).
    FloatBinary(FloatOperator, Term, Term),
    /// A relation between two floating-point numbers.
    FloatCompare(FloatRelation, Term, Term),
    /// A function of one floating-point number, or one that gives one.
    FloatUnary(FloatFunction, Term),
    /// Bits `low + width - 1 … low`.
    Extract {
        /// The lowest bit.
        low: u32,
        /// How many.
        width: u32,
        /// Of what.
        of: Term,
    },
    /// The first operand has the high bits.
    Concatenate(Term, Term),
    /// To this width, with zeros.
    ZeroExtend(u32, Term),
    /// To this width, with the sign.
    SignExtend(u32, Term),
    /// The element of an array at an index.
    Select(Term, Term),
    /// The array with one element replaced: array, index, element.
    Store(Term, Term, Term),
    /// The array with the same element everywhere; the width of the index.
    Constant(u32, Term),
}

/// Whether bit vectors are read as numbers from zero on, or in two's complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Signedness {
    Signed,
    Unsigned,
}

/// Operations on two bit vectors of one width. Division by zero gives all ones (signed: one if the dividend is negative),
/// remainder by zero the dividend, shifts by the width or more give zeros (or signs), as in SMT-LIB: what C leaves
/// undefined is not decided here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    UnsignedDivide,
    SignedDivide,
    UnsignedRemainder,
    /// With the sign of the dividend.
    SignedRemainder,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    And,
    Or,
    Xor,
}

/// All terms of a program.
#[derive(Clone, Debug, Default)]
pub struct Store {
    nodes: IndexVec<Term, (Node, Sort)>,
    // Only ids: a node is compared where it lies in `nodes`.
    ids: HashTable<Term>,
    symbols: IndexVec<Symbol, (String, Sort)>,
}

impl Store {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A new symbol. Names need not differ; they are for people.
    pub fn fresh(&mut self, name: impl Into<String>, sort: Sort) -> Symbol {
        self.symbols.push((name.into(), sort))
    }

    /// The name of a symbol.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol].0
    }

    /// The sort of a symbol.
    #[must_use]
    pub fn sort_of_symbol(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol].1
    }

    /// How many symbols there are.
    #[must_use]
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// The top of a term.
    #[must_use]
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term].0
    }

    /// The sort of a term.
    #[must_use]
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term].1
    }

    /// The width of a bit vector.
    ///
    /// # Panics
    /// If the term is none.
    #[must_use]
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            other => panic!("a bit vector was expected, not {other:?}"),
        }
    }

    /// How many terms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term that is a symbol, if it was built.
    #[must_use]
    pub fn find_symbol(&self, symbol: Symbol) -> Option<Term> {
        let node = Node::Symbol(symbol);
        self.ids.find(FxBuildHasher.hash_one(node), |&id| self.nodes[id].0 == node).copied()
    }

    /// The value of a constant bit vector.
    #[must_use]
    pub fn constant(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Bits(_, value) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant truth value.
    #[must_use]
    pub fn truth(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// The widths of index and element.
    ///
    /// # Panics
    /// If the term is no array.
    #[must_use]
    pub fn array_widths(&self, array: Term) -> (u32, u32) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            other => panic!("an array was expected, not {other:?}"),
        }
    }

    /// `x` and `c` where the term is `x + c`; `c` is zero if it is no such sum.
    #[must_use]
    pub fn offset(&self, term: Term) -> (Term, u128) {
        match self.node(term) {
            Node::Binary(Operator::Add, x, c) => self.constant(c).map_or((term, 0), |c| (x, c)),
            _ => (term, 0),
        }
    }

    /// The symbol that a term is.
    #[must_use]
    pub fn as_symbol(&self, term: Term) -> Option<Symbol> {
        match self.node(term) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let nodes = &mut self.nodes;
        let hash = FxBuildHasher.hash_one(node);
        let entry =
            self.ids.entry(hash, |&id| nodes[id].0 == node, |&id| FxBuildHasher.hash_one(nodes[id].0));
        match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => *entry.insert(nodes.push((node, sort))).get(),
        }
    }
}

/// What many modules ask of whole terms. The walks themselves are in [`walk`].
impl Store {
    /// The symbols of a term, in their order. [`FreeSymbols`](free::FreeSymbols) remembers those of many terms.
    #[must_use]
    pub fn free_symbols(&self, term: Term) -> BTreeSet<Symbol> {
        self.reachable(&[term]).into_iter().filter_map(|term| self.as_symbol(term)).collect()
    }

    /// The term with these symbols replaced, all at once.
    pub fn substitute(&mut self, term: Term, replacements: &[(Symbol, Term)]) -> Term {
        Substitution::new(replacements.iter().copied()).apply(self, term)
    }

    /// The value of a term.
    ///
    /// # Errors
    /// A symbol of the term that the assignment leaves out.
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> Result<Value, Unassigned> {
        let mut values = self.evaluate_all(&[term], assignment)?;
        Ok(values.pop().expect("one value for each term"))
    }

    /// The values of terms, which share the work.
    ///
    /// # Errors
    /// A symbol of the terms that the assignment leaves out.
    pub fn evaluate_all(&self, terms: &[Term], assignment: &Assignment) -> Result<Vec<Value>, Unassigned> {
        evaluate::evaluate_all(self, terms, assignment)
    }
}
