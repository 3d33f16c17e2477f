//! The choice of an engine by what the program uses.
//!
//! A program that starts no thread goes to the summary engine: it is exact, recursion included. Everything
//! else goes to the explicit engine, which decides what its bounds allow; for any number of threads it
//! hunts for violations with one thread after the other ([`hunt`](super::hunt)).

use super::counter::Counter;
use super::explicit::Explicit;
use super::hunt::Hunt;
use super::interleaving::Interleaving;
use super::partial_order::PartialOrder;
use super::reducing::Reducing;
use super::summary::Summary;
use super::{Engine, Threads};
use crate::bdd::BackEnd;
use crate::boolean::cfg::Program;

/// What the user asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wish {
    /// The engine that suits the program.
    #[default]
    Auto,
    /// The explicit engine.
    Explicit,
    /// The summary engine.
    Summary,
    /// Symbolic counter abstraction.
    Counter,
    /// Plain symbolic exploration of N threads.
    Interleaving,
}

/// Whether programs are reduced before an engine sees them. The explicit engine always sees the original.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reductions {
    /// They are.
    #[default]
    On,
    /// They are not: for study.
    Off,
}

/// An engine, and why it was taken.
pub struct Choice {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// One line.
    pub why: &'static str,
}

/// Chooses the engine for a program.
#[must_use]
pub fn choose(
    program: &Program,
    threads: Threads,
    wish: Wish,
    back_end: BackEnd,
    reductions: Reductions,
    partial_order: PartialOrder,
) -> Choice {
    let asked = "as asked for";
    let summary = |why| match reductions {
        Reductions::On => choice(Reducing::new(Summary::new(back_end)), why),
        Reductions::Off => choice(Summary::new(back_end), why),
    };
    let counter = |why| match reductions {
        Reductions::On => choice(Reducing::new(Counter::new(back_end).reduced(partial_order)), why),
        Reductions::Off => choice(Counter::new(back_end).reduced(partial_order), why),
    };
    let interleaving = |why| match reductions {
        Reductions::On => choice(Reducing::new(Interleaving::new(back_end).reduced(partial_order)), why),
        Reductions::Off => choice(Interleaving::new(back_end).reduced(partial_order), why),
    };
    match (wish, program.starts_threads(), threads) {
        (Wish::Explicit, ..) => choice(Explicit::default(), asked),
        (Wish::Summary, ..) => summary(asked),
        (Wish::Counter, ..) => counter(asked),
        (Wish::Interleaving, ..) => interleaving(asked),
        (Wish::Auto, false, _) => summary("no thread is ever started"),
        (Wish::Auto, true, Threads::AtMost(_)) => {
            choice(Explicit::default(), "threads are started and their number is bounded")
        }
        (Wish::Auto, true, Threads::Unbounded) => {
            choice(Hunt, "threads are started: violations are looked for with 1, 2, 3, … threads")
        }
    }
}

fn choice(engine: impl Engine + 'static, why: &'static str) -> Choice {
    Choice { engine: Box::new(engine), why }
}
