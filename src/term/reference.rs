//! The oracle of the tests: terms as plain trees, evaluated bit by bit.
//!
//! Nothing here is shared with simplification or evaluation: numbers are lists of bits, lowest first, sums ripple, products
//! add shifted rows, quotients come from long division. Slow, and easy to believe.

use super::evaluate::{ArrayValue, Value};
use super::{Operator, Signedness, Sort, Store, Symbol, Term};
use std::rc::Rc;

/// A term that nothing has simplified.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) shape: Shape,
    pub(crate) operands: Vec<Tree>,
}

/// The top of a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// The symbol with this number, of this sort.
    Symbol(usize, Sort),
    Boolean(bool),
    Bits(u32, u128),
    Not,
    And,
    Or,
    Equal,
    Less(Signedness),
    Choose,
    Binary(Operator),
    Extract(u32, u32),
    Concatenate,
    ZeroExtend(u32),
    SignExtend(u32),
    Select,
    Store,
    Constant(u32),
}

pub(crate) const OPERATORS: [Operator; 13] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::UnsignedDivide,
    Operator::SignedDivide,
    Operator::UnsignedRemainder,
    Operator::SignedRemainder,
    Operator::ShiftLeft,
    Operator::ShiftRight,
    Operator::ShiftRightSigned,
    Operator::And,
    Operator::Or,
    Operator::Xor,
];

type Number = Vec<bool>;

fn number(width: u32, value: u128) -> Number {
    (0..width).map(|bit| value >> bit & 1 == 1).collect()
}

fn value_of(bits: &[bool]) -> u128 {
    bits.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(bit))
}

fn add(a: &[bool], b: &[bool], mut carry: bool) -> Number {
    let mut sum = Vec::new();
    for (&x, &y) in a.iter().zip(b) {
        sum.push(x ^ y ^ carry);
        carry = u8::from(x) + u8::from(y) + u8::from(carry) >= 2;
    }
    sum
}

fn complement(a: &[bool]) -> Number {
    a.iter().map(|bit| !bit).collect()
}

fn negate(a: &[bool]) -> Number {
    add(&complement(a), &vec![false; a.len()], true)
}

fn subtract(a: &[bool], b: &[bool]) -> Number {
    add(a, &complement(b), true)
}

fn multiply(a: &[bool], b: &[bool]) -> Number {
    let mut product = vec![false; a.len()];
    for (place, _) in b.iter().enumerate().filter(|(_, bit)| **bit) {
        let row: Number = (0..a.len()).map(|at| at >= place && a[at - place]).collect();
        product = add(&product, &row, false);
    }
    product
}

fn below(a: &[bool], b: &[bool]) -> bool {
    let highest = a.iter().zip(b).rev().find(|(x, y)| x != y);
    highest.is_some_and(|(x, _)| !x)
}

/// Quotient and remainder by long division; by zero, all ones and the dividend.
fn divide(a: &[bool], b: &[bool]) -> (Number, Number) {
    if !b.contains(&true) {
        return (vec![true; a.len()], a.to_vec());
    }
    let (mut quotient, mut rest) = (vec![false; a.len()], vec![false; a.len() + 1]);
    let divisor: Number = b.iter().copied().chain([false]).collect();
    for place in (0..a.len()).rev() {
        rest.rotate_right(1);
        rest[0] = a[place];
        if !below(&rest, &divisor) {
            rest = subtract(&rest, &divisor);
            quotient[place] = true;
        }
    }
    rest.pop();
    (quotient, rest)
}

fn sign(a: &[bool]) -> bool {
    a[a.len() - 1]
}

fn magnitude(a: &[bool]) -> Number {
    if sign(a) { negate(a) } else { a.to_vec() }
}

fn signed_divide(a: &[bool], b: &[bool]) -> Number {
    let quotient = divide(&magnitude(a), &magnitude(b)).0;
    if sign(a) == sign(b) { quotient } else { negate(&quotient) }
}

fn signed_remainder(a: &[bool], b: &[bool]) -> Number {
    let rest = divide(&magnitude(a), &magnitude(b)).1;
    if sign(a) { negate(&rest) } else { rest }
}

/// Shifts one place at a time.
fn shift(a: &[bool], by: &[bool], step: impl Fn(&mut Number)) -> Number {
    let mut result = a.to_vec();
    for _ in 0..value_of(by).min(a.len() as u128) {
        step(&mut result);
    }
    result
}

fn bitwise(a: &[bool], b: &[bool], operator: impl Fn(bool, bool) -> bool) -> Number {
    a.iter().zip(b).map(|(&x, &y)| operator(x, y)).collect()
}

/// An operator on values of one width, bit by bit.
pub(crate) fn binary(operator: Operator, width: u32, a: u128, b: u128) -> u128 {
    let (a, b) = (&number(width, a)[..], &number(width, b)[..]);
    let right = |fill: bool| {
        move |bits: &mut Number| {
            bits.remove(0);
            bits.push(fill);
        }
    };
    let result = match operator {
        Operator::Add => add(a, b, false),
        Operator::Subtract => subtract(a, b),
        Operator::Multiply => multiply(a, b),
        Operator::UnsignedDivide => divide(a, b).0,
        Operator::UnsignedRemainder => divide(a, b).1,
        Operator::SignedDivide => signed_divide(a, b),
        Operator::SignedRemainder => signed_remainder(a, b),
        Operator::ShiftLeft => shift(a, b, |bits| {
            bits.insert(0, false);
            bits.pop();
        }),
        Operator::ShiftRight => shift(a, b, right(false)),
        Operator::ShiftRightSigned => shift(a, b, right(sign(a))),
        Operator::And => bitwise(a, b, |x, y| x && y),
        Operator::Or => bitwise(a, b, |x, y| x || y),
        Operator::Xor => bitwise(a, b, |x, y| x != y),
    };
    value_of(&result)
}

/// An order on values of one width, bit by bit.
pub(crate) fn less(signedness: Signedness, width: u32, a: u128, b: u128) -> bool {
    let (mut a, mut b) = (number(width, a), number(width, b));
    if signedness == Signedness::Signed {
        // With the sign turned, the signed order is the unsigned one.
        let last = a.len() - 1;
        (a[last], b[last]) = (!a[last], !b[last]);
    }
    below(&a, &b)
}

impl Tree {
    pub(crate) fn new(shape: Shape, operands: Vec<Tree>) -> Self {
        Self { shape, operands }
    }

    pub(crate) fn leaf(shape: Shape) -> Self {
        Self::new(shape, Vec::new())
    }

    pub(crate) fn sort(&self) -> Sort {
        let first = || self.operands[0].sort();
        match self.shape {
            Shape::Symbol(_, sort) => sort,
            Shape::Bits(width, _) | Shape::Extract(_, width) => Sort::Bits(width),
            Shape::ZeroExtend(width) | Shape::SignExtend(width) => Sort::Bits(width),
            Shape::Choose => self.operands[1].sort(),
            Shape::Binary(_) | Shape::Store => first(),
            Shape::Concatenate => Sort::Bits(self.operands[0].width() + self.operands[1].width()),
            Shape::Select => match first() {
                Sort::Array { element, .. } => Sort::Bits(element),
                other => panic!("{other:?} is no array"),
            },
            Shape::Constant(index) => Sort::Array { index, element: self.operands[0].width() },
            _ => Sort::Boolean,
        }
    }

    pub(crate) fn width(&self) -> u32 {
        match self.sort() {
            Sort::Bits(width) => width,
            other => panic!("{other:?} is no bit vector"),
        }
    }

    /// The same term, through the constructors of the store.
    pub(crate) fn build(&self, store: &mut Store, symbols: &[Symbol]) -> Term {
        let terms: Vec<Term> = self.operands.iter().map(|operand| operand.build(store, symbols)).collect();
        match (self.shape, &terms[..]) {
            (Shape::Symbol(number, _), []) => store.symbol(symbols[number]),
            (Shape::Boolean(value), []) => store.boolean(value),
            (Shape::Bits(width, value), []) => store.bits(width, value),
            (Shape::Not, &[a]) => store.not(a),
            (Shape::And, &[a, b]) => store.and(a, b),
            (Shape::Or, &[a, b]) => store.or(a, b),
            (Shape::Equal, &[a, b]) => store.equal(a, b),
            (Shape::Less(signedness), &[a, b]) => store.less(signedness, a, b),
            (Shape::Choose, &[c, a, b]) => store.choose(c, a, b),
            (Shape::Binary(operator), &[a, b]) => store.binary(operator, a, b),
            (Shape::Extract(low, width), &[a]) => store.extract(low, width, a),
            (Shape::Concatenate, &[a, b]) => store.concatenate(a, b),
            (Shape::ZeroExtend(width), &[a]) => store.zero_extend(width, a),
            (Shape::SignExtend(width), &[a]) => store.sign_extend(width, a),
            (Shape::Select, &[a, i]) => store.select(a, i),
            (Shape::Store, &[a, i, e]) => store.store(a, i, e),
            (Shape::Constant(index), &[e]) => store.constant_array(index, e),
            (shape, operands) => panic!("{shape:?} with {} operands", operands.len()),
        }
    }

    /// The value where the symbols have these values.
    pub(crate) fn evaluate(&self, symbols: &[Value]) -> Value {
        let values: Vec<Value> = self.operands.iter().map(|operand| operand.evaluate(symbols)).collect();
        let bits = |operand: usize| values[operand].as_bits();
        let truth = |operand: usize| values[operand].as_bool();
        match self.shape {
            Shape::Symbol(number, _) => symbols[number].clone(),
            Shape::Boolean(value) => Value::Bool(value),
            Shape::Bits(_, value) => Value::Bits(value),
            Shape::Not => Value::Bool(!truth(0)),
            Shape::And => Value::Bool(truth(0) & truth(1)),
            Shape::Or => Value::Bool(truth(0) | truth(1)),
            Shape::Equal => Value::Bool(self.equal(&values[0], &values[1])),
            Shape::Less(signedness) => {
                Value::Bool(less(signedness, self.operands[0].width(), bits(0), bits(1)))
            }
            Shape::Choose => values[if truth(0) { 1 } else { 2 }].clone(),
            Shape::Binary(operator) => Value::Bits(binary(operator, self.width(), bits(0), bits(1))),
            Shape::Extract(low, width) => {
                let all = number(128, bits(0));
                Value::Bits(value_of(&all[low as usize..(low + width) as usize]))
            }
            Shape::Concatenate => {
                let mut all = number(self.operands[1].width(), bits(1));
                all.extend(number(self.operands[0].width(), bits(0)));
                Value::Bits(value_of(&all))
            }
            Shape::ZeroExtend(_) => values[0].clone(),
            Shape::SignExtend(width) => {
                let mut all = number(self.operands[0].width(), bits(0));
                all.resize(width as usize, sign(&all));
                Value::Bits(value_of(&all))
            }
            Shape::Select => Value::Bits(values[0].as_array().get(bits(1))),
            Shape::Store => {
                let mut array = ArrayValue::clone(values[0].as_array());
                array.set(bits(1), bits(2));
                Value::Array(Rc::new(array))
            }
            Shape::Constant(_) => Value::Array(Rc::new(ArrayValue::constant(bits(0)))),
        }
    }

    fn equal(&self, a: &Value, b: &Value) -> bool {
        same(self.operands[0].sort(), a, b)
    }
}

/// Whether two values of one sort are the same. Arrays of the tests have few indices: all are looked at.
pub(crate) fn same(sort: Sort, a: &Value, b: &Value) -> bool {
    match (sort, a, b) {
        (Sort::Array { index, .. }, Value::Array(x), Value::Array(y)) => {
            if index <= 8 {
                return (0..1 << index).all(|at| x.get(at) == y.get(at));
            }
            x.default == y.default && x.elements == y.elements
        }
        _ => a == b,
    }
}
