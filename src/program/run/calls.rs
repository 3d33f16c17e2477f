//! Calls, returns, threads and atomic sections of a run.

use super::code::EdgeCode;
use super::evaluate::NewArray;
use super::layout::Slot;
use super::state::Thread;
use super::{Execution, Outcome, Recording, Step, ThreadId};
use crate::ground::index::Index;
use crate::program::{Action, EdgeId, ProcedureId};
use crate::term::Symbol;

impl Execution<'_> {
    pub(super) fn record(&mut self, step: Step, edge: &EdgeCode) {
        self.steps += 1;
        for (position, input) in edge.inputs.iter().enumerate() {
            self.pending.consume(input.class);
            if self.recording == Recording::Path {
                self.inputs.push((input.symbol, self.input_values[edge.first_input + position]));
            }
        }
        if self.recording == Recording::Path {
            self.path.push(step);
        }
    }

    /// Pushes an activation of the callee.
    pub(super) fn call(
        &mut self,
        thread: ThreadId,
        id: EdgeId,
        callee: ProcedureId,
        edge: &EdgeCode,
        arrays: Vec<NewArray>,
    ) {
        let (program, layout) = (self.code.program, &self.code.layout);
        self.state.threads[thread].activate(program, layout, callee, Some(id));
        self.pass(thread, edge, arrays);
    }

    /// Adds a thread.
    pub(super) fn start(&mut self, callee: ProcedureId, edge: &EdgeCode, arrays: Vec<NewArray>) {
        let new = Thread::new(self.code.program, &self.code.layout, callee);
        let thread = self.state.threads.push(new);
        self.pass(thread, edge, arrays);
    }

    /// Gives the last activation of a thread its parameters.
    fn pass(&mut self, thread: ThreadId, edge: &EdgeCode, arrays: Vec<NewArray>) {
        let Thread { activations, values } = &mut self.state.threads[thread];
        let (scalars, first_array) = activations.last().expect("an activation").base;
        for &(slot, register) in &edge.scalars {
            let value = self.registers[edge.first_register + register as usize];
            values.scalars[scalars + slot.number as usize] = Some(value);
        }
        for (slot, copy, writes) in arrays {
            let mut array = copy.expect("parameters are never changed in place");
            array.write(writes);
            values.arrays[first_array + slot.number as usize] = Some(array);
        }
    }

    /// Ends activations that are at their exits.
    pub(super) fn return_from(&mut self, thread: ThreadId) -> Option<Outcome> {
        let program = self.code.program;
        loop {
            let activation = *self.state.threads[thread].activations.last()?;
            let procedure = &program.procedures[activation.procedure];
            if activation.location != procedure.exit {
                return None;
            }
            let Some(call) = activation.call else { return self.end_thread(thread) };
            let caller = self.state.threads[thread].caller().expect("a call has a caller");
            let edge = &program.procedures[caller.procedure].edges[call];
            let target = match &edge.action {
                Action::Call { result, .. } => *result,
                _ => None,
            };
            self.take_result(thread, procedure.result, target);
            let thread = &mut self.state.threads[thread];
            thread.deactivate();
            thread.activations.last_mut().expect("the caller").location = edge.to;
        }
    }

    fn end_thread(&mut self, thread: ThreadId) -> Option<Outcome> {
        if thread.index() == 0 {
            return Some(Outcome::Exit);
        }
        self.state.threads[thread].deactivate();
        if self.state.atomic == Some(thread) {
            self.state.atomic = None;
            self.state.nesting = 0;
        }
        None
    }

    /// Copies what the last activation returns into a variable of its caller; an arbitrary result that nobody read
    /// makes that variable arbitrary.
    fn take_result(&mut self, thread: ThreadId, result: Option<Symbol>, target: Option<Symbol>) {
        let (Some(result), Some(target)) = (result, target) else { return };
        let layout = &self.code.layout;
        let slot = |symbol: Symbol| -> Slot { layout.slot(symbol).expect("a result is no input") };
        self.state.copy_result(self.code.program, thread, (result, slot(result)), slot(target));
    }

    pub(super) fn enter_atomic(&mut self, thread: ThreadId) {
        self.state.atomic = Some(thread);
        self.state.nesting += 1;
    }

    pub(super) fn leave_atomic(&mut self) {
        self.state.nesting = self.state.nesting.saturating_sub(1);
        if self.state.nesting == 0 {
            self.state.atomic = None;
        }
    }
}
