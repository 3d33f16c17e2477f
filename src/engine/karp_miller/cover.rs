//! The maximal states seen: an antichain.
//!
//! A state above another has all its local sets, so that it is found in the list of any of them: the shortest list is
//! looked through. A state below another has no other local sets, its first one included: the lists of states by their
//! first local set are looked through, for every local set of the larger state.

use super::marking::Marking;
use super::tree::NodeId;
use crate::bdd::{Bdd, ops};
use crate::engine::symmetry::{LocalId, Locals};
use crate::ground::index::Index;
use crate::ground::reason::Stop;

/// A maximal state, or one that was.
struct Maximal {
    shared: Bdd,
    marking: Marking,
    node: NodeId,
}

/// Places in the list of all states.
type Places = Vec<usize>;

/// The maximal states.
#[derive(Default)]
pub struct Cover {
    states: Vec<Option<Maximal>>,
    by_local: Vec<Places>,
    by_first: Vec<Places>,
    empty: Places,
    count: usize,
}

impl Cover {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether a state is below one of them. The latest are the likeliest [Bas10, 8.4].
    pub fn contains(&self, locals: &mut Locals<'_>, shared: Bdd, marking: &Marking) -> Result<bool, Stop> {
        let list = |local: LocalId| self.by_local.get(local.index()).unwrap_or(&self.empty);
        let shortest = marking.locals().map(list).min_by_key(|list| list.len());
        let Some(candidates) = shortest else { return self.holds_nobody(locals, shared) };
        for state in candidates.iter().rev().filter_map(|&place| self.states[place].as_ref()) {
            if marking.is_below(&state.marking) && ops::is_subset(locals.manager(), shared, state.shared)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a state without threads is below one of them.
    fn holds_nobody(&self, locals: &mut Locals<'_>, shared: Bdd) -> Result<bool, Stop> {
        for state in self.states.iter().flatten() {
            if ops::is_subset(locals.manager(), shared, state.shared)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a state that is not below one of them; those below it are dropped, and their nodes returned.
    pub fn insert(
        &mut self,
        locals: &mut Locals<'_>,
        shared: Bdd,
        marking: &Marking,
        node: NodeId,
    ) -> Result<Vec<NodeId>, Stop> {
        let dropped = self.below(locals, shared, marking)?;
        let nodes = dropped.iter().filter_map(|&place| self.drop(place)).collect();
        let place = self.states.len();
        self.states.push(Some(Maximal { shared, marking: marking.clone(), node }));
        self.count += 1;
        for local in marking.locals() {
            list(&mut self.by_local, local).push(place);
        }
        if let Some(first) = marking.locals().next() {
            list(&mut self.by_first, first).push(place);
        }
        Ok(nodes)
    }

    fn below(&self, locals: &mut Locals<'_>, shared: Bdd, marking: &Marking) -> Result<Places, Stop> {
        let mut below = Vec::new();
        for local in marking.locals() {
            for &place in self.by_first.get(local.index()).unwrap_or(&self.empty) {
                let Some(state) = &self.states[place] else { continue };
                if state.marking.is_below(marking) && ops::is_subset(locals.manager(), state.shared, shared)?
                {
                    below.push(place);
                }
            }
        }
        Ok(below)
    }

    fn drop(&mut self, place: usize) -> Option<NodeId> {
        let state = self.states[place].take()?;
        self.count -= 1;
        for local in state.marking.locals() {
            self.by_local[local.index()].retain(|&other| other != place);
        }
        if let Some(first) = state.marking.locals().next() {
            self.by_first[first.index()].retain(|&other| other != place);
        }
        Some(state.node)
    }
}

/// The list of a local set, made if it is not there.
fn list(lists: &mut Vec<Places>, local: LocalId) -> &mut Places {
    if lists.len() <= local.index() {
        lists.resize_with(local.index() + 1, Vec::new);
    }
    &mut lists[local.index()]
}
