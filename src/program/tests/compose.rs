//! Composition and merging of blocks on programs by hand.

use crate::program::blocks::{Granularity, Options, large_blocks};
use crate::program::compose::{alternative, copy, sequence};
use crate::program::generate::{BYTE, Builder};
use crate::program::{Action, Block, LocationId, ProcedureId, Program};
use crate::term::{Operator, Symbol, Term};
use std::collections::BTreeSet;

/// A program with `x` and `y` and a procedure.
struct Sample {
    b: Builder,
    x: Symbol,
    y: Symbol,
    main: ProcedureId,
}

impl Sample {
    fn new() -> Self {
        let mut b = Builder::new();
        let (x, y) = (b.global("x", BYTE), b.global("y", BYTE));
        let main = b.procedure("main");
        Self { b, x, y, main }
    }

    fn always(&mut self) -> Term {
        self.b.program.store.boolean(true)
    }

    /// `symbol + number`.
    fn plus(&mut self, symbol: Symbol, number: u128) -> Term {
        let (value, number) = (self.b.read(symbol), self.b.bits(number));
        self.b.program.store.binary(Operator::Add, value, number)
    }

    /// `symbol == number`.
    fn is(&mut self, symbol: Symbol, number: u128) -> Term {
        let (value, number) = (self.b.read(symbol), self.b.bits(number));
        self.b.program.store.equal(value, number)
    }

    fn not(&mut self, term: Term) -> Term {
        self.b.program.store.not(term)
    }

    fn edge(&mut self, ends: (LocationId, LocationId), guard: Term, updates: Vec<(Symbol, Term)>) {
        self.b.block(self.main, ends, guard, updates, vec![]);
    }

    fn merged(mut self, granularity: Granularity<'_>, budget: usize, label: &str) -> Program {
        let labels = BTreeSet::from([label.to_string()]);
        large_blocks(&mut self.b.program, Options { granularity, budget, labels: &labels });
        self.b.program
    }
}

fn block(guard: Term, updates: Vec<(Symbol, Term)>) -> Block {
    Block { guard, updates, inputs: vec![] }
}

#[test]
fn the_second_block_sees_what_the_first_one_wrote() {
    let mut s = Sample::new();
    let (x, y) = (s.x, s.y);
    let (always, next, read, four, five) = (s.always(), s.plus(x, 1), s.b.read(x), s.is(x, 4), s.is(x, 5));
    let both = sequence(&mut s.b.program.store, &block(four, vec![(x, next)]), &block(five, vec![(y, read)]));
    let store = &mut s.b.program.store;
    let number = store.bits(8, 5);
    let moved = store.equal(next, number);
    assert_eq!(both.guard, store.and(four, moved));
    assert_eq!(both.updates, [(x, next), (y, next)]);
    let back = s.plus(x, 255);
    let nothing =
        sequence(&mut s.b.program.store, &block(always, vec![(x, next)]), &block(always, vec![(x, back)]));
    assert_eq!(nothing.updates, [], "x := x + 1 - 1 changes nothing");
}

#[test]
fn alternatives_choose_by_what_tells_them_apart() {
    let mut s = Sample::new();
    let (x, y) = (s.x, s.y);
    let (common, condition) = (s.is(y, 1), s.is(x, 0));
    let (other, one, two) = (s.not(condition), s.b.bits(1), s.b.bits(2));
    let store = &mut s.b.program.store;
    let (yes, no) = (store.and(common, condition), store.and(other, common));
    let (left, right) = (block(yes, vec![(x, one)]), block(no, vec![(x, two), (y, two)]));
    let both = alternative(&mut s.b.program, &left, &right).expect("they exclude each other");
    let old = s.b.read(y);
    let store = &mut s.b.program.store;
    assert_eq!(both.guard, common);
    let expected = [(x, store.choose(condition, one, two)), (y, store.choose(condition, old, two))];
    assert_eq!(both.updates, expected);
}

#[test]
fn cases_of_a_switch_exclude_each_other_and_others_do_not() {
    let mut s = Sample::new();
    let (x, y) = (s.x, s.y);
    let (one, two, else_where, value) = (s.is(x, 1), s.is(x, 2), s.is(y, 2), s.b.bits(7));
    let of = |guard| block(guard, vec![(y, value)]);
    assert!(alternative(&mut s.b.program, &of(one), &of(two)).is_some());
    assert_eq!(alternative(&mut s.b.program, &of(one), &of(else_where)), None);
    assert_eq!(alternative(&mut s.b.program, &of(one), &of(one)), None);
}

#[test]
fn alternatives_ask_for_the_same_inputs() {
    let mut s = Sample::new();
    let (x, y) = (s.x, s.y);
    let condition = s.is(x, 1);
    let otherwise = s.not(condition);
    let origins = ["nondet_int", "nondet_int", "nondet_char"];
    let inputs = origins.map(|origin| s.b.input(origin, BYTE));
    let of = |s: &mut Sample, guard, input| {
        let drawn = s.b.read(input);
        Block { guard, updates: vec![(y, drawn)], inputs: vec![input] }
    };
    let first = of(&mut s, condition, inputs[0]);
    let (same, different) = (of(&mut s, otherwise, inputs[1]), of(&mut s, otherwise, inputs[2]));
    let both = alternative(&mut s.b.program, &first, &same).expect("the same question");
    assert_eq!((both.inputs, both.updates), (vec![inputs[0]], first.updates.clone()));
    assert_eq!(alternative(&mut s.b.program, &first, &different), None);
    let copied = copy(&mut s.b.program, &first);
    assert_ne!(copied.inputs, first.inputs);
    assert_eq!(copied.updates, [(y, s.b.read(copied.inputs[0]))]);
}

/// `entry → x := 1 → middle → [x == 1] y := 2, [x != 1] y := 3 → exit`.
fn diamond() -> (Sample, LocationId) {
    let mut s = Sample::new();
    let (entry, exit) = s.b.ends(s.main);
    let middle = s.b.location(s.main);
    let (x, y) = (s.x, s.y);
    let (always, one, two, three) = (s.always(), s.b.bits(1), s.b.bits(2), s.b.bits(3));
    let (is_two, input) = (s.is(x, 2), s.b.read(y));
    let is_not = s.not(is_two);
    s.edge((entry, middle), always, vec![(x, input)]);
    s.edge((middle, exit), is_two, vec![(y, two)]);
    s.edge((middle, exit), is_not, vec![(y, three), (x, one)]);
    (s, middle)
}

fn edges(program: &Program) -> usize {
    program.procedures[program.entry].edges.len()
}

#[test]
fn a_diamond_becomes_one_edge_within_the_budget() {
    assert_eq!(edges(&diamond().0.merged(Granularity::Sequential, 100, "")), 2, "the empty label is a label");
    assert_eq!(edges(&diamond().0.merged(Granularity::Sequential, 100, "ERROR")), 1);
    assert_eq!(edges(&diamond().0.merged(Granularity::Sequential, 3, "ERROR")), 3);
    let (mut s, middle) = diamond();
    s.b.program.procedures[s.main].locations[middle].label = "ERROR".into();
    let program = s.merged(Granularity::Sequential, 100, "ERROR");
    assert_eq!(edges(&program), 2, "parallel edges are joined, the label stays");
}

#[test]
fn violations_loops_and_calls_stay() {
    let (mut s, middle) = diamond();
    let fails = s.is(s.x, 9);
    s.b.violation(s.main, middle, fails);
    let program = s.merged(Granularity::Sequential, 100, "ERROR");
    assert_eq!(edges(&program), 3);
    assert_eq!(program.properties.iter().map(|property| property.edges.len()).sum::<usize>(), 1);
    let (mut s, middle) = diamond();
    let again = s.is(s.x, 9);
    s.edge((middle, middle), again, vec![]);
    assert_eq!(edges(&s.merged(Granularity::Sequential, 100, "ERROR")), 3, "the head of a loop stays");
    let (mut s, middle) = diamond();
    let exit = s.b.ends(s.main).1;
    s.b.edge(s.main, middle, exit, Action::AtomicBegin);
    assert_eq!(edges(&s.merged(Granularity::Sequential, 100, "ERROR")), 3);
}

#[test]
fn a_write_that_others_see_stays_apart_where_the_thread_may_stop() {
    // x := 1; assume(t == 0); skip; with t local and x shared.
    for (guard, sizes) in [("always", 1), ("sometimes", 2)] {
        let mut s = Sample::new();
        let x = s.x;
        let f = s.b.procedure("f");
        let t = s.b.parameter(f, "t", BYTE);
        let (entry, exit) = s.b.ends(f);
        let (middle, last) = (s.b.location(f), s.b.location(f));
        let (always, one, zero) = (s.always(), s.b.bits(1), s.is(t, 0));
        s.b.block(f, (entry, middle), always, vec![(x, one)], vec![]);
        let guard = if guard == "always" { always } else { zero };
        s.b.block(f, (middle, last), guard, vec![(t, one)], vec![]);
        s.b.block(f, (last, exit), always, vec![], vec![]);
        let program = s.merged(Granularity::Threaded(&|symbol| symbol == x), 100, "ERROR");
        assert_eq!(program.procedures[f].edges.len(), sizes, "{guard:?}");
    }
}

#[test]
fn a_write_that_others_see_is_not_merged_with_the_end_of_the_run() {
    let mut s = Sample::new();
    let x = s.x;
    let (entry, exit) = s.b.ends(s.main);
    let middle = s.b.location(s.main);
    let (always, one) = (s.always(), s.b.bits(1));
    s.edge((entry, middle), always, vec![(x, one)]);
    s.edge((middle, exit), always, vec![]);
    assert_eq!(edges(&s.merged(Granularity::Threaded(&|symbol| symbol == x), 100, "ERROR")), 2);
}

#[test]
fn two_accesses_to_shared_variables_stay_apart() {
    let (s, _) = diamond();
    let (x, y) = (s.x, s.y);
    assert_eq!(edges(&s.merged(Granularity::Threaded(&|symbol| symbol == x || symbol == y), 100, "E")), 3);
    let (s, _) = diamond();
    assert_eq!(edges(&s.merged(Granularity::Threaded(&|_| false), 100, "E")), 1);
}

#[test]
fn a_loop_that_nobody_gets_to_stays_one() {
    let mut s = Sample::new();
    let (entry, exit) = s.b.ends(s.main);
    let circle = s.b.location(s.main);
    let always = s.always();
    s.edge((entry, exit), always, vec![]);
    s.edge((circle, circle), always, vec![]);
    // What is not reachable goes in the end.
    assert_eq!(edges(&s.merged(Granularity::Sequential, 100, "ERROR")), 1);
}
