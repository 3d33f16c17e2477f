//! Tests of the analyses on programs built by hand. That they preserve verdicts is tested in `reduce`.

use super::calls::CallGraph;
use super::effects::Effects;
use super::liveness::Liveness;
use super::modref::ModRef;
use super::reach::{self, Reach};
use super::samples::*;
use crate::boolean::cfg::{Copy, Expression, Op, Program, PropertyId, Read, Target, Time};
use crate::boolean::expression::Binary;
use crate::ground::index::Index;

fn all(program: &Program) -> Vec<PropertyId> {
    program.properties.ids().collect()
}

fn live(program: &Program, at: usize) -> Vec<usize> {
    let liveness = Liveness::of(program, &all(program));
    let mut live: Vec<usize> = liveness.live_before(node(at)).iter().map(Index::index).collect();
    live.sort_unstable();
    live
}

#[test]
fn an_unassigned_next_value_is_a_read() {
    let next = |number| Expression::variable(Read::next(variable(number)));
    let op = Op::Assign {
        targets: vec![Target { variable: variable(0), copy: Copy::Own }],
        values: vec![Expression::choice()],
        constrain: Some(next(0).binary(Binary::Equal, next(1))),
    };
    let program = Builder::new(2).line(0, 0, vec![op]).build();
    let effects = Effects::of(&program, node(0));
    assert_eq!(effects.reads, [variable(1)]);
    assert_eq!(effects.must_write, [variable(0)]);
}

#[test]
fn passive_copies_are_not_own_variables() {
    let passive = Expression::variable(Read { variable: variable(0), time: Time::Now, copy: Copy::Passive });
    let op = Op::Assign {
        targets: vec![Target { variable: variable(1), copy: Copy::Passive }],
        values: vec![passive],
        constrain: None,
    };
    let program = Builder::new(0).line(0, 2, vec![op]).build();
    let effects = Effects::of(&program, node(0));
    assert!(effects.reads.is_empty() && effects.writes.is_empty());
    assert_eq!((effects.passive_reads, effects.passive_writes), (vec![variable(0)], vec![variable(1)]));
}

/// 0 calls 1; 1 and 2 call each other; 3 calls itself; 4 is called by nobody.
fn knot() -> Program {
    Builder::new(5)
        .line(0, 0, vec![call(1), call(3)])
        .line(0, 0, vec![assign(1, read(0)), call(2)])
        .line(0, 0, vec![assign(2, read(2)), call(1)])
        .line(0, 0, vec![call(3), assign(3, Expression::choice())])
        .line(0, 0, vec![assign(4, read(4))])
        .build()
}

#[test]
fn components_come_callees_first() {
    let calls = CallGraph::new(&knot());
    let recursive: Vec<bool> = (0..5).map(|number| calls.is_recursive(procedure(number))).collect();
    assert_eq!(recursive, [false, true, true, true, false]);
    assert_eq!(calls.component_of(procedure(1)), calls.component_of(procedure(2)));
    for (caller, callee) in [(0, 1), (0, 3)] {
        assert!(calls.component_of(procedure(callee)) < calls.component_of(procedure(caller)));
    }
}

#[test]
fn may_sets_are_closed_under_calls() {
    let program = knot();
    let modref = ModRef::new(&program, &CallGraph::new(&program));
    let numbers = |set: &super::VariableSet| set.iter().map(Index::index).collect::<Vec<_>>();
    assert_eq!(numbers(modref.may_write(procedure(1))), [1, 2]);
    assert_eq!(numbers(modref.may_write(procedure(2))), [1, 2]);
    assert_eq!(numbers(modref.may_read(procedure(0))), [0, 2]);
    assert_eq!(numbers(modref.may_write(procedure(0))), [1, 2, 3]);
}

#[test]
fn what_never_returns_hides_what_stands_behind_its_call() {
    let program = knot();
    let reach = Reach::new(&program);
    assert!(reach.nodes.contains(node(0)) && !reach.nodes.contains(node(1)));
    assert!(!reach.procedures.contains(procedure(3)) && !reach.procedures.contains(procedure(4)));
    assert!(reach.returning.is_empty());
}

#[test]
fn a_global_is_live_through_a_procedure_that_does_not_touch_it() {
    // [Bas10, Example 10.7]
    let program = Builder::new(1)
        .line(0, 0, vec![assign(0, Expression::constant(true)), call(1), Builder::assertion(0, read(0))])
        .line(0, 0, vec![Op::Skip])
        .build();
    assert_eq!(live(&program, 0), [] as [usize; 0]);
    for at in [1, 2, 4, 5] {
        assert_eq!(live(&program, at), [0], "node {at}");
    }
}

#[test]
fn a_global_is_live_through_a_chain_of_procedures_that_do_not_touch_it() {
    let program = Builder::new(1)
        .line(0, 0, vec![call(1), Builder::assertion(0, read(0))])
        .line(0, 0, vec![call(2)])
        .line(0, 0, vec![Op::Skip])
        .build();
    let liveness = Liveness::of(&program, &all(&program));
    for node in program.nodes.ids().filter(|&node| program.nodes[node].procedure != program.entry) {
        assert!(liveness.live_before(node).contains(variable(0)), "{node:?}");
    }
}

#[test]
fn a_global_that_every_path_of_the_callee_writes_is_dead_before_the_call() {
    let diamond = |left: Op, right: Op| {
        vec![
            (Op::Skip, Some(vec![1, 2])),
            (left, Some(vec![3])),
            (right, Some(vec![3])),
            (Op::Return(vec![]), None),
        ]
    };
    let write = || assign(0, Expression::constant(true));
    let build = |right: Op| {
        Builder::new(1)
            .line(0, 0, vec![call(1), Builder::assertion(0, read(0))])
            .procedure(0, 0, diamond(write(), right))
            .build()
    };
    assert_eq!(live(&build(write()), 0), [] as [usize; 0]);
    assert_eq!(live(&build(Op::Skip), 0), [0]);
}

#[test]
fn must_write_holds_through_recursion() {
    // p1: goto either; a: g0 := T; return   b: p1(); return
    let program = Builder::new(1)
        .line(0, 0, vec![call(1), Builder::assertion(0, read(0))])
        .procedure(
            0,
            0,
            vec![
                (Op::Skip, Some(vec![1, 2])),
                (assign(0, Expression::constant(true)), Some(vec![3])),
                (call(1), Some(vec![3])),
                (Op::Return(vec![]), None),
            ],
        )
        .build();
    assert_eq!(live(&program, 0), [] as [usize; 0]);
    assert_eq!(live(&program, 6), [0]);
}

#[test]
fn results_are_written_behind_the_return() {
    let back = Op::Call { procedure: procedure(1), arguments: vec![], results: vec![Some(variable(0))] };
    let program = Builder::new(2)
        .line(0, 0, vec![back, Builder::assertion(0, read(0))])
        .procedure(0, 0, vec![(Op::Return(vec![read(1)]), None)])
        .edit(|program| program.procedures[procedure(1)].returns = 1)
        .build();
    assert_eq!(live(&program, 3), [1]);
    assert_eq!(live(&program, 0), [1]);
}

#[test]
fn enforced_and_passive_variables_are_live_everywhere() {
    let program = Builder::new(1)
        .line(0, 2, vec![Op::Skip, Builder::assertion(0, Expression::constant(true))])
        .edit(|program| {
            program.procedures[procedure(0)].enforce = Some(read(0));
            program.variables[variable(2)].passive = true;
        })
        .build();
    assert_eq!(live(&program, 0), [0, 2]);
    assert_eq!(live(&program, 1), [0, 2]);
}

#[test]
fn shared_variables_that_are_read_are_live_everywhere_among_threads() {
    let start = Op::StartThread { procedure: procedure(1), arguments: vec![] };
    let program = Builder::new(2)
        .line(0, 0, vec![start, assign(0, Expression::choice()), assign(1, Expression::choice())])
        .line(0, 0, vec![Builder::assertion(0, read(0))])
        .build();
    for at in 0..program.nodes.len() {
        assert_eq!(live(&program, at), [0], "node {at}");
    }
}

#[test]
fn a_thread_started_at_a_label_reads_what_is_live_there() {
    let program = Builder::new(0)
        .procedure(
            0,
            1,
            vec![
                (Op::StartLabel(node(2)), None),
                (Op::EndThread, None),
                (Builder::assertion(0, read(0)), None),
                (Op::EndThread, None),
            ],
        )
        .build();
    assert_eq!(live(&program, 0), [0]);
    assert_eq!(live(&program, 1), [] as [usize; 0]);
}

#[test]
fn nothing_is_live_where_no_checked_property_follows() {
    let program = Builder::new(1)
        .line(0, 0, vec![call(1), call(2), Op::Assume(read(0))])
        .line(0, 0, vec![Op::Assume(read(0))])
        .line(0, 0, vec![Builder::assertion(0, Expression::constant(true)), Op::Assume(read(0))])
        .build();
    let checked = all(&program);
    let calls = CallGraph::new(&program);
    let useful = reach::useful(&program, &calls, &Reach::new(&program), &checked);
    let useful: Vec<usize> = useful.iter().map(Index::index).collect();
    assert_eq!(useful, [0, 1, 4, 5, 6]);
    assert_eq!(live(&program, 0), [0]);
    assert_eq!(live(&program, 2), [] as [usize; 0]);
}

/// `length` procedures, each calling the next twice in a loop, each with a global of its own.
fn chain(length: usize) -> Program {
    let mut builder = Builder::new(3);
    for level in 0..length {
        let next = if level + 1 < length { call(level + 1) } else { Op::Skip };
        let local = 3 + level;
        builder.procedure(
            0,
            1,
            vec![
                (assign(local, read(0)), None),
                (Op::Skip, Some(vec![2, 7])),
                (Op::Assume(read(local)), None),
                (next.clone(), None),
                (assign(1, read(local)), None),
                (next, None),
                (Builder::assertion(level, read(1)), Some(vec![1])),
                (Op::Return(vec![]), None),
            ],
        );
    }
    builder.build()
}

#[test]
fn work_grows_linearly_with_a_chain_of_procedures() {
    let cost = |length| {
        let program = chain(length);
        Liveness::of(&program, &all(&program)).evaluations()
    };
    let (one, two) = (cost(1000), cost(2000));
    assert!(two <= 2 * one + 100, "{one} evaluations for 1000 procedures, {two} for 2000");
    assert!(two <= 2000 * 8 * 9, "{two} evaluations for 16000 nodes");
}
