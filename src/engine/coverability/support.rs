//! Which places can hold tokens in which control state: a forward over-approximation.
//!
//! For every control state the set of places that may be marked there, regardless of how many tokens and of which
//! other places are. A transition happens if all places it takes from may be marked. The least fixpoint is found
//! with a worklist of control states. What is outside of it is unreachable: the backward search need not go there,
//! and transitions that need it are left out altogether. The same is done for pairs of tokens ([`pairs`]), which shows
//! much more to be unreachable.

mod pairs;

use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{ControlId, Net, PlaceId, Sweep, Transition, TransitionId};
use pairs::Pairs;

/// The places that may be marked, by control state; nothing for control states that cannot be reached.
pub(super) struct Support {
    marked: IndexVec<ControlId, Option<Places>>,
    /// The places that can hold tokens at all, numbered: of many declared places few may be in use.
    numbers: IndexVec<PlaceId, Option<usize>>,
    used: usize,
    /// Which two tokens may be there at once.
    pairs: Option<Pairs>,
}

/// A set of places.
#[derive(Clone, PartialEq, Eq)]
struct Places(Box<[u64]>);

impl Places {
    fn new(places: usize) -> Self {
        Self(vec![0; places.div_ceil(64)].into())
    }

    fn contains(&self, place: Option<usize>) -> bool {
        place.is_some_and(|place| self.0[place / 64] >> (place % 64) & 1 == 1)
    }

    fn set(&mut self, place: Option<usize>) {
        if let Some(place) = place {
            self.0[place / 64] |= 1 << (place % 64);
        }
    }

    /// Keeps what is in another set, too.
    fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine &= theirs);
    }

    fn clear(&mut self, place: Option<usize>) {
        if let Some(place) = place {
            self.0[place / 64] &= !(1 << (place % 64));
        }
    }

    /// Adds all places of another set; whether any was new.
    fn include(&mut self, other: &Self) -> bool {
        let mut grown = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            grown |= *theirs & !*mine != 0;
            *mine |= *theirs;
        }
        grown
    }
}

/// Control states whose transitions must be looked at again, each once.
struct Worklist {
    queue: Vec<ControlId>,
    queued: IndexVec<ControlId, bool>,
}

impl Worklist {
    fn push(&mut self, control: ControlId) {
        if !std::mem::replace(&mut self.queued[control], true) {
            self.queue.push(control);
        }
    }

    fn pop(&mut self) -> Option<ControlId> {
        let control = self.queue.pop()?;
        self.queued[control] = false;
        Some(control)
    }
}

impl Support {
    /// The least fixpoint.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn of(net: &Net, limits: &Limits) -> Result<Self, Stop> {
        let outgoing = outgoing(net);
        let (numbers, used) = numbers(net);
        let mut support =
            Self { marked: IndexVec::filled(None, net.controls.len()), numbers, used, pairs: None };
        let mut worklist =
            Worklist { queue: Vec::new(), queued: IndexVec::filled(false, net.controls.len()) };
        for initial in &net.initial {
            let mut places = Places::new(support.used);
            initial.tokens.iter().for_each(|&(place, _)| places.set(support.numbers[place]));
            initial.unbounded.iter().for_each(|&place| places.set(support.numbers[place]));
            support.include(initial.control, &places, &mut worklist);
        }
        while let Some(control) = worklist.pop() {
            for &id in &outgoing[control] {
                limits.check()?;
                let transition = &net.transitions[id];
                if let Some(places) = support.after(transition) {
                    support.include(transition.to, &places, &mut worklist);
                }
            }
        }
        Ok(support)
    }

    /// The same, with pairs, if these do not cost too much.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn with_pairs(mut self, net: &Net, limits: &Limits) -> Result<Self, Stop> {
        self.pairs = Pairs::of(net, &self, limits)?;
        Ok(self)
    }

    fn include(&mut self, control: ControlId, places: &Places, worklist: &mut Worklist) {
        let grown = match &mut self.marked[control] {
            Some(marked) => marked.include(places),
            unreached => {
                *unreached = Some(places.clone());
                true
            }
        };
        if grown {
            worklist.push(control);
        }
    }

    /// The places that may be marked after a transition, if it can happen.
    fn after(&self, transition: &Transition) -> Option<Places> {
        if !self.admits(transition) {
            return None;
        }
        let before = self.marked[transition.from].as_ref()?;
        let mut after = before.clone();
        transition.sweep.iter().for_each(|(place, _)| after.clear(self.numbers[*place]));
        for (place, sweep) in &transition.sweep {
            if let (Sweep::Move(targets), true) = (sweep, before.contains(self.numbers[*place])) {
                targets.iter().for_each(|&target| after.set(self.numbers[target]));
            }
        }
        transition.give.iter().for_each(|&(place, _)| after.set(self.numbers[place]));
        Some(after)
    }

    /// Whether a transition may be enabled somewhere.
    pub(super) fn admits(&self, transition: &Transition) -> bool {
        self.admits_marking(transition.from, &transition.take)
    }

    /// Whether all these places may be marked in a control state.
    pub(super) fn admits_marking(&self, control: ControlId, tokens: &[(PlaceId, u32)]) -> bool {
        let marked = self.marked[control].as_ref();
        marked.is_some_and(|marked| tokens.iter().all(|entry| marked.contains(self.numbers[entry.0])))
            && self.pairs.as_ref().is_none_or(|pairs| self.admits_pairs(pairs, control, tokens))
    }

    fn admits_pairs(&self, pairs: &Pairs, control: ControlId, tokens: &[(PlaceId, u32)]) -> bool {
        let number = |place: PlaceId| self.numbers[place].expect("places that may be marked are in use");
        tokens.iter().enumerate().all(|(position, &(place, count))| {
            let place = number(place);
            let others = tokens[position + 1..].iter().map(|&(other, _)| number(other));
            let partners = others.chain((count > 1).then_some(place));
            pairs.admits_one(control, place)
                && partners.into_iter().all(|other| pairs.admits(control, place, other))
        })
    }

    /// How many control states may be reached.
    pub(super) fn controls(&self) -> usize {
        self.marked.iter().flatten().count()
    }
}

/// The transitions from each control state.
fn outgoing(net: &Net) -> IndexVec<ControlId, Vec<TransitionId>> {
    let mut outgoing = IndexVec::filled(Vec::new(), net.controls.len());
    for (id, transition) in net.transitions.enumerate() {
        outgoing[transition.from].push(id);
    }
    outgoing
}

/// Numbers for the places that tokens can come to, and how many there are.
fn numbers(net: &Net) -> (IndexVec<PlaceId, Option<usize>>, usize) {
    let mut numbers = IndexVec::filled(None, net.places.len());
    let mut used = 0;
    let mut number = |place: PlaceId| {
        if numbers[place].is_none() {
            numbers[place] = Some(used);
            used += 1;
        }
    };
    for initial in &net.initial {
        initial.tokens.iter().for_each(|entry| number(entry.0));
        initial.unbounded.iter().for_each(|&place| number(place));
    }
    for transition in net.transitions.iter() {
        transition.give.iter().for_each(|entry| number(entry.0));
        for (_, sweep) in &transition.sweep {
            if let Sweep::Move(targets) = sweep {
                targets.iter().for_each(|&target| number(target));
            }
        }
    }
    (numbers, used)
}
