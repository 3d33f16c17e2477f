//! Floating-point terms: corner values, random ones, and rules that look at operands.

use crate::term::arithmetic::mask;
use crate::term::evaluate::{Assignment, Value};
use crate::term::float::{FloatFunction, FloatOperator, FloatRelation, Format, Rounding};
use crate::term::tests::generate::Random;
use crate::term::{Node, Operator, Signedness, Sort, Store, Symbol, Term};

pub(crate) const OPERATORS: [FloatOperator; 4] =
    [FloatOperator::Add, FloatOperator::Subtract, FloatOperator::Multiply, FloatOperator::Divide];

pub(crate) const RELATIONS: [FloatRelation; 3] =
    [FloatRelation::Equal, FloatRelation::Less, FloatRelation::LessEqual];

const ROUNDINGS: [Rounding; 5] =
    [Rounding::Down, Rounding::Up, Rounding::TowardsZero, Rounding::TiesToEven, Rounding::TiesAway];

/// All functions of a number of so many bits.
pub(crate) fn functions(width: u32) -> Vec<FloatFunction> {
    let mut all = vec![FloatFunction::SquareRoot, FloatFunction::Resize(96 - width)];
    all.extend(ROUNDINGS.map(FloatFunction::Integral));
    for signedness in [Signedness::Signed, Signedness::Unsigned] {
        all.extend([8, 32, 64].map(|to| FloatFunction::ToInteger(signedness, to)));
    }
    all
}

/// Numbers of a format at which something changes, and a few others: zeros, the least and greatest ones, infinities, limits of
/// integers, halves, and what is not a number.
pub(crate) fn corners(width: u32) -> Vec<u128> {
    let format = Format::of_width(width);
    let mut positive =
        vec![0, 1, 2, format.infinity(), format.infinity() - 1, format.infinity() + 1, format.nan()];
    let normal = 1u128 << (format.significand() - 1);
    positive.extend([normal - 1, normal, normal + 1, format.nan() | 5]);
    let exponents = [-1, 0, 1, 7, 8, 23, 24, 31, 32, 52, 53, 63, 64, 127];
    let powers = exponents.map(|exponent| format.encode(2f64.powi(exponent)));
    positive.extend(powers.into_iter().flat_map(|bits| [bits - 1, bits, bits + 1]));
    positive.extend([0.1, 1.5, 2.5, 3.0, 10.0, 1e10].map(|value| format.encode(value)));
    positive.iter().copied().chain(positive.iter().map(|bits| bits | format.sign())).collect()
}

/// Some bits: any, or those of a small number.
pub(crate) fn some_number(random: &mut Random, width: u32) -> u128 {
    let format = Format::of_width(width);
    match random.below(4) {
        0 => u128::from(random.next()) & mask(width),
        1 => random.pick(&corners(width)),
        2 => format.encode(f64::from(random.below(2000)) / 8.0 - 100.0),
        _ => format.encode(f64::from(random.below(20)) - 10.0),
    }
}

/// A random term of a format over symbols, with operators, signs, choices and bits of what is not a number.
pub(crate) fn random_term(
    store: &mut Store,
    random: &mut Random,
    symbols: &[Symbol; 4],
    width: u32,
    depth: u32,
) -> Term {
    let format = Format::of_width(width);
    if depth == 0 {
        if random.below(3) == 0 {
            let value = some_number(random, width);
            return store.bits(width, value);
        }
        let first = if width == 32 { 0 } else { 2 };
        return store.symbol(symbols[first + random.below(2) as usize]);
    }
    let a = random_term(store, random, symbols, width, depth - 1);
    let shape = random.below(9);
    match shape {
        0..=2 => {
            let b = random_term(store, random, symbols, width, depth - 1);
            let operator = random.pick(&OPERATORS);
            store.float_binary(operator, a, b)
        }
        3 => {
            let sign = store.bits(width, format.sign());
            store.binary(Operator::Xor, a, sign)
        }
        4 => {
            let others = store.bits(width, !format.sign());
            store.binary(Operator::And, a, others)
        }
        5 => {
            let any = store.symbol(symbols[if width == 32 { 1 } else { 3 }]);
            let nan = store.bits(width, format.nan());
            let none = store.binary(Operator::Or, any, nan);
            let is_number = store.float_compare(FloatRelation::Equal, a, a);
            store.choose(is_number, a, none)
        }
        6 => {
            let other = random_term(store, random, symbols, 96 - width, depth - 1);
            store.float_unary(FloatFunction::Resize(width), other)
        }
        7 => {
            let signedness = random.pick(&[Signedness::Signed, Signedness::Unsigned]);
            let to = random.pick(&[8, 16, 64]);
            let integer = store.float_unary(FloatFunction::ToInteger(signedness, to), a);
            store.float_unary(FloatFunction::FromInteger(signedness, width), integer)
        }
        _ => {
            let functions = [FloatFunction::SquareRoot, FloatFunction::Integral(random.pick(&ROUNDINGS))];
            let function = random.pick(&functions);
            store.float_unary(function, a)
        }
    }
}

/// A random comparison.
pub(crate) fn random_truth(
    store: &mut Store,
    random: &mut Random,
    symbols: &[Symbol; 4],
    depth: u32,
) -> Term {
    let width = random.pick(&[32, 64]);
    let a = random_term(store, random, symbols, width, depth);
    let b = random_term(store, random, symbols, width, depth);
    let relation = random.pick(&RELATIONS);
    let holds = store.float_compare(relation, a, b);
    if random.below(2) == 0 { store.not(holds) } else { holds }
}

/// Two symbols of each format.
pub(crate) fn symbols(store: &mut Store) -> [Symbol; 4] {
    [("a", 32), ("b", 32), ("x", 64), ("y", 64)].map(|(name, width)| store.fresh(name, Sort::Bits(width)))
}

/// Values for these symbols.
pub(crate) fn values(random: &mut Random, symbols: &[Symbol; 4]) -> Assignment {
    let widths = [32, 32, 64, 64];
    symbols
        .iter()
        .zip(widths)
        .map(|(&symbol, width)| (symbol, Value::Bits(some_number(random, width))))
        .collect()
}

/// The same numbers; of what is not a number the bits do not matter.
fn same(width: u32, a: u128, b: u128) -> bool {
    let format = Format::of_width(width);
    format.canonical(a) == format.canonical(b)
}

/// What rules make of operands has the value that folding of constants gives, operand by operand.
#[test]
fn rules_keep_values() {
    let mut random = Random::new(70);
    for _ in 0..3000 {
        let mut store = Store::new();
        let symbols = symbols(&mut store);
        let width = random.pick(&[32, 64]);
        let depth = 1 + random.below(3);
        let mut again = Random::new(random.next());
        let term = random_term(&mut store, &mut again, &symbols, width, depth);
        let values = values(&mut random, &symbols);
        let found = store.evaluate(term, &values).unwrap().as_bits();
        let constants: Vec<(Symbol, Term)> = values
            .iter()
            .map(|(&symbol, value)| (symbol, store.bits(width_of(&symbols, symbol), value.as_bits())))
            .collect();
        let folded = store.substitute(term, &constants);
        let folded = store.constant(folded).expect("all is constant");
        assert!(same(width, found, folded), "{found:#x} {folded:#x}");
    }
}

fn width_of(symbols: &[Symbol; 4], symbol: Symbol) -> u32 {
    if symbols[..2].contains(&symbol) { 32 } else { 64 }
}

/// Comparisons with constants, of integers and of `float`s, against the comparison of the values.
#[test]
fn comparisons_of_converted_numbers() {
    let mut random = Random::new(71);
    for _ in 0..4000 {
        let mut store = Store::new();
        let width = random.pick(&[32, 64]);
        let format = Format::of_width(width);
        let bits = random.pick(&[1, 8, 16, 24, 32, 53, 64]);
        let signedness = random.pick(&[Signedness::Signed, Signedness::Unsigned]);
        let (function, from) = if width == 64 && random.below(3) == 0 {
            (FloatFunction::Resize(64), 32)
        } else {
            (FloatFunction::FromInteger(signedness, width), bits)
        };
        let symbols = ["i", "j"].map(|name| store.fresh(name, Sort::Bits(from)));
        let [i, j] = symbols.map(|symbol| {
            let term = store.symbol(symbol);
            store.float_unary(function, term)
        });
        let value = random.value(from);
        let near = crate::term::float::apply(function, from, value).wrapping_add(random.below(3).into());
        let near = near.wrapping_sub(1) & mask(width);
        let constant = if random.below(2) == 0 { near } else { some_number(&mut random, width) };
        let c = store.bits(width, constant);
        let (a, b) = random.pick(&[(i, c), (c, i), (i, j)]);
        let assignment: Assignment =
            [(symbols[0], Value::Bits(value)), (symbols[1], Value::Bits(random.value(from)))].into();
        for relation in RELATIONS {
            let holds = store.float_compare(relation, a, b);
            let found = store.evaluate(holds, &assignment).unwrap().as_bool();
            let [x, y] =
                [a, b].map(|term| format.decode(store.evaluate(term, &assignment).unwrap().as_bits()));
            let expected = match relation {
                FloatRelation::Equal => x == y,
                FloatRelation::Less => x < y,
                FloatRelation::LessEqual => x <= y,
            };
            assert_eq!(found, expected, "{x} {relation:?} {y}");
        }
    }
}

#[test]
fn bits_of_what_is_not_a_number_are_gone_where_only_numbers_matter() {
    let mut store = Store::new();
    let [x, any] = ["x", "any"].map(|name| store.fresh(name, Sort::Bits(64)));
    let (x, any_bits) = (store.symbol(x), store.symbol(any));
    let (one, ten) = (store.bits(64, 1f64.to_bits().into()), store.bits(64, 10f64.to_bits().into()));
    let sum = store.float_binary(FloatOperator::Add, x, one);
    let nan = store.bits(64, Format::Double.nan());
    let none = store.binary(Operator::Or, any_bits, nan);
    let is_number = store.float_compare(FloatRelation::Equal, sum, sum);
    let open = store.choose(is_number, sum, none);
    assert!(store.free_symbols(open).contains(&any));
    let less = store.float_compare(FloatRelation::Less, open, ten);
    assert_eq!(store.node(less), Node::FloatCompare(FloatRelation::Less, sum, ten));
    // Nothing may be left out where bits are looked at.
    let equal = store.equal(open, ten);
    assert!(store.free_symbols(equal).contains(&any));
    let no_nan = store.bits(64, 5);
    let other = store.binary(Operator::Or, any_bits, no_nan);
    let number = store.choose(is_number, sum, other);
    let less = store.float_compare(FloatRelation::Less, number, ten);
    assert!(store.free_symbols(less).contains(&any), "what may be a number matters");
}
