//! The rules of [`cfg`](super::cfg), as a check that runs after every transformation in debug builds.

use super::cfg::{Copy, Expression, Node, NodeId, Op, ProcedureId, Program, Scope, Time, VariableId};
use crate::ground::index::Index;

impl Program {
    /// Whether the program keeps the rules of this module; transformations assert it in debug builds.
    ///
    /// # Errors
    /// The first rule that is broken, in words.
    pub fn check_well_formed(&self) -> Result<(), String> {
        self.check_frames()?;
        for (id, node) in self.nodes.enumerate() {
            self.check_node(node).map_err(|broken| format!("node {}: {broken}", id.index()))?;
            for &property in &node.forbidden {
                let at = self.properties.get(property).map(|property| property.node);
                ensure(at == Some(id), || format!("node {}: an error label of another node", id.index()))?;
            }
        }
        for property in self.properties.iter() {
            let known = self.nodes.get(property.node).is_some();
            ensure(known, || format!("the property {} has no node", property.name))?;
        }
        ensure(self.procedures.get(self.entry).is_some(), || "there is no entry".into())
    }

    fn check_frames(&self) -> Result<(), String> {
        for (id, variable) in self.variables.enumerate() {
            let right = match variable.scope {
                Scope::Global(position) => position == id.index() && position < self.global_count,
                Scope::Local(procedure, position) => {
                    let frame = self.procedures.get(procedure).map(|procedure| &procedure.locals);
                    frame.is_some_and(|frame| frame.get(position) == Some(&id))
                }
            };
            ensure(right, || format!("the variable {} is not where its scope says", variable.name))?;
        }
        for (id, procedure) in self.procedures.enumerate() {
            let name = &procedure.name;
            let frame = procedure.locals.len();
            ensure(procedure.parameter_count <= frame, || {
                format!("{name} has parameters outside its frame")
            })?;
            let entry = self.nodes.get(procedure.entry);
            ensure(entry.is_some_and(|node| node.procedure == id), || format!("{name} has no entry"))?;
            if let Some(enforce) = &procedure.enforce {
                self.check_expression(enforce, id, Time::Now)
                    .map_err(|broken| format!("{name}: {broken}"))?;
            }
        }
        Ok(())
    }

    fn check_node(&self, node: &Node) -> Result<(), String> {
        let successors = node.successors.len();
        let right = match node.op {
            Op::Skip => successors > 0,
            Op::Return(_) | Op::EndThread => successors == 0,
            _ => successors == 1,
        };
        ensure(right, || format!("{successors} successors"))?;
        for &successor in &node.successors {
            self.check_target(node, successor)?;
        }
        self.check_op(node)
    }

    fn check_target(&self, node: &Node, target: NodeId) -> Result<(), String> {
        let same = self.nodes.get(target).is_some_and(|target| target.procedure == node.procedure);
        ensure(same, || "control leaves the procedure".into())
    }

    fn check_op(&self, node: &Node) -> Result<(), String> {
        let now = |expression: &Expression| self.check_expression(expression, node.procedure, Time::Now);
        match &node.op {
            Op::Skip | Op::EndThread | Op::AtomicBegin | Op::AtomicEnd => Ok(()),
            Op::Assume(condition) => now(condition),
            Op::Assert(condition, property) => {
                ensure(self.properties.get(*property).is_some(), || "an unknown property".into())?;
                now(condition)
            }
            Op::Assign { targets, values, constrain } => {
                ensure(targets.len() == values.len(), || "not as many values as targets".into())?;
                let different: std::collections::HashSet<_> = targets.iter().collect();
                ensure(different.len() == targets.len(), || "a target twice".into())?;
                targets.iter().try_for_each(|target| self.check_variable(target.variable, node.procedure))?;
                values.iter().try_for_each(now)?;
                constrain.iter().try_for_each(|each| self.check_expression(each, node.procedure, Time::Next))
            }
            Op::Call { procedure, arguments, results } => {
                self.check_arguments(node, *procedure, arguments)?;
                let returns = self.procedures[*procedure].returns;
                ensure(results.len() == returns, || "not as many results as the callee returns".into())?;
                let mut results = results.iter().flatten();
                results.try_for_each(|&variable| self.check_variable(variable, node.procedure))
            }
            Op::Return(values) => {
                let returns = self.procedures[node.procedure].returns;
                ensure(values.len() == returns, || "a wrong number of returned values".into())?;
                values.iter().try_for_each(now)
            }
            Op::StartLabel(target) => self.check_target(node, *target),
            Op::StartThread { procedure, arguments } => self.check_arguments(node, *procedure, arguments),
        }
    }

    fn check_arguments(
        &self,
        node: &Node,
        callee: ProcedureId,
        arguments: &[Expression],
    ) -> Result<(), String> {
        let Some(callee) = self.procedures.get(callee) else { return Err("an unknown procedure".into()) };
        let right = arguments.len() == callee.parameter_count;
        ensure(right, || "not as many arguments as parameters".into())?;
        arguments.iter().try_for_each(|argument| self.check_expression(argument, node.procedure, Time::Now))
    }

    /// Variables are visible, and none is read at a later time than `latest`.
    fn check_expression(
        &self,
        expression: &Expression,
        procedure: ProcedureId,
        latest: Time,
    ) -> Result<(), String> {
        expression.variables().try_for_each(|read| {
            ensure(read.time <= latest, || "a next value outside of a constraint".into())?;
            let private = read.copy == Copy::Own || !self.is_global(read.variable);
            ensure(private, || "a passive copy of a global variable".into())?;
            self.check_variable(read.variable, procedure)
        })
    }

    fn check_variable(&self, variable: VariableId, procedure: ProcedureId) -> Result<(), String> {
        let visible = self.variables.get(variable).is_some_and(|variable| match variable.scope {
            Scope::Global(_) => true,
            Scope::Local(owner, _) => owner == procedure,
        });
        ensure(visible, || "a variable that is not visible".into())
    }
}

fn ensure(condition: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(otherwise()) }
}
