//! The states seen, each with the state it was first reached from, and traces read off them.

use super::turns::Turn;
use crate::boolean::cfg::PropertyId;
use crate::boolean::interpret::{Interpreter, State};
use crate::boolean::trace::Trace;
use crate::boolean::trace::run::trace_of_run;
use indexmap::IndexSet;

/// The states seen, numbered in the order of discovery.
#[derive(Default)]
pub(super) struct History {
    states: IndexSet<(State, Turn)>,
    predecessors: Vec<Option<usize>>,
}

impl History {
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn contains(&self, state: &(State, Turn)) -> bool {
        self.states.contains(state)
    }

    pub(super) fn get(&self, number: usize) -> Option<&(State, Turn)> {
        self.states.get_index(number)
    }

    /// Stores a new state.
    pub(super) fn push(&mut self, state: (State, Turn), predecessor: Option<usize>) -> usize {
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
        let mover = |pair: &[&State]| {
            let mut candidates = interpreter.candidates(pair[0]).flatten();
            let found = candidates.find(|successor| successor.state == *pair[1]);
            found.expect("the step was taken before").thread
        };
        let movers: Vec<usize> = path.windows(2).map(mover).collect();
        trace_of_run(&path, &movers, property, thread)
    }

    fn path(&self, last: usize) -> Vec<&State> {
        let mut path: Vec<&State> = std::iter::successors(Some(last), |&number| self.predecessors[number])
            .map(|number| &self.states[number].0)
            .collect();
        path.reverse();
        path
    }
}
