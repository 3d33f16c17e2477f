//! The configurations of a net with at most n tokens, for n = 1, 2, 3, …; each round goes on where the last one
//! stopped.
//!
//! A configuration with more tokens than the round allows waits for the round that allows it. Transitions take one
//! token each and sweep nothing: the nets of programs without `$`.

use super::ThreadState;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{Configuration, Net, NetTrace, PlaceId, TransitionId};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::BTreeMap;

type Predecessor = Option<(usize, TransitionId)>;

pub(super) struct Search<'a> {
    net: &'a Net,
    bound: usize,
    limits: &'a Limits,
    outgoing: FxHashMap<ThreadState, Vec<TransitionId>>,
    seen: IndexMap<Configuration, Predecessor, FxBuildHasher>,
    /// The thread states that were reached, each with the configuration that first had it.
    pub(super) reached: FxHashMap<ThreadState, usize>,
    /// Configurations that need more tokens, by their number.
    waiting: BTreeMap<u32, Vec<(Configuration, Predecessor)>>,
    current: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(net: &'a Net, bound: usize, limits: &'a Limits) -> Self {
        let mut outgoing: FxHashMap<ThreadState, Vec<TransitionId>> = FxHashMap::default();
        for (id, transition) in net.transitions.enumerate() {
            for &(place, _) in &transition.take {
                outgoing.entry((transition.from, place)).or_default().push(id);
            }
        }
        let mut waiting: BTreeMap<u32, Vec<_>> = BTreeMap::new();
        for initial in &net.initial {
            let first = Configuration { control: initial.control, tokens: initial.tokens.clone() };
            waiting.entry(number_of(&first)).or_default().push((first, None));
        }
        Self {
            net,
            bound,
            limits,
            outgoing,
            seen: IndexMap::default(),
            reached: FxHashMap::default(),
            waiting,
            current: 0,
        }
    }

    /// How many configurations were stored.
    pub(super) fn configurations(&self) -> usize {
        self.seen.len()
    }

    /// Whether no configuration has more tokens than the last round allowed.
    pub(super) fn is_done(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Explores with at most so many tokens.
    pub(super) fn round(&mut self, tokens: u32) -> Result<(), Stop> {
        while let Some(entry) = self.waiting.first_entry()
            && *entry.key() <= tokens
        {
            for (configuration, predecessor) in entry.remove() {
                self.insert(configuration, predecessor, tokens)?;
            }
        }
        while let Some((configuration, _)) = self.seen.get_index(self.current) {
            let configuration = configuration.clone();
            self.expand(&configuration, tokens)?;
            self.current += 1;
        }
        Ok(())
    }

    fn expand(&mut self, before: &Configuration, tokens: u32) -> Result<(), Stop> {
        for &(place, _) in &before.tokens {
            let Some(transitions) = self.outgoing.get(&(before.control, place)) else { continue };
            for id in transitions.clone() {
                self.limits.check()?;
                let transition = &self.net.transitions[id];
                let mut after = before.tokens.clone();
                transition.take.iter().for_each(|&(place, number)| remove(&mut after, place, number));
                for &(place, number) in &transition.give {
                    add(&mut after, place, number)?;
                }
                let after = Configuration { control: transition.to, tokens: after };
                self.insert(after, Some((self.current, id)), tokens)?;
            }
        }
        Ok(())
    }

    fn insert(
        &mut self,
        configuration: Configuration,
        predecessor: Predecessor,
        tokens: u32,
    ) -> Result<(), Stop> {
        if self.seen.contains_key(&configuration) {
            return Ok(());
        }
        let number = number_of(&configuration);
        if number > tokens {
            self.waiting.entry(number).or_default().push((configuration, predecessor));
            return Ok(());
        }
        if self.seen.len() >= self.bound {
            let text = format!("more than {} configurations with up to {tokens} threads", self.bound);
            return Err(Stop::Bound(text));
        }
        for &(place, _) in &configuration.tokens {
            self.reached.entry((configuration.control, place)).or_insert(self.seen.len());
        }
        self.seen.insert(configuration, predecessor);
        Ok(())
    }

    /// A run to a thread state, if it was reached.
    pub(super) fn trace(&self, state: ThreadState, target: usize) -> Option<NetTrace> {
        let mut current = *self.reached.get(&state)?;
        let mut steps = Vec::new();
        loop {
            let (configuration, predecessor) = self.seen.get_index(current)?;
            let Some((before, transition)) = *predecessor else {
                steps.reverse();
                return Some(NetTrace { target, initial: configuration.clone(), steps });
            };
            steps.push((transition, configuration.clone()));
            current = before;
        }
    }
}

fn number_of(configuration: &Configuration) -> u32 {
    configuration.tokens.iter().map(|entry| entry.1).fold(0, u32::saturating_add)
}

fn remove(tokens: &mut Vec<(PlaceId, u32)>, place: PlaceId, number: u32) {
    if let Ok(position) = tokens.binary_search_by_key(&place, |entry| entry.0) {
        tokens[position].1 -= number.min(tokens[position].1);
        if tokens[position].1 == 0 {
            tokens.remove(position);
        }
    }
}

fn add(tokens: &mut Vec<(PlaceId, u32)>, place: PlaceId, number: u32) -> Result<(), Stop> {
    match tokens.binary_search_by_key(&place, |entry| entry.0) {
        Ok(position) => {
            let sum = tokens[position].1.checked_add(number);
            tokens[position].1 = sum.ok_or_else(|| Stop::Bound("too many threads".to_owned()))?;
        }
        Err(position) => tokens.insert(position, (place, number)),
    }
    Ok(())
}
