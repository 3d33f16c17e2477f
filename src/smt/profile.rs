//! Where the time of queries goes: by kind, mode and answer, for the thread that asks.

use super::{Answer, Kind, Mode};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

/// What queries have cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Profile {
    /// How many had a model.
    pub sat: u64,
    /// How many had none.
    pub unsat: u64,
    /// How many were given up.
    pub unknown: u64,
    /// The time of all together.
    pub time: Duration,
}

impl Profile {
    /// How many there were.
    #[must_use]
    pub fn queries(&self) -> u64 {
        self.sat + self.unsat + self.unknown
    }

    fn since(self, earlier: Self) -> Self {
        Self {
            sat: self.sat - earlier.sat,
            unsat: self.unsat - earlier.unsat,
            unknown: self.unknown - earlier.unknown,
            time: self.time - earlier.time,
        }
    }
}

/// What queries have cost, by kind and mode.
pub type Profiles = BTreeMap<(Kind, Mode), Profile>;

thread_local! {
    static PROFILES: RefCell<Profiles> = const { RefCell::new(BTreeMap::new()) };
}

/// What the queries of this thread have cost so far.
#[must_use]
pub fn profiles() -> Profiles {
    PROFILES.with_borrow(Clone::clone)
}

/// What the queries of this thread have cost since an earlier time.
#[must_use]
pub fn since(earlier: &Profiles) -> Profiles {
    let before = |key: &(Kind, Mode)| earlier.get(key).copied().unwrap_or_default();
    let now = profiles().into_iter().map(|(key, profile)| (key, profile.since(before(&key))));
    now.filter(|(_, profile)| profile.queries() > 0).collect()
}

pub(super) fn note(kind: Kind, mode: Mode, answer: &Answer, time: Duration) {
    PROFILES.with_borrow_mut(|all| {
        let profile = all.entry((kind, mode)).or_default();
        profile.time += time;
        match answer {
            Answer::Sat(_) => profile.sat += 1,
            Answer::Unsat { .. } => profile.unsat += 1,
            Answer::Unknown(_) => profile.unknown += 1,
        }
    });
}
