//! From a counterexample of a reduced program back to one of the original.
//!
//! The original program is run along the trace. A thread that is to execute a kept node first goes there
//! through removed nodes (breadth-first: skips, assumptions that always hold, assignments that decide
//! nothing); it goes as late as possible, when it certainly may run. Kept variables take the values of
//! the trace; the others take the first value that the original statement allows: nothing depends on it.
//!
//! A shared segment is lifted once for every start that differs in what was dropped. If a dropped variable
//! keeps changing, there are as many starts as values it takes; a trace that gets too long is given up.
//!
//! Nothing here is trusted: the result is for [`certify::replay`](crate::certify::replay) to judge.

use super::compact::Reduced;
use crate::boolean::cfg::{
    Copy, Expression, NodeId, Op, ProcedureId, Program, Read, Scope, Target, VariableId,
};
use crate::ground::bits::Bits;
use crate::ground::index::{Index, IndexVec};
use crate::trace::{Action, Passive, Segment, SegmentId, Step, Trace, View};
use std::collections::{HashMap, HashSet, VecDeque};

/// How many steps a lifted trace may have.
const LONGEST: usize = 1 << 20;

/// The counterexample of the original program that goes the way of this one of the reduced program.
///
/// # Errors
/// Why the trace cannot be followed: it is no run of the reduced program, or the result gets too long.
pub fn lift(original: &Program, reduced: &Reduced, trace: &Trace) -> Result<Trace, String> {
    let mut lifter = Lifter::new(original, reduced, trace);
    let mut initial = lifter.frame(original.entry);
    let mut globals = Bits::new(original.global_count);
    lifter.overlay(original.entry, &mut initial.locals, &trace.initial.locals)?;
    lifter.overlay_globals(&mut globals, &trace.initial.globals)?;
    let mut main = Run::new(&trace.steps, Home::Trace, globals, initial);
    lifter.run(&mut main)?;
    let end = original.properties.get(trace.property).ok_or("an unknown property")?.node;
    lifter.walk(&mut main, trace.thread, end)?;
    let Lifter { segments, .. } = lifter;
    let Run { initial, lifted: steps, .. } = main;
    Ok(Trace { property: trace.property, thread: trace.thread, initial, steps, segments })
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Frame {
    node: NodeId,
    locals: Bits,
}

/// What is being lifted.
#[derive(Clone, Debug)]
enum Home {
    Trace,
    /// A segment, from this start.
    Segment(SegmentId, View),
}

/// A run of the original program.
struct Run<'t> {
    steps: &'t [Step],
    /// The next of them.
    next: usize,
    home: Home,
    initial: View,
    globals: Bits,
    /// The stacks of the threads, by number; a thread that has ended has none.
    threads: Vec<Vec<Frame>>,
    lifted: Vec<Step>,
}

impl<'t> Run<'t> {
    fn new(steps: &'t [Step], home: Home, globals: Bits, frame: Frame) -> Self {
        let initial = View { node: Some(frame.node), globals: globals.clone(), locals: frame.locals.clone() };
        Self { steps, next: 0, home, initial, globals, threads: vec![vec![frame]], lifted: Vec::new() }
    }

    /// The number of a thread: a segment knows one thread only.
    fn number(&self, thread: usize) -> usize {
        if matches!(self.home, Home::Segment(..)) { 0 } else { thread }
    }

    fn top(&self, thread: usize) -> Result<&Frame, String> {
        let frames = self.threads.get(self.number(thread));
        frames.and_then(|frames| frames.last()).ok_or_else(|| format!("thread {thread} is not running"))
    }

    fn replace_top(&mut self, thread: usize, frame: Frame) {
        let number = self.number(thread);
        if let Some(top) = self.threads[number].last_mut() {
            *top = frame;
        }
    }

    fn view(&self, thread: usize) -> View {
        match self.threads[self.number(thread)].last() {
            None => View { node: None, globals: self.globals.clone(), locals: Bits::default() },
            Some(top) => {
                View { node: Some(top.node), globals: self.globals.clone(), locals: top.locals.clone() }
            }
        }
    }
}

/// A lifted segment.
#[derive(Clone)]
struct Done {
    id: SegmentId,
    globals: Bits,
    last: Frame,
}

struct Lifter<'a> {
    original: &'a Program,
    reduced: &'a Reduced,
    trace: &'a Trace,
    segments: IndexVec<SegmentId, Segment>,
    done: HashMap<(SegmentId, View), Done>,
    length: usize,
}

impl<'a> Lifter<'a> {
    fn new(original: &'a Program, reduced: &'a Reduced, trace: &'a Trace) -> Self {
        Self { original, reduced, trace, segments: IndexVec::new(), done: HashMap::new(), length: 0 }
    }

    /// Lifts a run and the segments it needs, innermost first, with a stack of its own.
    fn run(&mut self, main: &mut Run<'a>) -> Result<(), String> {
        let mut inner: Vec<Run<'a>> = Vec::new();
        loop {
            let run = inner.last_mut().unwrap_or(main);
            let Some(step) = run.steps.get(run.next) else {
                match inner.pop() {
                    None => return Ok(()),
                    Some(finished) => self.finish_segment(finished)?,
                }
                continue;
            };
            self.walk(run, step.thread, self.original_node(step.node)?)?;
            match step.action {
                Action::Single => self.single(run, step)?,
                Action::Over(id) => {
                    if let Some(callee) = self.over(run, step, id)? {
                        inner.push(callee);
                        continue;
                    }
                }
            }
            run.next += 1;
            self.length += 1;
            if self.length > LONGEST {
                return Err(format!("the trace of the original program has more than {LONGEST} steps"));
            }
        }
    }

    fn original_node(&self, node: NodeId) -> Result<NodeId, String> {
        let known = self.reduced.program.nodes.get(node).is_some();
        known.then(|| self.reduced.nodes.original(node)).ok_or_else(|| "an unknown node".into())
    }

    /// A frame of a procedure at its entry, all values false.
    fn frame(&self, procedure: ProcedureId) -> Frame {
        let procedure = &self.original.procedures[procedure];
        Frame { node: procedure.entry, locals: Bits::new(procedure.locals.len()) }
    }

    fn is_kept(&self, variable: VariableId) -> bool {
        self.reduced.variables.reduced(variable).is_some()
    }

    /// Writes the values that the reduced program has of the globals over those of the original.
    fn overlay_globals(&self, globals: &mut Bits, values: &Bits) -> Result<(), String> {
        if values.len() != self.reduced.program.global_count {
            return Err("the number of values is not that of the globals".into());
        }
        for (number, value) in values.iter().enumerate() {
            globals.set(self.reduced.variables.original(VariableId::new(number)).index(), value);
        }
        Ok(())
    }

    /// The same for the locals of a procedure of the original program.
    fn overlay(&self, procedure: ProcedureId, locals: &mut Bits, values: &Bits) -> Result<(), String> {
        let reduced = self.reduced.procedures.reduced(procedure).ok_or("a procedure that was dropped")?;
        let kept = &self.reduced.program.procedures[reduced].locals;
        if values.len() != kept.len() {
            return Err("the number of values is not that of the locals".into());
        }
        for (&variable, value) in kept.iter().zip(values.iter()) {
            let variable = self.reduced.variables.original(variable);
            if let Scope::Local(_, position) = self.original.variables[variable].scope {
                locals.set(position, value);
            }
        }
        Ok(())
    }

    fn read(&self, globals: &Bits, locals: &Bits, variable: VariableId) -> bool {
        match self.original.variables[variable].scope {
            Scope::Global(position) => globals.get(position),
            Scope::Local(_, position) => locals.get(position),
        }
    }

    fn write(&self, globals: &mut Bits, locals: &mut Bits, variable: VariableId, value: bool) {
        match self.original.variables[variable].scope {
            Scope::Global(position) => globals.set(position, value),
            Scope::Local(_, position) => locals.set(position, value),
        }
    }

    /// Some value that an expression over the old state can have.
    fn any_value(&self, globals: &Bits, locals: &Bits, value: &Expression) -> bool {
        let values = value.values(|read: &Read| self.read(globals, locals, read.variable));
        !values.can_be_false
    }

    /// Takes a thread to a node through removed nodes.
    fn walk(&mut self, run: &mut Run<'_>, thread: usize, target: NodeId) -> Result<(), String> {
        let frame = run.top(thread)?.clone();
        let way = self
            .way(&run.globals, frame, target)
            .ok_or("a node that the original program does not come to")?;
        for (node, globals, frame) in way {
            run.globals = globals;
            run.replace_top(thread, frame);
            let after = run.view(thread);
            run.lifted.push(Step {
                thread,
                node,
                action: Action::Single,
                after,
                started: None,
                passive: vec![],
            });
            self.length += 1;
        }
        Ok(())
    }

    /// The nodes executed on the way to a node, with what follows them.
    fn way(&self, globals: &Bits, frame: Frame, target: NodeId) -> Option<Vec<(NodeId, Bits, Frame)>> {
        let mut seen = HashSet::from([frame.node]);
        let mut reached = vec![(None, globals.clone(), frame)];
        let mut work = VecDeque::from([0]);
        while let Some(number) = work.pop_front() {
            let (_, globals, frame) = &reached[number];
            if frame.node == target {
                return Some(unwind(&reached, number));
            }
            for (globals, frame) in self.silent(globals, frame) {
                if seen.insert(frame.node) {
                    work.push_back(reached.len());
                    reached.push((Some(number), globals, frame));
                }
            }
        }
        None
    }

    /// The steps of a removed node.
    fn silent(&self, globals: &Bits, frame: &Frame) -> Vec<(Bits, Frame)> {
        let node = &self.original.nodes[frame.node];
        if self.reduced.nodes.reduced(frame.node).is_some() {
            return Vec::new();
        }
        let can_be_true = |condition: &Expression| {
            super::stars::reads_passive(condition)
                || condition.values(|read| self.read(globals, &frame.locals, read.variable)).can_be_true
        };
        let (mut globals, mut locals) = (globals.clone(), frame.locals.clone());
        let passes = match &node.op {
            Op::Skip => true,
            Op::Assume(condition) | Op::Assert(condition, _) => can_be_true(condition),
            Op::Assign { targets, values, .. } => {
                self.assign_dropped(&mut globals, &mut locals, targets, values);
                true
            }
            _ => false,
        };
        let next = |&node| (globals.clone(), Frame { node, locals: locals.clone() });
        if passes { node.successors.iter().map(next).collect() } else { Vec::new() }
    }

    /// Gives the dropped targets of an assignment their new values.
    fn assign_dropped(
        &self,
        globals: &mut Bits,
        locals: &mut Bits,
        targets: &[Target],
        values: &[Expression],
    ) {
        let dropped = targets.iter().zip(values);
        let dropped =
            dropped.filter(|(target, _)| target.copy == Copy::Own && !self.is_kept(target.variable));
        let new: Vec<(VariableId, bool)> = dropped
            .map(|(target, value)| (target.variable, self.any_value(globals, locals, value)))
            .collect();
        for (variable, value) in new {
            self.write(globals, locals, variable, value);
        }
    }

    /// A callee's first frame; the values of its kept variables are given.
    fn entered(
        &self,
        run: &Run<'_>,
        caller: &Frame,
        procedure: ProcedureId,
        arguments: &[Expression],
        kept: &Bits,
    ) -> Result<Frame, String> {
        let mut frame = self.frame(procedure);
        for (position, argument) in arguments.iter().enumerate() {
            frame.locals.set(position, self.any_value(&run.globals, &caller.locals, argument));
        }
        self.overlay(procedure, &mut frame.locals, kept)?;
        Ok(frame)
    }

    /// Executes the node that a thread is at, as the step tells.
    fn single(&mut self, run: &mut Run<'a>, step: &Step) -> Result<(), String> {
        let original = self.original;
        let top = run.top(step.thread)?.clone();
        let (number, node) = (run.number(step.thread), &original.nodes[top.node]);
        let mut started = None;
        match &node.op {
            Op::Call { procedure, arguments, .. } => {
                let frame = self.entered(run, &top, *procedure, arguments, &step.after.locals)?;
                run.threads[number].push(frame);
            }
            Op::Return(_) => self.leave(run, step, top.clone())?,
            Op::EndThread => run.threads[number].clear(),
            op => {
                if let Some(view) = &step.started {
                    started = Some(self.start(run, &top, op, view)?);
                }
                self.go_on(run, step, top.clone())?;
            }
        }
        self.overlay_globals(&mut run.globals, &step.after.globals)?;
        let passive = self.passive(run, step)?;
        let started = started.map(|number| run.view(number));
        let after = run.view(step.thread);
        run.lifted.push(Step { node: top.node, after, started, passive, ..step.clone() });
        Ok(())
    }

    /// A step within a frame.
    fn go_on(&self, run: &mut Run<'a>, step: &Step, mut top: Frame) -> Result<(), String> {
        let node = &self.original.nodes[top.node];
        if let Op::Assign { targets, values, .. } = &node.op {
            self.assign_dropped(&mut run.globals, &mut top.locals, targets, values);
        }
        self.overlay(node.procedure, &mut top.locals, &step.after.locals)?;
        top.node = match &node.successors[..] {
            [only] => *only,
            several => {
                let target = self.original_node(step.after.node.ok_or("a thread that ends by a jump")?)?;
                let leads = |&&node: &&NodeId| {
                    self.way(&run.globals, Frame { node, locals: top.locals.clone() }, target).is_some()
                };
                *several.iter().find(leads).ok_or("a jump that the original program does not have")?
            }
        };
        run.replace_top(step.thread, top);
        Ok(())
    }

    /// Starts a thread and tells its number.
    fn start(&self, run: &mut Run<'a>, top: &Frame, op: &Op, view: &View) -> Result<usize, String> {
        let frame = match op {
            Op::StartLabel(label) => Frame { node: *label, locals: top.locals.clone() },
            Op::StartThread { procedure, arguments } => {
                self.entered(run, top, *procedure, arguments, &view.locals)?
            }
            _ => return Err("a thread is started by a step that starts none".into()),
        };
        run.threads.push(vec![frame]);
        Ok(run.threads.len() - 1)
    }

    /// Returns from the frame that is given and on top.
    fn leave(&self, run: &mut Run<'a>, step: &Step, callee: Frame) -> Result<(), String> {
        let number = run.number(step.thread);
        run.threads[number].pop();
        if run.threads[number].is_empty() {
            return Ok(());
        }
        self.returned(run, step, &callee)
    }

    /// Goes on behind a call, its callee being about to return.
    fn returned(&self, run: &mut Run<'a>, step: &Step, callee: &Frame) -> Result<(), String> {
        let mut caller = run.top(step.thread)?.clone();
        let call = &self.original.nodes[caller.node];
        let (Op::Call { results, .. }, Op::Return(values)) = (&call.op, &self.original.nodes[callee.node].op)
        else {
            return Err("a return that does not match a call".into());
        };
        let before = run.globals.clone();
        for (result, value) in results.iter().zip(values) {
            let Some(variable) = result.filter(|&variable| !self.is_kept(variable)) else { continue };
            let value = self.any_value(&before, &callee.locals, value);
            self.write(&mut run.globals, &mut caller.locals, variable, value);
        }
        self.overlay(call.procedure, &mut caller.locals, &step.after.locals)?;
        caller.node = *call.successors.first().ok_or("a call that leads nowhere")?;
        run.replace_top(step.thread, caller);
        Ok(())
    }

    /// What a broadcast did to other threads.
    fn passive(&self, run: &mut Run<'a>, step: &Step) -> Result<Vec<Passive>, String> {
        let mut changes = Vec::new();
        for change in &step.passive {
            let frames = run.threads.get_mut(change.thread);
            let frame =
                frames.and_then(|frames| frames.get_mut(change.depth)).ok_or("a change of no frame")?;
            let procedure = self.original.nodes[frame.node].procedure;
            self.overlay(procedure, &mut frame.locals, &change.locals)?;
            changes.push(Passive { locals: frame.locals.clone(), ..change.clone() });
        }
        Ok(changes)
    }

    /// A call told as one step. If its segment is not lifted from here yet: the run that has to be lifted first.
    fn over(&mut self, run: &mut Run<'a>, step: &Step, id: SegmentId) -> Result<Option<Run<'a>>, String> {
        let trace = self.trace;
        let segment = trace.segments.get(id).ok_or("an unknown segment")?;
        let top = run.top(step.thread)?.clone();
        let Op::Call { procedure, arguments, .. } = &self.original.nodes[top.node].op else {
            return Err("only a call can be told by a segment".into());
        };
        let frame = self.entered(run, &top, *procedure, arguments, &segment.initial.locals)?;
        let view =
            View { node: Some(frame.node), globals: run.globals.clone(), locals: frame.locals.clone() };
        let Some(done) = self.done.get(&(id, view.clone())).cloned() else {
            if matches!(run.home, Home::Segment(outer, _) if outer <= id) {
                return Err("a segment that uses a later one".into());
            }
            return Ok(Some(Run::new(&segment.steps, Home::Segment(id, view), run.globals.clone(), frame)));
        };
        run.globals = done.globals;
        self.returned(run, step, &done.last)?;
        self.overlay_globals(&mut run.globals, &step.after.globals)?;
        let after = run.view(step.thread);
        run.lifted.push(Step { node: top.node, action: Action::Over(done.id), after, ..step.clone() });
        Ok(None)
    }

    fn finish_segment(&mut self, mut run: Run<'a>) -> Result<(), String> {
        let Home::Segment(id, start) = run.home.clone() else { return Ok(()) };
        let segment = &self.trace.segments[id];
        let view = segment.steps.last().map_or(&segment.initial, |step| &step.after);
        let end = self.original_node(view.node.ok_or("a segment whose thread ends")?)?;
        self.walk(&mut run, 0, end)?;
        let last = run.top(0)?.clone();
        let lifted = self.segments.push(Segment { initial: run.initial, steps: run.lifted });
        self.done.insert((id, start), Done { id: lifted, globals: run.globals, last });
        Ok(())
    }
}

/// The way to an entry of a search, from its start.
fn unwind(reached: &[(Option<usize>, Bits, Frame)], mut number: usize) -> Vec<(NodeId, Bits, Frame)> {
    let mut way = Vec::new();
    while let (Some(previous), globals, frame) = &reached[number] {
        way.push((reached[*previous].2.node, globals.clone(), frame.clone()));
        number = *previous;
    }
    way.reverse();
    way
}
