//! Tests of terms.

mod arithmetic;
mod exhaustive;
pub(crate) mod generate;
mod random;
mod rules;
