//! Tests of the lowering on C: what the model does when it is run.

mod faults;
mod programs;
