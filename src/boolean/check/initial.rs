//! Initial values of local variables, where other threads could tell when they are given.
//!
//! A local variable gets its initial value when its procedure is entered: no thread moves between the call, or the start
//! of the thread, and that. [`lower`](super::lower) makes assignments of initial values, at the entry. Without threads
//! nobody looks in between, and the assignments stay. With threads, local variables that have initial values become
//! parameters here, and their values become arguments wherever the procedure is called or started:
//!
//! ```text
//! void f(p) begin decl l := p & g; …  end        f(e);              is
//! void f(p, l) begin …  end                      f(e, e & g);
//! ```
//!
//! Every `*` is a fresh choice, so an argument with choices must not be written twice. Where an initial value reads it, its
//! choices are drawn before, into variables of the caller that nothing else uses: `c := *; f(c, c & g);`. To draw them
//! is a step of its own, but one that no other thread can tell.
//!
//! Engines, reductions and replay see ordinary calls: nothing else knows of this.

use super::super::cfg::{
    Copy, Expression, Node, NodeId, Op, Origin, ProcedureId, Read, Scope, Target, Variable, VariableId,
};
use super::super::expression::{Binary, Item};
use super::entry::Entry;
use super::{Checker, InitialThreads};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The longest argument that initial values may become, in operands and operators: an initial value that reads another one
/// twice doubles its length.
const LONGEST: usize = 100_000;

/// How a procedure is entered whose local variables have initial values.
pub(super) struct Entering {
    /// The parameters: first those of the source.
    parameters: Vec<VariableId>,
    /// The initial values of the others; without one they are arbitrary.
    values: Vec<Option<Expression>>,
    /// What initial values read.
    read: BTreeSet<VariableId>,
}

/// The variables of a caller that choices are drawn into.
pub(super) struct Draw {
    procedure: ProcedureId,
    /// The variables of the frame; those that are made here come last.
    pub frame: Vec<VariableId>,
    /// Those that were made here.
    made: Vec<VariableId>,
    /// How many of them are in use.
    used: usize,
}

impl Draw {
    /// Nothing is drawn yet in a frame with these variables.
    pub(super) fn new(procedure: ProcedureId, frame: Vec<VariableId>) -> Self {
        Self { procedure, frame, made: Vec::new(), used: 0 }
    }

    /// The next variable that is not in use.
    fn next(&mut self, variables: &mut IndexVec<VariableId, Variable>) -> VariableId {
        if self.used == self.made.len() {
            let scope = Scope::Local(self.procedure, self.frame.len());
            let name = format!("<choice {}>", self.made.len() + 1).into();
            let made = variables.push(Variable { name, scope, span: Span::default(), passive: false });
            self.frame.push(made);
            self.made.push(made);
        }
        self.used += 1;
        self.made[self.used - 1]
    }

    /// An expression whose choices are drawn before.
    fn drawn(
        &mut self,
        expression: &Expression,
        variables: &mut IndexVec<VariableId, Variable>,
    ) -> Expression {
        let mut items = Vec::with_capacity(expression.items().len());
        for item in expression.items() {
            match item {
                Item::Choice => items.push(Item::Variable(Read::now(self.next(variables)))),
                // schoose[p, n] is p | (!n & c).
                Item::Schoose => items.extend([
                    Item::Not,
                    Item::Variable(Read::now(self.next(variables))),
                    Item::Binary(Binary::And),
                    Item::Binary(Binary::Or),
                ]),
                other => items.push(other.clone()),
            }
        }
        Expression::from_postfix(items).expect("one expression in place of another")
    }

    /// Draws what is in use, if anything is; it may be used again afterwards.
    pub(super) fn take(&mut self) -> Option<Op> {
        let used = std::mem::take(&mut self.used);
        let targets: Vec<_> = self.made[..used].iter().map(|&variable| own(variable)).collect();
        let values = vec![Expression::choice(); used];
        (used > 0).then_some(Op::Assign { targets, values, constrain: None })
    }

    /// Draws what is in use, if anything is, and assigns these values to further variables: both as steps, and the variables.
    pub(super) fn keep(
        &mut self,
        values: Vec<Expression>,
        variables: &mut IndexVec<VariableId, Variable>,
    ) -> (Vec<Op>, Vec<Expression>) {
        let drawn = self.used;
        let kept: Vec<VariableId> = values.iter().map(|_| self.next(variables)).collect();
        self.used = drawn;
        let targets = kept.iter().map(|&variable| own(variable)).collect();
        let reads = kept.into_iter().map(|variable| Expression::variable(Read::now(variable))).collect();
        let evaluation = Op::Assign { targets, values, constrain: None };
        (self.take().into_iter().chain([evaluation]).collect(), reads)
    }
}

impl Entering {
    /// How many parameters the source does not have.
    pub(super) fn additional(&self) -> usize {
        self.values.len()
    }
}

fn own(variable: VariableId) -> Target {
    Target { variable, copy: Copy::Own }
}

/// Makes initial values of local variables part of the entry where other threads could tell.
pub(super) fn enter_at_once(checker: &mut Checker<'_>, entry: &Entry) {
    let mut removed = BTreeSet::new();
    for procedure in observed(checker, entry) {
        let initial = initial_nodes(checker, procedure);
        removed.extend(initial.iter().map(|&(node, ..)| node));
        let entering = entering(checker, procedure, &initial);
        checker.entering.insert(procedure, entering);
    }
    if !removed.is_empty() {
        let draws = bind_calls(checker);
        renumber(checker, &removed, draws);
    }
}

/// The procedures with initial values that are entered while there may be other threads. At the start of the program
/// there are none.
fn observed(checker: &Checker<'_>, entry: &Entry) -> BTreeSet<ProcedureId> {
    let several = checker.options.initial_threads != InitialThreads::ONE || entry.concurrent.len() > 1;
    if !several && !checker.nodes.iter().any(|node| node.op.starts_thread()) {
        return BTreeSet::new();
    }
    let used = checker.nodes.iter().filter_map(|node| match &node.op {
        Op::Call { procedure, .. } | Op::StartThread { procedure, .. } => Some(*procedure),
        _ => None,
    });
    let first = entry.concurrent.iter().copied().filter(|_| several);
    used.chain(first).filter(|&procedure| !initial_nodes(checker, procedure).is_empty()).collect()
}

/// The assignments of initial values at the entry of a procedure.
fn initial_nodes(checker: &Checker<'_>, procedure: ProcedureId) -> Vec<(NodeId, VariableId, Expression)> {
    let mut found = Vec::new();
    let mut next = checker.procedures[procedure.index()].entry;
    while let Node { origin: Origin::Initial, op: Op::Assign { targets, values, .. }, .. } =
        &checker.nodes[next]
    {
        found.push((next, targets[0].variable, values[0].clone()));
        next = checker.nodes[next].successors[0];
    }
    found
}

/// Makes parameters of the variables that have initial values, and of those that initial values read.
fn entering(
    checker: &mut Checker<'_>,
    procedure: ProcedureId,
    initial: &[(NodeId, VariableId, Expression)],
) -> Entering {
    let values: HashMap<VariableId, &Expression> =
        initial.iter().map(|(_, variable, value)| (*variable, value)).collect();
    let read: BTreeSet<VariableId> =
        values.values().flat_map(|value| value.variables()).map(|read| read.variable).collect();
    let changed = &mut checker.procedures[procedure.index()];
    let (parameters, locals) = changed.locals.split_at(changed.parameter_count);
    let given = |variable: &VariableId| values.contains_key(variable) || read.contains(variable);
    let (more, rest): (Vec<_>, Vec<_>) = locals.iter().copied().partition(given);
    let values = more.iter().map(|variable| values.get(variable).map(|&value| value.clone())).collect();
    let parameters = [parameters, &more].concat();
    changed.parameter_count = parameters.len();
    changed.locals = [&parameters[..], &rest].concat();
    for (position, &variable) in changed.locals.iter().enumerate() {
        checker.names.variables[variable].scope = Scope::Local(procedure, position);
    }
    Entering { parameters, values, read }
}

/// Adds initial values to the arguments of a call or start; what has to be drawn for them is in use then.
pub(super) fn bound(
    checker: &mut Checker<'_>,
    procedure: ProcedureId,
    arguments: Vec<Expression>,
    draw: &mut Draw,
) -> Vec<Expression> {
    let Some(entering) = checker.entering.get(&procedure) else { return arguments };
    let mut bound: HashMap<VariableId, Expression> = HashMap::new();
    let mut all = Vec::with_capacity(entering.parameters.len());
    let mut long = false;
    let given = arguments.into_iter().map(Some).chain(entering.values.iter().cloned());
    for (position, (&variable, value)) in entering.parameters.iter().zip(given).enumerate() {
        let initial = position + entering.values.len() >= entering.parameters.len();
        let value = match value {
            Some(value) if initial => inserted(&value, &bound).unwrap_or_else(|| {
                long = true;
                Expression::choice()
            }),
            other => other.unwrap_or_else(Expression::choice),
        };
        let value = match entering.read.contains(&variable) {
            true => draw.drawn(&value, &mut checker.names.variables),
            false => value,
        };
        bound.insert(variable, value.clone());
        all.push(value);
    }
    if long {
        too_long(checker, procedure);
    }
    all
}

fn too_long(checker: &mut Checker<'_>, procedure: ProcedureId) {
    let procedure = &checker.procedures[procedure.index()];
    let message = format!("the initial values of `{}` read each other too often", procedure.name);
    let error = Diagnostic::error(procedure.span, message);
    checker.error(error.help("assign some of them in statements, in an atomic section"));
}

/// Adds initial values to all calls and starts of the source; what is drawn before which node.
fn bind_calls(checker: &mut Checker<'_>) -> BTreeMap<NodeId, Op> {
    let mut draws = BTreeMap::new();
    for number in 0..checker.procedures.len() {
        let caller = ProcedureId::new(number);
        let mut draw = Draw::new(caller, checker.procedures[number].locals.clone());
        let nodes: Vec<NodeId> = checker
            .nodes
            .enumerate()
            .filter(|(_, node)| node.procedure == caller)
            .map(|(id, _)| id)
            .collect();
        for node in nodes {
            let mut op = checker.nodes[node].op.clone();
            if let Op::Call { procedure, arguments, .. } | Op::StartThread { procedure, arguments } = &mut op
            {
                *arguments = bound(checker, *procedure, std::mem::take(arguments), &mut draw);
                checker.nodes[node].op = op;
                draws.extend(draw.take().map(|op| (node, op)));
            }
        }
        checker.procedures[number].locals = draw.frame;
    }
    draws
}

/// Removes nodes that do nothing any more, and puts draws before calls. Who went to a call now goes to its draw.
fn renumber(checker: &mut Checker<'_>, removed: &BTreeSet<NodeId>, mut draws: BTreeMap<NodeId, Op>) {
    let old: Vec<Node> = checker.nodes.iter().cloned().collect();
    let mut arrival: Vec<NodeId> = Vec::with_capacity(old.len());
    let mut next = 0;
    for id in checker.nodes.ids() {
        // A removed node leads to the one after it, which is the next that is kept.
        arrival.push(NodeId::new(next));
        next += usize::from(!removed.contains(&id)) + usize::from(draws.contains_key(&id));
    }
    let moved = |node: NodeId| arrival[node.index()];
    let mut nodes: IndexVec<NodeId, Node> = IndexVec::new();
    for (number, mut node) in old.into_iter().enumerate() {
        let id = NodeId::new(number);
        if removed.contains(&id) {
            continue;
        }
        node.successors.iter_mut().for_each(|successor| *successor = moved(*successor));
        if let Op::StartLabel(label) = &mut node.op {
            *label = moved(*label);
        }
        if let Some(op) = draws.remove(&id) {
            nodes.push(Node {
                op,
                successors: vec![NodeId::new(moved(id).index() + 1)],
                origin: Origin::Start,
                forbidden: std::mem::take(&mut node.forbidden),
                labels: std::mem::take(&mut node.labels),
                ..node.clone()
            });
        }
        nodes.push(node);
    }
    checker.properties.iter_mut().for_each(|property| property.node = moved(property.node));
    checker.procedures.iter_mut().for_each(|procedure| procedure.entry = moved(procedure.entry));
    checker.nodes = nodes;
}

/// An initial value with what its variables are bound to; none if it is too long.
fn inserted(value: &Expression, bound: &HashMap<VariableId, Expression>) -> Option<Expression> {
    let length = |read: &Read| bound.get(&read.variable).map_or(1, |value| value.items().len());
    let whole = value.items().len() + value.variables().map(length).sum::<usize>();
    let of = |read: &Read| bound.get(&read.variable).cloned().unwrap_or_else(|| Expression::variable(*read));
    (whole <= LONGEST).then(|| value.substitute(of))
}
