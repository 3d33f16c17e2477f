//! Replay of a run of a net under its exact semantics.
//!
//! A trace tells the configurations; what each token of a swept place chose it does not tell. That there are
//! choices that lead from one configuration to the next is a question of flows ([`distributes`]), and it is
//! answered exactly. Zero tests block. Nothing here is shared with an engine.

use super::flow::distributes;
use super::mismatch::{Mismatch, Place};
use crate::ground::index::Index;
use crate::system::net::{Configuration, Initial, Net, NetTrace, PlaceId, Sweep, Transition};
use std::collections::BTreeMap;

/// Tokens by place, wide enough for sums.
type Tokens = BTreeMap<PlaceId, u64>;

/// Whether a trace is a run of the net that covers the target it names.
///
/// # Errors
/// The first place where it is not.
pub fn replay_net(net: &Net, trace: &NetTrace) -> Result<(), Mismatch> {
    let at = |place: Place| move |reason: &str| Mismatch { place, reason: reason.to_owned() };
    well_formed(net, &trace.initial).map_err(at(Place::Initial))?;
    if !net.initial.iter().any(|initial| starts(initial, &trace.initial)) {
        return Err(at(Place::Initial)("no run starts in this configuration"));
    }
    let mut before = &trace.initial;
    for (number, (transition, after)) in trace.steps.iter().enumerate() {
        let wrong = at(Place::Step(number));
        well_formed(net, after).map_err(wrong)?;
        let transition =
            net.transitions.get(*transition).ok_or_else(|| wrong("there is no such transition"))?;
        step(before, transition, after).map_err(wrong)?;
        before = after;
    }
    let target = net.targets.get(trace.target).ok_or_else(|| at(Place::End)("there is no such target"))?;
    let here = tokens(&before.tokens);
    let enough = target.tokens.iter().all(|(place, count)| count_of(&here, *place) >= u64::from(*count));
    if target.control != before.control || !enough {
        return Err(at(Place::End)("the target is not covered"));
    }
    Ok(())
}

fn tokens(counts: &[(PlaceId, u32)]) -> Tokens {
    counts.iter().map(|&(place, count)| (place, u64::from(count))).collect()
}

fn count_of(tokens: &Tokens, place: PlaceId) -> u64 {
    tokens.get(&place).copied().unwrap_or(0)
}

fn well_formed(net: &Net, configuration: &Configuration) -> Result<(), &'static str> {
    let known = configuration.control.index() < net.controls.len()
        && configuration.tokens.iter().all(|(place, _)| place.index() < net.places.len());
    let sorted = configuration.tokens.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let counted = configuration.tokens.iter().all(|&(_, count)| count > 0);
    if known && sorted && counted { Ok(()) } else { Err("the configuration is malformed") }
}

/// Whether a configuration is in an initial set.
fn starts(initial: &Initial, configuration: &Configuration) -> bool {
    let (least, here) = (tokens(&initial.tokens), tokens(&configuration.tokens));
    let fits = |place: PlaceId| {
        let (least, here) = (count_of(&least, place), count_of(&here, place));
        if initial.unbounded.contains(&place) { here >= least } else { here == least }
    };
    initial.control == configuration.control && least.keys().chain(here.keys()).all(|&place| fits(place))
}

/// Whether a transition leads from one configuration to another.
fn step(before: &Configuration, transition: &Transition, after: &Configuration) -> Result<(), &'static str> {
    if before.control != transition.from || after.control != transition.to {
        return Err("the transition is between other control states");
    }
    let mut left = tokens(&before.tokens);
    for &(place, count) in &transition.take {
        subtract(&mut left, place, count.into()).ok_or("there are not enough tokens to take")?;
    }
    let mut wanted = tokens(&after.tokens);
    for &(place, count) in &transition.give {
        subtract(&mut wanted, place, count.into()).ok_or("tokens that are given are not there afterwards")?;
    }
    let mut moving: Vec<(u64, &[PlaceId])> = Vec::new();
    for (place, sweep) in &transition.sweep {
        let swept = left.remove(place).unwrap_or(0);
        match sweep {
            Sweep::Forbid if swept > 0 => return Err("a place is not empty that should be"),
            Sweep::Forbid | Sweep::Lose => {}
            Sweep::Move(places) => moving.push((swept, places)),
        }
    }
    for (place, count) in left {
        subtract(&mut wanted, place, count).ok_or("tokens that stay are not there afterwards")?;
    }
    let moves = distributes(&moving, &wanted);
    if moves { Ok(()) } else { Err("the swept tokens cannot have moved like this") }
}

/// Takes tokens away, if there are so many.
fn subtract(tokens: &mut Tokens, place: PlaceId, count: u64) -> Option<()> {
    let left = count_of(tokens, place).checked_sub(count)?;
    tokens.insert(place, left);
    Some(())
}
