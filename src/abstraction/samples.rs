//! Valuations that a few chosen states show, without the solver.
//!
//! Most predicates do not exclude each other, and most facts do not decide a term. Where states whose values are taken from
//! the constants of the question show all that can be, there is nothing left to ask. The states are the same each time.

use super::table::Table;
use crate::term::evaluate::{ArrayValue, Assignment, Value};
use crate::term::float::Format;
use crate::term::{Node, Sort, Store, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many states are tried.
const STATES: u64 = 48;
/// Terms with more parts than this are left to the solver.
const PARTS: usize = 400;

/// The valuations of atoms in states where a condition holds; some of those that there are.
pub(super) fn valuations(store: &Store, condition: Term, atoms: &[Term]) -> Table {
    let mut table = Table::empty(atoms.len());
    let mut terms = vec![condition];
    terms.extend(atoms);
    let parts = store.reachable(&terms);
    if parts.len() > PARTS {
        return table;
    }
    let symbols: BTreeSet<Symbol> = parts.iter().filter_map(|&part| store.as_symbol(part)).collect();
    let pool = constants(store, &parts);
    let mut random = Random { state: 0, places: [0, 0] };
    for _ in 0..STATES {
        // Two numbers for all variables of a state, so that they often are the same.
        random.places = [random.next(), random.next()];
        let state: Assignment =
            symbols.iter().map(|&symbol| (symbol, value(store, symbol, &pool, &mut random))).collect();
        let Ok(values) = store.evaluate_all(&terms, &state) else { return table };
        if values[0].as_bool() {
            let bits = values[1..].iter().enumerate();
            table.insert(bits.map(|(number, value)| usize::from(value.as_bool()) << number).sum());
        }
    }
    table
}

/// Floating-point numbers that differ in what operations make of them.
const NUMBERS: [f64; 6] = [1.0, -1.0, 0.5, -1e10, f64::INFINITY, f64::NAN];

/// Numbers by width, and their neighbours: zero, one, and the constants.
type Pool = BTreeMap<u32, BTreeSet<u128>>;

fn constants(store: &Store, parts: &[Term]) -> Pool {
    let mut pool = Pool::new();
    for &part in parts {
        if let Node::FloatBinary(_, a, _) | Node::FloatCompare(_, a, _) = store.node(part) {
            let format = Format::of_width(store.width(a));
            let numbers = NUMBERS.map(|number| format.encode(number));
            pool.entry(format.width()).or_default().extend(numbers);
        }
        if let Node::Bits(width, value) = store.node(part) {
            let last = u128::MAX >> (128 - width);
            let near = [value, value.wrapping_add(1) & last, value.wrapping_sub(1) & last];
            pool.entry(width).or_default().extend(near);
        }
    }
    pool
}

fn value(store: &Store, symbol: Symbol, pool: &Pool, random: &mut Random) -> Value {
    match store.sort_of_symbol(symbol) {
        Sort::Boolean => Value::Bool(random.next() % 2 == 1),
        Sort::Bits(width) => Value::Bits(random.number(width, pool)),
        Sort::Array { element, .. } => {
            Value::Array(Rc::new(ArrayValue::constant(random.number(element, pool))))
        }
    }
}

/// Numbers that look random, and are the same each time \[SLF14\].
struct Random {
    state: u64,
    places: [u64; 2],
}

impl Random {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn number(&mut self, width: u32, pool: &Pool) -> u128 {
        let known: Vec<u128> = pool.get(&width).into_iter().flatten().copied().collect();
        let place = self.places[usize::from(self.next() % 2 == 1)] % (known.len() as u64 + 3);
        match place {
            0 => 0,
            1 => 1,
            2 => u128::from(self.next()) & (u128::MAX >> (128 - width)),
            place => known[usize::try_from(place).unwrap_or(3) - 3],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_show_what_is_possible_and_nothing_else() {
        let mut store = Store::new();
        let x = store.fresh("x", Sort::Bits(32));
        let y = store.fresh("y", Sort::Bits(32));
        let (x, y, three) = (store.symbol(x), store.symbol(y), store.bits(32, 3));
        let (equal, is_three) = (store.equal(x, y), store.equal(x, three));
        let always = store.boolean(true);
        assert_eq!(valuations(&store, always, &[equal, is_three]), Table::full(2));
        let other = store.equal(y, three);
        let table = valuations(&store, equal, &[is_three, other]);
        assert!(table.contains(0) && table.contains(3) && !table.contains(1) && !table.contains(2));
    }
}
