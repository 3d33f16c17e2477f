//! One read: down the writes, past those that it cannot meet.
//!
//! A word is read and written byte by byte. Whether a byte at `p + 3` was written at `q + 1` is asked as `p - q == -2`, so that
//! all bytes of two words share one difference, and fifteen comparisons of it with constants.

use super::super::arithmetic::mask;
use super::super::{Node, Store, Term};
use super::Resolver;
use super::ranges::Range;
use rustc_hash::FxHashMap;

/// A read that may meet more writes than this keeps them as an array; those at constant addresses do not count.
const CHOICES: usize = 256;

/// As many writes at constant addresses, below all others, stay an array: whoever translates it has tables for that.
const TABLE: usize = 8;

/// A read goes through at most this many nested choices of arrays.
const NESTED: usize = 100;

/// Reads of one formula may pass over this many writes.
const STEPS: usize = 4_000_000;

/// A formula may grow by this many terms.
const GROWTH: usize = 200_000;

/// One of many formulas in the same store may grow by this many.
const SMALL_GROWTH: usize = 10_000;

/// What was read, and how much more may be.
pub(super) struct Reads {
    known: FxHashMap<(Term, Term), Term>,
    steps: usize,
    /// The store may have this many terms.
    largest: usize,
}

impl Reads {
    pub fn new(terms: usize) -> Self {
        Self { known: FxHashMap::default(), steps: STEPS, largest: terms + GROWTH }
    }

    /// The same for a store that stays, and must not grow as much with each formula.
    pub fn of_many(terms: usize) -> Self {
        Self { largest: terms + SMALL_GROWTH, ..Self::new(terms) }
    }
}

/// Where two addresses are.
enum Meeting {
    Always,
    Never,
    Perhaps,
}

impl Resolver {
    /// The element of an array at an index.
    pub(super) fn read(&mut self, array: Term, index: Term) -> Term {
        self.read_within(array, index, NESTED)
    }

    fn read_within(&mut self, array: Term, index: Term, nested: usize) -> Term {
        if let Some(&known) = self.reads.known.get(&(array, index)) {
            return known;
        }
        let (writes, end) = self.walk(array, index);
        let (choices, table) = writes.split_at(self.start_of_table(&writes));
        let element = if choices.len() > CHOICES || self.reads.is_spent(&self.store) {
            self.store.select(array, index)
        } else {
            let last = self.at_end(end, index, nested);
            let below = if table.is_empty() { last } else { self.tabulated(table, end, last, index) };
            self.chosen(choices, index, below)
        };
        self.reads.known.insert((array, index), element);
        element
    }

    /// What is read where the walk stops.
    fn at_end(&mut self, end: Term, index: Term, nested: usize) -> Term {
        match self.store.node(end) {
            // An element ends a walk where the read certainly meets its write.
            Node::Constant(_, element) | Node::Store(_, _, element) => element,
            Node::Choose(condition, yes, no) if nested > 0 => {
                let yes = self.read_within(yes, index, nested - 1);
                let no = self.read_within(no, index, nested - 1);
                self.store.choose(condition, yes, no)
            }
            _ => self.store.select(end, index),
        }
    }

    /// Where the writes at constant addresses begin that are below all others, if there are many.
    fn start_of_table(&self, writes: &[(Term, Term)]) -> usize {
        let others = writes.iter().rposition(|&(at, _)| self.store.constant(at).is_none());
        let start = others.map_or(0, |last| last + 1);
        if writes.len() - start < TABLE { writes.len() } else { start }
    }

    /// A read of what is left of a table. Where the walk stopped at an element, that is everywhere else.
    fn tabulated(&mut self, table: &[(Term, Term)], end: Term, last: Term, index: Term) -> Term {
        let symbol = matches!(self.store.node(end), Node::Symbol(_));
        let width = self.store.width(index);
        let below = if symbol { end } else { self.store.constant_array(width, last) };
        let array = table.iter().rev().fold(below, |array, &(at, value)| self.store.store(array, at, value));
        self.store.select(array, index)
    }

    /// The writes that a read may meet, last one first, and the array at which it stops looking.
    fn walk(&mut self, mut array: Term, index: Term) -> (Vec<(Term, Term)>, Term) {
        let mut writes = Vec::new();
        let range = self.facts.known(&self.store, index);
        while !self.reads.is_spent(&self.store) {
            self.reads.steps -= 1;
            match self.store.node(array) {
                Node::Store(below, at, element) => {
                    match self.meeting(at, index, range.as_ref()) {
                        Meeting::Always => break,
                        Meeting::Perhaps => writes.push((at, element)),
                        Meeting::Never => {}
                    }
                    array = below;
                }
                _ => match self.arrays.get(&array) {
                    Some(&value) => array = value,
                    None => break,
                },
            }
        }
        (writes, array)
    }

    /// Whether two addresses are equal. The range is what is known of the second one.
    fn meeting(&self, at: Term, index: Term, range: Option<&Range>) -> Meeting {
        let ((x, c), (y, d)) = (self.store.offset(at), self.store.offset(index));
        if x == y {
            return if c == d { Meeting::Always } else { Meeting::Never };
        }
        let apart = match (self.store.constant(at), range) {
            (_, None) => false,
            (Some(at), Some(range)) => !range.contains(at),
            (None, Some(range)) => {
                self.facts.known(&self.store, at).is_some_and(|other| other.is_apart(range))
            }
        };
        if apart { Meeting::Never } else { Meeting::Perhaps }
    }

    /// The element of the first write that the read meets, or another one.
    fn chosen(&mut self, writes: &[(Term, Term)], index: Term, otherwise: Term) -> Term {
        let mut element = otherwise;
        for &(at, value) in writes.iter().rev() {
            let same = same(&mut self.store, at, index);
            element = self.store.choose(same, value, element);
        }
        element
    }
}

impl Reads {
    fn is_spent(&self, store: &Store) -> bool {
        self.steps == 0 || store.len() > self.largest
    }
}

/// That two addresses are equal, by the difference of what they are sums of.
fn same(store: &mut Store, a: Term, b: Term) -> Term {
    let ((x, c), (y, d)) = (store.offset(a), store.offset(b));
    if x == y || store.constant(x).is_some() || store.constant(y).is_some() {
        return store.equal(a, b);
    }
    let ((x, c), (y, d)) = if x < y { ((x, c), (y, d)) } else { ((y, d), (x, c)) };
    let width = store.width(x);
    let difference = store.subtract(x, y);
    let number = store.bits(width, d.wrapping_sub(c) & mask(width));
    store.equal(difference, number)
}
