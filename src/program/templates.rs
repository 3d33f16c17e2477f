//! What threads run, and how many of them there can be.

use super::inline::templates;
use super::{Action, LocationId, Procedure, ProcedureId, Program};
use crate::ground::index::IndexVec;
use crate::ir::Place;
use std::collections::BTreeMap;

/// How many threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// At most so many in a run.
    AtMost(usize),
    /// Any number.
    Any,
}

/// What some threads run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// The procedure.
    pub procedure: ProcedureId,
    /// What C calls it.
    pub name: String,
    /// How many threads run it.
    pub count: Count,
    /// Where they are started; nothing for the first thread.
    pub places: Vec<Place>,
}

/// The templates of a program whose calls are in place, the first thread's first.
#[must_use]
pub fn summary(program: &Program) -> Vec<Template> {
    let mut found: BTreeMap<ProcedureId, (Count, Vec<Place>)> =
        templates(program).into_iter().map(|id| (id, (Count::AtMost(0), Vec::new()))).collect();
    found.insert(program.entry, (Count::AtMost(1), Vec::new()));
    // What changes after as many rounds as there are templates is started in a circle: any number.
    for round in 0.. {
        let before = found.clone();
        for (id, (count, places)) in found.iter_mut().filter(|(id, _)| **id != program.entry) {
            (*count, *places) = (Count::AtMost(0), Vec::new());
            for (&starter, (starters, _)) in &before {
                starts(&program.procedures[starter], *id, *starters, count, places);
            }
            if round > before.len() && *count != before[id].0 {
                *count = Count::Any;
            }
        }
        if found == before {
            break;
        }
    }
    let tell = |(procedure, (count, places))| Template {
        procedure,
        name: routine_name(program, procedure),
        count,
        places,
    };
    let mut all: Vec<Template> = found.into_iter().map(tell).collect();
    all.sort_by_key(|template| (template.procedure != program.entry, template.procedure));
    all
}

/// Adds the threads that a template starts, if so many threads run it.
fn starts(
    starter: &Procedure,
    started: ProcedureId,
    starters: Count,
    count: &mut Count,
    places: &mut Vec<Place>,
) {
    for edge in starter.edges.iter() {
        let Action::Start { procedure, .. } = edge.action else { continue };
        if procedure != started || starters == Count::AtMost(0) {
            continue;
        }
        places.extend(edge.places.first());
        *count = match (*count, starters) {
            (Count::AtMost(some), Count::AtMost(more)) if !repeats(starter, edge.to, edge.from) => {
                Count::AtMost(some.saturating_add(more))
            }
            _ => Count::Any,
        };
    }
}

/// Whether one location leads to another.
fn repeats(procedure: &Procedure, from: LocationId, to: LocationId) -> bool {
    let mut outgoing: IndexVec<LocationId, Vec<LocationId>> =
        IndexVec::filled(Vec::new(), procedure.locations.len());
    procedure.edges.iter().for_each(|edge| outgoing[edge.from].push(edge.to));
    let mut seen = IndexVec::filled(false, procedure.locations.len());
    let mut open = vec![from];
    while let Some(location) = open.pop() {
        if location == to {
            return true;
        }
        if !std::mem::replace(&mut seen[location], true) {
            open.extend(&outgoing[location]);
        }
    }
    false
}

/// The routine of a template, as C calls it: the procedure that a thread starts with may be one of ours around it.
#[must_use]
pub fn routine_name(program: &Program, template: ProcedureId) -> String {
    let name = &program.procedures[template].name;
    let Some(inner) = name.strip_prefix('<').and_then(|name| name.strip_suffix('>')) else {
        return name.clone();
    };
    let is_name = |word: &&str| !word.starts_with(|first: char| first.is_ascii_digit());
    let words = inner.strip_prefix("thread ").unwrap_or_default();
    words.split(' ').find(is_name).filter(|name| !name.is_empty()).unwrap_or("main").to_owned()
}
