//! The states seen, each with the state it was first reached from, and traces read off them.

use crate::boolean::cfg::PropertyId;
use crate::boolean::interpret::{Effect, Interpreter, State, Successor};
use crate::ground::index::IndexVec;
use crate::trace::{Action, Passive, Step, Trace, View};
use indexmap::IndexSet;

/// The states seen, numbered in the order of discovery.
#[derive(Default)]
pub(super) struct History {
    states: IndexSet<State>,
    predecessors: Vec<Option<usize>>,
}

impl History {
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn contains(&self, state: &State) -> bool {
        self.states.contains(state)
    }

    pub(super) fn get(&self, number: usize) -> Option<&State> {
        self.states.get_index(number)
    }

    /// Stores a new state.
    pub(super) fn push(&mut self, state: State, predecessor: Option<usize>) -> usize {
        self.states.insert(state);
        self.predecessors.push(predecessor);
        self.states.len() - 1
    }

    /// The run that first reached a state. Steps are not stored; they are found again.
    pub(super) fn trace(
        &self,
        interpreter: &Interpreter<'_>,
        number: usize,
        thread: usize,
        property: PropertyId,
    ) -> Trace {
        let path = self.path(number);
        let mut numbering = Numbering { threads: vec![0], upcoming: 1 };
        let mut steps = Vec::with_capacity(path.len() - 1);
        for pair in path.windows(2) {
            let mut candidates = interpreter.candidates(pair[0]).flatten();
            let successor =
                candidates.find(|successor| successor.state == *pair[1]).expect("the step was taken before");
            steps.push(numbering.step(pair[0], &successor));
        }
        let initial = view(path[0], 0);
        let thread = numbering.threads[thread];
        Trace { property, thread, initial, steps, segments: IndexVec::new() }
    }

    fn path(&self, last: usize) -> Vec<&State> {
        let mut path: Vec<&State> = std::iter::successors(Some(last), |&number| self.predecessors[number])
            .map(|number| &self.states[number])
            .collect();
        path.reverse();
        path
    }
}

/// What the thread at a position sees.
fn view(state: &State, thread: usize) -> View {
    let top = state.threads[thread].top();
    View { node: Some(top.node), globals: state.globals.clone(), locals: top.locals.clone() }
}

/// The lasting numbers of the threads now alive, by position.
struct Numbering {
    threads: Vec<usize>,
    upcoming: usize,
}

impl Numbering {
    fn step(&mut self, before: &State, successor: &Successor) -> Step {
        let (active, after) = (successor.thread, &successor.state);
        let mut step = Step {
            thread: self.threads[active],
            node: successor.node,
            action: Action::Single,
            after: View { node: None, globals: after.globals.clone(), locals: Default::default() },
            started: None,
            passive: Vec::new(),
        };
        if successor.effect == Effect::Ended {
            self.threads.remove(active);
            return step;
        }
        step.after = view(after, active);
        step.passive = self.changes(before, after, active);
        if successor.effect == Effect::Started {
            step.started = Some(view(after, after.threads.len() - 1));
            self.threads.push(self.upcoming);
            self.upcoming += 1;
        }
        step
    }

    /// The frames of other threads that the step changed.
    fn changes(&self, before: &State, after: &State, active: usize) -> Vec<Passive> {
        let mut changes = Vec::new();
        for other in (0..before.threads.len()).filter(|&other| other != active) {
            let pairs = before.threads[other].frames.iter().zip(&after.threads[other].frames);
            for (depth, (_, frame)) in pairs.enumerate().filter(|(_, (old, new))| old != new) {
                let locals = frame.locals.clone();
                changes.push(Passive { thread: self.threads[other], depth, locals });
            }
        }
        changes
    }
}
