//! Slicing \[Wei84\]: a smaller program for some of the properties.
//!
//! A slice leaves out what cannot affect whether these properties are violated, or whether a run gets to what is not
//! modelled: variables, conditions, calls, whole procedures. It may do more than the program, never less: where
//! a condition is left out, both ways are open, and a loop that affects nothing is gone even if it does not end. So what holds of the slice
//! holds of the program, however the slice was found; `certify::slice` checks that edge by edge. A violation of the slice may be
//! none of the program, which only the machine can tell.
//!
//! | file | what |
//! |---|---|
//! | `facts` | what edges read and write, and whether one edge of a location can always be taken |
//! | `anchors` | the locations of a procedure that stay, and where control gets next from the others |
//! | `search` | the least set of variables, anchors and procedures that is closed under dependences |
//! | `build` | the program that remains |
//!
//! Data dependences do not look at the order of steps: a variable matters everywhere or nowhere. That is coarse, but right with
//! threads, and memory is apart by regions anyway. Control dependences are *weak* \[DBH+11\]: a location
//! stays if different anchors may come next after it. Ends of the run and guards of which none may hold (assumptions, locks)
//! count as something that happens, and with threads so do loops, by which threads wait for each other.

mod anchors;
mod build;
mod facts;
mod search;

use super::{EdgeId, LocationId, ProcedureId, Program, PropertyId};
use crate::ground::index::IndexVec;
use crate::term::Symbol;
use std::collections::BTreeSet;

/// A program that can do whatever another one can, as far as some properties are concerned.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The smaller program. Procedures, locations, variables and properties have the same ids.
    pub program: Program,
    /// The variables that it speaks of.
    pub variables: IndexVec<Symbol, bool>,
    /// For each procedure that is left: where the slice is while the program is at a location. None: nothing that matters
    /// comes after it.
    pub places: IndexVec<ProcedureId, Option<IndexVec<LocationId, Option<LocationId>>>>,
    /// For each edge of the program its edge in the slice, if it has one.
    pub images: IndexVec<ProcedureId, IndexVec<EdgeId, Option<EdgeId>>>,
}

/// The slice of a program for these properties. Where control may get to what is not modelled matters always.
#[must_use]
pub fn slice(program: &Program, asked: &BTreeSet<PropertyId>) -> Slice {
    let found = search::search(program, asked);
    let slice = build::build(program, &found);
    debug_assert_eq!(super::well_formed::check(&slice.program), []);
    slice
}

impl Slice {
    /// How many edges are left, and of how many.
    #[must_use]
    pub fn edges(&self) -> (usize, usize) {
        let left = self.program.procedures.iter().map(|procedure| procedure.edges.len()).sum();
        (left, self.images.iter().map(IndexVec::len).sum())
    }
}
