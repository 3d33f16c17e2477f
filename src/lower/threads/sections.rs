//! Atomic sections.
//!
//! An edge is one step anyway. A section that fits into one edge, like those of the models of locks, is that edge, and
//! whoever cannot take it waits outside. Others get edges for their begin and end.

use crate::checks::Cut;
use crate::ir::FunctionId;
use crate::ir::analysis::atomicity::{Atomicity, Mark, Sections};
use crate::ir::analysis::points_to::Site;
use crate::library::functions::Known;
use crate::lower::Lowering;
use crate::lower::body::Body;
use crate::lower::memory::tracking::called;
use crate::program::{Action, Edge, LocationId};
use std::collections::BTreeSet;

impl Lowering<'_> {
    /// Instructions of a function that lie in an atomic section that the function began, on some way to them.
    pub fn inside_sections(&self, function: FunctionId) -> BTreeSet<Site> {
        self.with_sections(|sections| sections.inside(function))
    }

    /// What is executed within atomic sections.
    pub fn find_atomicity(&self, main: FunctionId) -> Atomicity {
        self.with_sections(|sections| sections.atomicity(main))
    }

    fn with_sections<T>(&self, ask: impl FnOnce(Sections<'_>) -> T) -> T {
        let mark = |site: Site| match called(self.module, self.settings, site) {
            Some(Known::AtomicBegin) => Some(Mark::Begin),
            Some(Known::AtomicEnd) => Some(Mark::End),
            _ => None,
        };
        ask(Sections { module: self.module, points: self.points, mark: &mark })
    }
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
