//! Extraction, concatenation, extension.
//!
//! Bytes that go to memory one by one and come back one by one are one value again: adjacent extractions merge, and an
//! extraction finds its part of a concatenation. Concatenations lean to the right: `a ++ (b ++ c)`.

use super::super::arithmetic::{from_signed, mask, to_signed};
use super::super::{Node, Operator, Sort, Store, Term};
use super::operand;

pub(in crate::term) fn extract(store: &mut Store, low: u32, width: u32, of: Term) -> Term {
    if width == store.width(of) {
        return of;
    }
    let simpler = match store.node(of) {
        Node::Bits(_, value) => Some(store.bits(width, value >> low)),
        Node::Extract { low: below, of, .. } => Some(extract(store, low + below, width, of)),
        Node::Concatenate(high, rest) => Some(extract_of_parts(store, low, width, high, rest)),
        Node::ZeroExtend(_, inner) => Some(extract_of_zeros(store, low, width, inner)),
        Node::SignExtend(_, inner) => Some(extract_of_signs(store, low, width, inner)),
        Node::Choose(..) => operand::constant_arms(store, of)
            .map(|(condition, yes, no)| operand::choose_bits(store, width, condition, yes >> low, no >> low)),
        Node::Binary(operator, a, b) => extract_of_binary(store, low, width, operator, a, b),
        _ => None,
    };
    simpler.unwrap_or_else(|| store.intern(Node::Extract { low, width, of }, Sort::Bits(width)))
}

fn extract_of_parts(store: &mut Store, low: u32, width: u32, high: Term, rest: Term) -> Term {
    let border = store.width(rest);
    if low >= border {
        extract(store, low - border, width, high)
    } else if low + width <= border {
        extract(store, low, width, rest)
    } else {
        let left = extract(store, 0, low + width - border, high);
        let right = extract(store, low, border - low, rest);
        store.concatenate(left, right)
    }
}

fn extract_of_zeros(store: &mut Store, low: u32, width: u32, inner: Term) -> Term {
    let border = store.width(inner);
    if low >= border {
        return store.bits(width, 0);
    }
    let part = extract(store, low, width.min(border - low), inner);
    store.zero_extend(width, part)
}

fn extract_of_signs(store: &mut Store, low: u32, width: u32, inner: Term) -> Term {
    let border = store.width(inner);
    let low = low.min(border - 1);
    let part = extract(store, low, width.min(border - low), inner);
    store.sign_extend(width, part)
}

fn extract_of_binary(
    store: &mut Store,
    low: u32,
    width: u32,
    operator: Operator,
    a: Term,
    b: Term,
) -> Option<Term> {
    use Operator as O;
    match operator {
        O::ShiftLeft | O::ShiftRight => extract_of_shift(store, low, width, operator, a, b),
        O::And | O::Or | O::Xor if extracts_at_once(store, low, width, a, b) => {
            extract_of_both(store, low, width, operator, a, b)
        }
        // The low bits of a result depend on the low bits of the operands alone.
        O::Add | O::Subtract | O::Multiply if low == 0 && extracts_at_once(store, 0, width, a, b) => {
            extract_of_both(store, 0, width, operator, a, b)
        }
        _ => None,
    }
}

fn extract_of_both(
    store: &mut Store,
    low: u32,
    width: u32,
    operator: Operator,
    a: Term,
    b: Term,
) -> Option<Term> {
    let (a, b) = (extract(store, low, width, a), extract(store, low, width, b));
    Some(store.binary(operator, a, b))
}

/// Whether extracting from both operands ends at once: constants, and extensions whose own bits are all kept.
fn extracts_at_once(store: &Store, low: u32, width: u32, a: Term, b: Term) -> bool {
    let at_once = |term: Term| match store.node(term) {
        Node::Bits(..) => true,
        Node::ZeroExtend(_, inner) | Node::SignExtend(_, inner) => low == 0 && store.width(inner) <= width,
        _ => false,
    };
    at_once(a) && at_once(b)
}

fn extract_of_shift(
    store: &mut Store,
    low: u32,
    width: u32,
    operator: Operator,
    a: Term,
    by: Term,
) -> Option<Term> {
    let by = u32::try_from(store.constant(by)?).ok()?;
    if operator == Operator::ShiftRight {
        return (low + by + width <= store.width(a)).then(|| intern_extract(store, low + by, width, a));
    }
    if low >= by {
        Some(intern_extract(store, low - by, width, a))
    } else {
        (low + width <= by).then(|| store.bits(width, 0))
    }
}

/// An extraction that looks below its operand only where the operand is of constant depth or narrower inside.
fn intern_extract(store: &mut Store, low: u32, width: u32, of: Term) -> Term {
    match store.node(of) {
        Node::Binary(..) => store.intern(Node::Extract { low, width, of }, Sort::Bits(width)),
        _ => extract(store, low, width, of),
    }
}

pub(in crate::term) fn concatenate(store: &mut Store, high: Term, low: Term) -> Term {
    let width = store.width(high) + store.width(low);
    if let Some(term) = merge_parts(store, high, low) {
        return term;
    }
    match (store.node(high), store.node(low)) {
        (Node::Bits(_, 0), _) => store.zero_extend(width, low),
        (Node::Concatenate(a, b), _) => {
            let rest = concatenate(store, b, low);
            concatenate(store, a, rest)
        }
        (Node::ZeroExtend(_, a), _) => {
            let rest = concatenate(store, a, low);
            store.zero_extend(width, rest)
        }
        (_, Node::Concatenate(a, rest)) => match merge_parts(store, high, a) {
            Some(merged) => concatenate(store, merged, rest),
            None => store.intern(Node::Concatenate(high, low), Sort::Bits(width)),
        },
        _ => store.intern(Node::Concatenate(high, low), Sort::Bits(width)),
    }
}

/// Constants side by side, and adjacent extractions of one term.
fn merge_parts(store: &mut Store, high: Term, low: Term) -> Option<Term> {
    match (store.node(high), store.node(low)) {
        (Node::Bits(a, x), Node::Bits(b, y)) => Some(store.bits(a + b, (x << b) | y)),
        (Node::Extract { low: at, width: a, of }, Node::Extract { low: below, width: b, of: same })
            if of == same && below + b == at =>
        {
            Some(extract(store, below, a + b, of))
        }
        _ => None,
    }
}

pub(in crate::term) fn zero_extend(store: &mut Store, width: u32, a: Term) -> Term {
    if store.width(a) == width {
        return a;
    }
    match store.node(a) {
        Node::Bits(_, value) => store.bits(width, value),
        Node::ZeroExtend(_, inner) => zero_extend(store, width, inner),
        Node::Choose(..) if operand::constant_arms(store, a).is_some() => {
            let (condition, yes, no) = operand::constant_arms(store, a).expect("just seen");
            operand::choose_bits(store, width, condition, yes, no)
        }
        _ => store.intern(Node::ZeroExtend(width, a), Sort::Bits(width)),
    }
}

pub(in crate::term) fn sign_extend(store: &mut Store, width: u32, a: Term) -> Term {
    let narrow = store.width(a);
    if narrow == width {
        return a;
    }
    let extended = |value| from_signed(width, to_signed(narrow, value));
    match store.node(a) {
        Node::Bits(_, value) => store.bits(width, extended(value)),
        Node::SignExtend(_, inner) => sign_extend(store, width, inner),
        Node::ZeroExtend(_, inner) => zero_extend(store, width, inner),
        Node::Choose(..) if operand::constant_arms(store, a).is_some() => {
            let (condition, yes, no) = operand::constant_arms(store, a).expect("just seen");
            operand::choose_bits(store, width, condition, extended(yes), extended(no))
        }
        // What is never negative has one form.
        _ if operand::upper_bound(store, a) <= mask(narrow) >> 1 => zero_extend(store, width, a),
        _ => store.intern(Node::SignExtend(width, a), Sort::Bits(width)),
    }
}
