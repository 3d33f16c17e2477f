//! The graph of a template's locations: where it branches back and where ways meet.

use super::footprint::successors;
use crate::ground::index::{Index, IndexVec};
use crate::system::template::{LocationId, Template};

/// What the graph of the locations looks like. A thread that is started follows on the one that starts it.
pub struct Graph {
    /// Whether an edge from here leads back: without these edges there is no cycle.
    pub back: IndexVec<LocationId, bool>,
    /// In how many ways a location is entered.
    pub entries: IndexVec<LocationId, usize>,
    /// From where control comes here.
    pub before: IndexVec<LocationId, Vec<LocationId>>,
}

/// How far the search has come with a location.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Never,
    Open,
    Done,
}

impl Graph {
    /// The graph of a template.
    pub fn new(template: &Template) -> Self {
        let count = template.locations.len();
        let mut entries = IndexVec::filled(0, count);
        let mut before: IndexVec<LocationId, Vec<LocationId>> = IndexVec::filled(Vec::new(), count);
        entries[template.start] += 1;
        for id in template.locations.ids() {
            successors(template, id).for_each(|next| entries[next] += 1);
            for target in template.locations[id].steps.iter().filter_map(|step| step.target) {
                before[target].push(id);
            }
        }
        Self { back: back_edges(template), entries, before }
    }
}

/// Depth first: an edge leads back if it leads to a location on the way to where it begins.
fn back_edges(template: &Template) -> IndexVec<LocationId, bool> {
    let mut back = IndexVec::filled(false, template.locations.len());
    let mut visits = vec![Visit::Never; template.locations.len()];
    let next = |id| successors(template, id).collect::<Vec<_>>().into_iter();
    let mut stack = vec![(template.start, next(template.start))];
    visits[template.start.index()] = Visit::Open;
    while let Some((id, rest)) = stack.last_mut() {
        let id = *id;
        let Some(follower) = rest.next() else {
            visits[id.index()] = Visit::Done;
            stack.pop();
            continue;
        };
        match visits[follower.index()] {
            Visit::Open => back[id] = true,
            Visit::Done => {}
            Visit::Never => {
                visits[follower.index()] = Visit::Open;
                stack.push((follower, next(follower)));
            }
        }
    }
    back
}
