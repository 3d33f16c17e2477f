//! The forms that people and caches rely on.

use crate::term::{Operator, Signedness, Sort, Store, Term};

fn with_word() -> (Store, Term, Term) {
    let mut store = Store::new();
    let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Bits(32)));
    let (x, y) = (store.symbol(x), store.symbol(y));
    (store, x, y)
}

#[test]
fn truth_values_come_back_from_integers() {
    let (mut store, x, y) = with_word();
    let less = store.signed_less(x, y);
    let one_bit = store.bool_to_bits(1, less);
    let integer = store.zero_extend(32, one_bit);
    assert_eq!(store.bits_to_bool(integer), less);
    let byte = store.bool_to_bits(8, less);
    let integer = store.zero_extend(32, byte);
    let bit = store.extract(0, 1, integer);
    assert_eq!(store.bits_to_bool(bit), less);
    let one = store.bits(1, 1);
    let flipped = store.binary(Operator::Xor, one_bit, one);
    let not_less = store.not(less);
    assert_eq!(store.bits_to_bool(flipped), not_less);
}

#[test]
fn conjunctions_of_truth_values_as_integers() {
    let (mut store, x, y) = with_word();
    let (a, b) = (store.signed_less(x, y), store.equal(x, y));
    let (p, q) = (store.bool_to_bits(32, a), store.bool_to_bits(32, b));
    let both = store.binary(Operator::And, p, q);
    let expected = store.and(a, b);
    assert_eq!(store.bits_to_bool(both), expected);
}

#[test]
fn offsets_add_up() {
    let (mut store, x, y) = with_word();
    let (one, five, four) = (store.bits(32, 1), store.bits(32, 5), store.bits(32, 4));
    let minus = store.subtract(x, one);
    let plus = store.add(minus, five);
    let expected = store.add(x, four);
    assert_eq!(plus, expected);
    let (left, right) = (store.add(x, five), store.add(y, one));
    let equal = store.equal(left, right);
    let expected = store.equal(expected, y);
    assert_eq!(equal, expected);
    assert_eq!(store.subtract(left, x), five);
}

#[test]
fn a_bound_has_one_form() {
    let (mut store, x, _) = with_word();
    let (four, five) = (store.bits(32, 4), store.bits(32, 5));
    let greater = store.greater(Signedness::Signed, x, four);
    let less = store.less(Signedness::Signed, x, five);
    assert_eq!(store.not(greater), less);
    assert_eq!(store.less_equal(Signedness::Signed, x, four), less);
    assert_eq!(store.greater_equal(Signedness::Signed, x, five), greater);
}

#[test]
fn extended_comparisons_are_narrow() {
    let mut store = Store::new();
    let byte = store.fresh("c", Sort::Bits(8));
    let byte = store.symbol(byte);
    let (signed, unsigned) = (store.sign_extend(32, byte), store.zero_extend(32, byte));
    let (ten, narrow) = (store.bits(32, 10), store.bits(8, 10));
    let expected = store.signed_less(byte, narrow);
    assert_eq!(store.signed_less(signed, ten), expected);
    let expected = store.unsigned_less(byte, narrow);
    assert_eq!(store.signed_less(unsigned, ten), expected);
    let large = store.bits(32, 300);
    let (less, equal) = (store.signed_less(signed, large), store.equal(unsigned, large));
    assert_eq!((store.truth(less), store.truth(equal)), (Some(true), Some(false)));
}

#[test]
fn values_survive_memory_of_bytes() {
    let (mut store, value, address) = with_word();
    let memory = store.fresh("m", Sort::Array { index: 32, element: 8 });
    let mut memory = store.symbol(memory);
    let at = |store: &mut Store, offset| store.add_constant(address, offset);
    for byte in 0..4 {
        let (index, part) = (at(&mut store, u128::from(byte)), store.extract(8 * byte, 8, value));
        memory = store.store(memory, index, part);
    }
    let mut bytes = Vec::new();
    for byte in 0..4 {
        let index = at(&mut store, byte);
        bytes.push(store.select(memory, index));
    }
    let read = bytes.into_iter().reduce(|low, high| store.concatenate(high, low)).expect("four bytes");
    assert_eq!(read, value);
}

#[test]
fn writes_elsewhere_are_passed_over() {
    let (mut store, x, y) = with_word();
    let memory = store.fresh("m", Sort::Array { index: 32, element: 32 });
    let memory = store.symbol(memory);
    let next = store.add_constant(x, 4);
    let written = store.store(memory, next, y);
    let expected = store.select(memory, x);
    assert_eq!(store.select(written, x), expected);
    assert_eq!(store.store(written, next, x), store.store(memory, next, x));
    let unknown = store.select(written, y);
    assert_ne!(unknown, store.select(memory, y));
}

#[test]
fn conditions_of_one_variable_meet() {
    let (mut store, x, _) = with_word();
    let constants = [3, 4].map(|value| store.bits(32, value));
    let [three, four] = constants.map(|value| store.equal(x, value));
    let not_four = store.not(four);
    assert_eq!(store.and(three, not_four), three);
    let both = store.and(three, four);
    assert_eq!(store.truth(both), Some(false));
    let five = store.bits(32, 5);
    let less = store.unsigned_less(x, five);
    assert_eq!(store.and(less, four), four);
    assert_eq!(store.or(less, four), less);
}

#[test]
fn a_switch_leaves_its_cases() {
    let (mut store, x, y) = with_word();
    let [zero, one, two] = [0, 1, 2].map(|value| store.bits(32, value));
    let (first, second) = (store.equal(x, zero), store.equal(y, zero));
    let inner = store.choose(second, two, y);
    let outer = store.choose(first, one, inner);
    let is_two = store.equal(outer, two);
    let by_value = store.equal(y, two);
    let (not_first, rest) = (store.not(first), store.or(second, by_value));
    assert_eq!(is_two, store.and(not_first, rest));
}

#[test]
fn long_chains_need_no_stack() {
    let (mut store, x, y) = with_word();
    let (mut chain, one) = (x, store.bits(32, 1));
    for _ in 0..300_000 {
        chain = store.binary(Operator::Xor, chain, one);
        chain = store.add(chain, one);
    }
    let equal = store.equal(chain, one);
    assert_eq!(store.sort(equal), Sort::Boolean);
    let (mut any, mut next) = (store.boolean(false), x);
    for _ in 0..300_000 {
        next = store.binary(Operator::Multiply, next, y);
        let bit = store.bits_to_bool(next);
        let not = store.not(bit);
        any = store.or(any, not);
    }
    let none = store.not(any);
    assert_eq!(store.not(none), any);
}

/// Two bits have too few bounds to compare: all pairs of literals about one variable of three bits.
#[test]
fn pairs_of_bounds_meet() {
    let mut store = Store::new();
    let symbol = store.fresh("x", Sort::Bits(3));
    let x = store.symbol(symbol);
    let mut literals = Vec::new();
    for value in 0..8 {
        let constant = store.bits(3, value);
        let atoms =
            [store.equal(x, constant), store.signed_less(x, constant), store.unsigned_less(x, constant)];
        literals.extend(atoms.into_iter().flat_map(|atom| [atom, store.not(atom)]));
    }
    let at = |store: &Store, term, value| {
        let values = [(symbol, crate::term::evaluate::Value::Bits(value))].into_iter().collect();
        store.evaluate(term, &values).unwrap().as_bool()
    };
    for &a in &literals {
        for &b in &literals {
            let (both, either) = (store.and(a, b), store.or(a, b));
            for value in 0..8 {
                let (p, q) = (at(&store, a, value), at(&store, b, value));
                assert_eq!(at(&store, both, value), p && q, "{:?} {:?}", store.node(a), store.node(b));
                assert_eq!(at(&store, either, value), p || q, "{:?} {:?}", store.node(a), store.node(b));
            }
        }
    }
}
