//! Engines that make nets of programs against the oracle, on generated programs with threads.
//!
//! As in [`agreement`](super::agreement), but with any number of threads neither side decides everything: what the
//! oracle leaves open is not compared, and engines are stopped after a number of checks. A violation that the
//! oracle found must never be called unreachable; every trace must replay; no way back may be lost.

use super::backward::Backward;
use super::coverability::Method;
use super::cutoff::Cutoff;
use super::explicit::{Bounds, Explicit};
use super::{Engine, Query, Run, Threads};
use crate::boolean::ast;
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::generate::{Shape, generate};
use crate::boolean::print::print;
use crate::boolean::shrink::shrink;
use crate::certify::replay;
use crate::ground::event::Silent;
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::Reason;
use crate::verdict::Answer;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Small bounds: what they leave open is not compared.
const BOUNDS: Bounds = Bounds { states: 20_000, depth: 6, threads: 4 };

/// How often an engine may look at its limits.
const PATIENCE: u64 = 300_000;

/// What must be answered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coverage {
    /// Every property, unless the program is recursive or the patience has an end.
    All,
    /// An engine may leave properties open.
    Some,
}

#[derive(Clone, Copy)]
struct Comparison {
    threads: Threads,
    coverage: Coverage,
}

fn ask(
    engine: &mut dyn Engine,
    program: &Program,
    properties: &[PropertyId],
    threads: Threads,
) -> Vec<Answer> {
    let query = Query { properties: properties.to_vec(), threads };
    let limits = Limits::firing_at(PATIENCE);
    match engine.check(program, &query, Run { limits: &limits, observer: &Silent }) {
        Ok(answers) => answers.answers,
        Err(stop) => vec![Answer::Unknown(stop.into()); properties.len()],
    }
}

/// What is wrong with an answer, given the oracle's.
fn complaint(program: &Program, answer: &Answer, oracle: &Answer, asked: Comparison) -> Option<String> {
    match (answer, oracle) {
        (Answer::Unknown(Reason::ReplayMismatch(text)), _) => Some(format!("the way back was lost: {text}")),
        (Answer::Unknown(Reason::Unsupported(text)), _)
            if asked.coverage == Coverage::All && !text.starts_with("threads and recursion") =>
        {
            Some(format!("no answer: {text}"))
        }
        (Answer::Unreachable, Answer::Reachable(_)) => Some("unreachable, but the oracle has a trace".into()),
        (Answer::Reachable(_), Answer::Unreachable) => {
            Some("reachable, but the oracle says unreachable".into())
        }
        (Answer::Reachable(trace), _) => {
            let mismatch = replay(program, trace, asked.threads).err();
            mismatch.map(|mismatch| format!("the trace does not replay: {mismatch}"))
        }
        (Answer::Unknown(_), _) | (Answer::Unreachable, _) => None,
    }
}

/// The first disagreement on a program, and how many properties both decided.
fn disagreement(
    program: &ast::Program,
    engine: &dyn Fn() -> Box<dyn Engine>,
    asked: Comparison,
) -> (Option<String>, u64) {
    let Ok((program, _)) = check(program, &CheckOptions::default()) else { return (None, 0) };
    let all: Vec<PropertyId> = program.properties.ids().collect();
    let oracle = ask(&mut Explicit { bounds: BOUNDS }, &program, &all, asked.threads);
    let mut decided = 0;
    for properties in std::iter::once(all.clone()).chain(all.first().map(|&first| vec![first])) {
        let answers = ask(&mut *engine(), &program, &properties, asked.threads);
        for (&property, answer) in properties.iter().zip(&answers) {
            let oracle = &oracle[property.index()];
            let both = [answer, oracle].iter().all(|answer| !matches!(answer, Answer::Unknown(_)));
            decided += u64::from(both);
            if let Some(text) = complaint(&program, answer, oracle, asked) {
                return (Some(format!("{}: {text}", program.properties[property].name)), decided);
            }
        }
    }
    (None, decided)
}

/// Compares on many programs; at least so many properties per hundred of them must be decided by both sides.
fn compare(shape: &Shape, asked: Comparison, per_hundred: u64, engine: impl Fn() -> Box<dyn Engine>) {
    let (seed, count) = (setting("BOOLERO_SEED", 1), setting("BOOLERO_COUNT", 200));
    let mut compared = 0;
    for number in seed..seed + count {
        let program = generate(number, shape);
        let (complaint, decided) = disagreement(&program, &engine, asked);
        compared += decided;
        if let Some(complaint) = complaint {
            let small = shrink(&program, |program| disagreement(program, &engine, asked).0.is_some());
            panic!("seed {number}: {complaint}\n{}", print(&small));
        }
    }
    println!("seeds {seed}..{}: {compared} properties compared, no disagreement", seed + count);
    assert!(compared * 100 >= count * per_hundred, "only {compared} properties of {count} programs compared");
}

const UNBOUNDED: Comparison = Comparison { threads: Threads::Unbounded, coverage: Coverage::Some };

#[test]
fn backward_agrees_on_threaded_programs() {
    let asked = Comparison { coverage: Coverage::All, ..UNBOUNDED };
    compare(&Shape::threaded(), asked, 100, || Box::new(Backward::default()));
}

#[test]
fn backward_agrees_on_broadcasts() {
    compare(&Shape::broadcast(), UNBOUNDED, 80, || Box::new(Backward::default()));
}

#[test]
fn backward_search_alone_agrees() {
    let engine =
        || -> Box<dyn Engine> { Box::new(Backward { method: Method::Backward, ..Backward::default() }) };
    compare(&Shape::threaded(), UNBOUNDED, 100, engine);
    compare(&Shape::broadcast(), UNBOUNDED, 50, engine);
}

#[test]
fn forward_search_alone_agrees() {
    let engine =
        || -> Box<dyn Engine> { Box::new(Backward { method: Method::KarpMiller, ..Backward::default() }) };
    compare(&Shape::threaded(), UNBOUNDED, 100, engine);
    compare(&Shape::broadcast(), UNBOUNDED, 50, engine);
}

#[test]
fn cutoff_agrees_on_threaded_programs() {
    compare(&Shape::threaded(), UNBOUNDED, 100, || Box::new(Cutoff::default()));
}

#[test]
fn with_a_bound_on_threads_nothing_wrong_is_said() {
    for bound in 1..=3 {
        let asked = Comparison { threads: Threads::AtMost(bound), ..UNBOUNDED };
        compare(&Shape::threaded(), asked, 50, || Box::new(Backward::default()));
        compare(&Shape::broadcast(), asked, 50, || Box::new(Backward::default()));
        compare(&Shape::threaded(), asked, 50, || Box::new(Cutoff::default()));
    }
}
