//! Whether one state may follow another: the relation as a test.
//!
//! The idea is the same for every statement: take from the second state what the statement may choose
//! (targets, the frame of a callee, …), build from it the state that should follow, compare, and test
//! every chosen value by itself. Only `$` without any passive copy needs a search.

use super::candidates::{Assignment, side_facing};
use super::evaluate::{Audience, Place, Side};
use super::{Frame, Interpreter, State, Thread};
use crate::boolean::cfg::{Copy, Expression, NodeId, Op, ProcedureId};

impl Interpreter<'_> {
    /// Whether a step of this thread (by position) can lead from a state to the next.
    #[must_use]
    pub fn permits(&self, state: &State, thread: usize, next: &State) -> bool {
        self.well_formed(state)
            && self.well_formed(next)
            && self.may_run(state, thread)
            && self.permits_step(state, thread, next)
    }

    fn permits_step(&self, state: &State, thread: usize, next: &State) -> bool {
        let node = state.threads[thread].top().node;
        let successors = &self.program.nodes[node].successors;
        let goes_on = || moved_to(state, thread, successors[0]) == *next;
        match &self.program.nodes[node].op {
            Op::Skip => successors.iter().any(|&successor| moved_to(state, thread, successor) == *next),
            Op::Assume(condition) | Op::Assert(condition, _) => {
                goes_on() && self.can_pass(state, thread, condition)
            }
            Op::Assign { targets, values, constrain } => {
                let assignment = Assignment { targets, values, constrain: constrain.as_ref() };
                self.permits_assign(state, thread, next, assignment)
            }
            Op::Call { procedure, arguments, .. } => {
                self.permits_call(state, thread, next, *procedure, arguments)
            }
            Op::Return(values) => self.permits_return(state, thread, next, values),
            Op::StartLabel(_) | Op::StartThread { .. } if self.is_full(state) => goes_on(),
            Op::StartLabel(label) => {
                let locals = state.threads[thread].top().locals.clone();
                moved_to(state, thread, successors[0]).with_thread(Frame { node: *label, locals }) == *next
            }
            Op::StartThread { procedure, arguments } => {
                self.permits_start(state, thread, next, *procedure, arguments)
            }
            Op::EndThread => state.without_thread(thread) == *next,
            Op::AtomicBegin => {
                State { atomic: Some(thread), ..moved_to(state, thread, successors[0]) } == *next
            }
            Op::AtomicEnd => State { atomic: None, ..moved_to(state, thread, successors[0]) } == *next,
        }
    }

    fn permits_call(
        &self,
        state: &State,
        thread: usize,
        next: &State,
        procedure: ProcedureId,
        arguments: &[Expression],
    ) -> bool {
        let Some(frame) = next.threads.get(thread).map(Thread::top) else { return false };
        let mut expected = state.clone();
        expected.threads[thread].frames.push(frame.clone());
        expected == *next && self.is_first_frame(state, thread, frame, procedure, arguments)
    }

    fn permits_start(
        &self,
        state: &State,
        thread: usize,
        next: &State,
        procedure: ProcedureId,
        arguments: &[Expression],
    ) -> bool {
        let Some(frame) = next.threads.last().map(Thread::top) else { return false };
        let successor = self.successor_of(state.threads[thread].top().node);
        moved_to(state, thread, successor).with_thread(frame.clone()) == *next
            && self.is_first_frame(state, thread, frame, procedure, arguments)
    }

    /// Whether a procedure called with these arguments can begin with this frame.
    fn is_first_frame(
        &self,
        state: &State,
        thread: usize,
        frame: &Frame,
        procedure: ProcedureId,
        arguments: &[Expression],
    ) -> bool {
        let now = Side::of(state, thread);
        let mut parameters = arguments.iter().enumerate();
        frame.node == self.program.procedures[procedure].entry
            && parameters
                .all(|(position, argument)| self.values(argument, now).contains(frame.locals.get(position)))
    }

    fn permits_return(&self, state: &State, thread: usize, next: &State, values: &[Expression]) -> bool {
        let Some(results) = self.results_of_caller(state, thread) else {
            return state.without_thread(thread) == *next;
        };
        let mut expected = state.clone();
        expected.threads[thread].frames.pop();
        let call = expected.threads[thread].top().node;
        expected = moved_to(&expected, thread, self.successor_of(call));
        if !same_frames(&expected, next) {
            return false;
        }
        let now = Side::of(state, thread);
        for (result, value) in results.iter().zip(values) {
            let Some(variable) = *result else { continue };
            let returned = self.read(next, thread, variable);
            if !self.values(value, now).contains(returned) {
                return false;
            }
            self.write(&mut expected, thread, variable, returned);
        }
        expected == *next
    }

    fn permits_assign(&self, state: &State, thread: usize, next: &State, assignment: Assignment<'_>) -> bool {
        let successor = self.successor_of(state.threads[thread].top().node);
        let mut expected = moved_to(state, thread, successor);
        if !same_frames(&expected, next) {
            return false;
        }
        for (target, _) in assignment.of(Copy::Own) {
            self.write(&mut expected, thread, target.variable, self.read(next, thread, target.variable));
        }
        match self.audience(state, thread, assignment.reads(), assignment.targets) {
            Audience::Nobody => {
                expected == *next && self.permits_assign_facing(state, thread, next, assignment, None)
            }
            Audience::Every(places) => {
                for place in &places {
                    self.take_passive(&mut expected, next, *place, assignment);
                }
                let mut places = places.into_iter().map(Some);
                expected == *next
                    && places.all(|place| self.permits_assign_facing(state, thread, next, assignment, place))
            }
            Audience::Imagined(variables) => {
                let mut copies = self.imagine(state, thread, &variables);
                expected == *next && copies.any(|copy| self.fits(state, next, thread, assignment, &copy))
            }
        }
    }

    /// Takes the values of the passive targets of one copy from the next state.
    fn take_passive(&self, expected: &mut State, next: &State, place: Place, assignment: Assignment<'_>) {
        let given = &next.threads[place.thread].frames[place.depth].locals;
        let locals = &mut expected.threads[place.thread].frames[place.depth].locals;
        for (target, _) in assignment.of(Copy::Passive) {
            let position = self.local_position(target.variable);
            locals.set(position, given.get(position));
        }
    }

    /// Whether values and constraint are possible, seen with one passive copy.
    fn permits_assign_facing(
        &self,
        state: &State,
        thread: usize,
        next: &State,
        assignment: Assignment<'_>,
        place: Option<Place>,
    ) -> bool {
        let now = side_facing(state, thread, place);
        let after = side_facing(next, thread, place);
        let mut own = assignment.of(Copy::Own);
        let mut passive = assignment.of(Copy::Passive);
        own.all(|(target, value)| self.values(value, now).contains(self.read(next, thread, target.variable)))
            && passive.all(|(target, value)| {
                let given = after.passive.expect("a passive target has a copy");
                self.values(value, now).contains(given.get(self.local_position(target.variable)))
            })
            && assignment.constrain.is_none_or(|e| self.values_across(e, now, after).can_be_true)
    }
}

fn moved_to(state: &State, thread: usize, node: NodeId) -> State {
    let mut next = state.clone();
    next.threads[thread].top_mut().node = node;
    next
}

/// Whether two states have the same frames, apart from the values in them.
fn same_frames(left: &State, right: &State) -> bool {
    let nodes = |thread: &Thread| thread.frames.iter().map(|frame| frame.node).collect::<Vec<_>>();
    left.threads.len() == right.threads.len()
        && left.threads.iter().zip(&right.threads).all(|(left, right)| nodes(left) == nodes(right))
}
