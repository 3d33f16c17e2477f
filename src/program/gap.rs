//! Where a check that was asked for does not look.

use crate::ir::Place;
use crate::ir::undefined::Fault;

/// A place where a fault that was asked for is not looked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Gap {
    /// Which fault.
    pub fault: Fault,
    /// Where, if it is about a place.
    pub place: Option<Place>,
    /// What is not looked at there, in words that complete "faults of kind race are not looked for: …".
    pub what: &'static str,
}
