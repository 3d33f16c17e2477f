//! Scopes, cores, models, statistics.

use super::solvers;
use crate::ground::limits::Limits;
use crate::smt::{self, Answer, Kind, Solver};
use crate::term::evaluate::Value;
use crate::term::{Operator, Sort, Store, Term};

fn bounds(store: &mut Store) -> (Term, [Term; 3]) {
    let x = store.fresh("x", Sort::Bits(32));
    let x = store.symbol(x);
    let limits = [5, 10, 20].map(|value| store.bits(32, value));
    (x, limits.map(|limit| store.unsigned_less(x, limit)))
}

fn answer(solver: &mut Solver, store: &Store, assumptions: &[Term]) -> Answer {
    solver.check_assuming(store, assumptions).expect("there are no limits")
}

#[test]
fn a_core_is_what_is_needed() {
    let mut store = Store::new();
    let (_, [five, ten, twenty]) = bounds(&mut store);
    let not_ten = store.not(ten);
    let flag = store.fresh("flag", Sort::Boolean);
    let flag = store.symbol(flag);
    for mut solver in solvers() {
        let Answer::Unsat { core } = answer(&mut solver, &store, &[flag, five, not_ten]) else {
            panic!("x < 5 <= 10 <= x")
        };
        assert_eq!(core, [five, not_ten]);
        let Answer::Sat(model) = answer(&mut solver, &store, &[flag, twenty, not_ten]) else {
            panic!("10 <= x < 20")
        };
        assert_eq!(model.evaluate(&store, flag), Value::Bool(true));
        let never = store.boolean(false);
        let Answer::Unsat { core } = answer(&mut solver, &store, &[flag, never]) else {
            panic!("false is assumed")
        };
        assert_eq!(core, [never]);
        let statistics = solver.statistics();
        assert_eq!((statistics.queries, statistics.sat, statistics.unsat), (2, 1, 1));
    }
}

#[test]
fn scopes_end() {
    let mut store = Store::new();
    let (_, [five, ten, _]) = bounds(&mut store);
    let not_ten = store.not(ten);
    for mut solver in solvers() {
        solver.assert(&store, five);
        solver.push();
        assert!(answer(&mut solver, &store, &[not_ten]).is_unsat());
        solver.assert(&store, not_ten);
        assert_eq!(solver.assertions().collect::<Vec<_>>(), [five, not_ten]);
        let Answer::Unsat { core } = answer(&mut solver, &store, &[]) else { panic!("x < 5 and x >= 10") };
        assert!(core.is_empty());
        solver.pop();
        assert!(answer(&mut solver, &store, &[]).is_sat());
        // The literal of the ended scope must not be taken for one that still implies its term.
        assert!(answer(&mut solver, &store, &[not_ten]).is_unsat());
    }
}

#[test]
fn terms_may_be_built_between_queries() {
    let mut store = Store::new();
    let (x, [five, ..]) = bounds(&mut store);
    let mut solver = Solver::new(Kind::Trial, &Limits::none());
    solver.assert(&store, five);
    let mut seen = Vec::new();
    while let Answer::Sat(model) = answer(&mut solver, &store, &[]) {
        let value = model.evaluate(&store, x).as_bits();
        seen.push(value);
        let value = store.bits(32, value);
        let other = store.not_equal(x, value);
        solver.assert(&store, other);
    }
    seen.sort_unstable();
    assert_eq!(seen, [0, 1, 2, 3, 4]);
}

#[test]
fn arrays_have_values() {
    let mut store = Store::new();
    let sort = Sort::Array { index: 32, element: 8 };
    let [m, n] = ["m", "n"].map(|name| store.fresh(name, sort));
    let (before, after) = (store.symbol(m), store.symbol(n));
    let (index, byte) = (store.bits(32, 77), store.bits(8, 9));
    let written = store.store(before, index, byte);
    let is_written = store.equal(after, written);
    let changed = store.not_equal(before, after);
    for mut solver in solvers() {
        let Answer::Sat(model) = answer(&mut solver, &store, &[is_written, changed]) else {
            panic!("a write can change")
        };
        assert_eq!(model.value(&store, n).as_array().get(77), 9);
        assert_ne!(model.value(&store, m).as_array().get(77), 9);
    }
}

/// Terms that alternate between sums and exclusive disjunctions, to this depth.
fn deep(store: &mut Store, levels: u128) -> Term {
    let [x, y] = ["x", "y"].map(|name| store.fresh(name, Sort::Bits(8)));
    let (mut deep, y) = (store.symbol(x), store.symbol(y));
    for level in 0..levels {
        let other = store.bits(8, level | 1);
        let sum = store.add(deep, y);
        deep = store.binary(Operator::Xor, sum, other);
    }
    store.bits_to_bool(deep)
}

#[test]
fn deep_terms_are_decided_or_refused() {
    let mut store = Store::new();
    let (moderate, deepest) = (deep(&mut store, 1_000), deep(&mut store, 300_000));
    for mut solver in solvers() {
        assert!(answer(&mut solver, &store, &[moderate]).is_sat());
        let Answer::Unknown(reason) = answer(&mut solver, &store, &[deepest]) else { panic!("too deep") };
        assert!(reason.contains("levels"), "{reason}");
        solver.push();
        solver.assert(&store, deepest);
        assert!(matches!(answer(&mut solver, &store, &[]), Answer::Unknown(_)));
        solver.pop();
        assert!(answer(&mut solver, &store, &[]).is_sat());
    }
}

/// Z3 4.8.12 takes these two arrays, which are equal, for different ones.
#[test]
fn equality_of_small_arrays_is_refused() {
    let mut store = Store::new();
    let i = store.fresh("i", Sort::Bits(1));
    let i = store.symbol(i);
    let (one, two, other) = (store.bits(8, 1), store.bits(8, 2), store.complement(i));
    let (ones, twos) = (store.constant_array(1, one), store.constant_array(1, two));
    let written = store.store(ones, i, two);
    let written = store.store(written, other, two);
    let equal = store.equal(written, twos);
    let mut solver = Solver::new(Kind::Trial, &Limits::none());
    assert!(matches!(answer(&mut solver, &store, &[equal]), Answer::Unknown(_)));
}

#[test]
fn the_installed_version_works() {
    smt::self_test().unwrap();
    smt::check_version(&smt::version()).unwrap();
    assert!(smt::check_version("4.8.12.0").is_ok());
    assert!(smt::check_version("5.4.0").is_err() && smt::check_version("4.13.0").is_err());
    assert!(smt::check_version("unknown").is_err());
}
