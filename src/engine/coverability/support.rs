//! Which places can hold tokens in which control state: a forward over-approximation.
//!
//! For every control state the set of places that may be marked there, regardless of how many tokens and of which
//! other places are. A transition happens if all places it takes from may be marked. The least fixpoint is found
//! with a worklist of control states. What is outside of it is unreachable: the backward search need not go there,
//! and transitions that need it are left out altogether.

use crate::ground::index::{Index, IndexVec};
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{ControlId, Net, PlaceId, Sweep, Transition, TransitionId};

/// The places that may be marked, by control state; nothing for control states that cannot be reached.
pub(super) struct Support {
    marked: IndexVec<ControlId, Option<Places>>,
}

/// A set of places.
#[derive(Clone, PartialEq, Eq)]
struct Places(Box<[u64]>);

impl Places {
    fn new(places: usize) -> Self {
        Self(vec![0; places.div_ceil(64)].into())
    }

    fn contains(&self, place: PlaceId) -> bool {
        self.0[place.index() / 64] >> (place.index() % 64) & 1 == 1
    }

    fn set(&mut self, place: PlaceId) {
        self.0[place.index() / 64] |= 1 << (place.index() % 64);
    }

    fn clear(&mut self, place: PlaceId) {
        self.0[place.index() / 64] &= !(1 << (place.index() % 64));
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
        let mut outgoing: IndexVec<ControlId, Vec<TransitionId>> =
            IndexVec::filled(Vec::new(), net.controls.len());
        for (id, transition) in net.transitions.enumerate() {
            outgoing[transition.from].push(id);
        }
        let mut support = Self { marked: IndexVec::filled(None, net.controls.len()) };
        let mut worklist =
            Worklist { queue: Vec::new(), queued: IndexVec::filled(false, net.controls.len()) };
        for initial in &net.initial {
            let mut places = Places::new(net.places.len());
            initial.tokens.iter().for_each(|&(place, _)| places.set(place));
            initial.unbounded.iter().for_each(|&place| places.set(place));
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
        transition.sweep.iter().for_each(|(place, _)| after.clear(*place));
        for (place, sweep) in &transition.sweep {
            if let (Sweep::Move(targets), true) = (sweep, before.contains(*place)) {
                targets.iter().for_each(|&target| after.set(target));
            }
        }
        transition.give.iter().for_each(|&(place, _)| after.set(place));
        Some(after)
    }

    /// Whether a transition may be enabled somewhere.
    pub(super) fn admits(&self, transition: &Transition) -> bool {
        self.admits_marking(transition.from, &transition.take)
    }

    /// Whether all these places may be marked in a control state.
    pub(super) fn admits_marking(&self, control: ControlId, tokens: &[(PlaceId, u32)]) -> bool {
        let marked = self.marked[control].as_ref();
        marked.is_some_and(|marked| tokens.iter().all(|entry| marked.contains(entry.0)))
    }

    /// How many control states may be reached.
    pub(super) fn controls(&self) -> usize {
        self.marked.iter().flatten().count()
    }
}
