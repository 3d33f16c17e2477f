//! Inputs of a step: asked for once, whichever edge they are for.
//!
//! Edges that leave one location may stand for one statement of C each of whose continuations is an edge, and then
//! each has a symbol of its own for what C asks for once. So the edges of a location share what was drawn: the
//! *n*-th input of a class (same origin in C, same sort) is the same value for all of them. What the taken edge did
//! not use is kept for the steps that follow. Any value is right for any input, so this excludes no run; it makes
//! runs with the same answers comparable, whatever blocks the edges were merged to.

use super::layout::{is_array, width};
use crate::program::{Program, Role};
use crate::term::Symbol;
use indexmap::IndexSet;
use std::collections::VecDeque;

/// Inputs that are asked for in the same words.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    known: IndexSet<(String, u32, bool)>,
}

impl Classes {
    /// The class of an input.
    pub fn of(&mut self, program: &Program, symbol: Symbol) -> usize {
        let origin = match &program.variables[symbol].role {
            Role::Input(origin) => origin.clone(),
            _ => String::new(),
        };
        self.known.insert_full((origin, width(program, symbol), is_array(program, symbol))).0
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }
}

/// Values that were drawn and not used yet, by class.
#[derive(Clone, Hash, Debug)]
pub(super) struct Pending {
    classes: Vec<VecDeque<u128>>,
}

impl Pending {
    pub fn new(classes: usize) -> Self {
        Self { classes: vec![VecDeque::new(); classes] }
    }

    /// The value with this number in its class; what is missing is drawn.
    pub fn value(&mut self, class: usize, occurrence: usize, mut draw: impl FnMut() -> u128) -> u128 {
        let queue = &mut self.classes[class];
        while queue.len() <= occurrence {
            queue.push_back(draw());
        }
        queue[occurrence]
    }

    /// The first value of the class is used up.
    pub fn consume(&mut self, class: usize) {
        self.classes[class].pop_front();
    }
}
