//! Which threads can be there, and which two of them at once, by what all share.

use super::super::Failure;
use super::row::Row;

/// Rows take no more words than this: half a gigabyte.
const MOST: usize = 1 << 26;

/// The threads that can be there while what is shared has some value.
#[derive(Default)]
pub(super) struct Crowd {
    /// Threads that can be there.
    pub present: Row,
    /// For each thread those that can be there, too; by number.
    rows: Vec<Row>,
    /// How often something was added,
    pub version: u64,
    /// and to the row of each thread.
    versions: Vec<u64>,
}

impl Crowd {
    pub fn row(&self, thread: usize) -> &Row {
        const EMPTY: &Row = &Row::empty();
        self.rows.get(thread).unwrap_or(EMPTY)
    }

    /// How often something was added to a row.
    pub fn row_version(&self, thread: usize) -> u64 {
        self.versions.get(thread).copied().unwrap_or(0)
    }

    fn grow(&mut self, thread: usize) {
        if self.rows.len() <= thread {
            self.rows.resize(thread + 1, Row::default());
            self.versions.resize(thread + 1, 0);
        }
    }

    fn touched(&mut self, thread: usize) {
        self.version += 1;
        self.versions[thread] += 1;
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
        crowd.grow(thread);
        if crowd.present.insert(thread) {
            crowd.touched(thread);
        }
    }

    /// Two threads can be there at once.
    pub fn pair(&mut self, control: usize, left: usize, right: usize) -> Result<(), Failure> {
        self.add(control, left);
        self.add(control, right);
        for (one, other) in [(left, right), (right, left)] {
            let crowd = self.crowd(control);
            let before = crowd.rows[one].words();
            if crowd.rows[one].insert(other) {
                crowd.touched(one);
            }
            self.words += self.crowds[control].rows[one].words() - before;
        }
        self.bounded()
    }

    /// A thread can be there at once with any of a set. Only its own row is told.
    pub fn extend(&mut self, control: usize, thread: usize, others: &Row) -> Result<bool, Failure> {
        self.add(control, thread);
        let crowd = self.crowd(control);
        let before = crowd.rows[thread].words();
        let new = crowd.rows[thread].extend(others);
        if new {
            crowd.touched(thread);
        }
        self.words += self.crowds[control].rows[thread].words() - before;
        self.bounded().map(|()| new)
    }

    fn bounded(&self) -> Result<(), Failure> {
        match self.words > MOST {
            true => Err(Failure::bound("too large: too many pairs of threads")),
            false => Ok(()),
        }
    }
}
