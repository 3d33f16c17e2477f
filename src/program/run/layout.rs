//! Where the values of variables are kept during a run: dense numbers instead of symbols.

use crate::ground::index::IndexVec;
use crate::program::{ProcedureId, Program, Scope};
use crate::term::{Sort, Symbol};

/// Whose values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    /// The values of all threads.
    Global,
    /// Those of one activation.
    Local,
}

/// Where a variable is kept: a number among the scalars or among the arrays, as its sort says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub space: Space,
    pub number: u32,
}

/// The symbols of one space, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub scalars: Vec<Symbol>,
    pub arrays: Vec<Symbol>,
}

impl Frame {
    fn add(&mut self, program: &Program, symbol: Symbol) -> u32 {
        let list = match is_array(program, symbol) {
            true => &mut self.arrays,
            false => &mut self.scalars,
        };
        list.push(symbol);
        u32::try_from(list.len() - 1).expect("fewer than 2^32 variables")
    }
}

/// Slots of all variables.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Slots of variables; inputs have none.
    slots: IndexVec<Symbol, Option<Slot>>,
    pub globals: Frame,
    pub frames: IndexVec<ProcedureId, Frame>,
}

impl Layout {
    pub fn new(program: &Program) -> Self {
        let mut slots = IndexVec::filled(None, program.variables.len());
        let mut globals = Frame::default();
        let mut frames = IndexVec::filled(Frame::default(), program.procedures.len());
        for (symbol, variable) in program.variables.enumerate() {
            slots[symbol] = match variable.scope {
                Scope::Global => Some(Slot { space: Space::Global, number: globals.add(program, symbol) }),
                Scope::Local(procedure) => {
                    Some(Slot { space: Space::Local, number: frames[procedure].add(program, symbol) })
                }
                Scope::Input => None,
            };
        }
        Self { slots, globals, frames }
    }

    /// The slot of a variable that is no input.
    pub fn slot(&self, symbol: Symbol) -> Option<Slot> {
        self.slots[symbol]
    }
}

/// Whether the variable is an array.
pub(super) fn is_array(program: &Program, symbol: Symbol) -> bool {
    matches!(program.store.sort_of_symbol(symbol), Sort::Array { .. })
}

/// The width of a scalar, or of the elements of an array.
pub(super) fn width(program: &Program, symbol: Symbol) -> u32 {
    match program.store.sort_of_symbol(symbol) {
        Sort::Boolean => 1,
        Sort::Bits(width) => width,
        Sort::Array { element, .. } => element,
    }
}

/// A length as the number of the next thing.
pub(super) fn number(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than 2^32 of anything on an edge")
}
