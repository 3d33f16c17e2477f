//! The state of synchronisation objects as words, and back.

use super::{Kind, Mutex, Synchronisation};
use crate::vm::builtin::Key;
use crate::vm::builtin::sync::{Barrier, Once, ReadWrite};

/// One object.
pub(in crate::vm) struct Saved {
    /// What it is.
    pub table: u8,
    /// Where it lies.
    pub key: Key,
    /// Its state.
    pub words: Vec<u64>,
    /// For whoever sorts them.
    pub order: u64,
}

/// Threads by one more than their number, 0 for none.
fn thread(id: Option<u32>) -> u64 {
    id.map_or(0, |id| u64::from(id) + 1)
}

fn thread_of(word: u64) -> Option<u32> {
    (word > 0).then(|| word as u32 - 1)
}

fn kind_of(word: u64) -> Kind {
    match word {
        0 => Kind::Normal,
        1 => Kind::Recursive,
        _ => Kind::Checking,
    }
}

impl Synchronisation {
    /// All objects. Rounds of barriers are left out: whoever waits says whether his is over.
    pub(in crate::vm) fn saved(&self) -> Vec<Saved> {
        let saved = |table, key: &Key, words| Saved { table, key: *key, words, order: 0 };
        let mutex = |it: &Mutex| vec![it.kind as u64, thread(it.owner), it.count.into()];
        let lock = |it: &ReadWrite| {
            let readers = it.readers.iter().map(|&id| id.into());
            std::iter::once(thread(it.writer)).chain(readers).collect()
        };
        let once = |it: &Once| match it {
            Once::Running(id) => vec![u64::from(*id) + 1],
            Once::Done => vec![0],
        };
        let mutexes = self.mutexes.iter().map(|(key, it)| saved(0, key, mutex(it)));
        let locks = self.locks.iter().map(|(key, it)| saved(1, key, lock(it)));
        let semaphores = self.semaphores.iter().map(|(key, it)| saved(2, key, vec![*it]));
        let barriers = self.barriers.iter().map(|(key, it)| saved(3, key, vec![it.wanted, it.come]));
        let onces = self.once.iter().map(|(key, it)| saved(4, key, once(it)));
        let attributes = self.attributes.iter().map(|(key, it)| saved(5, key, vec![*it as u64]));
        mutexes.chain(locks).chain(semaphores).chain(barriers).chain(onces).chain(attributes).collect()
    }

    /// Nothing was used yet.
    pub(in crate::vm) fn clear(&mut self) {
        *self = Self::default();
    }

    /// An object from its state.
    pub(in crate::vm) fn restore(&mut self, table: u8, key: Key, words: &[u64]) {
        match (table, words) {
            (0, [kind, owner, count]) => {
                let mutex = Mutex { kind: kind_of(*kind), owner: thread_of(*owner), count: *count as u32 };
                self.mutexes.insert(key, mutex);
            }
            (1, [writer, readers @ ..]) => {
                let readers = readers.iter().map(|&id| id as u32).collect();
                self.locks.insert(key, ReadWrite { readers, writer: thread_of(*writer) });
            }
            (2, [value]) => _ = self.semaphores.insert(key, *value),
            // Whoever waits in the present round has this number.
            (3, [wanted, come]) => {
                self.barriers.insert(key, Barrier { wanted: *wanted, come: *come, round: 1 });
            }
            (4, [running]) => {
                let once = thread_of(*running).map_or(Once::Done, Once::Running);
                self.once.insert(key, once);
            }
            (5, [kind]) => _ = self.attributes.insert(key, kind_of(*kind)),
            _ => unreachable!("no state of a synchronisation object"),
        }
    }
}
