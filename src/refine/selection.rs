//! Which contradictions of a path are refuted: refinement selection \[BLW15\].
//!
//! A path without a run may have several contradictions, and one that is refuted excludes it. Those about variables that count
//! are put off: to refute them one by one unwinds the loop that counts, which is often one that has nothing to do with the property
//! (a loop that fills a structure, and that the path leaves too early). They are refuted only where the path has no other
//! contradiction, or where no predicates are found against the others.
//!
//! Deviation: the paper ranks the sliced prefixes of a path by their interpolants. Here the contradictions are ranked, before
//! predicates are looked for, since to look for them is what costs.

use crate::path::{Position, guard_counts};
use crate::predicate::PathStep;
use crate::program::Program;
use crate::program::counting::Counting;

/// How welcome a contradiction is; the least is the most welcome.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    /// It is about variables that hold what the program stores in them.
    Plain,
    /// It is about a variable that counts.
    Counts,
}

/// The contradictions of a path, the most welcome first, in their order otherwise.
pub(super) fn ranked<'c>(
    program: &Program,
    path: &[PathStep],
    counting: &Counting,
    cores: &'c [Vec<Position>],
) -> Vec<(Rank, &'c [Position])> {
    let rank = |core: &'c Vec<Position>| (rank(program, path, counting, core), core.as_slice());
    let mut all: Vec<_> = cores.iter().map(rank).collect();
    all.sort_by_key(|&(rank, _)| rank);
    all
}

fn rank(program: &Program, path: &[PathStep], counting: &Counting, core: &[Position]) -> Rank {
    let counts = |&position: &Position| guard_counts(program, counting, path, position);
    if core.iter().any(counts) { Rank::Counts } else { Rank::Plain }
}
