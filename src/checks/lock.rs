//! Misuse of locks: unlocked by others, locked again, or destroyed while they are held.

use super::held::{holds, is_taken};
use super::{Answer, Check, Code, Cut, Event, LockStep, Topic};
use crate::ground::fault::Fault;
use crate::ir::Operand;
use crate::term::Term;

/// Looks for misuse of locks.
pub struct Lock;

impl Check for Lock {
    fn fault(&self) -> Fault {
        Fault::Lock
    }

    fn concerns(&self) -> &'static [Topic] {
        &[Topic::Wait]
    }

    fn offer<'m>(&mut self, event: &Event<'_, 'm>, code: &mut dyn Code<'m>) -> Answer {
        let Event::Lock { step, lock, misuse } = *event else {
            // Conditions, semaphores and joins are no locks.
            let other = matches!(event, Event::Wait(_) | Event::Join);
            return if other { Answer::Never } else { Answer::Unanswered };
        };
        match step {
            LockStep::Reads => Answer::Unseen("what readers of a read-write lock do"),
            LockStep::Takes => Answer::Never,
            _ if !code.asks(Fault::Lock) => Answer::Never,
            _ => {
                // In the words of the program, which a cut may replace.
                let subject = code.term(lock);
                // What is asked is asked here, not where the edge started.
                code.cut_here(Cut::Plain);
                Answer::when(wrong(code, step, lock, misuse), subject)
            }
        }
    }
}

/// Whether a lock is misused.
fn wrong<'m>(
    code: &mut dyn Code<'m>,
    step: LockStep,
    lock: &'m Operand,
    misuse: Option<&'m Operand>,
) -> Term {
    match step {
        LockStep::Wants | LockStep::Again => holds(code, lock),
        LockStep::Leaves | LockStep::Needs => {
            let held = holds(code, lock);
            code.store().not(held)
        }
        LockStep::Anew => is_taken(code, lock),
        LockStep::Misuse => match misuse {
            Some(misuse) => {
                let misuse = code.term(misuse);
                code.is_something(misuse)
            }
            None => code.store().boolean(false),
        },
        LockStep::Takes | LockStep::Reads => code.store().boolean(false),
    }
}
