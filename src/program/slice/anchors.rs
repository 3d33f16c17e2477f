//! The locations of a procedure that a slice keeps: its *anchors*, and where control gets next from the others.
//!
//! A location is an anchor if something happens on an edge from it, or if control decides there which anchor comes next.
//! The set is closed when from every other location at most one anchor can come first: *weak commitment* \[DBH+11\]. That
//! is found by passing the first anchors backwards along edges, until no location sees two.

use super::facts::Facts;
use crate::ground::index::IndexVec;
use crate::program::{EdgeId, LocationId, Procedure};

/// The anchors of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Anchors {
    /// Locations that stay.
    pub stays: IndexVec<LocationId, bool>,
    /// Anchors at which guards matter.
    pub decides: IndexVec<LocationId, bool>,
    /// The anchor that comes first from a location: itself, if it is one. None: no anchor comes after it.
    pub next: IndexVec<LocationId, Option<LocationId>>,
}

impl Anchors {
    pub fn new(procedure: &Procedure) -> Self {
        let count = procedure.locations.len();
        let mut stays = IndexVec::filled(false, count);
        (stays[procedure.entry], stays[procedure.exit]) = (true, true);
        Self { stays, decides: IndexVec::filled(false, count), next: IndexVec::filled(None, count) }
    }

    /// Closes the set. `matters` tells the edges that count, `alike` whether edges from one location do the same, apart from where
    /// they lead.
    pub fn close(
        &mut self,
        procedure: &Procedure,
        facts: &Facts,
        matters: &dyn Fn(EdgeId) -> bool,
        alike: &dyn Fn(&[EdgeId]) -> bool,
    ) {
        loop {
            self.pass(procedure, facts, matters);
            let mut grown = false;
            for location in procedure.locations.ids() {
                let edges = facts.outgoing[location].iter().copied().filter(|&edge| matters(edge));
                let edges: Vec<EdgeId> = edges.collect();
                let (stays, splits) = (self.stays[location], self.splits(procedure, &edges));
                let decides =
                    self.decides[location] || splits || stays && (!facts.total[location] || !alike(&edges));
                grown |= decides && !stays;
                self.decides[location] = decides;
                self.stays[location] |= decides;
            }
            if !grown {
                return;
            }
        }
    }

    /// Whether different anchors come next along these edges.
    fn splits(&self, procedure: &Procedure, edges: &[EdgeId]) -> bool {
        let mut next = edges.iter().filter_map(|&edge| self.next[procedure.edges[edge].to]);
        let first = next.next();
        next.any(|other| Some(other) != first)
    }

    /// Finds an anchor that comes first from each location.
    fn pass(&mut self, procedure: &Procedure, facts: &Facts, matters: &dyn Fn(EdgeId) -> bool) {
        let mut open = Vec::new();
        for location in procedure.locations.ids() {
            self.next[location] = self.stays[location].then_some(location);
            open.extend(self.next[location]);
        }
        while let Some(location) = open.pop() {
            let first = self.next[location];
            for &edge in facts.incoming[location].iter().filter(|&&edge| matters(edge)) {
                let before = procedure.edges[edge].from;
                if self.next[before].is_none() {
                    self.next[before] = first;
                    open.push(before);
                }
            }
        }
    }
}
