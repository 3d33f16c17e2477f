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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boolean::generate::Seed;
    use crate::system::names::Names;
    use crate::system::net::{ControlId, Target, TransitionId};
    use std::collections::BTreeSet;

    const PLACES: usize = 4;

    fn place(seed: &mut Seed) -> PlaceId {
        PlaceId::new(seed.below(PLACES))
    }

    fn counts(seed: &mut Seed) -> Vec<(PlaceId, u32)> {
        let some: BTreeMap<PlaceId, u32> = (0..seed.below(3)).map(|_| (place(seed), 1)).collect();
        some.into_iter().collect()
    }

    fn transition(seed: &mut Seed) -> Transition {
        let mut sweep = BTreeMap::new();
        for _ in 0..seed.below(4) {
            let places: BTreeSet<PlaceId> = (0..=seed.below(3)).map(|_| place(seed)).collect();
            let kind = match seed.below(6) {
                0 => Sweep::Lose,
                1 => Sweep::Forbid,
                _ => Sweep::Move(places.into_iter().collect()),
            };
            sweep.insert(place(seed), kind);
        }
        let (from, to) = (ControlId::new(seed.below(2)), ControlId::new(seed.below(2)));
        let (take, give) = (counts(seed), counts(seed));
        Transition { from, to, take, sweep: sweep.into_iter().collect(), give, line: 1 }
    }

    /// Every configuration that a step can lead to, token by token.
    fn successors(before: &Configuration, transition: &Transition) -> BTreeSet<Configuration> {
        let mut tokens: Vec<PlaceId> = Vec::new();
        for &(place, count) in &before.tokens {
            tokens.extend(std::iter::repeat_n(place, count as usize));
        }
        for &(place, count) in &transition.take {
            for _ in 0..count {
                let Some(position) = tokens.iter().position(|&token| token == place) else {
                    return BTreeSet::new();
                };
                tokens.remove(position);
            }
        }
        if before.control != transition.from {
            return BTreeSet::new();
        }
        let given = transition.give.iter().flat_map(|&(place, count)| vec![place; count as usize]);
        let mut ends: BTreeSet<Vec<PlaceId>> = BTreeSet::from([given.collect()]);
        for token in tokens {
            let sweep = transition.sweep.iter().find(|(place, _)| *place == token).map(|(_, sweep)| sweep);
            let choices: Vec<Option<PlaceId>> = match sweep {
                None => vec![Some(token)],
                Some(Sweep::Lose) => vec![None],
                Some(Sweep::Forbid) => vec![],
                Some(Sweep::Move(places)) => places.iter().copied().map(Some).collect(),
            };
            let with = |end: &Vec<PlaceId>, choice: &Option<PlaceId>| {
                let mut end: Vec<PlaceId> = end.iter().copied().chain(*choice).collect();
                end.sort_unstable();
                end
            };
            ends = ends.iter().flat_map(|end| choices.iter().map(move |choice| with(end, choice))).collect();
        }
        ends.iter().map(|end| configuration(transition.to, end)).collect()
    }

    fn configuration(control: ControlId, tokens: &[PlaceId]) -> Configuration {
        let mut counts: BTreeMap<PlaceId, u32> = BTreeMap::new();
        tokens.iter().for_each(|&place| *counts.entry(place).or_default() += 1);
        Configuration { control, tokens: counts.into_iter().collect() }
    }

    #[test]
    fn steps_are_those_that_tokens_can_take_one_by_one() {
        let (mut right, mut wrong) = (0, 0);
        for number in 0..4000 {
            let mut seed = Seed::new(number);
            let transition = transition(&mut seed);
            let start: Vec<PlaceId> = (0..seed.below(6)).map(|_| place(&mut seed)).collect();
            let before = configuration(transition.from, &start);
            let all = successors(&before, &transition);
            for after in &all {
                assert_eq!(step(&before, &transition, after), Ok(()), "seed {number}");
                right += 1;
            }
            for _ in 0..8 {
                let end: Vec<PlaceId> = (0..seed.below(7)).map(|_| place(&mut seed)).collect();
                let after = configuration(transition.to, &end);
                let found = step(&before, &transition, &after).is_ok();
                assert_eq!(found, all.contains(&after), "seed {number}: {before:?} {transition:?} {after:?}");
                wrong += usize::from(!found);
            }
        }
        assert!(right > 2000 && wrong > 4000, "{right} right, {wrong} wrong");
    }

    #[test]
    fn a_trace_is_a_run_from_its_start_to_its_target() {
        let (zero, one) = (PlaceId::new(0), PlaceId::new(1));
        let control = ControlId::new(0);
        let (take, give) = (vec![(zero, 1)], vec![(one, 1)]);
        let step = Transition { from: control, to: control, take, sweep: vec![], give, line: 1 };
        let net = Net {
            controls: Names::numbered(1),
            places: Names::numbered(2),
            transitions: std::iter::once(step).collect(),
            initial: vec![Initial { control, tokens: vec![(zero, 1)], unbounded: vec![zero] }],
            targets: vec![Target { control, tokens: vec![(one, 1)] }],
        };
        let good = NetTrace {
            target: 0,
            initial: configuration(control, &[zero, zero]),
            steps: vec![(TransitionId::new(0), configuration(control, &[zero, one]))],
        };
        assert_eq!(replay_net(&net, &good), Ok(()));
        let place = |trace: &NetTrace| replay_net(&net, trace).map_err(|mismatch| mismatch.place);
        let starting =
            |tokens: &[PlaceId]| NetTrace { initial: configuration(control, tokens), ..good.clone() };
        assert_eq!(place(&starting(&[])), Err(Place::Initial));
        assert_eq!(place(&starting(&[zero, one])), Err(Place::Initial));
        assert_eq!(place(&starting(&[zero, zero, zero])), Err(Place::Step(0)));
        let other = NetTrace { steps: vec![(TransitionId::new(7), good.steps[0].1.clone())], ..good.clone() };
        assert_eq!(place(&other), Err(Place::Step(0)));
        assert_eq!(place(&NetTrace { steps: vec![], ..good.clone() }), Err(Place::End));
        assert_eq!(place(&NetTrace { target: 1, ..good.clone() }), Err(Place::End));
        let mut malformed = good.clone();
        malformed.initial.tokens.push((PlaceId::new(9), 1));
        assert_eq!(place(&malformed), Err(Place::Initial));
    }
}
