//! Inlining: locations are made when control first reaches them.

use super::{
    Atomicity, Cell, Check, Expression, FrameAt, Location, LocationId, Place, Refusal, Start, Step, Template,
    Write, live,
};
use crate::boolean::cfg::{self, Copy, NodeId, Op, ProcedureId, Program, Scope, Target, Time, VariableId};
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use indexmap::IndexSet;

/// The most locations of a template. Calls that call twice each double with every level.
const MOST_LOCATIONS: usize = 1 << 18;

/// What makes a location.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Position {
    frames: Vec<FrameAt>,
    atomicity: Atomicity,
}

/// The parts of a parallel assignment.
struct Assignment<'p> {
    targets: &'p [Target],
    values: &'p [cfg::Expression],
    constrain: Option<&'p cfg::Expression>,
}

struct Builder<'p> {
    program: &'p Program,
    positions: IndexSet<Position>,
    slots: usize,
}

pub(super) fn build(program: &Program, limits: &Limits) -> Result<Template, Refusal> {
    let mut builder = Builder { program, positions: IndexSet::new(), slots: 0 };
    let start = builder.entry(program.entry);
    let mut locations: IndexVec<LocationId, Location> = IndexVec::new();
    while let Some(position) = builder.positions.get_index(locations.len()).cloned() {
        limits.check()?;
        if builder.positions.len() > MOST_LOCATIONS {
            let text = format!("more than {MOST_LOCATIONS} locations when calls are inlined");
            return Err(Stop::Bound(text).into());
        }
        let location = builder.location(position)?;
        locations.push(location);
    }
    let mut template = Template { locations, start, shared: program.global_count, slots: builder.slots };
    live::compute(program, &mut template);
    Ok(template)
}

impl<'p> Builder<'p> {
    fn intern(&mut self, frames: Vec<FrameAt>, atomicity: Atomicity) -> LocationId {
        let top = frames.last().expect("a location has a frame");
        self.slots = self.slots.max(top.base + self.frame_size(top.procedure));
        let (number, _) = self.positions.insert_full(Position { frames, atomicity });
        crate::ground::index::Index::new(number)
    }

    fn frame_size(&self, procedure: ProcedureId) -> usize {
        self.program.procedures[procedure].locals.len()
    }

    /// Where a thread that runs a procedure starts.
    fn entry(&mut self, procedure: ProcedureId) -> LocationId {
        let node = self.program.procedures[procedure].entry;
        self.intern(vec![FrameAt { node, procedure, base: 0 }], Atomicity::Free)
    }

    fn location(&mut self, position: Position) -> Result<Location, Refusal> {
        let top = *position.frames.last().expect("a location has a frame");
        let enforce = self.program.procedures[top.procedure].enforce.as_ref();
        let enforce = enforce.map(|enforce| self.expression(enforce, top.base, &[]));
        let checks = self.checks(top);
        let steps = self.steps(&position, top)?;
        let Position { frames, atomicity } = position;
        Ok(Location { frames, atomicity, enforce, checks, steps, live: Vec::new() })
    }

    fn checks(&self, top: FrameAt) -> Vec<Check> {
        let node = &self.program.nodes[top.node];
        let forbidden = node.forbidden.iter().map(|&property| Check {
            property,
            condition: Expression::constant(false),
            audience: None,
        });
        let mut checks: Vec<Check> = forbidden.collect();
        if let Op::Assert(condition, property) = &node.op {
            let condition = self.expression(condition, top.base, &[]);
            let audience = mentions_passive(&condition).then_some(top.procedure);
            checks.push(Check { property: *property, condition, audience });
        }
        checks
    }

    fn steps(&mut self, position: &Position, top: FrameAt) -> Result<Vec<Step>, Refusal> {
        let program = self.program;
        let node = &program.nodes[top.node];
        let step = match &node.op {
            Op::Skip => {
                let goes = |this: &mut Self, next| this.plain(position, top, next, position.atomicity);
                return Ok(node.successors.iter().map(|&next| goes(self, next)).collect());
            }
            Op::Assume(condition) | Op::Assert(condition, _) => self.assume(position, top, condition),
            Op::Assign { targets, values, constrain } => {
                let constrain = constrain.as_ref();
                self.assign(position, top, &Assignment { targets, values, constrain })
            }
            Op::Call { procedure, arguments, .. } => self.call(position, top, *procedure, arguments)?,
            Op::Return(values) => self.give_back(position, top, values),
            Op::StartLabel(label) => self.start_label(position, top, *label),
            Op::StartThread { procedure, arguments } => {
                self.start_thread(position, top, *procedure, arguments)
            }
            Op::EndThread => ending(top.node),
            Op::AtomicBegin => self.plain(position, top, node.successors[0], Atomicity::Held),
            Op::AtomicEnd => self.plain(position, top, node.successors[0], Atomicity::Free),
        };
        Ok(vec![step])
    }

    /// A step that only moves control.
    fn plain(&mut self, position: &Position, top: FrameAt, next: NodeId, atomicity: Atomicity) -> Step {
        let mut frames = position.frames.clone();
        frames.last_mut().expect("a location has a frame").node = next;
        let target = self.intern(frames, atomicity);
        Step { target: Some(target), ..ending(top.node) }
    }

    fn goes_on(&mut self, position: &Position, top: FrameAt) -> Step {
        let next = self.program.nodes[top.node].successors[0];
        self.plain(position, top, next, position.atomicity)
    }

    fn assume(&mut self, position: &Position, top: FrameAt, condition: &cfg::Expression) -> Step {
        let condition = self.expression(condition, top.base, &[]);
        let audience = mentions_passive(&condition).then_some(top.procedure);
        Step { assume: Some(condition), audience, ..self.goes_on(position, top) }
    }

    fn assign(&mut self, position: &Position, top: FrameAt, assignment: &Assignment<'_>) -> Step {
        let base = top.base;
        let written: Vec<Cell> =
            assignment.targets.iter().map(|target| self.cell(target.variable, target.copy, base)).collect();
        let values = assignment.values.iter().map(|value| self.expression(value, base, &[]));
        let writes: Vec<Write> =
            written.iter().zip(values).map(|(&cell, value)| Write { cell, value: Some(value) }).collect();
        let constrain = assignment.constrain.map(|constrain| self.expression(constrain, base, &written));
        let is_passive = |write: &Write| {
            matches!(write.cell, Cell::Passive(_)) || write.value.as_ref().is_some_and(mentions_passive)
        };
        let passive = writes.iter().any(is_passive) || constrain.as_ref().is_some_and(mentions_passive);
        let audience = passive.then_some(top.procedure);
        Step { writes, constrain, audience, ..self.goes_on(position, top) }
    }

    fn call(
        &mut self,
        position: &Position,
        top: FrameAt,
        procedure: ProcedureId,
        arguments: &[cfg::Expression],
    ) -> Result<Step, Refusal> {
        if let Some(first) = position.frames.iter().position(|frame| frame.procedure == procedure) {
            let name = |frame: &FrameAt| self.program.procedures[frame.procedure].name.to_string();
            let mut cycle: Vec<String> = position.frames[first..].iter().map(name).collect();
            cycle.push(self.program.procedures[procedure].name.to_string());
            return Err(Refusal::Recursion(cycle));
        }
        let base = top.base + self.frame_size(top.procedure);
        let first = self.first_slots(procedure, arguments, top.base);
        let slots = first.into_iter().enumerate();
        let writes = slots.map(|(slot, value)| Write { cell: Cell::Slot(base + slot), value }).collect();
        let mut frames = position.frames.clone();
        frames.push(FrameAt { node: self.program.procedures[procedure].entry, procedure, base });
        let target = self.intern(frames, position.atomicity);
        Ok(Step { writes, target: Some(target), ..ending(top.node) })
    }

    /// The values in the first frame of a procedure that gets these arguments from a frame with this base.
    fn first_slots(
        &self,
        procedure: ProcedureId,
        arguments: &[cfg::Expression],
        base: usize,
    ) -> Vec<Option<Expression>> {
        let mut slots: Vec<_> =
            arguments.iter().map(|argument| Some(self.expression(argument, base, &[]))).collect();
        slots.resize(self.frame_size(procedure), None);
        slots
    }

    fn give_back(&mut self, position: &Position, top: FrameAt, values: &[cfg::Expression]) -> Step {
        let [callers @ .., _] = &position.frames[..] else { return ending(top.node) };
        let Some(caller) = callers.last() else { return ending(top.node) };
        let program = self.program;
        let Op::Call { results, .. } = &program.nodes[caller.node].op else {
            unreachable!("a frame below the top is at a call")
        };
        let assigned = results.iter().zip(values).filter_map(|(result, value)| Some(((*result)?, value)));
        let write = |(variable, value): (VariableId, &cfg::Expression)| Write {
            cell: self.cell(variable, Copy::Own, caller.base),
            value: Some(self.expression(value, top.base, &[])),
        };
        let writes = assigned.map(write).collect();
        let mut frames = callers.to_vec();
        let next = program.nodes[caller.node].successors[0];
        frames.last_mut().expect("there is a caller").node = next;
        let target = self.intern(frames, position.atomicity);
        Step { writes, target: Some(target), ..ending(top.node) }
    }

    fn start_label(&mut self, position: &Position, top: FrameAt, label: NodeId) -> Step {
        let location = self.intern(vec![FrameAt { node: label, base: 0, ..top }], Atomicity::Free);
        let own = (top.base..top.base + self.frame_size(top.procedure)).map(Cell::Slot);
        let slots = own.map(|cell| Some(Expression::variable(Place::now(cell)))).collect();
        Step { starts: Some(Start { location, slots }), ..self.goes_on(position, top) }
    }

    fn start_thread(
        &mut self,
        position: &Position,
        top: FrameAt,
        procedure: ProcedureId,
        arguments: &[cfg::Expression],
    ) -> Step {
        let location = self.entry(procedure);
        let slots = self.first_slots(procedure, arguments, top.base);
        Step { starts: Some(Start { location, slots }), ..self.goes_on(position, top) }
    }

    fn cell(&self, variable: VariableId, copy: Copy, base: usize) -> Cell {
        match (self.program.variables[variable].scope, copy) {
            (Scope::Global(position), _) => Cell::Shared(position),
            (Scope::Local(_, position), Copy::Own) => Cell::Slot(base + position),
            (Scope::Local(_, position), Copy::Passive) => Cell::Passive(position),
        }
    }

    /// An expression of a frame with this base. The next value of what is not written is the current one.
    fn expression(&self, expression: &cfg::Expression, base: usize, written: &[Cell]) -> Expression {
        let place = |read: &cfg::Read| -> Result<Place, std::convert::Infallible> {
            let cell = self.cell(read.variable, read.copy, base);
            Ok(Place { cell, time: if written.contains(&cell) { read.time } else { Time::Now } })
        };
        match expression.try_map(place) {
            Ok(expression) => expression,
        }
    }
}

fn mentions_passive(expression: &Expression) -> bool {
    expression.variables().any(|place| matches!(place.cell, Cell::Passive(_)))
}

/// The step that ends the thread; the others are made from it.
fn ending(node: NodeId) -> Step {
    Step {
        node,
        assume: None,
        writes: Vec::new(),
        constrain: None,
        audience: None,
        target: None,
        starts: None,
    }
}
