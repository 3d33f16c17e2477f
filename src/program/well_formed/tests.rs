//! Each rule, broken once.

use super::*;
use crate::program::generate::{BYTE, Builder, Shape, program as generated};
use crate::program::overlay::Frozen;
use crate::program::{PropertyId, Role};
use crate::term::Sort;

#[test]
fn generated_programs_are_well_formed() {
    for seed in 0..300 {
        let program = generated(seed, Shape::Threads);
        assert_eq!(check(&program), [], "seed {seed}");
    }
}

/// `main` with a variable `g`, a procedure `f(p)` with a result, a call and a property.
fn sample() -> Builder {
    let mut builder = Builder::new();
    let g = builder.global("g", BYTE);
    let main = builder.procedure("main");
    let f = builder.procedure("f");
    builder.parameter(f, "p", BYTE);
    builder.result(f, BYTE);
    let input = builder.input("nondet", BYTE);
    let (entry, exit) = builder.ends(main);
    let middle = builder.location(main);
    let (value, drawn) = (builder.read(g), builder.read(input));
    let always = builder.program.store.boolean(true);
    builder.block(main, (entry, middle), always, vec![(g, drawn)], vec![input]);
    let call = Action::Call { procedure: f, arguments: vec![value], result: Some(g) };
    builder.edge(main, middle, exit, call);
    let wrong = builder.program.store.equal(value, drawn);
    let zero = builder.bits(0);
    let fails = builder.program.store.equal(value, zero);
    builder.violation(main, middle, fails);
    assert_ne!(wrong, fails);
    builder
}

/// The texts of all complaints after a change to the sample.
fn complaints(change: impl FnOnce(&mut Program)) -> String {
    let mut program = sample().program;
    change(&mut program);
    check(&program).iter().map(|complaint| format!("{complaint}\n")).collect()
}

fn main_of(program: &mut Program) -> &mut Procedure {
    let entry = program.entry;
    &mut program.procedures[entry]
}

fn first_block(program: &mut Program) -> &mut Block {
    match &mut main_of(program).edges[EdgeId::new(0)].action {
        Action::Block(block) => block,
        _ => panic!("the first edge is a block"),
    }
}

fn assert_complains(text: &str, change: impl FnOnce(&mut Program)) {
    let found = complaints(change);
    assert!(found.contains(text), "{text:?} is not in:\n{found}");
}

#[test]
fn the_sample_is_well_formed() {
    assert_eq!(complaints(|_| ()), "");
}

#[test]
fn sorts_are_checked() {
    assert_complains("the guard is of sort Bits(8)", |program| {
        first_block(program).guard = program_zero(program);
    });
    assert_complains("g is of sort Bits(8), its value of Boolean", |program| {
        let truth = program.store.boolean(true);
        first_block(program).updates[0].1 = truth;
    });
    assert_complains("p is of sort Bits(8), its value of Boolean", |program| {
        let truth = program.store.boolean(true);
        change_arguments(program, |arguments| arguments[0] = truth);
    });
}

fn program_zero(program: &mut Program) -> Term {
    program.store.bits(8, 0)
}

fn change_arguments(program: &mut Program, change: impl FnOnce(&mut Vec<Term>)) {
    if let Action::Call { arguments, .. } = &mut main_of(program).edges[EdgeId::new(1)].action {
        change(arguments);
    }
}

#[test]
fn calls_fit_their_procedures() {
    assert_complains("0 arguments for 1 parameters of f", |program| change_arguments(program, Vec::clear));
    assert_complains("takes a result that the procedure does not have", |program| {
        program.procedures[ProcedureId::new(1)].result = None;
    });
    assert_complains("an unknown procedure is called", |program| {
        let action = Action::Start { procedure: ProcedureId::new(9), arguments: Vec::new() };
        main_of(program).edges[EdgeId::new(1)].action = action;
    });
}

#[test]
fn no_edge_mentions_a_ghost() {
    let ghost = |program: &mut Program| {
        let (entry, p) = (program.entry, program.procedures[ProcedureId::new(1)].parameters[0]);
        Frozen::new(program).ghost(entry, p)
    };
    assert_eq!(complaints(|program| _ = ghost(program)), "");
    assert_complains("an edge mentions the ghost old(p)", |program| {
        let ghost = ghost(program);
        let value = program.store.symbol(ghost);
        first_block(program).updates[0].1 = value;
    });
    assert_complains("old(p) cannot be written here", |program| {
        let ghost = ghost(program);
        first_block(program).updates[0].0 = ghost;
    });
}

#[test]
fn scopes_are_checked() {
    assert_complains("p is out of scope", |program| {
        let p = program.procedures[ProcedureId::new(1)].parameters[0];
        let value = program.store.symbol(p);
        first_block(program).updates[0].1 = value;
    });
    assert_complains("p cannot be written here", |program| {
        let p = program.procedures[ProcedureId::new(1)].parameters[0];
        first_block(program).updates[0].0 = p;
    });
    assert_complains("nondet is out of scope", |program| first_block(program).inputs.clear());
    assert_complains("nondet cannot be written here", |program| {
        let input = first_block(program).inputs[0];
        first_block(program).updates[0].0 = input;
    });
}

#[test]
fn inputs_belong_to_one_edge() {
    assert_complains("used by two edges", |program| {
        let edge = main_of(program).edges[EdgeId::new(0)].clone();
        main_of(program).edges.push(edge);
    });
    assert_complains("g is listed as an input", |program| {
        let g = first_block(program).updates[0].0;
        first_block(program).inputs.push(g);
    });
}

#[test]
fn updates_are_of_different_variables() {
    assert_complains("g is updated twice", |program| {
        let update = first_block(program).updates[0];
        first_block(program).updates.push(update);
    });
}

#[test]
fn entry_and_exit_are_ends() {
    assert_complains("it leads to the entry", |program| {
        let entry = main_of(program).entry;
        main_of(program).edges[EdgeId::new(0)].to = entry;
    });
    assert_complains("it leaves the exit", |program| {
        let exit = main_of(program).exit;
        main_of(program).edges[EdgeId::new(0)].from = exit;
    });
    assert_complains("no location 77", |program| {
        main_of(program).edges[EdgeId::new(0)].to = crate::program::LocationId::new(77);
    });
}

#[test]
fn properties_and_edges_know_each_other() {
    assert_complains("does not carry main.assert.1", |program| {
        main_of(program).edges[EdgeId::new(2)].property = None;
    });
    assert_complains("property 0 does not list it", |program| {
        program.properties[PropertyId::new(0)].edges.clear();
    });
    assert_complains("edge 50 does not carry", |program| {
        program.properties[PropertyId::new(0)].edges.push((program.entry, EdgeId::new(50)));
    });
}

#[test]
fn tables_fit() {
    assert_complains("3 variables for 4 symbols", |program| {
        let variables = program.variables.iter().take(3).cloned().collect();
        program.variables = variables;
    });
    assert_complains("1 symbols", |program| {
        *program = Builder::new().program;
        program.store.fresh("x", Sort::Boolean);
    });
    assert_complains("is not a local variable where its scope says", |program| {
        program.procedures[ProcedureId::new(1)].locals.clear();
    });
    assert_complains("not both", |program| {
        let input = first_block(program).inputs[0];
        program.variables[input].role = Role::Plain;
    });
    assert_complains("a place in the unknown file 5", |program| {
        let place = Place { file: crate::ir::FileId::new(5), line: 1, column: 1, number: 0 };
        main_of(program).edges[EdgeId::new(0)].places.push(place);
    });
}
