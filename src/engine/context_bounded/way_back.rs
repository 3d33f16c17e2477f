//! From a run of the sequential program back to a run of the threads.
//!
//! The sequential run tells the steps of one thread after those of another. Each step belongs to a context; put in the
//! order of contexts, the steps are the run of the threads.

use super::sequential::{Meaning, Sequential};
use crate::boolean::cfg::{NodeId, Op, Program, PropertyId};
use crate::boolean::trace::{Action, Step, Trace, View};
use crate::ground::bits::Bits;
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;

/// The longest run that is written down, in steps of the sequential program.
const STEPS: usize = 1 << 22;

/// A step of a thread.
struct Event {
    context: usize,
    /// The thread, in the order in which the sequential program runs them.
    thread: usize,
    node: NodeId,
    after: View,
    start: Option<Start>,
}

/// A thread that a step started.
struct Start {
    /// Its first view.
    view: View,
    /// Which one it is, if it ever runs.
    thread: Option<usize>,
}

/// A frame of the sequential run.
enum Frame {
    /// Of a procedure of the source; whether it is the first one of its thread.
    Source { first: bool },
    /// Of `<run …>`: the event that started the thread.
    Runner(usize),
    /// Of another procedure of the scheduler.
    Scheduler,
}

/// The run of the threads.
///
/// # Errors
/// It is too long to be written down.
pub fn threads_of(source: &Program, sequential: &Sequential, trace: &Trace) -> Result<Trace, Stop> {
    let mut walk = Walk::new(source, sequential, trace.initial.clone());
    for step in flat(trace, &sequential.program)? {
        walk.step(&step);
    }
    Ok(walk.finish(trace.property))
}

/// All steps one by one: calls that were told as one step are opened.
fn flat(trace: &Trace, program: &Program) -> Result<Vec<Step>, Stop> {
    let mut found = Vec::new();
    // What is left of each open call, and the step that tells the call as a whole.
    let mut open = vec![(trace.steps.iter(), None::<&Step>)];
    while let Some((steps, _)) = open.last_mut() {
        if found.len() > STEPS {
            return Err(Stop::Bound(format!("a counterexample has more than {STEPS} steps")));
        }
        match (steps.next(), found.last()) {
            (Some(step), _) => match step.action {
                Action::Single => found.push(step.clone()),
                Action::Over(segment) => {
                    let segment = &trace.segments[segment];
                    found.push(Step {
                        action: Action::Single,
                        after: segment.initial.clone(),
                        ..step.clone()
                    });
                    open.push((segment.steps.iter(), Some(step)));
                }
            },
            (None, last) => {
                let (_, Some(call)) = open.pop().expect("there is one") else { break };
                let at = last.and_then(|step| step.after.node).expect("a callee was entered");
                debug_assert!(matches!(program.nodes[at].op, Op::Return(_)));
                found.push(Step { action: Action::Single, node: at, ..call.clone() });
            }
        }
    }
    Ok(found)
}

struct Walk<'a> {
    source: &'a Program,
    sequential: &'a Sequential,
    /// What the procedure on top sees before the step at hand.
    view: View,
    frames: Vec<Frame>,
    /// The threads that are being run; the last one runs.
    running: Vec<usize>,
    /// The first views of all threads that ever run.
    threads: Vec<View>,
    events: Vec<Event>,
    /// The context and the thread of the violation, and how many events there were.
    failed: Option<(usize, usize)>,
}

impl<'a> Walk<'a> {
    fn new(source: &'a Program, sequential: &'a Sequential, view: View) -> Self {
        let frames = vec![Frame::Scheduler];
        let (running, threads, events) = Default::default();
        Self { source, sequential, view, frames, running, threads, events, failed: None }
    }

    fn context(&self) -> usize {
        self.sequential.layout.context_in(&self.view.globals)
    }

    /// What a thread of the source sees.
    fn seen(&self, view: &View) -> View {
        let globals: Bits = view.globals.iter().take(self.source.global_count).collect();
        let node = view.node.and_then(|node| self.sequential.marks[node].at);
        View { node, globals, locals: view.locals.clone() }
    }

    fn step(&mut self, step: &Step) {
        let mark = self.sequential.marks[step.node];
        match (mark.meaning, mark.at) {
            (Meaning::Step, Some(at)) => {
                let after = self.after_step(step);
                self.event(at, after, None);
            }
            (Meaning::End, Some(at)) => {
                let after = self.ended(step);
                self.event(at, after, None);
            }
            (Meaning::Start, Some(at)) => self.start(at, step),
            (Meaning::Fail(_), _) => {
                self.failed = self.running.last().map(|&thread| (self.context(), thread));
            }
            _ => {}
        }
        match &self.sequential.program.nodes[step.node].op {
            Op::Call { .. } => self.enter(mark.meaning, step),
            Op::Return(_) => self.leave(),
            _ => {}
        }
        self.view = step.after.clone();
    }

    fn event(&mut self, node: NodeId, after: View, start: Option<Start>) {
        if let Some(&thread) = self.running.last() {
            self.events.push(Event { context: self.context(), thread, node, after, start });
        }
    }

    /// What the thread sees after its step.
    fn after_step(&self, step: &Step) -> View {
        let returns = matches!(self.sequential.program.nodes[step.node].op, Op::Return(_));
        if returns && matches!(self.frames.last(), Some(Frame::Source { first: true })) {
            return self.ended(step);
        }
        self.seen(&step.after)
    }

    /// What a thread sees that has ended.
    fn ended(&self, step: &Step) -> View {
        View { node: None, locals: Bits::default(), ..self.seen(&step.after) }
    }

    /// A thread starts another. The new one has the arguments of `<run …>`, and other values if it ever runs.
    fn start(&mut self, at: NodeId, step: &Step) {
        let node = &self.source.nodes[at];
        let after = View { node: Some(node.successors[0]), ..self.seen(&self.view) };
        let (procedure, first) = match &node.op {
            Op::StartThread { procedure, .. } => (*procedure, self.source.procedures[*procedure].entry),
            Op::StartLabel(target) => (self.source.nodes[*target].procedure, *target),
            _ => unreachable!("it starts a thread"),
        };
        let count = self.source.procedures[procedure].locals.len();
        let given = step.after.locals.iter().chain(std::iter::repeat(false));
        let view =
            View { node: Some(first), globals: after.globals.clone(), locals: given.take(count).collect() };
        self.event(at, after, Some(Start { view, thread: None }));
    }

    fn enter(&mut self, meaning: Meaning, step: &Step) {
        let frame = match meaning {
            Meaning::Start => Frame::Runner(self.events.len() - 1),
            Meaning::Step => Frame::Source { first: false },
            Meaning::Begin => {
                self.begin(step);
                Frame::Source { first: true }
            }
            _ => Frame::Scheduler,
        };
        self.frames.push(frame);
    }

    /// A thread begins to run.
    fn begin(&mut self, step: &Step) {
        let thread = self.threads.len();
        let view = self.seen(&step.after);
        if let Some(Frame::Runner(event)) = self.frames.last()
            && let Some(start) = &mut self.events[*event].start
        {
            start.thread = Some(thread);
            start.view.locals = view.locals.clone();
        }
        self.threads.push(view);
        self.running.push(thread);
    }

    fn leave(&mut self) {
        if matches!(self.frames.pop(), Some(Frame::Source { first: true })) {
            self.running.pop();
        }
    }

    /// The steps up to the violation, in the order of contexts, with threads numbered as they are started.
    fn finish(mut self, property: PropertyId) -> Trace {
        let (last, violator) = self.failed.unwrap_or((0, 0));
        self.events.retain(|event| event.context <= last);
        self.events.sort_by_key(|event| event.context);
        let mut numbers = vec![0; self.threads.len()];
        let mut upcoming = 1;
        let mut steps = Vec::with_capacity(self.events.len());
        for event in self.events {
            if let Some(started) = event.start.as_ref() {
                started.thread.into_iter().for_each(|thread| numbers[thread] = upcoming);
                upcoming += 1;
            }
            steps.push(Step {
                thread: numbers[event.thread],
                node: event.node,
                action: Action::Single,
                after: event.after,
                started: event.start.map(|start| start.view),
                passive: Vec::new(),
            });
        }
        let (initial, thread) = (self.threads.swap_remove(0), numbers[violator]);
        Trace { property, thread, initial, steps, segments: IndexVec::new() }
    }
}
