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

use super::facts::{Facts, Literal, Root};
use super::fold::{self, Known, Sign, always_passes, as_constant, as_known};
use crate::boolean::cfg::{
    Copy, Expression, NodeId, Op, ProcedureId, Program, Read, Target, Time, VariableId,
};
use crate::boolean::dataflow::calls::CallGraph;
use crate::boolean::dataflow::modref::ModRef;
use crate::boolean::expression::{Binary, Item};
use crate::ground::index::IndexVec;
use std::collections::{BTreeMap, VecDeque};

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

/// Of which variables there may be facts.
struct Tracked {
    private: IndexVec<VariableId, bool>,
}

impl Tracked {
    fn new(program: &Program) -> Self {
        let shared = program.starts_threads();
        let private = |id| !(program.variables[id].passive || shared && program.is_global(id));
        Self { private: program.variables.ids().map(private).collect() }
    }

    fn contains(&self, variable: VariableId) -> bool {
        self.private[variable]
    }
}

/// What is known when a node is executed.
struct View<'a> {
    facts: &'a Facts,
    tracked: &'a Tracked,
}

impl View<'_> {
    fn known(&self, read: &Read) -> Known {
        if read.copy == Copy::Passive || !self.tracked.contains(read.variable) {
            return Known::Literal(*read, Sign::Plain);
        }
        match self.facts.resolve(read.variable) {
            (Root::True, sign) => Known::Constant(sign == Sign::Plain),
            (Root::Variable(root), sign) => Known::Literal(Read { variable: root, ..*read }, sign),
        }
    }

    /// The expression over the old state.
    fn fold(&self, expression: &Expression) -> Expression {
        fold::fold(expression, |read| self.known(read))
    }

    /// What a folded value is, if it is one of a tracked variable.
    fn literal(&self, value: &Expression) -> Option<Literal> {
        match as_known(value)? {
            Known::Constant(value) => Some((Root::True, Sign::of(value))),
            Known::Literal(read, sign) => {
                let plain = read.copy == Copy::Own && self.tracked.contains(read.variable);
                plain.then_some((Root::Variable(read.variable), sign))
            }
        }
    }

    /// A constraint, with the new values of variables replaced where they are known.
    fn fold_constraint(&self, constraint: &Expression, new: &BTreeMap<Target, Expression>) -> Expression {
        fold::fold(constraint, |read| {
            let target = Target { variable: read.variable, copy: read.copy };
            match (read.time, new.get(&target)) {
                (Time::Now, _) => self.known(read),
                (Time::Next, Some(value)) if self.literal(value).is_some() => {
                    as_known(value).unwrap_or(Known::Literal(*read, Sign::Plain))
                }
                (Time::Next, Some(_)) => Known::Literal(*read, Sign::Plain),
                (Time::Next, None) if read.copy == Copy::Own && self.tracked.contains(read.variable) => {
                    self.known(&Read { time: Time::Now, ..*read })
                }
                (Time::Next, None) => Known::Literal(*read, Sign::Plain),
            }
        })
    }
}

/// The simple facts in a condition that held: its conjuncts that are literals or equate two.
fn conjuncts(condition: &Expression) -> Vec<(Known, Known)> {
    let mut found = Vec::new();
    let items = condition.items();
    let mut ends = vec![items.len()];
    while let Some(end) = ends.pop() {
        let part = &items[..end];
        let truth = Known::Constant(true);
        match part {
            [.., Item::Binary(Binary::And)] => {
                let right = end - 1;
                ends.extend([right, right - operand_length(&items[..right])]);
            }
            [.., Item::Variable(read)] => found.push((Known::Literal(*read, Sign::Plain), truth)),
            [.., Item::Variable(read), Item::Not] => {
                found.push((Known::Literal(*read, Sign::Negated), truth))
            }
            [.., Item::Variable(a), Item::Variable(b), Item::Binary(operator)] => {
                let sign = match operator {
                    Binary::Equal | Binary::Iff => Sign::Plain,
                    Binary::Xor | Binary::NotEqual => Sign::Negated,
                    _ => continue,
                };
                found.push((Known::Literal(*a, Sign::Plain), Known::Literal(*b, sign)));
            }
            _ => {}
        }
    }
    found
}

/// How many items the last complete operand of a postfix sequence has.
fn operand_length(items: &[Item<Read>]) -> usize {
    let mut missing = 1;
    for (count, item) in items.iter().rev().enumerate() {
        missing = missing + item.arity() - 1;
        if missing == 0 {
            return count + 1;
        }
    }
    items.len()
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

/// The facts behind a condition; `None` if it cannot hold.
fn assumed(view: &View<'_>, condition: &Expression) -> Option<Facts> {
    let condition = view.fold(condition);
    if as_constant(&condition) == Some(false) {
        return None;
    }
    learn(view.facts.clone(), view.tracked, &condition, Time::Now)
}

/// The facts with what the conjuncts of a folded condition tell of one state.
fn learn(mut facts: Facts, tracked: &Tracked, condition: &Expression, time: Time) -> Option<Facts> {
    let literal = |known: Known| match known {
        Known::Constant(value) => Some((Root::True, Sign::of(value))),
        Known::Literal(read, sign) => {
            let private = read.copy == Copy::Own && read.time == time && tracked.contains(read.variable);
            private.then_some((Root::Variable(read.variable), sign))
        }
    };
    for (one, other) in conjuncts(condition) {
        if let (Some(one), Some(other)) = (literal(one), literal(other)) {
            facts = facts.with_equal(one, other)?;
        }
    }
    Some(facts)
}

/// The facts behind an assignment; `None` if its constraint cannot hold.
fn assigned(
    view: &View<'_>,
    targets: &[Target],
    values: &[Expression],
    constrain: &Option<Expression>,
) -> Option<Facts> {
    let folded: BTreeMap<Target, Expression> =
        targets.iter().copied().zip(values.iter().map(|value| view.fold(value))).collect();
    let constraint = constrain.as_ref().map(|constraint| view.fold_constraint(constraint, &folded));
    let mut before = view.facts.clone();
    if let Some(constraint) = &constraint {
        if as_constant(constraint) == Some(false) {
            return None;
        }
        before = learn(before, view.tracked, constraint, Time::Now)?;
    }
    let mut new = BTreeMap::new();
    for (target, value) in &folded {
        if target.copy == Copy::Own && view.tracked.contains(target.variable) {
            let literal = view.literal(value).map(|(root, sign)| match root {
                Root::True => (root, sign),
                Root::Variable(variable) => {
                    let (root, more) = before.resolve(variable);
                    (root, sign.times(more))
                }
            });
            new.insert(target.variable, literal);
        }
    }
    let after = before.assign(&new);
    match &constraint {
        None => Some(after),
        Some(constraint) => learn(after, view.tracked, constraint, Time::Next),
    }
}

/// Folds what is known into one node.
fn rewrite(program: &mut Program, id: NodeId, view: &View<'_>) {
    let node = &mut program.nodes[id];
    match &mut node.op {
        Op::Assume(condition) => {
            *condition = view.fold(condition);
            if always_passes(condition) {
                node.op = Op::Skip;
            } else if as_constant(condition) == Some(false) {
                dead_end(program, id);
            }
        }
        Op::Assert(condition, _) => {
            *condition = view.fold(condition);
            if as_constant(condition) == Some(true) {
                node.op = Op::Skip;
            }
        }
        Op::Assign { .. } => rewrite_assignment(program, id, view),
        Op::Call { arguments: values, .. }
        | Op::StartThread { arguments: values, .. }
        | Op::Return(values) => {
            for value in values {
                *value = view.fold(value);
            }
        }
        Op::Skip | Op::StartLabel(_) | Op::EndThread | Op::AtomicBegin | Op::AtomicEnd => {}
    }
}

fn rewrite_assignment(program: &mut Program, id: NodeId, view: &View<'_>) {
    let Op::Assign { targets, values, constrain } = &mut program.nodes[id].op else { return };
    let mut folded: BTreeMap<Target, Expression> =
        targets.iter().copied().zip(values.iter().map(|value| view.fold(value))).collect();
    if let Some(constraint) = constrain {
        *constraint = view.fold_constraint(constraint, &folded);
        if as_constant(constraint) == Some(false) {
            return dead_end(program, id);
        }
        if always_passes(constraint) {
            *constrain = None;
        }
    }
    let mentioned = |target: &Target| {
        let next = Read { variable: target.variable, time: Time::Next, copy: target.copy };
        constrain.as_ref().is_some_and(|constraint| constraint.variables().any(|read| *read == next))
    };
    targets.retain(|target| {
        let idle = target.copy == Copy::Own
            && view.tracked.contains(target.variable)
            && view.literal(&folded[target]) == Some(view.facts.resolve(target.variable));
        !idle || mentioned(target)
    });
    *values = targets.iter().filter_map(|target| folded.remove(target)).collect();
    if targets.is_empty() && constrain.is_none() {
        program.nodes[id].op = Op::Skip;
    }
}
