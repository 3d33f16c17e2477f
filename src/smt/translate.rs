//! From terms to the syntax trees of Z3.
//!
//! Each term is translated once; a symbol becomes a constant named by its number, so that names of C need not differ.
//!
//! Two kinds of terms are refused, because Z3 is not right or not safe with them. It takes the default of a constant array
//! for an element of its own, so that arrays whose writes cover all indices are wrongly told apart (4.8.12: `sat` and
//! `unsat` both go wrong): equality of arrays needs so many indices that no chain of writes covers them. And it recurses on
//! the native stack: terms have a bounded depth.

use super::float::{self, Number};
use crate::ground::index::Index as _;
use crate::term::float::{FloatFunction, Format};
use crate::term::{Node, Operator, Sort, Store, Term};
use rustc_hash::FxHashMap;
use z3::ast::{Array, BV, Bool, Float};

/// A term as Z3 has it.
#[derive(Clone)]
pub(super) enum Tree {
    Bool(Bool),
    Bits(BV),
    Array(Array),
    Number(Number),
}

/// What decides whether a term is refused, and whether its models are looked at again.
#[derive(Clone, Copy, Default)]
struct Traits {
    depth: u32,
    few_indices: bool,
    arrays_compared: bool,
    floats: bool,
}

/// Equality of arrays needs indices of at least this width.
const INDEX_WIDTH: u32 = 24;

/// The trees of the terms of one store.
pub(super) struct Translator {
    trees: FxHashMap<Term, Tree>,
    traits: FxHashMap<Term, Traits>,
    pub(super) deepest: u32,
}

impl Translator {
    pub(super) fn new(deepest: u32) -> Self {
        Self { trees: FxHashMap::default(), traits: FxHashMap::default(), deepest }
    }

    /// The tree of a truth value, or why it is refused.
    pub(super) fn boolean(&mut self, store: &Store, term: Term) -> Result<Bool, String> {
        let traits = self.traits(store, term);
        if traits.few_indices {
            return Err("equality of arrays with few indices".to_owned());
        }
        if traits.depth > self.deepest {
            return Err(format!("a term of more than {} levels", self.deepest));
        }
        self.translate(store, term);
        Ok(self.truth(term).clone())
    }

    fn traits(&mut self, store: &Store, term: Term) -> Traits {
        for part in store.reachable_unless(&[term], |part| self.traits.contains_key(&part)) {
            let traits = self.examine(store, part);
            self.traits.insert(part, traits);
        }
        self.traits[&term]
    }

    /// Whether a term has floating-point numbers.
    pub(super) fn has_floats(&mut self, store: &Store, term: Term) -> bool {
        self.traits(store, term).floats
    }

    /// Whether a term that was translated compares arrays.
    pub(super) fn compares_arrays(&self, term: Term) -> bool {
        self.traits.get(&term).is_some_and(|traits| traits.arrays_compared)
    }

    fn examine(&self, store: &Store, term: Term) -> Traits {
        let node = store.node(term);
        let floats = matches!(node, Node::FloatBinary(..) | Node::FloatCompare(..) | Node::FloatUnary(..));
        let mut traits = Traits { depth: 1, floats, ..Traits::default() };
        if let Node::Equal(a, _) = node
            && let Sort::Array { index, .. } = store.sort(a)
        {
            traits.arrays_compared = true;
            traits.few_indices = index < INDEX_WIDTH;
        }
        node.operands().map(|operand| self.traits[&operand]).fold(traits, |all, operand| Traits {
            depth: all.depth.max(operand.depth.saturating_add(1)),
            few_indices: all.few_indices || operand.few_indices,
            arrays_compared: all.arrays_compared || operand.arrays_compared,
            floats: all.floats || operand.floats,
        })
    }

    fn translate(&mut self, store: &Store, term: Term) {
        if self.trees.contains_key(&term) {
            return;
        }
        for part in store.reachable_unless(&[term], |part| self.trees.contains_key(&part)) {
            let tree = self.step(store, part);
            self.trees.insert(part, tree);
        }
    }

    fn truth(&self, term: Term) -> &Bool {
        match &self.trees[&term] {
            Tree::Bool(tree) => tree,
            _ => unreachable!("sorts were checked when terms were built"),
        }
    }

    pub(super) fn bits(&self, term: Term) -> &BV {
        match &self.trees[&term] {
            Tree::Bits(tree) => tree,
            Tree::Number(number) => &number.bits,
            _ => unreachable!("sorts were checked when terms were built"),
        }
    }

    /// The floating-point number that a term is.
    fn number(&self, term: Term) -> Float {
        match &self.trees[&term] {
            Tree::Number(number) => number.value.clone(),
            _ => float::of_bits(self.bits(term)),
        }
    }

    pub(super) fn array(&self, term: Term) -> &Array {
        match &self.trees[&term] {
            Tree::Array(tree) => tree,
            _ => unreachable!("sorts were checked when terms were built"),
        }
    }

    fn step(&self, store: &Store, term: Term) -> Tree {
        if let Some(number) = self.signed_number(store, term) {
            return Tree::Number(number);
        }
        match store.node(term) {
            Node::Symbol(symbol) => constant(symbol.index(), store.sort(term)),
            Node::Choose(condition, yes, no) => self.choose(condition, yes, no),
            Node::Store(array, index, element) => {
                Tree::Array(self.array(array).store(self.bits(index), self.bits(element)))
            }
            Node::Constant(width, element) => {
                Tree::Array(Array::const_array(&z3::Sort::bitvector(width), self.bits(element)))
            }
            Node::FloatBinary(operator, a, b) => {
                let format = Format::of_width(store.width(a));
                Tree::Number(float::operate(operator, &self.number(a), &self.number(b), format))
            }
            Node::FloatUnary(function, a) => self.float_function(function, a, store.width(a)),
            node => match store.sort(term) {
                Sort::Boolean => Tree::Bool(self.step_boolean(node)),
                _ => Tree::Bits(self.step_bits(store, node)),
            },
        }
    }

    fn step_boolean(&self, node: Node) -> Bool {
        match node {
            Node::Boolean(value) => Bool::from_bool(value),
            Node::Not(a) => self.truth(a).not(),
            Node::And(a, b) => Bool::and(&[self.truth(a), self.truth(b)]),
            Node::Or(a, b) => Bool::or(&[self.truth(a), self.truth(b)]),
            Node::Equal(a, b) => self.equal(a, b),
            Node::UnsignedLess(a, b) => self.bits(a).bvult(self.bits(b)),
            Node::SignedLess(a, b) => self.bits(a).bvslt(self.bits(b)),
            Node::FloatCompare(relation, a, b) => float::compare(relation, &self.number(a), &self.number(b)),
            other => unreachable!("{other:?} is no truth value"),
        }
    }

    fn step_bits(&self, store: &Store, node: Node) -> BV {
        match node {
            Node::Bits(width, value) => numeral(width, value),
            Node::Binary(operator, a, b) => binary(operator, self.bits(a), self.bits(b)),
            Node::Extract { low, width, of } => self.bits(of).extract(low + width - 1, low),
            Node::Concatenate(high, low) => self.bits(high).concat(self.bits(low)),
            Node::ZeroExtend(width, a) => self.bits(a).zero_ext(width - store.width(a)),
            Node::SignExtend(width, a) => self.bits(a).sign_ext(width - store.width(a)),
            Node::Select(array, index) => self.look_up(store, array, index),
            other => unreachable!("{other:?} is no bit vector"),
        }
    }

    fn equal(&self, a: Term, b: Term) -> Bool {
        match &self.trees[&a] {
            Tree::Bool(x) => x.eq(self.truth(b)),
            Tree::Array(x) => x.eq(self.array(b)),
            Tree::Bits(_) | Tree::Number(_) => self.bits(a).eq(self.bits(b)),
        }
    }

    fn float_function(&self, function: FloatFunction, a: Term, width: u32) -> Tree {
        match function {
            FloatFunction::FromInteger(signedness, to) => {
                Tree::Number(float::from_integer(signedness, self.bits(a), Format::of_width(to)))
            }
            FloatFunction::ToInteger(signedness, to) => {
                let format = Format::of_width(width);
                Tree::Bits(float::to_integer(signedness, to, &self.number(a), format))
            }
            FloatFunction::SquareRoot | FloatFunction::Integral(_) | FloatFunction::Resize(_) => {
                let format = Format::of_width(function.width(width));
                Tree::Number(float::number(function, &self.number(a), format))
            }
        }
    }

    /// The negation or the magnitude of a floating-point number that was computed: as a number, too.
    fn signed_number(&self, store: &Store, term: Term) -> Option<Number> {
        let Node::Binary(operator, x, c) = store.node(term) else { return None };
        let Tree::Number(number) = self.trees.get(&x)? else { return None };
        let value = if store.as_float_negation(term).is_some() {
            number.value.unary_neg()
        } else {
            store.as_float_magnitude(term).map(|_| number.value.unary_abs())?
        };
        Some(Number { bits: binary(operator, &number.bits, self.bits(c)), value })
    }

    fn choose(&self, condition: Term, yes: Term, no: Term) -> Tree {
        let condition = self.truth(condition);
        match &self.trees[&yes] {
            Tree::Bool(yes) => Tree::Bool(condition.ite(yes, self.truth(no))),
            Tree::Array(yes) => Tree::Array(condition.ite(yes, self.array(no))),
            Tree::Bits(bits) if !matches!(self.trees[&no], Tree::Number(_)) => {
                Tree::Bits(condition.ite(bits, self.bits(no)))
            }
            Tree::Bits(_) | Tree::Number(_) => Tree::Number(Number {
                bits: condition.ite(self.bits(yes), self.bits(no)),
                value: condition.ite(&self.number(yes), &self.number(no)),
            }),
        }
    }
}

/// The constant that a symbol with this number is, in whichever translation.
pub(super) fn constant(number: usize, sort: Sort) -> Tree {
    let name = u32::try_from(number).expect("symbols are numbered by 32 bits");
    match sort {
        Sort::Boolean => Tree::Bool(Bool::new_const(name)),
        Sort::Bits(width) => Tree::Bits(BV::new_const(name, width)),
        Sort::Array { index, element } => {
            let (index, element) = (z3::Sort::bitvector(index), z3::Sort::bitvector(element));
            Tree::Array(Array::new_const(name, &index, &element))
        }
    }
}

/// A number.
pub(super) fn numeral(width: u32, value: u128) -> BV {
    match u64::try_from(value) {
        Ok(value) => BV::from_u64(value, width),
        Err(_) => BV::from_str(width, &value.to_string()).expect("a decimal number is a numeral"),
    }
}

fn binary(operator: Operator, a: &BV, b: &BV) -> BV {
    match operator {
        Operator::Add => a.bvadd(b),
        Operator::Subtract => a.bvsub(b),
        Operator::Multiply => a.bvmul(b),
        Operator::UnsignedDivide => a.bvudiv(b),
        Operator::SignedDivide => a.bvsdiv(b),
        Operator::UnsignedRemainder => a.bvurem(b),
        Operator::SignedRemainder => a.bvsrem(b),
        Operator::ShiftLeft => a.bvshl(b),
        Operator::ShiftRight => a.bvlshr(b),
        Operator::ShiftRightSigned => a.bvashr(b),
        Operator::And => a.bvand(b),
        Operator::Or => a.bvor(b),
        Operator::Xor => a.bvxor(b),
    }
}
