//! What threads have to do with each other: shares of a counter, and numbers drawn from one.
//!
//! A predicate speaks of one thread and of what all threads share. That there are as many requests as a counter says, or
//! that no two threads drew the same number, is about several. Ghost variables make it so that it can be told of any
//! two threads, by construction, without a proof:
//!
//! - A *share* is what a thread has added to a counter so far, and not taken away. All shares, and what the counter was
//!   before there were threads, make up the counter. If no thread that there may be any number of has a negative share,
//!   then the counter is at least the sum of any two shares, and of those of threads that exist once.
//! - A *number* is what a counter that only counts up was when a thread last counted. No two threads have the same.
//!
//! A counter is changed in one step, or under a lock (`locked`).
//!
//! Both rest on counters that do not wrap around. The program sees to that itself, or the bound on threads does: otherwise no
//! account is kept.
//! Counters are found in `find`, ghosts kept in `keep`; which predicates speak of them is in [`seeds`].

mod change;
mod find;
mod keep;
mod locked;
pub mod seeds;
#[cfg(test)]
mod tests;

pub use keep::keep;
pub use locked::{Copies, Locked, Place};

use super::{LocationId, ProcedureId, Program};
use crate::ground::index::IndexVec;
use crate::term::{Store, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// So many threads are started at most, if shares are kept. A share is small, so 32 bits do not wrap.
pub const MOST_THREADS: usize = 1 << 20;

/// The largest share, and the largest first value.
const LARGEST: i128 = 1 << 8;

/// A counter of which threads keep account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The counter: a global variable.
    pub counter: Symbol,
    /// The lock under which it is changed, if changes are known by that.
    pub locked: Option<Locked>,
    /// What is kept.
    pub account: Account,
}

/// What threads keep account of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Account {
    /// Shares of the counter.
    Shares(Shares),
    /// For each template the number that a thread drew last: one bit more than the counter has, which is set if it drew none.
    Numbers(BTreeMap<ProcedureId, Symbol>),
}

/// Shares of a counter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares {
    /// The counter before there were threads.
    pub first: u128,
    /// Shares of threads that exist once: global variables, with their least and greatest values.
    pub once: BTreeMap<ProcedureId, Share>,
    /// Shares of threads that there may be any number of: local variables. None of them is ever negative.
    pub many: BTreeMap<ProcedureId, Share>,
}

/// A share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// The ghost.
    pub symbol: Symbol,
    /// Its least and its greatest value at each location of the template; none where nobody gets.
    pub ranges: IndexVec<LocationId, Option<(i128, i128)>>,
}

impl Share {
    /// Its least and its greatest value anywhere.
    #[must_use]
    pub fn range(&self) -> (i128, i128) {
        let all = self.ranges.iter().flatten();
        all.fold((0, 0), |hull, range| (hull.0.min(range.0), hull.1.max(range.1)))
    }
}

/// Symbols of another thread for those of this one; none for what nothing is said of.
type Name<'a> = &'a dyn Fn(Symbol) -> Option<Symbol>;

impl Tally {
    /// All ghosts.
    pub fn ghosts(&self) -> impl Iterator<Item = Symbol> + '_ {
        let (shares, numbers) = match &self.account {
            Account::Shares(shares) => (Some(shares), None),
            Account::Numbers(numbers) => (None, Some(numbers)),
        };
        let shares = shares.into_iter().flat_map(|shares| shares.once.values().chain(shares.many.values()));
        shares
            .map(|share| share.symbol)
            .chain(numbers.into_iter().flat_map(|numbers| numbers.values().copied()))
    }

    /// What holds of a thread that runs a template, wherever it is. Its ghost may have another name.
    fn of_one(&self, store: &mut Store, template: ProcedureId, name: Name<'_>) -> Vec<Term> {
        match &self.account {
            Account::Shares(shares) => {
                let own = shares.many.get(&template);
                let own = own.and_then(|share| Some((name(share.symbol)?, share.range())));
                let mut facts = vec![self.at_least(store, shares, own.iter().map(|&(symbol, _)| symbol))];
                let once = shares.once.values().map(|share| (share.symbol, share.range()));
                facts.extend(once.chain(own).map(|(symbol, range)| in_range(store, symbol, range)));
                facts
            }
            Account::Numbers(numbers) => {
                let Some(number) = numbers.get(&template).and_then(|&number| name(number)) else {
                    return Vec::new();
                };
                let (number, none) = (store.symbol(number), self.no_number(store));
                let counter = store.symbol(self.counter);
                let counter = store.zero_extend(store.width(none), counter);
                let (below, nothing) = (store.unsigned_less(number, counter), store.equal(number, none));
                vec![store.or(below, nothing)]
            }
        }
    }

    /// What holds of two threads together, besides. The ghosts of the second have other names.
    fn of_two(
        &self,
        store: &mut Store,
        (first, second): (ProcedureId, ProcedureId),
        name: Name<'_>,
    ) -> Vec<Term> {
        match &self.account {
            Account::Shares(shares) => {
                let theirs = shares.many.get(&second).and_then(|share| name(share.symbol));
                let own = shares.many.get(&first).map(|share| share.symbol);
                vec![self.at_least(store, shares, own.into_iter().chain(theirs))]
            }
            Account::Numbers(numbers) => {
                let theirs = numbers.get(&second).and_then(|&number| name(number));
                let (Some(&own), Some(theirs)) = (numbers.get(&first), theirs) else { return Vec::new() };
                let (own, theirs, none) = (store.symbol(own), store.symbol(theirs), self.no_number(store));
                let (differ, nothing) = (store.not_equal(own, theirs), store.equal(own, none));
                vec![store.or(differ, nothing)]
            }
        }
    }

    /// The counter is at least what it was, and the shares of those that exist once, and some others.
    fn at_least(&self, store: &mut Store, shares: &Shares, others: impl IntoIterator<Item = Symbol>) -> Term {
        let counter = store.symbol(self.counter);
        let mut sum = store.bits(store.width(counter), shares.first);
        for symbol in shares.once.values().map(|share| share.symbol).chain(others) {
            let share = store.symbol(symbol);
            sum = store.add(sum, share);
        }
        let less = store.signed_less(counter, sum);
        // If nobody else has a share it is the sum.
        if shares.many.is_empty() { store.equal(counter, sum) } else { store.not(less) }
    }

    /// Stands for no number.
    #[must_use]
    pub fn no_number(&self, store: &mut Store) -> Term {
        let counter = store.symbol(self.counter);
        let width = store.width(counter);
        store.bits(width + 1, 1 << width)
    }
}

/// That a variable has a value from the first to the second.
#[must_use]
pub fn in_range(store: &mut Store, symbol: Symbol, range: (i128, i128)) -> Term {
    let symbol = store.symbol(symbol);
    let width = store.width(symbol);
    let bound = |value| crate::term::arithmetic::from_signed(width, value);
    let (least, most) = (store.bits(width, bound(range.0)), store.bits(width, bound(range.1)));
    let (below, above) = (store.signed_less(symbol, least), store.signed_less(most, symbol));
    let outside = store.or(below, above);
    store.not(outside)
}

impl Program {
    /// Whether a symbol is a share or a number.
    #[must_use]
    pub fn is_tally(&self, symbol: Symbol) -> bool {
        self.tallies.iter().any(|tally| tally.ghosts().any(|ghost| ghost == symbol))
    }

    /// What tallies say of a thread that runs a template, as far as it is about these symbols.
    pub fn known_of_one(&mut self, template: ProcedureId, symbols: &BTreeSet<Symbol>) -> Vec<Term> {
        let mut facts = Vec::new();
        for tally in self.tallies.iter().filter(|tally| tally.ghosts().any(|ghost| symbols.contains(&ghost)))
        {
            facts.extend(tally.of_one(&mut self.store, template, &Some));
        }
        facts
    }

    /// What tallies say of two threads that run templates, as far as it is about these symbols. Local variables of the
    /// second stand for themselves among the symbols, and have other symbols in what is said.
    pub fn known_of_two(
        &mut self,
        (first, second): (ProcedureId, ProcedureId),
        symbols: &BTreeSet<Symbol>,
        name: Name<'_>,
    ) -> Vec<Term> {
        let mut facts = self.known_of_one(first, symbols);
        for tally in self.tallies.iter().filter(|tally| tally.ghosts().any(|ghost| symbols.contains(&ghost)))
        {
            facts.extend(tally.of_one(&mut self.store, second, name));
            facts.extend(tally.of_two(&mut self.store, (first, second), name));
        }
        facts
    }
}
