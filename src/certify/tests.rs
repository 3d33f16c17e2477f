//! Traces of the explicit engine replay; spoilt ones do not.

use super::*;
use crate::boolean::cfg::{
    Expression, Node, NodeId, Op, ProcedureId, Program, Property, PropertyId, PropertyKind,
};
use crate::boolean::generate::lower::lower;
use crate::boolean::generate::{Seed, Shape, generate};
use crate::boolean::interpret::{Effect, Interpreter, State, Successor, Threads};
use crate::boolean::trace::{Action, Segment, SegmentId, Step, Trace, View};
use crate::engine::Answer;
use crate::engine::explicit::{Bounds, Explicit};
use crate::engine::{Engine, Query};
use crate::ground::bits::Bits;
use crate::ground::event::Silent;
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::ground::run::Run;

const BOUND: Threads = Threads::AtMost(3);

/// Counterexamples of generated programs.
fn counterexamples(shape: &Shape, seeds: std::ops::Range<u64>) -> Vec<(Program, Trace)> {
    let mut found = Vec::new();
    for seed in seeds {
        let program = lower(&generate(seed, shape));
        let query = Query { properties: program.properties.ids().collect(), threads: BOUND };
        let run = Run { limits: &Limits::none(), observer: &Silent };
        let bounds = Bounds { states: 10_000, depth: 8, threads: 3 };
        let answers = Explicit::within(bounds).check(&program, &query, run).expect("no limit");
        for answer in answers.answers {
            if let Answer::Reachable(trace) = answer {
                found.push((program.clone(), *trace));
            }
        }
    }
    found
}

fn all_profiles() -> impl Iterator<Item = (Program, Trace)> {
    Shape::profiles().into_iter().flat_map(|(_, shape)| counterexamples(&shape, 0..60))
}

#[test]
fn counterexamples_replay() {
    let (mut replayed, mut started, mut broadcast) = (0, 0, 0);
    for (program, trace) in all_profiles() {
        replay(&program, &trace, BOUND).unwrap_or_else(|mismatch| panic!("{mismatch}: {trace:?}"));
        assert_eq!(expanded_length(&trace), trace.steps.len() as u64);
        replayed += 1;
        started += usize::from(trace.steps.iter().any(|step| step.started.is_some()));
        broadcast += usize::from(trace.steps.iter().any(|step| !step.passive.is_empty()));
    }
    assert!(replayed > 100 && started > 20 && broadcast > 3, "{replayed}, {started}, {broadcast}");
}

/// Tells every call that has returned by a segment, innermost first.
fn folded(program: &Program, trace: &Trace) -> Trace {
    struct Open {
        call: Step,
        steps: Vec<Step>,
    }
    let mut segments = IndexVec::new();
    let mut open = vec![Open { call: trace.steps[0].clone(), steps: Vec::new() }];
    for step in &trace.steps {
        match program.nodes[step.node].op {
            Op::Call { .. } => open.push(Open { call: step.clone(), steps: Vec::new() }),
            Op::Return(_) if open.len() > 1 => {
                let Open { call, steps } = open.pop().expect("an open call");
                let id: SegmentId = segments.push(Segment { initial: call.after.clone(), steps });
                let over = Step { action: Action::Over(id), after: step.after.clone(), ..call };
                open.last_mut().expect("the caller").steps.push(over);
            }
            _ => open.last_mut().expect("a run").steps.push(step.clone()),
        }
    }
    let mut steps = Vec::new();
    for (depth, run) in open.into_iter().enumerate() {
        steps.extend((depth > 0).then_some(run.call));
        steps.extend(run.steps);
    }
    Trace { steps, segments, ..trace.clone() }
}

#[test]
fn folded_traces_replay_and_expand_again() {
    let mut over = 0;
    let shapes = [Shape::sequential(), Shape::recursive()];
    for (program, trace) in shapes.iter().flat_map(|shape| counterexamples(shape, 0..120)) {
        if trace.steps.is_empty() {
            continue;
        }
        let folded = folded(&program, &trace);
        replay(&program, &folded, BOUND).unwrap_or_else(|mismatch| panic!("{mismatch}: {folded:?}"));
        assert_eq!(expanded_length(&folded), trace.steps.len() as u64);
        assert_eq!(expand(&folded, trace.steps.len() as u64), Some(trace.clone()));
        assert_eq!(expand(&folded, trace.steps.len() as u64 - 1), None);
        over += usize::from(!folded.segments.is_empty());
    }
    assert!(over > 20, "{over} traces with segments");
}

#[test]
fn wrong_segment_references_are_refused() {
    let mut refused = 0;
    for (program, trace) in counterexamples(&Shape::sequential(), 0..120) {
        if trace.steps.is_empty() {
            continue;
        }
        let mut cyclic = folded(&program, &trace);
        let own = cyclic.segments.ids().find(|&id| {
            let steps = &mut cyclic.segments[id].steps;
            steps.iter().any(|step| step.action != Action::Single)
        });
        let Some(own) = own else { continue };
        for step in &mut cyclic.segments[own].steps {
            if step.action != Action::Single {
                step.action = Action::Over(own);
            }
        }
        assert!(
            matches!(replay(&program, &cyclic, BOUND), Err(Mismatch { place: Place::SegmentStep(id, _), .. }) if id == own)
        );
        assert_eq!(expanded_length(&cyclic), u64::MAX);
        assert_eq!(expand(&cyclic, u64::MAX), None);
        refused += 1;
    }
    assert!(refused > 3, "{refused} cyclic traces");
}

fn flip(bits: &mut Bits, seed: &mut Seed) -> bool {
    if bits.is_empty() {
        return false;
    }
    let position = seed.below(bits.len());
    bits.set(position, !bits.get(position));
    true
}

/// The trace with one thing changed, if there was something to change.
fn spoilt(program: &Program, trace: &Trace, seed: &mut Seed) -> Option<Trace> {
    let mut changed = trace.clone();
    let place = seed.below(changed.steps.len());
    let kind = seed.below(6);
    let step = changed.steps.get_mut(place)?;
    let done = match kind {
        0 => flip(&mut step.after.globals, seed),
        1 => flip(&mut step.after.locals, seed),
        2 => {
            let node = NodeId::new(seed.below(program.nodes.len()));
            let old = step.after.node.replace(node);
            old != Some(node)
        }
        3 => step.started.take().is_some(),
        4 => {
            step.thread += 1;
            true
        }
        _ => {
            changed.steps.remove(place);
            true
        }
    };
    done.then_some(changed)
}

#[test]
fn spoilt_traces_are_refused_unless_they_are_runs() {
    let mut seed = Seed::new(1);
    let (mut refused, mut accepted) = (0, 0);
    for (program, trace) in all_profiles() {
        for changed in (0..6).filter_map(|_| spoilt(&program, &trace, &mut seed)) {
            let naive = is_run(&program, &changed);
            assert_eq!(replay(&program, &changed, BOUND).is_ok(), naive, "{changed:?}");
            if naive { accepted += 1 } else { refused += 1 }
        }
    }
    assert!(refused > 300, "{refused} refused, {accepted} accepted");
}

/// Whether a trace without segments is a run, by enumerating successors: all states that fit the views.
fn is_run(program: &Program, trace: &Trace) -> bool {
    let interpreter = Interpreter::new(program, BOUND);
    let first = interpreter
        .initial_states()
        .filter(|s| s.globals == trace.initial.globals && s.threads[0].top().locals == trace.initial.locals);
    let mut states: Vec<_> = first.map(|state| Numbered { state, numbers: vec![0], upcoming: 1 }).collect();
    for step in &trace.steps {
        states = states.iter().flat_map(|state| state.following(&interpreter, step)).collect();
    }
    let violates = |numbered: &Numbered| {
        let violations = interpreter.violations(&numbered.state).into_iter();
        let mut numbers = violations.map(|(thread, property)| (numbered.numbers[thread], property));
        numbers.any(|found| found == (trace.thread, trace.property))
    };
    states.iter().any(violates)
}

/// A state with the lasting numbers of its threads.
struct Numbered {
    state: State,
    numbers: Vec<usize>,
    upcoming: usize,
}

impl Numbered {
    /// The states after a step that looks as told.
    fn following(&self, interpreter: &Interpreter<'_>, step: &Step) -> Vec<Self> {
        let all = interpreter.successors(&self.state).into_iter();
        all.filter(|successor| self.matches(successor, step)).map(|successor| self.after(successor)).collect()
    }

    fn after(&self, successor: Successor) -> Self {
        let (mut numbers, mut upcoming) = (self.numbers.clone(), self.upcoming);
        match successor.effect {
            Effect::Ended => drop(numbers.remove(successor.thread)),
            Effect::Started => {
                numbers.push(upcoming);
                upcoming += 1;
            }
            Effect::None | Effect::Suppressed => {}
        }
        Self { state: successor.state, numbers, upcoming }
    }

    fn matches(&self, successor: &Successor, step: &Step) -> bool {
        let after = &successor.state;
        let seen = (successor.effect != Effect::Ended).then(|| after.threads[successor.thread].top());
        let started =
            (successor.effect == Effect::Started).then(|| after.threads[after.threads.len() - 1].top());
        self.numbers[successor.thread] == step.thread
            && successor.node == step.node
            && after.globals == step.after.globals
            && seen.map(|top| top.node) == step.after.node
            && seen.is_none_or(|top| top.locals == step.after.locals)
            && started.map(|top| (Some(top.node), &top.locals))
                == step.started.as_ref().map(|v| (v.node, &v.locals))
            && self.passive_matches(successor, step)
    }

    /// Whether the frames of other threads changed as the step tells.
    fn passive_matches(&self, successor: &Successor, step: &Step) -> bool {
        if successor.effect == Effect::Ended {
            return step.passive.is_empty();
        }
        let others = (0..self.state.threads.len()).filter(|&other| other != successor.thread);
        let mut frames = others.flat_map(|other| {
            self.state.threads[other].frames.iter().enumerate().map(move |frame| (other, frame))
        });
        frames.all(|(other, (depth, frame))| {
            let told =
                step.passive.iter().find(|told| told.thread == self.numbers[other] && told.depth == depth);
            let expected = told.map_or(&frame.locals, |told| &told.locals);
            successor.state.threads[other].frames[depth].locals == *expected
        })
    }
}

#[test]
fn deep_stacks_replay_in_linear_time() {
    let program = lower(&generate(0, &Shape { procedures: (1, 1), ..Shape::sequential() }));
    let endless = deep(program);
    replay(&endless.0, &endless.1, BOUND).expect("a run");
}

/// A procedure that calls itself fifty thousand times and then fails an assertion.
fn deep(mut program: Program) -> (Program, Trace) {
    let main = &mut program.procedures[ProcedureId::new(0)];
    (main.enforce, main.locals) = (None, Vec::new());
    let entry = main.entry;
    let id = ProcedureId::new(0);
    program.entry = id;
    program.properties = IndexVec::new();
    let node = |op, successors: Vec<usize>| Node {
        op,
        successors: successors.into_iter().map(NodeId::new).collect(),
        ..program.nodes[entry].clone()
    };
    program.nodes = IndexVec::from_vec(vec![
        node(Op::Skip, vec![1, 2]),
        node(Op::Call { procedure: id, arguments: vec![], results: vec![] }, vec![2]),
        node(Op::Assert(Expression::constant(false), PropertyId::new(0)), vec![2]),
    ]);
    program.procedures[id].entry = NodeId::new(0);
    let property = program.properties.push(Property {
        name: "main.assert.1".into(),
        node: NodeId::new(2),
        kind: PropertyKind::Assertion,
        span: Default::default(),
    });
    let view = |node| View {
        node: Some(NodeId::new(node)),
        globals: Bits::new(program.global_count),
        locals: Bits::new(0),
    };
    let step = |node, after| Step {
        thread: 0,
        node: NodeId::new(node),
        action: Action::Single,
        after: view(after),
        started: None,
        passive: Vec::new(),
    };
    let mut steps: Vec<_> = (0..50_000).flat_map(|_| [step(0, 1), step(1, 0)]).collect();
    steps.push(step(0, 2));
    let trace = Trace { property, thread: 0, initial: view(0), steps, segments: IndexVec::new() };
    (program, trace)
}
