//! Renamings of variables, prepared for one lookup per node.
//!
//! A renaming is a simultaneous substitution of variables for variables. Relabelling the nodes of a
//! diagram does it when the order is kept and no two variables become one. The second is the case when
//! the renaming is injective and no variable that keeps its name is also the new name of
//! another: such variables are marked as taken.

use super::Level;

/// A simultaneous renaming.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Substitution {
    /// Sorted by level, each once.
    entries: Box<[(Level, Entry)]>,
    injective: bool,
}

/// What happens to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Entry {
    /// It gets this name.
    Renamed(Level),
    /// It keeps its name, which another variable gets, too.
    Taken,
}

impl Substitution {
    /// The renaming with these pairs (from, to).
    ///
    /// # Panics
    /// If a variable is to get two names.
    pub fn new(pairs: &[(Level, Level)]) -> Self {
        let mut moved: Vec<_> = pairs.iter().copied().filter(|(from, to)| from != to).collect();
        moved.sort_unstable();
        moved.dedup();
        let twice = moved.windows(2).any(|pair| pair[0].0 == pair[1].0);
        let both = pairs.iter().any(|(from, to)| {
            from == to && moved.binary_search_by_key(from, |&(moved_from, _)| moved_from).is_ok()
        });
        assert!(!twice && !both, "a renaming gives a variable two names");
        let mut targets: Vec<_> = moved.iter().map(|&(_, to)| to).collect();
        targets.sort_unstable();
        targets.dedup();
        let injective = targets.len() == moved.len();
        let mut entries: Vec<_> = moved.iter().map(|&(from, to)| (from, Entry::Renamed(to))).collect();
        targets.retain(|target| moved.binary_search_by_key(target, |&(from, _)| from).is_err());
        entries.extend(targets.into_iter().map(|target| (target, Entry::Taken)));
        entries.sort_unstable_by_key(|&(level, _)| level);
        Self { entries: entries.into(), injective }
    }

    /// Whether nothing is renamed.
    pub fn is_identity(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether no two renamed variables get the same name.
    pub fn is_injective(&self) -> bool {
        self.injective
    }

    /// The entry of a variable, if it is touched at all.
    pub fn entry(&self, level: Level) -> Option<Entry> {
        let position = self.entries.binary_search_by_key(&level, |&(from, _)| from).ok()?;
        Some(self.entries[position].1)
    }

    /// The new name of a variable.
    pub fn image(&self, level: Level) -> Level {
        match self.entry(level) {
            Some(Entry::Renamed(to)) => to,
            Some(Entry::Taken) | None => level,
        }
    }
}
