//! The procedure `<start>` that prepares a program, where there is something to prepare.
//!
//! It gives global variables their initial values, runs `init`, starts all initial threads but one, and becomes
//! the last one itself by calling its procedure:
//!
//! ```text
//! g := e; …   init();   atomic_begin;  start_thread main(*);  …  atomic_end;   main(*);
//! ```
//!
//! The starts are one atomic section: all initial threads exist before any of them moves, as in the initial states
//! of [Bas10, 5.1]. With any number of initial threads the section has a loop. So `--initial-threads` needs nothing
//! of an engine.
//!
//! To broadcasts it makes a difference whether the frame of the last thread exists, too. Where there are several
//! copies of a procedure that has `$` variables, the call therefore belongs to the section, and the procedure
//! begins with the `atomic_end`, which does nothing for the other copies: they are in no section. That would leave
//! the section of a caller, and would block the system where the procedure enforces something that another
//! procedure has to bring about; both are refused.
//!
//! Initial values of local variables belong to the entry ([`initial`]): those of the last thread are
//! evaluated in the section, into variables of `<start>`, too.

use super::super::cfg::{self, Copy, Expression, Node, NodeId, Op, Origin, ProcedureId, Target};
use super::entry::Entry;
use super::initial::{self, Draw, Entering};
use super::{Checker, InitialThreads};
use crate::ground::diagnostic::Diagnostic;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::Span;

/// What `<start>` does, in the order of its nodes.
struct Steps {
    nodes: Vec<(Op, Span, Origin)>,
    /// The choice that repeats the starts behind it, by position; its last successor ends the repetition.
    repetition: Option<Repetition>,
    /// What is drawn for arguments.
    draw: Draw,
}

/// Starts that are repeated.
struct Repetition {
    /// Where a round begins: at the choice, or at what is drawn before it.
    first: usize,
    /// The choice.
    choice: usize,
    /// Behind the last start.
    end: usize,
}

impl Steps {
    fn new(draw: Draw) -> Self {
        Self { nodes: Vec::new(), repetition: None, draw }
    }

    /// Draws what is in use now.
    fn add_draw(&mut self) {
        if let Some(op) = self.draw.take() {
            self.add(op, Span::default());
        }
    }

    fn add(&mut self, op: Op, span: Span) {
        self.nodes.push((op, span, Origin::Start));
    }

    /// The positions that a node leads to.
    fn successors(&self, position: usize) -> Vec<usize> {
        match &self.repetition {
            Some(it) if position == it.choice => (position + 1..=it.end).collect(),
            Some(it) if (it.choice..it.end).contains(&position) => vec![it.first],
            _ if position + 1 < self.nodes.len() => vec![position + 1],
            _ => Vec::new(),
        }
    }
}

/// Where the section that starts the threads ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    BeforeCall,
    /// At the beginning of the procedure that is called.
    IntoCall,
}

/// What cannot be prepared in this way is refused.
pub(super) fn refuse(checker: &mut Checker<'_>, entry: &Entry) {
    if section(checker, entry) == Section::BeforeCall {
        return;
    }
    let last = *entry.concurrent.last().expect("something runs");
    let called =
        checker.nodes.iter().any(|node| matches!(node.op, Op::Call { procedure, .. } if procedure == last));
    let waits = entry.concurrent.len() > 1 && checker.procedures[last.index()].enforce.is_some();
    let name = &checker.procedures[last.index()].name;
    let message = match (called, waits) {
        (true, _) => {
            format!("several copies of `{name}` cannot be started: it uses `$` and is called, too")
        }
        (_, true) => format!("several copies of `{name}` cannot be started: it uses `$` and `enforce`"),
        _ => return,
    };
    let error = Diagnostic::option_error(message);
    checker.error(error.help("start the threads in the program, with `start_thread`"));
}

fn section(checker: &Checker<'_>, entry: &Entry) -> Section {
    let last = entry.concurrent.last().map(|last| &checker.procedures[last.index()]);
    let broadcasts = last.is_some_and(|last| last.locals.iter().any(|&v| checker.names.variables[v].passive));
    let several = checker.options.initial_threads != InitialThreads::ONE
        || entry.concurrent.len() > 1 && entry.concurrent.last().is_some_and(|&last| is_used(checker, last));
    if several && broadcasts { Section::IntoCall } else { Section::BeforeCall }
}

/// Whether some statement calls or starts a procedure, or starts a thread within it.
fn is_used(checker: &Checker<'_>, wanted: ProcedureId) -> bool {
    checker.nodes.iter().any(|node| match &node.op {
        Op::Call { procedure, .. } | Op::StartThread { procedure, .. } => *procedure == wanted,
        Op::StartLabel(_) => node.procedure == wanted,
        _ => false,
    })
}

/// Puts an `atomic_end` before the first node of a procedure. The nodes of a procedure stand together, so those
/// behind it move up.
fn begin_with_atomic_end(checker: &mut Checker<'_>, procedure: ProcedureId) {
    let place = checker.procedures[procedure.index()].entry;
    let moved = |node: NodeId| NodeId::new(node.index() + usize::from(node >= place));
    let mut nodes: Vec<Node> = checker.nodes.iter().cloned().collect();
    for node in &mut nodes {
        node.successors.iter_mut().for_each(|successor| *successor = moved(*successor));
        if let Op::StartLabel(label) = &mut node.op {
            *label = moved(*label);
        }
    }
    let (op, span, origin) = (Op::AtomicEnd, span(checker, procedure), Origin::Start);
    let (forbidden, labels, successors) = (Vec::new(), Vec::new(), vec![moved(place)]);
    nodes.insert(place.index(), Node { procedure, op, successors, span, origin, forbidden, labels });
    checker.nodes = IndexVec::from_vec(nodes);
    checker.properties.iter_mut().for_each(|property| property.node = moved(property.node));
    for (number, other) in checker.procedures.iter_mut().enumerate() {
        other.entry = if number == procedure.index() { place } else { moved(other.entry) };
    }
}

pub(super) fn start(checker: &mut Checker<'_>, entry: Entry) -> ProcedureId {
    let section = section(checker, &entry);
    let last = *entry.concurrent.last().expect("something runs");
    if section == Section::IntoCall {
        begin_with_atomic_end(checker, last);
    }
    let steps = start_steps(checker, entry, section);
    let id = ProcedureId::new(checker.procedures.len());
    let first = checker.nodes.next_id();
    let locals = steps.draw.frame.clone();
    let successors: Vec<Vec<usize>> = (0..steps.nodes.len()).map(|n| steps.successors(n)).collect();
    for ((op, span, origin), successors) in steps.nodes.into_iter().zip(successors) {
        let successors = successors.into_iter().map(|n| NodeId::new(first.index() + n)).collect();
        let (forbidden, labels) = (Vec::new(), Vec::new());
        checker.nodes.push(Node { procedure: id, op, successors, span, origin, forbidden, labels });
    }
    checker.procedures.push(cfg::Procedure {
        name: "<start>".into(),
        span: Span::default(),
        locals,
        parameter_count: 0,
        returns: 0,
        enforce: None,
        entry: first,
    });
    id
}

fn start_steps(checker: &mut Checker<'_>, entry: Entry, section: Section) -> Steps {
    let mut steps = Steps::new(Draw::new(ProcedureId::new(checker.procedures.len()), Vec::new()));
    for (variable, value, span) in entry.initial {
        let targets = vec![Target { variable, copy: Copy::Own }];
        let op = Op::Assign { targets, values: vec![value], constrain: None };
        steps.nodes.push((op, span, Origin::Initial));
    }
    for &procedure in &entry.before {
        let op = run_in_place(checker, procedure, &mut steps);
        steps.add(op, span(checker, procedure));
    }
    let last = *entry.concurrent.last().expect("something runs");
    let begun = start_threads(checker, &mut steps, &entry.concurrent);
    let call = run_in_place(checker, last, &mut steps);
    if begun && section == Section::BeforeCall {
        steps.add(Op::AtomicEnd, Span::default());
    }
    steps.add(call, span(checker, last));
    steps.add(Op::Return(Vec::new()), Span::default());
    steps
}

/// The threads besides the first one: `--initial-threads` copies of each procedure, the last one counting as
/// started once. Tells whether there may be any: then this begins a section.
fn start_threads(checker: &mut Checker<'_>, steps: &mut Steps, concurrent: &[ProcedureId]) -> bool {
    let copies = match checker.options.initial_threads {
        InitialThreads::Exactly(number) => number,
        InitialThreads::Unbounded => 1,
    };
    let started = concurrent.len() * copies - 1;
    let unbounded = checker.options.initial_threads == InitialThreads::Unbounded;
    if started == 0 && !unbounded {
        return false;
    }
    steps.add(Op::AtomicBegin, Span::default());
    for &procedure in concurrent.iter().cycle().take(started) {
        let op = thread(checker, procedure, steps);
        steps.add_draw();
        steps.add(op, span(checker, procedure));
    }
    if unbounded {
        repeat_threads(checker, steps, concurrent);
    }
    true
}

/// Any number of further threads.
fn repeat_threads(checker: &mut Checker<'_>, steps: &mut Steps, concurrent: &[ProcedureId]) {
    let starts: Vec<(Op, Span)> = concurrent
        .iter()
        .map(|&procedure| (thread(checker, procedure, steps), span(checker, procedure)))
        .collect();
    let first = steps.nodes.len();
    steps.add_draw();
    let choice = steps.nodes.len();
    steps.add(Op::Skip, Span::default());
    starts.into_iter().for_each(|(op, span)| steps.add(op, span));
    steps.repetition = Some(Repetition { first, choice, end: steps.nodes.len() });
}

fn span(checker: &Checker<'_>, procedure: ProcedureId) -> Span {
    checker.procedures[procedure.index()].span
}

fn arguments(checker: &mut Checker<'_>, procedure: ProcedureId, draw: &mut Draw) -> Vec<Expression> {
    let entering = checker.entering.get(&procedure).map_or(0, Entering::additional);
    let own = checker.procedures[procedure.index()].parameter_count - entering;
    initial::bound(checker, procedure, vec![Expression::choice(); own], draw)
}

/// The call of a procedure. Its arguments are evaluated before, if there is something to evaluate.
fn run_in_place(checker: &mut Checker<'_>, procedure: ProcedureId, steps: &mut Steps) -> Op {
    let results = vec![None; checker.procedures[procedure.index()].returns];
    let arguments = arguments(checker, procedure, &mut steps.draw);
    if !checker.entering.contains_key(&procedure) {
        return Op::Call { procedure, arguments, results };
    }
    let (evaluation, arguments) = steps.draw.keep(arguments, &mut checker.names.variables);
    evaluation.into_iter().for_each(|op| steps.add(op, Span::default()));
    Op::Call { procedure, arguments, results }
}

fn thread(checker: &mut Checker<'_>, procedure: ProcedureId, steps: &mut Steps) -> Op {
    Op::StartThread { procedure, arguments: arguments(checker, procedure, &mut steps.draw) }
}
