//! Exact exploration of a net within bounds, breadth first: the oracle of the other searches, and a hunt for short
//! runs before they begin.
//!
//! Configurations are stored whole and every choice of every swept token is tried out, zero tests included. What
//! has more tokens than the bound is left out; places with any number of tokens start with every number within it.
//! If nothing was left out and no target found, the targets cannot be covered.

use super::index::covers;
use super::marking::{Tokens, add, finite_total};
use super::semantics::{Semantics, successors};
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::system::net::{Configuration, ControlId, Net, NetTrace, PlaceId, TransitionId};
use indexmap::IndexMap;

/// How far an exploration goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    /// How many configurations may be stored.
    pub(super) configurations: usize,
    /// How many tokens a configuration may have.
    pub(super) tokens: u64,
    /// How many transitions may be tried.
    pub(super) attempts: usize,
}

/// What an exploration found.
#[derive(Debug)]
pub(super) enum Exploration {
    /// A shortest run that covers a target.
    Covered(NetTrace),
    /// All configurations were seen, and none covers a target.
    Exhausted,
    /// Bounds cut configurations off.
    Cut,
}

/// An exploration and its size.
pub(super) struct Explored {
    /// What it found.
    pub(super) exploration: Exploration,
    /// How many configurations it stored.
    pub(super) configurations: usize,
}

/// Explores a net within bounds.
///
/// # Errors
/// When a limit is reached.
pub(super) fn explore(net: &Net, bounds: Bounds, run: Run<'_>) -> Result<Explored, Stop> {
    let mut outgoing = IndexVec::filled(Vec::new(), net.controls.len());
    for (id, transition) in net.transitions.enumerate() {
        outgoing[transition.from].push(id);
    }
    let mut search =
        Search { net, bounds, run, outgoing, seen: IndexMap::default(), attempts: 0, cut: false };
    let found = search.explore()?;
    let exploration = match found {
        Some(trace) => Exploration::Covered(trace),
        None if search.cut => Exploration::Cut,
        None => Exploration::Exhausted,
    };
    Ok(Explored { exploration, configurations: search.seen.len() })
}

type Predecessor = Option<(usize, TransitionId)>;

struct Search<'a> {
    net: &'a Net,
    bounds: Bounds,
    run: Run<'a>,
    outgoing: IndexVec<ControlId, Vec<TransitionId>>,
    seen: IndexMap<Configuration, Predecessor, rustc_hash::FxBuildHasher>,
    attempts: usize,
    cut: bool,
}

impl Search<'_> {
    fn explore(&mut self) -> Result<Option<NetTrace>, Stop> {
        for initial in &self.net.initial {
            for tokens in self.starts(&initial.tokens, &initial.unbounded)? {
                let start = Configuration { control: initial.control, tokens };
                if let Some(trace) = self.insert(start, None) {
                    return Ok(Some(trace));
                }
            }
        }
        let mut current = 0;
        while let Some((configuration, _)) = self.seen.get_index(current) {
            if self.attempts >= self.bounds.attempts {
                self.cut = true;
                return Ok(None);
            }
            let configuration = configuration.clone();
            self.attempts += self.outgoing[configuration.control].len();
            if let Some(trace) = self.expand(&configuration, current)? {
                return Ok(Some(trace));
            }
            current += 1;
        }
        Ok(None)
    }

    /// The numbers of tokens within the bound, the least first.
    fn starts(&mut self, least: &Tokens, unbounded: &[PlaceId]) -> Result<Vec<Tokens>, Stop> {
        let mut starts = vec![least.clone()];
        for &place in unbounded {
            self.cut = true;
            let mut current = 0;
            while current < starts.len() && starts.len() < self.bounds.configurations {
                self.run.limits.check()?;
                let more = add(&starts[current], &[(place, 1)])?;
                if finite_total(&more) <= self.bounds.tokens && !starts.contains(&more) {
                    starts.push(more);
                }
                current += 1;
            }
        }
        starts.sort_by_key(|tokens| finite_total(tokens));
        Ok(starts)
    }

    fn expand(&mut self, before: &Configuration, number: usize) -> Result<Option<NetTrace>, Stop> {
        for position in 0..self.outgoing[before.control].len() {
            self.run.limits.check()?;
            let id = self.outgoing[before.control][position];
            let transition = &self.net.transitions[id];
            for tokens in successors(Semantics::Exact, &before.tokens, transition, self.run.limits)? {
                let after = Configuration { control: transition.to, tokens };
                if let Some(trace) = self.insert(after, Some((number, id))) {
                    return Ok(Some(trace));
                }
            }
        }
        Ok(None)
    }

    /// Stores a configuration that is new and within the bounds; a run to it if it covers a target.
    fn insert(&mut self, configuration: Configuration, predecessor: Predecessor) -> Option<NetTrace> {
        if self.seen.contains_key(&configuration) {
            return None;
        }
        let full = self.seen.len() >= self.bounds.configurations;
        if full || finite_total(&configuration.tokens) > self.bounds.tokens {
            self.cut = true;
            return None;
        }
        let target = covers(self.net, configuration.control, &configuration.tokens);
        let (number, _) = self.seen.insert_full(configuration, predecessor);
        target.map(|target| self.trace(target, number))
    }

    fn trace(&self, target: usize, last: usize) -> NetTrace {
        let mut steps = Vec::new();
        let mut current = last;
        loop {
            let (configuration, predecessor) = self.seen.get_index(current).expect("stored");
            let Some((before, transition)) = predecessor else {
                steps.reverse();
                return NetTrace { target, initial: configuration.clone(), steps };
            };
            steps.push((*transition, configuration.clone()));
            current = *before;
        }
    }
}
