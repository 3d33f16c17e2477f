//! The static order of BDD variables [Bas10, 10.2]: dependent variables stand side by side.
//!
//! Variables that occur in one statement depend on each other. The order is found by FORCE ([`force`]). It
//! starts from the order of declaration, which people and generators choose with some care.
//!
//! Every program variable is given its levels next to each other, in the order entry, argument, current,
//! next, passive: then the renamings of the engine (entry to current, current to next and back) keep the
//! order, which makes them cheap.

use crate::bdd::Level;
use crate::bdd::order::force;
use crate::boolean::cfg::{Expression, NodeId, Op, ProcedureId, Program, VariableId};
use crate::ground::index::{Index, IndexVec};

/// What is ordered: program variables, then the returned values of all procedures.
struct Items {
    variables: usize,
    /// Where the returned values of each procedure begin.
    returns: IndexVec<ProcedureId, usize>,
    count: usize,
}

impl Items {
    fn new(program: &Program) -> Self {
        let variables = program.variables.len();
        let mut count = variables;
        let returns = program
            .procedures
            .iter()
            .map(|procedure| {
                let first = count;
                count += procedure.returns;
                first
            })
            .collect();
        Self { variables, returns, count }
    }

    /// The returned value that an item is: of the last procedure whose values do not begin after it.
    fn returned(&self, item: usize) -> (ProcedureId, usize) {
        let (mut low, mut high) = (0, self.returns.len());
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            if self.returns[ProcedureId::new(middle)] <= item { low = middle } else { high = middle }
        }
        (ProcedureId::new(low), item - self.returns[ProcedureId::new(low)])
    }
}

/// The levels of one program variable. Not every variable needs every role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roles {
    /// Its value when the procedure was entered.
    pub entry: Level,
    /// As a parameter: the value passed by a caller.
    pub argument: Option<Level>,
    /// Its value now.
    pub current: Level,
    /// Its value after the step.
    pub next: Level,
    /// A passive thread's copy, before and after the step.
    pub passive: Option<(Level, Level)>,
}

/// The levels of everything.
pub struct Levels {
    /// By program variable.
    pub variables: IndexVec<VariableId, Roles>,
    /// By procedure: its returned values.
    pub returns: IndexVec<ProcedureId, Vec<Level>>,
    /// What each level means.
    pub meanings: IndexVec<Level, Meaning>,
}

/// What a level means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The value of a variable at the entry of its procedure.
    Entry(VariableId),
    /// The value passed for a parameter.
    Argument(VariableId),
    /// The value of a variable now.
    Current(VariableId),
    /// The value of a variable after the step.
    Next(VariableId),
    /// A passive copy, before or after the step.
    Passive(VariableId),
    /// A returned value of a procedure.
    Returned(ProcedureId, usize),
}

impl Levels {
    /// Orders the variables of a program.
    pub fn new(program: &Program) -> Self {
        let items = Items::new(program);
        let order = force(items.count, &hyperedges(program, &items));
        let is_parameter = parameters(program);
        let mut meanings = IndexVec::new();
        let mut roles: Vec<Option<Roles>> = vec![None; items.variables];
        let mut returned: Vec<Option<Level>> = vec![None; items.count - items.variables];
        for item in order {
            if item >= items.variables {
                let (procedure, number) = items.returned(item);
                returned[item - items.variables] = Some(meanings.push(Meaning::Returned(procedure, number)));
                continue;
            }
            let variable = VariableId::new(item);
            let passive = program.variables[variable].passive;
            roles[item] = Some(Roles {
                entry: meanings.push(Meaning::Entry(variable)),
                argument: is_parameter[item].then(|| meanings.push(Meaning::Argument(variable))),
                current: meanings.push(Meaning::Current(variable)),
                next: meanings.push(Meaning::Next(variable)),
                passive: passive.then(|| {
                    (meanings.push(Meaning::Passive(variable)), meanings.push(Meaning::Passive(variable)))
                }),
            });
        }
        let returns = program.procedures.enumerate().map(|(id, procedure)| {
            let first = items.returns[id] - items.variables;
            returned[first..first + procedure.returns].iter().map(|level| level.expect("ordered")).collect()
        });
        let returns = returns.collect();
        let variables = roles.into_iter().map(|roles| roles.expect("every variable is ordered")).collect();
        Self { variables, returns, meanings }
    }
}

fn parameters(program: &Program) -> Vec<bool> {
    let mut is_parameter = vec![false; program.variables.len()];
    for procedure in program.procedures.iter() {
        for parameter in procedure.parameters() {
            is_parameter[parameter.index()] = true;
        }
    }
    is_parameter
}

/// One hyperedge per set of items that a statement relates.
fn hyperedges(program: &Program, items: &Items) -> Vec<Vec<usize>> {
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for (node, _) in program.nodes.enumerate() {
        relate(program, items, node, &mut edges);
    }
    edges.extend(program.procedures.iter().filter_map(|procedure| procedure.enforce.as_ref()).map(occurring));
    for edge in &mut edges {
        edge.sort_unstable();
        edge.dedup();
    }
    edges.retain(|edge| edge.len() > 1);
    edges
}

fn occurring(expression: &Expression) -> Vec<usize> {
    expression.variables().map(|read| read.variable.index()).collect()
}

fn relate(program: &Program, items: &Items, node: NodeId, edges: &mut Vec<Vec<usize>>) {
    let with = |expression: &Expression, item: usize| {
        let mut edge = occurring(expression);
        edge.push(item);
        edge
    };
    let node = &program.nodes[node];
    match &node.op {
        Op::Assume(condition) | Op::Assert(condition, _) => edges.push(occurring(condition)),
        Op::Assign { targets, values, constrain } => {
            let pairs = targets.iter().zip(values);
            edges.extend(pairs.map(|(target, value)| with(value, target.variable.index())));
            edges.extend(constrain.as_ref().map(occurring));
        }
        Op::Call { procedure, arguments, results } => {
            let formals = program.procedures[*procedure].parameters();
            edges.extend(formals.iter().zip(arguments).map(|(formal, value)| with(value, formal.index())));
            let targets =
                results.iter().enumerate().filter_map(|(number, target)| Some((number, (*target)?)));
            edges.extend(
                targets.map(|(number, target)| vec![items.returns[*procedure] + number, target.index()]),
            );
        }
        Op::Return(values) => {
            let first = items.returns[node.procedure];
            edges.extend(values.iter().enumerate().map(|(number, value)| with(value, first + number)));
        }
        Op::Skip
        | Op::StartLabel(_)
        | Op::StartThread { .. }
        | Op::EndThread
        | Op::AtomicBegin
        | Op::AtomicEnd => {}
    }
}
