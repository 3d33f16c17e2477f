//! Single steps of the original program, as the trace of the reduced one tells them.

use super::{Frame, Lifter, Run};
use crate::boolean::cfg::{Expression, NodeId, Op, ProcedureId};
use crate::boolean::trace::{Passive, Step, View};
use crate::ground::bits::Bits;

impl<'a> Lifter<'a> {
    /// A callee's first frame; the values of its kept variables are given.
    pub(super) fn entered(
        &self,
        run: &Run<'_>,
        caller: &Frame,
        procedure: ProcedureId,
        arguments: &[Expression],
        kept: &Bits,
    ) -> Result<Frame, String> {
        let mut frame = self.frame(procedure);
        for (position, argument) in arguments.iter().enumerate() {
            frame.locals.set(position, self.any_value(&run.globals, &caller.locals, argument));
        }
        self.overlay(procedure, &mut frame.locals, kept)?;
        Ok(frame)
    }

    /// Executes the node that a thread is at, as the step tells.
    pub(super) fn single(&mut self, run: &mut Run<'a>, step: &Step) -> Result<(), String> {
        let original = self.original;
        let top = run.top(step.thread)?.clone();
        let (number, node) = (run.number(step.thread), &original.nodes[top.node]);
        let mut started = None;
        match &node.op {
            Op::Call { procedure, arguments, .. } => {
                let frame = self.entered(run, &top, *procedure, arguments, &step.after.locals)?;
                run.threads[number].push(frame);
            }
            Op::Return(_) => self.leave(run, step, top.clone())?,
            Op::EndThread => run.threads[number].clear(),
            op => {
                if let Some(view) = &step.started {
                    started = Some(self.start(run, &top, op, view)?);
                }
                self.go_on(run, step, top.clone())?;
            }
        }
        self.overlay_globals(&mut run.globals, &step.after.globals)?;
        let passive = self.passive(run, step)?;
        let started = started.map(|number| run.view(number));
        let after = run.view(step.thread);
        run.lifted.push(Step { node: top.node, after, started, passive, ..step.clone() });
        Ok(())
    }

    /// A step within a frame.
    pub(super) fn go_on(&self, run: &mut Run<'a>, step: &Step, mut top: Frame) -> Result<(), String> {
        let node = &self.original.nodes[top.node];
        if let Op::Assign { targets, values, .. } = &node.op {
            self.assign_dropped(&mut run.globals, &mut top.locals, targets, values);
        }
        self.overlay(node.procedure, &mut top.locals, &step.after.locals)?;
        top.node = match &node.successors[..] {
            [only] => *only,
            several => {
                let target = self.original_node(step.after.node.ok_or("a thread that ends by a jump")?)?;
                let leads = |&&node: &&NodeId| {
                    self.way(&run.globals, Frame { node, locals: top.locals.clone() }, target).is_some()
                };
                *several.iter().find(leads).ok_or("a jump that the original program does not have")?
            }
        };
        run.replace_top(step.thread, top);
        Ok(())
    }

    /// Starts a thread and tells its number.
    pub(super) fn start(
        &self,
        run: &mut Run<'a>,
        top: &Frame,
        op: &Op,
        view: &View,
    ) -> Result<usize, String> {
        let frame = match op {
            Op::StartLabel(label) => Frame { node: *label, locals: top.locals.clone() },
            Op::StartThread { procedure, arguments } => {
                self.entered(run, top, *procedure, arguments, &view.locals)?
            }
            _ => return Err("a thread is started by a step that starts none".into()),
        };
        run.threads.push(vec![frame]);
        Ok(run.threads.len() - 1)
    }

    /// Returns from the frame that is given and on top.
    pub(super) fn leave(&self, run: &mut Run<'a>, step: &Step, callee: Frame) -> Result<(), String> {
        let number = run.number(step.thread);
        run.threads[number].pop();
        if run.threads[number].is_empty() {
            return Ok(());
        }
        self.returned(run, step, &callee)
    }

    /// Goes on behind a call, its callee being about to return.
    pub(super) fn returned(&self, run: &mut Run<'a>, step: &Step, callee: &Frame) -> Result<(), String> {
        let mut caller = run.top(step.thread)?.clone();
        let call = &self.original.nodes[caller.node];
        let (Op::Call { results, .. }, Op::Return(values)) = (&call.op, &self.original.nodes[callee.node].op)
        else {
            return Err("a return that does not match a call".into());
        };
        let before = run.globals.clone();
        for (result, value) in results.iter().zip(values) {
            let Some(variable) = result.filter(|&variable| !self.is_kept(variable)) else { continue };
            let value = self.any_value(&before, &callee.locals, value);
            self.write(&mut run.globals, &mut caller.locals, variable, value);
        }
        self.overlay(call.procedure, &mut caller.locals, &step.after.locals)?;
        caller.node = *call.successors.first().ok_or("a call that leads nowhere")?;
        run.replace_top(step.thread, caller);
        Ok(())
    }

    /// What a broadcast did to other threads.
    pub(super) fn passive(&self, run: &mut Run<'a>, step: &Step) -> Result<Vec<Passive>, String> {
        let mut changes = Vec::new();
        for change in &step.passive {
            let frames = run.threads.get_mut(change.thread);
            let frame =
                frames.and_then(|frames| frames.get_mut(change.depth)).ok_or("a change of no frame")?;
            let procedure = self.original.nodes[frame.node].procedure;
            self.overlay(procedure, &mut frame.locals, &change.locals)?;
            changes.push(Passive { locals: frame.locals.clone(), ..change.clone() });
        }
        Ok(changes)
    }
}
