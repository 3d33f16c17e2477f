//! Control flow: from statements to nodes [Bas10, 3.1].
//!
//! Nodes are made in the order of the text. A node whose successor is "whatever comes next" is dangling
//! until the next node is made. An `if` is a branching node with two successors, which assume the condition
//! and its negation; `elsif` is an `if` in the `else` of the one before, so that every condition is evaluated
//! only after those before it. A `while` is the same with an edge back.

use super::super::ast::{self, Block, Name, StatementKind};
use super::super::cfg::{
    self, Copy, Node, NodeId, Op, Origin, ProcedureId, Property, PropertyId, PropertyKind, Target,
};
use super::Checker;
use super::expressions::Place;
use super::nearest::nearest;
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::Index;
use crate::ground::source::Span;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What is left to do of the open blocks.
enum Task<'a> {
    Block(std::slice::Iter<'a, ast::Statement>),
    /// The block of a branch is done.
    Branch(Branch<'a>),
    /// The last block of an `if` is done.
    EndIf(Vec<NodeId>),
    /// The body of a loop is done.
    EndWhile(Condition),
}

/// A branching node and what it decides.
struct Condition {
    head: NodeId,
    expression: cfg::Expression,
    span: Span,
}

/// An `if` whose branches up to one are done.
struct Branch<'a> {
    condition: Condition,
    /// The branches behind it.
    rest: std::slice::Iter<'a, (ast::Expression, Block)>,
    otherwise: Option<&'a Block>,
    /// The last nodes of the branches that are done.
    ends: Vec<NodeId>,
}

/// The procedure that is being lowered.
struct Flow<'a> {
    number: usize,
    /// Nodes whose successor is the next node that is made.
    dangling: Vec<NodeId>,
    /// The labels of the next node that is made, and its properties.
    labels: Vec<Arc<str>>,
    forbidden: Vec<PropertyId>,
    /// Where each label is, and where it is written.
    places: HashMap<&'a str, (NodeId, Span)>,
    /// Jumps and thread starts whose targets are not known yet.
    jumps: Vec<(NodeId, &'a [Name])>,
    starts: Vec<(NodeId, &'a Name)>,
    assertions: usize,
    returns: bool,
}

impl<'a> Checker<'a> {
    /// Lowers all procedures.
    pub fn procedures(&mut self) {
        for number in 0..self.program.procedures.len() {
            self.undeclared.clear();
            let procedure = self.procedure(number);
            self.procedures.push(procedure);
        }
        self.undeclared.clear();
    }

    fn procedure(&mut self, number: usize) -> cfg::Procedure {
        let source = &self.program.procedures[number];
        let entry = self.nodes.next_id();
        let mut flow = Flow {
            number,
            dangling: Vec::new(),
            labels: Vec::new(),
            forbidden: Vec::new(),
            places: HashMap::new(),
            jumps: Vec::new(),
            starts: Vec::new(),
            assertions: 0,
            returns: false,
        };
        let enforce = self.enforce(number);
        self.initial_values(&mut flow);
        self.body(&mut flow, &source.body);
        if !flow.dangling.is_empty() || self.nodes.next_id() == entry {
            let values = vec![cfg::Expression::choice(); source.returns];
            self.add(&mut flow, Op::Return(values), source.end.0, Origin::FallOff);
        }
        self.resolve_labels(&flow);
        if source.returns > 0 && !flow.returns {
            let message = format!("`{}` has no `return`: its values are arbitrary", source.name.text);
            self.warnings.push(Diagnostic::warning(source.name.at.0, message));
        }
        cfg::Procedure {
            name: Arc::clone(&source.name.text),
            span: source.name.at.0,
            locals: self.names.frames[number].clone(),
            parameter_count: source.parameters.len(),
            returns: source.returns,
            enforce,
            entry,
        }
    }

    fn initial_values(&mut self, flow: &mut Flow<'a>) {
        let source = &self.program.procedures[flow.number];
        let declared = source.locals.iter().flat_map(|declaration| &declaration.variables);
        for (position, (name, value)) in declared.enumerate() {
            let Some(value) = value else { continue };
            let variable = self.names.frames[flow.number][source.parameters.len() + position];
            let value_span = value.at.0;
            let value = self.expression(value, Some(flow.number), Place::Initial(variable));
            let targets = vec![Target { variable, copy: Copy::Own }];
            let op = Op::Assign { targets, values: vec![value], constrain: None };
            self.add(flow, op, name.at.0.to(value_span), Origin::Initial);
        }
    }

    /// Makes a node; dangling nodes lead to it.
    fn add(&mut self, flow: &mut Flow<'a>, op: Op, span: Span, origin: Origin) -> NodeId {
        let ends = matches!(op, Op::Return(_) | Op::EndThread);
        let id = self.nodes.push(Node {
            procedure: ProcedureId::new(flow.number),
            op,
            successors: Vec::new(),
            span,
            origin,
            forbidden: std::mem::take(&mut flow.forbidden),
            labels: std::mem::take(&mut flow.labels),
        });
        self.lead_to(flow, id);
        if !ends {
            flow.dangling.push(id);
        }
        id
    }

    /// Makes all dangling nodes lead to a node.
    fn lead_to(&mut self, flow: &mut Flow<'a>, node: NodeId) {
        for dangling in flow.dangling.drain(..) {
            let successors = &mut self.nodes[dangling].successors;
            successors.reserve_exact(1);
            successors.push(node);
        }
    }

    fn body(&mut self, flow: &mut Flow<'a>, block: &'a Block) {
        let mut tasks = vec![Task::Block(block.statements.iter())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Block(mut statements) => {
                    if let Some(statement) = statements.next() {
                        tasks.push(Task::Block(statements));
                        self.statement(flow, statement, &mut tasks);
                    }
                }
                Task::Branch(branch) => self.end_branch(flow, branch, &mut tasks),
                Task::EndIf(mut ends) => flow.dangling.append(&mut ends),
                Task::EndWhile(condition) => {
                    self.lead_to(flow, condition.head);
                    self.not_taken(flow, condition);
                }
            }
        }
    }

    /// A branching node and the node behind it that assumes the condition.
    fn taken(&mut self, flow: &mut Flow<'a>, condition: &ast::Expression, span: Span) -> Condition {
        let head = self.add(flow, Op::Skip, span, Origin::Branch);
        let expression = self.expression(condition, Some(flow.number), Place::Ordinary);
        let span = condition.at.0;
        self.add(flow, Op::Assume(expression.clone()), span, Origin::Taken);
        Condition { head, expression, span }
    }

    /// The node that assumes that the condition does not hold.
    fn not_taken(&mut self, flow: &mut Flow<'a>, condition: Condition) {
        flow.dangling.push(condition.head);
        self.add(flow, Op::Assume(condition.expression.negate()), condition.span, Origin::NotTaken);
    }

    fn statement(&mut self, flow: &mut Flow<'a>, statement: &'a ast::Statement, tasks: &mut Vec<Task<'a>>) {
        self.labels(flow, statement);
        let span = statement.at.0;
        match &statement.kind {
            StatementKind::If { branches, otherwise } => {
                let mut rest = branches.iter();
                let Some((condition, block)) = rest.next() else { return };
                let condition = self.taken(flow, condition, span);
                let otherwise = otherwise.as_ref();
                tasks.push(Task::Branch(Branch { condition, rest, otherwise, ends: Vec::new() }));
                tasks.push(Task::Block(block.statements.iter()));
            }
            StatementKind::While { condition, body } => {
                let condition = self.taken(flow, condition, span);
                tasks.push(Task::EndWhile(condition));
                tasks.push(Task::Block(body.statements.iter()));
            }
            StatementKind::Goto(labels) => {
                let node = self.add(flow, Op::Skip, span, Origin::Statement);
                flow.dangling.clear();
                flow.jumps.push((node, labels));
            }
            StatementKind::StartLabel(label) => {
                let node = self.add(flow, Op::Skip, span, Origin::Statement);
                flow.starts.push((node, label));
            }
            StatementKind::Assert(condition) => {
                let condition = self.expression(condition, Some(flow.number), Place::Ordinary);
                flow.assertions += 1;
                let name =
                    format!("{}.assert.{}", self.program.procedures[flow.number].name.text, flow.assertions);
                let property = self.property(name, PropertyKind::Assertion, span);
                self.add(flow, Op::Assert(condition, property), span, Origin::Statement);
            }
            _ => {
                let op = self.operation(statement, flow.number);
                flow.returns |= matches!(op, Op::Return(_));
                self.add(flow, op, span, Origin::Statement);
            }
        }
    }

    /// Goes on where the condition of a branch does not hold: with the next branch, or the `else`.
    fn end_branch(&mut self, flow: &mut Flow<'a>, branch: Branch<'a>, tasks: &mut Vec<Task<'a>>) {
        let Branch { condition, mut rest, otherwise, mut ends } = branch;
        ends.append(&mut flow.dangling);
        self.not_taken(flow, condition);
        if let Some((condition, block)) = rest.next() {
            let condition = self.taken(flow, condition, condition.at.0);
            tasks.push(Task::Branch(Branch { condition, rest, otherwise, ends }));
            tasks.push(Task::Block(block.statements.iter()));
            return;
        }
        tasks.push(Task::EndIf(ends));
        tasks.extend(otherwise.map(|block| Task::Block(block.statements.iter())));
    }

    fn property(&mut self, name: String, kind: PropertyKind, span: Span) -> PropertyId {
        self.properties.push(Property { name, node: self.nodes.next_id(), kind, span })
    }

    /// Notes the labels of a statement, whose first node is the next that is made.
    fn labels(&mut self, flow: &mut Flow<'a>, statement: &'a ast::Statement) {
        let node = self.nodes.next_id();
        for label in &statement.labels {
            match flow.places.get(label.text.as_ref()) {
                Some((place, _)) if *place == node => continue,
                Some(&(_, first)) => {
                    let error =
                        Diagnostic::error(label.at.0, format!("the label `{}` is defined twice", label.text))
                            .label("defined again here")
                            .also(first, "first defined here")
                            .help("a label stands at one statement of its procedure");
                    self.error(error);
                    continue;
                }
                None => drop(flow.places.insert(&label.text, (node, label.at.0))),
            }
            flow.labels.push(Arc::clone(&label.text));
            if self.is_error_label(&label.text) {
                self.met.insert(Arc::clone(&label.text));
                let name = format!("{}.label.{}", self.program.procedures[flow.number].name.text, label.text);
                let kind = PropertyKind::ErrorLabel(Arc::clone(&label.text));
                let property = self.property(name, kind, label.at.0);
                flow.forbidden.push(property);
            }
        }
    }

    fn resolve_labels(&mut self, flow: &Flow<'a>) {
        for &(node, labels) in &flow.jumps {
            let mut targets = Vec::with_capacity(labels.len());
            let mut seen = HashSet::new();
            for label in labels {
                match flow.places.get(label.text.as_ref()) {
                    Some(&(target, _)) if seen.insert(target) => targets.push(target),
                    Some(_) => {}
                    None => self.unknown_label(flow, label),
                }
            }
            self.nodes[node].successors = targets;
        }
        for &(node, label) in &flow.starts {
            match flow.places.get(label.text.as_ref()) {
                Some(&(target, _)) => self.nodes[node].op = Op::StartLabel(target),
                None => self.unknown_label(flow, label),
            }
        }
    }

    fn unknown_label(&mut self, flow: &Flow<'a>, label: &Name) {
        if self.only_counted() {
            return;
        }
        let procedure = &self.program.procedures[flow.number].name.text;
        let error = Diagnostic::error(label.at.0, format!("unknown label `{}`", label.text))
            .label(format!("no such label in `{procedure}`"));
        let mut labels: Vec<&str> = flow.places.keys().copied().collect();
        labels.sort_by_key(|label| flow.places[label].0);
        let near = nearest(&label.text, labels.into_iter());
        let error = match near {
            _ if self.names.procedures.contains_key(label.text.as_ref()) => error.help(format!(
                "`{0}` is a procedure; write `start_thread {0}();` to run it in a thread",
                label.text
            )),
            Some(near) => error
                .also(flow.places[near].1, format!("`{near}` is here"))
                .help(format!("did you mean `{near}`?")),
            None => error.help("labels are known only in their own procedure"),
        };
        self.error(error);
    }
}
