//! What every other module stands on: ids, source text, diagnostics, limits, events, exit codes.

pub mod bits;
pub mod diagnostic;
pub mod event;
pub mod exit;
pub mod graph;
pub mod index;
pub mod limits;
pub mod reason;
pub mod source;
