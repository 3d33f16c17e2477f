//! Sets of markings by control state that answer: is there one above, is there one below?
//!
//! [`Maximal`] holds what a forward search has covered, as lists per control state behind
//! [signatures](Signature). [`Minimal`] holds the basis of a backward search: to be below a marking, an element must
//! have all its places among those of the marking, so each element is listed under one place of its own only, the
//! one with the shortest list.

use super::marking::{Signature, Tokens, is_below};
use crate::system::net::{ControlId, PlaceId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// Markings of which only the largest matter. The numbers are those of the caller.
#[derive(Default)]
pub(super) struct Maximal {
    lists: FxHashMap<ControlId, Vec<(Signature, usize)>>,
    scanned: Cell<u64>,
}

impl Maximal {
    /// A marking that is at least this one.
    pub(super) fn above<'t>(
        &self,
        control: ControlId,
        tokens: &[(PlaceId, u32)],
        get: impl Fn(usize) -> &'t [(PlaceId, u32)],
    ) -> Option<usize> {
        let signature = Signature::of(tokens);
        let list = self.lists.get(&control)?;
        let above_at =
            |entry: &(Signature, usize)| signature.may_be_below(entry.0) && is_below(tokens, get(entry.1));
        let found = list.iter().position(above_at);
        self.scanned.set(self.scanned.get() + found.unwrap_or(list.len()) as u64);
        found.map(|position| list[position].1)
    }

    /// How many entries were looked at: a measure of work.
    pub(super) fn scanned(&self) -> u64 {
        self.scanned.get()
    }

    /// Adds a marking that no other is above; what was removed because it is below.
    pub(super) fn insert<'t>(
        &mut self,
        control: ControlId,
        number: usize,
        get: impl Fn(usize) -> &'t [(PlaceId, u32)],
    ) -> Vec<usize> {
        let tokens = get(number);
        let signature = Signature::of(tokens);
        let list = self.lists.entry(control).or_default();
        let mut removed = Vec::new();
        list.retain(|entry| {
            let below = entry.0.may_be_below(signature) && is_below(get(entry.1), tokens);
            if below {
                removed.push(entry.1);
            }
            !below
        });
        list.push((signature, number));
        removed
    }

    /// The numbers of all markings, in no particular order.
    #[cfg(debug_assertions)]
    pub(super) fn numbers(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = self.lists.values().flatten().map(|entry| entry.1).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// Markings of which only the smallest matter.
#[derive(Default)]
pub(super) struct Minimal {
    lists: FxHashMap<(ControlId, Option<PlaceId>), Vec<(Signature, usize)>>,
    scanned: Cell<u64>,
}

impl Minimal {
    /// A marking other than the excepted one that is at most this one.
    pub(super) fn below<'t>(
        &self,
        control: ControlId,
        tokens: &[(PlaceId, u32)],
        except: Option<usize>,
        get: impl Fn(usize) -> &'t [(PlaceId, u32)],
    ) -> Option<usize> {
        let signature = Signature::of(tokens);
        let keys = std::iter::once(None).chain(tokens.iter().map(|entry| Some(entry.0)));
        let below = |entry: &(Signature, usize)| {
            entry.0.may_be_below(signature) && Some(entry.1) != except && is_below(get(entry.1), tokens)
        };
        for list in keys.filter_map(|key| self.lists.get(&(control, key))) {
            let found = list.iter().position(below);
            self.scanned.set(self.scanned.get() + found.unwrap_or(list.len()) as u64);
            if let Some(position) = found {
                return Some(list[position].1);
            }
        }
        None
    }

    /// How many entries were looked at: a measure of work.
    pub(super) fn scanned(&self) -> u64 {
        self.scanned.get()
    }

    /// Adds a marking.
    pub(super) fn insert(&mut self, control: ControlId, number: usize, tokens: &[(PlaceId, u32)]) {
        let length = |place: &PlaceId| self.lists.get(&(control, Some(*place))).map_or(0, Vec::len);
        let key = tokens.iter().map(|entry| entry.0).min_by_key(length);
        self.lists.entry((control, key)).or_default().push((Signature::of(tokens), number));
    }
}

/// Markings that have been met before: most successors and predecessors are, and an antichain is slow to say so.
#[derive(Default)]
pub(super) struct Met(FxHashSet<(ControlId, Tokens)>);

impl Met {
    /// Whether a marking is met for the first time.
    pub(super) fn is_first(&mut self, control: ControlId, tokens: &Tokens) -> bool {
        self.0.insert((control, tokens.clone()))
    }
}
