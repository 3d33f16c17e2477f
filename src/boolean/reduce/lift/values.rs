//! The values of the original program's variables, and the ways through its removed nodes.

use super::{Frame, Lifter};
use crate::boolean::cfg::{Copy, Expression, NodeId, Op, ProcedureId, Read, Scope, Target, Time, VariableId};
use crate::boolean::reduce::fold::{Known, Sign, fold};
use crate::boolean::reduce::stars::reads_passive;
use crate::ground::bits::Bits;
use crate::ground::index::Index;
use std::collections::{HashSet, VecDeque};

impl Lifter<'_> {
    /// A frame of a procedure at its entry, all values false.
    pub(super) fn frame(&self, procedure: ProcedureId) -> Frame {
        let procedure = &self.original.procedures[procedure];
        Frame { node: procedure.entry, locals: Bits::new(procedure.locals.len()) }
    }

    pub(super) fn is_kept(&self, variable: VariableId) -> bool {
        self.reduced.variables.reduced(variable).is_some()
    }

    /// Writes the values that the reduced program has of the globals over those of the original.
    pub(super) fn overlay_globals(&self, globals: &mut Bits, values: &Bits) -> Result<(), String> {
        if values.len() != self.reduced.program.global_count {
            return Err("the number of values is not that of the globals".into());
        }
        for (number, value) in values.iter().enumerate() {
            globals.set(self.reduced.variables.original(VariableId::new(number)).index(), value);
        }
        Ok(())
    }

    /// The same for the locals of a procedure of the original program.
    pub(super) fn overlay(
        &self,
        procedure: ProcedureId,
        locals: &mut Bits,
        values: &Bits,
    ) -> Result<(), String> {
        let reduced = self.reduced.procedures.reduced(procedure).ok_or("a procedure that was dropped")?;
        let kept = &self.reduced.program.procedures[reduced].locals;
        if values.len() != kept.len() {
            return Err("the number of values is not that of the locals".into());
        }
        for (&variable, value) in kept.iter().zip(values.iter()) {
            let variable = self.reduced.variables.original(variable);
            if let Scope::Local(_, position) = self.original.variables[variable].scope {
                locals.set(position, value);
            }
        }
        Ok(())
    }

    pub(super) fn read(&self, globals: &Bits, locals: &Bits, variable: VariableId) -> bool {
        match self.original.variables[variable].scope {
            Scope::Global(position) => globals.get(position),
            Scope::Local(_, position) => locals.get(position),
        }
    }

    pub(super) fn write(&self, globals: &mut Bits, locals: &mut Bits, variable: VariableId, value: bool) {
        match self.original.variables[variable].scope {
            Scope::Global(position) => globals.set(position, value),
            Scope::Local(_, position) => locals.set(position, value),
        }
    }

    /// Some value that an expression over the old state can have.
    pub(super) fn any_value(&self, globals: &Bits, locals: &Bits, value: &Expression) -> bool {
        let values = value.values(|read: &Read| self.read(globals, locals, read.variable));
        !values.can_be_false
    }

    /// The nodes executed on the way to a node, with what follows them.
    pub(super) fn way(
        &self,
        globals: &Bits,
        frame: Frame,
        target: NodeId,
    ) -> Option<Vec<(NodeId, Bits, Frame)>> {
        let mut seen = HashSet::from([frame.node]);
        let mut reached = vec![(None, globals.clone(), frame)];
        let mut work = VecDeque::from([0]);
        while let Some(number) = work.pop_front() {
            let (_, globals, frame) = &reached[number];
            if frame.node == target {
                return Some(unwind(&reached, number));
            }
            for (globals, frame) in self.silent(globals, frame) {
                if seen.insert(frame.node) {
                    work.push_back(reached.len());
                    reached.push((Some(number), globals, frame));
                }
            }
        }
        None
    }

    /// The steps of a removed node.
    pub(super) fn silent(&self, globals: &Bits, frame: &Frame) -> Vec<(Bits, Frame)> {
        let node = &self.original.nodes[frame.node];
        if self.reduced.nodes.reduced(frame.node).is_some() {
            return Vec::new();
        }
        let (mut after, mut locals) = (globals.clone(), frame.locals.clone());
        let passes = match &node.op {
            Op::Skip => true,
            Op::Assume(condition) | Op::Assert(condition, _) => {
                self.may_pass(condition, (globals, &frame.locals), (globals, &frame.locals))
            }
            Op::Assign { targets, values, constrain } => {
                self.assign_dropped(&mut after, &mut locals, targets, values);
                let constrain = constrain.as_ref();
                constrain.is_none_or(|e| self.may_pass(e, (globals, &frame.locals), (&after, &locals)))
            }
            _ => false,
        };
        let next = |&node| (after.clone(), Frame { node, locals: locals.clone() });
        if passes { node.successors.iter().map(next).collect() } else { Vec::new() }
    }

    /// Whether a condition can be true of the values (globals, locals) before and after a step, as far as they tell:
    /// of passive copies nothing is known.
    fn may_pass(&self, condition: &Expression, now: (&Bits, &Bits), next: (&Bits, &Bits)) -> bool {
        let known = fold(condition, |read| match (read.copy, read.time) {
            (Copy::Passive, _) => Known::Literal(*read, Sign::Plain),
            (Copy::Own, Time::Now) => Known::Constant(self.read(now.0, now.1, read.variable)),
            (Copy::Own, Time::Next) => Known::Constant(self.read(next.0, next.1, read.variable)),
        });
        reads_passive(&known) || known.values(|_| false).can_be_true
    }

    /// Gives the dropped targets of an assignment their new values.
    pub(super) fn assign_dropped(
        &self,
        globals: &mut Bits,
        locals: &mut Bits,
        targets: &[Target],
        values: &[Expression],
    ) {
        let dropped = targets.iter().zip(values);
        let dropped =
            dropped.filter(|(target, _)| target.copy == Copy::Own && !self.is_kept(target.variable));
        let new: Vec<(VariableId, bool)> = dropped
            .map(|(target, value)| (target.variable, self.any_value(globals, locals, value)))
            .collect();
        for (variable, value) in new {
            self.write(globals, locals, variable, value);
        }
    }
}

/// The way to an entry of a search, from its start.
fn unwind(reached: &[(Option<usize>, Bits, Frame)], mut number: usize) -> Vec<(NodeId, Bits, Frame)> {
    let mut way = Vec::new();
    while let (Some(previous), globals, frame) = &reached[number] {
        way.push((reached[*previous].2.node, globals.clone(), frame.clone()));
        number = *previous;
    }
    way.reverse();
    way
}
