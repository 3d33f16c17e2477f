//! What the facts at a node tell of its expressions, and what its operation tells of the facts behind it.

use super::super::facts::{Facts, Literal, Root};
use super::super::fold::{self, Known, Sign, as_constant, as_known};
use crate::boolean::cfg::{Copy, Expression, Program, Read, Target, Time, VariableId};
use crate::boolean::expression::{Binary, Item};
use crate::ground::index::IndexVec;
use std::collections::BTreeMap;

/// Of which variables there may be facts.
pub(super) struct Tracked {
    private: IndexVec<VariableId, bool>,
}

impl Tracked {
    pub(super) fn new(program: &Program) -> Self {
        let shared = program.starts_threads();
        let private = |id| !(program.variables[id].passive || shared && program.is_global(id));
        Self { private: program.variables.ids().map(private).collect() }
    }

    pub(super) fn contains(&self, variable: VariableId) -> bool {
        self.private[variable]
    }
}

/// What is known when a node is executed.
pub(super) struct View<'a> {
    pub(super) facts: &'a Facts,
    pub(super) tracked: &'a Tracked,
}

impl View<'_> {
    fn known(&self, read: &Read) -> Known {
        if read.copy == Copy::Passive || !self.tracked.contains(read.variable) {
            return Known::Literal(*read, Sign::Plain);
        }
        match self.facts.resolve(read.variable) {
            (Root::True, sign) => Known::Constant(sign == Sign::Plain),
            (Root::Variable(root), sign) => Known::Literal(Read { variable: root, ..*read }, sign),
        }
    }

    /// The expression over the old state.
    pub(super) fn fold(&self, expression: &Expression) -> Expression {
        fold::fold(expression, |read| self.known(read))
    }

    /// What a folded value is, if it is one of a tracked variable.
    pub(super) fn literal(&self, value: &Expression) -> Option<Literal> {
        match as_known(value)? {
            Known::Constant(value) => Some((Root::True, Sign::of(value))),
            Known::Literal(read, sign) => {
                let plain = read.copy == Copy::Own && self.tracked.contains(read.variable);
                plain.then_some((Root::Variable(read.variable), sign))
            }
        }
    }

    /// A constraint, with the new values of variables replaced where they are known.
    pub(super) fn fold_constraint(
        &self,
        constraint: &Expression,
        new: &BTreeMap<Target, Expression>,
    ) -> Expression {
        fold::fold(constraint, |read| {
            let target = Target { variable: read.variable, copy: read.copy };
            match (read.time, new.get(&target)) {
                (Time::Now, _) => self.known(read),
                (Time::Next, Some(value)) if self.literal(value).is_some() => {
                    as_known(value).unwrap_or(Known::Literal(*read, Sign::Plain))
                }
                (Time::Next, Some(_)) => Known::Literal(*read, Sign::Plain),
                (Time::Next, None) if read.copy == Copy::Own && self.tracked.contains(read.variable) => {
                    self.known(&Read { time: Time::Now, ..*read })
                }
                (Time::Next, None) => Known::Literal(*read, Sign::Plain),
            }
        })
    }
}

/// The simple facts in a condition that held: its conjuncts that are literals or equate two.
fn conjuncts(condition: &Expression) -> Vec<(Known, Known)> {
    let mut found = Vec::new();
    let items = condition.items();
    let mut ends = vec![items.len()];
    while let Some(end) = ends.pop() {
        let part = &items[..end];
        let truth = Known::Constant(true);
        match part {
            [.., Item::Binary(Binary::And)] => {
                let right = end - 1;
                ends.extend([right, right - operand_length(&items[..right])]);
            }
            [.., Item::Variable(read)] => found.push((Known::Literal(*read, Sign::Plain), truth)),
            [.., Item::Variable(read), Item::Not] => {
                found.push((Known::Literal(*read, Sign::Negated), truth))
            }
            [.., Item::Variable(a), Item::Variable(b), Item::Binary(operator)] => {
                let sign = match operator {
                    Binary::Equal | Binary::Iff => Sign::Plain,
                    Binary::Xor | Binary::NotEqual => Sign::Negated,
                    _ => continue,
                };
                found.push((Known::Literal(*a, Sign::Plain), Known::Literal(*b, sign)));
            }
            _ => {}
        }
    }
    found
}

/// How many items the last complete operand of a postfix sequence has.
fn operand_length(items: &[Item<Read>]) -> usize {
    let mut missing = 1;
    for (count, item) in items.iter().rev().enumerate() {
        missing = missing + item.arity() - 1;
        if missing == 0 {
            return count + 1;
        }
    }
    items.len()
}

/// The facts behind a condition; `None` if it cannot hold.
pub(super) fn assumed(view: &View<'_>, condition: &Expression) -> Option<Facts> {
    let condition = view.fold(condition);
    if as_constant(&condition) == Some(false) {
        return None;
    }
    learn(view.facts.clone(), view.tracked, &condition, Time::Now)
}

/// The facts with what the conjuncts of a folded condition tell of one state.
fn learn(mut facts: Facts, tracked: &Tracked, condition: &Expression, time: Time) -> Option<Facts> {
    let literal = |known: Known| match known {
        Known::Constant(value) => Some((Root::True, Sign::of(value))),
        Known::Literal(read, sign) => {
            let private = read.copy == Copy::Own && read.time == time && tracked.contains(read.variable);
            private.then_some((Root::Variable(read.variable), sign))
        }
    };
    for (one, other) in conjuncts(condition) {
        if let (Some(one), Some(other)) = (literal(one), literal(other)) {
            facts = facts.with_equal(one, other)?;
        }
    }
    Some(facts)
}

/// The facts behind an assignment; `None` if its constraint cannot hold.
pub(super) fn assigned(
    view: &View<'_>,
    targets: &[Target],
    values: &[Expression],
    constrain: &Option<Expression>,
) -> Option<Facts> {
    let folded: BTreeMap<Target, Expression> =
        targets.iter().copied().zip(values.iter().map(|value| view.fold(value))).collect();
    let constraint = constrain.as_ref().map(|constraint| view.fold_constraint(constraint, &folded));
    let mut before = view.facts.clone();
    if let Some(constraint) = &constraint {
        if as_constant(constraint) == Some(false) {
            return None;
        }
        before = learn(before, view.tracked, constraint, Time::Now)?;
    }
    let mut new = BTreeMap::new();
    for (target, value) in &folded {
        if target.copy == Copy::Own && view.tracked.contains(target.variable) {
            let literal = view.literal(value).map(|(root, sign)| match root {
                Root::True => (root, sign),
                Root::Variable(variable) => {
                    let (root, more) = before.resolve(variable);
                    (root, sign.times(more))
                }
            });
            new.insert(target.variable, literal);
        }
    }
    let after = before.assign(&new);
    match &constraint {
        None => Some(after),
        Some(constraint) => learn(after, view.tracked, constraint, Time::Next),
    }
}
