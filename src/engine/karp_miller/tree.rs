//! The tree [Bas10, Algorithm 8.1], grown until nothing new comes or every property has an answer.

use super::cover::Cover;
use super::marking::{Count, Marking};
use super::unroll;
use crate::bdd::{Bdd, ops};
use crate::boolean::cfg::Program;
use crate::engine::Answer;
use crate::engine::ledger::{AtBound, Halt, Ledger};
use crate::engine::symmetry::{Crowd, Hearing, Inhabited, LocalId, Locals, Spawn, Transition, Violation};
use crate::engine::{Answers, Query};
use crate::ground::event::{Event, Statistics};
use crate::ground::index::IndexVec;
use crate::ground::reason::{Defect, Reason, Stop};
use crate::ground::run::Run;
use crate::index_types;
use std::collections::VecDeque;

index_types! {
    /// A node of the tree.
    NodeId,
}

/// A node.
pub(super) struct Node {
    pub(super) shared: Bdd,
    /// After acceleration.
    pub(super) marking: Marking,
    /// The node before, and the step from there.
    pub(super) parent: Option<(NodeId, Taken)>,
    /// The accelerations, in the order in which they were done.
    pub(super) accelerations: Vec<Acceleration>,
    pub(super) state: Stage,
}

/// A step of the tree.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    pub(super) active: LocalId,
    pub(super) transition: Transition,
}

/// Counters that became ω because the steps since an ancestor can be repeated.
pub(super) struct Acceleration {
    pub(super) ancestor: NodeId,
    /// The counters, each with what it was and what it was in the ancestor.
    pub(super) grown: Vec<(LocalId, u32, u32)>,
}

/// What has been done with a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// It waits to be expanded.
    Waiting,
    /// It is expanded.
    Expanded,
    /// It was dropped before, because a larger state came.
    Dropped,
}

/// How often progress is told, in nodes.
const PROGRESS: usize = 1 << 9;

pub(super) struct Tree<'a> {
    pub(super) program: &'a Program,
    pub(super) locals: Locals<'a>,
    pub(super) run: Run<'a>,
    pub(super) nodes: IndexVec<NodeId, Node>,
    ledger: Ledger<'a>,
    cover: Cover,
    /// Accelerated states first: they subsume the most. Then breadth first: short branches are quick to look back along.
    work: VecDeque<NodeId>,
    most_nodes: usize,
}

impl<'a> Tree<'a> {
    pub(super) fn new(program: &'a Program, locals: Locals<'a>, query: &'a Query, run: Run<'a>) -> Self {
        Self {
            program,
            locals,
            run,
            nodes: IndexVec::new(),
            ledger: Ledger::new(query, AtBound::Never),
            cover: Cover::default(),
            work: VecDeque::new(),
            most_nodes: usize::MAX,
        }
    }

    /// With a bound on the number of nodes.
    pub(super) fn within(self, most_nodes: usize) -> Self {
        Self { most_nodes, ..self }
    }

    /// Grows the tree and tells what was found.
    pub(super) fn answers(mut self) -> Result<Answers, Stop> {
        let end = self.grow().map_err(Halt::from);
        let statistics = self.statistics();
        self.ledger.answers(end, statistics)
    }

    /// Grows the tree until nothing is left to do, or every property that is asked for has an answer.
    pub(super) fn grow(&mut self) -> Result<(), Stop> {
        let marking = Marking::one(self.locals.start());
        let shared = self.locals.manager().constant(true);
        self.insert(shared, marking, None)?;
        while let Some(node) = self.next() {
            self.nodes[node].state = Stage::Expanded;
            self.expand(node)?;
        }
        Ok(())
    }

    fn next(&mut self) -> Option<NodeId> {
        if self.ledger.is_complete() {
            return None;
        }
        loop {
            let node = self.work.pop_front()?;
            if self.nodes[node].state == Stage::Waiting {
                return Some(node);
            }
        }
    }

    fn expand(&mut self, node: NodeId) -> Result<(), Stop> {
        let marking = self.nodes[node].marking.clone();
        for active in marking.locals() {
            if !self.locals.may_run(marking.locals(), active) {
                continue;
            }
            for &transition in self.locals.transitions(active, Spawn::Done)?.iter() {
                self.run.limits.check()?;
                self.take(node, &marking, Taken { active, transition })?;
            }
        }
        Ok(())
    }

    fn take(&mut self, node: NodeId, marking: &Marking, taken: Taken) -> Result<(), Stop> {
        let before = self.nodes[node].shared;
        let shared = self.locals.shared_after(before, &taken.transition)?;
        if shared == self.locals.manager().constant(false) {
            return Ok(());
        }
        let mut after = marking.clone();
        after.remove(taken.active);
        if let Some(class) = taken.transition.class {
            after = self.closure(&after, class)?;
        }
        for local in taken.transition.target.into_iter().chain(taken.transition.started) {
            after.add(local, Count::Exactly(1))?;
        }
        self.insert(shared, after, Some((node, taken)))
    }

    /// What passive threads become in the monotone closure: those that would block die.
    fn closure(&mut self, rest: &Marking, class: crate::engine::symmetry::ClassId) -> Result<Marking, Stop> {
        let mut after = Marking::default();
        for &(local, count) in rest.pairs() {
            match self.locals.hear(local, class)? {
                Hearing::Deaf => after.add(local, count)?,
                Hearing::Moves(moved) => after.add(moved, count)?,
                Hearing::Blocks => {}
            }
        }
        Ok(after)
    }

    /// Accelerates a state, stores it if it is new, and looks for violations in it.
    fn insert(&mut self, shared: Bdd, marking: Marking, parent: Option<(NodeId, Taken)>) -> Result<(), Stop> {
        let holder = marking.locals().find(|&local| self.locals.holds_atomic(local));
        let mut marking = marking.held_by(holder);
        if self.cover.contains(&mut self.locals, shared, &marking)? {
            return Ok(());
        }
        if self.nodes.len() >= self.most_nodes {
            return Err(Stop::Bound(format!("a Karp–Miller tree of more than {} nodes", self.most_nodes)));
        }
        let accelerations = self.accelerate(shared, &mut marking, parent)?;
        let state = Stage::Waiting;
        let node = Node { shared, marking: marking.clone(), parent, accelerations, state };
        let node = self.nodes.push(node);
        for dropped in self.cover.insert(&mut self.locals, shared, &marking, node)? {
            if self.nodes[dropped].state == Stage::Waiting {
                self.nodes[dropped].state = Stage::Dropped;
            }
        }
        if self.nodes[node].accelerations.is_empty() {
            self.work.push_back(node);
        } else {
            self.work.push_front(node);
        }
        self.progress();
        self.look(node, shared, &marking)
    }

    /// Goes back through the ancestors \[KM69\]. An ancestor below, whose shared values are all among the new ones, can be
    /// reached again from here, with as many threads more: every shared value has a predecessor among the ancestor's,
    /// and so on as often as wanted. A broadcast on the way ends the search. (That the shared values stay the same
    /// in one step, the shortcut of [Bas10, 8.3], is the case of the nearest ancestor.)
    fn accelerate(
        &mut self,
        shared: Bdd,
        marking: &mut Marking,
        parent: Option<(NodeId, Taken)>,
    ) -> Result<Vec<Acceleration>, Stop> {
        let mut accelerations = Vec::new();
        let mut step = parent;
        while let Some((ancestor, taken)) = step {
            if taken.transition.class.is_some() {
                break;
            }
            let Node { shared: earlier, marking: below, parent, .. } = &self.nodes[ancestor];
            let (earlier, next) = (*earlier, *parent);
            if below.is_below(marking)
                && below != marking
                && ops::is_subset(self.locals.manager(), earlier, shared)?
            {
                let before = marking.clone();
                let below = &self.nodes[ancestor].marking;
                let number = |count| match count {
                    Count::Exactly(number) => number,
                    Count::Omega => 0,
                };
                let grown = marking.accelerate(below).into_iter();
                let grown = grown
                    .map(|local| (local, number(before.count(local)), number(below.count(local))))
                    .collect();
                accelerations.push(Acceleration { ancestor, grown });
            }
            step = next;
        }
        accelerations.retain(|acceleration: &Acceleration| !acceleration.grown.is_empty());
        Ok(accelerations)
    }

    fn progress(&self) {
        if self.nodes.len().is_multiple_of(PROGRESS) {
            let text = format!(
                "{} nodes, {} to expand, {} maximal, {} local sets, {} BDD nodes",
                self.nodes.len(),
                self.work.len(),
                self.cover.len(),
                self.locals.len(),
                self.locals.relations.manager.stored_nodes()
            );
            self.run.observer.event(Event::Progress(text));
        }
    }

    fn look(&mut self, node: NodeId, shared: Bdd, marking: &Marking) -> Result<(), Stop> {
        let crowd = |count| if count == Count::Exactly(1) { Crowd::One } else { Crowd::Several };
        let inhabited: Vec<Inhabited> =
            marking.pairs().iter().map(|&(local, count)| (local, crowd(count))).collect();
        let ledger = &self.ledger;
        for violation in self.locals.violations_in(&inhabited, shared, |property| ledger.is_open(property))? {
            self.record(node, violation)?;
        }
        Ok(())
    }

    fn record(&mut self, node: NodeId, violation: Violation) -> Result<(), Stop> {
        if !self.ledger.is_open(violation.property) {
            return Ok(());
        }
        let answer = match unroll::trace(self, node, violation)? {
            Some(trace) => Answer::Reachable(Box::new(trace)),
            None => Answer::Unknown(self.why_not()),
        };
        self.ledger.note(violation.property, &answer);
        Ok(())
    }

    /// Why a violation of the closure is no run of the program, as far as we know.
    fn why_not(&self) -> Reason {
        if self.locals.template().has_broadcasts() {
            Reason::Unsupported(
                "broadcasts: a violation was found only with threads that die instead of blocking".into(),
            )
        } else {
            Reason::Defect(Defect::ReplayMismatch("the run with ω has no concrete one".into()))
        }
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.add("nodes of the tree", self.nodes.len() as u64);
        statistics.add("maximal states", self.cover.len() as u64);
        statistics.add("local sets", self.locals.len() as u64);
        statistics.add("BDD nodes", self.locals.relations.manager.stored_nodes() as u64);
        statistics
    }
}
