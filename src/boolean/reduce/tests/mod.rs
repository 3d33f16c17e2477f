//! Tests of the transformations: on programs built by hand, and on generated ones against the interpreter.

mod examples;
mod generated;
