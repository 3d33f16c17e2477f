//! Simpler expressions.

use crate::boolean::ast::{Expression, Reference};
use crate::boolean::expression::{self, Item};
use std::ops::Range;

/// Expressions in which one subexpression is replaced by one of its operands or by a constant.
pub(super) fn reductions(expression: &Expression) -> Vec<Expression> {
    let items = expression.body.items();
    let ranges = ranges(items);
    let mut found = Vec::new();
    for (end, range) in ranges.iter().enumerate().rev() {
        for operand in operands(&ranges, end, items[end].arity()) {
            found.extend(replace(expression, range, &items[operand]));
        }
        if !matches!(items[end], Item::Constant(_)) {
            found.extend(replace(expression, range, &[Item::Constant(true)]));
            found.extend(replace(expression, range, &[Item::Constant(false)]));
        }
    }
    found
}

/// For every item, the items of the subexpression that ends there.
fn ranges(items: &[Item<Reference>]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(items.len());
    for (end, item) in items.iter().enumerate() {
        let start = operands(&ranges, end, item.arity()).last().map_or(end, |first| first.start);
        ranges.push(start..end + 1);
    }
    ranges
}

/// The operands of the item at a position, the last one first.
fn operands(ranges: &[Range<usize>], item: usize, arity: usize) -> Vec<Range<usize>> {
    let mut end = item;
    let mut found = Vec::new();
    for _ in 0..arity {
        let operand = ranges[end - 1].clone();
        end = operand.start;
        found.push(operand);
    }
    found
}

fn replace(expression: &Expression, range: &Range<usize>, by: &[Item<Reference>]) -> Option<Expression> {
    let items = expression.body.items();
    let changed = [&items[..range.start], by, &items[range.end..]].concat();
    Some(Expression { body: expression::Expression::from_postfix(changed)?, at: expression.at })
}
