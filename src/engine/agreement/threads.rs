//! The engines for N threads, with every reduction, against the oracle.
//!
//! Without a reduction, traces are as short as the oracle's. Every program is tried with one bound on the threads: 1,
//! 2, 3, 4 in turn.

use super::*;
use crate::engine::interleaving::Interleaving;
use crate::engine::partial_order::PartialOrder;

/// Programs by default: there are many combinations.
const PROGRAMS: u64 = 24;

fn compare_in_turn(shape: &Shape, length: Length, engine: impl Fn() -> Box<dyn Engine>) {
    let (seed, count) = (setting("BOOLERO_SEED", 1), setting("BOOLERO_COUNT", PROGRAMS));
    let shape = without_recursion(shape);
    let mut compared = 0;
    for number in seed..seed + count {
        let threads = Threads::AtMost((number % 4 + 1) as usize);
        let comparison = Comparison { length, threads, silence: Silence::WhereTheOracleIsSilent };
        let program = generate(number, &shape);
        let fails = |program: &ast::Program| disagreement(program, &mut *engine(), comparison).0.is_some();
        let (complaint, decided) = disagreement(&program, &mut *engine(), comparison);
        compared += decided;
        if let Some(complaint) = complaint {
            let small = if fails(&program) { shrink(&program, fails) } else { program };
            panic!("seed {number}, {threads:?}: {complaint}\n{}", print(&small));
        }
    }
    println!("seeds {seed}..{}: {compared} properties compared, no disagreement", seed + count);
    assert!(compared as u64 > count / 2, "the oracle decided only {compared} properties of {count} programs");
}

fn interleaving(reduction: PartialOrder, length: Length) {
    let engine = || -> Box<dyn Engine> { Box::new(Interleaving::new(BackEnd::Biodivine).reduced(reduction)) };
    compare_in_turn(&Shape::threaded(), length, engine);
    compare_in_turn(&Shape::broadcast(), length, engine);
}

#[test]
fn interleaving_agrees() {
    interleaving(PartialOrder::None, Length::Shortest);
}

#[test]
fn interleaving_agrees_with_local_steps_merged() {
    interleaving(PartialOrder::Local, Length::Any);
}

#[test]
fn interleaving_agrees_with_ample_sets() {
    interleaving(PartialOrder::Ample, Length::Any);
}

#[test]
fn interleaving_agrees_with_persistent_sets() {
    interleaving(PartialOrder::Persistent, Length::Any);
}

#[test]
fn interleaving_agrees_with_cartesian_vectors() {
    interleaving(PartialOrder::Cartesian, Length::Any);
}

fn counter(reduction: PartialOrder) {
    let engine = || -> Box<dyn Engine> { Box::new(Counter::new(BackEnd::Biodivine).reduced(reduction)) };
    compare_in_turn(&Shape::threaded(), Length::Any, engine);
    compare_in_turn(&Shape::broadcast(), Length::Any, engine);
}

#[test]
fn counter_agrees_with_local_steps_merged() {
    counter(PartialOrder::Local);
}

#[test]
fn counter_agrees_with_ample_sets() {
    counter(PartialOrder::Ample);
}

#[test]
fn counter_agrees_with_persistent_sets() {
    counter(PartialOrder::Persistent);
}

#[test]
fn counter_agrees_with_cartesian_vectors() {
    counter(PartialOrder::Cartesian);
}
