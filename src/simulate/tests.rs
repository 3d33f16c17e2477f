//! Simulation against runs: what a run did is feasible, and what is feasible is a run. The oracle is
//! [`program::run`](crate::program::run), which shares nothing with symbolic execution.

pub(crate) mod helpers;
pub(crate) mod replay;

use super::*;
use crate::ground::index::Index as _;
use crate::program::generate::{BYTE, Builder, Random, Shape, program as generated};
use crate::program::run::{Compiled, Execution, Outcome, Recording, ThreadId, run};
use crate::program::tests::Seeded;
use crate::program::{Action, Role};
use helpers::{along, path_of, random_path};

/// Runs the program along a feasible path with the values of the simulation: every step of it must be possible.
fn replayed(program: &Program, path: &[PathStep], feasible: &Feasible) {
    let code = Compiled::new(program);
    let mut execution = Execution::new(&code, Recording::Path);
    let mut chooser = helpers::Along::new(program, path, feasible);
    for (number, step) in path.iter().enumerate().filter(|(_, step)| !step.returns) {
        chooser.next = number;
        let outcome = execution.step(&mut chooser);
        let taken = execution.path().last().expect("a step was taken");
        assert_eq!((taken.thread.index(), taken.procedure, taken.edge), along(step), "{outcome:?}");
    }
}

#[test]
fn what_a_run_did_is_feasible_and_can_be_run_again() {
    let mut feasible = 0;
    for seed in 0..300 {
        let program = generated(seed, Shape::Threads);
        let code = Compiled::new(&program);
        let (_, execution) = run(&code, &mut Seeded::new(seed), 60);
        let path = path_of(&program, execution.path());
        match simulate(&program, &path, &Limits::none()).unwrap() {
            Simulation::Feasible(found) => {
                feasible += 1;
                replayed(&program, &path, &found);
            }
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert_eq!(feasible, 300);
}

#[test]
fn random_paths_are_runs_or_have_a_shortest_prefix_without_one() {
    let (mut feasible, mut infeasible) = (0, 0);
    for seed in 0..300 {
        let program = generated(seed, Shape::Choices);
        let path = random_path(&program, &mut Random::new(seed), 40);
        match simulate(&program, &path, &Limits::none()).unwrap() {
            Simulation::Feasible(found) => {
                feasible += 1;
                replayed(&program, &path, &found);
            }
            Simulation::Infeasible(found) => {
                infeasible += 1;
                shortest(&program, &path, &found);
            }
            Simulation::Unknown(reason) | Simulation::NoPath(reason) => panic!("seed {seed}: {reason}"),
        }
    }
    assert!(feasible > 30 && infeasible > 30, "{feasible} {infeasible}");
}

/// One step less is feasible, and the core's last constraint is of the last step.
fn shortest(program: &Program, path: &[PathStep], found: &Infeasible) {
    assert_eq!(found.cores[0].last().map(|position| position.step + 1), Some(found.prefix));
    let less = simulate(program, &path[..found.prefix - 1], &Limits::none()).unwrap();
    let Simulation::Feasible(less) = less else { panic!("{less:?}") };
    replayed(program, &path[..found.prefix - 1], &less);
}

/// `assume x == 0; assume x == 1; assume y == 0; assume y == 1`: two contradictions, the first is the first.
#[test]
fn all_contradictions_of_a_path_are_told() {
    let mut b = Builder::new();
    let main = b.procedure("main");
    let (entry, _) = b.ends(main);
    let (zero, one) = (b.bits(0), b.bits(1));
    let mut path = Vec::new();
    let mut here = entry;
    for name in ["x", "y"] {
        let variable = b.global(name, BYTE);
        let (middle, end) = (b.location(main), b.location(main));
        let value = b.read(variable);
        let (first, second) = (b.program.store.equal(value, zero), b.program.store.equal(value, one));
        path.push(b.block(main, (here, middle), first, vec![], vec![]));
        path.push(b.block(main, (middle, end), second, vec![], vec![]));
        here = end;
    }
    let step =
        |edge| PathStep { thread: 0, procedure: main, edge, returns: false, behind: vec![], others: vec![] };
    let path: Vec<PathStep> = path.into_iter().map(step).collect();
    let found = simulate(&b.program, &path, &Limits::none()).unwrap();
    let Simulation::Infeasible(found) = found else { panic!("{found:?}") };
    let at = |steps: [usize; 2]| steps.map(|step| Position { step, conjunct: 0 }).to_vec();
    assert_eq!((found.prefix, found.cores), (2, vec![at([0, 1]), at([2, 3])]));
}

#[test]
fn limits_that_are_raised_stop_the_simulation() {
    let program = generated(3, Shape::Choices);
    let path = random_path(&program, &mut Random::new(3), 40);
    assert!(simulate(&program, &path, &Limits::firing_at(1)).is_err());
}

/// `x = 0; while (*) x = x + x * in; assert(x == 0)` many times: terms become deep, and stay answerable.
#[test]
fn deep_terms_get_names() {
    let mut b = Builder::new();
    let x = b.global("x", BYTE);
    let main = b.procedure("main");
    let (entry, _) = b.ends(main);
    let head = b.location(main);
    let (zero, one, value) = (b.bits(0), b.bits(1), b.read(x));
    let always = b.program.store.boolean(true);
    let twice = b.program.store.binary(crate::term::Operator::Xor, value, one);
    let more = b.program.store.binary(crate::term::Operator::Multiply, twice, value);
    let wrong = b.program.store.not_equal(value, zero);
    let first = b.block(main, (entry, head), always, vec![(x, zero)], vec![]);
    let again = b.block(main, (head, head), always, vec![(x, more)], vec![]);
    b.violation(main, head, wrong);
    let last = crate::program::EdgeId::new(2);
    let step =
        |edge| PathStep { thread: 0, procedure: main, edge, returns: false, behind: vec![], others: vec![] };
    let mut path = vec![step(first)];
    path.extend((0..4000).map(|_| step(again)));
    path.push(step(last));
    let found = simulate(&b.program, &path, &Limits::none()).unwrap();
    assert!(matches!(&found, Simulation::Infeasible(found) if found.prefix == path.len()), "{found:?}");
}

#[test]
fn a_path_that_is_none_is_not_judged() {
    let mut b = Builder::new();
    let main = b.procedure("main");
    let (entry, exit) = b.ends(main);
    let middle = b.location(main);
    let call = Action::Call { procedure: main, arguments: vec![], result: None };
    let second = b.edge(main, middle, exit, call);
    b.edge(main, entry, middle, Action::AtomicBegin);
    let step = |returns| PathStep {
        thread: 0,
        procedure: main,
        edge: second,
        returns,
        behind: vec![],
        others: vec![],
    };
    for path in [vec![step(false)], vec![step(true)]] {
        let found = simulate(&b.program, &path, &Limits::none()).unwrap();
        assert!(matches!(found, Simulation::NoPath(_)), "{found:?}");
    }
}

#[test]
fn written_values_are_those_of_the_run() {
    for seed in 0..200 {
        let program = generated(seed, Shape::Deterministic);
        let code = Compiled::new(&program);
        let (outcome, execution) = run(&code, &mut Seeded::new(seed), 60);
        let path = path_of(&program, execution.path());
        let Simulation::Feasible(found) = simulate(&program, &path, &Limits::none()).unwrap() else {
            panic!("seed {seed}")
        };
        if found.inputs.is_empty() && found.arbitrary.is_empty() && outcome != Outcome::StepLimit {
            last_values(&program, &execution, &found);
        }
    }
}

/// The last values of global scalars are those of the run.
fn last_values(program: &Program, execution: &Execution<'_>, found: &Feasible) {
    for (symbol, variable) in program.variables.enumerate() {
        let last = found.written.iter().rev().find(|write| write.symbol == symbol && write.cell.is_none());
        if variable.role != Role::Plain || variable.scope != crate::program::Scope::Global {
            continue;
        }
        if let (Some(last), Some(crate::program::run::Value::Scalar(value))) =
            (last, execution.value(ThreadId::new(0), symbol))
        {
            let ours = match last.value {
                Value::Bool(value) => u128::from(value),
                _ => last.value.as_bits(),
            };
            assert_eq!(ours, value);
        }
    }
}
