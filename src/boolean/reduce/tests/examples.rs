//! What the transformations do to programs built by hand.

use crate::boolean::cfg::{self, Expression, NodeId, Op, PropertyId};
use crate::boolean::dataflow::samples::{Builder, assign, call, node, procedure, read, variable};
use crate::boolean::reduce::{
    Reduced, fold, normalise_stars, possibilities, propagate_constants, reduce, remove_skips, slice,
};
use crate::ground::index::Index;

fn all(program: &cfg::Program) -> Vec<PropertyId> {
    program.properties.ids().collect()
}

/// The operations of a reduced program in order, without stand-ins.
fn operations(reduced: &Reduced) -> Vec<Op> {
    let real = |id: &NodeId| reduced.nodes.reduced(reduced.nodes.original(*id)) == Some(*id);
    reduced.program.nodes.ids().filter(real).map(|id| reduced.program.nodes[id].op.clone()).collect()
}

fn constant(value: bool) -> Expression {
    Expression::constant(value)
}

#[test]
fn a_cycle_of_skips_is_a_dead_end_and_a_chain_disappears() {
    let program = Builder::new(1)
        .procedure(
            0,
            0,
            vec![
                (Op::Skip, Some(vec![1, 3])),
                (Op::Skip, Some(vec![2])),
                (Op::Skip, Some(vec![1])),
                (Op::Skip, None),
                (Op::Skip, None),
                (Builder::assertion(0, read(0)), None),
                (Op::Return(vec![]), None),
            ],
        )
        .build();
    let reduced = remove_skips(&program);
    let kinds = operations(&reduced);
    assert!(matches!(kinds[..], [Op::Assert(..), Op::Return(_)]), "{kinds:?}");
    assert_eq!(reduced.program.procedures[procedure(0)].entry, node(0));
    assert_eq!(reduced.nodes.original(node(0)), node(5));
}

#[test]
fn a_node_with_an_error_label_stays() {
    let program = Builder::new(0).line(0, 0, vec![Op::Skip, Op::Skip, Op::Skip]).error_label(1).build();
    let reduced = remove_skips(&program);
    assert_eq!(reduced.program.nodes.len(), 2);
    assert_eq!(reduced.program.properties[PropertyId::new(0)].node, node(0));
    assert_eq!(reduced.program.nodes[node(0)].forbidden, [PropertyId::new(0)]);
}

#[test]
fn choices_of_choices_are_absorbed_without_blowing_up() {
    // Twelve levels of two-way jumps, each to both jumps of the next level: 2^12 ways, 4 edges per level.
    let mut body = Vec::new();
    for level in 0..12 {
        body.push((Op::Skip, Some(vec![2 * level + 2, 2 * level + 3])));
        body.push((Op::Skip, Some(vec![2 * level + 2, 2 * level + 3])));
    }
    for target in 0..2 {
        body.push((assign(target, constant(true)), Some(vec![26])));
    }
    body.push((Op::Return(vec![]), None));
    let program = Builder::new(2).procedure(0, 0, body).build();
    let edges: usize = remove_skips(&program).program.nodes.iter().map(|node| node.successors.len()).sum();
    assert!(edges <= 50, "{edges} edges");
}

#[test]
fn constants_pass_through_calls_and_decide_branches() {
    // g0 := T; f(); if g0 then assert(g1) else assert(F);   f: g1 := g0
    let program = Builder::new(2)
        .procedure(
            0,
            0,
            vec![
                (assign(0, constant(true)), None),
                (call(1), None),
                (Op::Skip, Some(vec![3, 5])),
                (Op::Assume(read(0)), None),
                (Builder::assertion(0, read(1)), Some(vec![7])),
                (Op::Assume(read(0).negate()), None),
                (Builder::assertion(1, constant(false)), Some(vec![7])),
                (Op::Return(vec![]), None),
            ],
        )
        .line(0, 0, vec![assign(1, read(0))])
        .build();
    let reduced = propagate_constants(&program);
    let asserts = operations(&reduced).iter().filter(|op| matches!(op, Op::Assert(..))).count();
    assert_eq!(asserts, 0);
    assert_eq!(reduced.program.properties.len(), 2);
    assert_eq!(reduced.nodes.reduced(node(6)), None);
}

#[test]
fn equal_variables_become_one() {
    // x2 := g0; g1 := x2;  assert(g1 = g0)
    let equal = read(1).binary(crate::boolean::expression::Binary::Equal, read(0));
    let program = Builder::new(2)
        .line(0, 1, vec![assign(2, read(0)), assign(1, read(2)), Builder::assertion(0, equal)])
        .build();
    assert_eq!(operations(&propagate_constants(&program)).len(), 4);
    let reduced = reduce(&program, &all(&program));
    assert_eq!(operations(&reduced).len(), 1, "{:?}", reduced.program);
    assert_eq!(reduced.program.variables.len(), 0);
}

#[test]
fn slicing_drops_variables_parameters_and_returned_values() {
    // x2, x3 := f(g0, g1); assert(x2);   f(a, b): return a, b
    let mut builder = Builder::new(2);
    let result = |number| Some(variable(number));
    let call = Op::Call {
        procedure: procedure(1),
        arguments: vec![read(0), read(1)],
        results: vec![result(2), result(3)],
    };
    builder.line(0, 2, vec![call, Builder::assertion(0, read(2))]);
    builder.procedure(2, 0, vec![(Op::Return(vec![read(4), read(5)]), None)]);
    let program = builder.edit(|program| program.procedures[procedure(1)].returns = 2).build();
    let reduced = slice(&program, &all(&program));
    let callee = &reduced.program.procedures[procedure(1)];
    assert_eq!((callee.parameter_count, callee.returns), (1, 1));
    let kept: Vec<usize> =
        reduced.program.variables.ids().map(|id| reduced.variables.original(id).index()).collect();
    assert_eq!(kept, [0, 2, 4]);
}

#[test]
fn slicing_keeps_what_blocks() {
    // assume(g0); assert(g1) with only the second checked, and an unchecked assertion in between.
    let program = Builder::new(3)
        .line(
            0,
            0,
            vec![
                Op::Assume(read(0)),
                Builder::assertion(0, read(2)),
                Builder::assertion(1, read(1)),
                call(0),
            ],
        )
        .build();
    let reduced = slice(&program, &[PropertyId::new(1)]);
    let kinds = operations(&reduced);
    assert!(
        matches!(kinds[..], [Op::Assume(_), Op::Assume(_), Op::Assert(..), Op::Call { .. }]),
        "{kinds:?}"
    );
    assert_eq!(reduced.program.properties[PropertyId::new(0)].name, "assert.0");
}

#[test]
fn possibilities_of_the_example_in_the_thesis() {
    // [Bas10, Example 10.6]: a := (b & * | (c | *)) | * becomes a := * constrain c => 'a
    use crate::boolean::expression::Binary::{And, Or};
    let (b, c, star) = (read(0), read(1), Expression::choice());
    let inner = b.binary(And, star.clone()).binary(Or, c.binary(Or, star.clone()));
    let (to_be_true, to_be_false) = possibilities(&inner.binary(Or, star));
    assert_eq!(to_be_true, constant(true));
    assert_eq!(to_be_false, read(1).negate());
}

/// All expressions of a size over two variables and a choice.
fn expressions(operators: usize) -> Vec<Expression> {
    use crate::boolean::expression::Binary;
    if operators == 0 {
        return vec![read(0), read(1), Expression::choice(), constant(false), constant(true)];
    }
    let mut all: Vec<Expression> = expressions(operators - 1).into_iter().map(Expression::negate).collect();
    for left in 0..operators {
        for a in expressions(left) {
            for b in expressions(operators - 1 - left) {
                all.extend(Binary::ALL.map(|operator| a.clone().binary(operator, b.clone())));
                all.push(Expression::schoose(a.clone(), b));
            }
        }
    }
    all
}

#[test]
fn folding_and_possibilities_are_exact() {
    for expression in (0..3).flat_map(expressions) {
        let (to_be_true, to_be_false) = possibilities(&expression);
        let simple = fold::simplify(&expression);
        assert!(!to_be_true.has_choice() && !to_be_false.has_choice());
        for state in 0..4 {
            let value = |read: &cfg::Read| state >> read.variable.index() & 1 == 1;
            let values = expression.values(value);
            assert_eq!(simple.values(value), values, "{expression:?}");
            assert_eq!(to_be_true.values(value).can_be_true, values.can_be_true, "{expression:?}");
            assert_eq!(to_be_false.values(value).can_be_true, values.can_be_false, "{expression:?}");
        }
    }
}

#[test]
fn normalisation_leaves_alone_what_would_explode() {
    use crate::boolean::expression::Binary::{And, Xor};
    let start = read(0).binary(And, Expression::choice());
    let value = (0..60).fold(start, |chain, number| chain.binary(Xor, read(number % 7)));
    let program = Builder::new(7).line(0, 0, vec![assign(0, value)]).build();
    let normal = normalise_stars(&program);
    assert_eq!(normal.program.nodes[node(0)].op, program.nodes[node(0)].op);
}

#[test]
fn properties_that_cannot_be_reached_stay_in_the_list() {
    let program = Builder::new(1)
        .line(0, 0, vec![Op::Assume(constant(false)), Builder::assertion(0, read(0)), call(1)])
        .line(0, 0, vec![Builder::assertion(1, read(0)), Op::Skip])
        .error_label(5)
        .build();
    let checked = all(&program);
    let reduced = reduce(&program, &checked);
    let names =
        |program: &cfg::Program| program.properties.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&reduced.program), names(&program));
    assert_eq!(reduced.program.procedures.len(), 1);
    let reach = crate::boolean::dataflow::reach::Reach::new(&reduced.program);
    assert!(reduced.program.properties.iter().all(|property| !reach.nodes.contains(property.node)));
}
