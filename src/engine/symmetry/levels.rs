//! The levels of cells: dependent cells stand side by side, and the roles of one cell next to each other.

use crate::bdd::Level;
use crate::bdd::order::force;
use crate::boolean::cfg::Time;
use crate::ground::index::Index;
use crate::system::template::{Cell, Expression, Place, Step, Template};

/// The value before and after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Before.
    pub now: Level,
    /// After.
    pub next: Level,
}

/// The levels of all cells.
pub struct Levels {
    /// By shared variable.
    pub shared: Vec<Pair>,
    /// By slot.
    pub slots: Vec<Pair>,
    /// By position in the frame that is a passive copy.
    pub passive: Vec<Pair>,
    /// By slot: the value in a thread that is being started.
    pub child: Vec<Level>,
    /// How many levels there are.
    pub count: usize,
}

impl Levels {
    /// Orders the cells of a template.
    pub fn new(template: &Template) -> Self {
        let items = template.shared + template.slots;
        let order = force(items, &edges(template));
        let broadcasts = template.has_broadcasts();
        let mut count = 0;
        let mut fresh = || {
            count += 1;
            Level::new(count - 1)
        };
        let nothing = Pair { now: Level::new(0), next: Level::new(0) };
        let mut shared = vec![nothing; template.shared];
        let mut slots = vec![nothing; template.slots];
        let mut passive = vec![nothing; if broadcasts { template.slots } else { 0 }];
        let mut child = vec![Level::new(0); template.slots];
        for item in order {
            let mut pair = || Pair { now: fresh(), next: fresh() };
            if item < template.shared {
                shared[item] = pair();
                continue;
            }
            let slot = item - template.shared;
            slots[slot] = pair();
            if broadcasts {
                passive[slot] = pair();
            }
            child[slot] = fresh();
        }
        Self { shared, slots, passive, child, count }
    }

    /// The level of a cell at a time.
    pub fn of(&self, place: &Place) -> Level {
        let pair = match place.cell {
            Cell::Shared(variable) => self.shared[variable],
            Cell::Slot(slot) => self.slots[slot],
            Cell::Passive(position) => self.passive[position],
        };
        match place.time {
            Time::Now => pair.now,
            Time::Next => pair.next,
        }
    }

    /// The levels of the shared variables, before and after.
    pub fn all_shared(&self) -> Vec<Level> {
        self.shared.iter().flat_map(|pair| [pair.now, pair.next]).collect()
    }

    /// The levels of the passive copy, before and after.
    pub fn all_passive(&self) -> Vec<Level> {
        self.passive.iter().flat_map(|pair| [pair.now, pair.next]).collect()
    }
}

/// One hyperedge per set of cells that a statement relates.
fn edges(template: &Template) -> Vec<Vec<usize>> {
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for location in template.locations.iter() {
        let checks = location.checks.iter().map(|check| &check.condition);
        let conditions = checks.chain(&location.enforce).map(|condition| cells(template, condition));
        edges.extend(conditions);
        location.steps.iter().for_each(|step| relate(template, step, &mut edges));
    }
    for edge in &mut edges {
        edge.sort_unstable();
        edge.dedup();
    }
    edges.retain(|edge| edge.len() > 1);
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn relate(template: &Template, step: &Step, edges: &mut Vec<Vec<usize>>) {
    edges.extend(step.assume.iter().chain(&step.constrain).map(|condition| cells(template, condition)));
    for write in &step.writes {
        let mut edge = write.value.as_ref().map_or_else(Vec::new, |value| cells(template, value));
        edge.push(item(template, write.cell));
        edges.push(edge);
    }
}

fn cells(template: &Template, expression: &Expression) -> Vec<usize> {
    expression.variables().map(|place| item(template, place.cell)).collect()
}

fn item(template: &Template, cell: Cell) -> usize {
    match cell {
        Cell::Shared(variable) => variable,
        Cell::Slot(position) | Cell::Passive(position) => template.shared + position,
    }
}
