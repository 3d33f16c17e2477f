//! Which thread the machine lets go on, so that its run follows a path.
//!
//! The machine asks before every access that others can see: whoever is chosen makes its next access. A path has such
//! accesses, too, in an order: the next one of all is granted. What the machine does without asking, because only one
//! thread can go on, is found by the lines of C. Both do not agree on what others can see in every case, and several
//! accesses may stand in one line; so there is some freedom, and a list says at which questions the thread that asks is
//! just let go on, or has to wait. [`Deviations`] tries such lists, the shorter ones first.
//!
//! Where races are looked for, every access waits for its turn, the first one of a thread as well: a thread is let go on
//! once to get there. A step of the path that says what a thread is about to access, and no more, is the end of that
//! thread: it must have come to that access, and is not let go on.

use crate::ir::Place;
use crate::predicate::PathStep;
use crate::program::{Action, Program, Role, Scope};
use crate::term::{Node, Symbol, Term};

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

/// Who makes a thread wait for its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turns {
    /// All that others can see, but for the first step of a thread.
    Usual,
    /// Every access.
    All,
}

struct Seen {
    thread: usize,
    lines: Vec<(crate::ir::FileId, u32)>,
    sight: Sight,
}

/// What others see of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sight {
    Nothing,
    /// An access, or the like.
    Something,
    /// The thread comes to its first access.
    Arrival,
    /// The thread has come to an access, and stays there.
    Stay,
}

impl Schedule {
    pub fn new(
        program: &Program,
        path: &[PathStep],
        deviations: Vec<(usize, Deviation)>,
        turns: Turns,
    ) -> Self {
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
            let sight = if within { Sight::Nothing } else { sight(program, step) };
            Seen { thread: step.thread, lines, sight }
        };
        let mut steps: Vec<Seen> = path.iter().map(&mut seen).collect();
        // Nobody asks before there are two threads.
        let is_start = |step: &PathStep| {
            matches!(program.procedures[step.procedure].edges[step.edge].action, Action::Start { .. })
        };
        let first = path.iter().position(is_start).map_or(0, |number| number + 1);
        if turns == Turns::All {
            steps = with_arrivals(steps, threads);
        }
        Self { steps, done: vec![first; threads], current: 0, questions: 0, deviations }
    }

    /// The next step of a thread that others see, perhaps at a line.
    fn next(&self, thread: usize, place: Option<Place>) -> Option<usize> {
        let from = *self.done.get(thread)?;
        let here = |step: &Seen| place.is_none_or(|place| step.lines.contains(&(place.file, place.line)));
        let wanted = |step: &Seen| step.thread == thread && step.sight != Sight::Nothing && here(step);
        self.steps[from..].iter().position(wanted).map(|number| from + number)
    }

    /// The next step that a thread is let go on for.
    fn next_granted(&self, thread: usize) -> Option<usize> {
        self.next(thread, None).filter(|&step| self.steps[step].sight != Sight::Stay)
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
        let next = threads.filter_map(|thread| Some((self.next_granted(thread)?, thread))).min();
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

/// What others see of a step.
fn sight(program: &Program, step: &PathStep) -> Sight {
    let edge = &program.procedures[step.procedure].edges[step.edge];
    let shared = |symbol| program.variables[symbol].scope == Scope::Global;
    let visible = match &edge.action {
        Action::Block(_) => {
            let mut read = edge.terms().into_iter().flat_map(|term| program.store.free_symbols(term));
            read.any(shared) || edge.writes().into_iter().any(shared)
        }
        Action::Start { .. } | Action::AtomicBegin => true,
        _ => false,
    };
    match visible {
        true if announces(program, &edge.action) => Sight::Stay,
        true => Sight::Something,
        false => Sight::Nothing,
    }
}

/// Whether a step says what its thread is about to access. When the program starts, all watches are set to zero.
fn announces(program: &Program, action: &Action) -> bool {
    let Action::Block(block) = action else { return false };
    let watch = |symbol| program.variables[symbol].role == Role::Watch;
    let set = |&(symbol, value): &(Symbol, Term)| {
        watch(symbol) && !matches!(program.store.node(value), Node::Bits(_, 0))
    };
    block.updates.iter().any(set)
}

/// The steps, and before the first one of each thread that others see a step to get there.
fn with_arrivals(steps: Vec<Seen>, threads: usize) -> Vec<Seen> {
    let mut arrived = vec![false; threads];
    // The first thread is there from the beginning.
    arrived[0] = true;
    let mut out = Vec::with_capacity(steps.len() + threads);
    for step in steps {
        if step.sight != Sight::Nothing && !std::mem::replace(&mut arrived[step.thread], true) {
            out.push(Seen { thread: step.thread, lines: Vec::new(), sight: Sight::Arrival });
        }
        out.push(step);
    }
    out
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
