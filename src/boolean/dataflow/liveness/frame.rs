//! The variables that the sets of one procedure range over.

use crate::boolean::cfg::VariableId;
use crate::boolean::dataflow::VariableSet;
use crate::boolean::dataflow::set::IdSet;
use crate::ground::index::Index;
use crate::index_types;

index_types! {
    /// The position of a variable among those that its procedure tracks.
    Slot,
}

pub(super) type Slots = IdSet<Slot>;

/// The variables that the sets of one procedure range over: touched globals in order, then all locals.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) variables: Vec<VariableId>,
    pub(super) globals: usize,
}

impl Frame {
    /// The frame of a procedure with these locals that touches these globals.
    pub(super) fn new(touched: &VariableSet, locals: &[VariableId]) -> Self {
        let mut variables: Vec<VariableId> = touched.iter().collect();
        let globals = variables.len();
        variables.extend(locals);
        Self { variables, globals }
    }

    /// The slot of a variable, if it is tracked.
    pub(super) fn slot(&self, variable: VariableId) -> Option<Slot> {
        let (globals, locals) = self.variables.split_at(self.globals);
        if let Ok(slot) = globals.binary_search(&variable) {
            return Some(Slot::new(slot));
        }
        // The locals of a procedure nearly always have ids in a row.
        let guess = variable.index().wrapping_sub(locals.first()?.index());
        let position = if locals.get(guess) == Some(&variable) {
            Some(guess)
        } else {
            locals.iter().position(|&local| local == variable)
        };
        position.map(|position| Slot::new(self.globals + position))
    }

    /// The slots of those of some variables that are tracked.
    pub(super) fn slots(&self, variables: impl IntoIterator<Item = VariableId>) -> Slots {
        Slots::of(self.variables.len(), variables.into_iter().filter_map(|variable| self.slot(variable)))
    }

    /// The slots of the globals in a set.
    pub(super) fn global_slots(&self, set: &VariableSet) -> Slots {
        let globals = self.variables[..self.globals].iter().enumerate();
        let slots = globals.filter(|(_, variable)| set.contains(**variable)).map(|(slot, _)| Slot::new(slot));
        Slots::of(self.variables.len(), slots)
    }
}
