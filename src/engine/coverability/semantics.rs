//! The steps of a net: all successors of a marking, the one that meets a demand, and the check of a given step.
//!
//! [`Semantics::Exact`] is the net itself. [`Semantics::Closure`] is its monotone closure, in which forbidding
//! tokens are lost. Successors are defined for markings with ω too: swept tokens without number can go to all
//! places of their choice in any number, so each of these gets ω.
//!
//! To choose where the tokens of swept places go such that given numbers arrive is a flow problem on a small
//! bipartite graph; augmenting paths solve it.

use super::marking::{OMEGA, Tokens, add, add_numbers, count, monus, take};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{PlaceId, Sweep, Transition};
use std::collections::VecDeque;

/// Which steps there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Semantics {
    /// Those of the net.
    Exact,
    /// Those of its monotone closure: a token that forbids a step is lost instead.
    Closure,
}

/// Tokens of a swept place, and where each of them may go.
struct Source<'a> {
    place: PlaceId,
    number: u32,
    targets: &'a [PlaceId],
}

/// What a transition finds after it has taken its tokens.
struct Swept<'a> {
    kept: Tokens,
    sources: Vec<Source<'a>>,
}

fn how(transition: &Transition, place: PlaceId) -> Option<&Sweep> {
    let found = transition.sweep.binary_search_by_key(&place, |entry| entry.0).ok()?;
    Some(&transition.sweep[found].1)
}

/// Takes tokens and looks at swept places; nothing if the transition is not enabled.
fn sweep<'a>(
    semantics: Semantics,
    tokens: &[(PlaceId, u32)],
    transition: &'a Transition,
) -> Option<Swept<'a>> {
    let left = take(tokens, &transition.take)?;
    let mut swept = Swept { kept: Vec::with_capacity(left.len()), sources: Vec::new() };
    for (place, number) in left {
        match how(transition, place) {
            None => swept.kept.push((place, number)),
            Some(Sweep::Move(targets)) => swept.sources.push(Source { place, number, targets }),
            Some(Sweep::Lose) => {}
            Some(Sweep::Forbid) if semantics == Semantics::Closure => {}
            Some(Sweep::Forbid) => return None,
        }
    }
    Some(swept)
}

/// All successors of a marking by a transition, each once.
///
/// # Errors
/// When a limit is reached, or a number of tokens is too large.
pub(super) fn successors(
    semantics: Semantics,
    tokens: &[(PlaceId, u32)],
    transition: &Transition,
    limits: &Limits,
) -> Result<Vec<Tokens>, Stop> {
    let Some(swept) = sweep(semantics, tokens, transition) else { return Ok(Vec::new()) };
    let mut results = vec![add(&swept.kept, &transition.give)?];
    for source in &swept.sources {
        let mut wider = Vec::new();
        for arrival in arrivals(source, limits)? {
            limits.check()?;
            for result in &results {
                wider.push(add(result, &arrival)?);
            }
        }
        wider.sort_unstable();
        wider.dedup();
        results = wider;
    }
    Ok(results)
}

/// Every way to spread the tokens of a source over its targets.
fn arrivals(source: &Source<'_>, limits: &Limits) -> Result<Vec<Tokens>, Stop> {
    if source.number == OMEGA {
        return Ok(vec![source.targets.iter().map(|&target| (target, OMEGA)).collect()]);
    }
    spread(source.number, source.targets, limits)
}

/// Every way to spread tokens over places, which are sorted.
///
/// # Errors
/// When a limit is reached.
pub(super) fn spread(number: u32, places: &[PlaceId], limits: &Limits) -> Result<Vec<Tokens>, Stop> {
    let mut partial: Vec<(Tokens, u32)> = vec![(Vec::new(), number)];
    for (position, &place) in places.iter().enumerate() {
        let last = position + 1 == places.len();
        let mut longer = Vec::new();
        for (tokens, left) in &partial {
            limits.check()?;
            for number in if last { *left } else { 0 }..=*left {
                let mut tokens = tokens.clone();
                tokens.extend((number > 0).then_some((place, number)));
                longer.push((tokens, left - number));
            }
        }
        partial = longer;
    }
    Ok(partial.into_iter().map(|(tokens, _)| tokens).collect())
}

/// The successor by a transition in which at least the demanded tokens are there, if there is one.
///
/// # Errors
/// When a number of tokens is too large.
pub(super) fn successor_with(
    semantics: Semantics,
    tokens: &[(PlaceId, u32)],
    transition: &Transition,
    demand: &[(PlaceId, u32)],
) -> Result<Option<Tokens>, Stop> {
    let Some(swept) = sweep(semantics, tokens, transition) else { return Ok(None) };
    let mut result = add(&swept.kept, &transition.give)?;
    let Some(flow) = route(&swept.sources, &monus(demand, &result)) else { return Ok(None) };
    for (source, mut arrivals) in swept.sources.iter().zip(flow) {
        let sent: u32 = arrivals.iter().map(|entry| entry.1).sum();
        let rest = vec![(source.targets[0], source.number - sent)];
        arrivals.sort_unstable();
        result = add(&add(&result, &arrivals)?, if rest[0].1 > 0 { &rest } else { &[] })?;
    }
    Ok(Some(result))
}

/// Whether a transition leads from one marking to another.
pub(super) fn leads_to(
    semantics: Semantics,
    before: &[(PlaceId, u32)],
    transition: &Transition,
    after: &[(PlaceId, u32)],
) -> bool {
    let Some(swept) = sweep(semantics, before, transition) else { return false };
    let Ok(certain) = add(&swept.kept, &transition.give) else { return false };
    let Some(arrived) = take(after, &certain) else { return false };
    let total = |numbers: &mut dyn Iterator<Item = u32>| numbers.map(u64::from).sum::<u64>();
    let sent = total(&mut swept.sources.iter().map(|source| source.number));
    sent == total(&mut arrived.iter().map(|entry| entry.1)) && route(&swept.sources, &arrived).is_some()
}

/// The least demand before a step, in a marking, such that the demand after it can be met. The marking says how
/// many tokens each place can offer; nothing if they do not suffice.
///
/// # Errors
/// When a number of tokens is too large.
pub(super) fn demand_before(
    marking: &[(PlaceId, u32)],
    transition: &Transition,
    demand: &[(PlaceId, u32)],
) -> Result<Option<Tokens>, Stop> {
    let rest = monus(demand, &transition.give);
    if transition.sweep.is_empty() {
        return add(&rest, &transition.take).map(Some);
    }
    let Some(swept) = sweep(Semantics::Closure, marking, transition) else { return Ok(None) };
    let from_kept: Tokens = rest
        .iter()
        .map(|&(place, number)| (place, number.min(count(&swept.kept, place))))
        .filter(|entry| entry.1 > 0)
        .collect();
    let Some(flow) = route(&swept.sources, &monus(&rest, &from_kept)) else { return Ok(None) };
    let mut before = add(&from_kept, &transition.take)?;
    for (source, arrivals) in swept.sources.iter().zip(flow) {
        let sent = arrivals.iter().try_fold(0, |sum, entry| add_numbers(sum, entry.1))?;
        if sent > 0 {
            before = add(&before, &[(source.place, sent)])?;
        }
    }
    Ok(Some(before))
}

/// The least markings of which the monotone closure has a step by a transition to at least these tokens.
///
/// # Errors
/// When a limit is reached, or a number of tokens is too large.
pub(super) fn predecessors(
    tokens: &[(PlaceId, u32)],
    transition: &Transition,
    limits: &Limits,
) -> Result<Vec<Tokens>, Stop> {
    let rest = monus(tokens, &transition.give);
    if transition.sweep.is_empty() {
        return Ok(vec![add(&rest, &transition.take)?]);
    }
    let mut results = vec![transition.take.clone()];
    for (place, number) in rest {
        let origins = origins(transition, place);
        let mut wider = Vec::new();
        for origin in if origins.is_empty() { Vec::new() } else { spread(number, &origins, limits)? } {
            limits.check()?;
            for result in &results {
                wider.push(add(result, &origin)?);
            }
        }
        results = wider;
    }
    results.sort_unstable();
    results.dedup();
    Ok(results)
}

/// The places whose tokens may be on a place after the sweep, sorted.
fn origins(transition: &Transition, place: PlaceId) -> Vec<PlaceId> {
    let moves_here = |(origin, sweep): &(PlaceId, Sweep)| match sweep {
        Sweep::Move(targets) if targets.contains(&place) => Some(*origin),
        _ => None,
    };
    let mut origins: Vec<PlaceId> = transition.sweep.iter().filter_map(moves_here).collect();
    if how(transition, place).is_none() {
        origins.push(place);
        origins.sort_unstable();
    }
    origins
}

/// Sends tokens from sources so that the needed numbers arrive; for each source what it sends where.
fn route(sources: &[Source<'_>], needs: &[(PlaceId, u32)]) -> Option<Vec<Tokens>> {
    let mut flow = Flow {
        sources,
        needs,
        sent: vec![vec![0; needs.len()]; sources.len()],
        left: sources.iter().map(|source| source.number).collect(),
    };
    for (need, &(_, number)) in needs.iter().enumerate() {
        let mut missing = number;
        while missing > 0 {
            missing -= flow.augment(need, missing)?;
        }
    }
    let arrivals = |sent: &Vec<u32>| {
        let entries = needs.iter().zip(sent).filter(|(_, number)| **number > 0);
        entries.map(|(&(place, _), &number)| (place, number)).collect()
    };
    Some(flow.sent.iter().map(arrivals).collect())
}

struct Flow<'a> {
    sources: &'a [Source<'a>],
    needs: &'a [(PlaceId, u32)],
    sent: Vec<Vec<u32>>,
    left: Vec<u32>,
}

impl Flow<'_> {
    /// Brings some of the missing tokens to a need: from a source that has some left, or by letting another need
    /// be served elsewhere. How many.
    fn augment(&mut self, need: usize, missing: u32) -> Option<u32> {
        // By need: the source and the need through which it was found.
        let mut found: Vec<Option<(usize, usize)>> = vec![None; self.needs.len()];
        let mut queue = VecDeque::from([need]);
        while let Some(current) = queue.pop_front() {
            for source in 0..self.sources.len() {
                if !self.sources[source].targets.contains(&self.needs[current].0) {
                    continue;
                }
                if self.left[source] > 0 {
                    return Some(self.push(need, current, source, missing, &found));
                }
                for other in 0..self.needs.len() {
                    if other != need && found[other].is_none() && self.sent[source][other] > 0 {
                        found[other] = Some((source, current));
                        queue.push_back(other);
                    }
                }
            }
        }
        None
    }

    fn push(
        &mut self,
        need: usize,
        last: usize,
        source: usize,
        missing: u32,
        found: &[Option<(usize, usize)>],
    ) -> u32 {
        let mut amount = missing.min(self.left[source]);
        let mut current = last;
        while let Some((through, next)) = found[current].filter(|_| current != need) {
            amount = amount.min(self.sent[through][current]);
            current = next;
        }
        // ω stays ω however much of it is sent.
        self.left[source] -= if self.left[source] == OMEGA { 0 } else { amount };
        self.sent[source][last] += amount;
        let mut current = last;
        while let Some((through, next)) = found[current].filter(|_| current != need) {
            self.sent[through][current] -= amount;
            self.sent[through][next] += amount;
            current = next;
        }
        amount
    }
}
