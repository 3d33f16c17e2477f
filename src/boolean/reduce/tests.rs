//! Every transformation against the interpreter, on generated programs: verdicts before and after are the
//! same, counterexamples lift to runs of the original, and a dead variable may have any value.

use super::*;
use crate::boolean::cfg::{
    self, Copy, Expression, Node, NodeId, Op, Origin, ProcedureId, Target, VariableId,
};
use crate::boolean::dataflow::effects::Effects;
use crate::boolean::dataflow::liveness::Liveness;
use crate::boolean::dataflow::samples::{Builder, assign, call, node, procedure, read, variable};
use crate::boolean::generate::lower::lower;
use crate::boolean::generate::{Shape, generate};
use crate::certify::replay;
use crate::engine::explicit::{Bounds, Explicit};
use crate::engine::{Engine, Query, Run, Threads};
use crate::ground::event::Silent;
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::trace::{Action, Segment, SegmentId, Step, Trace};
use crate::verdict::Answer;

const THREADS: Threads = Threads::AtMost(2);

fn answers(program: &cfg::Program, properties: &[PropertyId]) -> Vec<Answer> {
    let bounds = Bounds { states: 8000, depth: 5, threads: 2 };
    let query = Query { properties: properties.to_vec(), threads: THREADS };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    Explicit { bounds }.check(program, &query, run).expect("bounds of the engine leave answers").answers
}

/// A generated program, its variables with `$` marked.
fn generated(seed: u64, shape: &Shape) -> cfg::Program {
    let mut program = lower(&generate(seed, shape));
    let effects: Vec<Effects> = program.nodes.ids().map(|node| Effects::of(&program, node)).collect();
    for variable in
        effects.iter().flat_map(|effects| effects.passive_reads.iter().chain(&effects.passive_writes))
    {
        program.variables[*variable].passive = true;
    }
    program
}

fn all(program: &cfg::Program) -> Vec<PropertyId> {
    program.properties.ids().collect()
}

/// On how many properties two programs were compared.
#[derive(Default, Debug)]
struct Tally {
    holds: usize,
    violated: usize,
}

/// What the transformations are tried on.
struct Case<'a> {
    name: String,
    original: &'a cfg::Program,
    checked: Vec<PropertyId>,
    before: Vec<Answer>,
}

impl Case<'_> {
    /// Compares verdicts and lifts counterexamples.
    fn compare(&self, transformation: &str, reduced: &Reduced, tally: &mut Tally) {
        let context = format!("{}, {transformation}", self.name);
        well_formed(&context, &reduced.program);
        let after = answers(&reduced.program, &self.checked);
        for (number, after) in after.iter().enumerate() {
            let context = format!("{context}, {:?}", self.checked[number]);
            self.compare_verdict(&context, &self.before[number], after, tally);
            if let Answer::Reachable(trace) = after {
                self.lifts(&context, reduced, trace);
                self.lifts(&context, reduced, &with_segments(&reduced.program, trace));
            }
        }
    }

    fn compare_verdict(&self, context: &str, before: &Answer, after: &Answer, tally: &mut Tally) {
        match (before, after) {
            (Answer::Unreachable, Answer::Reachable(_)) | (Answer::Reachable(_), Answer::Unreachable) => {
                panic!("{context}: {before:?} became {after:?}")
            }
            (Answer::Unreachable, Answer::Unreachable) => tally.holds += 1,
            (Answer::Reachable(_), Answer::Reachable(_)) => tally.violated += 1,
            _ => {}
        }
    }

    fn lifts(&self, context: &str, reduced: &Reduced, trace: &Trace) {
        let lifted =
            lift(self.original, reduced, trace).unwrap_or_else(|reason| panic!("{context}: {reason}"));
        replay(self.original, &lifted, THREADS).unwrap_or_else(|mismatch| panic!("{context}: {mismatch:?}"));
        let over = |steps: &[Step]| steps.iter().filter(|step| step.action != Action::Single).count();
        assert_eq!(over(&lifted.steps), over(&trace.steps), "{context}: calls stay folded");
    }
}

/// The same trace with the calls that return told by segments, if there is only one thread.
fn with_segments(program: &cfg::Program, trace: &Trace) -> Trace {
    if program.starts_threads() {
        return trace.clone();
    }
    let mut segments: IndexVec<SegmentId, Segment> = IndexVec::new();
    let mut open: Vec<(Step, Vec<Step>)> = Vec::new();
    let mut steps = Vec::new();
    for step in &trace.steps {
        match program.nodes[step.node].op {
            Op::Call { .. } => open.push((step.clone(), std::mem::take(&mut steps))),
            Op::Return(_) if !open.is_empty() => {
                let (call, before) = open.pop().expect("it is not empty");
                let segment =
                    Segment { initial: call.after.clone(), steps: std::mem::replace(&mut steps, before) };
                let known = segments.enumerate().find(|(_, known)| **known == segment).map(|(id, _)| id);
                let id = known.unwrap_or_else(|| segments.push(segment));
                steps.push(Step { after: step.after.clone(), action: Action::Over(id), ..call });
            }
            _ => steps.push(step.clone()),
        }
    }
    while let Some((call, before)) = open.pop() {
        let inside = std::mem::replace(&mut steps, before);
        steps.push(call);
        steps.extend(inside);
    }
    Trace { steps, segments, ..trace.clone() }
}

fn well_formed(context: &str, program: &cfg::Program) {
    for (id, node) in program.nodes.enumerate() {
        let count = node.successors.len();
        match node.op {
            Op::Skip => {}
            Op::Return(_) | Op::EndThread => assert_eq!(count, 0, "{context}: {id:?}"),
            _ => assert_eq!(count, 1, "{context}: {id:?}"),
        }
        for &successor in &node.successors {
            assert_eq!(program.nodes[successor].procedure, node.procedure, "{context}: {id:?}");
        }
        if let Op::Call { procedure, arguments, results } = &node.op {
            let callee = &program.procedures[*procedure];
            assert_eq!(
                (arguments.len(), results.len()),
                (callee.parameter_count, callee.returns),
                "{context}"
            );
        }
    }
    for (id, procedure) in program.procedures.enumerate() {
        assert_eq!(program.nodes[procedure.entry].procedure, id, "{context}");
        for (position, &local) in procedure.locals.iter().enumerate() {
            assert_eq!(program.variables[local].scope, cfg::Scope::Local(id, position), "{context}");
        }
    }
    let owners: Vec<ProcedureId> = program.nodes.iter().map(|node| node.procedure).collect();
    assert!(owners.is_sorted(), "{context}: the nodes of a procedure stand together");
}

/// How many times as many seeds to try as in the everyday run.
fn patience() -> u64 {
    std::env::var("BOOLERO_PATIENCE").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

/// Tries something on generated programs, with all their properties and with one of them.
fn on_generated(name: &str, shape: &Shape, seeds: u64, mut trial: impl FnMut(&Case<'_>)) {
    for seed in 0..seeds * patience() {
        let program = generated(seed, shape);
        let properties = all(&program);
        let one = properties.get(seed as usize % properties.len().max(1)).copied();
        for checked in [properties, one.into_iter().collect()] {
            let before = answers(&program, &checked);
            trial(&Case { name: format!("{name} {seed}"), original: &program, checked, before });
        }
    }
}

fn transformations_keep_verdicts(name: &str, shape: &Shape, seeds: u64) {
    let mut tally = Tally::default();
    on_generated(name, shape, seeds, |case| {
        case.compare("skips", &remove_skips(case.original), &mut tally);
        case.compare("constants", &propagate_constants(case.original), &mut tally);
        case.compare("stars", &normalise_stars(case.original), &mut tally);
        case.compare("slice", &slice(case.original, &case.checked), &mut tally);
        case.compare("all", &reduce(case.original, &case.checked), &mut tally);
    });
    assert!(tally.holds > 100 && tally.violated > 100, "{name}: {tally:?} is too little to compare");
}

#[test]
fn verdicts_of_sequential_programs_are_kept() {
    transformations_keep_verdicts("sequential", &Shape::sequential(), 120);
}

#[test]
fn verdicts_of_recursive_programs_are_kept() {
    transformations_keep_verdicts("recursive", &Shape::recursive(), 80);
}

#[test]
fn verdicts_of_threaded_programs_are_kept() {
    transformations_keep_verdicts("threaded", &Shape::threaded(), 60);
}

#[test]
fn verdicts_of_programs_with_broadcasts_are_kept() {
    transformations_keep_verdicts("broadcast", &Shape::broadcast(), 60);
}

/// The program that gives every dead variable any value before each node.
fn forget_dead(program: &cfg::Program, checked: &[PropertyId]) -> cfg::Program {
    let liveness = Liveness::of(program, checked);
    let mut changed = program.clone();
    let mut instead: IndexVec<NodeId, NodeId> = IndexVec::new();
    for (id, node) in program.nodes.enumerate() {
        let locals = program.procedures[node.procedure].locals.iter().copied();
        let live = liveness.live_before(id);
        let dead: Vec<VariableId> = program.globals().chain(locals).filter(|&v| !live.contains(v)).collect();
        let own = |&variable: &VariableId| Target { variable, copy: Copy::Own };
        instead.push(changed.nodes.push(Node {
            procedure: node.procedure,
            op: Op::Assign {
                targets: dead.iter().map(own).collect(),
                values: dead.iter().map(|_| Expression::choice()).collect(),
                constrain: None,
            },
            successors: vec![id],
            span: node.span,
            origin: Origin::Statement,
            forbidden: Vec::new(),
            labels: Vec::new(),
        }));
    }
    for id in program.nodes.ids() {
        let node = &mut changed.nodes[id];
        node.successors.iter_mut().for_each(|successor| *successor = instead[*successor]);
        if let Op::StartLabel(label) = &mut node.op {
            *label = instead[*label];
        }
    }
    for procedure in changed.procedures.iter_mut() {
        procedure.entry = instead[procedure.entry];
    }
    changed
}

fn dead_variables_do_not_matter(name: &str, shape: &Shape, seeds: u64) {
    let mut tally = Tally::default();
    on_generated(name, shape, seeds, |case| {
        let after = answers(&forget_dead(case.original, &case.checked), &case.checked);
        for (before, after) in case.before.iter().zip(&after) {
            case.compare_verdict(&case.name, before, after, &mut tally);
        }
    });
    assert!(tally.holds > 20 && tally.violated > 20, "{name}: {tally:?} is too little to compare");
}

#[test]
fn the_value_of_a_dead_variable_does_not_matter() {
    dead_variables_do_not_matter("sequential", &Shape::sequential(), 120);
    dead_variables_do_not_matter("recursive", &Shape::recursive(), 100);
    dead_variables_do_not_matter("threaded", &Shape::threaded(), 60);
    dead_variables_do_not_matter("broadcast", &Shape::broadcast(), 60);
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
    assert!(answers(&reduced.program, &checked).iter().all(|answer| *answer == Answer::Unreachable));
}
