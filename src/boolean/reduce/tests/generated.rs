//! Every transformation against the interpreter, on generated programs: verdicts before and after are the
//! same, counterexamples lift to runs of the original, and a dead variable may have any value.

use crate::boolean::cfg::{
    self, Copy, Expression, Node, NodeId, Op, Origin, ProcedureId, Target, VariableId,
};
use crate::boolean::dataflow::effects::Effects;
use crate::boolean::dataflow::liveness::Liveness;
use crate::boolean::generate::lower::lower;
use crate::boolean::generate::{Shape, generate};
use crate::boolean::reduce::*;
use crate::boolean::trace::{Action, Segment, SegmentId, Step, Trace};
use crate::certify::replay;
use crate::engine::Answer;
use crate::engine::explicit::{Bounds, Explicit};
use crate::engine::{Engine, Query, Threads};
use crate::ground::event::Silent;
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::run::Run;

const THREADS: Threads = Threads::AtMost(2);

fn answers(program: &cfg::Program, properties: &[PropertyId]) -> Vec<Answer> {
    let bounds = Bounds { states: 8000, depth: 5, threads: 2 };
    let query = Query { properties: properties.to_vec(), threads: THREADS };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    Explicit::within(bounds).check(program, &query, run).expect("bounds of the engine leave answers").answers
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

/// Besides what a debug build checks after every transformation.
fn well_formed(context: &str, program: &cfg::Program) {
    assert_eq!(program.check_well_formed(), Ok(()), "{context}");
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

#[test]
fn verdicts_of_layered_programs_are_kept() {
    transformations_keep_verdicts("layered", &Shape::layered(), 80);
}

#[test]
fn verdicts_of_odd_programs_are_kept() {
    transformations_keep_verdicts("odd", &Shape::odd(), 80);
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
    dead_variables_do_not_matter("odd", &Shape::odd(), 100);
    dead_variables_do_not_matter("layered", &Shape::layered(), 300);
}
