//! Pointers from outside that lead nowhere in a simulation: null, and addresses so near to either end that no object lies there.
//!
//! A solver that is free to choose says zero, or, of a pointer that is not null, the greatest number there is, also where the run goes through the
//! pointer: without `--checks null` no edge of the program model asks. In the machine such a run stops. So these pointers, called null from here on, are replaced by pointers to memory of their own: first all of them,
//! and then, because the path may need some that are null, only as many as the run needs to get on, one after the other.

use super::Confirmation;
use crate::vm::choices::{Choice, ChoiceKind, Domain};
use std::collections::BTreeSet;

/// What becomes of null pointers that come from outside or were never initialised.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Nulls {
    /// They are null.
    Kept,
    /// They lead to memory of their own.
    Replaced,
    /// So do these, by number.
    Some(BTreeSet<u64>),
}

impl Nulls {
    fn replace(&self, number: u64) -> bool {
        match self {
            Self::Kept => false,
            Self::Replaced => true,
            Self::Some(numbers) => numbers.contains(&number),
        }
    }
}

/// Pointers from outside.
pub(super) struct Pointers {
    /// Bits of a pointer.
    bits: u32,
    nulls: Nulls,
    /// How many null pointers there were.
    pub seen: u64,
}

/// In the first and in the last so many bytes of memory no object lies.
const PAGE: u128 = 4096;

/// Where memory lies that null pointers lead to instead, how far its parts are from each other, and how many there are.
const INSTEAD: u64 = 0x1000_0000;
const INSTEAD_APART: u64 = 0x40_0000;
const INSTEAD_MOST: u64 = 256;

/// At most so many runs look for the pointers that must not be null.
const RUNS: usize = 48;

impl Pointers {
    pub fn new(bits: u32, nulls: Nulls) -> Self {
        Self { bits, nulls, seen: 0 }
    }

    /// What a pointer is instead, if it is to be another one.
    pub fn instead(&mut self, choice: &Choice, value: u128) -> Option<u64> {
        if !is_from_outside(choice) || choice.domain != Domain::Bits(self.bits) || !self.leads_nowhere(value)
        {
            return None;
        }
        self.seen += 1;
        let fits = self.nulls.replace(self.seen) && self.seen <= INSTEAD_MOST;
        fits.then(|| INSTEAD + self.seen * INSTEAD_APART)
    }

    fn leads_nowhere(&self, value: u128) -> bool {
        value < PAGE || value >= (1 << self.bits) - PAGE
    }
}

fn is_from_outside(choice: &Choice) -> bool {
    match choice.kind {
        ChoiceKind::Uninitialised | ChoiceKind::Result | ChoiceKind::Undefined => true,
        ChoiceKind::Input => choice.name == "pointer" || choice.name.starts_with("parameter"),
        _ => false,
    }
}

/// What a run came to: its confirmation, how many steps it made, how many null pointers it saw.
pub(super) struct Attempt {
    pub confirmation: Confirmation,
    pub steps: u64,
    pub seen: u64,
}

/// Looks for a run that is confirmed if some null pointers lead somewhere. The last one that was seen is the first to be
/// replaced, since it is the most likely one that the run stopped at; one is kept if the run gets further with it.
pub(super) fn confirmed(first: &Attempt, run: &mut dyn FnMut(Nulls) -> Attempt) -> Option<Confirmation> {
    if first.seen == 0 {
        return None;
    }
    let all = run(Nulls::Replaced).confirmation;
    if matches!(all, Confirmation::Confirmed(..)) {
        return Some(all);
    }
    let (mut chosen, mut steps, mut seen) = (BTreeSet::new(), first.steps, first.seen);
    let (mut candidate, mut runs) = (seen, 0);
    while candidate > 0 && runs < RUNS {
        if chosen.contains(&candidate) {
            candidate -= 1;
            continue;
        }
        let mut more = chosen.clone();
        more.insert(candidate);
        let attempt = run(Nulls::Some(more.clone()));
        runs += 1;
        if matches!(attempt.confirmation, Confirmation::Confirmed(..)) {
            return Some(attempt.confirmation);
        }
        if attempt.steps > steps {
            (chosen, steps, seen) = (more, attempt.steps, attempt.seen);
            candidate = seen;
        } else {
            candidate -= 1;
        }
    }
    None
}
