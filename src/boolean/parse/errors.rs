//! Syntax errors as they are collected.

use crate::ground::diagnostic::Diagnostic;

/// How many errors are told; the rest is only counted.
const TOLD: usize = 50;

/// The errors found so far.
#[derive(Default)]
pub struct Errors {
    told: Vec<Diagnostic>,
    untold: usize,
}

impl Errors {
    /// Adds an error.
    pub fn push(&mut self, error: Diagnostic) {
        if self.told.len() < TOLD { self.told.push(error) } else { self.untold += 1 }
    }

    /// Whether there is no error.
    pub fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// Forgets the errors at or behind an offset.
    pub fn forget_from(&mut self, offset: u32) {
        self.told.retain(|error| error.primary.span.start < offset);
        self.untold = 0;
    }

    /// The errors, with a last one that counts those not told.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        if let (Some(last), true) = (self.told.last(), self.untold > 0) {
            self.told.push(Diagnostic::more_errors(last.primary.span, self.untold));
        }
        self.told
    }
}
