//! Slices of small paths, written by hand.

use super::*;
use crate::ground::index::Index as _;
use crate::ground::limits::Limits;
use crate::predicate::PathStep;
use crate::program::generate::{BYTE, Builder};
use crate::simulate::{Simulation, simulate, simulate_slice_first};

/// `x = 0; for (i = 0; i < 4; i++) BODY; if (x != 0) violation`, with the exit of the loop and the test in one block, and the path that leaves the loop at once.
fn loop_and_test(body: impl Fn(&mut Builder, Symbol) -> Vec<(Symbol, Term)>) -> (Builder, Vec<PathStep>) {
    let mut b = Builder::new();
    let main = b.procedure("main");
    b.program.entry = main;
    let (entry, exit) = b.ends(main);
    let (x, i) = (b.global("x", BYTE), b.global("i", BYTE));
    let (head, wrong) = (b.location(main), b.location(main));
    let (zero, one, four) = (b.bits(0), b.bits(1), b.bits(4));
    let (x_now, i_now) = (b.read(x), b.read(i));
    let store = &mut b.program.store;
    let always = store.boolean(true);
    let below = store.unsigned_less(i_now, four);
    let (left, is_zero) = (store.not(below), store.equal(x_now, zero));
    let not_zero = store.not(is_zero);
    let (to_wrong, to_exit) = (store.and(left, not_zero), store.and(left, is_zero));
    let next = store.binary(crate::term::Operator::Add, i_now, one);
    let start = b.block(main, (entry, head), always, vec![(x, zero), (i, zero)], vec![]);
    let mut updates = body(&mut b, x);
    updates.push((i, next));
    b.block(main, (head, head), below, updates, vec![]);
    let leave = b.block(main, (head, wrong), to_wrong, vec![], vec![]);
    b.block(main, (head, exit), to_exit, vec![], vec![]);
    b.violation(main, wrong, always);
    let last = crate::program::EdgeId::new(4);
    let path = [start, leave, last].map(|edge| step(main, edge, false));
    (b, path.into())
}

fn step(procedure: ProcedureId, edge: crate::program::EdgeId, returns: bool) -> PathStep {
    PathStep { thread: 0, procedure, edge, returns, behind: vec![], others: vec![] }
}

/// What the kept constraints say.
fn kept(b: &Builder, path: &[PathStep]) -> Vec<String> {
    let mut positions: Vec<Position> =
        positions(&b.program, &Line::new(&b.program, path), &Limits::none()).unwrap().into_iter().collect();
    positions.sort();
    let text = |position: Position| {
        let step = &path[position.step];
        let edge = &b.program.procedures[step.procedure].edges[step.edge];
        let conjunct = crate::path::guard_conjuncts(&b.program.store, edge)[position.conjunct];
        b.program.store.reachable(&[conjunct]).into_iter().find_map(|part| match b.program.store.node(part) {
            Node::Symbol(symbol) => Some(b.program.store.name(symbol).to_owned()),
            _ => None,
        })
    };
    positions.into_iter().filter_map(text).collect()
}

#[test]
fn a_loop_that_writes_nothing_of_interest_is_not_in_the_slice() {
    let (b, path) = loop_and_test(|_, _| Vec::new());
    assert_eq!(kept(&b, &path), ["x"]);
    let Ok(Simulation::Infeasible(found)) = simulate_slice_first(&b.program, &path, &Limits::none()) else {
        panic!("a run")
    };
    assert!(found.cores.iter().flatten().all(|position| kept(&b, &path).len() == 1 && position.step == 1));
    assert_eq!(found.cores.len(), 1, "{found:?}");
    let Ok(Simulation::Infeasible(all)) = simulate(&b.program, &path, &Limits::none()) else {
        panic!("a run")
    };
    assert_eq!(all.cores.len(), 2, "{all:?}");
}

#[test]
fn a_loop_that_writes_what_is_wanted_is_in_the_slice() {
    let (b, path) = loop_and_test(|b, x| {
        let one = b.bits(1);
        vec![(x, one)]
    });
    assert_eq!(kept(&b, &path), ["i", "x"]);
}

/// `if (y) ENDS; x = 0; if (x != 0) violation`: whether the branch is taken decides whether the violation is reached.
#[test]
fn a_branch_that_may_end_the_run_is_in_the_slice() {
    for (ends, expected) in [(true, vec!["y", "x"]), (false, vec!["x"])] {
        let mut b = Builder::new();
        let main = b.procedure("main");
        b.program.entry = main;
        let (entry, exit) = b.ends(main);
        let (x, y) = (b.global("x", BYTE), b.global("y", BYTE));
        let (test, join) = (b.location(main), b.location(main));
        let (zero, x_now, y_now) = (b.bits(0), b.read(x), b.read(y));
        let store = &mut b.program.store;
        let always = store.boolean(true);
        let (y_zero, x_zero) = (store.equal(y_now, zero), store.equal(x_now, zero));
        let (y_other, x_other) = (store.not(y_zero), store.not(x_zero));
        let first = b.block(main, (entry, join), y_zero, vec![], vec![]);
        b.block(main, (entry, if ends { exit } else { join }), y_other, vec![], vec![]);
        let second = b.block(main, (join, test), always, vec![(x, zero)], vec![]);
        b.block(main, (test, exit), x_zero, vec![], vec![]);
        b.violation(main, test, x_other);
        let last = crate::program::EdgeId::new(4);
        let path = [first, second, last].map(|edge| step(main, edge, false));
        assert_eq!(kept(&b, &path), expected);
    }
}

/// `f() { if (y) g = 1; } f(); if (X != 0) violation`: the callee is in the slice only if the test is about what it writes.
#[test]
fn a_callee_is_in_the_slice_if_it_writes_what_is_wanted() {
    for (name, expected) in [("g", vec!["y", "g"]), ("x", vec!["x"])] {
        let mut b = Builder::new();
        let (main, callee) = (b.procedure("main"), b.procedure("f"));
        b.program.entry = main;
        let ((entry, exit), (inner, outer)) = (b.ends(main), b.ends(callee));
        let (g, x, y) = (b.global("g", BYTE), b.global("x", BYTE), b.global("y", BYTE));
        let (zero, one, y_now) = (b.bits(0), b.bits(1), b.read(y));
        let tested = b.read(if name == "g" { g } else { x });
        let store = &mut b.program.store;
        let (y_zero, is_zero) = (store.equal(y_now, zero), store.equal(tested, zero));
        let (y_other, other) = (store.not(y_zero), store.not(is_zero));
        let skip = b.block(callee, (inner, outer), y_zero, vec![], vec![]);
        b.block(callee, (inner, outer), y_other, vec![(g, one)], vec![]);
        let behind = b.location(main);
        let action = Action::Call { procedure: callee, arguments: vec![], result: None };
        let call = b.edge(main, entry, behind, action);
        b.block(main, (behind, exit), is_zero, vec![], vec![]);
        b.violation(main, behind, other);
        let last = crate::program::EdgeId::new(2);
        let path = [
            step(main, call, false),
            step(callee, skip, false),
            step(main, call, true),
            step(main, last, false),
        ];
        assert_eq!(kept(&b, &path), expected);
    }
}
