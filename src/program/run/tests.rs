//! Small programs by hand, and generated ones against an evaluation that is naive on purpose.

mod naive;

use super::*;
use crate::program::generate::{BYTE, BYTES, Builder, Shape, program as generated};
use crate::program::tests::Seeded;
use crate::program::{Action, Role};
use crate::term::{Operator, Sort};

/// Answers inputs from a list, in order; and writes down who asked.
#[derive(Default)]
struct Listed {
    values: Vec<u128>,
    asked: Vec<String>,
}

impl Chooser for Listed {
    fn input(&mut self, _: Symbol, role: &Role, _: u32) -> u128 {
        self.asked.push(format!("{role:?}"));
        self.values.remove(0)
    }

    fn arbitrary(&mut self, symbol: Symbol, cell: Option<u128>, width: u32) -> u128 {
        self.asked.push(format!("{} {cell:?} {width}", symbol.index()));
        77
    }
}

fn scalar(execution: &Execution<'_>, symbol: Symbol) -> Option<Value> {
    execution.value(ThreadId::new(0), symbol)
}

#[test]
fn generated_programs_agree_with_the_naive_evaluation() {
    let mut outcomes = std::collections::BTreeMap::new();
    for seed in 0..1000 {
        let program = generated(seed, Shape::Threads);
        let code = Compiled::new(&program);
        let (outcome, execution) = run(&code, &mut Seeded::new(seed), 300);
        naive::replay(&program, outcome, &execution);
        *outcomes
            .entry(format!("{outcome:?}").split('(').next().unwrap_or_default().to_string())
            .or_insert(0) += 1;
    }
    // The mix: every kind of outcome occurs often enough for the comparison to mean something.
    for kind in ["Exit", "End", "Violated", "Unsupported", "Stuck", "StepLimit"] {
        assert!(outcomes.get(kind).is_some_and(|&count| count > 9), "{outcomes:?}");
    }
}

#[test]
fn a_call_returns_its_result() {
    // f(p) = p == 0 ? 0 : p + f(p - 1)
    let mut b = Builder::new();
    let g = b.global("g", BYTE);
    let main = b.procedure("main");
    let f = b.procedure("f");
    let p = b.parameter(f, "p", BYTE);
    let result = b.result(f, BYTE);
    let ten = b.bits(10);
    let (entry, exit) = b.ends(main);
    b.edge(main, entry, exit, Action::Call { procedure: f, arguments: vec![ten], result: Some(g) });
    let t = b.local(f, "t", BYTE, Role::Temporary);
    let (entry, exit) = b.ends(f);
    let (more, last) = (b.location(f), b.location(f));
    let (value, zero, one, below) = (b.read(p), b.bits(0), b.bits(1), b.read(t));
    let store = &mut b.program.store;
    let done = store.equal(value, zero);
    let not_done = store.not(done);
    let less = store.binary(Operator::Subtract, value, one);
    let sum = store.binary(Operator::Add, value, below);
    let always = store.boolean(true);
    b.block(f, (entry, exit), done, vec![(result, zero)], vec![]);
    b.block(f, (entry, more), not_done, vec![], vec![]);
    b.edge(f, more, last, Action::Call { procedure: f, arguments: vec![less], result: Some(t) });
    b.block(f, (last, exit), always, vec![(result, sum)], vec![]);
    let code = Compiled::new(&b.program);
    let (outcome, execution) = run(&code, &mut Listed::default(), 1000);
    assert_eq!((outcome, scalar(&execution, g)), (Outcome::Exit, Some(Value::Scalar(55))));
    assert_eq!(execution.path().len(), 1 + 1 + 10 * 3);
}

#[test]
fn updates_are_simultaneous_for_arrays_too() {
    let mut b = Builder::new();
    let (m, n) = (b.global("M", BYTES), b.global("N", BYTES));
    let main = b.procedure("main");
    let (entry, exit) = b.ends(main);
    let middle = b.location(main);
    let (one, two) = (b.bits(1), b.bits(2));
    let (old_m, old_n) = (b.read(m), b.read(n));
    let store = &mut b.program.store;
    let always = store.boolean(true);
    let (ones, twos) = (store.constant_array(8, one), store.constant_array(8, two));
    let seen = store.select(old_n, two);
    let new_m = store.store(old_m, one, seen);
    b.block(main, (entry, middle), always, vec![(m, ones), (n, twos)], vec![]);
    b.block(main, (middle, exit), always, vec![(m, new_m), (n, old_m)], vec![]);
    let code = Compiled::new(&b.program);
    let (outcome, execution) = run(&code, &mut Listed::default(), 10);
    assert_eq!(outcome, Outcome::Exit);
    let contents = |rest, cells: &[(u128, u128)]| {
        Some(Value::Array(Contents { rest: Some(rest), cells: cells.iter().copied().collect() }))
    };
    assert_eq!(scalar(&execution, m), contents(1, &[(1, 2)]));
    assert_eq!(scalar(&execution, n), contents(1, &[]));
}

#[test]
fn edges_of_one_location_share_what_is_drawn() {
    // [in < 5] g := in and [!(in' < 5)] g := in' + in'', as two continuations of the same question.
    let mut b = Builder::new();
    let g = b.global("g", BYTE);
    let main = b.procedure("main");
    let (entry, exit) = b.ends(main);
    let inputs: Vec<Symbol> = (0..3).map(|_| b.input("nondet", BYTE)).collect();
    let terms: Vec<_> = inputs.iter().map(|&input| b.read(input)).collect();
    let five = b.bits(5);
    let store = &mut b.program.store;
    let small = store.unsigned_less(terms[0], five);
    let other = store.unsigned_less(terms[1], five);
    let large = store.not(other);
    let sum = store.binary(Operator::Add, terms[1], terms[2]);
    b.block(main, (entry, exit), small, vec![(g, terms[0])], vec![inputs[0]]);
    b.block(main, (entry, exit), large, vec![(g, sum)], inputs[1..].to_vec());
    let code = Compiled::new(&b.program);
    for (values, end) in [(vec![3], 3), (vec![9, 20], 29)] {
        let mut listed = Listed { values, asked: Vec::new() };
        let (outcome, execution) = run(&code, &mut listed, 10);
        assert_eq!((outcome, scalar(&execution, g)), (Outcome::Exit, Some(Value::Scalar(end))));
        assert_eq!(listed.values, [], "every value is used once");
    }
}

#[test]
fn what_nobody_wrote_is_chosen_once() {
    let mut b = Builder::new();
    let (g, h, m) = (b.global("g", BYTE), b.global("h", BYTE), b.global("M", BYTES));
    let main = b.procedure("main");
    let (entry, exit) = b.ends(main);
    let (a, c, four) = (b.read(g), b.read(m), b.bits(4));
    let store = &mut b.program.store;
    let cell = store.select(c, four);
    let sum = store.binary(Operator::Add, a, cell);
    let always = store.boolean(true);
    let middle = b.location(main);
    b.block(main, (entry, middle), always, vec![(h, sum)], vec![]);
    b.block(main, (middle, exit), always, vec![(h, sum)], vec![]);
    let code = Compiled::new(&b.program);
    let mut listed = Listed::default();
    let (_, execution) = run(&code, &mut listed, 10);
    assert_eq!(scalar(&execution, h), Some(Value::Scalar(154)));
    listed.asked.sort();
    assert_eq!(listed.asked, ["0 None 8", "2 Some(4) 8"]);
}

#[test]
fn an_array_input_is_new_each_time_and_stays_itself() {
    let mut b = Builder::new();
    let (m, n) = (b.global("M", BYTES), b.global("N", BYTES));
    let flag = b.global("same", Sort::Boolean);
    let main = b.procedure("main");
    let (entry, exit) = b.ends(main);
    let (middle, last) = (b.location(main), b.location(main));
    let (first, second) = (b.input("havoc", BYTES), b.input("havoc", BYTES));
    let (value, other, old, older) = (b.read(first), b.read(second), b.read(m), b.read(n));
    let always = b.program.store.boolean(true);
    let same = b.program.store.equal(old, older);
    b.block(main, (entry, middle), always, vec![(m, value), (n, value)], vec![first]);
    b.block(main, (middle, last), same, vec![(n, other)], vec![second]);
    b.block(main, (last, exit), always, vec![(flag, same)], vec![]);
    let code = Compiled::new(&b.program);
    let (outcome, execution) = run(&code, &mut Listed::default(), 10);
    assert_eq!((outcome, scalar(&execution, flag)), (Outcome::Exit, Some(Value::Scalar(0))));
}

#[test]
fn atomic_sections_are_not_interrupted() {
    // Two threads increment g in two steps each: without atomic sections, an increment can get lost.
    for (atomic, least) in [(true, 2), (false, 1)] {
        let program = increments(atomic);
        let code = Compiled::new(&program);
        let g = Symbol::new(0);
        let mut found = std::collections::BTreeSet::new();
        let complete = crate::program::tests::every_run(&code, 100, |outcome, execution| {
            if outcome == Outcome::Exit {
                found.insert(format!("{:?}", scalar(execution, g)));
            }
        });
        assert!(complete);
        let expected = (least..=2).map(|value| format!("{:?}", Some(Value::Scalar(value))));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}

/// `g = 0; done = 0; start f; f(); assume(done == 2)` with `f: t = g; g = t + 1; done++`.
fn increments(atomic: bool) -> Program {
    let mut b = Builder::new();
    let (g, done) = (b.global("g", BYTE), b.global("done", BYTE));
    let main = b.procedure("main");
    let f = b.procedure("f");
    let t = b.local(f, "t", BYTE, Role::Temporary);
    let (zero, one, two) = (b.bits(0), b.bits(1), b.bits(2));
    let (count, finished, read) = (b.read(g), b.read(done), b.read(t));
    let store = &mut b.program.store;
    let always = store.boolean(true);
    let (more, both) = (store.binary(Operator::Add, read, one), store.equal(finished, two));
    let another = store.binary(Operator::Add, finished, one);
    let (entry, exit) = b.ends(main);
    let at: Vec<_> = (0..3).map(|_| b.location(main)).collect();
    b.block(main, (entry, at[0]), always, vec![(g, zero), (done, zero)], vec![]);
    b.edge(main, at[0], at[1], Action::Start { procedure: f, arguments: vec![] });
    b.edge(main, at[1], at[2], Action::Call { procedure: f, arguments: vec![], result: None });
    b.block(main, (at[2], exit), both, vec![], vec![]);
    let (entry, exit) = b.ends(f);
    let at: Vec<_> = (0..4).map(|_| b.location(f)).collect();
    let skip = Action::Block(crate::program::Block { guard: always, updates: vec![], inputs: vec![] });
    b.edge(f, entry, at[0], if atomic { Action::AtomicBegin } else { skip.clone() });
    b.block(f, (at[0], at[1]), always, vec![(t, count)], vec![]);
    b.block(f, (at[1], at[2]), always, vec![(g, more)], vec![]);
    b.edge(f, at[2], at[3], if atomic { Action::AtomicEnd } else { skip });
    b.block(f, (at[3], exit), always, vec![(done, another)], vec![]);
    b.program
}
