//! Every transformation against the interpreter, on generated programs: verdicts before and after are the
//! same, counterexamples lift to runs of the original, and a dead variable may have any value.

use super::*;
use crate::boolean::cfg::{
    self, Copy, Expression, Node, NodeId, Op, Origin, ProcedureId, Target, VariableId,
};
use crate::boolean::dataflow::liveness::Liveness;
use crate::boolean::dataflow::samples::{Builder, assign, call, node, read, variable};
use crate::boolean::generate::lower::lower;
use crate::boolean::generate::{Shape, generate};
use crate::certify::replay;
use crate::engine::explicit::{Bounds, Explicit};
use crate::engine::{Engine, Query, Run, Threads};
use crate::ground::event::Silent;
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::verdict::Answer;

const THREADS: Threads = Threads::AtMost(2);

fn answers(program: &cfg::Program, properties: &[PropertyId]) -> Vec<Answer> {
    let bounds = Bounds { states: 8000, depth: 5, threads: 2 };
    let query = Query { properties: properties.to_vec(), threads: THREADS };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    Explicit { bounds }.check(program, &query, run).expect("bounds of the engine leave answers").answers
}

fn all(program: &cfg::Program) -> Vec<PropertyId> {
    program.properties.ids().collect()
}

/// The properties on which the two programs are compared, and on which they agreed.
#[derive(Default, Debug)]
struct Tally {
    holds: usize,
    violated: usize,
}

/// Compares verdicts and lifts counterexamples.
fn compare(
    context: &str,
    original: &cfg::Program,
    reduced: &Reduced,
    checked: &[PropertyId],
    tally: &mut Tally,
) {
    well_formed(context, &reduced.program);
    let before = answers(original, checked);
    let after = answers(&reduced.program, checked);
    for ((&property, before), after) in checked.iter().zip(&before).zip(&after) {
        let context = format!("{context}, {}", original.properties[property].name);
        match (before, after) {
            (Answer::Unreachable, Answer::Reachable(_)) | (Answer::Reachable(_), Answer::Unreachable) => {
                panic!("{context}: {before:?} became {after:?}\n{original:#?}")
            }
            (Answer::Unreachable, Answer::Unreachable) => tally.holds += 1,
            (Answer::Reachable(_), Answer::Reachable(_)) => tally.violated += 1,
            _ => {}
        }
        if let Answer::Reachable(trace) = after {
            let lifted =
                lift(original, reduced, trace).unwrap_or_else(|reason| panic!("{context}: {reason}"));
            replay(original, &lifted, THREADS).unwrap_or_else(|mismatch| panic!("{context}: {mismatch:?}"));
        }
    }
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

fn shapes() -> [(&'static str, Shape, u64); 4] {
    [
        ("sequential", Shape::sequential(), 200),
        ("recursive", Shape::recursive(), 150),
        ("threaded", Shape::threaded(), 100),
        ("broadcast", Shape::broadcast(), 100),
    ]
}

fn on_generated(transform: impl Fn(&cfg::Program, &[PropertyId]) -> Reduced) {
    for (name, shape, seeds) in shapes() {
        let mut tally = Tally::default();
        for seed in 0..seeds {
            let program = lower(&generate(seed, &shape));
            let properties = all(&program);
            let context = format!("{name} {seed}");
            compare(&context, &program, &transform(&program, &properties), &properties, &mut tally);
            if let Some(one) = properties.get(seed as usize % properties.len().max(1)) {
                let one = [*one];
                compare(&context, &program, &transform(&program, &one), &one, &mut tally);
            }
        }
        assert!(tally.holds > 20 && tally.violated > 20, "{name}: {tally:?} is too little to compare");
    }
}

#[test]
fn removing_skips_keeps_verdicts() {
    on_generated(|program, _| remove_skips(program));
}

#[test]
fn propagating_constants_keeps_verdicts() {
    on_generated(|program, _| propagate_constants(program));
}

#[test]
fn slicing_keeps_verdicts() {
    on_generated(slice);
}

#[test]
fn normalising_stars_keeps_verdicts() {
    on_generated(|program, _| normalise_stars(program));
}

#[test]
fn reducing_keeps_verdicts() {
    on_generated(reduce);
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

#[test]
fn the_value_of_a_dead_variable_does_not_matter() {
    for (name, shape, seeds) in shapes() {
        let mut compared = 0;
        for seed in 0..seeds {
            let program = lower(&generate(seed, &shape));
            let properties = all(&program);
            let one = properties.get(seed as usize % properties.len().max(1)).copied();
            for checked in [properties, one.into_iter().collect()] {
                let pairs = answers(&program, &checked)
                    .into_iter()
                    .zip(answers(&forget_dead(&program, &checked), &checked));
                for ((before, after), property) in pairs.zip(&checked) {
                    let flipped = matches!(
                        (&before, &after),
                        (Answer::Unreachable, Answer::Reachable(_))
                            | (Answer::Reachable(_), Answer::Unreachable)
                    );
                    assert!(!flipped, "{name} {seed} {property:?}: {before:?} became {after:?}");
                    compared += usize::from(
                        !matches!(before, Answer::Unknown(_)) && !matches!(after, Answer::Unknown(_)),
                    );
                }
            }
        }
        assert!(compared > 50, "{name}: only {compared} compared");
    }
}
