//! If, then, else.
//!
//! A choice between truth values is a conjunction or a disjunction; a choice on a negated condition is turned round; and
//! nested choices with a common arm are merged. That, with comparisons that look into choices, undoes what compilers do to
//! truth values on their way through `int`.

use super::super::{Node, Sort, Store, Term};

pub(in crate::term) fn choose(store: &mut Store, condition: Term, yes: Term, no: Term) -> Term {
    if yes == no {
        return yes;
    }
    match store.node(condition) {
        Node::Boolean(true) => return yes,
        Node::Boolean(false) => return no,
        Node::Not(inner) => return choose(store, inner, no, yes),
        _ => {}
    }
    if store.sort(yes) == Sort::Boolean {
        return choose_boolean(store, condition, yes, no);
    }
    choose_single_bit(store, condition, yes, no)
        .or_else(|| choose_same_as_operand(store, condition, yes, no))
        .or_else(|| choose_nested(store, condition, yes, no))
        .unwrap_or_else(|| {
            let sort = store.sort(yes);
            store.intern(Node::Choose(condition, yes, no), sort)
        })
}

fn choose_boolean(store: &mut Store, condition: Term, yes: Term, no: Term) -> Term {
    let negated = store.not(condition);
    match (store.truth(yes), store.truth(no)) {
        (Some(true), _) => return store.or(condition, no),
        (Some(false), _) => return store.and(negated, no),
        (_, Some(true)) => return store.or(negated, yes),
        (_, Some(false)) => return store.and(condition, yes),
        (None, None) => {}
    }
    if yes == condition {
        store.or(condition, no)
    } else if no == condition {
        store.and(condition, yes)
    } else if yes == negated {
        store.and(negated, no)
    } else if no == negated {
        store.or(negated, yes)
    } else if store.not(yes) == no {
        store.equal(condition, yes)
    } else {
        store.intern(Node::Choose(condition, yes, no), Sort::Boolean)
    }
}

/// `x == 1 ? 1 : 0` of a single bit is the bit, extended.
fn choose_single_bit(store: &mut Store, condition: Term, yes: Term, no: Term) -> Option<Term> {
    let (Node::Bits(width, yes), Node::Bits(_, no)) = (store.node(yes), store.node(no)) else {
        return None;
    };
    let Node::Equal(bit, one) = store.node(condition) else { return None };
    if store.node(one) != Node::Bits(1, 1) {
        return None;
    }
    let bit = match (yes, no) {
        (1, 0) => bit,
        (0, 1) => store.complement(bit),
        _ => return None,
    };
    Some(store.zero_extend(width, bit))
}

/// `x == k ? k : x` is `x`.
fn choose_same_as_operand(store: &mut Store, condition: Term, yes: Term, no: Term) -> Option<Term> {
    let Node::Equal(a, b) = store.node(condition) else { return None };
    ((yes == a && no == b) || (yes == b && no == a)).then_some(no)
}

/// A choice below this one, on the same condition or with an arm in common.
fn choose_nested(store: &mut Store, condition: Term, yes: Term, no: Term) -> Option<Term> {
    if let Node::Choose(inner, a, b) = store.node(yes) {
        if inner == condition {
            return Some(choose(store, condition, a, no));
        }
        if b == no {
            return Some(choose_if_both(store, condition, inner, a, no));
        }
        if a == no {
            let inner = store.not(inner);
            return Some(choose_if_both(store, condition, inner, b, no));
        }
    }
    let Node::Choose(inner, a, b) = store.node(no) else { return None };
    if inner == condition {
        return Some(choose(store, condition, yes, b));
    }
    let negated = store.not(condition);
    if a == yes {
        let inner = store.not(inner);
        return Some(choose_if_both(store, negated, inner, b, yes));
    }
    (b == yes).then(|| choose_if_both(store, negated, inner, a, yes))
}

fn choose_if_both(store: &mut Store, first: Term, second: Term, yes: Term, no: Term) -> Term {
    let both = store.and(first, second);
    choose(store, both, yes, no)
}
