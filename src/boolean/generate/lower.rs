//! A second way from syntax to control-flow graphs, for tests only, and for generated programs only.
//!
//! It shares no code with the checker: answers about a program must not depend on which of the two
//! lowered it. It believes that programs are well-formed and that they begin at `main`.

use crate::boolean::ast::{self, Block, StatementKind};
use crate::boolean::cfg::{
    Copy, Expression, Node, NodeId, Op, Origin, Procedure, ProcedureId, Program, Property, PropertyId,
    PropertyKind, Read, Scope, Target, Time, Variable, VariableId,
};
use crate::boolean::expression::{self, Binary};
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::Span;
use std::collections::HashMap;

pub(crate) fn lower(source: &ast::Program) -> Program {
    let program = Program {
        variables: IndexVec::new(),
        global_count: 0,
        procedures: IndexVec::new(),
        nodes: IndexVec::new(),
        properties: IndexVec::new(),
        entry: ProcedureId::new(0),
    };
    let mut lower = Lower {
        program,
        source,
        names: HashMap::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
        asserts: 0,
    };
    lower.run();
    lower.program
}

struct Lower<'a> {
    program: Program,
    source: &'a ast::Program,
    /// Variables in scope.
    names: HashMap<String, VariableId>,
    labels: HashMap<String, NodeId>,
    /// Jumps and starts to labels, to be filled in at the end of the procedure.
    jumps: Vec<(NodeId, Vec<String>)>,
    asserts: usize,
}

impl Lower<'_> {
    fn run(&mut self) {
        for (name, _) in self.source.globals.iter().flat_map(|declaration| &declaration.variables) {
            let scope = Scope::Global(self.program.global_count);
            self.variable(&name.text, scope);
            self.program.global_count += 1;
        }
        for (number, procedure) in self.source.procedures.iter().enumerate() {
            self.procedure(ProcedureId::new(number), procedure);
        }
        let main = self.procedure_named("main");
        self.program.entry = main;
        let initial: Vec<_> =
            self.source.globals.iter().flat_map(|declaration| &declaration.variables).collect();
        if initial.iter().any(|(_, value)| value.is_some()) {
            self.start(main, &initial);
        }
    }

    fn variable(&mut self, name: &str, scope: Scope) -> VariableId {
        let variable = Variable { name: name.into(), scope, span: Span::default(), passive: false };
        let id = self.program.variables.push(variable);
        self.names.insert(name.to_owned(), id);
        id
    }

    fn procedure_named(&self, name: &str) -> ProcedureId {
        let position = self.source.procedures.iter().position(|procedure| &*procedure.name.text == name);
        ProcedureId::new(position.expect("a known procedure"))
    }

    fn start(&mut self, main: ProcedureId, initial: &[&(ast::Name, Option<ast::Expression>)]) {
        let id = self.program.procedures.next_id();
        let entry = self.node(id);
        let blank = Procedure {
            name: "<start>".into(),
            locals: vec![],
            parameter_count: 0,
            returns: 0,
            enforce: None,
            entry,
            ..self.program.procedures[main].clone()
        };
        self.program.procedures.push(blank);
        let call = self.initialise(id, entry, initial);
        let last = self.node(id);
        let Procedure { parameter_count, returns, .. } = self.program.procedures[main];
        let arguments = vec![Expression::choice(); parameter_count];
        self.set(call, Op::Call { procedure: main, arguments, results: vec![None; returns] }, vec![last]);
        self.set(last, Op::Return(vec![]), vec![]);
        self.program.entry = id;
    }

    /// Assigns initial values from a node on; the node behind them.
    fn initialise(
        &mut self,
        id: ProcedureId,
        from: NodeId,
        initial: &[&(ast::Name, Option<ast::Expression>)],
    ) -> NodeId {
        let mut current = from;
        for (name, value) in initial {
            let Some(value) = value else { continue };
            let next = self.node(id);
            let targets = vec![self.target(&name.text)];
            let values = vec![self.expression(value)];
            self.set(current, Op::Assign { targets, values, constrain: None }, vec![next]);
            current = next;
        }
        current
    }

    fn procedure(&mut self, id: ProcedureId, source: &ast::Procedure) {
        let globals = self.names.clone();
        (self.labels, self.jumps, self.asserts) = (HashMap::new(), Vec::new(), 0);
        let declared: Vec<_> = source.locals.iter().flat_map(|declaration| &declaration.variables).collect();
        let names = source.parameters.iter().chain(declared.iter().map(|(name, _)| name));
        let locals = names
            .enumerate()
            .map(|(position, name)| self.variable(&name.text, Scope::Local(id, position)))
            .collect();
        let entry = self.node(id);
        let enforce: Vec<_> = source.enforce.iter().map(|enforce| self.expression(enforce)).collect();
        let procedure = Procedure {
            name: source.name.text.clone(),
            span: Span::default(),
            locals,
            parameter_count: source.parameters.len(),
            returns: source.returns,
            enforce: (!enforce.is_empty()).then(|| Expression::conjunction(enforce)),
            entry,
        };
        self.program.procedures.push(procedure);
        let begin = self.initialise(id, entry, &declared);
        let last = self.node(id);
        self.set(last, Op::Return(vec![Expression::choice(); source.returns]), vec![]);
        let first = self.block(id, &source.body, last);
        self.set(begin, Op::Skip, vec![first]);
        self.fill_jumps();
        self.names = globals;
    }

    fn fill_jumps(&mut self) {
        for (node, labels) in std::mem::take(&mut self.jumps) {
            let targets: Vec<_> = labels.iter().map(|label| self.labels[label]).collect();
            match &mut self.program.nodes[node].op {
                Op::StartLabel(label) => *label = targets[0],
                _ => self.program.nodes[node].successors = targets,
            }
        }
    }

    fn node(&mut self, procedure: ProcedureId) -> NodeId {
        self.program.nodes.push(Node {
            procedure,
            op: Op::Skip,
            successors: vec![],
            span: Span::default(),
            origin: Origin::Statement,
            forbidden: vec![],
            labels: vec![],
        })
    }

    fn set(&mut self, node: NodeId, op: Op, successors: Vec<NodeId>) {
        self.program.nodes[node].op = op;
        self.program.nodes[node].successors = successors;
    }

    fn block(&mut self, id: ProcedureId, block: &Block, next: NodeId) -> NodeId {
        let mut entries: Vec<_> = block.statements.iter().map(|_| self.node(id)).collect();
        entries.push(next);
        for (place, statement) in block.statements.iter().enumerate() {
            for label in &statement.labels {
                self.labels.insert(label.text.to_string(), entries[place]);
                if &*label.text == "SLIC_ERROR" {
                    let kind = PropertyKind::ErrorLabel("SLIC_ERROR".into());
                    let property = self.property(id, entries[place], "label.SLIC_ERROR", kind);
                    self.program.nodes[entries[place]].forbidden.push(property);
                }
            }
            self.statement(id, entries[place], &statement.kind, entries[place + 1]);
        }
        entries[0]
    }

    fn property(&mut self, id: ProcedureId, node: NodeId, name: &str, kind: PropertyKind) -> PropertyId {
        let name = format!("{}.{name}", self.program.procedures[id].name);
        self.program.properties.push(Property { name, node, kind, span: Span::default() })
    }

    fn statement(&mut self, id: ProcedureId, node: NodeId, kind: &StatementKind, next: NodeId) {
        let op = match kind {
            StatementKind::Skip | StatementKind::Print(_) => Op::Skip,
            StatementKind::Goto(labels) => return self.jumps.push((node, texts(labels))),
            StatementKind::If { branches, otherwise } => {
                return self.branches(id, node, branches, otherwise.as_ref(), next);
            }
            StatementKind::While { condition, body } => {
                let body = self.block(id, body, node);
                return self.test(id, node, condition, body, next);
            }
            StatementKind::Return(values) => {
                let values = self.expressions(values);
                return self.set(node, Op::Return(values), vec![]);
            }
            StatementKind::EndThread => return self.set(node, Op::EndThread, vec![]),
            StatementKind::Assign { targets, values, constrain } => Op::Assign {
                targets: targets.iter().map(|target| self.target(&target.text)).collect(),
                values: self.expressions(values),
                constrain: constrain.as_ref().map(|constrain| self.expression(constrain)),
            },
            StatementKind::Dead(names) => Op::Assign {
                targets: names.iter().map(|name| self.target(&name.text)).collect(),
                values: vec![Expression::choice(); names.len()],
                constrain: None,
            },
            StatementKind::Call { results, procedure, arguments } => self.call(results, procedure, arguments),
            StatementKind::Assume(condition) => Op::Assume(self.expression(condition)),
            StatementKind::AbortIf(condition) => Op::Assume(self.expression(condition).negate()),
            StatementKind::Assert(condition) => {
                self.asserts += 1;
                let name = format!("assert.{}", self.asserts);
                let property = self.property(id, node, &name, PropertyKind::Assertion);
                Op::Assert(self.expression(condition), property)
            }
            StatementKind::StartLabel(label) => {
                self.jumps.push((node, vec![label.text.to_string()]));
                Op::StartLabel(node)
            }
            StatementKind::StartThread { procedure, arguments } => Op::StartThread {
                procedure: self.procedure_named(&procedure.text),
                arguments: self.expressions(arguments),
            },
            StatementKind::AtomicBegin => Op::AtomicBegin,
            StatementKind::AtomicEnd => Op::AtomicEnd,
        };
        self.set(node, op, vec![next]);
    }

    fn call(
        &self,
        results: &[Option<ast::Name>],
        procedure: &ast::Name,
        arguments: &[ast::Expression],
    ) -> Op {
        let procedure = self.procedure_named(&procedure.text);
        let mut targets: Vec<_> =
            results.iter().map(|name| name.as_ref().map(|name| self.names[&*name.text])).collect();
        targets.resize(self.source.procedures[procedure.index()].returns, None);
        Op::Call { procedure, arguments: self.expressions(arguments), results: targets }
    }

    fn branches(
        &mut self,
        id: ProcedureId,
        node: NodeId,
        branches: &[(ast::Expression, Block)],
        otherwise: Option<&Block>,
        next: NodeId,
    ) {
        let Some(((condition, body), rest)) = branches.split_first() else {
            let target = otherwise.map_or(next, |block| self.block(id, block, next));
            return self.set(node, Op::Skip, vec![target]);
        };
        let taken = self.block(id, body, next);
        let not_taken = self.node(id);
        self.branches(id, not_taken, rest, otherwise, next);
        self.test(id, node, condition, taken, not_taken);
    }

    fn test(&mut self, id: ProcedureId, node: NodeId, condition: &ast::Expression, yes: NodeId, no: NodeId) {
        let condition = self.expression(condition);
        let (taken, not_taken) = (self.node(id), self.node(id));
        self.set(taken, Op::Assume(condition.clone()), vec![yes]);
        self.set(not_taken, Op::Assume(Expression::constant(true).binary(Binary::Xor, condition)), vec![no]);
        self.set(node, Op::Skip, vec![taken, not_taken]);
    }

    fn resolve(&self, text: &str) -> (VariableId, Copy) {
        match (self.names.get(text), text.strip_suffix('$')) {
            (Some(&variable), _) => (variable, Copy::Own),
            (None, Some(name)) => (self.names[name], Copy::Passive),
            (None, None) => panic!("unknown variable {text}"),
        }
    }

    fn target(&mut self, text: &str) -> Target {
        let (variable, copy) = self.resolve(text);
        Target { variable, copy }
    }

    fn expressions(&self, sources: &[ast::Expression]) -> Vec<Expression> {
        sources.iter().map(|source| self.expression(source)).collect()
    }

    fn expression(&self, source: &ast::Expression) -> Expression {
        source.body.substitute(|reference| {
            let (variable, copy) = self.resolve(&reference.name.text);
            let time = if reference.next { Time::Next } else { Time::Now };
            expression::Expression::variable(Read { variable, time, copy })
        })
    }
}

fn texts(names: &[ast::Name]) -> Vec<String> {
    names.iter().map(|name| name.text.to_string()).collect()
}
