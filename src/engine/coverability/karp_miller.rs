//! The forward search with ω, after Karp and Miller \[KM69\].
//!
//! Nodes are markings with ω; the history is the antichain of the largest. A node that is larger than an ancestor
//! with the same control state can repeat the steps between them: what has grown becomes ω. The accelerated marking
//! is what is stored. Steps that leave the control state alone and only add tokens are such loops by themselves and
//! are pumped on the spot.
//!
//! A node below another is not expanded. Nothing else is discarded: removing the subtrees below smaller nodes as well
//! \[Fin91\] is incomplete, and ancestors are needed for acceleration. Nodes with many ω are expanded first; they
//! cover most.
//!
//! A loop with a sweep in it does not add up: repeating it need not repeat what it gained. ω is therefore introduced
//! only by loops without sweeps. Nets with sweeps may then have no end of nodes; the backward search decides those.

use super::antichain::{Maximal, Met};
use super::index::{NetIndex, stays};
use super::marking::{OMEGA, Signature, Tokens, count, finite_total, is_below, omegas};
use super::semantics::{Semantics, successors};
use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::index_types;
use crate::system::net::{ControlId, PlaceId, TransitionId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

index_types! {
    /// A node of the forward search.
    NodeId,
}

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    /// The control state.
    pub(super) control: ControlId,
    /// The marking, with what was pumped.
    pub(super) tokens: Tokens,
    /// Where it comes from, and by which transition; roots come from initial sets.
    pub(super) parent: Option<(NodeId, TransitionId)>,
    /// What was pumped on arrival, in order.
    pub(super) pumps: Vec<Pump>,
    signature: Signature,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Waiting,
    Expanded,
    Discarded,
}

/// A loop that made ω of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pump {
    /// The loop.
    pub(super) body: Body,
    /// The places with a new ω.
    pub(super) gains: Vec<Gain>,
}

/// The steps of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Body {
    /// One transition.
    Transition(TransitionId),
    /// The path from this ancestor to the node, with what is pumped on the way.
    PathFrom(NodeId),
}

/// What a loop adds to a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gain {
    /// The place.
    pub(super) place: PlaceId,
    /// The tokens before the loop is repeated.
    pub(super) base: u32,
    /// The tokens that each repetition adds.
    pub(super) amount: u32,
}

/// The work of one successor, in comparisons.
const SUCCESSOR: u64 = 64;

/// The search.
pub(super) struct Forward<'a> {
    index: &'a NetIndex<'a>,
    limits: &'a Limits,
    /// The nodes.
    pub(super) nodes: IndexVec<NodeId, Node>,
    history: Maximal,
    met: Met,
    work: u64,
    queue: BinaryHeap<(usize, Reverse<u64>, Reverse<NodeId>)>,
}

/// What a unit of work comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Progress {
    /// New nodes.
    Nodes(Vec<NodeId>),
    /// Nothing is left to be done.
    Done,
}

impl<'a> Forward<'a> {
    /// A search that has yet to begin.
    pub(super) fn new(index: &'a NetIndex<'a>, limits: &'a Limits) -> Self {
        let (nodes, queue) = (IndexVec::new(), BinaryHeap::new());
        Self { index, limits, nodes, history: Maximal::default(), met: Met::default(), work: 0, queue }
    }

    /// The roots.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn start(&mut self) -> Result<Vec<NodeId>, Stop> {
        let mut roots = Vec::new();
        for initial in &self.index.net.initial {
            let any: Tokens = initial.unbounded.iter().map(|&place| (place, OMEGA)).collect();
            let tokens = super::marking::add(&initial.tokens, &any)?;
            roots.extend(self.insert(initial.control, tokens, None)?);
        }
        Ok(roots)
    }

    /// Expands one node.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn step(&mut self) -> Result<Progress, Stop> {
        let Some((_, _, Reverse(id))) = self.queue.pop() else { return Ok(Progress::Done) };
        if self.nodes[id].state != State::Waiting {
            return Ok(Progress::Nodes(Vec::new()));
        }
        self.nodes[id].state = State::Expanded;
        let control = self.nodes[id].control;
        let tokens = self.nodes[id].tokens.clone();
        let mut new = Vec::new();
        for transition_id in self.index.outgoing(control, &tokens) {
            self.limits.check()?;
            let transition = &self.index.net.transitions[transition_id];
            for after in successors(Semantics::Closure, &tokens, transition, self.limits)? {
                new.extend(self.insert(transition.to, after, Some((id, transition_id)))?);
            }
        }
        Ok(Progress::Nodes(new))
    }

    /// How much has been done, in comparisons.
    pub(super) fn work(&self) -> u64 {
        self.work + self.history.scanned()
    }

    /// A node whose marking is at least this one.
    pub(super) fn above(&self, control: ControlId, tokens: &[(PlaceId, u32)]) -> Option<NodeId> {
        let nodes = &self.nodes;
        let get = |number| nodes[NodeId::new(number)].tokens.as_slice();
        self.history.above(control, tokens, get).map(NodeId::new)
    }

    fn insert(
        &mut self,
        control: ControlId,
        tokens: Tokens,
        parent: Option<(NodeId, TransitionId)>,
    ) -> Result<Option<NodeId>, Stop> {
        self.work += SUCCESSOR;
        if !self.met.is_first(control, &tokens) || self.above(control, &tokens).is_some() {
            return Ok(None);
        }
        let signature = Signature::of(&tokens);
        let id = self.nodes.push(Node {
            control,
            tokens,
            parent,
            pumps: Vec::new(),
            signature,
            state: State::Waiting,
        });
        self.accelerate(id)?;
        let nodes = &self.nodes;
        let get = |number| nodes[NodeId::new(number)].tokens.as_slice();
        for smaller in self.history.insert(control, id.index(), get) {
            let state = &mut self.nodes[NodeId::new(smaller)].state;
            *state = if *state == State::Waiting { State::Discarded } else { *state };
        }
        let tokens = &self.nodes[id].tokens;
        self.queue.push((omegas(tokens), Reverse(finite_total(tokens)), Reverse(id)));
        Ok(Some(id))
    }

    /// Pumps loops until nothing becomes ω any more.
    fn accelerate(&mut self, id: NodeId) -> Result<(), Stop> {
        while self.pump_transition(id)? || self.pump_path(id)? {}
        Ok(())
    }

    /// Pumps all single transitions that only add; whether there was one.
    fn pump_transition(&mut self, id: NodeId) -> Result<bool, Stop> {
        let node = &self.nodes[id];
        let candidates: Vec<TransitionId> = self.index.outgoing(node.control, &node.tokens).collect();
        let mut pumped = false;
        for candidate in candidates {
            self.limits.check()?;
            let gains = self.gains_of_transition(id, candidate);
            if !gains.is_empty() {
                self.pump(id, Pump { body: Body::Transition(candidate), gains });
                pumped = true;
            }
        }
        Ok(pumped)
    }

    fn gains_of_transition(&self, id: NodeId, candidate: TransitionId) -> Vec<Gain> {
        let transition = &self.index.net.transitions[candidate];
        let tokens = &self.nodes[id].tokens;
        if !stays(transition) || !is_below(&transition.take, tokens) {
            return Vec::new();
        }
        let lost = |&(place, taken): &(PlaceId, u32)| {
            count(&transition.give, place) < taken && count(tokens, place) != OMEGA
        };
        if transition.take.iter().any(lost) {
            return Vec::new();
        }
        let gain = |&(place, given): &(PlaceId, u32)| {
            let (base, taken) = (count(tokens, place), count(&transition.take, place));
            (base != OMEGA && given > taken).then(|| Gain { place, base, amount: given - taken })
        };
        transition.give.iter().filter_map(gain).collect()
    }

    /// Pumps the path from an ancestor that is smaller; whether there was one. \[KM69\]
    fn pump_path(&mut self, id: NodeId) -> Result<bool, Stop> {
        let (control, signature) = (self.nodes[id].control, self.nodes[id].signature);
        let mut current = id;
        while let Some((parent, transition)) = self.nodes[current].parent {
            self.limits.check()?;
            if !self.index.net.transitions[transition].sweep.is_empty() {
                return Ok(false);
            }
            self.work += 1;
            let ancestor = &self.nodes[parent];
            if ancestor.control == control && ancestor.signature.may_be_below(signature) {
                let gains = gains(&ancestor.tokens, &self.nodes[id].tokens);
                if !gains.is_empty() {
                    self.pump(id, Pump { body: Body::PathFrom(parent), gains });
                    return Ok(true);
                }
            }
            current = parent;
        }
        Ok(false)
    }

    fn pump(&mut self, id: NodeId, pump: Pump) {
        let node = &mut self.nodes[id];
        for gain in &pump.gains {
            match node.tokens.binary_search_by_key(&gain.place, |entry| entry.0) {
                Ok(position) => node.tokens[position].1 = OMEGA,
                Err(position) => node.tokens.insert(position, (gain.place, OMEGA)),
            }
        }
        node.signature = Signature::of(&node.tokens);
        node.pumps.push(pump);
    }

    /// Whether the history holds the initial markings and is closed under steps: then it is above all that can be
    /// reached.
    #[cfg(debug_assertions)]
    pub(super) fn is_inductive(&self) -> Result<bool, Stop> {
        for initial in &self.index.net.initial {
            let any: Tokens = initial.unbounded.iter().map(|&place| (place, OMEGA)).collect();
            let tokens = super::marking::add(&initial.tokens, &any)?;
            if self.above(initial.control, &tokens).is_none() {
                return Ok(false);
            }
        }
        for number in self.history.numbers() {
            let node = &self.nodes[NodeId::new(number)];
            for transition in self.index.net.transitions.iter().filter(|t| t.from == node.control) {
                for after in successors(Semantics::Closure, &node.tokens, transition, self.limits)? {
                    if self.above(transition.to, &after).is_none() {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}

/// What a marking has more than a smaller one; empty if that is not smaller.
fn gains(small: &[(PlaceId, u32)], large: &[(PlaceId, u32)]) -> Vec<Gain> {
    if !is_below(small, large) {
        return Vec::new();
    }
    let gain = |&(place, base): &(PlaceId, u32)| {
        let before = count(small, place);
        (base != OMEGA && before < base).then(|| Gain { place, base, amount: base - before })
    };
    large.iter().filter_map(gain).collect()
}
