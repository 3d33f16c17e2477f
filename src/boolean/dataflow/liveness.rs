//! Interprocedural live variables [SW92; Bas10, 10.9.1 and appendix C].
//!
//! Phase 1, callees first, finds for every procedure the globals that it reads before it writes them (REF),
//! and those that it writes on every path to a return (MOD). MOD is computed as the complement of "some
//! path leaves it alone", which makes both a least fixpoint of one and the same backward transfer, with
//! nothing or everything at the returns. Phase 2, callers first, is the plain analysis, a call being a
//! step that reads REF and overwrites MOD; at a return is live what is live behind some call, its results
//! taken out.
//!
//! A set per node ranges only over the locals of the procedure and the globals that it touches. What it
//! does not touch is live throughout if it is live when it returns, and is kept once per procedure. Within a
//! procedure, and within a component of mutually recursive ones, work is done from a worklist, so a program
//! without recursion costs one sweep over its nodes per phase.
//!
//! Deviations. Nothing is live at a node that does not matter ([`reach::useful`]). In a program that starts
//! threads a shared variable that any node reads is live everywhere, and a thread started at a label reads
//! what is live there. A local that occurs with `$` is live everywhere, and what is enforced in a
//! procedure is read at each of its nodes.

use super::calls::CallGraph;
use super::effects::Effects;
use super::modref::ModRef;
use super::reach::{self, Reach, predecessors};
use super::set::IdSet;
use super::{NodeSet, VariableSet};
use crate::boolean::cfg::{NodeId, Op, ProcedureId, Program, PropertyId, VariableId};
use crate::ground::index::{Index, IndexVec};
use crate::index_types;
use std::collections::{HashSet, VecDeque};

index_types! {
    /// The position of a variable among those that its procedure tracks.
    Slot,
}

type Slots = IdSet<Slot>;

/// The variables that the sets of one procedure range over: touched globals in order, then all locals.
#[derive(Clone, Debug)]
struct Frame {
    variables: Vec<VariableId>,
    globals: usize,
}

impl Frame {
    fn slot(&self, variable: VariableId) -> Option<Slot> {
        let (globals, locals) = self.variables.split_at(self.globals);
        if let Ok(slot) = globals.binary_search(&variable) {
            return Some(Slot::new(slot));
        }
        // The locals of a procedure nearly always have ids in a row.
        let guess = variable.index().wrapping_sub(locals.first()?.index());
        let position = if locals.get(guess) == Some(&variable) {
            Some(guess)
        } else {
            locals.iter().position(|&local| local == variable)
        };
        position.map(|position| Slot::new(self.globals + position))
    }

    fn slots(&self, variables: impl IntoIterator<Item = VariableId>) -> Slots {
        Slots::of(self.variables.len(), variables.into_iter().filter_map(|variable| self.slot(variable)))
    }
}

/// Which variables may still be read, at every node.
#[derive(Clone, Debug)]
pub struct Liveness {
    frames: IndexVec<ProcedureId, Frame>,
    before: IndexVec<NodeId, Slots>,
    owner: IndexVec<NodeId, ProcedureId>,
    through: IndexVec<ProcedureId, VariableSet>,
    at_return: IndexVec<ProcedureId, VariableSet>,
    read_first: IndexVec<ProcedureId, VariableSet>,
    must_write: IndexVec<ProcedureId, VariableSet>,
    evaluations: u64,
}

/// The variables that are live at a node.
#[derive(Clone, Copy, Debug)]
pub struct Live<'a> {
    frame: &'a Frame,
    slots: &'a Slots,
    through: &'a VariableSet,
}

impl<'a> Live<'a> {
    /// Whether a variable, global or of the node's procedure, may still be read.
    #[must_use]
    pub fn contains(&self, variable: VariableId) -> bool {
        match self.frame.slot(variable) {
            Some(slot) => self.slots.contains(slot),
            None => self.through.contains(variable),
        }
    }

    /// The live ones among the locals and the globals that the procedure touches.
    pub fn touched(&self) -> impl Iterator<Item = VariableId> + use<'a> {
        let (frame, slots) = (self.frame, self.slots);
        slots.iter().map(|slot| frame.variables[slot.index()])
    }

    /// All live variables: those, and the globals that the procedure only passes on.
    pub fn iter(&self) -> impl Iterator<Item = VariableId> + use<'a> {
        self.touched().chain(self.through.iter())
    }
}

impl Liveness {
    /// The live variables of a program of which these properties are checked.
    #[must_use]
    pub fn of(program: &Program, checked: &[PropertyId]) -> Self {
        let calls = CallGraph::new(program);
        let touched = ModRef::new(program, &calls);
        Self::new(program, &calls, &touched, checked)
    }

    /// The same, where call graph and touched globals are known.
    #[must_use]
    pub fn new(program: &Program, calls: &CallGraph, touched: &ModRef, checked: &[PropertyId]) -> Self {
        let reach = Reach::new(program);
        let useful = reach::useful(program, calls, &reach, checked);
        let mut analysis = Analysis::new(program, calls, touched, useful);
        analysis.summarise();
        analysis.propagate();
        analysis.finish()
    }

    /// The same with calls that keep alive whatever is live at the entry of the callee, for any of its callers.
    ///
    /// An engine that summarises a procedure for the values of what is live at its entry needs this: a value
    /// forgotten before one call, because nothing behind that call reads it, would still tell apart the
    /// summaries of the callee.
    #[must_use]
    pub fn with_inputs(program: &Program, calls: &CallGraph, touched: &ModRef, checked: &[PropertyId]) -> Self {
        let reach = Reach::new(program);
        let useful = reach::useful(program, calls, &reach, checked);
        let mut analysis = Analysis::new(program, calls, touched, useful);
        analysis.summarise();
        analysis.propagate();
        analysis.keep_inputs();
        analysis.finish()
    }

    /// What is live before a node.
    #[must_use]
    pub fn live_before(&self, node: NodeId) -> Live<'_> {
        let procedure = self.owner[node];
        Live { frame: &self.frames[procedure], slots: &self.before[node], through: &self.through[procedure] }
    }

    /// The globals that are live when a procedure has returned, its results not yet assigned: those that are
    /// live behind one of its calls and are no result of it.
    #[must_use]
    pub fn live_at_return(&self, procedure: ProcedureId) -> &VariableSet {
        &self.at_return[procedure]
    }

    /// REF: the globals that a call may read before it writes them.
    #[must_use]
    pub fn read_first(&self, procedure: ProcedureId) -> &VariableSet {
        &self.read_first[procedure]
    }

    /// MOD: the globals, of those it touches, that a call writes on every path on which it returns.
    #[must_use]
    pub fn must_write(&self, procedure: ProcedureId) -> &VariableSet {
        &self.must_write[procedure]
    }

    /// What the analysis cost: how many times a node was evaluated.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

/// What a node adds and takes out, going backwards.
#[derive(Clone, Debug)]
struct Transfer {
    gen_set: Slots,
    kill: Slots,
}

struct Analysis<'a> {
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
    fn new(program: &'a Program, calls: &'a CallGraph, modref: &ModRef, useful: NodeSet) -> Self {
        let concurrent = program.starts_threads();
        let none = || VariableSet::new(program.global_count);
        let touched: IndexVec<ProcedureId, VariableSet> = program
            .procedures
            .ids()
            .map(|procedure| if concurrent { none() } else { modref.touched(procedure) })
            .collect();
        let frames: IndexVec<ProcedureId, Frame> =
            program.procedures.enumerate().map(|(id, p)| frame(&touched[id], &p.locals)).collect();
        let always = frames.iter().map(|frame| {
            let passive = frame.variables.iter().filter(|&&variable| program.variables[variable].passive);
            frame.slots(passive.copied())
        });
        let mut shared = none();
        let mut transfer = IndexVec::new();
        for (id, node) in program.nodes.enumerate() {
            let effects = Effects::of(program, id);
            effects.reads.iter().filter(|&&v| program.is_global(v)).for_each(|&v| {
                shared.insert(v);
            });
            let frame = &frames[node.procedure];
            let gen_set = frame.slots(effects.reads);
            transfer.push(Transfer { gen_set, kill: frame.slots(effects.must_write) });
        }
        let sets: IndexVec<ProcedureId, VariableSet> = program.procedures.iter().map(|_| none()).collect();
        let mut predecessors = predecessors(program);
        for (id, node) in program.nodes.enumerate() {
            if let Op::StartLabel(label) = node.op {
                predecessors[label].push(id);
            }
        }
        Self {
            always: always.collect(),
            order: order(program),
            before: program.nodes.iter().map(|n| Slots::new(frames[n.procedure].variables.len())).collect(),
            must_write: touched.clone(),
            at_return: sets.clone(),
            read_first: sets,
            program,
            calls,
            useful,
            concurrent,
            frames,
            predecessors,
            transfer,
            touched,
            shared,
            queued: NodeSet::new(program.nodes.len()),
            evaluations: 0,
        }
    }

    /// Phase 1.
    fn summarise(&mut self) {
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
            let gen_set = frame.slots(self.read_first[*callee].iter());
            self.transfer[site].gen_set.union_with(&gen_set);
            let writes = self.must_write[*callee].iter().chain(results.iter().flatten().copied());
            self.transfer[site].kill = frame.slots(writes);
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
    fn propagate(&mut self) {
        let calls = self.calls;
        for members in calls.components().iter().rev() {
            let mut work = Agenda::new(members);
            while let Some(procedure) = work.next() {
                let frame = &self.frames[procedure];
                let boundary = frame.slots(self.at_return[procedure].iter());
                self.solve(procedure, &boundary, Gen::Reads);
                for callee in self.tell_callees(procedure) {
                    work.again(callee);
                }
            }
        }
    }

    /// Makes every call read what is live at the entry of its callee, and propagates that both ways.
    fn keep_inputs(&mut self) {
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

    fn finish(self) -> Liveness {
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

fn frame(touched: &VariableSet, locals: &[VariableId]) -> Frame {
    let mut variables: Vec<VariableId> = touched.iter().collect();
    let globals = variables.len();
    variables.extend(locals);
    Frame { variables, globals }
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
