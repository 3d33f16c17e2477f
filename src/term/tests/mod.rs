//! Tests of terms.

mod arithmetic;
mod exhaustive;
pub(crate) mod floats;
pub(crate) mod generate;
mod graph;
mod printed;
mod random;
mod rules;
