//! Simplification of expressions: constants, double negations, equal operands, idle choices.
//!
//! One pass over the postfix items into a buffer. Every rule keeps the exact set of values
//! ([`Values`](crate::boolean::expression::Values)), not only the value without choices: `* ^ e` is `*`, but
//! `* & *` is no simpler than it is, and `x & !x` stays.

use crate::boolean::cfg::{Expression, Read};
use crate::boolean::expression::{Binary, Item};

/// What a variable is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// This constant.
    Constant(bool),
    /// This variable, or its negation.
    Literal(Read, Sign),
}

/// Whether a literal is a variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sign {
    /// The variable.
    Plain,
    /// Its negation.
    Negated,
}

impl Sign {
    /// The sign of a value: `T` is plain.
    #[must_use]
    pub fn of(value: bool) -> Self {
        if value { Self::Plain } else { Self::Negated }
    }

    /// Both signs applied.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self::of(self == other)
    }
}

/// Operands longer than this are not compared.
const COMPARED: usize = 64;

/// The expression with variables replaced by what is known of them, simplified.
pub fn fold(expression: &Expression, mut known: impl FnMut(&Read) -> Known) -> Expression {
    let mut folding = Folding { output: Vec::with_capacity(expression.items().len()), starts: Vec::new() };
    for item in expression.items() {
        match item {
            Item::Variable(read) => folding.variable(known(read)),
            Item::Not => folding.negate(),
            Item::Binary(operator) => folding.binary(*operator),
            Item::Schoose => folding.schoose(),
            Item::Constant(_) | Item::Choice => folding.leaf(item.clone()),
        }
    }
    Expression::from_postfix(folding.output).expect("folding keeps expressions well-formed")
}

/// The same expression, simplified.
#[must_use]
pub fn simplify(expression: &Expression) -> Expression {
    fold(expression, |read| Known::Literal(*read, Sign::Plain))
}

/// The constant that a simplified expression is.
#[must_use]
pub fn as_constant(expression: &Expression) -> Option<bool> {
    match expression.items() {
        [Item::Constant(value)] => Some(*value),
        _ => None,
    }
}

/// The constant or literal that a simplified expression is.
#[must_use]
pub fn as_known(expression: &Expression) -> Option<Known> {
    match expression.items() {
        [Item::Constant(value)] => Some(Known::Constant(*value)),
        [Item::Variable(read)] => Some(Known::Literal(*read, Sign::Plain)),
        [Item::Variable(read), Item::Not] => Some(Known::Literal(*read, Sign::Negated)),
        _ => None,
    }
}

/// Whether a simplified condition always lets a step pass: it can be true in every state.
#[must_use]
pub fn always_passes(expression: &Expression) -> bool {
    matches!(expression.items(), [Item::Constant(true)] | [Item::Choice])
}

struct Folding {
    output: Vec<Item<Read>>,
    /// Where the operands on the stack start.
    starts: Vec<usize>,
}

impl Folding {
    fn leaf(&mut self, item: Item<Read>) {
        self.starts.push(self.output.len());
        self.output.push(item);
    }

    fn variable(&mut self, known: Known) {
        match known {
            Known::Constant(value) => self.leaf(Item::Constant(value)),
            Known::Literal(read, sign) => {
                self.leaf(Item::Variable(read));
                if sign == Sign::Negated {
                    self.negate();
                }
            }
        }
    }

    fn negate(&mut self) {
        let start = *self.starts.last().expect("an operand");
        match &mut self.output[start..] {
            [Item::Constant(value)] => *value = !*value,
            [Item::Choice] => {}
            [.., Item::Not] => {
                self.output.pop();
            }
            _ => self.output.push(Item::Not),
        }
    }

    fn binary(&mut self, operator: Binary) {
        let right = self.starts.pop().expect("two operands");
        let left = *self.starts.last().expect("two operands");
        let constant = |items: &[Item<Read>]| match items {
            [Item::Constant(value)] => Some(*value),
            _ => None,
        };
        let values = (constant(&self.output[left..right]), constant(&self.output[right..]));
        match values {
            (Some(a), Some(b)) => self.become_leaf(left, Item::Constant(operator.apply(a, b))),
            (Some(a), None) => {
                self.with_one(operator.apply(a, false), operator.apply(a, true), left, left..right)
            }
            (None, Some(b)) => {
                let end = self.output.len();
                self.with_one(operator.apply(false, b), operator.apply(true, b), left, right..end);
            }
            (None, None) => self.with_two(operator, left, right),
        }
    }

    /// One operand is constant and stands in `constant`; the function of the other is given by its values.
    fn with_one(&mut self, of_false: bool, of_true: bool, start: usize, constant: std::ops::Range<usize>) {
        if of_false == of_true {
            return self.become_leaf(start, Item::Constant(of_true));
        }
        self.output.drain(constant);
        if of_false {
            self.negate();
        }
    }

    fn with_two(&mut self, operator: Binary, left: usize, right: usize) {
        let parity = matches!(operator, Binary::Xor | Binary::NotEqual | Binary::Equal | Binary::Iff);
        let (a, b) = (&self.output[left..right], &self.output[right..]);
        if parity && (matches!(a, [Item::Choice]) || matches!(b, [Item::Choice])) {
            return self.become_leaf(left, Item::Choice);
        }
        let choice = |item: &Item<Read>| matches!(item, Item::Choice | Item::Schoose);
        if a.len() > COMPARED || a != b || a.iter().any(choice) {
            return self.output.push(Item::Binary(operator));
        }
        match (operator.apply(false, false), operator.apply(true, true)) {
            (false, true) => self.output.truncate(right),
            (_, value) => self.become_leaf(left, Item::Constant(value)),
        }
    }

    fn schoose(&mut self) {
        let right = self.starts.pop().expect("two operands");
        let left = *self.starts.last().expect("two operands");
        match (&self.output[left..right], &self.output[right..]) {
            ([Item::Constant(true)], _) => self.become_leaf(left, Item::Constant(true)),
            ([Item::Constant(false)], [Item::Constant(true)]) => {
                self.become_leaf(left, Item::Constant(false))
            }
            ([Item::Constant(false)], [Item::Constant(false)] | [Item::Choice]) => {
                self.become_leaf(left, Item::Choice);
            }
            ([Item::Choice], _) => self.become_leaf(left, Item::Choice),
            _ => self.output.push(Item::Schoose),
        }
    }

    fn become_leaf(&mut self, start: usize, item: Item<Read>) {
        self.output.truncate(start);
        self.output.push(item);
    }
}
