//! What every other module stands on: ids, source text, diagnostics, limits, events,
//! and the words for results: verdicts, reasons, assumptions, exit codes.

pub mod assurance;
pub mod bits;
pub mod diagnostic;
pub mod event;
pub mod exit;
pub mod fault;
pub mod graph;
pub mod index;
pub mod limits;
pub mod reason;
pub mod rounds;
pub mod run;
pub mod source;
pub mod verdict;
