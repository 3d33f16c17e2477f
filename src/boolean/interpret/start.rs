//! Where a search may start.
//!
//! A variable with an initial value is overwritten before anything can read it; what it was before makes no
//! difference to any later state. A search that begins with both values of twenty such variables begins with
//! a million states for one.

use super::super::cfg::{Copy, Expression, NodeId, Op, Scope, Time, VariableId};
use super::super::expression::Values;
use super::{Interpreter, State};
use std::collections::HashSet;

impl<'p> Interpreter<'p> {
    /// Initial states enough for a search: of those that differ only in variables which are overwritten before
    /// they are read, one.
    pub fn representative_initial_states(&self) -> impl Iterator<Item = State> + use<'p> {
        let overwritten = self.overwritten_first();
        let entry = &self.program.procedures[self.program.entry];
        let mut sets = vec![Values::BOTH; self.program.global_count + entry.locals.len()];
        for variable in overwritten {
            let place = match self.program.variables[variable].scope {
                Scope::Global(position) => position,
                Scope::Local(_, position) => self.program.global_count + position,
            };
            sets[place] = Values::only(false);
        }
        self.states_at_entry(sets)
    }

    /// The variables that the assignments at the start of the program write before anything reads them. What a
    /// procedure enforces reads them at once.
    fn overwritten_first(&self) -> HashSet<VariableId> {
        let (mut read, mut overwritten) = (HashSet::new(), HashSet::new());
        let entry = &self.program.procedures[self.program.entry];
        let mut place = entry.enforce.is_none().then_some(entry.entry);
        let mut seen: HashSet<NodeId> = HashSet::new();
        while let Some(node) = place.filter(|&node| seen.insert(node)).map(|node| &self.program.nodes[node]) {
            let Op::Assign { targets, values, constrain: None } = &node.op else { break };
            let reads = values.iter().flat_map(Expression::variables);
            read.extend(reads.filter(|read| read.time == Time::Now).map(|read| read.variable));
            if targets.iter().any(|target| target.copy == Copy::Passive) {
                break;
            }
            let written = targets.iter().map(|target| target.variable);
            overwritten.extend(written.filter(|variable| !read.contains(variable)));
            place = node.successors.first().copied().filter(|_| node.successors.len() == 1);
        }
        overwritten
    }
}
