//! Propagation of constants and of equal variables [WZ91; AWZ88].
//!
//! A forward analysis over [`Facts`] that only goes where the facts let control go: a node behind an
//! assumption known to fail is not reached. Facts on globals enter a procedure from all its calls, joined,
//! and only about what it touches; behind a call hold the facts about what the callee may not write, and
//! the constants that all its returns agree on. A local keeps its facts across a call.
//!
//! In a program that starts threads facts are about locals only, and never about a local with `$`: between
//! any two steps of a thread all else may change.
//!
//! Work is counted in facts handled; past a bound the analysis gives up and the program stays as it is.

mod rewrite;
mod view;

use super::facts::{Facts, Literal, Root};
use super::fold::{Sign, as_constant};
use crate::boolean::cfg::{Expression, NodeId, Op, ProcedureId, Program, VariableId};
use crate::boolean::dataflow::calls::CallGraph;
use crate::boolean::dataflow::modref::ModRef;
use crate::ground::index::IndexVec;
use rewrite::rewrite;
use std::collections::{BTreeMap, VecDeque};
use view::{Tracked, View, assigned, assumed};

/// How many facts the analysis may handle.
const BUDGET: usize = 4_000_000;

/// Folds what is known into the program: expressions, decided branches, assignments without effect.
pub(super) fn propagate(program: &mut Program) {
    let modref = ModRef::new(program, &CallGraph::new(program));
    let Some(facts) = Analysis::run(program, &modref) else { return };
    let tracked = Tracked::new(program);
    for id in program.nodes.ids() {
        match &facts[id] {
            None => dead_end(program, id),
            Some(facts) => rewrite(program, id, &View { facts, tracked: &tracked }),
        }
    }
}

/// Makes a node one that cannot be left.
pub(super) fn dead_end(program: &mut Program, node: NodeId) {
    program.nodes[node].op = Op::Skip;
    program.nodes[node].successors.clear();
}

struct Analysis<'a> {
    program: &'a Program,
    modref: &'a ModRef,
    tracked: Tracked,
    before: IndexVec<NodeId, Option<Facts>>,
    exits: IndexVec<ProcedureId, Option<Exit>>,
    /// The calls of each procedure that are reached.
    callers: IndexVec<ProcedureId, Vec<NodeId>>,
    called: IndexVec<NodeId, bool>,
    work: VecDeque<NodeId>,
    queued: IndexVec<NodeId, bool>,
    budget: usize,
}

/// What all returns of a procedure agree on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Exit {
    globals: Facts,
    values: Vec<Option<bool>>,
}

impl<'a> Analysis<'a> {
    fn run(program: &'a Program, modref: &'a ModRef) -> Option<IndexVec<NodeId, Option<Facts>>> {
        let mut analysis = Self {
            program,
            modref,
            tracked: Tracked::new(program),
            before: IndexVec::filled(None, program.nodes.len()),
            exits: IndexVec::filled(None, program.procedures.len()),
            callers: IndexVec::filled(Vec::new(), program.procedures.len()),
            called: IndexVec::filled(false, program.nodes.len()),
            work: VecDeque::new(),
            queued: IndexVec::filled(false, program.nodes.len()),
            budget: BUDGET,
        };
        analysis.arrive(program.procedures[program.entry].entry, Facts::default())?;
        while let Some(node) = analysis.work.pop_front() {
            analysis.queued[node] = false;
            analysis.execute(node)?;
        }
        Some(analysis.before)
    }

    fn queue(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.queued[node], true) {
            self.work.push_back(node);
        }
    }

    /// Control may come to a node with these facts; `None` when the budget is spent.
    fn arrive(&mut self, node: NodeId, facts: Facts) -> Option<()> {
        self.budget = self.budget.checked_sub(facts.len() + 1)?;
        let joined = match &self.before[node] {
            None => facts,
            Some(old) => {
                let joined = old.join(&facts);
                if joined == *old {
                    return Some(());
                }
                joined
            }
        };
        self.before[node] = Some(joined);
        self.queue(node);
        Some(())
    }

    fn pass(&mut self, node: NodeId, facts: &Facts) -> Option<()> {
        let program = self.program;
        program.nodes[node].successors.iter().try_for_each(|&successor| self.arrive(successor, facts.clone()))
    }

    fn execute(&mut self, id: NodeId) -> Option<()> {
        let program = self.program;
        let facts = self.before[id].clone().unwrap_or_default();
        let view = View { facts: &facts, tracked: &self.tracked };
        match &program.nodes[id].op {
            Op::Assume(condition) | Op::Assert(condition, _) => match assumed(&view, condition) {
                Some(after) => self.pass(id, &after),
                None => Some(()),
            },
            Op::Assign { targets, values, constrain } => match assigned(&view, targets, values, constrain) {
                Some(after) => self.pass(id, &after),
                None => Some(()),
            },
            Op::Call { procedure, arguments, results } => {
                let entry = self.entry_facts(&view, *procedure, arguments);
                self.arrive(program.procedures[*procedure].entry, entry)?;
                self.behind_call(id, *procedure, results, &facts)
            }
            Op::Return(values) => {
                let exit = self.exit(&view, program.nodes[id].procedure, values);
                self.returned(program.nodes[id].procedure, exit);
                Some(())
            }
            Op::StartThread { procedure, arguments } => {
                let entry = self.entry_facts(&view, *procedure, arguments);
                self.arrive(program.procedures[*procedure].entry, entry)?;
                self.pass(id, &facts)
            }
            Op::StartLabel(label) => {
                self.arrive(*label, facts.clone())?;
                self.pass(id, &facts)
            }
            Op::Skip | Op::EndThread | Op::AtomicBegin | Op::AtomicEnd => self.pass(id, &facts),
        }
    }

    fn entry_facts(&self, view: &View<'_>, procedure: ProcedureId, arguments: &[Expression]) -> Facts {
        let (reads, writes) = (self.modref.may_read(procedure), self.modref.may_write(procedure));
        let touched = reads.iter().chain(writes.iter().filter(|&v| !reads.contains(v)));
        let globals = touched.filter(|&variable| self.tracked.contains(variable));
        let globals = globals.map(|variable| (variable, view.facts.resolve(variable)));
        let parameters = self.program.procedures[procedure].parameters().iter().zip(arguments);
        let parameters = parameters.filter_map(|(&parameter, argument)| {
            let literal = view.literal(&view.fold(argument))?;
            self.tracked.contains(parameter).then_some((parameter, literal))
        });
        Facts::equal_to(globals.chain(parameters))
    }

    fn behind_call(
        &mut self,
        id: NodeId,
        callee: ProcedureId,
        results: &[Option<VariableId>],
        facts: &Facts,
    ) -> Option<()> {
        if !std::mem::replace(&mut self.called[id], true) {
            self.callers[callee].push(id);
        }
        let Some(exit) = &self.exits[callee] else { return Some(()) };
        let constant = |value: Option<bool>| value.map(|value| (Root::True, Sign::of(value)));
        let written =
            self.modref.may_write(callee).iter().filter(|&variable| self.tracked.contains(variable));
        let mut new: BTreeMap<VariableId, Option<Literal>> =
            written.map(|variable| (variable, constant(exit.globals.constant(variable)))).collect();
        for (position, &result) in results.iter().enumerate() {
            let Some(result) = result else { continue };
            if self.tracked.contains(result) {
                new.insert(result, constant(exit.values.get(position).copied().flatten()));
            }
        }
        let after = facts.assign(&new);
        self.pass(id, &after)
    }

    fn exit(&self, view: &View<'_>, procedure: ProcedureId, values: &[Expression]) -> Exit {
        let written = self.modref.may_write(procedure);
        let globals = view.facts.constants(|variable| written.contains(variable));
        Exit { globals, values: values.iter().map(|value| as_constant(&view.fold(value))).collect() }
    }

    fn returned(&mut self, procedure: ProcedureId, exit: Exit) {
        let joined = match &self.exits[procedure] {
            None => exit,
            Some(old) => {
                let agree = |(a, b): (&Option<bool>, &Option<bool>)| if a == b { *a } else { None };
                let values = old.values.iter().zip(&exit.values).map(agree).collect();
                Exit { globals: old.globals.join(&exit.globals), values }
            }
        };
        if self.exits[procedure].as_ref() != Some(&joined) {
            self.exits[procedure] = Some(joined);
            for caller in self.callers[procedure].clone() {
                self.queue(caller);
            }
        }
    }
}
