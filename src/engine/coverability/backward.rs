//! The backward search: which markings can cover a target? [ACJT00, FS01]
//!
//! The set of these is upward closed and has finitely many least elements. Starting with the targets, predecessors
//! are added until there are no new ones below which no other is. In the monotone closure of a net a step by a
//! transition to at least given tokens has finitely many least predecessors, even with sweeps.
//!
//! An element is left out if it is known to be unreachable: some place cannot be marked ([support](super::support)),
//! or a linear invariant of the net is against it. Small elements come first, they are below most. An element that
//! holds an initial configuration, or that the forward search covers, ends the search: it knows the way to a target.

use super::antichain::{Met, Minimal};
use super::index::NetIndex;
use super::invariant::Invariants;
use super::marking::{Tokens, finite_total};
use super::semantics::predecessors;
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::index_types;
use crate::system::net::{Configuration, ControlId, PlaceId, TransitionId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

index_types! {
    /// An element of the backward search.
    ElementId,
}

/// An upward-closed set of markings from which a target can be covered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element {
    /// The control state.
    pub(super) control: ControlId,
    /// The least marking.
    pub(super) tokens: Tokens,
    /// The way to a target.
    pub(super) next: Next,
}

/// The next step on the way to a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// By a transition to another element.
    Step(TransitionId, ElementId),
    /// None: it is a target.
    Target(usize),
}

/// The work of one predecessor, in comparisons.
const PREDECESSOR: u64 = 64;

/// The search.
pub(super) struct Backward<'a> {
    index: &'a NetIndex<'a>,
    limits: &'a Limits,
    /// The elements.
    pub(super) elements: IndexVec<ElementId, Element>,
    basis: Minimal,
    met: Met,
    work: u64,
    queue: BinaryHeap<Reverse<(u64, ElementId)>>,
    invariants: Invariants<'a>,
    /// How many elements were left out as unreachable.
    pub(super) pruned: u64,
}

/// What a unit of work comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// New elements.
    Elements(Vec<ElementId>),
    /// Nothing is left to be done.
    Done,
}

impl<'a> Backward<'a> {
    /// A search that has yet to begin.
    pub(super) fn new(index: &'a NetIndex<'a>, limits: &'a Limits) -> Self {
        Self {
            index,
            limits,
            elements: IndexVec::new(),
            basis: Minimal::default(),
            met: Met::default(),
            work: 0,
            queue: BinaryHeap::new(),
            invariants: Invariants::new(index),
            pruned: 0,
        }
    }

    /// The targets.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn start(&mut self) -> Result<Vec<ElementId>, Stop> {
        let mut new = Vec::new();
        for (number, target) in self.index.net.targets.iter().enumerate() {
            new.extend(self.insert(target.control, target.tokens.clone(), Next::Target(number))?);
        }
        Ok(new)
    }

    /// Adds the predecessors of one element.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn step(&mut self) -> Result<Progress, Stop> {
        let Some(Reverse((_, id))) = self.queue.pop() else { return Ok(Progress::Done) };
        let Element { control, tokens, .. } = self.elements[id].clone();
        let mut new = Vec::new();
        if self.below(control, &tokens, Some(id)).is_some() {
            return Ok(Progress::Elements(new));
        }
        for transition_id in self.index.incoming(control, &tokens) {
            let transition = &self.index.net.transitions[transition_id];
            self.limits.check()?;
            for before in predecessors(&tokens, transition, self.limits)? {
                new.extend(self.insert(transition.from, before, Next::Step(transition_id, id))?);
            }
        }
        Ok(Progress::Elements(new))
    }

    /// How much has been done, in comparisons.
    pub(super) fn work(&self) -> u64 {
        self.work + self.basis.scanned() + self.invariants.work()
    }

    /// An element below a marking.
    pub(super) fn below(
        &self,
        control: ControlId,
        tokens: &[(PlaceId, u32)],
        except: Option<ElementId>,
    ) -> Option<ElementId> {
        let get = |number| self.elements[ElementId::new(number)].tokens.as_slice();
        self.basis.below(control, tokens, except.map(Index::index), get).map(ElementId::new)
    }

    fn insert(&mut self, control: ControlId, tokens: Tokens, next: Next) -> Result<Option<ElementId>, Stop> {
        self.work += PREDECESSOR;
        if !self.index.support.admits_marking(control, &tokens) {
            self.pruned += 1;
            return Ok(None);
        }
        if !self.met.is_first(control, &tokens) || self.below(control, &tokens, None).is_some() {
            return Ok(None);
        }
        if self.invariants.exclude(control, &tokens, self.limits)? {
            self.pruned += 1;
            return Ok(None);
        }
        let size = finite_total(&tokens);
        self.basis.insert(control, self.elements.len(), &tokens);
        let id = self.elements.push(Element { control, tokens, next });
        self.queue.push(Reverse((size, id)));
        Ok(Some(id))
    }

    /// The initial configuration with the fewest tokens that an element holds, if it holds any.
    pub(super) fn initial(&self, id: ElementId) -> Option<Configuration> {
        let element = &self.elements[id];
        initial_within(self.index, element.control, &element.tokens)
    }

    /// Whether the basis holds the targets and is closed under predecessors but for what is unreachable, and holds
    /// no initial configuration: then none of the targets can be covered.
    #[cfg(debug_assertions)]
    pub(super) fn is_inductive(&mut self) -> Result<bool, Stop> {
        let targets: Vec<(ControlId, Tokens)> =
            self.index.net.targets.iter().map(|target| (target.control, target.tokens.clone())).collect();
        let mut all = targets;
        for element in self.elements.iter() {
            if initial_within(self.index, element.control, &element.tokens).is_some() {
                return Ok(false);
            }
            for transition in self.index.net.transitions.iter().filter(|t| t.to == element.control) {
                let before = predecessors(&element.tokens, transition, self.limits)?;
                all.extend(before.into_iter().map(|tokens| (transition.from, tokens)));
            }
        }
        for (control, tokens) in all {
            let known = self.below(control, &tokens, None).is_some()
                || !self.index.support.admits_marking(control, &tokens)
                || self.invariants.exclude(control, &tokens, self.limits)?;
            if !known {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The initial configuration with the fewest tokens above a marking, if there is one.
pub(super) fn initial_within(
    index: &NetIndex<'_>,
    control: ControlId,
    tokens: &[(PlaceId, u32)],
) -> Option<Configuration> {
    index.net.initial.iter().filter(|initial| initial.control == control).find_map(|initial| {
        let enough = |&(place, number): &(PlaceId, u32)| {
            initial.unbounded.binary_search(&place).is_ok()
                || super::marking::count(&initial.tokens, place) >= number
        };
        let start = || super::marking::maximum(&initial.tokens, tokens);
        tokens.iter().all(enough).then(|| Configuration { control, tokens: start() })
    })
}
