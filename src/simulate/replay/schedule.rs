//! Which thread the machine lets go on, so that its run follows a path.
//!
//! The machine asks before every access that others can see: whoever is chosen makes its next access. A path has such
//! accesses, too, in an order: the next one of all is granted. What the machine does without asking, because only one
//! thread can go on, is found by the lines of C. Both do not agree on what others can see in every case, and several
//! accesses may stand in one line; so there is some freedom, and a list says at which questions the thread that asks is
//! just let go on, or has to wait. [`Deviations`] tries such lists, the shorter ones first.

use crate::ir::Place;
use crate::predicate::PathStep;
use crate::program::{Action, Program, Scope};

/// Follows the order of a path.
pub(super) struct Schedule {
    /// For each step: the thread, its lines, and whether others see it.
    steps: Vec<Seen>,
    /// For each thread the number of the first step that it has not made.
    done: Vec<usize>,
    /// The thread that was let go on last.
    current: usize,
    /// How many questions there were.
    pub questions: usize,
    /// Questions that are answered in another way.
    deviations: Vec<(usize, Deviation)>,
}

/// Another way to answer a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deviation {
    /// The thread that asks goes on.
    GoOn,
    /// Another one does.
    Wait,
}

struct Seen {
    thread: usize,
    lines: Vec<(crate::ir::FileId, u32)>,
    visible: bool,
}

impl Schedule {
    pub fn new(program: &Program, path: &[PathStep], deviations: Vec<(usize, Deviation)>) -> Self {
        let threads = path.iter().map(|step| step.thread + 1).max().unwrap_or(1);
        let mut atomic = vec![false; threads];
        let mut seen = |step: &PathStep| {
            let edge = &program.procedures[step.procedure].edges[step.edge];
            let within = atomic[step.thread];
            match edge.action {
                Action::AtomicBegin => atomic[step.thread] = true,
                Action::AtomicEnd => atomic[step.thread] = false,
                _ => {}
            }
            let lines = edge.places.iter().map(|place| (place.file, place.line)).collect();
            Seen { thread: step.thread, lines, visible: !within && is_visible(program, step) }
        };
        let steps: Vec<Seen> = path.iter().map(&mut seen).collect();
        // Nobody asks before there are two threads.
        let is_start = |step: &PathStep| {
            matches!(program.procedures[step.procedure].edges[step.edge].action, Action::Start { .. })
        };
        let first = path.iter().position(is_start).map_or(0, |number| number + 1);
        Self { steps, done: vec![first; threads], current: 0, questions: 0, deviations }
    }

    /// The next step of a thread that others see, perhaps at a line.
    fn next(&self, thread: usize, place: Option<Place>) -> Option<usize> {
        let from = *self.done.get(thread)?;
        let here = |step: &Seen| place.is_none_or(|place| step.lines.contains(&(place.file, place.line)));
        let wanted = |step: &Seen| step.thread == thread && step.visible && here(step);
        self.steps[from..].iter().position(wanted).map(|number| from + number)
    }

    /// The thread that goes on, of those that can; asked by the current one, before what it does at this place.
    pub fn choose(&mut self, place: Option<Place>, enabled: &[u64]) -> u64 {
        let number = self.questions;
        self.questions += 1;
        let can = |thread: usize| enabled.contains(&(thread as u64));
        let asks = self.current;
        let has_more = self.next(asks, None).is_some();
        let pending = place.and_then(|_| self.next(asks, place));
        let deviates = |how: Deviation| self.deviations.contains(&(number, how));
        let waits = deviates(Deviation::Wait) && enabled.len() > 1;
        if can(asks) && !waits && (deviates(Deviation::GoOn) || has_more && pending.is_none()) {
            return asks as u64;
        }
        if let Some(pending) = pending.filter(|_| !waits) {
            self.done[asks] = pending;
        }
        let threads = (0..self.done.len()).filter(|&thread| can(thread) && !(waits && thread == asks));
        let next = threads.filter_map(|thread| Some((self.next(thread, None)?, thread))).min();
        let Some((step, thread)) = next else { return self.rest(enabled) };
        self.done[thread] = step + 1;
        self.current = thread;
        thread as u64
    }

    /// Whether the run goes on for much longer than the path.
    pub fn is_over(&self) -> bool {
        self.questions > self.steps.len() * 4 + SPARE
    }

    /// The path says nothing more that others see: the thread of its last step finishes it.
    fn rest(&mut self, enabled: &[u64]) -> u64 {
        let last = self.steps.last().map_or(0, |step| step.thread as u64);
        let chosen = if enabled.contains(&last) { last } else { enabled.first().copied().unwrap_or(0) };
        self.current = chosen as usize;
        chosen
    }
}

/// Whether others can see a step.
fn is_visible(program: &Program, step: &PathStep) -> bool {
    let edge = &program.procedures[step.procedure].edges[step.edge];
    let shared = |symbol| program.variables[symbol].scope == Scope::Global;
    match &edge.action {
        Action::Block(_) => {
            let mut read = edge.terms().into_iter().flat_map(|term| program.store.free_symbols(term));
            read.any(shared) || edge.writes().into_iter().any(shared)
        }
        Action::Start { .. } | Action::AtomicBegin => true,
        _ => false,
    }
}

/// Lists of questions, by length.
pub(super) struct Deviations {
    known: std::vec::IntoIter<Vec<(usize, Deviation)>>,
}

/// So many questions are answered anyway.
const SPARE: usize = 200;
/// Questions behind these are not looked at.
const FIRST: usize = 60;
/// Two questions at once are tried among the first so many.
const PAIRS: usize = 16;

impl Deviations {
    /// Those of a run with so many questions.
    pub fn of(questions: usize) -> Self {
        let ways = |number: usize| [(number, Deviation::GoOn), (number, Deviation::Wait)];
        let mut known: Vec<_> = (0..questions.min(FIRST)).rev().flat_map(ways).map(|one| vec![one]).collect();
        for first in (0..questions.min(PAIRS)).flat_map(ways) {
            let seconds = (first.0 + 1..questions.min(PAIRS)).flat_map(ways);
            known.extend(seconds.map(|second| vec![first, second]));
        }
        Self { known: known.into_iter() }
    }
}

impl Iterator for Deviations {
    type Item = Vec<(usize, Deviation)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.known.next()
    }
}
