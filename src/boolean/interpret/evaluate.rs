//! Evaluation of expressions in a state, and the meaning of `v$`.

use super::{Interpreter, Product, State};
use crate::boolean::cfg::{Copy, Expression, Op, ProcedureId, Read, Scope, Target, Time, VariableId};
use crate::boolean::expression::Values;
use crate::ground::bits::Bits;

/// Where a passive copy is: a frame of another thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) thread: usize,
    pub(super) depth: usize,
}

/// For whom the relation of a statement must hold.
pub(super) enum Audience {
    /// The statement has no `$`.
    Nobody,
    /// For every one of these copies.
    Every(Vec<Place>),
    /// There is no copy: for some values of these variables.
    Imagined(Vec<VariableId>),
}

/// The values that expressions read in one state.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) globals: &'a Bits,
    pub(super) own: &'a Bits,
    pub(super) passive: Option<&'a Bits>,
}

impl<'a> Side<'a> {
    /// What a thread sees in a state.
    pub(super) fn of(state: &'a State, thread: usize) -> Self {
        Self { globals: &state.globals, own: &state.threads[thread].top().locals, passive: None }
    }

    /// With this as the passive copy.
    pub(super) fn facing(self, passive: &'a Bits) -> Self {
        Self { passive: Some(passive), ..self }
    }

    /// With the frame at this place as the passive copy.
    pub(super) fn facing_place(self, state: &'a State, place: Place) -> Self {
        self.facing(&state.threads[place.thread].frames[place.depth].locals)
    }
}

impl Interpreter<'_> {
    /// The values of an expression over the state before a step.
    pub(super) fn values(&self, expression: &Expression, now: Side<'_>) -> Values {
        self.values_across(expression, now, now)
    }

    /// The values of an expression over the states before and after a step.
    pub(super) fn values_across(&self, expression: &Expression, now: Side<'_>, next: Side<'_>) -> Values {
        expression.values(|read| self.value(read, now, next))
    }

    fn value(&self, read: &Read, now: Side<'_>, next: Side<'_>) -> bool {
        let side = match read.time {
            Time::Now => now,
            Time::Next => next,
        };
        match (self.program.variables[read.variable].scope, read.copy) {
            (Scope::Global(position), _) => side.globals.get(position),
            (Scope::Local(_, position), Copy::Own) => side.own.get(position),
            (Scope::Local(_, position), Copy::Passive) => {
                side.passive.expect("statements with $ are evaluated per copy").get(position)
            }
        }
    }

    /// Whether an assumption lets the thread pass.
    pub(super) fn can_pass(&self, state: &State, thread: usize, condition: &Expression) -> bool {
        let now = Side::of(state, thread);
        let holds = |side: Side<'_>| self.values(condition, side).can_be_true;
        match self.audience(state, thread, condition.variables(), &[]) {
            Audience::Nobody => holds(now),
            Audience::Every(places) => places.into_iter().all(|place| holds(now.facing_place(state, place))),
            Audience::Imagined(variables) => {
                self.imagine(state, thread, &variables).any(|copy| holds(now.facing(&copy)))
            }
        }
    }

    /// Whether an assertion can fail: for some copy; without copies, only if it can whatever `$` may be.
    pub(super) fn can_fail(&self, state: &State, thread: usize, condition: &Expression) -> bool {
        let now = Side::of(state, thread);
        let fails = |side: Side<'_>| self.values(condition, side).can_be_false;
        match self.audience(state, thread, condition.variables(), &[]) {
            Audience::Nobody => fails(now),
            Audience::Every(places) => places.into_iter().any(|place| fails(now.facing_place(state, place))),
            Audience::Imagined(variables) => {
                self.imagine(state, thread, &variables).all(|copy| fails(now.facing(&copy)))
            }
        }
    }

    /// For whom a statement with these reads and targets must hold when a thread executes it.
    pub(super) fn audience<'e>(
        &self,
        state: &State,
        thread: usize,
        reads: impl Iterator<Item = &'e Read>,
        targets: &[Target],
    ) -> Audience {
        let read = reads.filter(|read| read.copy == Copy::Passive).map(|read| read.variable);
        let written = targets.iter().filter(|target| target.copy == Copy::Passive);
        let mut variables: Vec<_> = read.chain(written.map(|target| target.variable)).collect();
        variables.retain(|&variable| !self.program.is_global(variable));
        variables.sort_unstable();
        variables.dedup();
        if variables.is_empty() {
            return Audience::Nobody;
        }
        let places = self.places(state, thread);
        if places.is_empty() { Audience::Imagined(variables) } else { Audience::Every(places) }
    }

    /// The frames of a thread's current procedure on the stacks of all other threads.
    fn places(&self, state: &State, thread: usize) -> Vec<Place> {
        let procedure = self.procedure_of(state.threads[thread].top());
        let others = (0..state.threads.len()).filter(|&other| other != thread);
        let frames = others.flat_map(|thread| {
            (0..state.threads[thread].frames.len()).map(move |depth| Place { thread, depth })
        });
        let same =
            |place: &Place| self.procedure_of(&state.threads[place.thread].frames[place.depth]) == procedure;
        frames.filter(same).collect()
    }

    /// All frames of a thread's current procedure that differ in these variables.
    pub(super) fn imagine<'a>(
        &self,
        state: &State,
        thread: usize,
        variables: &'a [VariableId],
    ) -> impl Iterator<Item = Bits> + use<'a> {
        let procedure = self.procedure_of(state.threads[thread].top());
        let length = self.program.procedures[procedure].locals.len();
        let positions: Vec<usize> = variables.iter().map(|&variable| self.local_position(variable)).collect();
        Product::new(vec![Values::BOTH; variables.len()]).map(move |values| {
            let mut copy = Bits::new(length);
            positions.iter().zip(values).for_each(|(&position, value)| copy.set(position, value));
            copy
        })
    }

    /// The position of a local variable in its frame.
    pub(super) fn local_position(&self, variable: VariableId) -> usize {
        match self.program.variables[variable].scope {
            Scope::Local(_, position) => position,
            Scope::Global(_) => unreachable!("a global has no passive copy"),
        }
    }

    /// Writes a variable of a thread's top frame or a global.
    pub(super) fn write(&self, state: &mut State, thread: usize, variable: VariableId, value: bool) {
        match self.program.variables[variable].scope {
            Scope::Global(position) => state.globals.set(position, value),
            Scope::Local(_, position) => state.threads[thread].top_mut().locals.set(position, value),
        }
    }

    /// Reads a variable of a thread's top frame or a global.
    pub(super) fn read(&self, state: &State, thread: usize, variable: VariableId) -> bool {
        let side = Side::of(state, thread);
        self.value(&Read::now(variable), side, side)
    }

    /// Where the results of the procedure on top of a thread go, if it was called.
    pub(super) fn results_of_caller(&self, state: &State, thread: usize) -> Option<&[Option<VariableId>]> {
        let caller = state.threads[thread].frames.iter().rev().nth(1)?;
        match &self.program.nodes[caller.node].op {
            Op::Call { results, .. } => Some(results),
            _ => unreachable!("a frame below the top is at a call"),
        }
    }

    /// How many variables a frame of this procedure has.
    pub(super) fn frame_size(&self, procedure: ProcedureId) -> usize {
        self.program.procedures[procedure].locals.len()
    }
}
