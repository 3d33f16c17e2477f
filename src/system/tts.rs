//! Thread transition systems, in the format of bfc \[KKW14\].
//!
//! A file begins with the number of shared states and the number of local states; every further line is a
//! transition. `s l -> s' l' a ~> b …` is a step of one thread, with moves of the other ones; `s l ~> s' l'` moves
//! every thread in `l`, and needs none; `s l +> s' l'` starts a thread in `l'`, and the thread in `l` stays. A
//! target is written `s|l,l,…`, an initial state `s|l,…/u,…` where any number of threads start in each `u`.
//! `grammar/tts.md` describes the format and its corners.
//!
//! States are numbers below [`MOST_STATES`]; nothing is allocated for a state that no line mentions.

use super::names::Names;
use super::net::{Initial, Net, PlaceId, Sweep, Target, Transition};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::{SourceFile, Span};
use std::collections::BTreeMap;

mod tokens;

use tokens::{Line, Token, lines};

/// Files with more shared or local states are refused: nobody could look at each of them.
pub const MOST_STATES: u32 = 1 << 24;

/// As many errors are told; further ones are only counted.
const MOST_ERRORS: usize = 20;

/// Reads the transitions. The net has no initial states and no targets yet.
///
/// # Errors
/// The file is malformed.
pub fn parse(source: &SourceFile) -> Result<Net, Vec<Diagnostic>> {
    let mut lines = lines(source);
    let header = lines.next().ok_or_else(|| vec![no_header(source)])?;
    let size = size(header).map_err(|error| vec![error])?;
    let mut transitions = IndexVec::new();
    let mut errors = Errors::default();
    for line in lines {
        match transition(line, size) {
            Ok(transition) => drop(transitions.push(transition)),
            Err(error) => errors.push(error),
        }
    }
    errors.finish()?;
    let (controls, places) = (Names::numbered(size.shared as usize), Names::numbered(size.local as usize));
    Ok(checked(Net { controls, places, transitions, initial: Vec::new(), targets: Vec::new() }))
}

/// Reads targets, one per line; covering any of them counts.
///
/// # Errors
/// The file is malformed, or names states that the system does not have.
pub fn parse_targets(net: &Net, source: &SourceFile) -> Result<Vec<Target>, Vec<Diagnostic>> {
    let size = Size::of(net);
    let mut targets = Vec::new();
    let mut errors = Errors::default();
    for line in lines(source) {
        match target(line, size) {
            Ok(target) => targets.push(target),
            Err(error) => errors.push(error),
        }
    }
    errors.finish()?;
    if targets.is_empty() {
        let error = Diagnostic::error(end(source), "there is no target").help(TARGET_FORM);
        return Err(vec![error]);
    }
    Ok(targets)
}

/// Reads an initial state, such as `0|0` (one thread), `0/0` (any number of threads) or `0|0,1/10`.
///
/// # Errors
/// It is malformed, or names states that the system does not have. The text stands in for the file.
pub fn parse_initial(net: &Net, text: &str) -> Result<Initial, Diagnostic> {
    let source = SourceFile::new("initial state", text);
    let mut lines = lines(&source);
    let line = lines
        .next()
        .ok_or_else(|| Diagnostic::error(Span::default(), "there is no initial state").help(INITIAL_FORM))?;
    if let Some(further) = lines.next() {
        return Err(Diagnostic::error(further.span(), "there is more than one initial state"));
    }
    initial(line, Size::of(net))
}

const TARGET_FORM: &str = "write the shared state and the local states of threads, as in `2|0,1,1`";
const INITIAL_FORM: &str = "write `0|0` for one thread in local state 0 of shared state 0, `0/0` for any number \
     of threads there, or both, as in `0|0,1/10`";

/// A line that has been read, or why not.
type Read<T> = Result<T, Diagnostic>;

/// The numbers of shared and local states.
#[derive(Clone, Copy)]
struct Size {
    shared: u32,
    local: u32,
}

impl Size {
    fn of(net: &Net) -> Self {
        let number = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        Self { shared: number(net.controls.len()), local: number(net.places.len()) }
    }
}

/// What is wrong with a file, cut short.
#[derive(Default)]
struct Errors {
    told: Vec<Diagnostic>,
    more: usize,
}

impl Errors {
    fn push(&mut self, error: Diagnostic) {
        if self.told.len() < MOST_ERRORS {
            self.told.push(error);
        } else {
            self.more += 1;
        }
    }

    fn finish(mut self) -> Result<(), Vec<Diagnostic>> {
        match self.told.last() {
            None => return Ok(()),
            Some(last) if self.more > 0 => {
                let span = last.primary.span;
                self.told.push(Diagnostic::more_errors(span, self.more));
            }
            Some(_) => {}
        }
        Err(self.told)
    }
}

fn checked(net: Net) -> Net {
    debug_assert_eq!(net.check(), Ok(()));
    net
}

fn end(source: &SourceFile) -> Span {
    Span::new(source.text().len(), source.text().len())
}

fn no_header(source: &SourceFile) -> Diagnostic {
    Diagnostic::error(end(source), "the file is empty")
        .help("the first line is the number of shared states and the number of local states")
}

fn size(mut line: Line<'_>) -> Read<Size> {
    let what = "the number of shared states and the number of local states";
    let shared = line.number(what)?;
    let local = line.number(what)?;
    line.end("the numbers of states stand on a line of their own")?;
    for (number, span) in [shared, local] {
        if number == 0 || number > u64::from(MOST_STATES) {
            let error = Diagnostic::error(span, format!("{number} states"));
            return Err(error.help(format!("there may be 1 to {MOST_STATES} shared and local states")));
        }
    }
    Ok(Size { shared: narrow(shared.0), local: narrow(local.0) })
}

/// A number that is known to be small.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).expect("a number below the number of states")
}

fn shared<I: Index>(line: &mut Line<'_>, size: Size) -> Read<I> {
    state(line, size.shared, "shared")
}

fn local(line: &mut Line<'_>, size: Size) -> Read<PlaceId> {
    state(line, size.local, "local")
}

fn state<I: Index>(line: &mut Line<'_>, count: u32, kind: &str) -> Read<I> {
    let (number, span) = line.number(&format!("a {kind} state"))?;
    if number >= u64::from(count) {
        let error = Diagnostic::error(span, format!("there is no {kind} state {number}"));
        return Err(error.help(format!("the {kind} states are 0 to {}, by the first line", count - 1)));
    }
    Ok(I::new(narrow(number) as usize))
}

fn transition(mut line: Line<'_>, size: Size) -> Read<Transition> {
    let (from, source) = (shared(&mut line, size)?, local(&mut line, size)?);
    let arrow = line.next();
    let arrow = arrow.ok_or_else(|| line.missing("`->`, `~>` or `+>`"))?;
    if !matches!(arrow.token, Token::Step | Token::Transfer | Token::Spawn) {
        return Err(Diagnostic::error(arrow.span, "`->`, `~>` or `+>` was expected here"));
    }
    let (to, target) = (shared(&mut line, size)?, local(&mut line, size)?);
    let (take, sweep, give) = match arrow.token {
        Token::Transfer => (vec![], swept(BTreeMap::from([(source, vec![target])])), vec![]),
        Token::Spawn => (vec![(source, 1)], vec![], counted(vec![source, target])),
        _ => (vec![(source, 1)], swept(passive_moves(&mut line, size)?), vec![(target, 1)]),
    };
    line.end("only a step `->` can be followed by moves of other threads")?;
    Ok(Transition { from, to, take, sweep, give, line: line.number })
}

/// `a ~> b` as often as it stands there.
fn passive_moves(line: &mut Line<'_>, size: Size) -> Read<BTreeMap<PlaceId, Vec<PlaceId>>> {
    let mut moves: BTreeMap<PlaceId, Vec<PlaceId>> = BTreeMap::new();
    while !line.is_empty() {
        let source = local(line, size)?;
        match line.next() {
            Some(next) if next.token == Token::Transfer => {}
            Some(next) => return Err(Diagnostic::error(next.span, "`~>` was expected here")),
            None => return Err(line.missing("`~>`")),
        }
        moves.entry(source).or_default().push(local(line, size)?);
    }
    Ok(moves)
}

/// A state whose only move is to itself is not swept.
fn swept(moves: BTreeMap<PlaceId, Vec<PlaceId>>) -> Vec<(PlaceId, Sweep)> {
    let sorted = moves.into_iter().map(|(source, mut targets)| {
        targets.sort_unstable();
        targets.dedup();
        (source, targets)
    });
    let moving = sorted.filter(|(source, targets)| targets != &[*source]);
    moving.map(|(source, targets)| (source, Sweep::Move(targets))).collect()
}

/// How often each place occurs.
fn counted(mut places: Vec<PlaceId>) -> Vec<(PlaceId, u32)> {
    places.sort_unstable();
    let runs = places.chunk_by(|one, other| one == other);
    runs.map(|run| (run[0], u32::try_from(run.len()).expect("files are below 4 GiB"))).collect()
}

fn target(mut line: Line<'_>, size: Size) -> Read<Target> {
    let control = shared(&mut line, size)?;
    let tokens = counted(listed(&mut line, &Token::Bar, size)?);
    line.end(TARGET_FORM)?;
    Ok(Target { control, tokens })
}

fn initial(mut line: Line<'_>, size: Size) -> Read<Initial> {
    let control = shared(&mut line, size)?;
    let tokens = counted(listed(&mut line, &Token::Bar, size)?);
    let mut unbounded = listed(&mut line, &Token::Slash, size)?;
    unbounded.sort_unstable();
    unbounded.dedup();
    line.end(INITIAL_FORM)?;
    Ok(Initial { control, tokens, unbounded })
}

/// Local states behind a mark, separated by commas; none if the mark is not there, or nothing follows it.
fn listed(line: &mut Line<'_>, mark: &Token, size: Size) -> Read<Vec<PlaceId>> {
    let mut states = Vec::new();
    if !line.skip(mark) || line.is_empty() {
        return Ok(states);
    }
    states.push(local(line, size)?);
    while line.skip(&Token::Comma) {
        states.push(local(line, size)?);
    }
    Ok(states)
}

#[cfg(test)]
mod tests;
