//! Smaller nets with the same answers: control states that only lie in between are passed over.
//!
//! Where a control state is neither initial nor a target, what happens in it is only the choice of the next
//! transition. Each pair of a transition into it and one out of it is as good as a single transition that does both,
//! and the control state can go. That is done where it gives no more transitions than there were. Nets that were
//! written as thread transition systems, with one token a step, become the nets they were before.
//!
//! Transitions that cannot happen and those that change nothing are left out as well. A fused transition knows its
//! parts, so that runs can be told in terms of the net as it was given.

use super::marking::{Tokens, add, monus};
use super::support::Support;
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{Configuration, ControlId, Net, NetTrace, Transition, TransitionId};
use rustc_hash::FxHashSet;

/// A net with fewer control states, and the way back for runs.
pub(super) struct Fused {
    /// The net. Control states and places have kept their ids.
    pub(super) net: Net,
    parts: IndexVec<TransitionId, Vec<TransitionId>>,
}

/// A transition of the net to be, and what it is made of.
#[derive(Clone)]
struct Part {
    transition: Transition,
    parts: Vec<TransitionId>,
}

impl Fused {
    /// The smaller net.
    ///
    /// # Errors
    /// When a limit is reached, or a number of tokens is too large.
    pub(super) fn of(net: &Net, support: &Support, limits: &Limits) -> Result<Self, Stop> {
        let mut fusion = Fusion::new(net, support);
        fusion.run(net, limits)?;
        let mut seen = FxHashSet::default();
        let (mut transitions, mut parts) = (IndexVec::new(), IndexVec::new());
        for part in fusion.parts.into_iter().flatten() {
            let Transition { from, to, take, sweep, give, .. } = &part.transition;
            if seen.insert((*from, *to, take.clone(), sweep.clone(), give.clone())) {
                transitions.push(part.transition);
                parts.push(part.parts);
            }
        }
        let smaller = Net {
            controls: net.controls.clone(),
            places: net.places.clone(),
            transitions,
            initial: net.initial.clone(),
            targets: net.targets.clone(),
        };
        Ok(Self { net: smaller, parts })
    }

    /// A run of the smaller net as one of the net it was made of.
    ///
    /// # Errors
    /// When a number of tokens is too large.
    pub(super) fn expand(&self, net: &Net, trace: NetTrace) -> Result<NetTrace, Stop> {
        let mut steps = Vec::new();
        let mut current = trace.initial.tokens.clone();
        for (id, after) in trace.steps {
            let (last, first) = self.parts[id].split_last().expect("a transition has parts");
            for &part in first {
                let transition = &net.transitions[part];
                current = add(&monus(&current, &transition.take), &transition.give)?;
                steps.push((part, Configuration { control: transition.to, tokens: current.clone() }));
            }
            current.clone_from(&after.tokens);
            steps.push((*last, after));
        }
        Ok(NetTrace { target: trace.target, initial: trace.initial, steps })
    }
}

struct Fusion {
    parts: Vec<Option<Part>>,
    incoming: IndexVec<ControlId, Vec<usize>>,
    outgoing: IndexVec<ControlId, Vec<usize>>,
    fixed: IndexVec<ControlId, bool>,
}

impl Fusion {
    fn new(net: &Net, support: &Support) -> Self {
        let controls = net.controls.len();
        let mut fusion = Self {
            parts: Vec::new(),
            incoming: IndexVec::filled(Vec::new(), controls),
            outgoing: IndexVec::filled(Vec::new(), controls),
            fixed: IndexVec::filled(false, controls),
        };
        net.initial.iter().for_each(|initial| fusion.fixed[initial.control] = true);
        net.targets.iter().for_each(|target| fusion.fixed[target.control] = true);
        for (id, transition) in net.transitions.enumerate().filter(|entry| support.admits(entry.1)) {
            fusion.push(Part { transition: transition.clone(), parts: vec![id] });
        }
        fusion
    }

    fn push(&mut self, part: Part) {
        let Transition { from, to, take, sweep, give, .. } = &part.transition;
        if from == to && take == give && sweep.is_empty() {
            return;
        }
        self.outgoing[*from].push(self.parts.len());
        self.incoming[*to].push(self.parts.len());
        self.parts.push(Some(part));
    }

    fn run(&mut self, net: &Net, limits: &Limits) -> Result<(), Stop> {
        let mut queue: Vec<ControlId> = net.controls.ids().rev().collect();
        while let Some(control) = queue.pop() {
            limits.check()?;
            if self.may_go(control) {
                queue.extend(self.pass_over(control)?);
            }
        }
        Ok(())
    }

    /// Whether a control state can be passed over at no cost.
    fn may_go(&mut self, control: ControlId) -> bool {
        for list in [&mut self.incoming[control], &mut self.outgoing[control]] {
            list.retain(|&number| self.parts[number].is_some());
        }
        let (incoming, outgoing) = (&self.incoming[control], &self.outgoing[control]);
        let count = incoming.len() + outgoing.len();
        let plain = |&number: &usize| {
            let part = self.parts[number].as_ref().map(|part| &part.transition);
            part.is_some_and(|transition| transition.sweep.is_empty() && transition.from != transition.to)
        };
        count > 0
            && !self.fixed[control]
            && incoming.len() * outgoing.len() <= count
            && incoming.iter().chain(outgoing).all(plain)
    }

    /// Replaces the transitions of a control state by those that pass over it; where there may be new work.
    fn pass_over(&mut self, control: ControlId) -> Result<Vec<ControlId>, Stop> {
        let take = |parts: &mut Vec<Option<Part>>, numbers: Vec<usize>| -> Vec<Part> {
            numbers.into_iter().filter_map(|number| parts[number].take()).collect()
        };
        let incoming = take(&mut self.parts, std::mem::take(&mut self.incoming[control]));
        let outgoing = take(&mut self.parts, std::mem::take(&mut self.outgoing[control]));
        let mut neighbours: Vec<ControlId> = incoming.iter().map(|part| part.transition.from).collect();
        neighbours.extend(outgoing.iter().map(|part| part.transition.to));
        neighbours.sort_unstable();
        neighbours.dedup();
        for first in &incoming {
            for second in &outgoing {
                self.push(fused(first, second)?);
            }
        }
        Ok(neighbours)
    }
}

/// One transition after another.
fn fused(first: &Part, second: &Part) -> Result<Part, Stop> {
    let (one, two) = (&first.transition, &second.transition);
    let take: Tokens = add(&one.take, &monus(&two.take, &one.give))?;
    let give: Tokens = add(&two.give, &monus(&one.give, &two.take))?;
    let transition = Transition { from: one.from, to: two.to, take, sweep: Vec::new(), give, line: one.line };
    Ok(Part { transition, parts: [first.parts.as_slice(), &second.parts].concat() })
}
