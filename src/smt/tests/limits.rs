//! Queries end when they should, and say so.

use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::smt::Kind;
use crate::smt::{Answer, Budget, Solver};
use crate::term::{Operator, Sort, Store, Term};
use std::time::Duration;

/// Factors of a product of two primes of 31 bits: far beyond what is found in a minute.
fn hard(store: &mut Store) -> Term {
    let [p, q] = ["p", "q"].map(|name| store.fresh(name, Sort::Bits(32)));
    let (p, q) = (store.symbol(p), store.symbol(q));
    let (wide_p, wide_q) = (store.zero_extend(64, p), store.zero_extend(64, q));
    let product = store.binary(Operator::Multiply, wide_p, wide_q);
    let number = store.bits(64, 2_147_483_647 * 2_147_483_629);
    let one = store.bits(32, 1);
    let factors = store.equal(product, number);
    let (left, right) = (store.unsigned_less(one, p), store.unsigned_less(p, q));
    store.and_all([factors, left, right])
}

#[test]
fn an_interruption_ends_a_query() {
    let mut store = Store::new();
    let query = hard(&mut store);
    let limits = Limits::none();
    let mut solver = Solver::new(Kind::Trial, &limits);
    let raised = limits.clone();
    let user = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        raised.interrupt();
    });
    assert_eq!(solver.check_assuming(&store, &[query]).unwrap_err(), Stop::Interrupted);
    user.join().unwrap();
    assert_eq!(solver.check_assuming(&store, &[]).unwrap_err(), Stop::Interrupted);
}

#[test]
fn resources_end_one_query_alone() {
    let mut store = Store::new();
    let query = hard(&mut store);
    let mut solver = Solver::new(Kind::Trial, &Limits::none());
    solver.set_budget(Budget { resources: Some(100_000) });
    let Ok(Answer::Unknown(reason)) = solver.check_assuming(&store, &[query]) else { panic!("too cheap") };
    assert_eq!(reason, "resource limit of the query");
    solver.set_budget(Budget::default());
    assert!(solver.check_assuming(&store, &[]).unwrap().is_sat());
    assert_eq!(solver.statistics().unknown, 1);
}

#[test]
fn limits_are_looked_at_before_and_after() {
    let mut store = Store::new();
    let x = store.fresh("x", Sort::Boolean);
    let x = store.symbol(x);
    for check in 1..=2 {
        let mut solver = Solver::new(Kind::Trial, &Limits::firing_at(check));
        assert_eq!(solver.check_assuming(&store, &[x]).unwrap_err(), Stop::Timeout);
    }
    let mut solver = Solver::new(Kind::Trial, &Limits::firing_at(3));
    assert!(solver.check_assuming(&store, &[x]).unwrap().is_sat());
}
