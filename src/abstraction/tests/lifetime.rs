//! What an abstractor keeps, what it refuses, and how it stops.

use super::{abstracted, abstractor, add};
use crate::abstraction::{Abstraction, Abstractor, Options};
use crate::boolean::print::print;
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::predicate::{Exclusion, Precision, PredicateId, Transition};
use crate::program::generate::{BYTE, Builder};
use crate::program::{Action, EdgeId, ProcedureId, Program, Property, PropertyKind, Role};
use crate::term::{Operator, Symbol};

/// `x` gets an input, and is then increased.
fn sample() -> (Program, ProcedureId, Symbol, [EdgeId; 2]) {
    let mut builder = Builder::new();
    let main = builder.procedure("main");
    let x = builder.local(main, "x", BYTE, Role::Plain);
    let (entry, exit) = builder.ends(main);
    let middle = builder.location(main);
    let input = builder.input("nondet", BYTE);
    let drawn = builder.read(input);
    let always = builder.program.store.boolean(true);
    let first = builder.block(main, (entry, middle), always, vec![(x, drawn)], vec![input]);
    let (old, one) = (builder.read(x), builder.bits(1));
    let next = builder.program.store.binary(Operator::Add, old, one);
    let second = builder.block(main, (middle, exit), always, vec![(x, next)], Vec::new());
    (builder.program, main, x, [first, second])
}

fn is(program: &mut Program, precision: &mut Precision, x: Symbol, value: u128) -> PredicateId {
    let (x, value) = (program.store.symbol(x), program.store.bits(8, value));
    let term = program.store.equal(x, value);
    add(precision, program, term)
}

/// A predicate that only the solver can say something about.
fn square(program: &mut Program, precision: &mut Precision, x: Symbol) -> PredicateId {
    let (x, four) = (program.store.symbol(x), program.store.bits(8, 4));
    let term = program.store.binary(Operator::Multiply, x, x);
    let term = program.store.equal(term, four);
    add(precision, program, term)
}

#[test]
fn predicates_over_other_variables_leave_edges_as_they_are() {
    let mut builder = Builder::new();
    let main = builder.procedure("main");
    let x = builder.local(main, "x", BYTE, Role::Plain);
    let y = builder.local(main, "y", BYTE, Role::Plain);
    let ends = builder.ends(main);
    let (old, one) = (builder.read(x), builder.bits(1));
    let next = builder.program.store.binary(Operator::Add, old, one);
    let always = builder.program.store.boolean(true);
    builder.block(main, ends, always, vec![(x, next)], Vec::new());
    let mut program = builder.program;
    let mut precision = Precision::default();
    square(&mut program, &mut precision, x);
    let mut abstractor = abstractor();
    abstracted(&mut abstractor, &mut program, &precision);
    let queries = abstractor.statistics().queries;
    assert!(queries > 0);
    square(&mut program, &mut precision, y);
    abstracted(&mut abstractor, &mut program, &precision);
    let statistics = abstractor.statistics();
    assert_eq!((statistics.edges_computed, statistics.edges_kept, statistics.queries), (1, 1, queries));
    let both = {
        let (x, y) = (program.store.symbol(x), program.store.symbol(y));
        program.store.unsigned_less(x, y)
    };
    add(&mut precision, &program, both);
    abstracted(&mut abstractor, &mut program, &precision);
    assert_eq!(abstractor.statistics().edges_computed, 2, "x is written");
}

#[test]
fn unchanged_edges_are_kept() {
    let (mut program, main, x, [first, _]) = sample();
    let mut precision = Precision::default();
    is(&mut program, &mut precision, x, 3);
    let mut abstractor = abstractor();
    let before = abstracted(&mut abstractor, &mut program, &precision).0.program;
    let queries = abstractor.statistics().queries;
    assert_eq!(abstracted(&mut abstractor, &mut program, &precision).0.program, before);
    let statistics = abstractor.statistics();
    assert_eq!((statistics.edges_computed, statistics.edges_kept, statistics.queries), (2, 2, queries));
    let id = is(&mut program, &mut precision, x, 4);
    let entry = program.procedures[main].edges[first].from;
    precision.places.insert(id, [entry].into());
    abstracted(&mut abstractor, &mut program, &precision);
    let statistics = abstractor.statistics();
    assert_eq!((statistics.edges_computed, statistics.edges_kept), (3, 3), "only the first edge changed");
}

/// `x` is live between the two edges only. What is no longer tracked is not asked for.
#[test]
fn predicates_are_tracked_where_their_variables_are_live() {
    let (mut program, main, x, [first, second]) = sample();
    let (read, seven) = (program.store.symbol(x), program.store.bits(8, 7));
    let guard = program.store.equal(read, seven);
    if let Action::Block(block) = &mut program.procedures[main].edges[second].action {
        block.guard = guard;
    }
    let mut precision = Precision::default();
    let id = square(&mut program, &mut precision, x);
    let (entry, middle) = {
        let edge = &program.procedures[main].edges[first];
        (edge.from, edge.to)
    };
    let exit = program.procedures[main].exit;
    let mut abstractor = Abstractor::new(Options::default(), &Limits::none());
    let places = |abstraction: &Abstraction| [entry, middle, exit].map(|at| abstraction.is_tracked(id, at));
    let (abstraction, _) = abstracted(&mut abstractor, &mut program, &precision);
    assert_eq!(places(&abstraction), [false, true, false]);
    let assignments = |abstraction: &Abstraction| print(&abstraction.program).matches(":=").count();
    assert_eq!(assignments(&abstraction), 1);
    assert_eq!(abstractor.track_everywhere(&program, &precision), 1);
    assert_eq!(abstractor.track_everywhere(&program, &precision), 0, "they are already");
    let (abstraction, _) = abstracted(&mut abstractor, &mut program, &precision);
    assert_eq!(places(&abstraction), [true, true, true]);
    assert_eq!(assignments(&abstraction), 2);
}

/// A caller hears of a parameter that was not written, though nobody reads it at the exit.
#[test]
fn unwritten_parameters_are_live_to_the_end() {
    let mut builder = Builder::new();
    let main = builder.procedure("main");
    let p = builder.parameter(main, "p", BYTE);
    let ends = builder.ends(main);
    let always = builder.program.store.boolean(true);
    builder.block(main, ends, always, Vec::new(), Vec::new());
    let mut program = builder.program;
    let mut precision = Precision::default();
    let id = is(&mut program, &mut precision, p, 3);
    let mut abstractor = Abstractor::new(Options::default(), &Limits::none());
    let (abstraction, _) = abstracted(&mut abstractor, &mut program, &precision);
    assert!(abstraction.is_tracked(id, ends.0) && abstraction.is_tracked(id, ends.1));
}

#[test]
fn predicates_that_exclude_each_other_are_said_to() {
    let (mut program, _, x, _) = sample();
    let mut precision = Precision::default();
    is(&mut program, &mut precision, x, 3);
    is(&mut program, &mut precision, x, 4);
    let text = print(&abstracted(&mut abstractor(), &mut program, &precision).0.program);
    assert!(text.contains("assume(!(b0 & b1));"), "{text}");
    assert!(text.contains("b0, b1 := *, * constrain !('b0 & 'b1);"), "{text}");
    assert!(text.contains("b0, b1 := schoose[F, b0 | b1], b0 constrain !('b0 & 'b1);"), "{text}");
}

#[test]
fn contradictions_become_constraints() {
    let (mut program, main, x, [_, second]) = sample();
    let mut precision = Precision::default();
    let id = is(&mut program, &mut precision, x, 3);
    let never = Exclusion::new(Transition::Edge, vec![(id, true)], vec![(id, true)]);
    precision.exclude((main, second), never);
    let text = print(&abstracted(&mut abstractor(), &mut program, &precision).0.program);
    assert!(text.contains("constrain !(b0 & 'b0)"), "{text}");
}

#[test]
fn contradictions_exclude_violations_too() {
    let (mut program, main, x, [_, second]) = sample();
    let property = Property {
        id: "main.assert.1".into(),
        kind: PropertyKind::Assertion,
        text: String::new(),
        place: None,
        procedure: main,
        edges: vec![(main, second)],
    };
    let property = program.properties.push(property);
    program.procedures[main].edges[second].property = Some(property);
    let mut precision = Precision::default();
    let id = is(&mut program, &mut precision, x, 3);
    let never = Exclusion::new(Transition::Edge, vec![(id, true)], Vec::new());
    precision.exclude((main, second), never);
    let text = print(&abstracted(&mut abstractor(), &mut program, &precision).0.program);
    assert!(text.contains("assume(!b0);"), "{text}");
}

#[test]
fn calls_are_refused_where_threads_are_started() {
    let mut builder = Builder::new();
    let g = builder.global("g", BYTE);
    let (main, other) = (builder.procedure("main"), builder.procedure("other"));
    let (entry, exit) = builder.ends(main);
    let middle = builder.location(main);
    builder.edge(main, entry, middle, Action::Start { procedure: main, arguments: Vec::new() });
    let mut program = builder.program.clone();
    let mut precision = Precision::default();
    is(&mut program, &mut precision, g, 0);
    let (abstraction, cfg) = abstracted(&mut abstractor(), &mut program, &precision);
    assert!(cfg.starts_threads(), "{}", print(&abstraction.program));
    let call = Action::Call { procedure: other, arguments: Vec::new(), result: None };
    builder.edge(main, middle, exit, call);
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let refused = abstractor().abstract_program(&mut builder.program, &precision, run);
    assert!(matches!(refused, Err(Stop::Bound(_))));
}

#[test]
fn limits_stop_it_wherever_they_fire() {
    let mut stopped = 0;
    for check in 1.. {
        let (mut program, _, x, _) = sample();
        let mut precision = Precision::default();
        is(&mut program, &mut precision, x, 3);
        is(&mut program, &mut precision, x, 4);
        square(&mut program, &mut precision, x);
        let limits = Limits::firing_at(check);
        let run = Run { limits: &limits, observer: &Silent };
        let options = Options { live_only: false, ..Options::default() };
        let mut abstractor = Abstractor::new(options, &limits);
        match abstractor.abstract_program(&mut program, &precision, run) {
            Err(stop) => assert_eq!(stop, Stop::Timeout),
            Ok(_) => break,
        }
        stopped += 1;
        // The program that it leaves behind can be abstracted.
        let limits = Limits::none();
        let run = Run { limits: &limits, observer: &Silent };
        let again =
            Abstractor::new(Options::default(), &limits).abstract_program(&mut program, &precision, run);
        assert!(again.is_ok());
    }
    assert!(stopped > 5, "{stopped}");
}
