//! Makes a failing program small: greedy delta debugging on the syntax.
//!
//! A reduction is one small edit that makes the program smaller: a procedure, a statement, a variable or a
//! label less, a simpler expression. The first reduction that still fails is taken, until none does, so the
//! result is minimal with respect to them. Reductions do not care for well-formedness: the judge does.
//!
//! Unlike the passes over programs of users, this one recurses over nested blocks: it is made for
//! generated programs.

mod expressions;
mod statements;
#[cfg(test)]
mod tests;

use super::ast::{Declaration, Procedure, Program};
use statements::without_calls_of;

/// The smallest program found that still fails. `fails` must say no to ill-formed programs.
pub fn shrink(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    while let Some(smaller) = reductions(&smallest).into_iter().find(&fails) {
        smallest = smaller;
    }
    smallest
}

/// All programs that are one step smaller, the greatest steps first.
#[must_use]
pub fn reductions(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for number in 0..program.procedures.len() {
        found.push(without_procedure(program, number));
    }
    for (number, procedure) in program.procedures.iter().enumerate() {
        found.extend(
            statements::reductions(&procedure.body)
                .into_iter()
                .map(|body| with_procedure(program, number, Procedure { body, ..procedure.clone() })),
        );
    }
    found.extend(declarations(&program.globals).map(|globals| Program { globals, ..program.clone() }));
    for (number, procedure) in program.procedures.iter().enumerate() {
        let smaller = headers(procedure);
        found.extend(smaller.into_iter().map(|procedure| with_procedure(program, number, procedure)));
        found.extend((0..procedure.parameters.len()).map(|place| without_parameter(program, number, place)));
    }
    found
}

fn with_procedure(program: &Program, number: usize, procedure: Procedure) -> Program {
    let mut changed = program.clone();
    changed.procedures[number] = procedure;
    changed
}

/// Without a procedure and everything that calls or starts it.
fn without_procedure(program: &Program, number: usize) -> Program {
    let mut changed = program.clone();
    let removed = changed.procedures.remove(number);
    for procedure in &mut changed.procedures {
        without_calls_of(&mut procedure.body, &removed.name);
    }
    changed
}

/// Without one parameter, here and in all calls.
fn without_parameter(program: &Program, number: usize, place: usize) -> Program {
    let mut changed = program.clone();
    changed.procedures[number].parameters.remove(place);
    let name = changed.procedures[number].name.clone();
    for procedure in &mut changed.procedures {
        statements::drop_argument(&mut procedure.body, &name, place);
    }
    changed
}

/// A procedure with a variable or an `enforce` less, or a simpler one.
fn headers(procedure: &Procedure) -> Vec<Procedure> {
    let mut found: Vec<_> =
        declarations(&procedure.locals).map(|locals| Procedure { locals, ..procedure.clone() }).collect();
    for place in 0..procedure.enforce.len() {
        let mut changed = procedure.clone();
        changed.enforce.remove(place);
        found.push(changed);
        found.extend(expressions::reductions(&procedure.enforce[place]).into_iter().map(|enforce| {
            let mut changed = procedure.clone();
            changed.enforce[place] = enforce;
            changed
        }));
    }
    found
}

/// Declarations with a variable or an initial value less, or a simpler one.
fn declarations(declarations: &[Declaration]) -> impl Iterator<Item = Vec<Declaration>> {
    let mut found = Vec::new();
    for (place, declaration) in declarations.iter().enumerate() {
        for (number, (_, initial)) in declaration.variables.iter().enumerate() {
            let mut changed = declarations.to_vec();
            changed[place].variables.remove(number);
            changed.retain(|declaration| !declaration.variables.is_empty());
            found.push(changed);
            let Some(initial) = initial else { continue };
            let simpler = expressions::reductions(initial).into_iter().map(Some);
            found.extend(std::iter::once(None).chain(simpler).map(|initial| {
                let mut changed = declarations.to_vec();
                changed[place].variables[number].1 = initial;
                changed
            }));
        }
    }
    found.into_iter()
}
