//! Small programs built by hand, for the tests of this module and of `reduce`.

use crate::boolean::cfg::{
    Copy, Expression, Node, NodeId, Op, Origin, Procedure, ProcedureId, Program, Property, PropertyId,
    PropertyKind, Read, Scope, Target, Variable, VariableId,
};
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::Span;

/// Builds a program procedure by procedure; the first is the entry.
pub(crate) struct Builder {
    program: Program,
}

pub(crate) fn variable(number: usize) -> VariableId {
    VariableId::new(number)
}

pub(crate) fn procedure(number: usize) -> ProcedureId {
    ProcedureId::new(number)
}

pub(crate) fn node(number: usize) -> NodeId {
    NodeId::new(number)
}

pub(crate) fn read(number: usize) -> Expression {
    Expression::variable(Read::now(variable(number)))
}

pub(crate) fn assign(target: usize, value: Expression) -> Op {
    let targets = vec![Target { variable: variable(target), copy: Copy::Own }];
    Op::Assign { targets, values: vec![value], constrain: None }
}

pub(crate) fn call(callee: usize) -> Op {
    Op::Call { procedure: procedure(callee), arguments: vec![], results: vec![] }
}

impl Builder {
    pub(crate) fn new(globals: usize) -> Self {
        let variables = (0..globals).map(|number| declare(format!("g{number}"), Scope::Global(number)));
        let program = Program {
            variables: variables.collect(),
            global_count: globals,
            procedures: IndexVec::new(),
            nodes: IndexVec::new(),
            properties: IndexVec::new(),
            entry: procedure(0),
        };
        Self { program }
    }

    /// A procedure without results; operations fall through to the next one unless successors are given,
    /// counted from the procedure's first node.
    pub(crate) fn procedure(
        &mut self,
        parameters: usize,
        locals: usize,
        body: Vec<(Op, Option<Vec<usize>>)>,
    ) -> &mut Self {
        let id = self.program.procedures.next_id();
        let frame = (0..parameters + locals).map(|position| {
            self.program.variables.push(declare(format!("x{position}"), Scope::Local(id, position)))
        });
        let locals = frame.collect();
        let first = self.program.nodes.len();
        self.program.procedures.push(Procedure {
            name: format!("p{}", id.index()).into(),
            span: Span::default(),
            locals,
            parameter_count: parameters,
            returns: 0,
            enforce: None,
            entry: node(first),
        });
        for (position, (op, jumps)) in body.into_iter().enumerate() {
            let ends = matches!(op, Op::Return(_) | Op::EndThread);
            let default = if ends { vec![] } else { vec![position + 1] };
            let successors = jumps.unwrap_or(default).into_iter().map(|to| node(first + to)).collect();
            self.node(id, op, successors);
        }
        self
    }

    /// Like [`procedure`](Self::procedure), one operation after the other, with a return at the end.
    pub(crate) fn line(&mut self, parameters: usize, locals: usize, body: Vec<Op>) -> &mut Self {
        let body = body.into_iter().chain([Op::Return(vec![])]).map(|op| (op, None)).collect();
        self.procedure(parameters, locals, body)
    }

    fn node(&mut self, procedure: ProcedureId, op: Op, successors: Vec<NodeId>) {
        let id = self.program.nodes.next_id();
        if let Op::Assert(_, property) = op {
            assert_eq!(property, self.program.properties.next_id());
            let name = format!("assert.{}", property.index());
            let kind = PropertyKind::Assertion;
            self.program.properties.push(Property { name, node: id, kind, span: Span::default() });
        }
        let (span, origin) = (Span::default(), Origin::Statement);
        self.program.nodes.push(Node {
            procedure,
            op,
            successors,
            span,
            origin,
            forbidden: vec![],
            labels: vec![],
        });
    }

    pub(crate) fn assertion(number: usize, condition: Expression) -> Op {
        Op::Assert(condition, PropertyId::new(number))
    }

    /// Makes a node an error label.
    pub(crate) fn error_label(&mut self, number: usize) -> &mut Self {
        let kind = PropertyKind::ErrorLabel("ERROR".into());
        let name = format!("label.{number}");
        let property = Property { name, node: node(number), kind, span: Span::default() };
        let property = self.program.properties.push(property);
        self.program.nodes[node(number)].forbidden.push(property);
        self
    }

    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Program)) -> &mut Self {
        change(&mut self.program);
        self
    }

    pub(crate) fn build(&self) -> Program {
        self.program.clone()
    }
}

fn declare(name: String, scope: Scope) -> Variable {
    Variable { name: name.into(), scope, span: Span::default(), passive: false }
}
