//! The choice of an engine by what the program uses.
//!
//! A program that starts no thread goes to the summary engine, which is exact, recursion included; if that takes
//! long, the bounded engine works beside it. A bounded number of threads is decided by counter abstraction. For any number, counter abstraction first hunts for violations among few
//! threads; then the program is decided as a net, forwards and backwards in step; if it is too large for that, by
//! symbolic Karp–Miller. What is undecidable in general, recursion in threads and broadcasts that block, ends in a hunt
//! with more threads. With a bound on context switches, threads become one sequential program.

use super::backward::Backward;
use super::bounded::Bounded;
use super::context_bounded::ContextBounded;
use super::counter::Counter;
use super::cutoff::Cutoff;
use super::explicit::Explicit;
use super::hunt::Hunt;
use super::induction::Induction;
use super::interleaving::Interleaving;
use super::karp_miller::KarpMiller;
use super::partial_order::PartialOrder;
use super::portfolio::Portfolio;
use super::reducing::Reducing;
use super::relay::{Relay, Role, Stage, When};
use super::summary::Summary;
use super::{Engine, Kept, Threads};
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
    /// SAT and universal summaries.
    Bounded,
    /// Symbolic counter abstraction.
    Counter,
    /// Plain symbolic exploration of N threads.
    Interleaving,
    /// k-induction for N threads.
    Induction,
    /// Symbolic Karp–Miller.
    KarpMiller,
    /// Coverability on the program as a net.
    Backward,
    /// Cutoffs of the number of threads.
    Cutoff,
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

/// What engine is wanted, and how it is to work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Preferences {
    /// The engine to use.
    pub engine: Wish,
    /// The BDD library to use, where an engine uses one.
    pub back_end: BackEnd,
    /// Whether the program is reduced first.
    pub reductions: Reductions,
    /// How engines for threads spare themselves orders of independent steps.
    pub partial_order: PartialOrder,
    /// How many context switches a run may have; none if any number.
    pub context_bound: Option<usize>,
    /// How often the bounded engine unrolls loops at most, if that is said.
    pub unrollings: Option<u32>,
}

impl Preferences {
    /// Whether the engine can bound context switches.
    #[must_use]
    pub fn can_bound_contexts(&self) -> bool {
        matches!(self.engine, Wish::Auto | Wish::Explicit | Wish::Summary | Wish::Bounded)
    }

    /// The bounded engine, as far as it is to go.
    #[must_use]
    pub fn bounded(&self) -> Bounded {
        self.unrollings.map_or_else(Bounded::default, Bounded::up_to)
    }
}

/// An engine, and why it was taken.
pub struct Choice {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// One line.
    pub why: &'static str,
}

/// Chooses the engine for a program. It goes on from what a check of a similar program left, if it keeps such things.
#[must_use]
pub fn choose(program: &Program, threads: Threads, preferences: &Preferences, kept: &Kept) -> Choice {
    let Preferences { engine, back_end, partial_order, .. } = *preferences;
    let reduced = Reducer(preferences.reductions);
    if let (true, Some(switches)) = (program.starts_threads(), preferences.context_bound) {
        return context_bounded(switches, preferences);
    }
    let asked = "as asked for";
    let counter = Counter::new(back_end).reduced(partial_order);
    match (engine, program.starts_threads(), threads) {
        (Wish::Explicit, ..) => choice(Explicit::default(), asked),
        (Wish::Summary, ..) => reduced.choice(Summary::new(back_end), asked),
        (Wish::Bounded, ..) => reduced.choice(preferences.bounded().after(kept.clone()), asked),
        (Wish::Interleaving, ..) => reduced.choice(Interleaving::new(back_end).reduced(partial_order), asked),
        (Wish::Induction, ..) => reduced.choice(Induction, asked),
        (Wish::Counter, ..) => reduced.choice(counter, asked),
        (Wish::KarpMiller, ..) => reduced.choice(KarpMiller::new(back_end), asked),
        (Wish::Backward, ..) => reduced.choice(Backward::default(), asked),
        (Wish::Cutoff, ..) => reduced.choice(Cutoff::default(), asked),
        (Wish::Auto, false, _) => {
            let bounded = preferences.bounded().after(kept.clone());
            let both = Portfolio::new(Summary::new(back_end), bounded);
            reduced.choice(both, "no thread is ever started")
        }
        (Wish::Auto, true, Threads::AtMost(_)) => {
            reduced.choice(bounded(counter), "threads are started and their number is bounded")
        }
        (Wish::Auto, true, Threads::Unbounded) => reduced.choice(
            unbounded(back_end, counter),
            "any number of threads: a hunt with few, then a proof for all",
        ),
    }
}

/// Threads with few context switches. Reductions come before and after the threads become one program: before, they
/// spare guesses of variables that do not matter.
fn context_bounded(switches: usize, preferences: &Preferences) -> Choice {
    let why = "few context switches: the threads as one sequential program";
    let (summary, bounded) = (Summary::new(preferences.back_end), preferences.bounded());
    let sequential = match preferences.engine {
        Wish::Explicit => return choice(Explicit::default().with_switches(switches), "as asked for"),
        Wish::Summary => Reducer(preferences.reductions).choice(summary, why),
        Wish::Bounded => Reducer(preferences.reductions).choice(bounded, why),
        _ => Reducer(preferences.reductions).choice(Portfolio::new(summary, bounded), why),
    };
    let engine = ContextBounded::new(sequential.engine, switches);
    Reducer(preferences.reductions).choice(engine, why)
}

/// A bounded number of threads.
fn bounded(counter: Counter) -> Relay {
    let stages = vec![
        Stage::new(Role::Judge, counter),
        Stage::new(Role::Hunter, Explicit::default()).only(When::Recursive),
    ];
    Relay::new("counter", stages)
}

/// How many states the first hunts may take: they are to be quick.
const FIRST: usize = 1 << 11;
/// The last hunt may take its time.
const LAST: usize = 1 << 20;

/// Any number of threads.
fn unbounded(back_end: BackEnd, counter: Counter) -> Relay {
    let counter = |threads, states| counter.up_to(threads).within(states);
    let mut stages: Vec<Stage> =
        (1..=3).map(|threads| Stage::new(Role::Hunter, counter(threads, FIRST))).collect();
    stages.push(Stage::new(Role::Judge, Backward::default()));
    stages.push(Stage::new(Role::Judge, KarpMiller::new(back_end)).only(When::TooLarge));
    stages.push(Stage::new(Role::Hunter, Hunt).only(When::Recursive));
    stages.extend(
        (3..=8).map(|threads| Stage::new(Role::Hunter, counter(threads, LAST)).only(When::Otherwise)),
    );
    Relay::new("counter+backward", stages)
}

/// Puts engines behind the reductions, or not.
#[derive(Clone, Copy)]
struct Reducer(Reductions);

impl Reducer {
    fn choice(self, engine: impl Engine + 'static, why: &'static str) -> Choice {
        match self.0 {
            Reductions::On => choice(Reducing::new(engine), why),
            Reductions::Off => choice(engine, why),
        }
    }
}

fn choice(engine: impl Engine + 'static, why: &'static str) -> Choice {
    Choice { engine: Box::new(engine), why }
}
