//! Paths: what simulation and refinement make of the sequence of edges that an abstract counterexample follows.
//!
//! A path is straight-line code, however many calls, loops and threads it goes through. Here it is unrolled, once for all who look at
//! paths: each step assigns values to variables of one activation, and a variable of an activation is an *instance*, which no other
//! activation of the same procedure, in whatever thread, has anything to do with.
//!
//! | file | what |
//! |---|---|
//! | `frames` | the activations of a path: which one each step belongs to, and whether the path is one |
//! | `position` | where on a path a constraint stands |
//! | `line` | the path as straight-line code: what each step assigns, blocks, calls, returns and starts of threads alike |
//! | `wanted` | sets of instances, as walks back along a path use them |
//! | `unroll` | values along a path, forwards: every instance is a term over arbitrary initial values and inputs |
//!
//! Deviations from static single assignment \[CFR+91\]: there are no joins on a path, and so no φ-functions. A value gets a name of
//! its own only where terms would become too deep (`simulate::execute`); else it is put in the place of its variable, so that
//! constants are propagated on the way, and a read of memory finds the write that it reads from as long as the addresses are seen to be
//! the same, or to differ. What depends on other constraints of the path, such as that two pointers differ, is resolved for each
//! query (`term::resolve`), because a core must name the constraints that were used.

pub mod frames;
pub mod line;
pub mod position;
pub mod unroll;
pub mod wanted;

#[cfg(test)]
mod tests;

pub use frames::{Activation, Frames, globals_written};
pub use line::{Assignments, Kind, Line, Value};
pub use position::{Position, guard_conjuncts, guard_counts, of_step};
pub use unroll::Unrolling;
pub use wanted::{Instance, Instances, instance};
