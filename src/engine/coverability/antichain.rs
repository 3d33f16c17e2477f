//! Sets of markings by control state that answer: is there one above, is there one below?
//!
//! [`Maximal`] holds what a forward search has covered. Whatever is above a marking has all its places, so it is enough
//! to look at those that have the rarest of them, behind [signatures](Signature). [`Minimal`] holds the basis of a backward search: to be below a marking, an element must
//! have all its places among those of the marking, so each element is listed under one place of its own only, the
//! one with the shortest list.

use super::marking::{Signature, Tokens, is_below};
use crate::system::net::{ControlId, PlaceId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// Markings of which only the largest matter. The numbers are those of the caller: small, and in order.
#[derive(Default)]
pub(super) struct Maximal {
    lists: FxHashMap<ControlId, Vec<usize>>,
    /// The same by control state and place; those that were removed may still be listed.
    postings: FxHashMap<(ControlId, PlaceId), Vec<u32>>,
    signatures: Vec<Signature>,
    removed: Vec<bool>,
    scanned: Cell<u64>,
}

/// Lists are cleared of what was removed when they reach this length, and twice that, and so on.
const CLEARED: usize = 64;

impl Maximal {
    /// A marking that is at least this one.
    pub(super) fn above<'t>(
        &self,
        control: ControlId,
        tokens: &[(PlaceId, u32)],
        get: impl Fn(usize) -> &'t [(PlaceId, u32)],
    ) -> Option<usize> {
        if tokens.is_empty() {
            return self.lists.get(&control)?.first().copied();
        }
        let mut shortest: Option<&Vec<u32>> = None;
        for &(place, _) in tokens {
            let list = self.postings.get(&(control, place))?;
            shortest = shortest.filter(|known| known.len() <= list.len()).or(Some(list));
        }
        let (list, signature) = (shortest?, Signature::of(tokens));
        let above = |&number: &u32| {
            let number = number as usize;
            signature.may_be_below(self.signatures[number]) && is_below(tokens, get(number))
        };
        let found = list.iter().position(above);
        let scanned = tokens.len() + found.unwrap_or(list.len());
        self.scanned.set(self.scanned.get() + scanned as u64);
        found.map(|position| list[position] as usize)
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
        let removed = self.remove_below(control, tokens, signature, get);
        self.signatures.resize(number + 1, Signature::default());
        self.removed.resize(number + 1, false);
        self.signatures[number] = signature;
        self.lists.entry(control).or_default().push(number);
        let id = u32::try_from(number).expect("fewer than 2^32 markings");
        for &(place, _) in tokens {
            let posting = self.postings.entry((control, place)).or_default();
            posting.push(id);
            if posting.len() >= CLEARED && posting.len().is_power_of_two() {
                posting.retain(|&id| !self.removed[id as usize]);
            }
        }
        removed
    }

    fn remove_below<'t>(
        &mut self,
        control: ControlId,
        tokens: &[(PlaceId, u32)],
        signature: Signature,
        get: impl Fn(usize) -> &'t [(PlaceId, u32)],
    ) -> Vec<usize> {
        let list = self.lists.entry(control).or_default();
        self.scanned.set(self.scanned.get() + list.len() as u64);
        let below = |&mut number: &mut usize| {
            self.signatures[number].may_be_below(signature) && is_below(get(number), tokens)
        };
        let gone: Vec<usize> = list.extract_if(.., below).collect();
        gone.iter().for_each(|&number| self.removed[number] = true);
        gone
    }

    /// The numbers of all markings.
    #[cfg(debug_assertions)]
    pub(super) fn numbers(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = self.lists.values().flatten().copied().collect();
        numbers.sort_unstable();
        numbers
    }
}

/// A marking of the caller behind its signature.
type Entry = (Signature, usize);

/// Markings of which only the smallest matter.
#[derive(Default)]
pub(super) struct Minimal {
    lists: FxHashMap<(ControlId, Option<PlaceId>), Vec<Entry>>,
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
        let below = |entry: &Entry| {
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
