//! The engines for any number of threads against the oracle.
//!
//! Neither side decides everything: what the oracle leaves open is not compared, and engines are stopped after a number
//! of checks. A violation that the oracle found must never be called unreachable; every trace must replay; no
//! abstract run may be without a concrete one.

use super::*;
use crate::engine::Kept;
use crate::engine::auto::{self, Preferences};
use crate::engine::backward::Backward;
use crate::engine::coverability::Method;
use crate::engine::cutoff::Cutoff;
use crate::engine::karp_miller::KarpMiller;

/// Programs by default: there are many combinations.
const PROGRAMS: u64 = 100;

const UNBOUNDED: Comparison = Comparison {
    length: Length::Any,
    threads: Bound::Unbounded,
    silence: Silence::Allowed,
    programs: PROGRAMS,
    oracle: Explicit::within(Bounds { states: 20_000, depth: 6, threads: 4 }),
};

/// Nothing may be left open that the oracle decides.
const DECIDED: Comparison = Comparison { silence: Silence::WhereTheOracleIsSilent, ..UNBOUNDED };

#[test]
fn backward_agrees_on_threaded_programs() {
    compare(&without_recursion(&Shape::threaded()), DECIDED, || Box::new(Backward::default()));
}

#[test]
fn backward_agrees_on_broadcasts() {
    compare(&without_recursion(&Shape::broadcast()), UNBOUNDED, || Box::new(Backward::default()));
}

#[test]
fn recursion_is_left_open_or_answered_rightly() {
    compare(&Shape::threaded(), UNBOUNDED, || Box::new(Backward::default()));
}

#[test]
fn backward_search_alone_agrees() {
    let engine =
        || -> Box<dyn Engine> { Box::new(Backward { method: Method::Backward, ..Backward::default() }) };
    compare(&without_recursion(&Shape::threaded()), UNBOUNDED, engine);
    compare(&without_recursion(&Shape::broadcast()), UNBOUNDED, engine);
}

#[test]
fn forward_search_alone_agrees() {
    let engine =
        || -> Box<dyn Engine> { Box::new(Backward { method: Method::KarpMiller, ..Backward::default() }) };
    compare(&without_recursion(&Shape::threaded()), UNBOUNDED, engine);
    compare(&without_recursion(&Shape::broadcast()), UNBOUNDED, engine);
}

#[test]
fn symbolic_karp_miller_agrees_on_threaded_programs() {
    let engine = || -> Box<dyn Engine> { Box::new(KarpMiller::new(BackEnd::Biodivine)) };
    compare(&without_recursion(&Shape::threaded()), Comparison { programs: 60, ..DECIDED }, engine);
}

#[test]
fn symbolic_karp_miller_agrees_on_broadcasts() {
    let engine = || -> Box<dyn Engine> { Box::new(KarpMiller::new(BackEnd::Biodivine)) };
    compare(&without_recursion(&Shape::broadcast()), Comparison { programs: 30, ..UNBOUNDED }, engine);
}

#[test]
fn cutoff_agrees_on_threaded_programs() {
    compare(&without_recursion(&Shape::threaded()), UNBOUNDED, || Box::new(Cutoff::default()));
}

#[test]
fn with_a_bound_on_threads_nothing_wrong_is_said() {
    let bounded = Comparison { threads: Bound::InTurn, ..UNBOUNDED };
    compare(&without_recursion(&Shape::threaded()), bounded, || Box::new(Backward::default()));
    compare(&without_recursion(&Shape::broadcast()), bounded, || Box::new(Backward::default()));
    compare(&without_recursion(&Shape::threaded()), bounded, || Box::new(Cutoff::default()));
}

/// What the command line uses if it is told nothing, reductions included.
fn automatic(threads: Threads) -> impl Fn() -> Box<dyn Engine> {
    move || {
        let text = "void f() begin skip; end void main() begin start_thread f(); end";
        let source = crate::ground::source::SourceFile::new("test.bp", text);
        let syntax = crate::boolean::parse::parse(&source).expect("well-formed");
        let program = lower(&syntax).expect("well-formed");
        auto::choose(&program, threads, &Preferences::default(), &Kept::default()).engine
    }
}

#[test]
fn auto_agrees_for_any_number_of_threads() {
    compare(&Shape::threaded(), UNBOUNDED, automatic(Threads::Unbounded));
    compare(&Shape::broadcast(), UNBOUNDED, automatic(Threads::Unbounded));
}

#[test]
fn auto_agrees_for_bounded_threads() {
    let bounded = Comparison { threads: Bound::InTurn, ..UNBOUNDED };
    compare(&Shape::threaded(), bounded, automatic(Threads::AtMost(2)));
    compare(&Shape::broadcast(), bounded, automatic(Threads::AtMost(2)));
}
