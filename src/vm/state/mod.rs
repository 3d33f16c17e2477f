//! A run in steps: its state between two of them can be written down, and a run can go on from what was written.
//!
//! A step lets one thread go on until it is about to do something that others can notice; [`Stops`] says what that is. What
//! a run asks during a step (inputs, signals, allocations) is a branch: the step is made once for each answer
//! ([`Script`]). States are written in a canonical form, so that equal ones are the same words: objects
//! are numbered in the order in which they are met, and registers that nobody reads any more are zero.
//!
//! | file | what |
//! |---|---|
//! | `stepper` | one step, from a state to the next one |
//! | `save`, `load` | a state as words, and back |
//! | `words` | parts of a state as words, and numbers packed into them |
//! | `visible` | which objects other threads can reach |
//! | `live`, `registers` | which registers are read later |
//! | `poison` | values in those that are not, to check that |
//! | `script` | what a run asks during a step, all answers one after the other |
//! | `classes` | inputs of which only one comparison matters |
//! | `follow` | the same steps in a run from the start |
//!
//! DIVINE \[Roc15\] lets its interpreter work on packed states; here the machine works on its own memory, and states are read and
//! written. Deviations: a step goes through invisible loops for a while before it ends (a bound on instructions,
//! not on the program counter alone), loads are interleaving points, and registers that nobody reads any more do not count.

mod classes;
mod follow;
mod live;
mod load;
mod poison;
mod registers;
mod save;
mod script;
mod stepper;
mod visible;
mod words;

pub use follow::{Follow, Turn};
pub use script::{Answers, Script};
pub use stepper::{Next, Stepper};
pub use words::{Part, Saved};

pub(super) use classes::classes;
pub(super) use registers::reads;
pub(super) use visible::is_visible;

use live::Live;
use std::cell::OnceCell;

/// Before what a thread stops, so that others can go on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stops {
    /// Every instruction: no reduction.
    Instructions,
    /// Accesses to memory, calls and jumps: τ, chains of other instructions are one step.
    Accesses,
    /// Accesses to memory, and where the thread has been in this step: τ+.
    Loops,
    /// Accesses to what is not local, or had its address stored once, as in all runs of the machine.
    Shared,
    /// Accesses to what other threads can reach now.
    Visible,
}

/// How a run is cut into steps, and how states are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Where steps end.
    pub stops: Stops,
    /// Whether registers that nobody reads any more count.
    pub dead: Dead,
    /// A step that others cannot notice ends after about so many instructions: it may have no end.
    pub patience: u64,
    /// Whether what reductions rest on is computed once more, in another way.
    pub checked: bool,
}

/// What becomes of registers that nobody reads any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dead {
    /// They are zero.
    Forgotten,
    /// They are part of the state.
    Kept,
}

impl Default for Cut {
    fn default() -> Self {
        Self { stops: Stops::Visible, dead: Dead::Forgotten, patience: 4096, checked: false }
    }
}

/// What a run in steps keeps besides its state.
pub(super) struct Stepping {
    pub cut: Cut,
    /// The step has ended; its run has not.
    pub paused: bool,
    /// Memory was lost in an earlier step: nothing leads to it.
    pub lost: bool,
    /// Which objects other threads can reach, as long as that is known.
    visible: OnceCell<Vec<bool>>,
    live: Live,
    /// What was computed once more, and came to something else.
    mismatch: OnceCell<String>,
}

impl Stepping {
    fn new(cut: Cut, functions: usize) -> Self {
        Self {
            cut,
            paused: false,
            lost: false,
            visible: OnceCell::new(),
            live: Live::new(functions),
            mismatch: OnceCell::new(),
        }
    }

    /// Other threads may reach more than before.
    pub(super) fn published(&mut self) {
        self.visible.take();
    }
}
