//! Is the mix healthy? Each profile must violate often, hold often, be decided mostly and reach its code.

use super::lower::lower;
use super::*;
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::interpret::{Interpreter, Threads};
use crate::boolean::parse::parse;
use crate::boolean::print::print;
use crate::boolean::{ast, cfg};
use crate::engine::Answer;
use crate::engine::explicit::{Bounds, Explicit};
use crate::engine::{Engine, Query};
use crate::ground::event::Silent;
use crate::ground::limits::Limits;
use crate::ground::run::Run;
use crate::ground::source::SourceFile;
use std::collections::{BTreeMap, HashSet};

#[derive(Default, Debug)]
struct Mix {
    programs: usize,
    violated: usize,
    holds: usize,
    unknown: usize,
    nodes: usize,
    reached: usize,
    states: u64,
}

const BOUNDS: Bounds = Bounds { states: 15_000, depth: 10, threads: 3 };

fn mix(shape: &Shape, seeds: u64) -> Mix {
    let mut mix = Mix::default();
    for seed in 0..seeds {
        let program = lower(&generate(seed, shape));
        let query = Query { properties: program.properties.ids().collect(), threads: Threads::AtMost(3) };
        let run = Run { limits: &Limits::none(), observer: &Silent };
        let answers = Explicit::within(BOUNDS).check(&program, &query, run).expect("no limit");
        let any = |kind: fn(&Answer) -> bool| answers.answers.iter().any(kind);
        mix.programs += 1;
        if any(|answer| matches!(answer, Answer::Reachable(_))) {
            mix.violated += 1;
        } else if any(|answer| matches!(answer, Answer::Unknown(_))) {
            mix.unknown += 1;
        } else {
            mix.holds += 1;
        }
        mix.states += answers.statistics.get("states");
        let reached = reached_nodes(&program);
        mix.nodes += program.nodes.len();
        mix.reached += reached;
    }
    mix
}

/// How many nodes a search of a few thousand states reaches.
fn reached_nodes(program: &cfg::Program) -> usize {
    let interpreter = Interpreter::new(program, Threads::AtMost(2));
    let mut seen: HashSet<_> = interpreter.initial_states().take(64).collect();
    let mut queue: Vec<_> = seen.iter().cloned().collect();
    let mut nodes = HashSet::new();
    while let Some(state) = queue.pop() {
        nodes.extend(state.threads.iter().map(|thread| thread.top().node));
        if seen.len() > 2_000 || state.threads.iter().any(|thread| thread.frames.len() > 6) {
            continue;
        }
        for successor in interpreter.successors(&state) {
            if seen.insert(successor.state.clone()) {
                queue.push(successor.state);
            }
        }
    }
    nodes.len()
}

fn assert_healthy(shape: &Shape, seeds: u64) {
    let mix = mix(shape, seeds);
    let share = |part: usize, whole: usize| 100 * part / whole;
    assert!((30..=60).contains(&share(mix.violated, mix.programs)), "violated: {mix:?}");
    assert!(share(mix.holds, mix.programs) >= 20, "holds: {mix:?}");
    assert!(share(mix.unknown, mix.programs) <= 18, "unknown: {mix:?}");
    assert!(share(mix.reached, mix.nodes) >= 60, "reached: {mix:?}");
}

#[test]
fn sequential_mix() {
    assert_healthy(&Shape::sequential(), 200);
}

#[test]
fn recursive_mix() {
    assert_healthy(&Shape::recursive(), 200);
}

#[test]
fn threaded_mix() {
    assert_healthy(&Shape::threaded(), 100);
}

#[test]
fn broadcast_mix() {
    assert_healthy(&Shape::broadcast(), 100);
}

#[test]
fn layered_mix() {
    assert_healthy(&Shape::layered(), 200);
}

#[test]
fn odd_mix() {
    assert_healthy(&Shape::odd(), 200);
}

/// What every profile but the odd one leaves out does occur there.
#[test]
fn odd_programs_are_odd() {
    let texts: Vec<String> = (0..200).map(|seed| print(&generate(seed, &Shape::odd()))).collect();
    let occurs = |what: &str| texts.iter().filter(|text| text.contains(what)).count();
    for what in ["main(", "17:", "goto", "end_thread;", "atomic_begin;", "dead ", "SLIC_ERROR: if", "$"] {
        assert!(occurs(what) >= 3, "`{what}` occurs in {} of {} programs", occurs(what), texts.len());
    }
    let hides = |text: &&String| text.contains("(g0") || text.contains("  decl g");
    assert!(texts.iter().filter(hides).count() >= 10);
}

#[test]
fn same_seed_same_program() {
    for shape in [Shape::sequential(), Shape::broadcast()] {
        assert_eq!(generate(5, &shape), generate(5, &shape));
        assert_ne!(generate(5, &shape), generate(6, &shape));
    }
}

#[test]
fn programs_survive_printing_and_parsing() {
    for (_, shape) in Shape::profiles() {
        for seed in 0..100 {
            let program = generate(seed, &shape);
            let text = print(&program);
            let parsed = parse(&SourceFile::new("test.bp", text.clone()));
            assert_eq!(parsed.as_ref(), Ok(&program), "{text}");
        }
    }
}

/// The answers by property: violated, holds, or unknown.
fn answers(program: &cfg::Program, bounds: Bounds) -> BTreeMap<String, &'static str> {
    let query = Query { properties: program.properties.ids().collect(), threads: Threads::AtMost(3) };
    let run = Run { limits: &Limits::none(), observer: &Silent };
    let answers = Explicit::within(bounds).check(program, &query, run).expect("no limit").answers;
    let word = |answer: &Answer| match answer {
        Answer::Reachable(_) => "violated",
        Answer::Unreachable => "holds",
        Answer::Unknown(_) => "unknown",
    };
    program.properties.iter().map(|property| property.name.clone()).zip(answers.iter().map(word)).collect()
}

#[test]
fn both_ways_to_graphs_agree() {
    for (name, shape) in Shape::profiles() {
        for seed in 0..60 {
            let mut source = generate(seed, &shape);
            let graph = |source: &ast::Program| {
                let checked = check(source, &CheckOptions::default());
                checked.unwrap_or_else(|errors| panic!("{name} {seed}: {errors:?}\n{}", print(source))).0
            };
            let mut checked = graph(&source);
            if checked.starts_threads() {
                // The second way initialises local variables in steps of their own, which threads can tell.
                let locals = source.procedures.iter_mut().flat_map(|procedure| &mut procedure.locals);
                locals.flat_map(|locals| &mut locals.variables).for_each(|(_, value)| *value = None);
                checked = graph(&source);
            }
            let bounds = Bounds { states: 8_000, ..BOUNDS };
            let (left, right) = (answers(&checked, bounds), answers(&lower(&source), bounds));
            assert!(left.keys().eq(right.keys()), "{name} {seed}: {left:?} {right:?}");
            // The graphs differ in size, so only one search may have been cut off.
            let differs = left.iter().find(|(property, answer)| {
                let other = right[*property];
                **answer != other && **answer != "unknown" && other != "unknown"
            });
            assert_eq!(differs, None, "{name} {seed}:\n{}", print(&source));
        }
    }
}
