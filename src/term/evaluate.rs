//! Evaluating terms.
//!
//! The value of every reachable term is computed once, operands first. Arrays are sparse, and shared until they are
//! written: an array is forgotten at its last use, so that a chain of a million writes changes one map in place.

use super::arithmetic::{apply, from_signed, less, mask, to_signed};
use super::float;
use super::{Node, Signedness, Sort, Store, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A bit vector, below two to the power of its width.
    Bits(u128),
    /// An array.
    Array(Rc<ArrayValue>),
}

/// An array: some elements, and one value for all others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayValue {
    /// Every element that is not listed.
    pub default: u128,
    /// Elements by index; none is the default.
    pub elements: BTreeMap<u128, u128>,
}

impl ArrayValue {
    /// The same element everywhere.
    #[must_use]
    pub fn constant(default: u128) -> Self {
        Self { default, elements: BTreeMap::new() }
    }

    /// The element at an index.
    #[must_use]
    pub fn get(&self, index: u128) -> u128 {
        self.elements.get(&index).copied().unwrap_or(self.default)
    }

    /// Replaces an element.
    pub fn set(&mut self, index: u128, element: u128) {
        if element == self.default {
            self.elements.remove(&index);
        } else {
            self.elements.insert(index, element);
        }
    }

    /// Whether both have the same elements. Narrow arrays may list every element, and then the defaults do not matter:
    /// `==` would not know that.
    #[must_use]
    pub fn same_elements(&self, other: &Self, index_width: u32) -> bool {
        let listed: BTreeSet<u128> = self.elements.keys().chain(other.elements.keys()).copied().collect();
        let covered = index_width < 64 && listed.len() as u128 == mask(index_width) + 1;
        listed.iter().all(|&index| self.get(index) == other.get(index))
            && (covered || self.default == other.default)
    }
}

impl Value {
    /// The truth value.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn as_bool(&self) -> bool {
        match self {
            Self::Bool(value) => *value,
            other => panic!("a truth value was expected, not {other:?}"),
        }
    }

    /// The bit vector.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn as_bits(&self) -> u128 {
        match self {
            Self::Bits(value) => *value,
            other => panic!("a bit vector was expected, not {other:?}"),
        }
    }

    /// The array.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn as_array(&self) -> &Rc<ArrayValue> {
        match self {
            Self::Array(value) => value,
            other => panic!("an array was expected, not {other:?}"),
        }
    }

    /// False, zero, or an array of zeros.
    #[must_use]
    pub fn zero(sort: Sort) -> Self {
        match sort {
            Sort::Boolean => Self::Bool(false),
            Sort::Bits(_) => Self::Bits(0),
            Sort::Array { .. } => Self::Array(Rc::new(ArrayValue::constant(0))),
        }
    }
}

/// Values of symbols.
pub type Assignment = BTreeMap<Symbol, Value>;

/// A symbol that has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unassigned(pub Symbol);

/// The values of terms, which share the work.
///
/// # Errors
/// A symbol of the terms that the assignment leaves out.
pub fn evaluate_all(
    store: &Store,
    terms: &[Term],
    assignment: &Assignment,
) -> Result<Vec<Value>, Unassigned> {
    let order = store.reachable(terms);
    let mut evaluation =
        Evaluation { store, assignment, values: FxHashMap::default(), uses: FxHashMap::default() };
    evaluation.count_uses(terms, &order);
    for &term in &order {
        let value = evaluation.compute(term)?;
        evaluation.values.insert(term, value);
    }
    Ok(terms.iter().map(|term| evaluation.values[term].clone()).collect())
}

struct Evaluation<'a> {
    store: &'a Store,
    assignment: &'a Assignment,
    values: FxHashMap<Term, Value>,
    /// How often the value of an array is still needed.
    uses: FxHashMap<Term, usize>,
}

impl Evaluation<'_> {
    fn count_uses(&mut self, roots: &[Term], order: &[Term]) {
        let used = order.iter().flat_map(|&term| self.store.node(term).operands());
        for term in used.chain(roots.iter().copied()) {
            if matches!(self.store.sort(term), Sort::Array { .. }) {
                *self.uses.entry(term).or_default() += 1;
            }
        }
    }

    fn bits(&self, term: Term) -> u128 {
        self.values[&term].as_bits()
    }

    fn boolean(&self, term: Term) -> bool {
        self.values[&term].as_bool()
    }

    /// The value of an array, forgotten with its last use.
    fn take_array(&mut self, term: Term) -> Rc<ArrayValue> {
        let uses = self.uses.get_mut(&term).expect("every use was counted");
        *uses -= 1;
        let value = if *uses == 0 { self.values.remove(&term) } else { self.values.get(&term).cloned() };
        value.expect("operands come first").as_array().clone()
    }

    fn take(&mut self, term: Term) -> Value {
        match self.store.sort(term) {
            Sort::Array { .. } => Value::Array(self.take_array(term)),
            _ => self.values[&term].clone(),
        }
    }

    fn compute(&mut self, term: Term) -> Result<Value, Unassigned> {
        let node = self.store.node(term);
        Ok(match node {
            Node::Symbol(symbol) => self.assignment.get(&symbol).cloned().ok_or(Unassigned(symbol))?,
            Node::Boolean(value) => Value::Bool(value),
            Node::Not(a) => Value::Bool(!self.boolean(a)),
            Node::And(a, b) => Value::Bool(self.boolean(a) && self.boolean(b)),
            Node::Or(a, b) => Value::Bool(self.boolean(a) || self.boolean(b)),
            Node::Equal(a, b) => Value::Bool(self.equal(a, b)),
            Node::UnsignedLess(a, b) => Value::Bool(self.less(Signedness::Unsigned, a, b)),
            Node::SignedLess(a, b) => Value::Bool(self.less(Signedness::Signed, a, b)),
            Node::FloatCompare(relation, a, b) => {
                Value::Bool(float::holds_of(relation, self.store.width(a), self.bits(a), self.bits(b)))
            }
            Node::Choose(condition, yes, no) => self.choose(condition, yes, no),
            Node::Store(array, index, element) => self.write(array, index, element),
            Node::Constant(_, element) => Value::Array(Rc::new(ArrayValue::constant(self.bits(element)))),
            _ => Value::Bits(self.compute_bits(node)),
        })
    }

    fn compute_bits(&mut self, node: Node) -> u128 {
        match node {
            Node::Bits(_, value) => value,
            Node::Binary(operator, a, b) => apply(operator, self.store.width(a), self.bits(a), self.bits(b)),
            Node::FloatBinary(operator, a, b) => {
                float::result_of(operator, self.store.width(a), self.bits(a), self.bits(b))
            }
            Node::FloatUnary(function, a) => float::value_of(function, self.store.width(a), self.bits(a)),
            Node::Extract { low, width, of } => (self.bits(of) >> low) & mask(width),
            Node::Concatenate(high, low) => (self.bits(high) << self.store.width(low)) | self.bits(low),
            Node::ZeroExtend(_, a) => self.bits(a),
            Node::SignExtend(width, a) => from_signed(width, to_signed(self.store.width(a), self.bits(a))),
            Node::Select(array, index) => self.take_array(array).get(self.bits(index)),
            other => unreachable!("{other:?} is no bit vector"),
        }
    }

    fn equal(&mut self, a: Term, b: Term) -> bool {
        match self.store.sort(a) {
            Sort::Array { index, .. } => {
                let (x, y) = (self.take_array(a), self.take_array(b));
                x.same_elements(&y, index)
            }
            _ => self.values[&a] == self.values[&b],
        }
    }

    fn less(&self, signedness: Signedness, a: Term, b: Term) -> bool {
        less(signedness, self.store.width(a), self.bits(a), self.bits(b))
    }

    fn choose(&mut self, condition: Term, yes: Term, no: Term) -> Value {
        let condition = self.boolean(condition);
        let (yes, no) = (self.take(yes), self.take(no));
        if condition { yes } else { no }
    }

    fn write(&mut self, array: Term, index: Term, element: Term) -> Value {
        let (index, element) = (self.bits(index), self.bits(element));
        let mut array = self.take_array(array);
        Rc::make_mut(&mut array).set(index, element);
        Value::Array(array)
    }
}
