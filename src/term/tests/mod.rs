//! Tests of terms.

mod arithmetic;
mod exhaustive;
pub(crate) mod generate;
mod graph;
mod random;
mod rules;
