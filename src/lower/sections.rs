//! Atomic sections.
//!
//! An edge is one step anyway. A section that fits into one edge, like those of the models of locks, is that edge, and
//! whoever cannot take it waits outside. Others get edges for their begin and end.

use super::Settings;
use super::body::{Body, Cut};
use super::environment::Known;
use super::validity::called;
use crate::ir::analysis::points_to::Site;
use crate::ir::check::successors;
use crate::ir::{BlockId, FunctionId, Module};
use crate::program::{Action, Edge, LocationId};
use std::collections::BTreeSet;

/// Instructions of a function that lie in an atomic section that the function began, on some way to them.
pub(super) fn inside(module: &Module, settings: &Settings, function: FunctionId) -> BTreeSet<Site> {
    let blocks = &module.functions[function].blocks;
    let (mut inside, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut waiting = vec![(BlockId::FIRST, 0usize)];
    while let Some((block, mut depth)) = waiting.pop() {
        // Sections that a loop opens again and again are deep enough.
        if blocks.is_empty() || !seen.insert((block, depth.min(4))) {
            continue;
        }
        for number in 0..blocks[block].instructions.len() {
            let site = Site { function, block, number };
            match called(module, settings, site) {
                Some(Known::AtomicBegin) => depth += 1,
                Some(Known::AtomicEnd) => depth = depth.saturating_sub(1),
                _ if depth > 0 => _ = inside.insert(site),
                _ => {}
            }
        }
        waiting.extend(successors(&blocks[block].terminator).into_iter().map(|next| (next, depth.min(4))));
    }
    inside
}

impl Body<'_, '_> {
    /// A section begins; whether it needs an edge turns out later.
    pub fn begin_section(&mut self) {
        if !self.lowering.threaded {
            return;
        }
        if self.section.is_some() {
            return self.act(Action::AtomicBegin, Cut::Plain);
        }
        self.cut(Cut::Call);
        let from = self.pending().from;
        let within = self.new_location();
        self.restart(within);
        self.section = Some((from, within));
    }

    /// A section ends.
    pub fn end_section(&mut self) {
        if !self.lowering.threaded {
            return;
        }
        match self.section.take() {
            Some((from, within)) if self.pending().from == within => {
                self.pending().from = from;
                self.cut(Cut::Call);
            }
            // It has an edge for its begin, or nobody gets here: what it assumes is false.
            _ => self.act(Action::AtomicEnd, Cut::Plain),
        }
    }

    /// An edge leaves a location: if that is within a section without an edge, the section gets one.
    pub fn open_section(&mut self, at: LocationId) {
        let Some((from, within)) = self.section.filter(|&(_, within)| within == at) else { return };
        self.section = None;
        let places = self.place.into_iter().collect();
        self.edge(Edge { from, to: within, action: Action::AtomicBegin, property: None, places });
    }

    /// What was written is seen by others, even if this thread gets no further.
    pub fn let_others_see(&mut self) {
        if self.lowering.threaded && self.section.is_none() && self.pending().shared {
            self.cut(Cut::Plain);
        }
    }
}
