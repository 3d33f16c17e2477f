//! Certificates: what an engine says is checked again by the reference semantics.
//!
//! A counterexample is replayed step by step ([`replay()`]). A trace with shared segments can be
//! exponentially longer than it is written; replay checks each segment once, and [`expand()`] writes a
//! trace out in full where that is short enough. Runs of nets are replayed by [`replay_net`].

mod expand;
mod flow;
mod mismatch;
mod net;
mod replay;
#[cfg(test)]
mod tests;

pub use expand::{expand, expanded_length};
pub use mismatch::{Mismatch, Place};
pub use net::replay_net;
pub use replay::replay;
