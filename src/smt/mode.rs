//! Kinds of queries, and the modes in which they are asked.
//!
//! Z3 has two solvers in one. Under assumptions, or after a `push`, its incremental core answers: it keeps what it learnt and
//! gives cores, but does not preprocess. A query without either, the first of its solver, goes through the strategy that fits its
//! logic: equations are solved, what nothing constrains is dropped, and bits are blasted. Which mode is better was measured
//! with Z3 4.8.12:
//!
//! | kind of query | incremental | one-shot |
//! |---|---|---|
//! | path of a Linux driver, tables of strings in memory | no answer in 57 s | 0.06 s |
//! | path of a server with arithmetic on bits, without a run | no answer in 0.9 s | 0.06 s |
//! | links of a path of 150 steps | 1.2 s | 0.3 s |
//! | image of one edge, thousands of them | 0.3 ms | 2 ms |
//!
//! So paths and links are asked one-shot first, and what is about floating-point numbers; all else incrementally first. Either mode may hang where the other answers at
//! once: both are asked by turns, within budgets that grow.

use super::Budget;

/// What a query is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Has a path a run?
    Path,
    /// Would predicates exclude a path?
    Link,
    /// Is an abstract step possible?
    Step,
    /// What does a step make of predicates?
    Image,
    /// Is a proof one?
    Certificate,
    /// Does the solver work?
    Trial,
}

/// How a query is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    /// Of a solver that remembers.
    Incremental,
    /// Of a new solver.
    OneShot,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Path, Self::Link, Self::Step, Self::Image, Self::Certificate, Self::Trial];

    /// What statistics call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Link => "links of a path",
            Self::Step => "abstract step",
            Self::Image => "image of an edge",
            Self::Certificate => "certificate",
            Self::Trial => "self-test",
        }
    }

    /// Whether memory is resolved before a new solver is asked. Those who ask for images do it themselves, edge by edge; for certificates
    /// nobody does: no proof rests on it.
    pub(super) fn resolves(self) -> bool {
        matches!(self, Self::Path | Self::Link)
    }

    /// The mode that is better most of the time.
    fn first(self) -> Mode {
        match self {
            Self::Path | Self::Link => Mode::OneShot,
            Self::Step | Self::Image | Self::Certificate | Self::Trial => Mode::Incremental,
        }
    }
}

impl Mode {
    /// What statistics call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Incremental => "incremental",
            Self::OneShot => "one-shot",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Incremental => Self::OneShot,
            Self::OneShot => Self::Incremental,
        }
    }
}

/// One try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Round {
    pub mode: Mode,
    /// What it may cost; the greatest number is no limit.
    pub resources: u32,
}

/// What the first round may cost.
const START: u32 = 4_000_000;

/// A query about floating-point numbers may cost so many times more, up to a bound: a single product of two is ten thousand gates.
const FLOATS: u32 = 16;
const MOST_FLOATS: u32 = 4_000_000;

/// Each round may cost this many times what the one before may.
const GROWTH: u32 = 8;

/// The other mode gets this part of the budget.
const SHARE: u32 = 8;

/// The tries for one query, in order. Floating-point numbers are bits to a new solver, after much preprocessing; the one that
/// remembers has a theory of them, which is slower by far.
pub(super) fn rounds(kind: Kind, floats: bool, budget: Budget) -> impl Iterator<Item = Round> {
    let more = |resources: u32| resources.max(resources.saturating_mul(FLOATS).min(MOST_FLOATS));
    let most =
        budget.resources.map_or(u32::MAX, |resources| if floats { more(resources) } else { resources });
    let greater = move |&last: &u32| (last < most).then(|| last.saturating_mul(GROWTH).min(most));
    let mode = if floats { Mode::OneShot } else { kind.first() };
    std::iter::successors(Some(START.min(most)), greater).flat_map(move |resources| {
        let other = Round { mode: mode.other(), resources: resources / SHARE };
        [Round { mode, resources }, other]
    })
}

/// Whether a reason of Z3 is that its budget is spent. It says the same of an interruption, which is asked for elsewhere. Its
/// strategy for floating-point numbers has no other word for it than "unknown".
pub(super) fn is_spent(reason: &str) -> bool {
    reason.contains("canceled") || reason.contains("resource") || reason == "unknown"
}

/// Sets what the next queries of a solver may cost.
pub(super) fn allow(solver: &z3::Solver, resources: u32) {
    let mut parameters = z3::Params::new();
    // Zero is no limit.
    parameters.set_u32("rlimit", if resources == u32::MAX { 0 } else { resources });
    solver.set_params(&parameters);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_bounds_both_modes() {
        let all: Vec<Round> = rounds(Kind::Path, false, Budget { resources: Some(1_000) }).collect();
        let expected = [(Mode::OneShot, 1_000), (Mode::Incremental, 125)];
        assert_eq!(all, expected.map(|(mode, resources)| Round { mode, resources }));
    }

    #[test]
    fn floating_point_numbers_are_asked_of_a_new_solver_first() {
        let all: Vec<Round> = rounds(Kind::Image, true, Budget { resources: Some(1_000) }).collect();
        let expected = [(Mode::OneShot, 1_000 * FLOATS), (Mode::Incremental, 1_000 * FLOATS / SHARE)];
        assert_eq!(all, expected.map(|(mode, resources)| Round { mode, resources }));
    }

    #[test]
    fn without_a_budget_the_last_rounds_have_no_limit() {
        let all: Vec<Round> = rounds(Kind::Image, false, Budget::default()).collect();
        for mode in [Mode::Incremental, Mode::OneShot] {
            let of_mode: Vec<u32> = all.iter().filter(|r| r.mode == mode).map(|r| r.resources).collect();
            assert!(of_mode.is_sorted_by(|a, b| a < b), "budgets grow: {of_mode:?}");
        }
        assert_eq!(all[0], Round { mode: Mode::Incremental, resources: START });
        assert_eq!(all[all.len() - 2], Round { mode: Mode::Incremental, resources: u32::MAX });
    }
}
