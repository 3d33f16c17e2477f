//! Sources: where candidates for predicates come from.
//!
//! A source gets a contradiction of a path and proposes terms that may become predicates. It need not be right: the
//! solver tells whether candidates exclude the path (`linked`), and only those that it needs are taken. So to add a source is
//! to add a file here, and a row to the order.
//!
//! | file | source | proposes |
//! |---|---|---|
//! | `guards` | `Core`, `Guards` | atoms of the guards that contradict each other; of all conditions on the path |
//! | `values` | `Constants`, `Preconditions`, `Unwinding` | what variables are on this path; weakest preconditions |
//! | `moving` | `Relations`, `Starts`, `Ends` | bounds and relations of the variables that loops move |
//! | `ghosts` | `Entries` | what variables are in terms of what they were at the entry of their procedure |
//! | `preconditions` | | the walk back along the path that `values` proposes from |
//! | `siblings` | | other values that a variable is compared with, added to what another source found |
//! | `budgets` | | how many candidates, and what queries may cost |
//!
//! Cheap and general sources come first, and sources that unwind loops last.

pub(super) mod budgets;
pub(super) mod ghosts;
pub(super) mod guards;
pub(super) mod moving;
pub(super) mod preconditions;
pub(super) mod siblings;
pub(super) mod values;

use super::forward::Facts;
use super::linked::Conflict;
use super::{Candidate, Sources};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::program::overlay::Frozen;
use ghosts::Entries;
use guards::{Core, Guards};
use indexmap::IndexSet;
use moving::{Ends, Relations, Starts};
use values::{Constants, Preconditions, Unwinding};

/// What a source is asked.
pub(super) struct Question<'q> {
    pub program: Frozen<'q>,
    /// The contradiction, and the path to it.
    pub conflict: &'q Conflict<'q>,
    /// What is constant on the path.
    pub facts: &'q Facts,
    pub limits: &'q Limits,
}

/// What the candidates of a source are to exclude.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// The guards of the contradiction.
    Core,
    /// With all guards about its variables, if there is a loop.
    Wide,
    /// The same to the end of the path.
    End,
}

/// Where candidates come from.
pub(super) trait Source {
    /// What users read after a predicate.
    fn reason(&self) -> &'static str;

    /// Whether the user lets predicates come from here.
    fn is_among(&self, sources: Sources) -> bool {
        sources == Sources::Auto
    }

    /// What its candidates are to exclude.
    fn target(&self) -> Target {
        Target::Wide
    }

    /// A candidate about a variable that counts is refused if as many predicates are like it.
    fn alike(&self) -> usize {
        budgets::ALIKE
    }

    /// Whether some of its candidates are added even if nothing is known to exclude the path.
    fn is_offered_anyway(&self) -> bool {
        false
    }

    /// The candidates, the best first.
    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop>;
}

/// A source, for as long as the program runs.
pub(super) type Place = &'static dyn Source;

/// Where to look, in which order. If the contradiction has many atoms, it is rather excluded by the values of its variables.
pub(super) fn order(many_atoms: bool, loops: bool) -> Vec<Place> {
    let mut order: Vec<Place> = match many_atoms {
        true => vec![&Constants, &Core],
        false => vec![&Core, &Constants],
    };
    match loops {
        false => order.extend([&Preconditions as Place, &Guards]),
        // Weakest preconditions unwind loops.
        true => order.extend([&Guards as Place, &Relations, &Starts, &Ends, &Preconditions]),
    }
    order.extend([&Entries as Place, &Unwinding]);
    order
}

/// Where to look if the known predicates would exclude the path, were the abstraction as precise as they allow. It is not, where calls
/// lose how values hang together: predicates closer to the contradiction may need less of that.
pub(super) const NEARBY: [Place; 4] = [&Core, &Preconditions, &Guards, &Unwinding];
