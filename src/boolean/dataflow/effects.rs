//! What one step reads and writes.
//!
//! Own variables and passive copies are told apart: `v$ := e` does not write the executing thread's `v`.
//! The expression that a procedure enforces is read before every step of the procedure. `'v` in a
//! constraint is the old value where the assignment leaves `v` alone, so it reads `v` then. The copy that
//! [`Op::StartLabel`] makes of all locals is no read: what the new thread does with them is.

use crate::boolean::cfg::{Copy, Expression, NodeId, Op, Program, Read, Target, Time, VariableId};

/// The variables of one step, each list sorted and without repetition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Own variables and globals whose value before the step matters, if only to whether there is a step.
    pub reads: Vec<VariableId>,
    /// Own variables and globals the step may change; without what a callee does.
    pub writes: Vec<VariableId>,
    /// Those of them whose old value is always lost.
    pub must_write: Vec<VariableId>,
    /// Locals of other threads that are read.
    pub passive_reads: Vec<VariableId>,
    /// Locals of other threads that may change.
    pub passive_writes: Vec<VariableId>,
}

impl Effects {
    /// The effects of a node.
    #[must_use]
    pub fn of(program: &Program, node: NodeId) -> Self {
        let mut effects = Self::default();
        let node = &program.nodes[node];
        if let Some(enforce) = &program.procedures[node.procedure].enforce {
            effects.read(enforce, &[]);
        }
        effects.operation(&node.op);
        effects.finish()
    }

    fn operation(&mut self, op: &Op) {
        match op {
            Op::Assume(condition) | Op::Assert(condition, _) => self.read(condition, &[]),
            Op::Assign { targets, values, constrain } => {
                for expression in values.iter().chain(constrain) {
                    self.read(expression, targets);
                }
                targets.iter().for_each(|target| self.write(*target));
            }
            Op::Call { arguments, results, .. } => {
                arguments.iter().for_each(|argument| self.read(argument, &[]));
                for &variable in results.iter().flatten() {
                    self.write(Target { variable, copy: Copy::Own });
                }
            }
            Op::Return(values) | Op::StartThread { arguments: values, .. } => {
                values.iter().for_each(|value| self.read(value, &[]));
            }
            Op::Skip | Op::StartLabel(_) | Op::EndThread | Op::AtomicBegin | Op::AtomicEnd => {}
        }
    }

    fn read(&mut self, expression: &Expression, targets: &[Target]) {
        for &Read { variable, time, copy } in expression.variables() {
            if time == Time::Next && targets.contains(&Target { variable, copy }) {
                continue;
            }
            match copy {
                Copy::Own => self.reads.push(variable),
                Copy::Passive => self.passive_reads.push(variable),
            }
        }
    }

    fn write(&mut self, target: Target) {
        match target.copy {
            Copy::Own => {
                self.writes.push(target.variable);
                self.must_write.push(target.variable);
            }
            Copy::Passive => self.passive_writes.push(target.variable),
        }
    }

    fn finish(mut self) -> Self {
        for list in [
            &mut self.reads,
            &mut self.writes,
            &mut self.must_write,
            &mut self.passive_reads,
            &mut self.passive_writes,
        ] {
            list.sort_unstable();
            list.dedup();
        }
        self
    }
}
