//! What must hold before a path so that it can be taken: weakest preconditions \[DHMNP17\].
//!
//! The walk back along the path starts with the guards of the contradiction, or with the values that their variables have on
//! this path: `x == 3` may be all that matters of a guard with many atoms. A source of its own, the last one, allows
//! preconditions that are like many predicates before: it unwinds a loop, for want of something better.

use super::preconditions::{self, Start};
use super::{Question, Source, Sources, Target, budgets};
use crate::ground::reason::Stop;
use crate::refine::Candidate;
use indexmap::IndexSet;

fn walk(question: &mut Question<'_>, start: Start) -> Result<IndexSet<Candidate>, Stop> {
    let (line, core) = (&question.conflict.line, question.conflict.core);
    preconditions::candidates(&mut question.program, line, core, question.facts, (start, question.limits))
}

/// The values that variables have on the path.
pub(in crate::refine) struct Constants;

impl Source for Constants {
    fn reason(&self) -> &'static str {
        "value of a variable on the path"
    }

    fn target(&self) -> Target {
        Target::Core
    }

    /// One more value of a variable that counts unwinds its loop.
    fn alike(&self) -> usize {
        0
    }

    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        walk(question, Start::Constants)
    }
}

/// Weakest preconditions of the contradiction.
pub(in crate::refine) struct Preconditions;

impl Source for Preconditions {
    fn reason(&self) -> &'static str {
        "weakest precondition"
    }

    fn is_among(&self, sources: Sources) -> bool {
        matches!(sources, Sources::Auto | Sources::Preconditions)
    }

    fn is_offered_anyway(&self) -> bool {
        true
    }

    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        walk(question, Start::Guards)
    }
}

/// Weakest preconditions, however many predicates are like them.
pub(in crate::refine) struct Unwinding;

impl Source for Unwinding {
    fn reason(&self) -> &'static str {
        "weakest precondition, one more like many"
    }

    fn is_among(&self, sources: Sources) -> bool {
        matches!(sources, Sources::Auto | Sources::Preconditions)
    }

    fn alike(&self) -> usize {
        budgets::TOO_ALIKE
    }

    fn is_offered_anyway(&self) -> bool {
        true
    }

    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        walk(question, Start::Guards)
    }
}
