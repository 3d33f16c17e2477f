//! Renumbering: a program without its unreachable nodes and procedures and its irrelevant variables.
//!
//! Transformations edit a program in place, in its own ids; only this one makes new ids, so there is one
//! map back whatever was done before. Every property stays: one whose node is gone gets a stand-in that
//! nothing leads to. Where the only successor of a node is gone (behind the call of a procedure that
//! never returns) it gets a dead end instead. While a program is edited, a dead end is a skip without
//! successors; here it becomes an assumption of `F` that leads to itself, as every node but those that
//! end a procedure leads somewhere.

use super::slice::{Relevant, retain};
use crate::boolean::cfg::{
    Expression, Node, NodeId, Op, Procedure, ProcedureId, Program, Property, PropertyId, PropertyKind, Read,
    Scope, Target, Variable, VariableId,
};
use crate::boolean::dataflow::reach::Reach;
use crate::ground::index::{Index, IndexVec};
use std::collections::HashMap;

/// Ids of a program made from another one, and what they were.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdMap<I> {
    original: IndexVec<I, I>,
    reduced: IndexVec<I, Option<I>>,
}

/// Nodes and what they were.
pub type NodeMap = IdMap<NodeId>;

impl<I: Index> IdMap<I> {
    /// The map that keeps the ids of which `keep` is true, in order.
    fn keeping(length: usize, keep: impl Fn(I) -> bool) -> Self {
        let mut map = Self { original: IndexVec::new(), reduced: IndexVec::filled(None, length) };
        for id in (0..length).map(I::new).filter(|&id| keep(id)) {
            map.reduced[id] = Some(map.original.push(id));
        }
        map
    }

    /// A further new id, which stands for an old one that is gone.
    fn stand_in(&mut self, original: I) -> I {
        self.original.push(original)
    }

    /// What an id of the new program was.
    #[must_use]
    pub fn original(&self, reduced: I) -> I {
        self.original[reduced]
    }

    /// What an id of the old program has become; `None` if it is gone.
    #[must_use]
    pub fn reduced(&self, original: I) -> Option<I> {
        self.reduced[original]
    }
}

/// A program made from another one, with the way back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// The new program. Its properties are those of the old one, in order.
    pub program: Program,
    /// Its nodes and what they were.
    pub nodes: NodeMap,
    /// Its variables and what they were.
    pub variables: IdMap<VariableId>,
    /// Its procedures and what they were.
    pub procedures: IdMap<ProcedureId>,
}

/// Renumbers what is left of a program.
pub(super) fn compact(program: &Program, relevant: &Relevant) -> Reduced {
    let reach = Reach::new(program);
    let nodes = IdMap::keeping(program.nodes.len(), |node| reach.nodes.contains(node));
    let procedures = IdMap::keeping(program.procedures.len(), |id| reach.procedures.contains(id));
    let variables = IdMap::keeping(program.variables.len(), |id: VariableId| {
        relevant.variables.contains(id)
            && match program.variables[id].scope {
                Scope::Global(_) => true,
                Scope::Local(procedure, _) => reach.procedures.contains(procedure),
            }
    });
    Compaction { old: program, relevant, nodes, procedures, variables }.build()
}

struct Compaction<'a> {
    old: &'a Program,
    relevant: &'a Relevant,
    nodes: NodeMap,
    procedures: IdMap<ProcedureId>,
    variables: IdMap<VariableId>,
}

impl Compaction<'_> {
    fn build(mut self) -> Reduced {
        let mut nodes = self.build_nodes();
        close_dead_ends(&mut nodes.nodes);
        let procedures = self.procedures.original.iter().map(|&id| self.procedure(id)).collect();
        let variables = self.build_variables();
        let global_count = self.variables.original.iter().filter(|&&id| self.old.is_global(id)).count();
        let properties = self.old.properties.enumerate().map(|(id, property)| {
            let stand_in = nodes.stand_ins.get(&id).copied();
            let node =
                stand_in.or(self.nodes.reduced[property.node]).expect("a property has a node or a stand-in");
            Property { node, ..property.clone() }
        });
        let program = Program {
            variables,
            global_count,
            procedures,
            properties: properties.collect(),
            nodes: nodes.nodes,
            entry: self.procedure_id(self.old.entry),
        };
        debug_assert_eq!(program.check_well_formed(), Ok(()));
        Reduced { program, nodes: self.nodes, variables: self.variables, procedures: self.procedures }
    }

    /// The new nodes in the old order, procedure by procedure, stand-ins behind the others of theirs.
    fn build_nodes(&mut self) -> Built {
        let old = self.old;
        let kept = std::mem::replace(&mut self.nodes, IdMap::keeping(old.nodes.len(), |_| false));
        let is_kept = |id: PropertyId, node: NodeId| kept.reduced[node].is_some() && self.carries(node, id);
        let gone: Vec<PropertyId> =
            old.properties.enumerate().filter(|(id, p)| !is_kept(*id, p.node)).map(|(id, _)| id).collect();
        let mut built = Built { nodes: IndexVec::new(), stand_ins: HashMap::new() };
        let mut by_procedure: IndexVec<ProcedureId, Vec<NodeId>> =
            IndexVec::filled(vec![], old.procedures.len());
        for &node in kept.original.iter() {
            by_procedure[old.nodes[node].procedure].push(node);
        }
        let procedures = self.procedures.original.clone();
        for &procedure in procedures.iter() {
            // All ids first: edges lead forwards as well as backwards.
            let members = &by_procedure[procedure];
            for &member in members {
                self.nodes.reduced[member] = Some(self.nodes.original.push(member));
            }
            let mut dead_ends = Vec::new();
            for &member in members {
                let node = self.node(member, self.nodes.original.len(), &mut dead_ends);
                built.nodes.push(node);
                dead_ends.drain(..).for_each(|gone| {
                    self.nodes.stand_in(gone);
                });
            }
            while built.nodes.len() < self.nodes.original.len() {
                let gone = self.nodes.original[built.nodes.next_id()];
                built
                    .nodes
                    .push(Node { procedure: self.procedure_id(procedure), ..stripped(&old.nodes[gone]) });
            }
            if procedure == old.entry {
                gone.iter().for_each(|&property| self.property_stand_in(property, &mut built));
            }
        }
        built
    }

    /// Whether a node still is what a property is about.
    fn carries(&self, node: NodeId, property: PropertyId) -> bool {
        let node = &self.old.nodes[node];
        matches!(node.op, Op::Assert(_, own) if own == property) || node.forbidden.contains(&property)
    }

    fn property_stand_in(&mut self, id: PropertyId, built: &mut Built) {
        let property = &self.old.properties[id];
        let procedure = self.procedure_id(self.old.entry);
        let node = self.nodes.stand_in(property.node);
        let gone = stripped(&self.old.nodes[property.node]);
        built.nodes.push(match property.kind {
            PropertyKind::Assertion => {
                let op = Op::Assert(Expression::constant(true), id);
                Node { procedure, op, successors: vec![node], ..gone }
            }
            PropertyKind::ErrorLabel(_) => Node { procedure, forbidden: vec![id], ..gone },
        });
        built.stand_ins.insert(id, node);
    }

    /// A node in new ids. Where a successor is gone that it must have, a dead end comes at `next`.
    fn node(&self, id: NodeId, next: usize, dead_ends: &mut Vec<NodeId>) -> Node {
        let node = &self.old.nodes[id];
        let mut successors: Vec<NodeId> =
            node.successors.iter().filter_map(|&s| self.nodes.reduced[s]).collect();
        if let Some(&gone) = node.successors.first()
            && successors.is_empty()
            && !matches!(node.op, Op::Skip)
        {
            successors.push(NodeId::new(next + dead_ends.len()));
            dead_ends.push(gone);
        }
        Node {
            procedure: self.procedure_id(node.procedure),
            op: self.op(node.procedure, &node.op),
            successors,
            ..node.clone()
        }
    }

    fn op(&self, procedure: ProcedureId, op: &Op) -> Op {
        let expressions = |list: &[Expression]| list.iter().map(|e| self.expression(e)).collect::<Vec<_>>();
        match op {
            Op::Assume(condition) => Op::Assume(self.expression(condition)),
            Op::Assert(condition, property) => Op::Assert(self.expression(condition), *property),
            Op::Assign { targets, values, constrain } => Op::Assign {
                targets: targets.iter().map(|target| self.target(*target)).collect(),
                values: expressions(values),
                constrain: constrain.as_ref().map(|constraint| self.expression(constraint)),
            },
            Op::Call { procedure, arguments, results } => {
                let mut results: Vec<_> =
                    results.iter().map(|result| result.map(|v| self.variable_id(v))).collect();
                retain(&mut results, &self.relevant.returns[*procedure]);
                Op::Call {
                    procedure: self.procedure_id(*procedure),
                    arguments: self.arguments(*procedure, arguments),
                    results,
                }
            }
            Op::StartThread { procedure, arguments } => Op::StartThread {
                procedure: self.procedure_id(*procedure),
                arguments: self.arguments(*procedure, arguments),
            },
            Op::StartLabel(label) => {
                Op::StartLabel(self.nodes.reduced[*label].expect("a started label is reached"))
            }
            Op::Return(values) => {
                let mut values = values.clone();
                retain(&mut values, &self.relevant.returns[procedure]);
                Op::Return(expressions(&values))
            }
            Op::Skip | Op::EndThread | Op::AtomicBegin | Op::AtomicEnd => op.clone(),
        }
    }

    fn arguments(&self, procedure: ProcedureId, arguments: &[Expression]) -> Vec<Expression> {
        let parameters = self.old.procedures[procedure].parameters().iter();
        let kept =
            parameters.zip(arguments).filter(|(parameter, _)| self.variables.reduced[**parameter].is_some());
        kept.map(|(_, argument)| self.expression(argument)).collect()
    }

    fn expression(&self, expression: &Expression) -> Expression {
        let mapped: Result<_, std::convert::Infallible> =
            expression.try_map(|read| Ok(Read { variable: self.variable_id(read.variable), ..*read }));
        match mapped {
            Ok(expression) => expression,
        }
    }

    fn target(&self, target: Target) -> Target {
        Target { variable: self.variable_id(target.variable), ..target }
    }

    fn variable_id(&self, variable: VariableId) -> VariableId {
        self.variables.reduced[variable].expect("what is read or written is kept")
    }

    fn procedure_id(&self, procedure: ProcedureId) -> ProcedureId {
        self.procedures.reduced[procedure].expect("a reachable node is in a kept procedure")
    }

    /// The kept variables: globals first, and every local told its position.
    fn build_variables(&self) -> IndexVec<VariableId, Variable> {
        let kept = |&(id, _): &(VariableId, &Variable)| self.variables.reduced[id].is_some();
        let mut variables: IndexVec<VariableId, Variable> =
            self.old.variables.enumerate().filter(kept).map(|(_, variable)| variable.clone()).collect();
        for &global in self.variables.original.iter().filter(|&&id| self.old.is_global(id)) {
            let id = self.variable_id(global);
            variables[id].scope = Scope::Global(id.index());
        }
        for &procedure in self.procedures.original.iter() {
            let locals = self.old.procedures[procedure].locals.iter();
            for (position, id) in locals.filter_map(|&id| self.variables.reduced[id]).enumerate() {
                variables[id].scope = Scope::Local(self.procedure_id(procedure), position);
            }
        }
        variables
    }

    fn procedure(&self, id: ProcedureId) -> Procedure {
        let procedure = &self.old.procedures[id];
        let kept =
            |ids: &[VariableId]| ids.iter().filter_map(|&id| self.variables.reduced[id]).collect::<Vec<_>>();
        Procedure {
            locals: kept(&procedure.locals),
            parameter_count: kept(procedure.parameters()).len(),
            returns: self.relevant.returns[id].iter().filter(|&&used| used).count(),
            enforce: procedure.enforce.as_ref().map(|enforce| self.expression(enforce)),
            entry: self.nodes.reduced[procedure.entry].expect("a reached procedure is entered"),
            ..procedure.clone()
        }
    }
}

struct Built {
    nodes: IndexVec<NodeId, Node>,
    stand_ins: HashMap<PropertyId, NodeId>,
}

fn close_dead_ends(nodes: &mut IndexVec<NodeId, Node>) {
    for id in nodes.ids() {
        let node = &mut nodes[id];
        if matches!(node.op, Op::Skip) && node.successors.is_empty() {
            node.op = Op::Assume(Expression::constant(false));
            node.successors.push(id);
        }
    }
}

/// A node that does nothing and leads nowhere, from the same place.
fn stripped(node: &Node) -> Node {
    Node { op: Op::Skip, successors: Vec::new(), forbidden: Vec::new(), ..node.clone() }
}
