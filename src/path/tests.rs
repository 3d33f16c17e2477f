//! Unrolling against runs: along the path of a run, with its inputs and zero for whatever else is open, every guard holds, and in the end
//! every variable has the value that the run has given it. The oracle is [`program::run`](crate::program::run), which shares
//! nothing with unrolling.

use super::*;
use crate::ground::index::Index as _;
use crate::predicate::PathStep;
use crate::program::generate::{Random, Shape, program as generated};
use crate::program::run::{Chooser, Compiled, Execution, ThreadId, Value as RunValue, run};
use crate::program::{Action, EdgeId, ProcedureId, Program, Role};
use crate::simulate::tests::helpers::path_of;
use crate::term::evaluate::{Assignment, Value as Found};
use crate::term::{Sort, Symbol, Term};
use rustc_hash::FxHashMap;

/// Chooses inputs, edges and threads at random, and zero for variables that nobody wrote.
struct Zeros(Random);

impl Chooser for Zeros {
    fn input(&mut self, _: Symbol, _: &Role, _: u32) -> u128 {
        self.0.below(4) as u128
    }

    fn edge(&mut self, _: ProcedureId, enabled: &[EdgeId]) -> usize {
        self.0.below(enabled.len())
    }

    fn thread(&mut self, threads: &[ThreadId]) -> usize {
        self.0.below(threads.len())
    }
}

/// Unrolls a path; what its constraints are, and the inputs of its steps.
fn unrolled<'p>(program: &'p Program, line: &Line<'_>) -> (Unrolling<'p>, Vec<Term>, Vec<Symbol>) {
    let mut unrolling = Unrolling::new(program, line.frames.activations.len());
    let (mut constraints, mut inputs) = (Vec::new(), Vec::new());
    for number in 0..line.path.len() {
        let step = line.assignments(program, number);
        let values = match &line.edge(program, number).action {
            Action::Block(block) => {
                let mut known = FxHashMap::default();
                for &input in &block.inputs {
                    let ours = unrolling.fresh(input);
                    inputs.push(ours);
                    known.insert(input, unrolling.store.symbol(ours));
                }
                let updates = block.updates.iter().map(|&(_, value)| value);
                let terms: Vec<Term> = std::iter::once(block.guard).chain(updates).collect();
                let mut values = unrolling.terms(step.from, &terms, &known);
                constraints.push(values.remove(0));
                values
            }
            _ => unrolling.assigned(&step),
        };
        for (&(symbol, _), value) in step.all.iter().zip(values) {
            unrolling.write(step.to, symbol, value);
        }
    }
    (unrolling, constraints, inputs)
}

/// The values of symbols of ours: those of the run for inputs, else zero.
fn open(unrolling: &Unrolling<'_>, inputs: &[Symbol], execution: &Execution<'_>) -> Assignment {
    let store = &unrolling.store;
    let symbols = (0..store.symbol_count()).map(Symbol::new);
    let mut values: Assignment =
        symbols.map(|symbol| (symbol, Found::zero(store.sort_of_symbol(symbol)))).collect();
    for (&ours, &(_, value)) in inputs.iter().zip(execution.inputs()) {
        let value = match store.sort_of_symbol(ours) {
            Sort::Boolean => Found::Bool(value != 0),
            _ => Found::Bits(value),
        };
        values.insert(ours, value);
    }
    values
}

/// Compares the values of variables at the end of a path; how many there are.
fn compare(
    program: &Program,
    (unrolling, line): (&Unrolling<'_>, &Line<'_>),
    values: &Assignment,
    execution: &Execution<'_>,
) -> usize {
    let Some(last) = line.path.last() else { return 0 };
    let (thread, activation) = (ThreadId::new(last.thread), *line.frames.behind.last().expect("a step"));
    let mut compared = 0;
    for symbol in program.variables.ids() {
        let (Some(ours), Some(RunValue::Scalar(theirs))) =
            (unrolling.now(activation, symbol), execution.value(thread, symbol))
        else {
            continue;
        };
        let ours = match unrolling.store.evaluate(ours, values).expect("every symbol has a value") {
            Found::Bool(value) => u128::from(value),
            value => value.as_bits(),
        };
        assert_eq!(ours, theirs, "{}", program.store.name(symbol));
        compared += 1;
    }
    compared
}

#[test]
fn values_along_a_run_are_those_of_the_run() {
    let mut compared = 0;
    for seed in 0..300 {
        for shape in [Shape::Deterministic, Shape::Choices, Shape::Threads] {
            let program = generated(seed, shape);
            let code = Compiled::new(&program);
            let (outcome, execution) = run(&code, &mut Zeros(Random::new(seed)), 60);
            let path: Vec<PathStep> = path_of(&program, execution.path());
            let line = Line::new(&program, &path);
            let (unrolling, constraints, inputs) = unrolled(&program, &line);
            let values = open(&unrolling, &inputs, &execution);
            for constraint in constraints {
                let holds = unrolling.store.evaluate(constraint, &values).expect("every symbol has a value");
                assert_eq!(holds, Found::Bool(true), "seed {seed}");
            }
            // A violation is not taken to its end.
            if outcome == crate::program::run::Outcome::StepLimit {
                compared += compare(&program, (&unrolling, &line), &values, &execution);
            }
        }
    }
    assert!(compared > 300, "{compared} values were compared");
}

#[test]
fn a_step_that_starts_elsewhere_makes_no_path() {
    for seed in 0..100 {
        let program = generated(seed, Shape::Choices);
        let code = Compiled::new(&program);
        let (_, execution) = run(&code, &mut Zeros(Random::new(seed)), 60);
        let mut path = path_of(&program, execution.path());
        assert!(Frames::checked(&program, &path).is_ok());
        // A thread that nobody has started takes the last step.
        let Some(last) = path.last_mut() else { continue };
        last.thread = 7;
        assert!(Frames::checked(&program, &path).is_err(), "seed {seed}");
    }
}
