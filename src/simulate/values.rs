//! Reads a run off a model.

use super::execute::{Formula, Initial, Write};
use super::{Arbitrary, Feasible, InputValue, Written};
use crate::ground::index::Index as _;
use crate::predicate::PathStep;
use crate::smt::Model;
use crate::term::Symbol;
use crate::term::Term;
use crate::term::evaluate::{Assignment, Value};

/// The run that a model describes.
pub(super) fn read(formula: &Formula, model: &Model, path: &[PathStep]) -> Feasible {
    let value = |symbol: Symbol| model.value(&formula.store, symbol);
    let input =
        |&(step, symbol, ours): &(usize, Symbol, Symbol)| InputValue { step, symbol, value: value(ours) };
    let arbitrary = |initial: &Initial| Arbitrary {
        step: initial.step,
        activation: initial.activation,
        symbol: initial.symbol,
        value: value(initial.ours),
    };
    Feasible {
        inputs: formula.inputs.iter().map(input).collect(),
        written: written(formula, model),
        arbitrary: formula.arbitrary.iter().map(arbitrary).collect(),
        schedule: path.iter().map(|step| step.thread).collect(),
    }
}

fn written(formula: &Formula, model: &Model) -> Vec<Written> {
    let symbols = (0..formula.store.symbol_count()).map(Symbol::new);
    let mut assignment: Assignment =
        symbols.map(|symbol| (symbol, model.value(&formula.store, symbol))).collect();
    // Names that no constraint needs are unknown to the solver.
    for definition in formula.definitions.iter().filter(|it| !model.values().contains_key(&it.name)) {
        let value = formula.store.evaluate(definition.value, &assignment).expect("every symbol has a value");
        assignment.insert(definition.name, value);
    }
    let terms: Vec<Term> =
        formula.writes.iter().flat_map(|write| [write.value, write.cell.unwrap_or(write.value)]).collect();
    let values = formula.store.evaluate_all(&terms, &assignment).expect("every symbol has a value");
    let tell = |(write, pair): (&Write, &[Value])| Written {
        step: write.step,
        symbol: write.symbol,
        cell: write.cell.map(|_| pair[1].as_bits()),
        value: pair[0].clone(),
    };
    formula.writes.iter().zip(values.chunks(2)).map(tell).collect()
}
