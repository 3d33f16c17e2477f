//! Reports about nets: the verdict on the targets, and a run that covers one as a list of configurations.
//!
//! A configuration is written `control | place, place×count, …`. Short reports tell what each step changes, full
//! ones also the whole configuration after it.

mod json;
mod text;

pub use json::report as json;
pub use text::report as text;

use super::story::Length;
use super::{Usage, shortened};
use crate::checker::net::NetOutcome;
use crate::ground::index::Index;
use crate::ground::source::SourceFile;
use crate::system::net::{Configuration, ControlId, Net, PlaceId, Target, Transition};
use std::collections::BTreeSet;

/// How a target is called.
const COVER: &str = "cover";

/// The kinds of files that hold nets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A thread transition system: a line is a transition.
    Tts,
    /// A Petri net in mist's format: a rule ends with a semicolon.
    Mist,
}

/// A result and what is needed to tell it.
#[derive(Clone, Copy)]
pub struct NetReport<'a> {
    /// The source of the net.
    pub source: &'a SourceFile,
    /// Its format.
    pub format: Format,
    /// The net; `None` if a net cannot say what the source says.
    pub net: Option<&'a Net>,
    /// The result.
    pub outcome: &'a NetOutcome,
    /// How much of a counterexample to tell; `None`: nothing.
    pub trace: Option<Length>,
    /// Time and memory, if they are to be told.
    pub usage: Option<Usage>,
}

/// The control state and the tokens.
fn state_text(net: &Net, control: ControlId, tokens: &[(PlaceId, u32)]) -> String {
    let tokens: Vec<String> = tokens.iter().map(|&(place, count)| tokens_text(net, place, count)).collect();
    let tokens = if tokens.is_empty() { "nothing".to_owned() } else { tokens.join(", ") };
    // A Petri net has one control state, which is not worth telling.
    if net.controls.len() == 1 { tokens } else { format!("{} | {tokens}", net.controls.name(control)) }
}

fn tokens_text(net: &Net, place: PlaceId, count: u32) -> String {
    let name = net.places.name(place);
    if count == 1 { name.into_owned() } else { format!("{name}×{count}") }
}

fn target_text(net: &Net, target: &Target) -> String {
    state_text(net, target.control, &target.tokens)
}

/// What is asked: the target, if there is one, or how many there are.
fn question(net: &Net) -> String {
    match net.targets.as_slice() {
        [only] => target_text(net, only),
        targets => format!("any of {} targets", targets.len()),
    }
}

/// Places whose number of tokens at the start is any number, of which the run uses so many.
fn unbounded(net: &Net, start: &Configuration) -> BTreeSet<PlaceId> {
    let of_control = net.initial.iter().filter(|initial| initial.control == start.control);
    of_control.flat_map(|initial| initial.unbounded.iter().copied()).collect()
}

/// The number of tokens before and after a step, for every place where it changes.
fn changes(before: &Configuration, after: &Configuration) -> Vec<(PlaceId, u32, u32)> {
    let count = |configuration: &Configuration, place| {
        let found = configuration.tokens.binary_search_by_key(&place, |&(place, _)| place);
        found.map_or(0, |position| configuration.tokens[position].1)
    };
    let places: BTreeSet<PlaceId> =
        before.tokens.iter().chain(&after.tokens).map(|&(place, _)| place).collect();
    let numbers = places.into_iter().map(|place| (place, count(before, place), count(after, place)));
    numbers.filter(|(_, before, after)| before != after).collect()
}

/// The source of transitions, found by their lines.
struct Rules<'a> {
    lines: Vec<&'a str>,
    format: Format,
}

impl<'a> Rules<'a> {
    fn new(source: &'a SourceFile, format: Format) -> Self {
        Self { lines: source.text().lines().collect(), format }
    }

    /// A transition in the words of the source, on one line.
    fn text(&self, transition: &Transition, limit: usize) -> String {
        let start = (transition.line as usize).saturating_sub(1);
        let mut words = String::new();
        for line in self.lines.iter().skip(start) {
            let line = line.split('#').next().unwrap_or_default();
            let (part, rest) = line.split_once(';').map_or((line, None), |(part, rest)| (part, Some(rest)));
            for word in part.split_whitespace() {
                words.push_str(if words.is_empty() { "" } else { " " });
                words.push_str(word);
            }
            if self.format == Format::Tts || rest.is_some() || words.len() > 4 * limit {
                break;
            }
        }
        shortened(words, limit)
    }
}

/// A number that stands for a control state or place in JSON is its name.
fn control_name(net: &Net, control: ControlId) -> String {
    debug_assert!(control.index() < net.controls.len());
    net.controls.name(control).into_owned()
}
