//! Events: what library code has to tell while it works.
//!
//! Library code never prints. It sends events to an [`Observer`]; the command line draws progress
//! from them.

use indexmap::IndexMap;

/// Something that happened during a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A phase began ("summary engine", "counterexample", …).
    Phase(String),
    /// Progress within the phase: a short text such as "412 path edges, 37 summaries".
    Progress(String),
    /// A remark for `-v`: what was chosen and why.
    Note(String),
}

/// Receives events.
pub trait Observer {
    /// Something happened.
    fn event(&self, event: Event);
}

/// Listens to nothing.
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: Event) {}
}

/// Named figures of a run, in the order in which they were first counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    figures: IndexMap<&'static str, u64>,
}

impl Statistics {
    /// Adds to a figure.
    pub fn add(&mut self, name: &'static str, amount: u64) {
        *self.figures.entry(name).or_default() += amount;
    }

    /// Keeps the larger of a figure and a value.
    pub fn maximum(&mut self, name: &'static str, value: u64) {
        let figure = self.figures.entry(name).or_default();
        *figure = (*figure).max(value);
    }

    /// Adds the figures of another run.
    pub fn include(&mut self, other: &Self) {
        other.iter().for_each(|(name, value)| self.add(name, value));
    }

    /// A figure; zero if it was never counted.
    #[must_use]
    pub fn get(&self, name: &str) -> u64 {
        self.figures.get(name).copied().unwrap_or(0)
    }

    /// The figures in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.figures.iter().map(|(&name, &value)| (name, value))
    }
}
