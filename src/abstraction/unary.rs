//! Questions that need no solver.
//!
//! Comparisons of one variable with constants change their values at a few points only: trying these is exact. An atom is
//! *free* if a variable that occurs nowhere else in the question can always be chosen so that it is true, and so that it
//! is false: it says nothing about the others, and they say nothing about it.

use super::table::Table;
use crate::term::evaluate::{Assignment, Value};
use crate::term::float::Format;
use crate::term::{Node, Sort, Store, Symbol, Term};
use std::collections::BTreeSet;

/// A variable that a term compares, negated or not, with constants: behind which its value may change.
type Comparison = (Symbol, Vec<u128>);

fn comparison(store: &Store, mut term: Term) -> Option<Comparison> {
    while let Node::Not(inner) = store.node(term) {
        term = inner;
    }
    let (a, b, more) = match store.node(term) {
        Node::Equal(a, b) | Node::UnsignedLess(a, b) | Node::SignedLess(a, b) => (a, b, Vec::new()),
        Node::FloatCompare(_, a, b) => (a, b, borders(store.width(a))),
        _ => return None,
    };
    match (store.node(a), store.node(b)) {
        (Node::Symbol(symbol), Node::Bits(_, value)) | (Node::Bits(_, value), Node::Symbol(symbol)) => {
            Some((symbol, [value].into_iter().chain(more).collect()))
        }
        // Whether it is a number.
        (Node::Symbol(symbol), _) if a == b && !more.is_empty() => Some((symbol, more)),
        _ => None,
    }
}

/// Where the order of floating-point numbers is not that of their bits: behind zeros and infinities.
fn borders(width: u32) -> Vec<u128> {
    let format = Format::of_width(width);
    vec![0, format.infinity(), format.sign(), format.sign() | format.infinity()]
}

/// The points at which comparisons with these constants change their values, and those behind them.
fn points(width: u32, constants: &[u128]) -> BTreeSet<u128> {
    let last = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    let mut points = BTreeSet::from([0, 1 << (width - 1)]);
    for &constant in constants {
        points.extend([constant & last, constant.wrapping_add(1) & last]);
    }
    points
}

/// The values that atoms can have where conditions hold, if all of them compare one variable with constants.
pub(super) fn valuations(store: &Store, conditions: &[Term], atoms: &[Term]) -> Option<Table> {
    let mut constants = Vec::new();
    let mut variable = None;
    for &term in conditions.iter().chain(atoms) {
        let (symbol, behind) = comparison(store, term)?;
        if *variable.get_or_insert(symbol) != symbol {
            return None;
        }
        constants.extend(behind);
    }
    let variable = variable?;
    let Sort::Bits(width) = store.sort_of_symbol(variable) else { return None };
    let mut table = Table::empty(atoms.len());
    for point in points(width, &constants) {
        let mut values = Assignment::new();
        values.insert(variable, Value::Bits(point));
        let truth = |term: Term| store.evaluate(term, &values).is_ok_and(|value| value.as_bool());
        if conditions.iter().all(|&condition| truth(condition)) {
            let bits = atoms.iter().enumerate().map(|(number, &atom)| usize::from(truth(atom)) << number);
            table.insert(bits.sum());
        }
    }
    Some(table)
}

/// Whether an atom is free, if this variable occurs nowhere else.
pub(super) fn is_free(store: &Store, atom: Term, elsewhere: impl Fn(Symbol) -> bool) -> bool {
    if let Some((symbol, _)) = comparison(store, atom) {
        return !elsewhere(symbol)
            && valuations(store, &[], &[atom]).is_some_and(|table| table.contains(0) && table.contains(1));
    }
    match store.node(atom) {
        Node::Symbol(symbol) => !elsewhere(symbol),
        Node::Equal(a, b) => [(a, b), (b, a)].into_iter().any(|(variable, other)| {
            let symbol = store.as_symbol(variable).filter(|&symbol| !elsewhere(symbol));
            symbol.is_some_and(|symbol| !store.free_symbols(other).contains(&symbol))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Comparisons of three bits with all constants, in threes and under a condition, against all eight values.
    #[test]
    fn points_tell_all_values() {
        let mut store = Store::new();
        let x = store.fresh("x", Sort::Bits(3));
        let x = store.symbol(x);
        let mut atoms = Vec::new();
        for constant in 0..8 {
            let constant = store.bits(3, constant);
            atoms.push(store.equal(x, constant));
            atoms.push(store.unsigned_less(x, constant));
            atoms.push(store.unsigned_less(constant, x));
            atoms.push(store.signed_less(x, constant));
            atoms.push(store.signed_less(constant, x));
        }
        atoms.retain(|&atom| store.truth(atom).is_none());
        let count = atoms.len();
        assert!(count > 20);
        for first in 0..count {
            for second in 0..count {
                let negated = store.not(atoms[(first * second) % count]);
                let chosen = [atoms[first], atoms[second]];
                let table = valuations(&store, &[negated], &chosen).expect("one variable");
                assert_eq!(table, by_all_values(&store, x, negated, &chosen));
            }
        }
    }

    fn by_all_values(store: &Store, x: Term, condition: Term, atoms: &[Term]) -> Table {
        let mut table = Table::empty(atoms.len());
        for value in 0..8 {
            let mut values = Assignment::new();
            values.insert(store.as_symbol(x).expect("a variable"), Value::Bits(value));
            let truth = |term: Term| store.evaluate(term, &values).expect("known").as_bool();
            if truth(condition) {
                let bits = atoms.iter().enumerate().map(|(number, &atom)| usize::from(truth(atom)) << number);
                table.insert(bits.sum());
            }
        }
        table
    }

    /// Comparisons of a `float` with all kinds of constants, against many values.
    #[test]
    fn points_tell_all_numbers() {
        use crate::term::float::FloatRelation::{Equal, Less, LessEqual};
        let mut store = Store::new();
        let symbol = store.fresh("x", Sort::Bits(32));
        let x = store.symbol(symbol);
        let corners = crate::term::tests::floats::corners(32);
        let mut atoms = vec![store.is_nan(x)];
        for &constant in corners.iter().step_by(3) {
            let constant = store.bits(32, constant);
            for relation in [Equal, Less, LessEqual] {
                atoms.push(store.float_compare(relation, x, constant));
                atoms.push(store.float_compare(relation, constant, x));
            }
        }
        atoms.retain(|&atom| store.truth(atom).is_none());
        let near = |&bits: &u128| [bits, bits.wrapping_add(1), bits.wrapping_sub(1)];
        let all: Vec<u128> = corners.iter().flat_map(near).map(|bits| bits & 0xffff_ffff).collect();
        for first in 0..atoms.len() {
            for second in (first % 5..atoms.len()).step_by(5) {
                let chosen = [atoms[first], atoms[second]];
                let table = valuations(&store, &[], &chosen).expect("one variable");
                let mut expected = Table::empty(2);
                for &bits in &all {
                    let values = Assignment::from([(symbol, Value::Bits(bits))]);
                    let [a, b] = chosen.map(|atom| store.evaluate(atom, &values).expect("known").as_bool());
                    expected.insert(usize::from(a) | usize::from(b) << 1);
                }
                assert_eq!(table, expected, "{:?} {:?}", store.node(chosen[0]), store.node(chosen[1]));
            }
        }
    }

    #[test]
    fn free_atoms() {
        let mut store = Store::new();
        let x = store.fresh("x", Sort::Bits(8));
        let y = store.fresh("y", Sort::Bits(8));
        let (a, b) = (store.symbol(x), store.symbol(y));
        let equal = store.equal(a, b);
        assert!(is_free(&store, equal, |symbol| symbol == y));
        assert!(!is_free(&store, equal, |_| true));
        let less = store.unsigned_less(a, b);
        assert!(!is_free(&store, less, |symbol| symbol == y), "nothing is less than zero");
        let one = store.bits(8, 1);
        let below = store.unsigned_less(a, one);
        assert!(is_free(&store, below, |symbol| symbol == y));
        let more = store.binary(crate::term::Operator::Multiply, a, a);
        let square = store.equal(a, more);
        assert!(!is_free(&store, square, |_| false));
    }
}
