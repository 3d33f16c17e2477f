//! What loops need: bounds and relations of the variables that they move (see `loops`).
//!
//! They are to exclude the contradiction together with all guards about its variables: a loop that is unwound a few times may
//! need no guard for its contradiction, but its invariant does. If that is not enough, they are to exclude the whole path,
//! since what a loop leaves behind may be asked for later only.

use super::guards::condition_atoms;
use super::{Question, Source, Target};
use crate::ground::reason::Stop;
use crate::refine::Candidate;
use crate::refine::loops::{self, Kind};
use indexmap::IndexSet;

/// Bounds, and relations between variables that move together.
pub(in crate::refine) struct Relations;

impl Source for Relations {
    fn reason(&self) -> &'static str {
        "bound or relation of variables that a loop moves"
    }

    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        Ok(loops::candidates(&mut question.program, &question.conflict.line, Kind::Relations))
    }
}

/// The values that variables start with, as bounds.
pub(in crate::refine) struct Starts;

impl Source for Starts {
    fn reason(&self) -> &'static str {
        "value that a variable of a loop starts with"
    }

    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        Ok(loops::candidates(&mut question.program, &question.conflict.line, Kind::Starts))
    }
}

/// Bounds, relations and conditions of the whole path.
pub(in crate::refine) struct Ends;

impl Source for Ends {
    fn reason(&self) -> &'static str {
        "what a loop leaves behind"
    }

    fn target(&self) -> Target {
        Target::End
    }

    fn candidates(&self, question: &mut Question<'_>) -> Result<IndexSet<Candidate>, Stop> {
        let whole = &question.conflict.whole;
        let mut found = condition_atoms(&mut question.program, whole.path);
        found.extend(loops::candidates(&mut question.program, whole, Kind::Relations));
        Ok(found)
    }
}
