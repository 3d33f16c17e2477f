//! Star normalisation: `v := e` becomes `v := * constrain c` with no choice in `c` [Bas10, 10.8].
//!
//! The thesis builds a BDD of `'v = e` over auxiliary variables for the choices, quantifies them, and reads
//! the constraint off its cubes (Algorithm 10.3, which says "universally"; its Example 10.6 disjoins,
//! and existential is what is meant: the value is possible if some choice gives it). No BDD is needed. Every
//! `*` is a choice of its own, so the choices of two operands are independent, and what an operator can
//! yield follows from what each operand can yield: the pair (can be true, can be false) composes bottom-up
//! exactly, as [`Values`](crate::boolean::expression::Values) does for one state. With it the constraint is
//! `('v => can be true) & (!'v => can be false)`. An operand without choices is its own pair, `(e, !e)`.
//!
//! Under `^` and `=` both halves of both operands are used twice, so a chain of those doubles at each link.
//! [`normalise`] leaves alone what would grow past a bound: engines understand choices anywhere.

use super::fold::simplify;
use crate::boolean::cfg::{Copy, Expression, Op, Program, Read, Target, Time};
use crate::boolean::expression::{Binary, Item};

/// How much longer than the original a constraint may get.
const GROWTH: usize = 16;

/// Longer expressions are left alone: the pairs are built by copying.
const LONGEST: usize = 2000;

/// An expression as a pair, or as itself where it has no choices.
#[derive(Clone)]
enum Pair {
    Exact(Expression),
    Possible { to_be_true: Expression, to_be_false: Expression },
}

impl Pair {
    fn split(self) -> (Expression, Expression) {
        match self {
            Self::Exact(expression) => (expression.clone(), expression.negate()),
            Self::Possible { to_be_true, to_be_false } => (to_be_true, to_be_false),
        }
    }

    fn length(&self) -> usize {
        match self {
            Self::Exact(expression) => expression.items().len(),
            Self::Possible { to_be_true, to_be_false } => {
                to_be_true.items().len() + to_be_false.items().len()
            }
        }
    }
}

/// Without choices: when the expression can be true, and when it can be false.
///
/// The result may be exponentially longer than the expression; see the module's description.
#[must_use]
pub fn possibilities(expression: &Expression) -> (Expression, Expression) {
    bounded_possibilities(expression, usize::MAX).expect("there is no bound")
}

/// The same, unless an intermediate result has more items than `limit`.
#[must_use]
pub fn bounded_possibilities(expression: &Expression, limit: usize) -> Option<(Expression, Expression)> {
    let pair = expression.try_fold(|item, operands: &[Pair]| {
        let pair = combine(item, operands);
        if pair.length() > limit { Err(()) } else { Ok(pair) }
    });
    let (to_be_true, to_be_false) = pair.ok()?.split();
    Some((simplify(&to_be_true), simplify(&to_be_false)))
}

fn combine(item: &Item<Read>, operands: &[Pair]) -> Pair {
    if let Some(exact) = exactly(item, operands) {
        return Pair::Exact(exact);
    }
    let possible = |to_be_true: Expression, to_be_false: Expression| Pair::Possible {
        to_be_true: simplify(&to_be_true),
        to_be_false: simplify(&to_be_false),
    };
    let both = |number: usize| operands[number].clone().split();
    match item {
        Item::Not => {
            let (to_be_true, to_be_false) = both(0);
            possible(to_be_false, to_be_true)
        }
        Item::Binary(operator) => {
            let (left, right) = (both(0), both(1));
            possible(image(*operator, &left, &right, true), image(*operator, &left, &right, false))
        }
        Item::Schoose => {
            let ((p, not_p), (_, not_n)) = (both(0), both(1));
            possible(p.binary(Binary::Or, not_p.clone().binary(Binary::And, not_n)), not_p)
        }
        Item::Constant(_) | Item::Variable(_) | Item::Choice => {
            possible(Expression::constant(true), Expression::constant(true))
        }
    }
}

/// The expression itself, if neither the item nor its operands have a choice.
fn exactly(item: &Item<Read>, operands: &[Pair]) -> Option<Expression> {
    let operand = |number: usize| match &operands[number] {
        Pair::Exact(expression) => Some(expression.clone()),
        Pair::Possible { .. } => None,
    };
    match item {
        Item::Constant(value) => Some(Expression::constant(*value)),
        Item::Variable(read) => Some(Expression::variable(*read)),
        Item::Not => Some(operand(0)?.negate()),
        Item::Binary(operator) => Some(operand(0)?.binary(*operator, operand(1)?)),
        Item::Choice | Item::Schoose => None,
    }
}

/// When an operator can yield a value, its operands being able to be true and to be false as given.
fn image(
    operator: Binary,
    left: &(Expression, Expression),
    right: &(Expression, Expression),
    wanted: bool,
) -> Expression {
    let side = |pair: &(Expression, Expression), value| if value { pair.0.clone() } else { pair.1.clone() };
    // Where one operand's value settles the result, the other's does not matter: it always has one.
    let mut ways = Vec::new();
    for a in [false, true] {
        if operator.apply(a, false) == wanted && operator.apply(a, true) == wanted {
            ways.push(side(left, a));
        }
    }
    for b in [false, true] {
        if operator.apply(false, b) == wanted && operator.apply(true, b) == wanted {
            ways.push(side(right, b));
        }
    }
    if ways.is_empty() {
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            if operator.apply(a, b) == wanted {
                ways.push(side(left, a).binary(Binary::And, side(right, b)));
            }
        }
    }
    let any = ways.into_iter().reduce(|one, other| one.binary(Binary::Or, other));
    any.unwrap_or_else(|| Expression::constant(false))
}

/// Takes the choices out of assignments, assumptions and what is enforced.
///
/// Assertions keep theirs: one with choices may both fail and pass. Arguments and returned values keep
/// theirs: they have no constraint.
pub(super) fn normalise(program: &mut Program) {
    for node in program.nodes.iter_mut() {
        match &mut node.op {
            Op::Assume(condition) => without_choice(condition),
            Op::Assign { targets, values, constrain } => assignment(targets, values, constrain),
            _ => {}
        }
    }
    for procedure in program.procedures.iter_mut() {
        procedure.enforce.iter_mut().for_each(without_choice);
    }
}

fn limit(expression: &Expression) -> usize {
    let length = expression.items().len();
    if length > LONGEST { 0 } else { length * GROWTH }
}

/// Replaces a condition that need only be possible.
fn without_choice(condition: &mut Expression) {
    if condition.has_choice()
        && let Some((to_be_true, _)) = bounded_possibilities(condition, limit(condition))
    {
        *condition = to_be_true;
    }
}

fn assignment(targets: &[Target], values: &mut [Expression], constrain: &mut Option<Expression>) {
    let mut parts: Vec<Expression> = Vec::new();
    if let Some(constraint) = constrain {
        without_choice(constraint);
        parts.push(constraint.clone());
    }
    for (target, value) in targets.iter().zip(values) {
        let plain = matches!(value.items(), [Item::Choice]);
        if plain || !value.has_choice() {
            continue;
        }
        let Some((to_be_true, to_be_false)) = bounded_possibilities(value, limit(value)) else { continue };
        let Target { variable, copy } = *target;
        let next = Expression::variable(Read { variable, time: Time::Next, copy });
        parts.push(next.clone().binary(Binary::Implies, to_be_true));
        parts.push(next.negate().binary(Binary::Implies, to_be_false));
        *value = Expression::choice();
    }
    let conjunction = simplify(&Expression::conjunction(parts));
    *constrain = (!super::fold::always_passes(&conjunction)).then_some(conjunction);
}

/// Whether an expression reads passive copies.
pub(super) fn reads_passive(expression: &Expression) -> bool {
    expression.variables().any(|read| read.copy == Copy::Passive)
}
