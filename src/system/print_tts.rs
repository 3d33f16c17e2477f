//! Writes a net as thread transition system, in the format that [`super::tts`] reads.
//!
//! Every transition must be what a line can say: a step of one thread with moves of the others, a start of a thread,
//! or a transfer. Threads that end, and places that are reset, go to a further local state from which nothing leads.
//! The initial states and the targets are written as comments: they are files and options of their own.

use super::net::{Net, PlaceId, Sweep, Target, Transition};
use crate::ground::index::Index;
use std::fmt::Write as _;

/// The text.
///
/// # Errors
/// What a thread transition system cannot say.
pub fn print(net: &Net) -> Result<String, String> {
    let dead = net.places.len();
    let mut lines = String::new();
    let mut uses_dead = false;
    for transition in net.transitions.iter() {
        let line = line(net, transition, dead).map_err(|why| format!("line {}: {why}", transition.line))?;
        uses_dead |= line.1 == Dead::Used;
        lines.push_str(&line.0);
        lines.push('\n');
    }
    // A state is needed even where there is none.
    let locals = (net.places.len() + usize::from(uses_dead)).max(1);
    let mut text = format!("{} {locals}\n", net.controls.len().max(1));
    for initial in &net.initial {
        let _ =
            writeln!(text, "# initial state {}{}", state(initial.control.index(), '|', &initial.tokens), {
                let unbounded: Vec<_> = initial.unbounded.iter().map(|&place| (place, 1)).collect();
                if unbounded.is_empty() { String::new() } else { listed('/', &unbounded) }
            });
    }
    for target in &net.targets {
        let _ = writeln!(text, "# target {}", print_target(target));
    }
    comment_names(&mut text, net);
    text.push_str(&lines);
    Ok(text)
}

/// A target as it stands in a `.prop` file, without line feed.
#[must_use]
pub fn print_target(target: &Target) -> String {
    state(target.control.index(), '|', &target.tokens)
}

/// Whether a transition needs the state from which nothing leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dead {
    Used,
    NotUsed,
}

fn state(control: usize, mark: char, tokens: &[(PlaceId, u32)]) -> String {
    format!("{control}{}", if tokens.is_empty() { String::new() } else { listed(mark, tokens) })
}

/// A mark and every place as often as it has tokens.
fn listed(mark: char, tokens: &[(PlaceId, u32)]) -> String {
    let each = tokens.iter().flat_map(|&(place, count)| (0..count).map(move |_| place.index().to_string()));
    format!("{mark}{}", each.collect::<Vec<_>>().join(","))
}

/// What the numbers stand for, where the states had names.
fn comment_names(text: &mut String, net: &Net) {
    if !net.places.are_numbers() {
        for place in net.places.ids() {
            let _ = writeln!(text, "# local state {}: {}", place.index(), net.places.name(place));
        }
    }
    if !net.controls.are_numbers() {
        for control in net.controls.ids() {
            let _ = writeln!(text, "# shared state {}: {}", control.index(), net.controls.name(control));
        }
    }
}

fn line(net: &Net, transition: &Transition, dead: usize) -> Result<(String, Dead), String> {
    let (from, to) = (transition.from.index(), transition.to.index());
    let (moves, mut needs) = moves(transition, dead)?;
    let line = match (transition.take.as_slice(), transition.give.as_slice(), moves.as_slice()) {
        ([], [], []) if net.places.is_empty() => return Err("there is no local state".to_owned()),
        // A transfer of a state to itself moves nobody.
        ([], [], []) => format!("{from} 0 ~> {to} 0"),
        ([], [], [(source, target)]) => format!("{from} {source} ~> {to} {target}"),
        ([], [], _) => return Err("several states are moved, and no thread does it".to_owned()),
        ([(source, 1)], give, moves) => {
            let source = source.index();
            match spawned(source, give) {
                Some(started) if moves.is_empty() => format!("{from} {source} +> {to} {started}"),
                Some(_) => return Err("a thread is started and others are moved".to_owned()),
                None => {
                    let target = match give {
                        [] => {
                            needs = Dead::Used;
                            dead
                        }
                        [(target, 1)] => target.index(),
                        _ => return Err("more than one thread is started".to_owned()),
                    };
                    let moves = moves.iter().map(|(source, target)| format!(" {source} ~> {target}"));
                    format!("{from} {source} -> {to} {target}{}", moves.collect::<String>())
                }
            }
        }
        ([], ..) => return Err("a thread is started by nobody".to_owned()),
        _ => return Err("more than one thread takes part".to_owned()),
    };
    Ok((line, needs))
}

/// The state of the new thread, if the old one stays and there is one more.
fn spawned(source: usize, give: &[(PlaceId, u32)]) -> Option<usize> {
    match give {
        [(only, 2)] if only.index() == source => Some(source),
        [(one, 1), (other, 1)] if one.index() == source => Some(other.index()),
        [(one, 1), (other, 1)] if other.index() == source => Some(one.index()),
        _ => None,
    }
}

/// The moves of the other threads, one by one.
fn moves(transition: &Transition, dead: usize) -> Result<(Vec<(usize, usize)>, Dead), String> {
    let (mut moves, mut needs) = (Vec::new(), Dead::NotUsed);
    for (place, sweep) in &transition.sweep {
        match sweep {
            Sweep::Move(targets) => {
                moves.extend(targets.iter().map(|target| (place.index(), target.index())))
            }
            Sweep::Lose => {
                moves.push((place.index(), dead));
                needs = Dead::Used;
            }
            Sweep::Forbid => return Err("there is a zero test".to_owned()),
        }
    }
    Ok((moves, needs))
}
