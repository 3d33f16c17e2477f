//! A breadth-first search within bounds: it finds short runs, and decides small nets whose initial sets are finite.
//!
//! Unbounded places start with a few tokens, and a choice per token is not explored; either one means that nothing
//! can be said when no run is found.

use super::{NetAnswer, NetAnswers};
use crate::engine::Run;
use crate::ground::event::Statistics;
use crate::ground::reason::{Assurance, Stop};
use crate::system::net::{Configuration, Net, NetTrace, PlaceId, Sweep, Transition, TransitionId};
use indexmap::IndexMap;
use std::collections::BTreeMap;

/// Larger searches are given up.
const MOST_CONFIGURATIONS: usize = 50_000;
/// So many tokens an unbounded place starts with, above what it must have.
const SOME: u32 = 3;

type Tokens = BTreeMap<PlaceId, u32>;

/// Whether everything was looked at.
#[derive(PartialEq, Eq)]
enum Complete {
    Yes,
    No,
}

pub(super) fn search(net: &Net, run: Run<'_>) -> Result<NetAnswers, Stop> {
    let mut complete = Complete::Yes;
    let mut seen: IndexMap<Configuration, Option<(usize, TransitionId)>> = IndexMap::new();
    for initial in &net.initial {
        let mut tokens: Tokens = initial.tokens.iter().copied().collect();
        for &place in &initial.unbounded {
            *tokens.entry(place).or_default() += SOME;
            complete = Complete::No;
        }
        seen.entry(Configuration { control: initial.control, tokens: tokens.into_iter().collect() })
            .or_insert(None);
    }
    let mut next = 0;
    while let Some((configuration, _)) = seen.get_index(next) {
        run.limits.check()?;
        if let Some(target) = covered(net, configuration) {
            return Ok(answers(NetAnswer::Covered(trace(&seen, next, target)), seen.len()));
        }
        let configuration = configuration.clone();
        for (id, transition) in net.transitions.enumerate() {
            match successor(&configuration, transition) {
                Step::To(after) => drop(seen.entry(after).or_insert(Some((next, id)))),
                Step::Choice => complete = Complete::No,
                Step::Disabled => {}
            }
        }
        if seen.len() > MOST_CONFIGURATIONS {
            complete = Complete::No;
            break;
        }
        next += 1;
    }
    if complete == Complete::Yes {
        return Ok(answers(NetAnswer::Uncoverable, seen.len()));
    }
    let text = format!("no run was found among {} configurations", seen.len());
    Ok(answers(NetAnswer::Unknown(Stop::Bound(text).into()), seen.len()))
}

fn answers(answer: NetAnswer, configurations: usize) -> NetAnswers {
    let mut statistics = Statistics::default();
    statistics.add("configurations", configurations as u64);
    NetAnswers { answer, assurance: Assurance::exact(), statistics }
}

fn covered(net: &Net, configuration: &Configuration) -> Option<usize> {
    let tokens: Tokens = configuration.tokens.iter().copied().collect();
    net.targets.iter().position(|target| {
        let enough = |&(place, count): &(PlaceId, u32)| tokens.get(&place).is_some_and(|&here| here >= count);
        target.control == configuration.control && target.tokens.iter().all(enough)
    })
}

fn trace(
    seen: &IndexMap<Configuration, Option<(usize, TransitionId)>>,
    mut at: usize,
    target: usize,
) -> NetTrace {
    let mut steps = Vec::new();
    loop {
        let (configuration, from) = seen.get_index(at).expect("it was seen");
        match from {
            None => {
                steps.reverse();
                return NetTrace { target, initial: configuration.clone(), steps };
            }
            Some((before, transition)) => {
                steps.push((*transition, configuration.clone()));
                at = *before;
            }
        }
    }
}

enum Step {
    To(Configuration),
    /// Every token would have a choice.
    Choice,
    Disabled,
}

fn successor(before: &Configuration, transition: &Transition) -> Step {
    if before.control != transition.from {
        return Step::Disabled;
    }
    let mut tokens: Tokens = before.tokens.iter().copied().collect();
    for &(place, count) in &transition.take {
        match tokens.get(&place).and_then(|here| here.checked_sub(count)) {
            Some(left) => tokens.insert(place, left),
            None => return Step::Disabled,
        };
    }
    let mut moved: Vec<(PlaceId, u32)> = transition.give.clone();
    for (place, sweep) in &transition.sweep {
        let left = tokens.insert(*place, 0).unwrap_or(0);
        match sweep {
            _ if left == 0 => {}
            Sweep::Forbid => return Step::Disabled,
            Sweep::Lose => {}
            Sweep::Move(places) if places.len() == 1 => moved.push((places[0], left)),
            Sweep::Move(_) => return Step::Choice,
        }
    }
    for (place, count) in moved {
        let sum = tokens.entry(place).or_default();
        let Some(larger) = sum.checked_add(count) else { return Step::Choice };
        *sum = larger;
    }
    tokens.retain(|_, count| *count > 0);
    Step::To(Configuration { control: transition.to, tokens: tokens.into_iter().collect() })
}
