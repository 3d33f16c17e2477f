//! Whether sums, differences and products fit their width.
//!
//! Where a wider integer holds the exact result, the two are compared. There is none above 128 bits: there the signs of a sum
//! tell, and a product is divided again.

use super::{Node, Operator, Store, Term};

/// Whether integers have a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signed {
    /// They have.
    Yes,
    /// They have none.
    No,
}

/// Terms are no wider.
const WIDEST: u32 = 128;

/// Whether an operation overflows.
pub(super) fn overflows(
    store: &mut Store,
    operator: Operator,
    left: Term,
    right: Term,
    signed: Signed,
) -> Term {
    let width = store.width(left);
    let product = operator == Operator::Multiply;
    // Differences of unsigned numbers may be negative: one bit more is enough for them, too.
    let wide = if product { 2 * width } else { width + 1 };
    match (product, signed) {
        _ if wide <= WIDEST => differs_when_wider(store, operator, left, right, wide, signed),
        (true, _) => product_overflows(store, left, right, signed),
        (false, Signed::Yes) => signs_differ(store, operator, left, right),
        (false, Signed::No) => carries(store, operator, left, right),
    }
}

/// Whether an operation gives another result in a wider integer.
fn differs_when_wider(
    store: &mut Store,
    operator: Operator,
    left: Term,
    right: Term,
    wide: u32,
    signed: Signed,
) -> Term {
    let extend = |store: &mut Store, term| match signed {
        Signed::Yes => store.sign_extend(wide, term),
        Signed::No => store.zero_extend(wide, term),
    };
    let (a, b) = (extend(store, left), extend(store, right));
    let exact = store.binary(operator, a, b);
    let narrow = store.binary(operator, left, right);
    let widened = extend(store, narrow);
    let same = store.equal(exact, widened);
    store.not(same)
}

/// A sum of two numbers of one sign has that sign, and a difference of two numbers of different signs that of the first.
fn signs_differ(store: &mut Store, operator: Operator, left: Term, right: Term) -> Term {
    let highest = store.width(left) - 1;
    let result = store.binary(operator, left, right);
    let [a, b, c] = [left, right, result].map(|term| store.extract(highest, 1, term));
    let same = store.equal(a, b);
    let critical = if operator == Operator::Add { same } else { store.not(same) };
    let kept = store.equal(a, c);
    let changed = store.not(kept);
    store.and(critical, changed)
}

/// A sum of unsigned numbers is less than the first if it has wrapped; a difference wraps if the second is larger.
fn carries(store: &mut Store, operator: Operator, left: Term, right: Term) -> Term {
    if operator == Operator::Subtract {
        return store.unsigned_less(left, right);
    }
    let sum = store.binary(Operator::Add, left, right);
    store.unsigned_less(sum, left)
}

/// A product that is divided by one of its factors is the other one, unless it has wrapped. The least number times −1 is
/// itself, and so it is divided by −1.
fn product_overflows(store: &mut Store, left: Term, right: Term, signed: Signed) -> Term {
    let width = store.width(left);
    // Division by a constant is easier to decide.
    let constant = matches!(store.node(right), Node::Bits(..));
    let (left, right) = if constant { (right, left) } else { (left, right) };
    let product = store.binary(Operator::Multiply, left, right);
    let divide = if signed == Signed::Yes { Operator::SignedDivide } else { Operator::UnsignedDivide };
    let quotient = store.binary(divide, product, left);
    let (zero, minus_one) = (store.bits(width, 0), store.bits(width, u128::MAX));
    let (none, same) = (store.equal(left, zero), store.equal(quotient, right));
    let fits = store.or(none, same);
    let wrapped = store.not(fits);
    if signed == Signed::No {
        return wrapped;
    }
    let least = store.bits(width, 1 << (width - 1));
    let (negates, at_least) = (store.equal(left, minus_one), store.equal(right, least));
    let negated = store.and(negates, at_least);
    store.or(wrapped, negated)
}
