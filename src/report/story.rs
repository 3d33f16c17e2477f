//! A counterexample told as a list of lines: what both the text and the JSON report print.
//!
//! A [`Trace`] tells every step with the executing thread's view after it, and calls that have returned
//! may be folded into shared segments. The story unfolds them as far as its budget allows, follows the
//! call stacks of all threads, and tells of each line only what the reader does not know yet: the values
//! that the line reads for the first time, and the values that it changes. In the short form, steps
//! without interest (jumps, `skip`, passed assertions, …) are left out; their effects, if any, are not.

use super::frames::{Frames, Known, Locals, Telling};
use crate::boolean::cfg::{Node, NodeId, Op, Origin, Program, PropertyId, VariableId};
use crate::boolean::trace::{Action, Segment, SegmentId, Step, Trace};
use crate::certify;
use crate::ground::bits::Bits;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::Span;

/// How much is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// What matters.
    Short,
    /// Every step.
    Full,
}

impl Length {
    /// How many steps inside folded calls are unfolded.
    fn unfolded_steps(self) -> u64 {
        match self {
            Self::Short => 200,
            Self::Full => 100_000,
        }
    }

    /// How many lines are kept; of a longer story the middle is left out.
    fn lines(self) -> usize {
        match self {
            Self::Short => 400,
            Self::Full => 100_000,
        }
    }
}

/// The value of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// The variable.
    pub variable: VariableId,
    /// Its value.
    pub value: bool,
}

/// A variable that has another value after a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Whose variable it is, if it is another thread's (a broadcast).
    pub thread: Option<usize>,
    /// The variable.
    pub variable: VariableId,
    /// The value before, if the story has told it.
    pub before: Option<bool>,
    /// The value after.
    pub after: bool,
}

/// What a line tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A statement is executed.
    Statement,
    /// The condition of an `if` or `while` holds.
    Taken,
    /// The condition of an `if` or `while` does not hold.
    NotTaken,
    /// A procedure ends without `return`.
    End,
    /// A thread was started: it has this number.
    Started(usize),
    /// A call and so many steps up to its return, which are not told.
    Folded(u64),
    /// So many lines are left out here.
    Gap(usize),
    /// Here the property is violated.
    Violation,
}

/// One line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The thread.
    pub thread: usize,
    /// How many calls deep.
    pub depth: usize,
    /// The node.
    pub node: NodeId,
    /// Where it stands in the source.
    pub span: Span,
    /// What happens.
    pub what: What,
    /// Values that matter here and were not told before.
    pub given: Vec<Value>,
    /// Values that the line changes.
    pub changes: Vec<Change>,
}

/// A counterexample as a list of lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Story {
    /// The property it violates.
    pub property: PropertyId,
    /// How many threads take part.
    pub threads: usize,
    /// How many steps the run has, those in folded calls included (as far as 64 bits can count).
    pub steps: u64,
    /// How many times the run goes from one thread to another.
    pub switches: usize,
    /// The initial values that matter.
    pub initial: Vec<Value>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// Tells a trace.
#[must_use]
pub fn tell(program: &Program, trace: &Trace, length: Length) -> Story {
    let lengths = segment_lengths(&trace.segments);
    let steps = run_length(&trace.steps, &lengths);
    let mut teller = Teller {
        program,
        length,
        budget: length.unfolded_steps(),
        lengths,
        frames: Frames::new(program, &trace.initial),
        initial: Vec::new(),
        lines: Vec::new(),
    };
    teller.walk(trace);
    teller.violation(trace);
    let threads = teller.frames.thread_count();
    let lines = without_middle(teller.lines, length.lines());
    let switches = certify::context_switches(program, trace);
    Story { property: trace.property, threads, steps, switches, initial: teller.initial, lines }
}

/// How many steps a list of steps stands for.
fn run_length(steps: &[Step], lengths: &IndexVec<SegmentId, u64>) -> u64 {
    steps.iter().fold(0u64, |sum, step| {
        sum.saturating_add(match step.action {
            Action::Single => 1,
            // The call and the return are steps, too.
            Action::Over(segment) => lengths[segment].saturating_add(2),
        })
    })
}

/// How many steps each segment stands for: segments refer only to earlier ones.
fn segment_lengths(segments: &IndexVec<SegmentId, Segment>) -> IndexVec<SegmentId, u64> {
    let mut lengths = IndexVec::new();
    for segment in segments.iter() {
        let length = run_length(&segment.steps, &lengths);
        lengths.push(length);
    }
    lengths
}

/// The first and the last lines, with a [`What::Gap`] between them if there are too many.
fn without_middle(mut lines: Vec<Line>, limit: usize) -> Vec<Line> {
    if lines.len() <= limit {
        return lines;
    }
    let end = lines.len() - limit / 2;
    let start = limit - limit / 2;
    let gap =
        Line { what: What::Gap(end - start), given: Vec::new(), changes: Vec::new(), ..lines[start].clone() };
    lines.splice(start..end, [gap]);
    lines
}

/// A run of steps that is being told; `over` is the step that it is the inside of.
struct Cursor<'t> {
    steps: std::slice::Iter<'t, Step>,
    over: Option<&'t Step>,
}

struct Teller<'p> {
    program: &'p Program,
    length: Length,
    budget: u64,
    lengths: IndexVec<SegmentId, u64>,
    frames: Frames<'p>,
    initial: Vec<Value>,
    lines: Vec<Line>,
}

impl<'p> Teller<'p> {
    fn walk(&mut self, trace: &Trace) {
        let mut stack = vec![Cursor { steps: trace.steps.iter(), over: None }];
        while let Some(cursor) = stack.last_mut() {
            match cursor.steps.next() {
                None => {
                    if let Some(over) = stack.pop().and_then(|cursor| cursor.over) {
                        self.leave(over);
                    }
                }
                Some(step) => stack.extend(self.step(trace, step)),
            }
        }
    }

    /// Tells a step; the cursor of its inside if it is to be unfolded.
    fn step<'t>(&mut self, trace: &'t Trace, step: &'t Step) -> Option<Cursor<'t>> {
        let Action::Over(id) = step.action else {
            self.single(step);
            return None;
        };
        let steps = self.lengths[id];
        if steps > self.budget {
            self.folded(step, steps.saturating_add(2));
            return None;
        }
        self.budget -= steps;
        let segment = &trace.segments[id];
        self.enter(step, segment);
        Some(Cursor { steps: segment.steps.iter(), over: Some(step) })
    }

    fn single(&mut self, step: &Step) {
        let node = &self.program.nodes[step.node];
        match &node.op {
            Op::Call { .. } => self.call(step.thread, step.node, &step.after.globals, &step.after.locals),
            Op::Return(_) => self.leave(step),
            _ => self.plain(step, node),
        }
    }

    fn plain(&mut self, step: &Step, node: &Node) {
        let mut line = self.line(step.thread, step.node);
        let telling = if self.hides(node) { Telling::Silent } else { Telling::Aloud };
        let mut changes = self.frames.set(step.thread, &step.after, &written(&node.op), telling);
        for passive in &step.passive {
            changes.extend(self.frames.set_passive(passive));
        }
        line.changes = changes;
        if let Some(view) = &step.started {
            let locals = if matches!(node.op, Op::StartLabel(_)) { Locals::Cloned } else { Locals::Own };
            let number = self.frames.start(step.thread, view, locals);
            line.what = What::Started(number);
            if !self.hides(node) {
                line.given.extend(self.frames.parameters(number));
            }
        }
        self.push(line);
    }

    fn enter(&mut self, step: &Step, segment: &Segment) {
        self.call(step.thread, step.node, &segment.initial.globals, &segment.initial.locals);
    }

    fn call(&mut self, thread: usize, node: NodeId, globals: &Bits, locals: &Bits) {
        let mut line = self.line(thread, node);
        self.frames.call(thread, node, globals, locals);
        if !self.hides(&self.program.nodes[node]) {
            line.given.extend(self.frames.parameters(thread));
        }
        self.push(line);
    }

    /// Tells the return of the top frame; the step is the return itself or the call as a whole.
    fn leave(&mut self, step: &Step) {
        let node = self.frames.return_node(step);
        let mut line = self.line(step.thread, node);
        line.changes = self.frames.leave(step.thread, &step.after);
        self.push(line);
    }

    fn folded(&mut self, step: &Step, steps: u64) {
        let mut line = self.line(step.thread, step.node);
        let results = written(&self.program.nodes[step.node].op);
        line.changes = self.frames.set(step.thread, &step.after, &results, Telling::Aloud);
        line.what = What::Folded(steps);
        self.push(line);
    }

    fn violation(&mut self, trace: &Trace) {
        let property = &self.program.properties[trace.property];
        let mut line = self.line(trace.thread, property.node);
        line.given.extend(self.learn(trace.thread, property.node));
        line.what = What::Violation;
        line.span = property.span;
        self.lines.push(line);
    }

    /// The values that a node reads and that were not told before. Initial values at the bottom of the first
    /// thread's stack, and of globals, are told at the start instead.
    fn learn(&mut self, thread: usize, node: NodeId) -> Vec<Value> {
        let mut here = Vec::new();
        let mut read = read(&self.program.nodes[node].op);
        read.retain(|&variable| self.program.is_of_the_source(variable));
        for known in self.frames.learn(thread, read) {
            match known {
                Known::AtStart(value) => self.initial.push(value),
                Known::Here(value) => here.push(value),
            }
        }
        here
    }

    /// The line of a node, with the values that it reads if it is told.
    fn line(&mut self, thread: usize, node: NodeId) -> Line {
        let program = self.program;
        let silent = self.is_silent(&program.nodes[node]);
        let given = if silent { Vec::new() } else { self.learn(thread, node) };
        let what = match program.nodes[node].origin {
            Origin::Taken => What::Taken,
            Origin::NotTaken => What::NotTaken,
            Origin::FallOff => What::End,
            _ => What::Statement,
        };
        let depth = self.frames.depth(thread);
        Line { thread, depth, node, span: program.nodes[node].span, what, given, changes: Vec::new() }
    }

    /// Whether a line of the node would only say what the reader need not know.
    fn is_silent(&self, node: &Node) -> bool {
        self.length == Length::Short
            && match (&node.op, node.origin) {
                (_, Origin::Initial | Origin::Start | Origin::Branch) => true,
                (Op::Skip, _) => node.successors.len() <= 1,
                (Op::Assert(..), _) => true,
                (Op::Return(values), origin) => origin == Origin::FallOff || values.is_empty(),
                _ => false,
            }
    }

    fn push(&mut self, line: Line) {
        let node = &self.program.nodes[line.node];
        let empty = line.given.is_empty() && line.changes.is_empty();
        if !(self.is_silent(node) && empty || self.hides(node)) {
            self.lines.push(line);
        }
    }

    /// Nodes of `<start>` have no place in the source; in the short form, initial values are told where they
    /// are used.
    fn hides(&self, node: &Node) -> bool {
        node.origin == Origin::Start || self.length == Length::Short && node.origin == Origin::Initial
    }
}

/// The own variables that a step reads.
fn read(op: &Op) -> Vec<VariableId> {
    use crate::boolean::cfg::{Copy, Time};
    let expressions: Vec<_> = match op {
        Op::Assume(e) | Op::Assert(e, _) => vec![e],
        Op::Assign { values, constrain, .. } => values.iter().chain(constrain).collect(),
        Op::Call { arguments, .. } | Op::StartThread { arguments, .. } => arguments.iter().collect(),
        Op::Return(values) => values.iter().collect(),
        _ => Vec::new(),
    };
    let reads = expressions.into_iter().flat_map(|expression| expression.variables());
    let own = reads.filter(|read| read.time == Time::Now && read.copy == Copy::Own);
    own.map(|read| read.variable).collect()
}

/// The own variables that a step, or a call as a whole, writes.
fn written(op: &Op) -> Vec<VariableId> {
    use crate::boolean::cfg::Copy;
    match op {
        Op::Assign { targets, .. } => {
            targets.iter().filter(|target| target.copy == Copy::Own).map(|target| target.variable).collect()
        }
        Op::Call { results, .. } => results.iter().flatten().copied().collect(),
        _ => Vec::new(),
    }
}

/// The variables of a list, each once, in order of declaration.
pub(super) fn sorted(mut variables: Vec<VariableId>) -> Vec<VariableId> {
    variables.sort_by_key(|variable| variable.index());
    variables.dedup();
    variables
}
