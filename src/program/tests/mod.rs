//! Tests of the passes: a program behaves the same before and after.

mod choosers;
mod compose;
mod passes;
mod text;

pub(crate) use choosers::{Seeded, every_run, is_unwritten};
