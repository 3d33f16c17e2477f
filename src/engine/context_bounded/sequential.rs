//! The sequential program: one run of it is a run of the threads with few context switches \[LR08\].
//!
//! A run of threads is cut into *contexts*, in each of which one thread runs. The sequential program runs the threads one
//! after the other, each through all of its contexts: where a thread leaves a context, it skips the contexts of others, and
//! goes on in a later one. What the shared variables are there is guessed: one vector of guesses for each context,
//! drawn at the start. Whoever leaves a context must leave the shared variables as they were guessed for the next one.
//! A thread is run where it is started, by a call (`scheduler`); the contexts it takes are later than that of its start.
//!
//! A thread that does nothing any more is `stopped`: all of its procedures return at once. A violated property is noted,
//! and the thread stops; it counts at the end, if every earlier context was run by somebody.

use super::layout::{Changes, Flag, Layout, is, read};
use super::scheduler;
use super::visible::{End, Visible};
use crate::boolean::cfg::{
    Expression, Node, NodeId, Op, Origin, Procedure, ProcedureId, Program, Property, PropertyId, Scope,
    Variable, VariableId,
};
use crate::engine::Query;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::Span;
use std::collections::BTreeMap;

/// What executing a node of the sequential program means for the threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Nothing.
    Silent,
    /// It is the step of the node at which the thread is.
    Step,
    /// It is that step, and the thread ends.
    End,
    /// It is that step, and starts a thread: the call of what runs it.
    Start,
    /// The thread violates a property where it is.
    Fail(PropertyId),
    /// The call at which a thread begins to run.
    Begin,
}

/// Where a thread is while the sequential program is at a node, and what the node means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The node of the original program; none inside of the scheduler.
    pub at: Option<NodeId>,
    /// What it means.
    pub meaning: Meaning,
}

impl Mark {
    /// A node of the scheduler.
    pub const NONE: Self = Self { at: None, meaning: Meaning::Silent };
}

/// A sequential program and what it means.
pub struct Sequential {
    /// The program. Its properties are those that were asked about.
    pub program: Program,
    /// What its nodes mean.
    pub marks: IndexVec<NodeId, Mark>,
    /// Where its variables are.
    pub layout: Layout,
}

/// What a thread runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    /// A procedure.
    Procedure(ProcedureId),
    /// The rest of a procedure from a node on, with a copy of the frame.
    Label(NodeId),
}

/// A sequential program in the making.
pub struct Builder<'p> {
    /// The program with threads.
    pub source: &'p Program,
    /// Where variables are.
    pub layout: Layout,
    asked: &'p [PropertyId],
    variables: IndexVec<VariableId, Variable>,
    procedures: IndexVec<ProcedureId, Procedure>,
    nodes: IndexVec<NodeId, Node>,
    marks: IndexVec<NodeId, Mark>,
    properties: IndexVec<PropertyId, Property>,
    /// For each thing that threads run: the procedure that is its body, and the one that runs it as a thread.
    roots: BTreeMap<Root, (ProcedureId, ProcedureId)>,
    /// Leaves a context, or not.
    pub switch: ProcedureId,
    /// Stops the thread, or not.
    pub stop: ProcedureId,
    /// The thread has ended.
    pub leave: ProcedureId,
}

/// The sequential program for the properties of a query, with at most so many context switches.
pub fn sequential(source: &Program, query: &Query, switches: usize) -> Sequential {
    let layout = Layout::new(source.global_count, query.threads, switches, query.properties.len());
    let mut builder = Builder::new(source, layout, &query.properties);
    let visible = Visible::new(source, layout.most.is_some());
    for procedure in source.procedures.ids() {
        builder.body(procedure, procedure, source.procedures[procedure].entry, &visible);
    }
    for (root, (body, _)) in builder.roots.clone() {
        if let Root::Label(target) = root {
            builder.body(source.nodes[target].procedure, body, target, &visible);
        }
    }
    scheduler::define(&mut builder);
    let Builder { variables, procedures, nodes, marks, properties, .. } = builder;
    let entry = ProcedureId::new(procedures.len() - 1);
    let program = Program { variables, global_count: layout.count(), procedures, nodes, properties, entry };
    debug_assert_eq!(program.check_well_formed(), Ok(()));
    Sequential { program, marks, layout }
}

impl<'p> Builder<'p> {
    /// With all procedures of the source, copies for threads that start at labels, and the procedures of the scheduler
    /// (the entry is the last one); none has a body yet.
    fn new(source: &'p Program, layout: Layout, asked: &'p [PropertyId]) -> Self {
        let mut builder = Self {
            source,
            layout,
            asked,
            variables: IndexVec::new(),
            procedures: source.procedures.iter().cloned().collect(),
            nodes: IndexVec::new(),
            marks: IndexVec::new(),
            properties: IndexVec::new(),
            roots: BTreeMap::new(),
            switch: ProcedureId::new(0),
            stop: ProcedureId::new(0),
            leave: ProcedureId::new(0),
        };
        builder.globals();
        builder.locals();
        builder.roots();
        builder.switch = builder.own("<switch>", 0);
        builder.stop = builder.own("<stop>", 0);
        builder.leave = builder.own("<leave>", 0);
        builder.own("<begin>", 0);
        builder
    }

    fn globals(&mut self) {
        for position in 0..self.layout.count() {
            let known = (position < self.layout.globals).then(|| VariableId::new(position));
            let name = known.map_or_else(
                || self.layout.name(position).into(),
                |known| self.source.variables[known].name.clone(),
            );
            let variable =
                Variable { name, scope: Scope::Global(position), span: Span::default(), passive: false };
            self.variables.push(variable);
        }
    }

    /// The local variables of the source, with their new numbers.
    fn locals(&mut self) {
        for (_, variable) in self.source.variables.enumerate().skip(self.source.global_count) {
            self.variables.push(Variable { passive: false, ..variable.clone() });
        }
        let shift = self.layout.count() - self.layout.globals;
        for procedure in self.procedures.iter_mut() {
            procedure.enforce = None;
            procedure.locals.iter_mut().for_each(|local| *local = VariableId::new(local.index() + shift));
        }
    }

    /// A procedure for each thing that threads run.
    fn roots(&mut self) {
        let source = self.source;
        for node in source.nodes.iter() {
            match node.op {
                Op::StartThread { procedure, .. } => self.root(Root::Procedure(procedure)),
                Op::StartLabel(target) => self.root(Root::Label(target)),
                _ => {}
            }
        }
    }

    fn root(&mut self, root: Root) {
        if self.roots.contains_key(&root) {
            return;
        }
        let body = match root {
            Root::Procedure(procedure) => procedure,
            Root::Label(target) => {
                let procedure = self.source.nodes[target].procedure;
                let copied = self.source.procedures[procedure].locals.len();
                let returns = self.source.procedures[procedure].returns;
                let name = self.source.procedures[procedure].name.to_string();
                let copy = self.own(&format!("<{name} from {}>", target.index()), copied);
                self.procedures[copy].returns = returns;
                copy
            }
        };
        let (name, parameters) =
            (self.procedures[body].name.to_string(), self.procedures[body].parameter_count);
        let runner = self.own(&format!("<run {name}>"), parameters);
        self.roots.insert(root, (body, runner));
    }

    /// A procedure of our own with some parameters.
    fn own(&mut self, name: &str, parameters: usize) -> ProcedureId {
        let id = self.procedures.next_id();
        let locals = (0..parameters).map(|position| self.variable(id, position)).collect();
        self.procedures.push(Procedure {
            name: name.into(),
            span: Span::default(),
            locals,
            parameter_count: parameters,
            returns: 0,
            enforce: None,
            entry: NodeId::new(0),
        })
    }

    fn variable(&mut self, procedure: ProcedureId, position: usize) -> VariableId {
        let (scope, span) = (Scope::Local(procedure, position), Span::default());
        let name = format!("<{position}>").into();
        self.variables.push(Variable { name, scope, span, passive: false })
    }

    /// A new local variable of a procedure of our own.
    pub fn local(&mut self, procedure: ProcedureId) -> VariableId {
        let position = self.procedures[procedure].locals.len();
        let variable = self.variable(procedure, position);
        self.procedures[procedure].locals.push(variable);
        variable
    }

    /// The procedures that run threads, each with what it runs.
    pub fn runners(&self) -> Vec<(ProcedureId, ProcedureId)> {
        self.roots.values().map(|&(body, runner)| (runner, body)).collect()
    }

    /// A procedure.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id]
    }

    /// The last procedure is the entry.
    pub fn entry(&self) -> ProcedureId {
        ProcedureId::new(self.procedures.len() - 1)
    }

    /// The first node of a procedure of the scheduler.
    pub fn begin(&mut self, procedure: ProcedureId) -> NodeId {
        let node = self.node(procedure, Op::Skip, Mark::NONE);
        self.procedures[procedure].entry = node;
        node
    }

    fn node(&mut self, procedure: ProcedureId, op: Op, mark: Mark) -> NodeId {
        let original = mark.at.map(|at| &self.source.nodes[at]);
        let span = original.map_or_else(Span::default, |node| node.span);
        let origin = original.map_or(Origin::Start, |node| node.origin);
        self.marks.push(mark);
        let (successors, forbidden, labels) = Default::default();
        self.nodes.push(Node { procedure, op, successors, span, origin, forbidden, labels })
    }

    /// A new node after another one, of the same procedure.
    pub fn then(&mut self, from: NodeId, op: Op, mark: Mark) -> NodeId {
        let node = self.node(self.nodes[from].procedure, op, mark);
        self.link(from, node);
        node
    }

    /// The same where the thread stays where it is.
    fn silently(&mut self, from: NodeId, op: Op) -> NodeId {
        let mark = Mark { meaning: Meaning::Silent, ..self.marks[from] };
        self.then(from, op, mark)
    }

    /// Control goes from one node to another.
    pub fn link(&mut self, from: NodeId, to: NodeId) {
        self.nodes[from].successors.push(to);
    }

    /// A property that is violated if a variable is true.
    pub fn claim(&mut self, from: NodeId, place: usize) -> NodeId {
        let asked = &self.source.properties[self.asked[place]];
        let property = Property { node: self.nodes.next_id(), ..asked.clone() };
        let id = self.properties.push(property);
        self.then(from, Op::Assert(is(self.layout.violated(place), false), id), Mark::NONE)
    }

    /// The body of a procedure of the source, or of a copy of one that starts at a node.
    fn body(&mut self, of: ProcedureId, target: ProcedureId, entry: NodeId, visible: &Visible<'_>) {
        let source = self.source;
        let own: Vec<NodeId> =
            source.nodes.enumerate().filter(|(_, node)| node.procedure == of).map(|(id, _)| id).collect();
        let head = |&at: &NodeId| {
            let mark = Mark { at: Some(at), meaning: Meaning::Silent };
            (at, self.node(target, Op::Skip, mark))
        };
        let heads: BTreeMap<NodeId, NodeId> = own.iter().map(head).collect();
        self.procedures[target].entry = heads[&entry];
        for &node in &own {
            Step { builder: self, of, target, heads: &heads, node }.write(visible);
        }
    }

    /// A branch: control goes on at the second node where a flag is not set, at the first where it is.
    pub fn on_flag(&mut self, from: NodeId, flag: Flag) -> (NodeId, NodeId) {
        let variable = self.layout.flag(flag);
        let branch = self.silently(from, Op::Skip);
        let set = self.silently(branch, Op::Assume(is(variable, true)));
        (set, self.silently(branch, Op::Assume(is(variable, false))))
    }

    /// An assignment.
    pub fn assign(&mut self, from: NodeId, changes: Changes, mark: Mark) -> NodeId {
        let Changes { targets, values } = changes;
        self.then(from, Op::Assign { targets, values, constrain: None }, mark)
    }
}

/// One node of the source, as nodes of the sequential program.
struct Step<'b, 'p> {
    builder: &'b mut Builder<'p>,
    /// The procedure of the source.
    of: ProcedureId,
    /// The procedure that is written.
    target: ProcedureId,
    heads: &'b BTreeMap<NodeId, NodeId>,
    node: NodeId,
}

impl Step<'_, '_> {
    fn write(&mut self, visible: &Visible<'_>) {
        let mut here = self.heads[&self.node];
        let scheduler = match visible.end_at(self.node) {
            End::No => None,
            End::ForGood => Some(self.builder.stop),
            End::Any => Some(self.builder.switch),
        };
        if let Some(procedure) = scheduler {
            let call = Op::Call { procedure, arguments: Vec::new(), results: Vec::new() };
            let called = self.builder.silently(here, call);
            here = self.unless_stopped(called);
        }
        if let Some(enforce) = self.builder.source.procedures[self.of].enforce.clone() {
            let enforce = self.expression(&enforce);
            here = self.builder.silently(here, Op::Assume(enforce));
        }
        for &property in &self.builder.source.nodes[self.node].forbidden {
            here = self.builder.silently(here, Op::Skip);
            self.fail(here, property);
        }
        self.operation(here);
    }

    /// The node after the step of this one.
    fn next(&self) -> NodeId {
        self.heads[&self.builder.source.nodes[self.node].successors[0]]
    }

    fn mark(&self, meaning: Meaning) -> Mark {
        Mark { at: Some(self.node), meaning }
    }

    /// Control goes on, unless the thread has stopped: then the procedure returns.
    fn unless_stopped(&mut self, from: NodeId) -> NodeId {
        let (stopped, on) = self.builder.on_flag(from, Flag::Stopped);
        self.give_up(stopped);
        on
    }

    /// The procedure returns, because its thread has stopped. What it returns does not matter.
    fn give_up(&mut self, from: NodeId) {
        let returns = self.builder.source.procedures[self.of].returns;
        self.builder.silently(from, Op::Return(vec![Expression::choice(); returns]));
    }

    /// The thread violates a property here, if it is asked about and none was violated yet.
    fn fail(&mut self, from: NodeId, property: PropertyId) {
        let Some(place) = self.builder.asked.iter().position(|&asked| asked == property) else { return };
        let layout = self.builder.layout;
        let first = self.builder.silently(from, Op::Assume(is(layout.flag(Flag::Failed), false)));
        let mut changes = Changes::default();
        changes.set(layout.flag(Flag::Failed), Expression::constant(true));
        changes.set(layout.flag(Flag::Stopped), Expression::constant(true));
        changes.set(layout.violated(place), Expression::constant(true));
        changes.copy(layout.failing(), layout.context());
        let failed = self.builder.assign(first, changes, self.mark(Meaning::Fail(property)));
        self.give_up(failed);
    }

    fn operation(&mut self, here: NodeId) {
        let source = self.builder.source;
        let node = &source.nodes[self.node];
        match &node.op {
            Op::Skip => {
                let step = self.builder.then(here, Op::Skip, self.mark(Meaning::Step));
                for next in &node.successors {
                    self.builder.link(step, self.heads[next]);
                }
            }
            Op::Assume(condition) => {
                let condition = self.expression(condition);
                self.step(here, Op::Assume(condition));
            }
            Op::Assert(condition, property) => {
                let condition = self.expression(condition);
                let branch = self.builder.silently(here, Op::Skip);
                let fails = self.builder.silently(branch, Op::Assume(condition.clone().negate()));
                let fails = self.builder.silently(fails, Op::Skip);
                self.fail(fails, *property);
                self.step(branch, Op::Assume(condition));
                self.close(fails);
            }
            Op::Assign { .. } => {
                let op = self.assignment(&node.op);
                self.step(here, op);
            }
            Op::Call { procedure, arguments, results } => {
                let arguments = self.expressions(arguments);
                let results =
                    results.iter().map(|result| result.map(|result| self.renamed(result))).collect();
                let call = Op::Call { procedure: *procedure, arguments, results };
                let called = self.builder.then(here, call, self.mark(Meaning::Step));
                let after = self.behind_call(called);
                let next = self.next();
                self.builder.link(after, next);
            }
            Op::Return(values) => {
                let values = self.expressions(values);
                self.builder.then(here, Op::Return(values), self.mark(Meaning::Step));
            }
            Op::EndThread => self.end_thread(here),
            Op::StartLabel(target) => {
                let locals = self.builder.procedures[self.target].locals.clone();
                self.start(here, Root::Label(*target), locals.into_iter().map(read).collect());
            }
            Op::StartThread { procedure, arguments } => {
                let arguments = self.expressions(arguments);
                self.start(here, Root::Procedure(*procedure), arguments);
            }
            Op::AtomicBegin => self.set_atomic(here, true),
            Op::AtomicEnd => self.set_atomic(here, false),
        }
    }

    /// A skip without a way out blocks: it needs a successor all the same.
    fn close(&mut self, from: NodeId) {
        if self.builder.nodes[from].successors.is_empty() {
            self.builder.silently(from, Op::Assume(Expression::constant(false)));
            let blocked = NodeId::new(self.builder.nodes.len() - 1);
            self.give_up(blocked);
        }
    }

    /// The step, to the next node.
    fn step(&mut self, here: NodeId, op: Op) {
        let step = self.builder.then(here, op, self.mark(Meaning::Step));
        let next = self.next();
        self.builder.link(step, next);
    }

    fn set_atomic(&mut self, here: NodeId, value: bool) {
        let mut changes = Changes::default();
        changes.set(self.builder.layout.flag(Flag::Atomic), Expression::constant(value));
        let step = self.builder.assign(here, changes, self.mark(Meaning::Step));
        let next = self.next();
        self.builder.link(step, next);
    }

    /// Where control goes on after a call of a procedure of the source. The thread is at the next node there.
    fn behind_call(&mut self, called: NodeId) -> NodeId {
        let at = self.builder.source.nodes[self.node].successors[0];
        let mark = Mark { at: Some(at), meaning: Meaning::Silent };
        let back = self.builder.then(called, Op::Skip, mark);
        self.unless_stopped(back)
    }

    /// The thread ends, however deep its calls are nested.
    fn end_thread(&mut self, here: NodeId) {
        let layout = self.builder.layout;
        let mut changes = Changes::default();
        changes.count(&layout, false);
        let ended = self.builder.assign(here, changes, self.mark(Meaning::End));
        let leave = Op::Call { procedure: self.builder.leave, arguments: Vec::new(), results: Vec::new() };
        let left = self.builder.silently(ended, leave);
        let mut changes = Changes::default();
        changes.set(layout.flag(Flag::Stopped), Expression::constant(true));
        let mark = self.mark(Meaning::Silent);
        let stopped = self.builder.assign(left, changes, mark);
        self.give_up(stopped);
    }

    /// Starts a thread: it is run at once, in later contexts, by a call. At the bound nothing is started.
    fn start(&mut self, mut here: NodeId, root: Root, arguments: Vec<Expression>) {
        let layout = self.builder.layout;
        let next = self.next();
        if let Some(most) = layout.most {
            here = self.builder.silently(here, Op::Skip);
            let full = super::layout::equals(layout.alive(), most);
            let dropped = self.builder.then(here, Op::Assume(full.clone()), self.mark(Meaning::Step));
            self.builder.link(dropped, next);
            here = self.builder.silently(here, Op::Assume(full.negate()));
            let mut changes = Changes::default();
            changes.count(&layout, true);
            here = self.builder.assign(here, changes, self.mark(Meaning::Silent));
        }
        let (_, runner) = self.builder.roots[&root];
        let call = Op::Call { procedure: runner, arguments, results: Vec::new() };
        let called = self.builder.then(here, call, self.mark(Meaning::Start));
        self.builder.link(called, next);
    }

    /// The new number of a variable.
    fn renamed(&self, variable: VariableId) -> VariableId {
        match self.builder.source.variables[variable].scope {
            Scope::Global(_) => variable,
            Scope::Local(_, position) => self.builder.procedures[self.target].locals[position],
        }
    }

    fn expression(&self, expression: &Expression) -> Expression {
        let mut renamed = |read: &crate::boolean::cfg::Read| {
            Expression::variable(crate::boolean::cfg::Read { variable: self.renamed(read.variable), ..*read })
        };
        expression.substitute(&mut renamed)
    }

    fn expressions(&self, expressions: &[Expression]) -> Vec<Expression> {
        expressions.iter().map(|expression| self.expression(expression)).collect()
    }

    fn assignment(&self, op: &Op) -> Op {
        let Op::Assign { targets, values, constrain } = op else { unreachable!("it is an assignment") };
        let target = |target: &crate::boolean::cfg::Target| super::layout::own(self.renamed(target.variable));
        Op::Assign {
            targets: targets.iter().map(target).collect(),
            values: self.expressions(values),
            constrain: constrain.as_ref().map(|constrain| self.expression(constrain)),
        }
    }
}
