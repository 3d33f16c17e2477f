//! What models of pthread say of locks and waits.

use crate::checks::held::note_step;
use crate::checks::{Event, LockStep};
use crate::ir::{Operand, Type};
use crate::lower::body::{Body, Step};

impl<'m> Body<'_, 'm> {
    /// Something happens to a lock.
    pub fn lock_step(&mut self, step: LockStep, arguments: &'m [(Operand, Type)]) -> Step {
        let Some((lock, _)) = arguments.first() else { return Ok(()) };
        let misuse = arguments.get(1).map(|(operand, _)| operand);
        self.offer(&Event::Lock { step, lock, misuse })?;
        note_step(self, step, lock);
        Ok(())
    }

    /// The thread is about to wait, and not for a lock.
    pub fn waits(&mut self, arguments: &'m [(Operand, Type)]) -> Step {
        let what = arguments.first().and_then(|(operand, _)| self.string(operand));
        self.offer(&Event::Wait(&what.unwrap_or_default()))
    }
}
