//! Certificates: what an engine says is checked again by the reference semantics.
//!
//! A counterexample is replayed step by step ([`replay()`]). A trace with shared segments can be
//! exponentially longer than it is written; replay checks each segment once, and [`expand()`] writes a
//! trace out in full where that is short enough. [`trim()`] leaves out steps of other threads
//! that nobody notices, [`commute()`] gives a trace of threads fewer context switches.
//! Runs of nets are replayed by [`replay_net`]. That a slice of a C program can do whatever the program can is checked by [`slice`](mod@slice). Proofs of C programs are checked by [`proof`], and by [`threads`] where threads are
//! started.

mod commute;
#[cfg(test)]
mod commute_tests;
mod expand;
mod flow;
mod mismatch;
mod net;
pub mod proof;
mod replay;
mod schedule;
pub mod slice;
#[cfg(test)]
mod tests;
pub mod threads;
mod trim;

pub use commute::{commute, context_switches};
pub use expand::{expand, expanded_length};
pub use mismatch::{Mismatch, Place};
pub use net::replay_net;
pub use replay::replay;
pub use trim::trim;
