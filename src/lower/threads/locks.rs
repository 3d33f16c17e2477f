//! What models of pthread say of locks and waits.

use crate::checks::held::note_step;
use crate::checks::{Event, LockStep};
use crate::ir::strings::text_of;
use crate::ir::{Operand, Type};
use crate::lower::body::{Body, Step};

/// Something happens to a lock.
pub(in crate::lower) fn step<'m>(
    body: &mut Body<'_, 'm>,
    step: LockStep,
    arguments: &'m [(Operand, Type)],
) -> Step {
    let Some((lock, _)) = arguments.first() else { return Ok(()) };
    let misuse = arguments.get(1).map(|(operand, _)| operand);
    body.offer(&Event::Lock { step, lock, misuse })?;
    note_step(body, step, lock);
    Ok(())
}

/// The thread is about to wait, and not for a lock.
pub(in crate::lower) fn wait<'m>(body: &mut Body<'_, 'm>, arguments: &'m [(Operand, Type)]) -> Step {
    let what = arguments.first().and_then(|(operand, _)| text_of(body.lowering.module, operand));
    body.offer(&Event::Wait(&what.unwrap_or_default()))
}
