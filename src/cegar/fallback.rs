//! What is tried when refinement finds nothing more: predicates where, and then such as, nobody asked for.
//!
//! Refinement takes predicates for known wherever their procedure runs, while the abstraction tracks them only where their variables are live.
//! If it fails, they are tracked everywhere. Refinement asks which predicates exclude one path, and takes the fewest. Where it fails, predicates that exclude nothing by
//! themselves may still say what the next path needs: what threads keep account of, then the conditions under which properties are
//! violated, then all conditions of the program. Each is tried once, as long as it adds something. What was tried is
//! part of the reason why there is no verdict. Where the user says where predicates may come from, no others are added.

use super::initial::{Initial, accounts, conditions};
use super::stages::Learnt;
use super::{Loop, learn};
use crate::ground::reason::Reason;
use crate::program::tallies::seeds::late_seeds;
use crate::refine::Sources;

/// A source of such predicates, in the order in which they are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fallback {
    /// Predicates are tracked where their variables are dead, too.
    Everywhere,
    /// What threads keep account of under locks.
    Accounts,
    /// The conditions under which properties are violated.
    Properties,
    /// All conditions.
    Conditions,
}

const ORDER: [Fallback; 4] =
    [Fallback::Everywhere, Fallback::Accounts, Fallback::Properties, Fallback::Conditions];

/// No more predicates than this are added at once: each of them costs in every iteration that follows.
const MOST: usize = 100;

impl Fallback {
    /// What it adds, in words.
    fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "predicates over dead variables",
            Self::Accounts => "accounts of counters",
            Self::Properties => "the conditions of properties",
            Self::Conditions => "all conditions",
        }
    }

    /// Whether the user lets predicates come from here.
    fn is_among(self, sources: Sources) -> bool {
        matches!(self, Self::Everywhere | Self::Accounts) || sources == Sources::Auto
    }

    /// Adds its predicates; tells how many are new, or are tracked at more locations.
    fn add(self, search: &mut Loop<'_>) -> usize {
        let number = search.iterations.len();
        let program = &mut *search.task.program;
        match self {
            Self::Everywhere => search.abstractor.track_everywhere(program, &search.precision),
            Self::Accounts => {
                let terms = late_seeds(program);
                accounts(program, &mut search.precision, terms, number)
            }
            Self::Properties => conditions(program, &mut search.precision, Initial::Asserts, (number, MOST)),
            Self::Conditions => conditions(program, &mut search.precision, Initial::Guards, (number, MOST)),
        }
    }
}

/// Tries what was not tried yet, until something is new; whether anything is.
pub(super) fn fall_back(search: &mut Loop<'_>) -> bool {
    while let Some(&next) = ORDER.get(search.record.fallbacks) {
        search.record.fallbacks += 1;
        let new = if next.is_among(search.options.sources) { next.add(search) } else { 0 };
        if new > 0 {
            *search.iteration().sources.entry(next.name().to_owned()).or_default() += new;
            return true;
        }
    }
    false
}

/// Why nothing was learnt, and what was tried.
pub(super) fn why_nothing(search: &Loop<'_>, learnt: &Learnt) -> Reason {
    let tried = |fallback: &&Fallback| {
        search.iterations[search.stage.begun..]
            .iter()
            .any(|iteration| iteration.sources.contains_key(fallback.name()))
    };
    let tried: Vec<&str> = ORDER.iter().filter(tried).map(|fallback| fallback.name()).collect();
    let why = learn::why_nothing(learnt.iter().map(|(_, lesson)| lesson));
    Reason::NoProgress(match (why, tried.is_empty()) {
        (why, true) => why,
        (why, false) => {
            let why = why.unwrap_or_else(|| "nothing new".to_owned());
            Some(format!("{why} (tried as well: {})", tried.join(", ")))
        }
    })
}
