//! Runs: from the outline of a run to its configurations, and the replay of a given run.

use super::backward::{Backward, ElementId, Next};
use super::index::covers;
use super::marking::{Tokens, is_below, monus};
use super::semantics::{Semantics, leads_to, successor_with};
use crate::ground::reason::Stop;
use crate::system::net::{Configuration, Initial, Net, NetTrace, TransitionId};

/// The steps from an element to the target it knows the way to, each with what must be there after it; and the target.
pub(super) fn way_to_target(
    backward: &Backward<'_>,
    from: ElementId,
) -> (Vec<(TransitionId, Tokens)>, usize) {
    let mut steps = Vec::new();
    let mut current = from;
    loop {
        match backward.elements[current].next {
            Next::Target(target) => return (steps, target),
            Next::Step(transition, next) => {
                steps.push((transition, backward.elements[next].tokens.clone()));
                current = next;
            }
        }
    }
}

/// The run from a configuration along transitions that meets every demand under the exact semantics, if there is
/// one: choices are made for one demand after the other.
///
/// # Errors
/// When a number of tokens is too large.
pub(super) fn follow(
    net: &Net,
    initial: Configuration,
    outline: &[(TransitionId, Tokens)],
    target: usize,
) -> Result<Option<NetTrace>, Stop> {
    let mut current = initial.clone();
    let mut steps = Vec::with_capacity(outline.len());
    for (id, demand) in outline {
        let transition = &net.transitions[*id];
        let after = successor_with(Semantics::Exact, &current.tokens, transition, demand)?;
        let Some(tokens) = after.filter(|_| current.control == transition.from) else { return Ok(None) };
        current = Configuration { control: transition.to, tokens };
        steps.push((*id, current.clone()));
    }
    Ok(Some(shortened(net, NetTrace { target, initial, steps })))
}

/// A run without what follows once a target is covered.
fn shortened(net: &Net, mut trace: NetTrace) -> NetTrace {
    let all = std::iter::once(&trace.initial).chain(trace.steps.iter().map(|step| &step.1));
    let found = all.enumerate().find_map(|(number, configuration)| {
        covers(net, configuration.control, &configuration.tokens).map(|target| (number, target))
    });
    if let Some((number, target)) = found {
        trace.steps.truncate(number);
        trace.target = target;
    }
    trace
}

/// Whether a run is one of the net, under the exact semantics, and covers its target.
#[must_use]
pub fn replays(net: &Net, trace: &NetTrace) -> bool {
    let mut current = &trace.initial;
    for (id, next) in &trace.steps {
        let Some(transition) = net.transitions.get(*id) else { return false };
        let fits = transition.from == current.control && transition.to == next.control;
        if !fits || !leads_to(Semantics::Exact, &current.tokens, transition, &next.tokens) {
            return false;
        }
        current = next;
    }
    let covered = |target: &crate::system::net::Target| {
        target.control == current.control && is_below(&target.tokens, &current.tokens)
    };
    net.initial.iter().any(|initial| starts_in(&trace.initial, initial))
        && net.targets.get(trace.target).is_some_and(covered)
}

fn starts_in(configuration: &Configuration, initial: &Initial) -> bool {
    let more = monus(&configuration.tokens, &initial.tokens);
    configuration.control == initial.control
        && is_below(&initial.tokens, &configuration.tokens)
        && more.iter().all(|entry| initial.unbounded.binary_search(&entry.0).is_ok())
}
