//! Equality and order.
//!
//! A comparison with a constant is pushed down to the narrowest term that decides it: through sums, extensions and
//! choices. `c < x` becomes `!(x < c + 1)`, so that a bound has one form. Comparisons of extended terms become comparisons
//! of the terms.

use super::super::arithmetic::{self, from_signed, greatest, least, mask, to_signed};
use super::super::{Node, Operator, Signedness, Sort, Store, Term};
use super::{STEPS, implication, operand};

/// What a choice on the way to an operand adds to a comparison.
enum Pending {
    And(Term),
    Or(Term),
}

pub(in crate::term) fn equal(store: &mut Store, a: Term, b: Term) -> Term {
    if a == b {
        return store.boolean(true);
    }
    let (a, b) = operand::ordered(store, a, b);
    match store.sort(a) {
        Sort::Boolean => equal_boolean(store, a, b),
        Sort::Bits(_) => match store.constant(b) {
            Some(value) => equal_constant(store, a, value),
            None => equal_terms(store, a, b),
        },
        Sort::Array { .. } => store.intern(Node::Equal(a, b), Sort::Boolean),
    }
}

fn equal_boolean(store: &mut Store, a: Term, b: Term) -> Term {
    match store.truth(b) {
        Some(true) => return a,
        Some(false) => return store.not(a),
        None => {}
    }
    let (x, y) = (implication::literal(store, a), implication::literal(store, b));
    if x.atom == y.atom {
        return store.boolean(x.positive == y.positive);
    }
    let (first, second) = operand::ordered(store, x.atom, y.atom);
    let equal = store.intern(Node::Equal(first, second), Sort::Boolean);
    if x.positive == y.positive { equal } else { store.not(equal) }
}

/// `x == value`, where the term may be a constant after some steps.
fn equal_constant(store: &mut Store, mut x: Term, mut value: u128) -> Term {
    let mut pending = Vec::new();
    for _ in 0..STEPS {
        if let Some((inner, inner_value)) = equal_through(store, x, value) {
            (x, value) = (inner, inner_value);
        } else if let Some((step, inner)) = equal_through_choice(store, x, value) {
            pending.push(step);
            x = inner;
        } else {
            break;
        }
    }
    let equal = equal_constant_at_last(store, x, value);
    pending.into_iter().rev().fold(equal, |equal, step| match step {
        Pending::And(condition) => store.and(condition, equal),
        Pending::Or(condition) => store.or(condition, equal),
    })
}

/// A smaller term and a value such that one equality holds if and only if the other does.
fn equal_through(store: &Store, x: Term, value: u128) -> Option<(Term, u128)> {
    let all = mask(store.width(x));
    match store.node(x) {
        Node::Binary(Operator::Add, y, c) => Some((y, value.wrapping_sub(store.constant(c)?) & all)),
        Node::Binary(Operator::Subtract, c, y) => Some((y, store.constant(c)?.wrapping_sub(value) & all)),
        Node::Binary(Operator::Xor, y, c) => Some((y, value ^ store.constant(c)?)),
        Node::ZeroExtend(_, y) => (value <= mask(store.width(y))).then_some((y, value)),
        Node::SignExtend(width, y) => {
            let narrow = value & mask(store.width(y));
            let fits = from_signed(width, to_signed(store.width(y), narrow)) == value;
            fits.then_some((y, narrow))
        }
        Node::Concatenate(high, low) => {
            let width = store.width(low);
            (store.constant(high)? == value >> width).then_some((low, value & mask(width)))
        }
        _ => None,
    }
}

/// `(c ? k : y) == value`: `c || y == value` if `k` is the value, else `!c && y == value`.
fn equal_through_choice(store: &mut Store, x: Term, value: u128) -> Option<(Pending, Term)> {
    let Node::Choose(condition, yes, no) = store.node(x) else { return None };
    let negated = store.not(condition);
    let (taken, left, constant, other) = match (store.constant(yes), store.constant(no)) {
        (Some(yes), _) => (condition, negated, yes, no),
        (_, Some(no)) => (negated, condition, no, yes),
        (None, None) => return None,
    };
    Some((if constant == value { Pending::Or(taken) } else { Pending::And(left) }, other))
}

fn equal_constant_at_last(store: &mut Store, x: Term, value: u128) -> Term {
    if let Some(constant) = store.constant(x) {
        return store.boolean(constant == value);
    }
    if never_equal(store, x, value) {
        return store.boolean(false);
    }
    match store.node(x) {
        Node::Binary(Operator::Subtract | Operator::Xor, y, z) if value == 0 && no_constants(store, y, z) => {
            let (y, z) = operand::ordered(store, y, z);
            return store.intern(Node::Equal(y, z), Sort::Boolean);
        }
        _ => {}
    }
    let width = store.width(x);
    if width == 1 && value == 0 {
        let set = equal_constant_at_last(store, x, 1);
        return store.not(set);
    }
    let value = store.bits(width, value);
    store.intern(Node::Equal(x, value), Sort::Boolean)
}

fn never_equal(store: &Store, x: Term, value: u128) -> bool {
    match store.node(x) {
        // Values that do not fit were left by `equal_through`.
        Node::SignExtend(width, y) => {
            let narrow = to_signed(store.width(y), value & mask(store.width(y)));
            from_signed(width, narrow) != value
        }
        Node::Concatenate(high, low) => {
            store.constant(high).is_some_and(|high| high != value >> store.width(low))
        }
        _ => value > operand::upper_bound(store, x),
    }
}

fn no_constants(store: &Store, a: Term, b: Term) -> bool {
    store.constant(a).is_none() && store.constant(b).is_none()
}

fn equal_terms(store: &mut Store, a: Term, b: Term) -> Term {
    if let Some((x, y)) = narrowed(store, a, b) {
        return equal(store, x, y);
    }
    match (store.node(a), store.node(b)) {
        (Node::Binary(Operator::Add, x, y), _) if x == b => is_zero(store, y),
        (Node::Binary(Operator::Add, x, y), _) if y == b => is_zero(store, x),
        (_, Node::Binary(Operator::Add, x, y)) if x == a => is_zero(store, y),
        (_, Node::Binary(Operator::Add, x, y)) if y == a => is_zero(store, x),
        _ => equal_sums(store, a, b),
    }
}

fn is_zero(store: &mut Store, x: Term) -> Term {
    let zero = store.bits(store.width(x), 0);
    equal(store, x, zero)
}

/// `x + c == y + d`: the constants meet on one side, where their sum is not negative.
fn equal_sums(store: &mut Store, a: Term, b: Term) -> Term {
    let width = store.width(a);
    let ((x, c), (y, d)) = (store.offset(a), store.offset(b));
    let difference = c.wrapping_sub(d) & mask(width);
    if x == y {
        return store.boolean(difference == 0);
    }
    let (x, y) =
        if difference == least(Signedness::Signed, width) { operand::ordered(store, x, y) } else { (x, y) };
    let (left, right) = if to_signed(width, difference) > 0 {
        (store.add_constant(x, difference), y)
    } else {
        (x, store.add_constant(y, difference.wrapping_neg()))
    };
    let (left, right) = operand::ordered(store, left, right);
    store.intern(Node::Equal(left, right), Sort::Boolean)
}

/// Two extensions of one kind, as terms of the wider operand's width.
fn narrowed(store: &mut Store, a: Term, b: Term) -> Option<(Term, Term)> {
    match (store.node(a), store.node(b)) {
        (Node::ZeroExtend(_, x), Node::ZeroExtend(_, y)) => {
            let width = store.width(x).max(store.width(y));
            Some((store.zero_extend(width, x), store.zero_extend(width, y)))
        }
        (Node::SignExtend(_, x), Node::SignExtend(_, y)) => {
            let width = store.width(x).max(store.width(y));
            Some((store.sign_extend(width, x), store.sign_extend(width, y)))
        }
        _ => None,
    }
}

pub(in crate::term) fn less(store: &mut Store, signedness: Signedness, a: Term, b: Term) -> Term {
    let width = store.width(a);
    if a == b {
        return store.boolean(false);
    }
    match (store.constant(a), store.constant(b)) {
        (Some(a), Some(b)) => store.boolean(arithmetic::less(signedness, width, a, b)),
        (Some(a), None) if a == greatest(signedness, width) => store.boolean(false),
        (Some(a), None) => {
            let at_most = less_constant(store, signedness, b, a.wrapping_add(1) & mask(width));
            store.not(at_most)
        }
        (None, Some(b)) => less_constant(store, signedness, a, b),
        (None, None) => less_terms(store, signedness, a, b),
    }
}

fn less_terms(store: &mut Store, signedness: Signedness, a: Term, b: Term) -> Term {
    if let Some((x, y)) = narrowed(store, a, b) {
        // Extending by zeros leaves no negative number; extending by signs keeps both orders.
        let zeros = matches!(store.node(a), Node::ZeroExtend(..));
        return less(store, if zeros { Signedness::Unsigned } else { signedness }, x, y);
    }
    intern_less(store, signedness, a, b)
}

fn intern_less(store: &mut Store, signedness: Signedness, a: Term, b: Term) -> Term {
    let node = match signedness {
        Signedness::Signed => Node::SignedLess(a, b),
        Signedness::Unsigned => Node::UnsignedLess(a, b),
    };
    store.intern(node, Sort::Boolean)
}

/// `x < bound`, where `x` is no constant.
fn less_constant(store: &mut Store, signedness: Signedness, x: Term, bound: u128) -> Term {
    let width = store.width(x);
    let (least, greatest) = (least(signedness, width), greatest(signedness, width));
    if let Some(value) = less_decided(store, signedness, x, bound) {
        store.boolean(value)
    } else if bound == least.wrapping_add(1) & mask(width) {
        equal_constant(store, x, least)
    } else if bound == greatest {
        let at_end = equal_constant(store, x, greatest);
        store.not(at_end)
    } else {
        less_through(store, signedness, x, bound)
    }
}

/// The value of `x < bound` where the range of `x` decides it.
fn less_decided(store: &Store, signedness: Signedness, x: Term, bound: u128) -> Option<bool> {
    let width = store.width(x);
    if bound == least(signedness, width) {
        return Some(false);
    }
    if let (Signedness::Signed, Node::SignExtend(_, y)) = (signedness, store.node(x)) {
        let (inner, bound) = (store.width(y), to_signed(width, bound));
        let end = |value| to_signed(inner, value);
        let (low, high) = (end(least(signedness, inner)), end(greatest(signedness, inner)));
        return if bound > high { Some(true) } else { (bound <= low).then_some(false) };
    }
    let highest = operand::upper_bound(store, x);
    let never_negative = highest <= greatest(signedness, width);
    if never_negative && !arithmetic::less(signedness, width, 0, bound) {
        return Some(false);
    }
    (never_negative && highest < bound).then_some(true)
}

fn less_through(store: &mut Store, signedness: Signedness, x: Term, bound: u128) -> Term {
    let width = store.width(x);
    match (store.node(x), signedness) {
        (Node::ZeroExtend(_, y), _) => less_constant(store, Signedness::Unsigned, y, bound),
        (Node::SignExtend(_, y), Signedness::Signed) => {
            less_constant(store, signedness, y, bound & mask(store.width(y)))
        }
        (Node::Choose(..), _) if operand::constant_arms(store, x).is_some() => {
            let (condition, yes, no) = operand::constant_arms(store, x).expect("just seen");
            let yes = store.boolean(arithmetic::less(signedness, width, yes, bound));
            let no = store.boolean(arithmetic::less(signedness, width, no, bound));
            store.choose(condition, yes, no)
        }
        _ => {
            let bound = store.bits(width, bound);
            intern_less(store, signedness, x, bound)
        }
    }
}
