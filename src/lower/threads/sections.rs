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

/// Instructions of a function that lie in an atomic section that the function began, on some way to them.
pub(in crate::lower) fn inside(lowering: &Lowering<'_>, function: FunctionId) -> BTreeSet<Site> {
    with_sections(lowering, |sections| sections.inside(function))
}

/// What is executed within atomic sections.
pub(in crate::lower) fn atomicity(lowering: &Lowering<'_>, main: FunctionId) -> Atomicity {
    with_sections(lowering, |sections| sections.atomicity(main))
}

fn with_sections<T>(lowering: &Lowering<'_>, ask: impl FnOnce(Sections<'_>) -> T) -> T {
    let mark = |site: Site| match called(lowering.module, lowering.settings, site) {
        Some(Known::AtomicBegin) => Some(Mark::Begin),
        Some(Known::AtomicEnd) => Some(Mark::End),
        _ => None,
    };
    ask(Sections { module: lowering.module, points: lowering.points, mark: &mark })
}

/// A section begins; whether it needs an edge turns out later.
pub(in crate::lower) fn begin(body: &mut Body<'_, '_>) {
    if !body.lowering.threaded() {
        return;
    }
    if body.section.is_some() {
        return body.act(Action::AtomicBegin, Cut::Plain);
    }
    body.cut(Cut::Call);
    let from = body.pending().from;
    let within = body.new_location();
    body.restart(within);
    body.section = Some((from, within));
}

/// A section ends.
pub(in crate::lower) fn end(body: &mut Body<'_, '_>) {
    if !body.lowering.threaded() {
        return;
    }
    match body.section.take() {
        Some((from, within)) if body.pending().from == within => {
            body.pending().from = from;
            body.cut(Cut::Call);
        }
        // It has an edge for its begin, or nobody gets here: what it assumes is false.
        _ => body.act(Action::AtomicEnd, Cut::Plain),
    }
}

/// An edge leaves a location: if that is within a section without an edge, the section gets one.
pub(in crate::lower) fn open(body: &mut Body<'_, '_>, at: LocationId) {
    let Some((from, within)) = body.section.filter(|&(_, within)| within == at) else { return };
    body.section = None;
    let places = body.place.into_iter().collect();
    body.edge(Edge { from, to: within, action: Action::AtomicBegin, property: None, places });
}

/// What was written is seen by others, even if this thread gets no further.
pub(in crate::lower) fn let_others_see(body: &mut Body<'_, '_>) {
    if body.lowering.threaded() && body.section.is_none() && body.pending().shared {
        body.cut(Cut::Plain);
    }
}
