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

mod step;
mod values;

use super::compact::Reduced;
use crate::boolean::cfg::{NodeId, Op, Program};
use crate::boolean::trace::{Action, Segment, SegmentId, Step, Trace, View};
use crate::ground::bits::Bits;
use crate::ground::index::IndexVec;
use std::collections::HashMap;

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
