//! Certificates: what an engine says is checked again by the reference semantics.
//!
//! A counterexample is replayed step by step ([`replay()`]). A trace with shared segments can be
//! exponentially longer than it is written; replay checks each segment once, and [`expand()`] writes a
//! trace out in full where that is short enough.

mod expand;
mod mismatch;
mod replay;
#[cfg(test)]
mod tests;

pub use expand::{expand, expanded_length};
pub use mismatch::{Mismatch, Place};
pub use replay::replay;
