//! Symbolic execution of one procedure, with loops unrolled [Bas10, 3.2 and 10.5].
//!
//! A work-list holds arrivals at nodes; all arrivals at a node are merged into one symbolic state before the node is
//! executed. Where [Bas10, 10.5] merges by a fresh choice, the guards of arrivals exclude each other here: a jump to
//! one of several nodes draws the choice instead, and only if the conditions after it do not decide. So values at the
//! entry and choices determine the run, which makes it easy to read back.
//!
//! A loop is unrolled until no run goes on. If a proof is wanted, also until everything that would go on is covered by
//! what was executed already (`cover`); where that takes too many instances, until every run that would go on was
//! somewhere twice (`recurrence`). Otherwise until the bound on unrollings; what goes on then is *cut*.

use super::cover::{self, Cover, Frame, Pair};
use super::facts::Place;
use super::formula::{Formula, Input, Store};
use super::meaning::Meaning;
use super::recurrence::{Recurrence, Recurs};
use super::stage::{Claim, Mode, Stage};
use super::summary::{Application, Body, Edge, End, Entry, Outcome, State, Summary};
use crate::boolean::cfg::{Expression, NodeId, Op, ProcedureId, PropertyId, Read, Scope, Time, VariableId};
use crate::boolean::expression::{Binary, Item};
use crate::ground::reason::Stop;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An arrival at a node that is not executed yet.
struct Arrival {
    guard: Formula,
    values: Vec<Formula>,
    /// The state it comes from, and which of its edges it is. None: it is the entry.
    from: Option<(usize, usize)>,
}

/// Arrivals by the place of their node.
type WorkList = BTreeMap<(Place, NodeId), Vec<Arrival>>;

/// How a loop is to be closed.
struct Closing {
    /// How often the check for a fixed point may still be out of effort.
    tries: u32,
    /// The fall-back, once that has happened.
    recurrence: Option<Recurrence>,
    /// Neither has any effort left: more unrollings prove nothing.
    is_hopeless: bool,
    /// What checks for a fixed point have found, by node: it holds for all later ones.
    instances: BTreeMap<NodeId, Vec<Pair>>,
}

impl Closing {
    fn new(mode: Mode) -> Self {
        let tries = if mode.prove { mode.tries } else { 0 };
        let recurrence = (mode.prove && tries == 0).then(Recurrence::default);
        Self { tries, recurrence, is_hopeless: false, instances: BTreeMap::new() }
    }
}

/// What a callee does at a call, in terms of the caller.
pub struct Effect {
    /// The summary and how it was copied.
    pub application: Rc<Application>,
    /// How it ends.
    pub outcome: Outcome,
    /// It is given up.
    pub cut: Formula,
}

/// The execution of one procedure.
pub struct Unroll<'s, 'p> {
    stage: &'s mut Stage<'p>,
    procedure: ProcedureId,
    entry: Entry,
    states: Vec<State>,
    returns: Vec<(Formula, Vec<Formula>)>,
    failed: Formula,
    cut: Formula,
    closed: BTreeSet<ProcedureId>,
    pending: WorkList,
}

impl<'s, 'p> Unroll<'s, 'p> {
    /// Executes a procedure.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn run(stage: &'s mut Stage<'p>, procedure: ProcedureId) -> Result<Summary, Stop> {
        let entry = stage.entry(procedure);
        let (failed, cut) = (Formula::FALSE, Formula::FALSE);
        let (states, returns, closed, pending) = Default::default();
        let mut unroll = Self { stage, procedure, entry, states, returns, failed, cut, closed, pending };
        unroll.begin();
        while let Some(((component, _), _)) = unroll.pending.first_key_value().map(|(&key, _)| key) {
            unroll.component(component)?;
        }
        Ok(unroll.finish())
    }

    fn store(&mut self) -> &mut Store {
        &mut self.stage.store
    }

    fn choice(&mut self, meaning: Meaning) -> Formula {
        self.store().input(Input::Choice, meaning)
    }

    /// The state at the entry. Locals that are no parameters are arbitrary.
    fn begin(&mut self) {
        let body = &self.stage.facts.program.procedures[self.procedure];
        let mut values: Vec<Formula> = self.entry.inputs().collect();
        let positions = values.len()..values.len() + body.locals.len() - body.parameter_count;
        let (procedure, store) = (self.procedure, &mut self.stage.store);
        values.extend(positions.map(|place| store.input(Input::Choice, Meaning::Entry(procedure, place))));
        let arrival = Arrival { guard: Formula::TRUE, values, from: None };
        self.pending.insert((self.stage.facts.place(body.entry), body.entry), vec![arrival]);
    }

    fn finish(self) -> Summary {
        let Self { stage, procedure, entry, states, returns, failed, cut, closed, .. } = self;
        let globals = stage.facts.program.global_count;
        let count = globals + stage.facts.program.procedures[procedure].returns;
        let guards: Vec<Formula> = returns.iter().map(|(guard, _)| *guard).collect();
        let returned = stage.store.any(guards);
        let mut values = merged(&mut stage.store, &returns, count);
        let outcome = Outcome { returned, failed, values: values.split_off(globals), globals: values };
        Summary { procedure, entry, outcome, cut, body: Body::Unrolled(states), closed }
    }

    /// Executes all nodes of one component of the control flow, as often as needed.
    fn component(&mut self, component: usize) -> Result<(), Stop> {
        let mut current = WorkList::new();
        while let Some(first) = self.pending.first_entry().filter(|first| first.key().0.0 == component) {
            let (key, arrivals) = first.remove_entry();
            current.insert(key, arrivals);
        }
        let mut executed: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
        let mut closing = Closing::new(self.stage.mode);
        for unrolling in 1.. {
            let next = self.layer(component, current, &mut executed)?;
            self.stage.unrollings = self.stage.unrollings.max(unrolling);
            if next.is_empty() || self.closes(&mut closing, &next, &executed)? {
                return Ok(());
            }
            if unrolling >= self.stage.mode.unrollings || closing.is_hopeless {
                self.cut_all(&next);
                return Ok(());
            }
            current = next;
        }
        Ok(())
    }

    /// Executes one unrolling; returns the arrivals that begin the next.
    fn layer(
        &mut self,
        component: usize,
        mut current: WorkList,
        executed: &mut FxHashMap<NodeId, Vec<usize>>,
    ) -> Result<WorkList, Stop> {
        let mut next = WorkList::new();
        while let Some(((place, node), arrivals)) = current.pop_first() {
            self.stage.check()?;
            let state = self.arrive(node, arrivals);
            executed.entry(node).or_default().push(state);
            for (target, arrival) in self.execute(state)? {
                let key = (self.stage.facts.place(target), target);
                let list = match key.0 {
                    (other, _) if other != component => &mut self.pending,
                    there if there > place => &mut current,
                    _ => &mut next,
                };
                list.entry(key).or_default().push(arrival);
            }
        }
        Ok(next)
    }

    fn cut_all(&mut self, next: &WorkList) {
        let guards: Vec<Formula> = next.values().flatten().map(|arrival| arrival.guard).collect();
        let any = self.store().any(guards);
        self.cut = self.stage.store.or(self.cut, any);
    }

    /// Whether the loop is closed: nothing new would come of these arrivals.
    fn closes(
        &mut self,
        closing: &mut Closing,
        next: &WorkList,
        executed: &FxHashMap<NodeId, Vec<usize>>,
    ) -> Result<bool, Stop> {
        if closing.tries > 0 {
            match self.covered(&mut closing.instances, next, executed)? {
                Cover::Covered(_) => return Ok(true),
                Cover::New => {}
                Cover::OutOfEffort => {
                    closing.tries -= 1;
                    closing.recurrence.get_or_insert_default();
                }
            }
        }
        let Some(recurrence) = &mut closing.recurrence else { return Ok(false) };
        match self.recurs(recurrence, next, executed)? {
            Recurs::Always(asserted) => {
                let head = next.keys().next().map(|&(_, head)| head);
                self.stage.claim(Claim::Recurs(head.expect("there are arrivals")), asserted);
                Ok(true)
            }
            Recurs::NotYet => Ok(false),
            Recurs::OutOfEffort => {
                closing.is_hopeless = closing.tries == 0;
                Ok(false)
            }
        }
    }

    /// Whether every arrival is at a state that was executed already, reached from the same entry.
    fn covered(
        &mut self,
        instances: &mut BTreeMap<NodeId, Vec<Pair>>,
        next: &WorkList,
        executed: &FxHashMap<NodeId, Vec<usize>>,
    ) -> Result<Cover, Stop> {
        let entry: Vec<Formula> = self.entry.inputs().collect();
        let before = self.stage.claims.len();
        for (node, new) in self.arrivals(next) {
            let old = self.states_at(node, executed, 0);
            let positions = self.live(node);
            let frame = Frame { procedure: self.procedure, entry: &entry, positions: &positions };
            match cover::cover(self.stage, &frame, &new, &old, instances.entry(node).or_default())? {
                Cover::Covered(asserted) => self.stage.claim(Claim::Covered(node), asserted),
                other => {
                    self.stage.claims.truncate(before);
                    return Ok(other);
                }
            }
        }
        Ok(Cover::Covered(Vec::new()))
    }

    /// Whether every run that would go on was somewhere twice.
    fn recurs(
        &mut self,
        recurrence: &mut Recurrence,
        next: &WorkList,
        executed: &FxHashMap<NodeId, Vec<usize>>,
    ) -> Result<Recurs, Stop> {
        let arrivals = self.arrivals(next);
        let heads: BTreeSet<NodeId> =
            arrivals.iter().map(|&(head, _)| head).chain(recurrence.heads()).collect();
        for head in heads {
            for state in self.states_at(head, executed, recurrence.seen(head)) {
                self.stage.check()?;
                recurrence.add(&mut self.stage.store, head, state);
            }
        }
        recurrence.ask(self.stage, &arrivals)
    }

    /// The arrivals, as far as they matter.
    fn arrivals(&self, next: &WorkList) -> Vec<(NodeId, Pair)> {
        let mut found = Vec::new();
        for ((_, node), arrivals) in next {
            let live = self.live(*node);
            found.extend(arrivals.iter().map(|a| (*node, Pair::new(a.guard, &a.values, &live))));
        }
        found
    }

    /// The executed states at a node without the first ones, as far as they matter.
    fn states_at(&self, node: NodeId, executed: &FxHashMap<NodeId, Vec<usize>>, first: usize) -> Vec<Pair> {
        let live = self.live(node);
        let numbers = executed.get(&node).into_iter().flatten().skip(first);
        let states = numbers.map(|&number| &self.states[number]);
        states.map(|state| Pair::new(state.guard, &state.values, &live)).collect()
    }

    /// The positions of what may still be read at a node.
    fn live(&self, node: NodeId) -> Vec<usize> {
        let live = self.stage.facts.liveness.live_before(node);
        let mut positions: Vec<usize> = live.iter().map(|variable| self.position(variable)).collect();
        positions.sort_unstable();
        positions
    }

    /// The place of a variable among the values of a state.
    fn position(&self, variable: VariableId) -> usize {
        let program = self.stage.facts.program;
        match program.variables[variable].scope {
            Scope::Global(position) => position,
            Scope::Local(_, position) => program.global_count + position,
        }
    }

    /// Merges arrivals to a state [Bas10, 10.5].
    fn arrive(&mut self, node: NodeId, arrivals: Vec<Arrival>) -> usize {
        let number = self.states.len();
        let count = arrivals[0].values.len();
        let mut ways = Vec::with_capacity(arrivals.len());
        for arrival in arrivals {
            if let Some((state, edge)) = arrival.from {
                self.states[state].edges[edge].end = End::State(number);
            }
            ways.push((arrival.guard, arrival.values));
        }
        let guard = self.stage.store.any(ways.iter().map(|way| way.0));
        let values = merged(&mut self.stage.store, &ways, count);
        self.states.push(State { node, guard, values, edges: Vec::new() });
        number
    }

    /// Executes the node of a state; returns the arrivals at its successors.
    fn execute(&mut self, state: usize) -> Result<Vec<(NodeId, Arrival)>, Stop> {
        let program = self.stage.facts.program;
        let node = &program.nodes[self.states[state].node];
        let mut guard = self.enforced(state);
        for &property in &node.forbidden {
            guard = self.stop_here(state, guard, property);
        }
        let mut found = Vec::new();
        match &node.op {
            Op::Skip => found = self.jump(state, guard, &node.successors),
            Op::AtomicBegin | Op::AtomicEnd => {
                found.extend(self.go(state, guard, node.successors[0], None, None));
            }
            Op::Assume(condition) => {
                let holds = self.evaluate(condition, state, None);
                let guard = self.store().and(guard, holds);
                found.extend(self.go(state, guard, node.successors[0], None, None));
            }
            Op::Assert(condition, property) => {
                let holds = self.evaluate(condition, state, None);
                let (fails, passes) = (self.store().and(guard, !holds), self.store().and(guard, holds));
                self.violate(state, fails, *property);
                found.extend(self.go(state, passes, node.successors[0], None, None));
            }
            Op::Assign { targets, values, constrain } => {
                let mut after = self.states[state].values.clone();
                for (target, value) in targets.iter().zip(values) {
                    let position = self.position(target.variable);
                    after[position] = self.evaluate(value, state, None);
                }
                let allowed =
                    constrain.as_ref().map_or(Formula::TRUE, |e| self.evaluate(e, state, Some(&after)));
                let guard = self.store().and(guard, allowed);
                found.extend(self.go(state, guard, node.successors[0], Some(after), None));
            }
            Op::Call { procedure, arguments, results } => {
                found.extend(self.call(state, guard, *procedure, arguments, results)?);
            }
            Op::Return(values) => self.give_back(state, guard, values),
            Op::EndThread => {}
            Op::StartLabel(_) | Op::StartThread { .. } => unreachable!("no thread is started"),
        }
        Ok(found)
    }

    /// The guard of a state in which what the procedure enforces can be true.
    fn enforced(&mut self, state: usize) -> Formula {
        let guard = self.states[state].guard;
        let Some(enforce) = &self.stage.facts.program.procedures[self.procedure].enforce else {
            return guard;
        };
        let holds = self.evaluate(enforce, state, None);
        self.store().and(guard, holds)
    }

    /// The run may end here, because the node is not to be reached; returns the guard of those that go on.
    fn stop_here(&mut self, state: usize, guard: Formula, property: PropertyId) -> Formula {
        if self.stage.switch(property).is_none() {
            return guard;
        }
        let ends = self.choice(Meaning::Stop(self.states[state].node));
        let violates = self.store().and(guard, ends);
        self.violate(state, violates, property);
        self.store().and(guard, !ends)
    }

    /// A property is violated, if it is asked about.
    fn violate(&mut self, state: usize, guard: Formula, property: PropertyId) {
        let Some(switch) = self.stage.switch(property) else { return };
        let guard = self.store().and(guard, switch);
        if guard != Formula::FALSE {
            self.failed = self.stage.store.or(self.failed, guard);
            self.states[state].edges.push(Edge { guard, end: End::Violated(property), call: None });
        }
    }

    /// A step to a node, with other values if there are others.
    fn go(
        &mut self,
        state: usize,
        guard: Formula,
        target: NodeId,
        values: Option<Vec<Formula>>,
        call: Option<Rc<Application>>,
    ) -> Option<(NodeId, Arrival)> {
        if guard == Formula::FALSE {
            return None;
        }
        let from = Some((state, self.states[state].edges.len()));
        self.states[state].edges.push(Edge { guard, end: End::Open, call });
        let values = values.unwrap_or_else(|| self.states[state].values.clone());
        Some((target, Arrival { guard, values, from }))
    }

    /// A jump to one of several nodes: the conditions there decide, or a choice.
    fn jump(&mut self, state: usize, guard: Formula, successors: &[NodeId]) -> Vec<(NodeId, Arrival)> {
        if let &[then, otherwise] = successors
            && let Some(condition) = self.branch(state, then, otherwise)
        {
            let (taken, not_taken) =
                (self.store().and(guard, condition), self.store().and(guard, !condition));
            let ways = [(then, taken), (otherwise, not_taken)];
            return ways
                .into_iter()
                .filter_map(|(node, guard)| self.go(state, guard, node, None, None))
                .collect();
        }
        let (mut left, mut found) = (guard, Vec::new());
        for (number, &node) in successors.iter().enumerate() {
            let last = number + 1 == successors.len();
            let way = Meaning::Way(self.states[state].node);
            let chosen = if last { Formula::TRUE } else { self.choice(way) };
            let taken = self.store().and(left, chosen);
            left = self.store().and(left, !chosen);
            found.extend(self.go(state, taken, node, None, None));
        }
        found
    }

    /// The condition that decides between two nodes, if they assume a condition without choices and its negation.
    fn branch(&mut self, state: usize, then: NodeId, otherwise: NodeId) -> Option<Formula> {
        let program = self.stage.facts.program;
        let condition = |node: NodeId| match &program.nodes[node].op {
            Op::Assume(condition) if program.nodes[node].forbidden.is_empty() && !condition.has_choice() => {
                Some(condition)
            }
            _ => None,
        };
        let (then, otherwise) = (condition(then)?, condition(otherwise)?);
        let (then, otherwise) = (self.evaluate(then, state, None), self.evaluate(otherwise, state, None));
        (then == !otherwise).then_some(then)
    }

    fn give_back(&mut self, state: usize, guard: Formula, values: &[Expression]) {
        if guard == Formula::FALSE {
            return;
        }
        let mut all = self.states[state].values[..self.stage.facts.program.global_count].to_vec();
        for value in values {
            let value = self.evaluate(value, state, None);
            all.push(value);
        }
        self.returns.push((guard, all));
        self.states[state].edges.push(Edge { guard, end: End::Returned, call: None });
    }

    /// A call: the callee returns, fails, or is given up.
    fn call(
        &mut self,
        state: usize,
        guard: Formula,
        callee: ProcedureId,
        arguments: &[Expression],
        results: &[Option<VariableId>],
    ) -> Result<Option<(NodeId, Arrival)>, Stop> {
        let arguments: Vec<Formula> = arguments.iter().map(|e| self.evaluate(e, state, None)).collect();
        let globals = self.states[state].values[..self.stage.facts.program.global_count].to_vec();
        let effect = self.stage.apply(callee, globals, arguments)?;
        match &effect.application.summary {
            Some(summary) => self.closed.extend(&summary.closed),
            None => _ = self.closed.insert(callee),
        }
        let cut = self.store().and(guard, effect.cut);
        self.cut = self.stage.store.or(self.cut, cut);
        let fails = self.store().and(guard, effect.outcome.failed);
        if fails != Formula::FALSE {
            self.failed = self.stage.store.or(self.failed, fails);
            let call = Some(Rc::clone(&effect.application));
            self.states[state].edges.push(Edge { guard: fails, end: End::Inside, call });
        }
        Ok(self.come_back(state, guard, effect, results))
    }

    /// What comes after a call that returned.
    fn come_back(
        &mut self,
        state: usize,
        guard: Formula,
        effect: Effect,
        results: &[Option<VariableId>],
    ) -> Option<(NodeId, Arrival)> {
        let mut guard = self.store().and(guard, effect.outcome.returned);
        let mut values = effect.outcome.globals;
        values.extend_from_slice(&self.states[state].values[values.len()..]);
        let mut written = BTreeSet::new();
        for (target, &value) in results.iter().zip(&effect.outcome.values) {
            let Some(target) = target else { continue };
            let position = self.position(*target);
            if !written.insert(position) {
                // One variable for two results: both have its value.
                let same = self.store().equal(values[position], value);
                guard = self.store().and(guard, same);
            }
            values[position] = value;
        }
        let successor = self.stage.facts.program.nodes[self.states[state].node].successors[0];
        self.go(state, guard, successor, Some(values), Some(effect.application))
    }

    /// The value of an expression in a state, with a fresh choice for every `*`. It may also read the values after a step.
    fn evaluate(&mut self, expression: &Expression, state: usize, after: Option<&[Formula]>) -> Formula {
        let meaning = Meaning::Choice(self.states[state].node);
        expression.fold(|item, operands: &[Formula]| match item {
            Item::Constant(value) => Formula::constant(*value),
            Item::Choice => self.choice(meaning),
            Item::Variable(read) => self.read(*read, state, after),
            Item::Not => !operands[0],
            Item::Binary(operator) => binary(self.store(), *operator, operands[0], operands[1]),
            Item::Schoose => {
                let free = self.choice(meaning);
                let otherwise = self.store().and(!operands[1], free);
                self.store().or(operands[0], otherwise)
            }
        })
    }

    fn read(&self, read: Read, state: usize, after: Option<&[Formula]>) -> Formula {
        let position = self.position(read.variable);
        match (read.time, after) {
            (Time::Next, Some(after)) => after[position],
            _ => self.states[state].values[position],
        }
    }
}

fn binary(store: &mut Store, operator: Binary, left: Formula, right: Formula) -> Formula {
    match operator {
        Binary::And => store.and(left, right),
        Binary::Or => store.or(left, right),
        Binary::Implies => store.or(!left, right),
        Binary::Equal | Binary::Iff => store.equal(left, right),
        Binary::Xor | Binary::NotEqual => !store.equal(left, right),
    }
}

/// The values of the way that is taken. Guards exclude each other; if none is true, the values do not matter.
fn merged(store: &mut Store, ways: &[(Formula, Vec<Formula>)], count: usize) -> Vec<Formula> {
    let Some(((_, last), others)) = ways.split_last() else { return vec![Formula::FALSE; count] };
    let mut values = last.clone();
    for (guard, other) in others {
        for (value, &there) in values.iter_mut().zip(other) {
            *value = store.choose(*guard, there, *value);
        }
    }
    values
}
