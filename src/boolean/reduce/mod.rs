//! Transformations that make programs smaller and keep the verdict on every checked property.
//!
//! Each edits a copy of the program in place, in its own ids; renumbering then leaves out what nothing leads to
//! and renumbers, so that there is one map back ([`NodeMap`]) whatever was done. [`lift`](lift()) goes back:
//! it turns a counterexample of the reduced program into one of the original.
//!
//! | function | what it does |
//! |---|---|
//! | [`remove_skips`] | bypasses skips and jumps, drops what is unreachable |
//! | [`propagate_constants`] | folds constants and equal variables |
//! | [`slice`](slice()) | keeps what the checked properties depend on |
//! | [`normalise_stars`] | choices become constraints [Bas10, 10.8] |
//! | [`reduce`] | all that pays before an engine: all but the last |

mod compact;
mod constants;
mod facts;
pub mod fold;
mod lift;
mod skips;
mod slice;
mod stars;

#[cfg(test)]
mod tests;

pub use compact::{IdMap, NodeMap, Reduced};
pub use lift::lift;
pub use stars::{bounded_possibilities, possibilities};

use super::cfg::{Program, PropertyId};
use slice::Relevant;

/// The program without skips and jumps, and without what cannot be reached.
#[must_use]
pub fn remove_skips(program: &Program) -> Reduced {
    let mut copy = program.clone();
    skips::bypass(&mut copy);
    compact::compact(&copy, &Relevant::all(&copy))
}

/// The program with constants and equal variables propagated.
#[must_use]
pub fn propagate_constants(program: &Program) -> Reduced {
    let mut copy = program.clone();
    constants::propagate(&mut copy);
    compact::compact(&copy, &Relevant::all(&copy))
}

/// What the checked properties depend on. The other properties stay in the list, but cannot be violated.
#[must_use]
pub fn slice(program: &Program, checked: &[PropertyId]) -> Reduced {
    let mut copy = program.clone();
    slice::uncheck(&mut copy, checked);
    slice::cut_nodes(&mut copy, checked);
    let relevant = slice::cut_variables(&mut copy);
    compact::compact(&copy, &relevant)
}

/// The program without choices in assignments, assumptions and what is enforced.
#[must_use]
pub fn normalise_stars(program: &Program) -> Reduced {
    let mut copy = program.clone();
    stars::normalise(&mut copy);
    compact::compact(&copy, &Relevant::all(&copy))
}

/// The program to give to an engine that is asked about these properties. The others stay in the list, but
/// cannot be violated.
#[must_use]
pub fn reduce(program: &Program, checked: &[PropertyId]) -> Reduced {
    let mut copy = program.clone();
    slice::uncheck(&mut copy, checked);
    slice::cut_nodes(&mut copy, checked);
    constants::propagate(&mut copy);
    // Branches that are now decided may have been the only way from a node to a property.
    slice::cut_nodes(&mut copy, checked);
    let relevant = slice::cut_variables(&mut copy);
    skips::bypass(&mut copy);
    compact::compact(&copy, &relevant)
}
