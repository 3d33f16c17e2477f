//! Engines against the oracle, on generated programs.
//!
//! `BOOLERO_COUNT` programs are generated from `BOOLERO_SEED` on (a few hundred by default; `make fuzz` runs more).
//! An engine must agree with the explicit engine on every property that both decide, asked about all of them and about
//! each alone; its traces must replay, and they must be as short. A program on which they disagree is shrunk and
//! printed.

mod contexts;
mod nets;
mod threads;

use crate::bdd::BackEnd;
use crate::boolean::ast;
use crate::boolean::cfg::{Program, PropertyId};
use crate::boolean::check::{CheckOptions, check};
use crate::boolean::generate::{Shape, generate};
use crate::boolean::print::print;
use crate::boolean::shrink::shrink;
use crate::certify::{expanded_length, replay};
use crate::engine::bounded::Bounded;
use crate::engine::explicit::{Bounds, Explicit};
use crate::engine::portfolio::Portfolio;
use crate::engine::reducing::Reducing;
use crate::engine::summary::{Counterexamples, Summary};
use crate::engine::{Answer, Answers};
use crate::engine::{Engine, Query, Threads};
use crate::ground::event::Silent;
use crate::ground::index::Index;
use crate::ground::limits::Limits;
use crate::ground::reason::{Defect, Reason, Stop};
use crate::ground::run::Run;
use std::cell::RefCell;
use std::rc::Rc;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Small bounds: what they leave open is not compared.
const BOUNDS: Bounds = Bounds { states: 60_000, depth: 12, threads: 4 };

/// How many properties of a program are also asked about alone.
const ALONE: usize = 3;

fn lower(program: &ast::Program) -> Option<Program> {
    check(program, &CheckOptions::default()).ok().map(|(program, _)| program)
}

fn ask(
    engine: &mut dyn Engine,
    program: &Program,
    properties: &[PropertyId],
    threads: Threads,
    silence: Silence,
) -> Vec<Answer> {
    let query = Query { properties: properties.to_vec(), threads };
    let limits = match silence {
        Silence::Never => Limits::none(),
        _ => Limits::firing_at(PATIENCE).or_after(WORK),
    };
    let run = Run { limits: &limits, observer: &Silent };
    match engine.check(program, &query, run) {
        Ok(answers) => answers.answers,
        Err(stop) => vec![Answer::Unknown(stop.into()); properties.len()],
    }
}

/// How often an engine may look at its limits: what is not decided then is not compared.
const PATIENCE: u64 = 150_000;

/// How much it may work, as far as it counts its work: some tenths of a second.
const WORK: u64 = 30_000_000;

/// Whether traces must be as short as the oracle's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Shortest,
    Any,
}

/// What is compared.
#[derive(Clone, Copy)]
struct Comparison {
    length: Length,
    threads: Bound,
    silence: Silence,
    /// How many programs, if nothing else is asked for.
    programs: u64,
    /// What the oracle may do.
    oracle: Explicit,
}

/// The bound on the threads of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Unbounded,
    /// 1, 2, 3 or 4, by the number of the program.
    InTurn,
}

impl Bound {
    fn threads(self, number: u64) -> Threads {
        match self {
            Self::Unbounded => Threads::Unbounded,
            Self::InTurn => Threads::AtMost(1 + usize::try_from(number % 4).expect("small")),
        }
    }
}

/// Whether an engine may leave a property open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Silence {
    Never,
    WhereTheOracleIsSilent,
    Allowed,
}

impl From<Length> for Comparison {
    fn from(length: Length) -> Self {
        let (threads, silence) = (Bound::Unbounded, Silence::Never);
        Self { length, threads, silence, programs: 300, oracle: Explicit::within(BOUNDS) }
    }
}

/// What is wrong with an answer, given the oracle's.
fn complaint(
    program: &Program,
    answer: &Answer,
    oracle: &Answer,
    threads: Threads,
    Comparison { length, silence, .. }: Comparison,
) -> Option<String> {
    match (answer, oracle) {
        (Answer::Unknown(Reason::Defect(Defect::ReplayMismatch(text))), _) => {
            Some(format!("no concrete run: {text}"))
        }
        (Answer::Unknown(_), Answer::Unknown(_)) if silence != Silence::Never => None,
        (Answer::Unknown(_), _) if silence == Silence::Allowed => None,
        (Answer::Unknown(Reason::Stopped(Stop::Timeout)), _) if silence != Silence::Never => None,
        (Answer::Unknown(reason), _) => Some(format!("no answer: {reason}")),
        (Answer::Reachable(trace), other) => {
            if let Err(mismatch) = replay(program, trace, threads) {
                return Some(format!("the trace does not replay: {mismatch}"));
            }
            match other {
                Answer::Unreachable => Some("reachable, but the oracle says unreachable".into()),
                Answer::Reachable(shortest)
                    if length == Length::Shortest && expanded_length(trace) != expanded_length(shortest) =>
                {
                    Some(format!("{} steps instead of {}", expanded_length(trace), expanded_length(shortest)))
                }
                _ => None,
            }
        }
        (Answer::Unreachable, Answer::Reachable(_)) => Some("unreachable, but the oracle has a trace".into()),
        (Answer::Unreachable, _) => None,
    }
}

/// The first disagreement on a program, and how many properties were compared.
fn disagreement(
    program: &ast::Program,
    engine: &mut dyn Engine,
    threads: Threads,
    comparison: Comparison,
) -> (Option<String>, usize) {
    let Some(program) = lower(program) else { return (None, 0) };
    let all: Vec<PropertyId> = program.properties.ids().collect();
    let mut oracle = comparison.oracle;
    let oracle = ask(&mut oracle, &program, &all, threads, comparison.silence);
    let decided = oracle.iter().filter(|answer| !matches!(answer, Answer::Unknown(_))).count();
    let alone = all.iter().take(ALONE).map(|&property| vec![property]);
    for asked in std::iter::once(all.clone()).chain(alone) {
        let answers = ask(engine, &program, &asked, threads, comparison.silence);
        for (&property, answer) in asked.iter().zip(&answers) {
            if let Some(text) = complaint(&program, answer, &oracle[property.index()], threads, comparison) {
                let name = &program.properties[property].name;
                return (Some(format!("{name}, asked with {} others: {text}", asked.len() - 1)), decided);
            }
        }
    }
    (None, decided)
}

fn compare(shape: &Shape, comparison: impl Into<Comparison>, engine: impl Fn() -> Box<dyn Engine>) {
    let comparison = comparison.into();
    let (seed, count) = (setting("BOOLERO_SEED", 1), setting("BOOLERO_COUNT", comparison.programs));
    let mut compared = 0;
    for number in seed..seed + count {
        let program = generate(number, shape);
        let threads = comparison.threads.threads(number);
        let (complaint, decided) = disagreement(&program, &mut *engine(), threads, comparison);
        compared += decided;
        if let Some(complaint) = complaint {
            let fails = |program: &ast::Program| {
                disagreement(program, &mut *engine(), threads, comparison).0.is_some()
            };
            let small = if fails(&program) { shrink(&program, fails) } else { program };
            panic!("seed {number}, {threads:?}: {complaint}\n{}", print(&small));
        }
    }
    println!("seeds {seed}..{}: {compared} properties compared, no disagreement", seed + count);
    assert!(compared as u64 > count / 2, "the oracle decided only {compared} properties of {count} programs");
}

#[test]
fn summary_agrees_on_sequential_programs() {
    compare(&Shape::sequential(), Length::Shortest, || Box::new(Summary::new(BackEnd::Biodivine)));
}

#[test]
fn summary_agrees_on_recursive_programs() {
    compare(&Shape::recursive(), Length::Shortest, || Box::new(Summary::new(BackEnd::Biodivine)));
}

#[test]
fn summary_agrees_on_layered_programs() {
    compare(&Shape::layered(), Length::Shortest, || Box::new(Summary::new(BackEnd::Biodivine)));
}

#[test]
fn summary_agrees_on_odd_programs() {
    compare(&Shape::odd(), Length::Shortest, || Box::new(Summary::new(BackEnd::Biodivine)));
}

/// Recursion takes the bounded engine longer than the others.
fn few() -> Comparison {
    Comparison { programs: 80, ..Length::Any.into() }
}

#[test]
fn bounded_agrees_on_sequential_programs() {
    compare(&Shape::sequential(), Length::Any, || Box::new(Bounded::default()));
}

#[test]
fn bounded_agrees_on_recursive_programs() {
    compare(&Shape::recursive(), few(), || Box::new(Bounded::default()));
}

#[test]
fn bounded_agrees_on_layered_programs() {
    compare(&Shape::layered(), Length::Any, || Box::new(Bounded::default()));
}

#[test]
fn bounded_agrees_on_odd_programs() {
    let comparison = Comparison { silence: Silence::Allowed, ..Length::Any.into() };
    compare(&Shape::odd(), comparison, || Box::new(Bounded::default()));
}

#[test]
fn loops_closed_by_their_recurrence_diameter_agree() {
    let comparison = Comparison { silence: Silence::Allowed, ..few() };
    compare(&Shape::sequential(), comparison, || Box::new(Bounded::by_recurrence()));
}

#[test]
fn bounded_behind_reductions_agrees() {
    let engine = || -> Box<dyn Engine> { Box::new(Reducing::new(Bounded::default())) };
    compare(&Shape::sequential(), few(), engine);
    compare(&Shape::recursive(), few(), engine);
}

/// An engine that was asked about other programs before, and goes on from what they left.
struct Continued(Rc<RefCell<Bounded>>);

impl Engine for Continued {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn check(&mut self, program: &Program, query: &Query, run: Run<'_>) -> Result<Answers, Stop> {
        self.0.borrow_mut().check(program, query, run)
    }
}

#[test]
fn what_other_programs_left_changes_no_verdict() {
    let engine = Rc::new(RefCell::new(Bounded::default()));
    compare(&Shape::layered(), few(), || Box::new(Continued(Rc::clone(&engine))));
}

#[test]
fn both_engines_beside_each_other_agree() {
    let engine = || -> Box<dyn Engine> {
        Box::new(Portfolio::new(Summary::new(BackEnd::Biodivine), Bounded::default()))
    };
    compare(&Shape::sequential(), Length::Any, engine);
    compare(&Shape::recursive(), Length::Any, engine);
}

#[test]
fn traces_of_the_fixpoint_replay() {
    let engine =
        || -> Box<dyn Engine> { Box::new(Summary::new(BackEnd::Biodivine).with(Counterexamples::Any)) };
    compare(&Shape::sequential(), Length::Any, engine);
    compare(&Shape::recursive(), Length::Any, engine);
    compare(&Shape::odd(), Length::Any, engine);
}

#[test]
fn summary_behind_reductions_agrees() {
    let engine = || -> Box<dyn Engine> { Box::new(Reducing::new(Summary::new(BackEnd::Biodivine))) };
    compare(&Shape::layered(), Length::Any, engine);
    compare(&Shape::sequential(), Length::Any, engine);
    compare(&Shape::recursive(), Length::Any, engine);
    compare(&Shape::odd(), Length::Any, engine);
}

#[test]
fn summary_on_oxidd_agrees_on_recursive_programs() {
    compare(&Shape::recursive(), Length::Shortest, || Box::new(Summary::new(BackEnd::Oxidd)));
}

fn without_recursion(shape: &Shape) -> Shape {
    Shape { recursion: 0, ..*shape }
}

#[test]
fn a_property_that_is_asked_about_twice_has_the_same_answer_twice() {
    let source =
        crate::ground::source::SourceFile::new("test.bp", "decl a; void main() begin assert(a); end");
    let program = lower(&crate::boolean::parse::parse(&source).expect("well-formed")).expect("well-formed");
    let twice: Vec<PropertyId> = program.properties.ids().chain(program.properties.ids()).collect();
    let engines: [Box<dyn Engine>; 3] = [
        Box::new(Explicit::default()),
        Box::new(Summary::new(BackEnd::Biodivine)),
        Box::new(Reducing::new(Summary::new(BackEnd::Oxidd))),
    ];
    for mut engine in engines {
        let answers = ask(&mut *engine, &program, &twice, Threads::Unbounded, Silence::Never);
        assert!(answers.iter().all(|answer| matches!(answer, Answer::Reachable(_))), "{answers:?}");
    }
}

/// A global that the result of a call overwrites is dead at this call, and an input of the callee all the same: other
/// calls of it, or of a procedure that calls it, need its value. Forgotten here, it could not be found again when
/// the counterexample is read back.
#[test]
fn a_global_that_is_dead_at_one_call_of_a_procedure_is_an_input_at_another() {
    let overwritten = "decl g := T;\n\
         void main() begin f(T); f(g); end\n\
         bool f(again) begin if (again) then g := f(F); fi; assert(F); end";
    let by_another = "decl g := T;\n\
         void main() begin f(); end\n\
         bool f() begin g := h(); h(); if (g) then SLIC_ERROR: skip; fi; end\n\
         bool h() begin assert(F); if (T) then g := F; fi; end";
    let twice = "decl g0, g1 := (g0 != g0) & !*;\n\
         bool f(p) begin decl r; if (p) then r := f(F); fi; if (p) then g1 := f(F); fi; return F; end\n\
         void main() begin g0 := f(g0); g1 := !g0; g0 := f(* => g1); assert((g0 != *) => (g0 ^ g1)); end";
    for text in [overwritten, by_another, twice] {
        let source = crate::ground::source::SourceFile::new("test.bp", text);
        let program = crate::boolean::parse::parse(&source).expect("well-formed");
        let engines: [(Length, Box<dyn Engine>); 3] = [
            (Length::Shortest, Box::new(Summary::new(BackEnd::Biodivine))),
            (Length::Any, Box::new(Summary::new(BackEnd::Biodivine).with(Counterexamples::Any))),
            (Length::Any, Box::new(Reducing::new(Summary::new(BackEnd::Biodivine)))),
        ];
        for (length, mut engine) in engines {
            assert_eq!(
                disagreement(&program, &mut *engine, Threads::Unbounded, length.into()).0,
                None,
                "{text}"
            );
        }
    }
}
