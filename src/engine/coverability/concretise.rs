//! From a node of the forward search to a run of the net.
//!
//! A node with ω stands for loops that were pumped "often enough". How often is found backwards: a demand of tokens
//! at the node is carried back step by step to the root. Where a loop was pumped, its gain per repetition is known,
//! so the demand says how many repetitions it needs; these are carried back in turn, with the loops inside of them,
//! each as often as the demand at that point asks. At a root, what is demanded of places without bound is what the
//! run starts with.
//!
//! The numbers are right because a place is only ever changed by a loop in which it has become ω: on the other
//! places a pumped loop adds nothing.

use super::karp_miller::{Body, Forward, NodeId, Pump};
use super::marking::{Tokens, count};
use super::semantics::demand_before;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{Net, TransitionId};

/// The most steps that a run may have.
const STEPS: usize = 200_000;

/// A run in outline: what it starts with, and after each transition what must be there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Outline {
    /// The root it starts from.
    pub(super) root: NodeId,
    /// The tokens demanded at the start.
    pub(super) start: Tokens,
    /// The transitions and the demands after them.
    pub(super) steps: Vec<(TransitionId, Tokens)>,
}

/// The way back along a path: where it is, and where it ends.
struct Walk {
    node: NodeId,
    /// How many pumps of the node are yet to be undone.
    pumps: usize,
    /// Where the walk begins anew for every repetition.
    from: (NodeId, usize),
    /// The ancestor where it ends, or the root.
    until: Option<NodeId>,
    repetitions: u32,
}

/// The outline of a run to a node that meets a demand there.
///
/// # Errors
/// When the run is too long, or a limit is reached.
pub(super) fn outline(
    net: &Net,
    forward: &Forward<'_>,
    node: NodeId,
    demand: Tokens,
    limits: &Limits,
) -> Result<Outline, Stop> {
    let mut undo = Undo { net, forward, demand, steps: Vec::new() };
    let all = forward.nodes[node].pumps.len();
    let mut walks = vec![Walk { node, pumps: all, from: (node, all), until: None, repetitions: 1 }];
    let mut root = node;
    while let Some(walk) = walks.last_mut() {
        limits.check()?;
        root = walk.node;
        if undo.ended(walk) {
            walk.repetitions -= 1;
            (walk.node, walk.pumps) = walk.from;
            if walk.repetitions == 0 {
                walks.pop();
            }
        } else if let Some(inner) = undo.back(walk)? {
            walks.push(inner);
        }
    }
    undo.steps.reverse();
    Ok(Outline { root, start: undo.demand, steps: undo.steps })
}

struct Undo<'a> {
    net: &'a Net,
    forward: &'a Forward<'a>,
    demand: Tokens,
    steps: Vec<(TransitionId, Tokens)>,
}

impl Undo<'_> {
    fn ended(&self, walk: &Walk) -> bool {
        let node = &self.forward.nodes[walk.node];
        match walk.until {
            Some(ancestor) => walk.node == ancestor,
            None => node.parent.is_none() && walk.pumps == 0,
        }
    }

    /// One piece of the way back: the last pump of the node, or the step to it. The walk of a pumped path is the
    /// caller's to do.
    fn back(&mut self, walk: &mut Walk) -> Result<Option<Walk>, Stop> {
        let node = &self.forward.nodes[walk.node];
        if walk.pumps > 0 {
            walk.pumps -= 1;
            return self.unpump(walk.node, walk.pumps);
        }
        let (parent, transition) = node.parent.expect("a walk ends at its root");
        self.undo(parent, transition)?;
        (walk.node, walk.pumps) = (parent, self.forward.nodes[parent].pumps.len());
        Ok(None)
    }

    fn unpump(&mut self, node: NodeId, number: usize) -> Result<Option<Walk>, Stop> {
        let pump = &self.forward.nodes[node].pumps[number];
        let repetitions = self.repetitions(pump);
        match pump.body {
            Body::Transition(transition) => {
                for _ in 0..repetitions {
                    self.undo(node, transition)?;
                }
                Ok(None)
            }
            Body::PathFrom(_) if repetitions == 0 => Ok(None),
            Body::PathFrom(ancestor) => {
                let from = (node, number);
                Ok(Some(Walk { node, pumps: number, from, until: Some(ancestor), repetitions }))
            }
        }
    }

    /// How often a loop must be repeated to meet the demand.
    fn repetitions(&self, pump: &Pump) -> u32 {
        let needed = pump.gains.iter().map(|gain| {
            let missing = count(&self.demand, gain.place).saturating_sub(gain.base);
            missing.div_ceil(gain.amount)
        });
        needed.max().unwrap_or(0)
    }

    /// Undoes a transition that was taken in a node.
    fn undo(&mut self, node: NodeId, transition: TransitionId) -> Result<(), Stop> {
        if self.steps.len() >= STEPS {
            return Err(Stop::Bound(format!("a run of more than {STEPS} steps")));
        }
        let marking = &self.forward.nodes[node].tokens;
        let before = demand_before(marking, &self.net.transitions[transition], &self.demand)?;
        let Some(before) = before else {
            return Err(Stop::Bound("a run with ω that could not be made concrete".into()));
        };
        self.steps.push((transition, std::mem::replace(&mut self.demand, before)));
        Ok(())
    }
}
