//! Replay of a trace: is it a run of the program, and does it violate its property?
//!
//! The whole state is rebuilt from the views and every step is put to [`Interpreter::permits`]. A step
//! looks at the two topmost frames of its thread only, so the rest of the stack is set aside during
//! the test: replay is linear in the trace however deep the recursion.
//!
//! A segment is checked once, alone: on a stack that holds only the callee's frame, in a state that has
//! no other thread. Nothing the callee does looks below its frame, so the check is good for every use,
//! with two exceptions: a section entered or left inside is carried over to the user's state, and a
//! segment with `$` statements is refused where other threads live.

use super::mismatch::{Mismatch, Place};
use crate::boolean::cfg::{Copy, Expression, NodeId, Op, Program};
use crate::boolean::interpret::{Frame, Interpreter, State, Thread, Threads};
use crate::boolean::trace::{Action, Segment, SegmentId, Step, Trace, View};
use crate::ground::index::{Index, IndexVec};

/// Checks that a trace is a run of the program and ends in a violation of its property.
///
/// # Errors
/// The first [`Mismatch`].
pub fn replay(program: &Program, trace: &Trace, threads: Threads) -> Result<(), Mismatch> {
    let mut replay =
        Replay { program, interpreter: Interpreter::new(program, threads), checked: IndexVec::new() };
    for (id, segment) in trace.segments.enumerate() {
        let checked = replay.check_segment(id, segment)?;
        replay.checked.push(checked);
    }
    let mut run = replay.start(&trace.initial, Place::Initial, program.procedures[program.entry].entry)?;
    for (number, step) in trace.steps.iter().enumerate() {
        replay.step(&mut run, step).map_err(|reason| Mismatch { place: Place::Step(number), reason })?;
    }
    let violations = replay.interpreter.violations(&run.state);
    let wanted = run.position(trace.thread).map(|thread| (thread, trace.property));
    if wanted.is_some_and(|wanted| violations.contains(&wanted)) {
        Ok(())
    } else {
        Err(Mismatch { place: Place::End, reason: "the property is not violated".into() })
    }
}

/// What is known of a segment that was checked.
struct Checked<'a> {
    initial: &'a View,
    /// The state before the return.
    last: State,
    section: Section,
    /// Some statement of it has `$`.
    broadcasts: bool,
}

/// What a run of a procedure does to the atomic section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Untouched,
    Entered,
    Left,
}

/// A run as far as it was replayed.
struct Progress {
    state: State,
    /// The lasting numbers of the threads, by position.
    numbers: Vec<usize>,
    upcoming: usize,
    section: Section,
    broadcasts: bool,
}

impl Progress {
    fn position(&self, thread: usize) -> Option<usize> {
        self.numbers.iter().position(|&number| number == thread)
    }
}

struct Replay<'a> {
    program: &'a Program,
    interpreter: Interpreter<'a>,
    checked: IndexVec<SegmentId, Checked<'a>>,
}

impl<'a> Replay<'a> {
    /// A run of one thread from a view at the entry of a procedure.
    fn start(&self, view: &View, place: Place, entry: NodeId) -> Result<Progress, Mismatch> {
        let wrong = |reason: &str| Mismatch { place, reason: reason.into() };
        if view.node != Some(entry) {
            return Err(wrong("the first node is not the entry of the procedure"));
        }
        let frame = Frame { node: entry, locals: view.locals.clone() };
        let threads = vec![Thread { frames: vec![frame] }];
        let state = State { globals: view.globals.clone(), threads, atomic: None };
        if !self.interpreter.well_formed(&state) {
            return Err(wrong("the number of values is not that of the variables"));
        }
        Ok(Progress { state, numbers: vec![0], upcoming: 1, section: Section::Untouched, broadcasts: false })
    }

    fn check_segment(&self, id: SegmentId, segment: &'a Segment) -> Result<Checked<'a>, Mismatch> {
        let place = Place::SegmentInitial(id);
        let node = segment.initial.node.and_then(|node| self.program.nodes.get(node));
        let Some(node) = node else {
            return Err(Mismatch { place, reason: "it starts at no node".into() });
        };
        let entry = self.program.procedures[node.procedure].entry;
        let mut run = self.start(&segment.initial, place, entry)?;
        for (number, step) in segment.steps.iter().enumerate() {
            let alone = Step { thread: 0, ..step.clone() };
            let place = Place::SegmentStep(id, number);
            self.step(&mut run, &alone).map_err(|reason| Mismatch { place, reason })?;
        }
        if !self.is_at_its_return(&run.state) {
            let reason = "it does not end at a return of its procedure".into();
            return Err(Mismatch { place: Place::SegmentEnd(id), reason });
        }
        Ok(Checked {
            initial: &segment.initial,
            last: run.state,
            section: run.section,
            broadcasts: run.broadcasts,
        })
    }

    /// Whether one thread is there, with one frame, before a return.
    fn is_at_its_return(&self, state: &State) -> bool {
        let [thread] = &state.threads[..] else { return false };
        let [frame] = &thread.frames[..] else { return false };
        matches!(self.program.nodes[frame.node].op, Op::Return(_))
    }

    fn step(&self, run: &mut Progress, step: &Step) -> Result<(), String> {
        let Some(thread) = run.position(step.thread) else {
            return Err(format!("thread {} is not running", step.thread));
        };
        if run.state.threads[thread].top().node != step.node {
            return Err("the thread is at another node".into());
        }
        match step.action {
            Action::Single => self.single(run, thread, step),
            Action::Over(segment) => self.over(run, thread, step, segment),
        }
    }

    fn single(&self, run: &mut Progress, thread: usize, step: &Step) -> Result<(), String> {
        let op = &self.program.nodes[step.node].op;
        let below = set_aside(&mut run.state.threads[thread]);
        let next = self.claimed(run, thread, step)?;
        if !self.interpreter.permits(&run.state, thread, &next) {
            return Err("the semantics has no such step".into());
        }
        let ended = next.threads.len() < run.state.threads.len();
        run.state = next;
        if ended {
            run.numbers.remove(thread);
        } else {
            put_back(&mut run.state.threads[thread], below);
        }
        if step.started.is_some() {
            run.numbers.push(run.upcoming);
            run.upcoming += 1;
        }
        run.broadcasts |= self.has_passive(step.node);
        match op {
            Op::AtomicBegin => run.section = Section::Entered,
            Op::AtomicEnd => run.section = Section::Left,
            _ => {}
        }
        Ok(())
    }

    /// The state that a step claims to lead to.
    fn claimed(&self, run: &Progress, thread: usize, step: &Step) -> Result<State, String> {
        let mut next = run.state.clone();
        let op = &self.program.nodes[step.node].op;
        match step.after.node {
            None => next = next.without_thread(thread),
            Some(node) => {
                let frames = &mut next.threads[thread].frames;
                if !matches!(op, Op::Call { .. }) {
                    frames.pop();
                }
                if matches!(op, Op::Return(_)) {
                    frames.pop();
                }
                frames.push(Frame { node, locals: step.after.locals.clone() });
                match op {
                    Op::AtomicBegin => next.atomic = Some(thread),
                    Op::AtomicEnd => next.atomic = None,
                    _ => {}
                }
            }
        }
        next.globals = step.after.globals.clone();
        for change in &step.passive {
            let other = |&position: &usize| position != thread && step.after.node.is_some();
            let position = run.position(change.thread).filter(other);
            let frames = position.and_then(|position| next.threads[position].frames.get_mut(change.depth));
            let frame = frames
                .ok_or_else(|| format!("thread {} is no other thread with such a frame", change.thread))?;
            frame.locals = change.locals.clone();
        }
        match &step.started {
            None => Ok(next),
            Some(view) if view.globals != next.globals => Err("the started thread sees other globals".into()),
            Some(View { node: None, .. }) => Err("the started thread is nowhere".into()),
            Some(View { node: Some(node), locals, .. }) => {
                Ok(next.with_thread(Frame { node: *node, locals: locals.clone() }))
            }
        }
    }

    /// A call told as one step: enter, run, return.
    fn over(&self, run: &mut Progress, thread: usize, step: &Step, id: SegmentId) -> Result<(), String> {
        let Some(segment) = self.checked.get(id) else {
            return Err(format!("it uses segment {}, which does not come before it", id.index()));
        };
        if segment.broadcasts && run.state.threads.len() > 1 {
            return Err("a shared segment has `$` statements, and there are other threads".into());
        }
        if step.started.is_some() || !step.passive.is_empty() {
            return Err("a call that is told as one step touches no other thread".into());
        }
        let below = set_aside(&mut run.state.threads[thread]);
        self.enter(run, thread, step, segment)?;
        self.leave(run, thread, step, segment)?;
        put_back(&mut run.state.threads[thread], below);
        run.broadcasts |= segment.broadcasts;
        if segment.section != Section::Untouched {
            run.section = segment.section;
        }
        Ok(())
    }

    fn enter(&self, run: &Progress, thread: usize, step: &Step, segment: &Checked<'_>) -> Result<(), String> {
        if !matches!(self.program.nodes[step.node].op, Op::Call { .. }) {
            return Err("only a call can be told by a segment".into());
        }
        let mut next = run.state.clone();
        let node = segment.initial.node.ok_or("the segment starts at no node")?;
        next.threads[thread].frames.push(Frame { node, locals: segment.initial.locals.clone() });
        next.globals = segment.initial.globals.clone();
        let permitted = self.interpreter.permits(&run.state, thread, &next);
        permitted.then_some(()).ok_or_else(|| "the call does not lead to the start of the segment".into())
    }

    /// The return from the last state of a segment.
    fn leave(
        &self,
        run: &mut Progress,
        thread: usize,
        step: &Step,
        segment: &Checked<'_>,
    ) -> Result<(), String> {
        let mut before = run.state.clone();
        before.globals = segment.last.globals.clone();
        before.threads[thread].frames.push(segment.last.threads[0].top().clone());
        match segment.section {
            Section::Untouched => {}
            Section::Entered => before.atomic = Some(thread),
            Section::Left => before.atomic = None,
        }
        let mut next = before.clone();
        let node = step.after.node.ok_or("a thread does not end by a return from a call")?;
        let frames = &mut next.threads[thread].frames;
        frames.truncate(frames.len() - 2);
        frames.push(Frame { node, locals: step.after.locals.clone() });
        next.globals = step.after.globals.clone();
        if !self.interpreter.permits(&before, thread, &next) {
            return Err("the return from the segment does not lead there".into());
        }
        run.state = next;
        Ok(())
    }

    /// Whether executing a node reads or writes passive copies.
    fn has_passive(&self, node: NodeId) -> bool {
        let node = &self.program.nodes[node];
        let reads = |e: &Expression| e.variables().any(|read| read.copy == Copy::Passive);
        let by_operation = match &node.op {
            Op::Assume(e) | Op::Assert(e, _) => reads(e),
            Op::Assign { targets, values, constrain } => {
                targets.iter().any(|target| target.copy == Copy::Passive)
                    || values.iter().chain(constrain).any(reads)
            }
            _ => false,
        };
        by_operation || self.program.procedures[node.procedure].enforce.as_ref().is_some_and(reads)
    }
}

/// Takes all but the two topmost frames off a stack.
fn set_aside(thread: &mut Thread) -> Vec<Frame> {
    let top = thread.frames.split_off(thread.frames.len().saturating_sub(2));
    std::mem::replace(&mut thread.frames, top)
}

fn put_back(thread: &mut Thread, mut below: Vec<Frame>) {
    below.append(&mut thread.frames);
    thread.frames = below;
}
