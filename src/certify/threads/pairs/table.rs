//! Which threads can be there, and which two of them at once, by what all share.

use super::super::Failure;
use super::row::Row;
use rustc_hash::FxHashMap;

/// Rows take no more words than this: half a gigabyte.
const MOST: usize = 1 << 26;

/// The threads that can be there while what is shared has some value.
#[derive(Default)]
pub(super) struct Crowd {
    /// Threads that can be there.
    pub present: Row,
    /// For each thread those that can be there, too, and how often some were added.
    rows: FxHashMap<usize, (Row, u64)>,
    /// How often something was added.
    pub version: u64,
}

impl Crowd {
    /// The threads that can be there with one.
    pub fn row(&self, thread: usize) -> &Row {
        const EMPTY: &Row = &Row::empty();
        self.rows.get(&thread).map_or(EMPTY, |(row, _)| row)
    }

    /// How often something was added to a row.
    pub fn row_version(&self, thread: usize) -> u64 {
        self.rows.get(&thread).map_or(0, |&(_, version)| version)
    }

    /// Changes a row; tells how many words it takes more.
    fn change(&mut self, thread: usize, change: impl FnOnce(&mut Row) -> bool) -> usize {
        let (row, version) = self.rows.entry(thread).or_default();
        let before = row.words();
        if change(row) {
            *version += 1;
            self.version += 1;
        }
        row.words() - before
    }
}

/// All crowds, by the number of what is shared.
#[derive(Default)]
pub(super) struct Table {
    crowds: Vec<Crowd>,
    words: usize,
}

impl Table {
    pub fn crowd(&mut self, control: usize) -> &mut Crowd {
        if self.crowds.len() <= control {
            self.crowds.resize_with(control + 1, Crowd::default);
        }
        &mut self.crowds[control]
    }

    /// A thread can be there.
    pub fn add(&mut self, control: usize, thread: usize) {
        let crowd = self.crowd(control);
        if crowd.present.insert(thread) {
            crowd.version += 1;
        }
    }

    /// Two threads can be there at once.
    pub fn pair(&mut self, control: usize, left: usize, right: usize) -> Result<(), Failure> {
        self.add(control, left);
        self.add(control, right);
        self.words += self.crowds[control].change(left, |row| row.insert(right));
        self.words += self.crowds[control].change(right, |row| row.insert(left));
        self.bounded()
    }

    /// A thread can be there at once with any of a set. Only its own row is told.
    pub fn extend(&mut self, control: usize, thread: usize, others: &Row) -> Result<(), Failure> {
        self.add(control, thread);
        self.words += self.crowds[control].change(thread, |row| row.extend(others));
        self.bounded()
    }

    fn bounded(&self) -> Result<(), Failure> {
        match self.words > MOST {
            true => Err(Failure::bound("too large: too many pairs of threads")),
            false => Ok(()),
        }
    }
}
