//! Expressions of a template, evaluated in one state.

use crate::boolean::cfg::Time;
use crate::boolean::expression::Values;
use crate::ground::bits::Bits;
use crate::system::template::{Cell, Expression};

/// The values that a step sees on one side of it.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a> {
    pub(super) shared: &'a Bits,
    pub(super) slots: &'a Bits,
    /// The slots of the thread whose frame is the passive copy, and where the frame begins.
    pub(super) copy: Option<(&'a Bits, usize)>,
}

impl<'a> Sight<'a> {
    /// Without a passive copy.
    pub(super) fn new(shared: &'a Bits, slots: &'a Bits) -> Self {
        Self { shared, slots, copy: None }
    }

    /// With the frame that begins at `base` as the passive copy.
    pub(super) fn facing(self, slots: &'a Bits, base: usize) -> Self {
        Self { copy: Some((slots, base)), ..self }
    }

    fn read(self, cell: Cell) -> bool {
        match cell {
            Cell::Shared(position) => self.shared.get(position),
            Cell::Slot(slot) => self.slots.get(slot),
            Cell::Passive(position) => {
                let (slots, base) = self.copy.expect("what reads a copy is evaluated facing one");
                slots.get(base + position)
            }
        }
    }
}

/// The values of an expression over current values.
pub(super) fn values(expression: &Expression, now: Sight<'_>) -> Values {
    values_across(expression, now, now)
}

/// The values of an expression over the values before and after a step.
pub(super) fn values_across(expression: &Expression, now: Sight<'_>, next: Sight<'_>) -> Values {
    expression.values(|place| match place.time {
        Time::Now => now.read(place.cell),
        Time::Next => next.read(place.cell),
    })
}

/// Whether an expression, if there is one, can be true.
pub(super) fn allows(condition: Option<&Expression>, now: Sight<'_>, next: Sight<'_>) -> bool {
    condition.is_none_or(|condition| values_across(condition, now, next).can_be_true)
}

/// Whether an expression reads a cell of this kind.
pub(super) fn mentions(expression: &Expression, kind: impl Fn(Cell) -> bool) -> bool {
    expression.variables().any(|place| kind(place.cell))
}
