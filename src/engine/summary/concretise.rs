//! The walk forwards: a plan becomes a concrete trace.
//!
//! The state at the start is completed, and every step chooses one concrete successor within the target of the plan;
//! dead variables take whatever value the statement gives them. A call that returned is planned and walked when
//! it is met, from its concrete entry, and the resulting segment is shared by all calls that ask for the same. The
//! segments under way are kept on a stack of our own, so deep call chains are no danger.
//!
//! Nothing here is trusted: the trace is replayed by the interpreter before anybody sees it.

use super::order::Meaning;
use super::plan::{Exit, Failure, Move, Plan, Planned, Planner};
use super::transfer::Transfer;
use crate::bdd::{Bdd, Level};
use crate::boolean::cfg::{Expression, NodeId, Op, ProcedureId, PropertyId, Read, Scope, VariableId};
use crate::boolean::trace::{Action, Segment, SegmentId, Step, Trace, View};
use crate::ground::bits::Bits;
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;
use std::collections::HashMap;

/// A call of which a segment is wanted.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Request {
    callee: ProcedureId,
    globals: Bits,
    arguments: Bits,
    exit: Exit,
    /// Next levels of globals and return levels that the caller relies on.
    wanted: Vec<(Level, bool)>,
}

/// A walk under way.
struct Walk {
    plan: Plan,
    position: usize,
    /// The view at the entry of the procedure the walk is in now.
    entry: View,
    first: View,
    view: View,
    steps: Vec<Step>,
    request: Option<Request>,
}

/// Makes plans concrete.
pub struct Concretiser<'a, 'h, 'p> {
    transfer: &'a mut Transfer<'p>,
    planner: &'a Planner<'h>,
    segments: IndexVec<SegmentId, Segment>,
    known: HashMap<Request, SegmentId>,
}

impl<'a, 'h, 'p> Concretiser<'a, 'h, 'p> {
    /// Walks plans of a planner.
    pub fn new(transfer: &'a mut Transfer<'p>, planner: &'a Planner<'h>) -> Self {
        Self { transfer, planner, segments: IndexVec::new(), known: HashMap::new() }
    }

    /// The trace of a plan from the start of the program.
    ///
    /// # Errors
    /// A limit, or a plan that cannot be walked: a defect of the engine.
    pub fn trace(mut self, plan: Plan, property: PropertyId) -> Result<Trace, Failure> {
        let program = self.transfer.symbolic.program;
        let globals = Bits::new(program.global_count);
        let arguments = Bits::new(program.procedures[program.entry].parameter_count);
        let mut stack = vec![self.begin(plan, program.entry, globals, arguments, None)?];
        loop {
            let walk = stack.last_mut().expect("the first walk is still under way");
            let Some(&planned) = walk.plan.steps.get(walk.position) else {
                let done = stack.pop().expect("it was there");
                match done.request {
                    None => return Ok(self.finish(property, done.first, done.steps)),
                    Some(request) => {
                        let segment = Segment { initial: done.first, steps: done.steps };
                        self.known.insert(request, self.segments.push(segment));
                        continue;
                    }
                }
            };
            if let Some(inner) = self.advance(walk, planned)? {
                stack.push(inner);
            }
        }
    }

    fn finish(self, property: PropertyId, initial: View, steps: Vec<Step>) -> Trace {
        Trace { property, thread: 0, initial, steps, segments: self.segments }
    }

    /// Starts a walk at the entry of a procedure.
    fn begin(
        &mut self,
        plan: Plan,
        procedure: ProcedureId,
        globals: Bits,
        arguments: Bits,
        request: Option<Request>,
    ) -> Result<Walk, Failure> {
        let first = self.enter(procedure, globals, &arguments, plan.start, request.is_none());
        let (entry, view) = (first.clone(), first.clone());
        Ok(Walk { plan, position: 0, entry, first, view, steps: Vec::new(), request })
    }

    /// The view at an entry: as given, and what is not given as the plan has it.
    fn enter(&self, procedure: ProcedureId, globals: Bits, arguments: &Bits, start: Bdd, free: bool) -> View {
        let program = self.transfer.symbolic.program;
        let body = &program.procedures[procedure];
        let mut view = View { node: Some(body.entry), globals, locals: Bits::new(body.locals.len()) };
        for (position, value) in arguments.iter().enumerate() {
            view.locals.set(position, value);
        }
        let literals = self.transfer.symbolic.manager.pick(start).unwrap_or_default();
        for (level, value) in literals {
            let Meaning::Current(variable) = self.transfer.symbolic.levels.meanings[level] else { continue };
            match program.variables[variable].scope {
                Scope::Global(position) if free => view.globals.set(position, value),
                Scope::Local(_, position) if free || position >= body.parameter_count => {
                    view.locals.set(position, value);
                }
                _ => {}
            }
        }
        view
    }

    /// Takes one step, or returns the walk that must come first.
    fn advance(&mut self, walk: &mut Walk, planned: Planned) -> Result<Option<Walk>, Failure> {
        match planned.step {
            Move::Internal(node) => {
                let values = self.internal(walk, node, planned.target)?;
                let mut after = View { node: Some(planned.next), ..walk.view.clone() };
                self.assign(&mut after, &values);
                record(walk, node, Action::Single, after);
            }
            Move::Enter(call, entries) => {
                let after = self.call_into(walk, call, entries, planned)?;
                record(walk, call, Action::Single, after.clone());
                walk.entry = after;
            }
            Move::Over(call, exit) => {
                let request = self.request(walk, call, exit, planned.target)?;
                let Some(&segment) = self.known.get(&request) else {
                    return self.inner(request).map(Some);
                };
                let after = self.come_back(walk, call, segment, &request, planned)?;
                record(walk, call, Action::Over(segment), after);
            }
        }
        walk.position += 1;
        Ok(None)
    }

    /// The next levels of an internal step.
    fn internal(&mut self, walk: &Walk, node: NodeId, target: Bdd) -> Result<Vec<(Level, bool)>, Failure> {
        let symbolic = &mut self.transfer.symbolic;
        let relation = symbolic.step(node)?;
        let after = symbolic.manager.rename(target, relation.backward)?;
        let both = symbolic.manager.and(relation.body, after)?;
        self.complete(walk, both, node)
    }

    /// Fixes the entry and current levels of a relation and picks the rest.
    fn complete(&mut self, walk: &Walk, relation: Bdd, node: NodeId) -> Result<Vec<(Level, bool)>, Failure> {
        let support = self.transfer.symbolic.manager.support(relation);
        let known = support.into_iter().filter_map(|level| Some((level, self.value(walk, level)?)));
        let known: Vec<(Level, bool)> = known.collect();
        let known = self.transfer.symbolic.cube(&known)?;
        let rest = self.transfer.symbolic.manager.and(relation, known)?;
        self.transfer.symbolic.manager.pick(rest).ok_or(Failure::Unjustified(node))
    }

    /// The value of an entry or current level in a walk.
    fn value(&self, walk: &Walk, level: Level) -> Option<bool> {
        match self.transfer.symbolic.levels.meanings[level] {
            Meaning::Entry(variable) => Some(self.read(&walk.entry, variable)),
            Meaning::Current(variable) => Some(self.read(&walk.view, variable)),
            _ => None,
        }
    }

    fn read(&self, view: &View, variable: VariableId) -> bool {
        match self.transfer.symbolic.program.variables[variable].scope {
            Scope::Global(position) => view.globals.get(position),
            Scope::Local(_, position) => view.locals.get(position),
        }
    }

    fn write(&self, view: &mut View, variable: VariableId, value: bool) {
        match self.transfer.symbolic.program.variables[variable].scope {
            Scope::Global(position) => view.globals.set(position, value),
            Scope::Local(_, position) => view.locals.set(position, value),
        }
    }

    /// Writes next levels into a view. A written variable without a literal may take either value: it keeps its own.
    fn assign(&self, view: &mut View, values: &[(Level, bool)]) {
        for &(level, value) in values {
            if let Meaning::Next(variable) = self.transfer.symbolic.levels.meanings[level] {
                self.write(view, variable, value);
            }
        }
    }

    /// The actual parameters of a call: as picked, and for the others any value the expression can take.
    fn arguments(&self, walk: &Walk, call: NodeId, picked: &[(Level, bool)]) -> Bits {
        let program = self.transfer.symbolic.program;
        let Op::Call { procedure, arguments, .. } = &program.nodes[call].op else { unreachable!("a call") };
        let parameters = program.procedures[*procedure].parameters();
        let value = |(&parameter, argument): (&VariableId, &Expression)| {
            let level = self.transfer.symbolic.roles(parameter).argument;
            let chosen = picked.iter().find(|&&(picked, _)| Some(picked) == level).map(|&(_, value)| value);
            chosen.unwrap_or_else(|| self.any(argument, &walk.view))
        };
        parameters.iter().zip(arguments).map(value).collect()
    }

    /// Some value an expression can take.
    fn any(&self, expression: &Expression, view: &View) -> bool {
        !expression.values(|read: &Read| self.read(view, read.variable)).can_be_false
    }

    /// A call that stays in the callee.
    fn call_into(
        &mut self,
        walk: &Walk,
        call: NodeId,
        entries: Bdd,
        planned: Planned,
    ) -> Result<View, Failure> {
        let site = self.transfer.call_site(call)?;
        let bound = self.transfer.symbolic.manager.and(site.arguments, entries)?;
        let picked = self.complete(walk, bound, call)?;
        let arguments = self.arguments(walk, call, &picked);
        Ok(self.enter(site.callee, walk.view.globals.clone(), &arguments, planned.target, false))
    }

    /// What a call that returns asks of its callee.
    fn request(&mut self, walk: &Walk, call: NodeId, exit: Exit, target: Bdd) -> Result<Request, Failure> {
        let site = self.transfer.call_site(call)?;
        let summaries = self.transfer.summarise(exit.node, exit.edges)?;
        let relation = self.transfer.call_relation(call, summaries)?;
        let manager = &mut self.transfer.symbolic.manager;
        let after = manager.rename(target, relation.backward)?;
        let exits = manager.exists(summaries, site.overwritten)?;
        let bound = manager.and(exits, site.arguments)?;
        let bound = manager.and(bound, site.results)?;
        let bound = manager.and(bound, after)?;
        let picked = self.complete(walk, bound, call)?;
        let arguments = self.arguments(walk, call, &picked);
        let outputs = self.transfer.scopes.of(site.callee).outputs.clone();
        let overwritten = self.results(call);
        let relied = |&&(level, _): &&(Level, bool)| match self.transfer.symbolic.levels.meanings[level] {
            Meaning::Next(variable) => outputs.contains(&variable) && !overwritten.contains(&Some(variable)),
            Meaning::Returned(..) => true,
            _ => false,
        };
        let wanted = picked.iter().filter(relied).copied().collect();
        Ok(Request { callee: site.callee, globals: walk.view.globals.clone(), arguments, exit, wanted })
    }

    fn results(&self, call: NodeId) -> &'p [Option<VariableId>] {
        let program = self.transfer.symbolic.program;
        let Op::Call { results, .. } = &program.nodes[call].op else { unreachable!("a call") };
        results
    }

    /// The walk through a callee: from its concrete entry to an exit that satisfies the caller.
    fn inner(&mut self, request: Request) -> Result<Walk, Failure> {
        let entry = self.entry_literals(&request);
        let entry = self.transfer.symbolic.cube(&entry)?;
        let exits = self.transfer.symbolic.manager.and(request.exit.edges, entry)?;
        let wanted = self.wanted_at_exit(&request)?;
        let exits = self.transfer.symbolic.manager.and(exits, wanted)?;
        let Exit { node, stamp, .. } = request.exit;
        let (plan, _) = self.planner.plan_procedure(self.transfer, node, stamp, exits)?;
        let (globals, arguments) = (request.globals.clone(), request.arguments.clone());
        self.begin(plan, request.callee, globals, arguments, Some(request))
    }

    /// The concrete entry in the levels of path edges.
    fn entry_literals(&self, request: &Request) -> Vec<(Level, bool)> {
        let program = self.transfer.symbolic.program;
        let scope = self.transfer.scopes.of(request.callee);
        let inputs = scope.input_globals.iter().chain(&scope.input_parameters);
        let literal = |&variable: &VariableId| {
            let roles = self.transfer.symbolic.roles(variable);
            let level = if scope.changed.contains(&variable) { roles.entry } else { roles.current };
            let value = match program.variables[variable].scope {
                Scope::Global(position) => request.globals.get(position),
                Scope::Local(_, position) => request.arguments.get(position),
            };
            (level, value)
        };
        inputs.map(literal).collect()
    }

    /// What the caller relies on, in the levels of path edges at the return.
    fn wanted_at_exit(&mut self, request: &Request) -> Result<Bdd, Stop> {
        let symbolic = &self.transfer.symbolic;
        let returned: Vec<_> = request
            .wanted
            .iter()
            .filter(|(level, _)| is_returned(symbolic.levels.meanings[*level]))
            .copied()
            .collect();
        let globals =
            request.wanted.iter().filter_map(|&(level, value)| match symbolic.levels.meanings[level] {
                Meaning::Next(variable) => Some((symbolic.roles(variable).current, value)),
                _ => None,
            });
        let globals: Vec<_> = globals.collect();
        let levels = symbolic.levels.returns[request.callee].clone();
        let values = self.transfer.returned(request.exit.node)?;
        let chosen = self.transfer.symbolic.cube(&returned)?;
        let hidden = self.transfer.symbolic.manager.level_set(&levels);
        let possible = self.transfer.symbolic.manager.and_exists(values, chosen, hidden)?;
        let globals = self.transfer.symbolic.cube(&globals)?;
        self.transfer.symbolic.manager.and(possible, globals)
    }

    /// The view after a call that returned through a segment.
    fn come_back(
        &mut self,
        walk: &Walk,
        call: NodeId,
        segment: SegmentId,
        request: &Request,
        planned: Planned,
    ) -> Result<View, Failure> {
        let program = self.transfer.symbolic.program;
        let segment = &self.segments[segment];
        let last = segment.steps.last().map_or(&segment.initial, |step| &step.after);
        let Op::Return(values) = &program.nodes[request.exit.node].op else {
            unreachable!("an exit is a return")
        };
        let levels = &self.transfer.symbolic.levels.returns[request.callee];
        let mut after = View { node: Some(planned.next), globals: last.globals.clone(), ..walk.view.clone() };
        for ((target, value), &level) in self.results(call).iter().zip(values).zip(levels) {
            let Some(target) = *target else { continue };
            let chosen = request.wanted.iter().find(|&&(wanted, _)| wanted == level).map(|&(_, value)| value);
            let chosen = chosen.unwrap_or_else(|| self.any(value, last));
            self.write(&mut after, target, chosen);
        }
        Ok(after)
    }
}

fn is_returned(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Returned(..))
}

fn record(walk: &mut Walk, node: NodeId, action: Action, after: View) {
    walk.view = after.clone();
    walk.steps.push(Step { thread: 0, node, action, after, started: None, passive: Vec::new() });
}
