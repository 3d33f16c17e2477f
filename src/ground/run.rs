//! What every step of the work is given besides its question.

use super::event::Observer;
use super::limits::Limits;

/// When to stop, and whom to tell.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// When to stop.
    pub limits: &'a Limits,
    /// Whom to tell.
    pub observer: &'a dyn Observer,
}
