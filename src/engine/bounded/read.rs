//! From values of choices back to a run.
//!
//! Values at the entry and choices determine one run of a summary: in every symbolic state the edge whose guard is
//! true. A call is followed into the summary of its callee, with the values that the inputs of that summary have become
//! at the call. A call that returned becomes a shared segment of the trace; a call that does not return continues it.
//! Callees that are not opened cannot be followed: then they are the answer.

use super::evaluate::Valuation;
use super::formula::{Formula, Store};
use super::summary::{Application, Body, Edge, End, State, Summary};
use crate::boolean::cfg::{ProcedureId, Program, PropertyId};
use crate::boolean::trace::{Action, Segment, Step, Trace, View};
use crate::ground::index::IndexVec;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a run turned out to be.
pub enum Reading {
    /// It goes through procedures that are not opened.
    Closed(BTreeSet<ProcedureId>),
    /// It is a run of the program.
    Trace(Box<Trace>),
    /// It is none: a defect.
    Broken(&'static str),
}

/// The inputs that are true, by their nodes.
type Values = FxHashSet<usize>;

/// The value of an input.
type Inputs = Box<dyn Fn(Formula) -> bool>;

/// Reads the run of a summary that violates a property.
pub fn read(store: &Store, program: &Program, summary: &Rc<Summary>, values: Values) -> Reading {
    let mut reader =
        Reader { store, program, closed: BTreeSet::new(), segments: IndexVec::new(), steps: Vec::new() };
    match reader.run(summary, values) {
        Err(what) => Reading::Broken(what),
        Ok(_) if !reader.closed.is_empty() => Reading::Closed(reader.closed),
        Ok((initial, property)) => {
            let Reader { segments, steps, .. } = reader;
            Reading::Trace(Box::new(Trace { property, thread: 0, initial, steps, segments }))
        }
    }
}

struct Reader<'a> {
    store: &'a Store,
    program: &'a Program,
    closed: BTreeSet<ProcedureId>,
    segments: IndexVec<crate::boolean::trace::SegmentId, Segment>,
    /// The steps of callers of what is being read.
    steps: Vec<Step>,
}

/// A run of one procedure, as far as it is read.
struct Walk {
    summary: Rc<Summary>,
    values: Rc<Values>,
    valuation: Valuation<Inputs>,
    state: usize,
    steps: Vec<Step>,
    initial: View,
    /// Where the caller goes on.
    back: usize,
}

impl Walk {
    fn states(&self) -> &[State] {
        states(&self.summary)
    }
}

fn states(summary: &Summary) -> &[State] {
    match &summary.body {
        Body::Unrolled(states) => states,
        Body::Pieces(..) => unreachable!("a walk is through something unrolled"),
    }
}

impl Reader<'_> {
    /// The first view and the property; steps and segments are in the reader.
    fn run(&mut self, summary: &Rc<Summary>, values: Values) -> Result<(View, PropertyId), &'static str> {
        let first = self.enter(summary, values, 0)?;
        let initial = first.initial.clone();
        let mut stack = vec![first];
        loop {
            let top = stack.last_mut().ok_or("the run returns")?;
            let (number, edge) = (top.state, self.edge(top)?);
            let edge = &top.states()[number].edges[edge];
            match (edge.end, edge.call.clone()) {
                (End::State(next), None) => self.step(top, next, Action::Single),
                (End::State(next), Some(call)) => match self.callee(top, &call, next)? {
                    Some(callee) => stack.push(callee),
                    None => self.step(top, next, Action::Single),
                },
                (End::Returned, _) => self.close(&mut stack),
                (End::Violated(property), _) => {
                    let walk = stack.pop().ok_or("the run is empty")?;
                    self.steps.extend(walk.steps);
                    return Ok((initial, property));
                }
                (End::Inside, Some(call)) => match self.callee(top, &call, 0)? {
                    Some(callee) => self.follow(&mut stack, callee),
                    None => return Ok((initial, crate::ground::index::Index::new(0))),
                },
                (End::Inside, None) => return Err("nobody is called"),
                (End::Open, _) => return Err("the run is cut"),
            }
        }
    }

    /// The edge that the run takes.
    fn edge(&self, walk: &mut Walk) -> Result<usize, &'static str> {
        let Walk { summary, valuation, state, .. } = walk;
        let mut taken = |edge: &Edge| valuation.value(self.store, edge.guard);
        states(summary)[*state].edges.iter().position(&mut taken).ok_or("the run blocks")
    }

    /// A walk from the entry of a summary.
    fn enter(&self, summary: &Rc<Summary>, values: Values, back: usize) -> Result<Walk, &'static str> {
        let (summary, values) = match &summary.body {
            Body::Unrolled(_) => (Rc::clone(summary), values),
            Body::Pieces(bits, pieces) => {
                let bit =
                    |(place, bit): (usize, &Formula)| usize::from(values.contains(&bit.node())) << place;
                let number: usize = bits.iter().enumerate().map(bit).sum();
                let piece = pieces.get(number).ok_or("there is no such piece")?;
                (Rc::clone(&piece.summary), self.with_choices(&values, summary, &piece.choices))
            }
        };
        let initial = View { node: None, globals: Default::default(), locals: Default::default() };
        let values = Rc::new(values);
        let known = Rc::clone(&values);
        let valuation =
            Valuation::new(Box::new(move |input: Formula| known.contains(&input.node())) as Inputs);
        let mut walk = Walk { summary, values, valuation, state: 0, steps: Vec::new(), initial, back };
        walk.initial = self.view(&mut walk);
        Ok(walk)
    }

    /// The values at the entry together with the choices of a piece. (Switches are as they are for everyone.)
    fn with_choices(&self, values: &Values, summary: &Summary, choices: &Values) -> Values {
        use super::formula::{Input, Node};
        let entry: FxHashSet<usize> = summary.entry.inputs().map(Formula::node).collect();
        let kept =
            |node: &usize| entry.contains(node) || self.store.node_at(*node) == Node::Input(Input::Switch);
        let chosen = |node: &usize| self.store.node_at(*node) == Node::Input(Input::Choice);
        values.iter().copied().filter(kept).chain(choices.iter().copied().filter(chosen)).collect()
    }

    /// The walk through a callee; none if it is not opened.
    fn callee(
        &mut self,
        walk: &mut Walk,
        call: &Application,
        back: usize,
    ) -> Result<Option<Walk>, &'static str> {
        let Some(summary) = &call.summary else {
            self.closed.insert(call.callee);
            return Ok(None);
        };
        use super::formula::{Input, Node};
        let images = call.images.iter().filter(|(_, image)| walk.valuation.value(self.store, *image));
        let mut values: Values = images.map(|(input, _)| input.node()).collect();
        let switch = |node: &usize| self.store.node_at(*node) == Node::Input(Input::Switch);
        values.extend(walk.values.iter().copied().filter(switch));
        self.enter(summary, values, back).map(Some)
    }

    /// What is seen in the state of a walk.
    fn view(&self, walk: &mut Walk) -> View {
        let Walk { summary, valuation, state, .. } = walk;
        let state = &states(summary)[*state];
        let mut bits = state.values.iter().map(|&value| valuation.value(self.store, value));
        let globals = bits.by_ref().take(self.program.global_count).collect();
        View { node: Some(state.node), globals, locals: bits.collect() }
    }

    /// A step to the next state.
    fn step(&self, walk: &mut Walk, next: usize, action: Action) {
        let node = walk.states()[walk.state].node;
        walk.state = next;
        let after = self.view(walk);
        walk.steps.push(Step { thread: 0, node, action, after, started: None, passive: Vec::new() });
    }

    /// The procedure on top returns: its walk becomes a segment, and its caller goes on.
    fn close(&mut self, stack: &mut Vec<Walk>) {
        let Some(callee) = stack.pop() else { return };
        let id = self.segments.push(Segment { initial: callee.initial, steps: callee.steps });
        if let Some(caller) = stack.last_mut() {
            self.step(caller, callee.back, Action::Over(id));
        }
    }

    /// The procedure on top calls, and the callee never returns.
    fn follow(&mut self, stack: &mut Vec<Walk>, callee: Walk) {
        let Some(caller) = stack.pop() else { return };
        let node = caller.states()[caller.state].node;
        self.steps.extend(caller.steps);
        let after = callee.initial.clone();
        self.steps.push(Step {
            thread: 0,
            node,
            action: Action::Single,
            after,
            started: None,
            passive: Vec::new(),
        });
        stack.push(callee);
    }
}
