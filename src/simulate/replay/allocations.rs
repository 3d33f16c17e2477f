//! What heap objects hold that nobody has written, where the model keeps each object as variables of its own.
//!
//! The model chooses these values in the step that allocates the object, as inputs with the names of its members; the machine
//! asks for them when the program first reads them, which may be in another order. Objects from one line of C have one name in the
//! machine, whatever copies of the function that allocates them the model has. So the values belong to the object: to the next one that
//! is allocated in a line of that step.

use super::{input_key, number};
use crate::predicate::PathStep;
use crate::program::Program;
use crate::simulate::Feasible;
use crate::vm::choices::ChoiceKind;
use rustc_hash::FxHashMap;

/// What one object holds at first.
struct Fresh {
    /// The number of the step that allocates it.
    step: usize,
    /// The lines of C of that step.
    lines: Vec<u32>,
    /// Values by the names of members.
    members: Vec<(String, u128)>,
}

/// Objects that the path allocates, and those of them that the machine has allocated.
#[derive(Default)]
pub(super) struct Allocations {
    coming: Vec<Fresh>,
    there: FxHashMap<usize, Vec<(String, u128)>>,
}

/// How the names of heap objects begin.
const HEAP: &str = "heap@";

impl Allocations {
    pub fn new(program: &Program, path: &[PathStep], feasible: &Feasible) -> Self {
        let mut coming: Vec<Fresh> = Vec::new();
        for input in &feasible.inputs {
            let (kind, name) = input_key(program, input.symbol);
            let Some(value) = number(&input.value) else { continue };
            if kind != ChoiceKind::Uninitialised || !name.starts_with(HEAP) {
                continue;
            }
            // A step may allocate several objects: a name that comes again belongs to the next one.
            let same = |fresh: &&mut Fresh| {
                fresh.step == input.step && fresh.members.iter().all(|(known, _)| *known != name)
            };
            if let Some(fresh) = coming.last_mut().filter(same) {
                fresh.members.push((name, value));
                continue;
            }
            let step = &path[input.step];
            let places = &program.procedures[step.procedure].edges[step.edge].places;
            let lines = places.iter().map(|place| place.line).collect();
            coming.push(Fresh { step: input.step, lines, members: vec![(name, value)] });
        }
        Self { coming, there: FxHashMap::default() }
    }

    /// The machine allocates an object.
    pub fn allocates(&mut self, object: usize, line: Option<u32>) {
        let is_it = |fresh: &Fresh| line.is_some_and(|line| fresh.lines.contains(&line));
        match self.coming.iter().position(is_it) {
            Some(next) => self.there.insert(object, self.coming.remove(next).members),
            // The number of an object may be used again.
            None => self.there.remove(&object),
        };
    }

    /// What a member of an object holds at first.
    pub fn value(&mut self, object: usize, name: &str) -> Option<u128> {
        let members = self.there.get_mut(&object)?;
        let position = members.iter().position(|(known, _)| known == name)?;
        Some(members.remove(position).1)
    }
}
