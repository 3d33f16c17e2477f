//! Indexes of a net: which transitions can matter to a marking, forwards and backwards.
//!
//! Only transitions that the [support](super::support) analysis lets happen are in it. Forwards, a transition is
//! found by its first taken place. Backwards, a transition that leaves the control state alone and sweeps nothing
//! matters only if it gives a token that is demanded: otherwise what it needs is above what it yields.

use super::marking::is_below;
use super::support::Support;
use crate::system::net::{ControlId, Net, PlaceId, Transition, TransitionId};
use rustc_hash::FxHashMap;

type Lists = FxHashMap<(ControlId, Option<PlaceId>), Vec<TransitionId>>;

/// The indexes.
pub(super) struct NetIndex<'a> {
    /// The net.
    pub(super) net: &'a Net,
    /// Which places can hold tokens.
    pub(super) support: Support,
    by_take: Lists,
    by_give: Lists,
}

impl<'a> NetIndex<'a> {
    /// The indexes of a net.
    pub(super) fn new(net: &'a Net, support: Support) -> Self {
        let (mut by_take, mut by_give) = (Lists::default(), Lists::default());
        for (id, transition) in net.transitions.enumerate().filter(|entry| support.admits(entry.1)) {
            let first = transition.take.first().map(|entry| entry.0);
            by_take.entry((transition.from, first)).or_default().push(id);
            if stays(transition) {
                for &(place, _) in &transition.give {
                    by_give.entry((transition.to, Some(place))).or_default().push(id);
                }
            } else {
                by_give.entry((transition.to, None)).or_default().push(id);
            }
        }
        Self { net, support, by_take, by_give }
    }

    /// Transitions that may be enabled.
    pub(super) fn outgoing<'s>(
        &'s self,
        control: ControlId,
        tokens: &'s [(PlaceId, u32)],
    ) -> impl Iterator<Item = TransitionId> + 's {
        let keys = std::iter::once(None).chain(tokens.iter().map(|entry| Some(entry.0)));
        keys.flat_map(move |key| self.by_take.get(&(control, key)).into_iter().flatten().copied())
    }

    /// Transitions whose predecessors matter.
    pub(super) fn incoming<'s>(
        &'s self,
        control: ControlId,
        tokens: &'s [(PlaceId, u32)],
    ) -> impl Iterator<Item = TransitionId> + 's {
        let keys = std::iter::once(None).chain(tokens.iter().map(|entry| Some(entry.0)));
        keys.flat_map(move |key| {
            let listed = self.by_give.get(&(control, key)).into_iter().flatten().copied();
            listed.filter(move |&id| key.is_none() || self.first_given(id, tokens) == key)
        })
    }

    /// The first demanded place that a transition gives tokens to: it is visited there only.
    fn first_given(&self, id: TransitionId, tokens: &[(PlaceId, u32)]) -> Option<PlaceId> {
        let demanded = |place: &PlaceId| tokens.binary_search_by_key(place, |entry| entry.0).is_ok();
        self.net.transitions[id].give.iter().map(|entry| entry.0).find(demanded)
    }
}

/// Whether a transition leaves the control state and all places but those it takes from and gives to alone.
pub(super) fn stays(transition: &Transition) -> bool {
    transition.from == transition.to && transition.sweep.is_empty()
}

/// The first target of a net that a configuration covers, without an index.
pub(super) fn covers(net: &Net, control: ControlId, tokens: &[(PlaceId, u32)]) -> Option<usize> {
    net.targets.iter().position(|target| target.control == control && is_below(&target.tokens, tokens))
}
