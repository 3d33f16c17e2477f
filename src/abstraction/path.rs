//! From an abstract trace back to edges.

use super::{Abstraction, Origin, Part};
use crate::boolean::cfg::{self, Op};
use crate::boolean::trace::{Action, Step, Trace, View};
use crate::ground::bits::Bits;
use crate::predicate::{PathStep, PredicateId};
use crate::program::{EdgeId, ProcedureId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A run that is being written out, and the return behind it.
type Level<'a> = (std::slice::Iter<'a, Step>, Option<Step>);

/// The single steps of a trace, in order: calls that segments tell are written out.
fn single_steps(trace: &Trace) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut levels: Vec<Level<'_>> = vec![(trace.steps.iter(), None)];
    while let Some((rest, finish)) = levels.last_mut() {
        let thread = finish.as_ref().map(|finish| finish.thread);
        let Some(step) = rest.next() else {
            steps.extend(levels.pop().and_then(|(_, finish)| finish));
            continue;
        };
        let step = Step { thread: thread.unwrap_or(step.thread), ..step.clone() };
        let Action::Over(id) = step.action else {
            steps.push(step);
            continue;
        };
        let segment = &trace.segments[id];
        steps.push(Step { action: Action::Single, after: segment.initial.clone(), ..step.clone() });
        let last = segment.steps.last().map_or(&segment.initial, |step| &step.after);
        let finish = Step { node: last.node.unwrap_or(step.node), action: Action::Single, ..step };
        levels.push((segment.steps.iter(), Some(finish)));
    }
    steps
}

/// The walk along a trace.
struct Walk<'a> {
    abstraction: &'a Abstraction,
    cfg: &'a cfg::Program,
    path: Vec<PathStep>,
    /// Open calls of each thread.
    calls: BTreeMap<usize, Vec<(ProcedureId, EdgeId)>>,
    /// What is tracked where each thread is, for those that others may bring up to date.
    threads: Vec<Rc<[PredicateId]>>,
    /// The numbers that threads of the trace have on the path: a thread too many is never started in the trace.
    numbers: Vec<usize>,
}

impl Abstraction {
    /// The edges of an abstract trace. The control-flow graph is that of [`program`](Self::program), perhaps with
    /// variables or nodes left out.
    #[must_use]
    pub fn path(&self, cfg: &cfg::Program, trace: &Trace) -> Vec<PathStep> {
        let mut walk = Walk {
            abstraction: self,
            cfg,
            path: Vec::new(),
            calls: BTreeMap::new(),
            threads: vec![Rc::new([])],
            numbers: vec![0],
        };
        single_steps(trace).iter().for_each(|step| walk.step(step));
        walk.path
    }

    fn origin(&self, cfg: &cfg::Program, node: cfg::NodeId) -> Option<Origin> {
        let number = cfg.nodes[node].span.start as usize;
        number.checked_sub(1).and_then(|number| self.origins.get(number).copied())
    }

    /// The values of local predicates in a frame of the procedure that a node belongs to.
    fn local_values(&self, cfg: &cfg::Program, node: cfg::NodeId, frame: &Bits) -> Vec<(PredicateId, bool)> {
        let locals = &cfg.procedures[cfg.nodes[node].procedure].locals;
        let known = locals.iter().enumerate().filter_map(|(position, &id)| {
            let predicate = self.variables.get(&cfg.variables[id].name)?;
            Some((*predicate, frame.get(position)))
        });
        let mut found: Vec<_> = known.collect();
        found.sort_unstable();
        found
    }

    /// The values of tracked predicates in a view.
    fn values(&self, cfg: &cfg::Program, view: &View, tracked: &[PredicateId]) -> Vec<(PredicateId, bool)> {
        let locals = view.node.map_or(&[][..], |node| &cfg.procedures[cfg.nodes[node].procedure].locals);
        let local = |(position, &id): (usize, &cfg::VariableId)| (id, view.locals.get(position));
        let values = cfg.globals().enumerate().map(|(position, id)| (id, view.globals.get(position)));
        let all = values.chain(locals.iter().enumerate().map(local));
        let named =
            all.filter_map(|(id, value)| Some((*self.variables.get(&cfg.variables[id].name)?, value)));
        let mut found: Vec<_> = named.filter(|(id, _)| tracked.contains(id)).collect();
        found.sort_unstable();
        found
    }
}

impl Walk<'_> {
    fn step(&mut self, step: &Step) {
        let thread = self.numbers.get(step.thread).copied().unwrap_or(step.thread);
        self.take(&Step { thread, ..step.clone() });
        if step.started.is_some() {
            self.numbers.push(self.threads.len());
        }
        if matches!(self.cfg.nodes[step.node].op, Op::StartThread { .. }) {
            let origin = self.abstraction.origin(self.cfg, step.node);
            let place = origin.map(|Origin { procedure, edge, .. }| (procedure, edge));
            let tracked = place.and_then(|place| self.abstraction.behind_calls.get(&place));
            self.threads.push(tracked.cloned().unwrap_or_else(|| Rc::new([])));
        }
    }

    fn take(&mut self, step: &Step) {
        let op = &self.cfg.nodes[step.node].op;
        if matches!(op, Op::Return(_)) {
            let open = self.calls.entry(step.thread).or_default();
            if let Some((procedure, edge)) = open.pop() {
                self.push(step, procedure, edge, true);
            }
            return;
        }
        let Some(Origin { procedure, edge, part }) = self.abstraction.origin(self.cfg, step.node) else {
            return;
        };
        match part {
            Part::Take => {
                if matches!(op, Op::Call { .. }) {
                    self.calls.entry(step.thread).or_default().push((procedure, edge));
                }
                self.push(step, procedure, edge, false);
            }
            Part::Returned => {
                let behind = self.behind(step, procedure, edge);
                let mut steps = self.path.iter_mut().rev();
                if let Some(last) = steps.find(|last| last.thread == step.thread) {
                    last.behind = behind;
                }
            }
            Part::Prepare | Part::Violated => {}
        }
    }

    fn push(&mut self, step: &Step, procedure: ProcedureId, edge: EdgeId, returns: bool) {
        let behind = self.behind(step, procedure, edge);
        let others = self.others(step, (procedure, edge));
        if let (Some(here), Some(tracked)) =
            (self.threads.get_mut(step.thread), self.abstraction.behind.get(&(procedure, edge)))
        {
            *here = tracked.clone();
        }
        self.path.push(PathStep { thread: step.thread, procedure, edge, returns, behind, others });
    }

    /// What other threads come to know. They all run the procedure of the thread that makes the step.
    fn others(&self, step: &Step, place: (ProcedureId, EdgeId)) -> Vec<(usize, Vec<(PredicateId, bool)>)> {
        let values = |frame: &Bits, tracked: &[PredicateId]| {
            let mut values = self.abstraction.local_values(self.cfg, step.node, frame);
            values.retain(|(id, _)| tracked.contains(id));
            values
        };
        let mut others = Vec::new();
        if let (Some(view), Some(tracked)) = (&step.started, self.abstraction.behind_calls.get(&place)) {
            others.push((self.threads.len(), values(&view.locals, tracked)));
        }
        for passive in &step.passive {
            let thread = self.numbers.get(passive.thread).copied().unwrap_or(passive.thread);
            let tracked = self.threads.get(thread);
            others.extend(tracked.map(|tracked| (thread, values(&passive.locals, tracked))));
        }
        others
    }

    /// Values behind a step: where the edge leads, or at the entry of the procedure that it called.
    fn behind(&self, step: &Step, procedure: ProcedureId, edge: EdgeId) -> Vec<(PredicateId, bool)> {
        let called = matches!(self.cfg.nodes[step.node].op, Op::Call { .. });
        let tracked = match called {
            true => self.abstraction.behind_calls.get(&(procedure, edge)),
            false => self.abstraction.behind.get(&(procedure, edge)),
        };
        tracked.map_or_else(Vec::new, |tracked| self.abstraction.values(self.cfg, &step.after, tracked))
    }
}
