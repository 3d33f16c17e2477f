//! Device drivers: a driver of one source file is compiled against our model of the kernel, called by a harness that follows
//! what it registers, and verified for one rule at a time, in the manner of SLAM's rules and the environment models of LDV.
//!
//! | file | what |
//! |---|---|
//! | `kernel` | the headers, models and rules of `drivers/`, as they are built in |
//! | `text` | names and definitions in C text, as far as our own files need it |
//! | `closure` | which definitions of the models a driver needs |
//! | `scan` | what a driver registers: the map that is printed |
//! | `rule` | the language of rules |
//! | `weave` | a rule as C: a function in place of each kernel function that the rule watches |
//! | `harness` | the kernel's side of a run as C: load, bind, use, unbind, unload |
//! | `repair` | what is guessed where headers are missing |
//! | `task` | the files of one verification, in a folder of their own |
//! | `check` | a driver under its rules: what was reached, and the verdicts |
//! | `tell` | the map, the table and the runs as text |
//!
//! It uses `api` like any other program does; nothing below knows of drivers. The closure of definitions is a matter of
//! text: names decide, not scopes, so that it takes too many rather than too few.

pub mod check;
mod closure;
mod harness;
pub mod kernel;
mod repair;
pub mod rule;
pub mod scan;
mod task;
pub mod tell;
#[cfg(test)]
mod tests;
mod text;
mod weave;

pub use check::{Checked, Driver, Options, Row, Standing, check, emitted};
