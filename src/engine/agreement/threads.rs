//! The engines for N threads, with every reduction, against the oracle.
//!
//! Without a partial-order reduction, traces are as short as the oracle's. Every program is tried with one bound on
//! the threads: 1, 2, 3, 4 in turn.

use super::*;
use crate::engine::counter::Counter;
use crate::engine::induction::Induction;
use crate::engine::interleaving::Interleaving;
use crate::engine::partial_order::PartialOrder;

/// Programs by default: there are many combinations.
const PROGRAMS: u64 = 24;

fn bounded(length: Length) -> Comparison {
    let silence = Silence::WhereTheOracleIsSilent;
    Comparison {
        length,
        threads: Bound::InTurn,
        silence,
        programs: PROGRAMS,
        oracle: Explicit::within(BOUNDS),
    }
}

fn on_threads_and_broadcasts(length: Length, engine: impl Fn() -> Box<dyn Engine>) {
    compare(&without_recursion(&Shape::threaded()), bounded(length), &engine);
    compare(&without_recursion(&Shape::broadcast()), bounded(length), &engine);
}

fn interleaving(reduction: PartialOrder, length: Length) {
    on_threads_and_broadcasts(length, || Box::new(Interleaving::new(BackEnd::Biodivine).reduced(reduction)));
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

fn counter(reduction: PartialOrder, length: Length) {
    on_threads_and_broadcasts(length, || Box::new(Counter::new(BackEnd::Biodivine).reduced(reduction)));
}

#[test]
fn counter_agrees() {
    counter(PartialOrder::None, Length::Shortest);
}

#[test]
fn counter_agrees_with_local_steps_merged() {
    counter(PartialOrder::Local, Length::Any);
}

#[test]
fn counter_agrees_with_ample_sets() {
    counter(PartialOrder::Ample, Length::Any);
}

#[test]
fn counter_agrees_with_persistent_sets() {
    counter(PartialOrder::Persistent, Length::Any);
}

#[test]
fn counter_agrees_with_cartesian_vectors() {
    counter(PartialOrder::Cartesian, Length::Any);
}

#[test]
fn counter_on_oxidd_agrees() {
    on_threads_and_broadcasts(Length::Any, || Box::new(Counter::new(BackEnd::Oxidd)));
}

#[test]
fn counter_behind_reductions_agrees() {
    on_threads_and_broadcasts(Length::Any, || {
        Box::new(Reducing::new(Counter::new(BackEnd::Biodivine).reduced(PartialOrder::Ample)))
    });
}

/// Induction decides what the oracle decides, if it has the time: runs in which all states differ may be long.
#[test]
fn induction_agrees() {
    let comparison = Comparison { silence: Silence::Allowed, ..bounded(Length::Shortest) };
    compare(&without_recursion(&Shape::threaded()), comparison, || Box::new(Induction));
    compare(&without_recursion(&Shape::sequential()), comparison, || Box::new(Induction));
}
