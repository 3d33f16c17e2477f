//! The two phases of the analysis.

use super::Liveness;
use super::frame::{Frame, Slots};
use crate::boolean::cfg::{NodeId, Op, ProcedureId, Program, VariableId};
use crate::boolean::dataflow::calls::CallGraph;
use crate::boolean::dataflow::effects::Effects;
use crate::boolean::dataflow::modref::ModRef;
use crate::boolean::dataflow::reach::predecessors;
use crate::boolean::dataflow::{NodeSet, VariableSet};
use crate::ground::index::{Index, IndexVec};
use std::collections::{HashSet, VecDeque};

/// What a node adds and takes out, going backwards.
#[derive(Clone, Debug)]
struct Transfer {
    gen_set: Slots,
    kill: Slots,
}

/// The state of the analysis.
pub(super) struct Analysis<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    useful: NodeSet,
    concurrent: bool,
    frames: IndexVec<ProcedureId, Frame>,
    /// Locals with `$`.
    always: IndexVec<ProcedureId, Slots>,
    /// The nodes of each procedure, successors before predecessors as far as there is no cycle.
    order: IndexVec<ProcedureId, Vec<NodeId>>,
    predecessors: IndexVec<NodeId, Vec<NodeId>>,
    transfer: IndexVec<NodeId, Transfer>,
    before: IndexVec<NodeId, Slots>,
    touched: IndexVec<ProcedureId, VariableSet>,
    at_return: IndexVec<ProcedureId, VariableSet>,
    read_first: IndexVec<ProcedureId, VariableSet>,
    must_write: IndexVec<ProcedureId, VariableSet>,
    shared: VariableSet,
    /// The nodes in the worklist of [`solve`](Self::solve); empty outside it.
    queued: NodeSet,
    evaluations: u64,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(program: &'a Program, calls: &'a CallGraph, modref: &ModRef, useful: NodeSet) -> Self {
        let concurrent = program.starts_threads();
        let none = VariableSet::new(program.global_count);
        let touched_by = |procedure| if concurrent { none.clone() } else { modref.touched(procedure) };
        let touched: IndexVec<ProcedureId, VariableSet> = program.procedures.ids().map(touched_by).collect();
        let frames: IndexVec<ProcedureId, Frame> =
            program.procedures.enumerate().map(|(id, p)| Frame::new(&touched[id], &p.locals)).collect();
        let passive = |variable: &VariableId| program.variables[*variable].passive;
        let always = frames.iter().map(|f| f.slots(f.variables.iter().copied().filter(passive))).collect();
        let (transfer, shared) = transfers(program, &frames);
        let sets = IndexVec::filled(none.clone(), program.procedures.len());
        Self {
            always,
            order: order(program),
            predecessors: with_starts(program),
            before: program.nodes.iter().map(|n| Slots::new(frames[n.procedure].variables.len())).collect(),
            must_write: touched.clone(),
            at_return: sets.clone(),
            read_first: sets,
            program,
            calls,
            useful,
            concurrent,
            frames,
            transfer,
            touched,
            shared,
            queued: NodeSet::new(program.nodes.len()),
            evaluations: 0,
        }
    }

    /// Phase 1.
    pub(super) fn summarise(&mut self) {
        let calls = self.calls;
        if self.concurrent {
            return;
        }
        for members in calls.components() {
            let mut work = Agenda::new(members);
            while let Some(procedure) = work.next() {
                self.use_callees(procedure);
                if !self.summarise_one(procedure) {
                    continue;
                }
                for &site in calls.call_sites(procedure) {
                    let caller = self.program.nodes[site].procedure;
                    work.again(caller);
                }
            }
        }
    }

    /// Puts the callees' summaries into the transfer of the calls of a procedure.
    fn use_callees(&mut self, procedure: ProcedureId) {
        for &site in self.calls.calls_in(procedure) {
            let Op::Call { procedure: callee, results, .. } = &self.program.nodes[site].op else { continue };
            let frame = &self.frames[procedure];
            let gen_set = frame.global_slots(&self.read_first[*callee]);
            self.transfer[site].gen_set.union_with(&gen_set);
            let mut kill = frame.slots(results.iter().flatten().copied());
            kill.union_with(&frame.global_slots(&self.must_write[*callee]));
            self.transfer[site].kill = kill;
        }
    }

    /// Recomputes the summary of a procedure; tells whether it changed.
    fn summarise_one(&mut self, procedure: ProcedureId) -> bool {
        let bound = self.frames[procedure].variables.len();
        let entry = self.program.procedures[procedure].entry;
        self.solve(procedure, &Slots::new(bound), Gen::Reads);
        let read_first = self.globals_of(procedure, &self.before[entry]);
        self.solve(procedure, &Slots::full(bound), Gen::Nothing);
        let untouched = self.globals_of(procedure, &self.before[entry]);
        let mut must_write = self.touched[procedure].clone();
        must_write.subtract(&untouched);
        let changed = read_first != self.read_first[procedure] || must_write != self.must_write[procedure];
        self.read_first[procedure] = read_first;
        self.must_write[procedure] = must_write;
        changed
    }

    fn globals_of(&self, procedure: ProcedureId, slots: &Slots) -> VariableSet {
        let frame = &self.frames[procedure];
        let globals = slots.iter().map(Index::index).take_while(|&slot| slot < frame.globals);
        VariableSet::of(self.program.global_count, globals.map(|slot| frame.variables[slot]))
    }

    /// Phase 2.
    pub(super) fn propagate(&mut self) {
        let calls = self.calls;
        for members in calls.components().iter().rev() {
            let mut work = Agenda::new(members);
            while let Some(procedure) = work.next() {
                let frame = &self.frames[procedure];
                let boundary = frame.global_slots(&self.at_return[procedure]);
                self.solve(procedure, &boundary, Gen::Reads);
                for callee in self.tell_callees(procedure) {
                    work.again(callee);
                }
            }
        }
    }

    /// Makes every call read what is live at the entry of its callee, and propagates that both ways.
    pub(super) fn keep_inputs(&mut self) {
        let everyone: Vec<ProcedureId> = self.calls.components().iter().flatten().copied().collect();
        let mut waiting: HashSet<ProcedureId> = everyone.iter().copied().collect();
        let mut work: VecDeque<ProcedureId> = everyone.into();
        while let Some(procedure) = work.pop_front() {
            waiting.remove(&procedure);
            let boundary = self.frames[procedure].slots(self.at_return[procedure].iter());
            self.solve(procedure, &boundary, Gen::Reads);
            let mut news = self.tell_callees(procedure);
            news.extend(self.tell_callers(procedure));
            work.extend(news.into_iter().filter(|&other| waiting.insert(other)));
        }
    }

    /// Adds what is live at the entry of a procedure to what its calls read; tells the callers for which this is
    /// news.
    fn tell_callers(&mut self, procedure: ProcedureId) -> Vec<ProcedureId> {
        let entry = self.program.procedures[procedure].entry;
        let inputs = self.globals_of(procedure, &self.before[entry]);
        let mut news = Vec::new();
        for &site in self.calls.call_sites(procedure) {
            let caller = self.program.nodes[site].procedure;
            let inputs = self.frames[caller].slots(inputs.iter());
            if self.transfer[site].gen_set.union_with(&inputs) {
                news.push(caller);
            }
        }
        news
    }

    /// Adds what is live behind the calls of a procedure to what is live where the callees return; tells
    /// the callees for which this is news.
    fn tell_callees(&mut self, procedure: ProcedureId) -> Vec<ProcedureId> {
        let mut news = Vec::new();
        if self.concurrent {
            return news;
        }
        for &site in self.calls.calls_in(procedure) {
            let node = &self.program.nodes[site];
            let Op::Call { procedure: callee, results, .. } = &node.op else { continue };
            if !self.useful.contains(site) {
                continue;
            }
            let mut live = self.passed_on(procedure);
            for &successor in &node.successors {
                live.union_with(&self.globals_of(procedure, &self.before[successor]));
            }
            results.iter().flatten().for_each(|&result| live.remove(result));
            if self.at_return[*callee].union_with(&live) {
                news.push(*callee);
            }
        }
        news
    }

    /// The globals that a procedure does not touch and that are live when it returns.
    fn passed_on(&self, procedure: ProcedureId) -> VariableSet {
        let mut through = self.at_return[procedure].clone();
        through.subtract(&self.touched[procedure]);
        through
    }

    /// Solves the equations of one procedure into `before`, from below.
    fn solve(&mut self, procedure: ProcedureId, at_return: &Slots, reads: Gen) {
        let order = std::mem::take(&mut self.order[procedure]);
        for &node in &order {
            self.before[node] = Slots::new(self.frames[procedure].variables.len());
        }
        let mut work: VecDeque<NodeId> = order.iter().copied().collect();
        for &node in &order {
            self.queued.insert(node);
        }
        while let Some(node) = work.pop_front() {
            self.queued.remove(node);
            let live = self.evaluate(node, at_return, reads);
            if live == self.before[node] {
                continue;
            }
            self.before[node] = live;
            for &predecessor in &self.predecessors[node] {
                if self.queued.insert(predecessor) {
                    work.push_back(predecessor);
                }
            }
        }
        self.order[procedure] = order;
    }

    fn evaluate(&mut self, id: NodeId, at_return: &Slots, reads: Gen) -> Slots {
        self.evaluations += 1;
        let node = &self.program.nodes[id];
        let mut live = Slots::new(self.frames[node.procedure].variables.len());
        if !self.useful.contains(id) {
            return live;
        }
        if let Op::Return(_) = node.op {
            live.union_with(at_return);
        }
        for successor in &node.successors {
            live.union_with(&self.before[*successor]);
        }
        live.subtract(&self.transfer[id].kill);
        if let Op::StartLabel(label) = node.op {
            live.union_with(&self.before[label]);
        }
        if reads == Gen::Reads {
            live.union_with(&self.transfer[id].gen_set);
            live.union_with(&self.always[node.procedure]);
        }
        live
    }

    pub(super) fn finish(self) -> Liveness {
        let through = self.program.procedures.ids();
        let through = through.map(|p| if self.concurrent { self.shared.clone() } else { self.passed_on(p) });
        Liveness {
            through: through.collect(),
            owner: self.program.nodes.iter().map(|node| node.procedure).collect(),
            frames: self.frames,
            before: self.before,
            at_return: self.at_return,
            read_first: self.read_first,
            must_write: self.must_write,
            evaluations: self.evaluations,
        }
    }
}

/// What every node does by itself, and the globals that some node reads.
fn transfers(
    program: &Program,
    frames: &IndexVec<ProcedureId, Frame>,
) -> (IndexVec<NodeId, Transfer>, VariableSet) {
    let mut shared = VariableSet::new(program.global_count);
    let mut transfers = IndexVec::new();
    for (id, node) in program.nodes.enumerate() {
        let effects = Effects::of(program, id);
        for &global in effects.reads.iter().filter(|&&variable| program.is_global(variable)) {
            shared.insert(global);
        }
        let frame = &frames[node.procedure];
        transfers
            .push(Transfer { gen_set: frame.slots(effects.reads), kill: frame.slots(effects.must_write) });
    }
    (transfers, shared)
}

/// The predecessors of every node; a thread started at a label comes there from its starter.
fn with_starts(program: &Program) -> IndexVec<NodeId, Vec<NodeId>> {
    let mut predecessors = predecessors(program);
    for (id, node) in program.nodes.enumerate() {
        if let Op::StartLabel(label) = node.op {
            predecessors[label].push(id);
        }
    }
    predecessors
}

/// The members of a component that are still to be done, each at most once.
struct Agenda<'a> {
    members: &'a [ProcedureId],
    work: VecDeque<ProcedureId>,
    waiting: HashSet<ProcedureId>,
}

impl<'a> Agenda<'a> {
    fn new(members: &'a [ProcedureId]) -> Self {
        let (work, waiting) = (members.iter().copied().collect(), members.iter().copied().collect());
        Self { members, work, waiting }
    }

    fn next(&mut self) -> Option<ProcedureId> {
        let procedure = self.work.pop_front()?;
        self.waiting.remove(&procedure);
        Some(procedure)
    }

    /// Does a procedure again, if it is a member.
    fn again(&mut self, procedure: ProcedureId) {
        if self.members.binary_search(&procedure).is_ok() && self.waiting.insert(procedure) {
            self.work.push_back(procedure);
        }
    }
}

/// Whether reading makes a variable live, or only the boundary does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gen {
    Reads,
    Nothing,
}

/// The nodes of each procedure in postorder: successors first, as far as there is no cycle. Nodes that
/// the entry does not lead to come last.
fn order(program: &Program) -> IndexVec<ProcedureId, Vec<NodeId>> {
    let mut order: IndexVec<ProcedureId, Vec<NodeId>> =
        program.procedures.iter().map(|_| Vec::new()).collect();
    let mut seen = NodeSet::new(program.nodes.len());
    let entries = program.procedures.iter().map(|procedure| procedure.entry);
    for root in entries.chain(program.nodes.ids()) {
        if !seen.insert(root) {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            if let Some(&successor) = program.nodes[*node].successors.get(*next) {
                *next += 1;
                if seen.insert(successor) {
                    path.push((successor, 0));
                }
            } else {
                order[program.nodes[*node].procedure].push(*node);
                path.pop();
            }
        }
    }
    order
}
