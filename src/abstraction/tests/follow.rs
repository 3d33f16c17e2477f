//! Follows a run of a program in its abstraction, one statement after the other.
//!
//! Behind every edge the tracked predicates have the values that they have in the run; whether the Boolean program can
//! do that step is asked of its reference semantics.

use crate::abstraction::{Abstraction, Part};
use crate::boolean::cfg::{self, NodeId, Op};
use crate::boolean::interpret::{Frame, Interpreter, State, Thread, Threads};
use crate::boolean::print::print;
use crate::ground::bits::Bits;
use crate::ground::index::Index;
use crate::predicate::{Precision, PredicateId, PredicateScope};
use crate::program::run::{self, Chooser, Compiled, Execution, Outcome, Recording, ThreadId};
use crate::program::{Action, Edge, EdgeId, LocationId, ProcedureId, Program};
use crate::term::evaluate::{ArrayValue, Assignment, Value};
use crate::term::{Sort, Symbol};
use std::rc::Rc;

/// The values of all global variables and of the locals of the last activation; what nobody wrote is zero.
fn valuation(program: &Program, execution: &Execution<'_>) -> Assignment {
    let mut values = Assignment::new();
    let (procedure, _) = execution.location(ThreadId::new(0)).expect("one thread");
    for (symbol, variable) in program.variables.enumerate() {
        let visible = match variable.scope {
            crate::program::Scope::Global => true,
            crate::program::Scope::Local(owner) => owner == procedure,
            crate::program::Scope::Input => false,
        };
        if visible {
            let value = execution.value(ThreadId::new(0), symbol);
            values.insert(symbol, converted(program.store.sort_of_symbol(symbol), value));
        }
    }
    values
}

fn converted(sort: Sort, value: Option<run::Value>) -> Value {
    match (sort, value) {
        (Sort::Boolean, Some(run::Value::Scalar(value))) => Value::Bool(value == 1),
        (_, Some(run::Value::Scalar(value))) => Value::Bits(value),
        (_, Some(run::Value::Array(contents))) => {
            let mut array = ArrayValue::constant(contents.rest.unwrap_or(0));
            contents.cells.iter().for_each(|(&index, &element)| array.set(index, element));
            Value::Array(Rc::new(array))
        }
        (sort, None) => Value::zero(sort),
    }
}

/// A follower.
pub(super) struct Follower<'a> {
    /// The program before it was abstracted: the same edges.
    pub program: &'a Program,
    pub precision: &'a Precision,
    pub abstraction: &'a Abstraction,
    pub cfg: &'a cfg::Program,
    pub state: State,
    /// How many statements were followed.
    pub followed: u64,
    /// How many of them came before calls.
    pub prepared: u64,
}

impl<'a> Follower<'a> {
    pub fn new(
        program: &'a Program,
        precision: &'a Precision,
        abstraction: &'a Abstraction,
        cfg: &'a cfg::Program,
    ) -> Self {
        let entry = &cfg.procedures[cfg.entry];
        let frame = Frame { node: entry.entry, locals: Bits::new(entry.locals.len()) };
        let threads = vec![Thread { frames: vec![frame] }];
        let state = State { globals: Bits::new(cfg.global_count), threads, atomic: None };
        Self { program, precision, abstraction, cfg, state, followed: 0, prepared: 0 }
    }

    /// Follows a run to its end, or for so many steps.
    pub fn run(&mut self, code: &Compiled<'_>, chooser: &mut dyn Chooser, limit: u64) {
        let mut execution = Execution::new(code, Recording::Path);
        let entry = self.program.procedures[self.program.entry].entry;
        let before = valuation(self.program, &execution);
        self.state = self.with_truth(self.state.clone(), self.program.entry, entry, &before);
        for _ in 0..limit {
            let before = valuation(self.program, &execution);
            let (depth, inputs) = (execution.depth(ThreadId::new(0)), execution.inputs().len());
            let steps = execution.steps();
            let outcome = execution.step(chooser);
            if execution.steps() == steps {
                return;
            }
            let step = *execution.path().last().expect("a step");
            let mut with_inputs = before.clone();
            for &(symbol, value) in &execution.inputs()[inputs..] {
                let sort = self.program.store.sort_of_symbol(symbol);
                with_inputs.insert(symbol, converted(sort, Some(run::Value::Scalar(value))));
            }
            if !self.step(step.procedure, step.edge, &with_inputs, &execution, (depth, outcome)) {
                return;
            }
        }
    }

    /// Follows one step; whether the run goes on.
    fn step(
        &mut self,
        procedure: ProcedureId,
        id: EdgeId,
        before: &Assignment,
        execution: &Execution<'_>,
        (depth, outcome): (usize, Option<Outcome>),
    ) -> bool {
        let edge = &self.program.procedures[procedure].edges[id];
        if let Some(prepare) = self.find_node(procedure, id, Part::Prepare) {
            self.walk(prepare);
            if execution.depth(ThreadId::new(0)) != depth + 1 {
                return false;
            }
            self.prepare(edge, execution);
        }
        self.walk(self.node(procedure, id, Part::Take));
        if edge.property.is_some() || matches!(edge.action, Action::Unsupported(_)) {
            let goes_on = self.successor();
            self.expect(self.moved(self.state.clone(), goes_on), "the guard");
            let violations = Interpreter::new(self.cfg, Threads::AtMost(1)).violations(&self.state);
            assert_eq!(violations.len(), 1, "{}", self.text());
            return false;
        }
        match &edge.action {
            Action::Block(block) => {
                let store = &self.program.store;
                let mut behind = before.clone();
                for &(symbol, term) in &block.updates {
                    behind.insert(symbol, store.evaluate(term, before).expect("all inputs are known"));
                }
                let next = self.moved(self.state.clone(), self.successor());
                let next = self.with_truth(next, procedure, edge.to, &behind);
                self.expect(next, "a block");
                if edge.to == self.program.procedures[procedure].exit {
                    return self.returns(execution, depth, outcome);
                }
            }
            Action::Call { procedure: callee, .. } => {
                if execution.depth(ThreadId::new(0)) != depth + 1 {
                    return false;
                }
                let now = valuation(self.program, execution);
                let entered = self.cfg_procedure(*callee);
                let (node, size) =
                    (self.cfg.procedures[entered].entry, self.cfg.procedures[entered].locals.len());
                let mut next = self.state.clone();
                next.threads[0].frames.push(Frame { node, locals: Bits::new(size) });
                let entry = self.program.procedures[*callee].entry;
                let next = self.with_truth(next, *callee, entry, &now);
                self.expect(next, "a call");
            }
            Action::AtomicBegin | Action::AtomicEnd => {
                let mut next = self.moved(self.state.clone(), self.successor());
                next.atomic = matches!(edge.action, Action::AtomicBegin).then_some(0);
                self.expect(next, "an atomic section");
            }
            _ => return false,
        }
        outcome.is_none()
    }

    /// Follows the statement before a call: global predicates are saved, formal ones have their values at the entry.
    fn prepare(&mut self, edge: &Edge, execution: &Execution<'_>) {
        let Action::Call { procedure: callee, .. } = edge.action else { panic!("only calls are prepared") };
        let mut next = self.moved(self.state.clone(), self.successor());
        let at_entry = valuation(self.program, execution);
        if let Op::Assign { targets, .. } = &self.cfg.nodes[self.top()].op {
            for target in targets {
                let variable = &self.cfg.variables[target.variable];
                let cfg::Scope::Local(_, position) = variable.scope else { panic!("a local variable") };
                let number: usize = variable.name[1..].parse().expect("a number");
                let value = match &variable.name[..1] {
                    "o" => self.global(number),
                    _ => self.formal(callee, number, &at_entry),
                };
                next.threads[0].frames.last_mut().expect("a frame").locals.set(position, value);
            }
        }
        self.expect(next, "what comes before a call");
        self.prepared += 1;
    }

    /// The value that a global predicate has now.
    fn global(&self, number: usize) -> bool {
        let name = format!("b{number}");
        let mut globals = self.cfg.globals().enumerate();
        let position = globals.find(|(_, id)| *self.cfg.variables[*id].name == *name).expect("declared").0;
        self.state.globals.get(position)
    }

    /// The value of a formal predicate of a procedure, by position, at its entry.
    fn formal(&self, callee: ProcedureId, position: usize, at_entry: &Assignment) -> bool {
        let variable = self.cfg.procedures[self.cfg_procedure(callee)].locals[position];
        let number: usize = self.cfg.variables[variable].name[1..].parse().expect("a number");
        let term = self.precision.predicates[PredicateId::new(number)].term;
        self.program.store.evaluate(term, at_entry).expect("visible").as_bool()
    }

    /// Follows the return that a step led to.
    fn returns(&mut self, execution: &Execution<'_>, depth: usize, outcome: Option<Outcome>) -> bool {
        if outcome.is_some() || execution.depth(ThreadId::new(0)) + 1 != depth {
            return false;
        }
        let mut next = self.state.clone();
        let callee = next.threads[0].frames.pop().expect("the callee");
        let exit = self.cfg.nodes.enumerate().find(|(_, node)| {
            node.procedure == self.cfg.nodes[callee.node].procedure && matches!(node.op, Op::Return(_))
        });
        self.walk(exit.expect("a return").0);
        let call = self.state.threads[0].frames[depth - 2].node;
        let (Op::Return(values), Op::Call { results, .. }) =
            (&self.cfg.nodes[self.top()].op, &self.cfg.nodes[call].op)
        else {
            panic!("a return from a call");
        };
        let results = results.clone();
        let frame = next.threads[0].frames.last_mut().expect("the caller");
        for (result, value) in results.iter().zip(values) {
            let Some(result) = result else { continue };
            let value = value.values(|read| match self.cfg.variables[read.variable].scope {
                cfg::Scope::Global(position) => self.state.globals.get(position),
                cfg::Scope::Local(_, position) => callee.locals.get(position),
            });
            let cfg::Scope::Local(_, position) = self.cfg.variables[*result].scope else { panic!("local") };
            frame.locals.set(position, value.can_be_true);
        }
        frame.node = self.cfg.nodes[call].successors[0];
        self.expect(next, "a return");
        self.up_to_date(call, execution)
    }

    /// Follows the statement behind a call.
    fn up_to_date(&mut self, call: NodeId, execution: &Execution<'_>) -> bool {
        let number = self.cfg.nodes[call].span.start as usize - 1;
        let origin = self.abstraction.origins[number];
        let next = self.cfg.nodes[self.top()].span.start as usize;
        let to = self.program.procedures[origin.procedure].edges[origin.edge].to;
        let (_, location) = execution.location(ThreadId::new(0)).expect("one thread");
        if location != to {
            return false;
        }
        let now = valuation(self.program, execution);
        let has_part = next > 0 && self.abstraction.origins[next - 1].part == Part::Returned;
        let goal = match has_part {
            true => self.moved(self.state.clone(), self.successor()),
            false => self.state.clone(),
        };
        let goal = self.with_truth(goal, origin.procedure, to, &now);
        match has_part {
            true => self.expect(goal, "bringing up to date"),
            false => assert_eq!(goal, self.state, "a call without a statement behind it\n{}", self.text()),
        }
        true
    }

    fn top(&self) -> NodeId {
        self.state.threads[0].top().node
    }

    fn successor(&self) -> NodeId {
        self.cfg.nodes[self.top()].successors[0]
    }

    fn moved(&self, mut state: State, node: NodeId) -> State {
        state.threads[0].frames.last_mut().expect("a frame").node = node;
        state
    }

    fn node(&self, procedure: ProcedureId, edge: EdgeId, part: Part) -> NodeId {
        self.find_node(procedure, edge, part).expect("every edge has a node")
    }

    fn find_node(&self, procedure: ProcedureId, edge: EdgeId, part: Part) -> Option<NodeId> {
        let mut nodes = self.cfg.nodes.enumerate();
        let wanted = |(_, node): &(NodeId, &cfg::Node)| {
            (node.span.start as usize).checked_sub(1).is_some_and(|number| {
                let origin = self.abstraction.origins[number];
                origin.procedure == procedure && origin.edge == edge && origin.part == part
            })
        };
        nodes.find(wanted).map(|(id, _)| id)
    }

    fn cfg_procedure(&self, id: ProcedureId) -> cfg::ProcedureId {
        cfg::ProcedureId::new(id.index())
    }

    /// Follows jumps and assumptions that belong to no edge.
    fn walk(&mut self, target: NodeId) {
        for _ in 0..8 {
            if self.top() == target {
                return;
            }
            let node = &self.cfg.nodes[self.top()];
            assert_eq!(node.span.start, 0, "a statement of an edge in between\n{}", self.text());
            let direct = node.successors.iter().find(|&&it| it == target);
            let to = *direct.unwrap_or(&node.successors[0]);
            self.expect(self.moved(self.state.clone(), to), "a jump");
        }
        panic!("no way to {target:?}\n{}", self.text());
    }

    /// The state with the true values of the predicates that are tracked at a location.
    fn with_truth(
        &self,
        mut state: State,
        procedure: ProcedureId,
        location: LocationId,
        values: &Assignment,
    ) -> State {
        for (id, predicate) in self.precision.predicates.enumerate() {
            let here = match predicate.scope {
                PredicateScope::Global => true,
                PredicateScope::Local(owner) => {
                    owner == procedure && self.abstraction.is_tracked(id, location)
                }
            };
            if here {
                let value = self.program.store.evaluate(predicate.term, values).expect("visible").as_bool();
                self.write(&mut state, id, value);
            }
        }
        state
    }

    fn write(&self, state: &mut State, id: PredicateId, value: bool) {
        let name = format!("b{}", id.index());
        let mut variables = self.cfg.variables.iter();
        let variable = variables.find(|variable| *variable.name == *name).expect("declared");
        match variable.scope {
            cfg::Scope::Global(position) => state.globals.set(position, value),
            cfg::Scope::Local(_, position) => {
                state.threads[0].frames.last_mut().expect("a frame").locals.set(position, value);
            }
        }
    }

    fn expect(&mut self, next: State, what: &str) {
        let permitted = Interpreter::new(self.cfg, Threads::AtMost(1)).permits(&self.state, 0, &next);
        assert!(
            permitted,
            "{what} has no abstract step: {:?}\n{:?}\n{next:?}\n{}",
            self.cfg.nodes[self.top()],
            self.state,
            self.text()
        );
        self.followed += 1;
        self.state = next;
    }

    fn text(&self) -> String {
        print(&self.abstraction.program)
    }
}

/// Symbols of a scope that are visible in a procedure.
pub(super) fn visible(program: &Program, procedure: ProcedureId) -> Vec<Symbol> {
    let sees = |scope: crate::program::Scope| match scope {
        crate::program::Scope::Global => true,
        crate::program::Scope::Local(owner) => owner == procedure,
        crate::program::Scope::Input => false,
    };
    let all = program.variables.enumerate();
    all.filter(|(_, variable)| sees(variable.scope)).map(|(symbol, _)| symbol).collect()
}
