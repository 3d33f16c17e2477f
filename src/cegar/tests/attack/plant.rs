//! What a check offers: an object, and a few statements on it that go wrong if `wrong` is not zero.

use crate::ir::undefined::Fault;
use crate::program::generate::Random;

/// Pieces of C. `@L` is the object, an lvalue of type `T`; `@W` is an `int` that is 0 if nothing is to go wrong.
#[derive(Clone, Debug, Default)]
pub(super) struct Plant {
    /// The check that the fault belongs to; none for assertions.
    pub fault: Option<Fault>,
    /// Defines the type `T`.
    pub define: String,
    /// Functions and variables that the pieces need.
    pub top: String,
    /// Sets the object up.
    pub prepare: String,
    /// Where the fault happens.
    pub operate: String,
    /// What another thread does at the same time, if it takes two.
    pub second: String,
    /// Releases what the object holds.
    pub finish: String,
}

impl Plant {
    /// With a type.
    pub fn of(fault: Fault, define: impl Into<String>) -> Self {
        Self { fault: Some(fault), define: define.into(), ..Self::default() }
    }

    pub fn top(self, top: impl Into<String>) -> Self {
        Self { top: top.into(), ..self }
    }

    pub fn prepare(self, prepare: impl Into<String>) -> Self {
        Self { prepare: prepare.into(), ..self }
    }

    pub fn operate(self, operate: impl Into<String>) -> Self {
        Self { operate: operate.into(), ..self }
    }

    pub fn second(self, second: impl Into<String>) -> Self {
        Self { second: second.into(), ..self }
    }

    pub fn finish(self, finish: impl Into<String>) -> Self {
        Self { finish: finish.into(), ..self }
    }
}

/// What a check is asked for.
pub(super) struct Wish<'a> {
    pub random: &'a mut Random,
    /// Whether a library function is to be part of it.
    pub library: bool,
    /// Whether the place starts as zeros.
    pub zero: bool,
}

impl Wish<'_> {
    /// One of these.
    pub fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.random.below(of.len())]
    }

    /// A number of `least` to `most`.
    pub fn number(&mut self, least: usize, most: usize) -> usize {
        least + self.random.below(most - least + 1)
    }
}
