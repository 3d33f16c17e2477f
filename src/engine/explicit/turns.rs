//! Whose turn it is, and how often it has changed: for questions that bound the number of context switches \[QR05\].
//!
//! A change of the running thread is a context switch, also after a thread has ended. Without a bound all turns are the
//! same, so that states are told apart by themselves alone.

use crate::boolean::interpret::{Effect, Successor};

/// Which thread ran last, by its position, and the context switches up to here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Turn {
    /// None if it has ended.
    current: Option<usize>,
    switches: usize,
}

/// The bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    /// How many context switches a run may have; none if any number.
    pub most: Option<usize>,
}

impl Turns {
    /// The first thread begins.
    pub fn first(self) -> Turn {
        Turn { current: self.most.map(|_| 0), switches: 0 }
    }

    /// It becomes the turn of a thread, if the bound allows.
    pub fn at(self, turn: Turn, thread: usize) -> Option<Turn> {
        let Some(most) = self.most else { return Some(turn) };
        let switches = turn.switches + usize::from(turn.current != Some(thread));
        (switches <= most).then_some(Turn { current: Some(thread), switches })
    }

    /// The turn after a step, if the bound allows that step.
    pub fn after(self, turn: Turn, step: &Successor) -> Option<Turn> {
        let turn = self.at(turn, step.thread)?;
        let ended = step.effect == Effect::Ended;
        Some(Turn { current: turn.current.filter(|_| !ended), ..turn })
    }
}
