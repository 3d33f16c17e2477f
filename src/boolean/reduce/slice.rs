//! Slicing: what the checked properties do not depend on is cut away \[Wei84\].
//!
//! Two independent cuts. *Nodes* at and behind which no checked property can be violated
//! ([`reach::useful`]) become dead ends. *Variables* that decide nothing lose their assignments. An
//! assumption, a constraint, an assertion or what is enforced decides whether a run goes on, so its variables
//! decide; a variable decides, too, if its value flows into one that does: through an assignment, an
//! argument or a returned value. An own target whose value reads `v$` can block the step, as it must
//! suit all copies: it decides, and so does all it reads. Locals with `$` always do.
//!
//! An assertion that is not checked still ends the runs that fail it: it becomes an assumption.

use super::constants::dead_end;
use super::stars::reads_passive;
use crate::boolean::cfg::{
    Copy, Expression, NodeId, Op, ProcedureId, Program, PropertyId, Target, VariableId,
};
use crate::boolean::dataflow::calls::CallGraph;
use crate::boolean::dataflow::reach::{self, Reach};
use crate::boolean::dataflow::{NodeSet, VariableSet};
use crate::ground::index::{Index, IndexVec};

/// Forgets the properties that are not checked.
pub(super) fn uncheck(program: &mut Program, checked: &[PropertyId]) {
    let mut is_checked = IndexVec::filled(false, program.properties.len());
    for &property in checked {
        is_checked[property] = true;
    }
    for node in program.nodes.iter_mut() {
        node.forbidden.retain(|&property| is_checked[property]);
        match &node.op {
            Op::Assert(condition, property) if !is_checked[*property] => {
                node.op = Op::Assume(condition.clone())
            }
            _ => {}
        }
    }
}

/// Makes the nodes that do not matter dead ends.
pub(super) fn cut_nodes(program: &mut Program, checked: &[PropertyId]) {
    let calls = CallGraph::new(program);
    let reach = Reach::new(program);
    let useful = reach::useful(program, &calls, &reach, checked);
    for node in program.nodes.ids() {
        if !useful.contains(node) {
            dead_end(program, node);
            program.nodes[node].forbidden.clear();
        }
    }
}

/// What is left of the data of a program.
#[derive(Clone, Debug)]
pub(super) struct Relevant {
    /// The variables that decide something.
    pub(super) variables: VariableSet,
    /// For each procedure, which of its returned values are used by some call.
    pub(super) returns: IndexVec<ProcedureId, Vec<bool>>,
}

impl Relevant {
    /// Everything.
    pub(super) fn all(program: &Program) -> Self {
        let returns = program.procedures.iter().map(|procedure| vec![true; procedure.returns]).collect();
        Self { variables: VariableSet::full(program.variables.len()), returns }
    }
}

/// Takes the targets out that decide nothing. What remains of them, as parameters and returned values, goes
/// when the program is renumbered.
pub(super) fn cut_variables(program: &mut Program) -> Relevant {
    let relevant = Dependence::new(program, &Reach::new(program).nodes).relevant();
    for node in program.nodes.iter_mut() {
        match &mut node.op {
            Op::Assign { targets, values, constrain } => {
                let keep: Vec<bool> =
                    targets.iter().map(|t| relevant.variables.contains(t.variable)).collect();
                retain(targets, &keep);
                retain(values, &keep);
                if targets.is_empty() && constrain.is_none() {
                    node.op = Op::Skip;
                }
            }
            Op::Call { results, .. } => {
                for result in results {
                    *result = result.filter(|variable| relevant.variables.contains(*variable));
                }
            }
            _ => {}
        }
    }
    relevant
}

/// Keeps the items whose flag is set.
pub(super) fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    items.retain(|_| flags.next().copied().unwrap_or(true));
}

/// Which value flows where. Things are the variables, then the returned values of the procedures.
struct Dependence<'a> {
    program: &'a Program,
    first_return: IndexVec<ProcedureId, usize>,
    /// For each thing, those whose values flow into it.
    sources: Vec<Vec<usize>>,
    relevant: Vec<bool>,
    work: Vec<usize>,
}

impl<'a> Dependence<'a> {
    fn new(program: &'a Program, reachable: &NodeSet) -> Self {
        let mut next = program.variables.len();
        let first_return = program.procedures.iter().map(|procedure| {
            let first = next;
            next += procedure.returns;
            first
        });
        let first_return = first_return.collect();
        let mut dependence = Self {
            program,
            first_return,
            sources: vec![Vec::new(); next],
            relevant: vec![false; next],
            work: vec![],
        };
        for (variable, declared) in program.variables.enumerate() {
            if declared.passive {
                dependence.decides(variable.index());
            }
        }
        for node in reachable.iter() {
            dependence.node(node);
        }
        dependence
    }

    fn decides(&mut self, thing: usize) {
        if !std::mem::replace(&mut self.relevant[thing], true) {
            self.work.push(thing);
        }
    }

    fn all_decide(&mut self, expression: &Expression) {
        for read in expression.variables() {
            self.decides(read.variable.index());
        }
    }

    fn flows(&mut self, value: &Expression, into: usize) {
        self.sources[into].extend(value.variables().map(|read| read.variable.index()));
    }

    fn node(&mut self, id: NodeId) {
        let program = self.program;
        let node = &program.nodes[id];
        if let Some(enforce) = &program.procedures[node.procedure].enforce {
            self.all_decide(enforce);
        }
        match &node.op {
            Op::Assume(condition) | Op::Assert(condition, _) => self.all_decide(condition),
            Op::Assign { targets, values, constrain } => self.assignment(targets, values, constrain.as_ref()),
            Op::Call { procedure, arguments, results } => {
                self.arguments(*procedure, arguments);
                let first = self.first_return[*procedure];
                for (position, result) in results.iter().enumerate() {
                    if let Some(variable) = result {
                        self.sources[variable.index()].push(first + position);
                    }
                }
            }
            Op::StartThread { procedure, arguments } => self.arguments(*procedure, arguments),
            Op::Return(values) => {
                let first = self.first_return[node.procedure];
                for (position, value) in values.iter().enumerate() {
                    self.flows(value, first + position);
                }
            }
            Op::Skip | Op::StartLabel(_) | Op::EndThread | Op::AtomicBegin | Op::AtomicEnd => {}
        }
    }

    fn arguments(&mut self, procedure: ProcedureId, arguments: &[Expression]) {
        let program = self.program;
        for (parameter, argument) in program.procedures[procedure].parameters().iter().zip(arguments) {
            self.flows(argument, parameter.index());
        }
    }

    fn assignment(&mut self, targets: &[Target], values: &[Expression], constrain: Option<&Expression>) {
        constrain.into_iter().for_each(|constraint| self.all_decide(constraint));
        for (target, value) in targets.iter().zip(values) {
            self.flows(value, target.variable.index());
            if target.copy == Copy::Own && reads_passive(value) {
                self.decides(target.variable.index());
            }
        }
    }

    fn relevant(mut self) -> Relevant {
        while let Some(thing) = self.work.pop() {
            for source in std::mem::take(&mut self.sources[thing]) {
                self.decides(source);
            }
        }
        let variables = self.program.variables.ids().filter(|variable| self.relevant[variable.index()]);
        let returns = self.program.procedures.enumerate().map(|(id, procedure)| {
            let first = self.first_return[id];
            self.relevant[first..first + procedure.returns].to_vec()
        });
        Relevant {
            variables: VariableSet::of(self.program.variables.len(), variables.collect::<Vec<VariableId>>()),
            returns: returns.collect(),
        }
    }
}
