//! Coverability of nets: can a run reach at least the tokens of a target?
//!
//! Decided for any number of tokens, by a forward search with ω (`karp_miller`), a backward search with bases of
//! upward-closed sets (`backward`), and both in step (`both`). Every run that is found is replayed under the exact
//! semantics of the net; every proof is checked again in debug builds.
//!
//! Nets with zero tests are decided on their monotone closure, which can do more: what it cannot cover the net
//! cannot either. A run of the closure that the net does not have decides nothing; the net is then explored
//! exactly within bounds, and if that finds no run either, the answer is unknown.

mod antichain;
mod backward;
mod both;
mod concretise;
mod explore;
mod fuse;
mod index;
mod invariant;
mod karp_miller;
mod marking;
mod run;
mod semantics;
mod support;
#[cfg(test)]
mod tests;

use crate::ground::assurance::Assurance;
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::{Defect, Reason, Stop};
use crate::ground::run::Run;
use crate::system::net::{Net, NetTrace};
use both::{Both, Found};
use explore::{Bounds, Exploration, explore};
use fuse::Fused;
use index::NetIndex;
use marking::OMEGA;
pub use run::replays;
use support::Support;

/// How coverability is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// A short exact exploration, then forward and backward search in step.
    Auto,
    /// The forward search alone.
    KarpMiller,
    /// The backward search alone.
    Backward,
}

/// The answer about the targets of a net, and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetAnswers {
    /// The answer.
    pub answer: NetAnswer,
    /// How far it can be trusted.
    pub assurance: Assurance,
    /// Figures of the run.
    pub statistics: Statistics,
}

/// The answer about the targets of a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetAnswer {
    /// No run covers any of them.
    Uncoverable,
    /// This run, which was replayed, covers one.
    Covered(NetTrace),
    /// Neither is known.
    Unknown(Reason),
}

/// The exploration before the searches: cheap, and its runs are short.
const HUNT: Bounds = Bounds { configurations: 2_000, tokens: 12, attempts: 100_000 };
/// The search before pairs of tokens are looked at, in comparisons: most nets need no more.
const SHORT: u64 = 4_000_000;
/// The exploration of nets with zero tests when the closure has decided nothing.
const EXACT: Bounds = Bounds { configurations: 200_000, tokens: 24, attempts: usize::MAX };

/// Decides whether a target of a net can be covered.
///
/// # Errors
/// A [`Stop`] when a limit was reached before there was an answer.
pub fn decide(net: &Net, method: Method, run: Run<'_>) -> Result<NetAnswers, Stop> {
    let mut statistics = Statistics::default();
    if numbers(net).any(|number| number == OMEGA) {
        let bound = Stop::Bound(format!("a net with the number {OMEGA}, which stands for any number here"));
        return Ok(answers(NetAnswer::Unknown(bound.into()), statistics));
    }
    let mut support = Support::of(net, run.limits)?;
    if net.has_sweeps() {
        support = support.with_pairs(net, run.limits)?;
    }
    if !net.targets.iter().any(|target| support.admits_marking(target.control, &target.tokens)) {
        return Ok(answers(NetAnswer::Uncoverable, statistics));
    }
    if method == Method::Auto
        && let Some(answer) = hunt(net, HUNT, run, &mut statistics)?
    {
        return Ok(answers(answer, statistics));
    }
    let answer = match search(net, &support, method, run, &mut statistics) {
        Err(Stop::Bound(text)) => NetAnswer::Unknown(Stop::Bound(text).into()),
        answer => answer?,
    };
    Ok(answers(answer, statistics))
}

/// All numbers that a net mentions.
fn numbers(net: &Net) -> impl Iterator<Item = u32> + '_ {
    let steps = net.transitions.iter().flat_map(|transition| transition.take.iter().chain(&transition.give));
    let initial = net.initial.iter().flat_map(|initial| &initial.tokens);
    let targets = net.targets.iter().flat_map(|target| &target.tokens);
    steps.chain(initial).chain(targets).map(|&(_, number)| number)
}

/// The searches on the net without control states that only lie in between.
fn search(
    net: &Net,
    support: &Support,
    method: Method,
    run: Run<'_>,
    statistics: &mut Statistics,
) -> Result<NetAnswer, Stop> {
    let fused = Fused::of(net, support, run.limits)?;
    let mut found = None;
    if !net.has_sweeps() && method == Method::Auto {
        let support = Support::of(&fused.net, run.limits)?;
        found = searched(&NetIndex::new(&fused.net, support), method, Some(SHORT), run, statistics)?;
    }
    let found = match found {
        Some(found) => found,
        None => {
            let mut support = Support::of(&fused.net, run.limits)?;
            if method != Method::KarpMiller {
                support = support.with_pairs(&fused.net, run.limits)?;
            }
            let index = NetIndex::new(&fused.net, support);
            searched(&index, method, None, run, statistics)?.expect("there is no end of work")
        }
    };
    Ok(match found {
        Found::Proof => NetAnswer::Uncoverable,
        Found::Run(trace) => replayed(net, fused.expand(net, trace)?),
        Found::ClosureOnly if net.has_zero_tests() => {
            run.observer.event(Event::Note("zero tests: exact exploration within bounds".into()));
            let text =
                "zero tests: only the monotone closure covers the target, no run was found within bounds";
            hunt(net, EXACT, run, statistics)?.unwrap_or(NetAnswer::Unknown(Reason::Unsupported(text.into())))
        }
        Found::ClosureOnly => mismatch(),
    })
}

/// Searches, with so much work at most.
fn searched(
    index: &NetIndex<'_>,
    method: Method,
    work: Option<u64>,
    run: Run<'_>,
    statistics: &mut Statistics,
) -> Result<Option<Found>, Stop> {
    let mut both = Both::new(index, method, run);
    let found = both.search(work);
    if !matches!(found, Ok(None)) {
        statistics.include(&both.statistics());
    }
    found
}

/// An answer by exact exploration within bounds, if that finds one.
fn hunt(
    net: &Net,
    bounds: Bounds,
    run: Run<'_>,
    statistics: &mut Statistics,
) -> Result<Option<NetAnswer>, Stop> {
    let explored = explore(net, bounds, run)?;
    statistics.add("configurations", explored.configurations as u64);
    Ok(match explored.exploration {
        Exploration::Covered(trace) => Some(replayed(net, trace)),
        Exploration::Exhausted => Some(NetAnswer::Uncoverable),
        Exploration::Cut => None,
    })
}

fn replayed(net: &Net, trace: NetTrace) -> NetAnswer {
    if replays(net, &trace) { NetAnswer::Covered(trace) } else { mismatch() }
}

fn mismatch() -> NetAnswer {
    NetAnswer::Unknown(Defect::ReplayMismatch("a run of the net could not be repeated".into()).into())
}

fn answers(answer: NetAnswer, statistics: Statistics) -> NetAnswers {
    let sound = !matches!(answer, NetAnswer::Unknown(_));
    NetAnswers { answer, assurance: Assurance { sound, ..Assurance::exact() }, statistics }
}
