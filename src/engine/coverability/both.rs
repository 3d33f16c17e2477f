//! Forward and backward search in step, as in bfc \[KKW14\].
//!
//! They take turns in one thread; whichever has done less work, counted in comparisons, is next. So the same net gives
//! the same run. Either may end the question: the forward search by a node that covers an element of the backward search (the targets are among these), or by having
//! nothing left to expand; the backward search by an element that an initial configuration or a node of the forward
//! search covers, or by having nothing left to add.

use super::Method;
use super::backward::{self, Backward, ElementId};
use super::concretise::outline;
use super::index::NetIndex;
use super::invariant::Pruning;
use super::karp_miller::{self, Forward, NodeId};
use super::run::{follow, way_to_target};
use crate::ground::event::{Event, Statistics};
use crate::ground::reason::Stop;
use crate::ground::run::Run;
use crate::system::net::{Configuration, NetTrace};

/// What the searches found.
pub(super) enum Found {
    /// No target can be covered.
    Proof,
    /// A run of the net that covers a target.
    Run(NetTrace),
    /// A run of the monotone closure that is none of the net.
    ClosureOnly,
}

/// Where the searches meet: a node or an initial configuration that an element holds.
#[derive(Clone, Debug)]
enum Meeting {
    Node(NodeId, ElementId),
    Initial(Configuration, ElementId),
}

/// How much one search may do before it may be the other's turn, in nodes or elements looked at.
const TURN: usize = 16;
/// How often progress is told, in turns.
const PROGRESS: u64 = 256;

/// The searches.
pub(super) struct Both<'a> {
    index: &'a NetIndex<'a>,
    run: Run<'a>,
    method: Method,
    forward: Forward<'a>,
    backward: Backward<'a>,
    /// The work that was done in the turns of each.
    forward_work: u64,
    backward_work: u64,
}

/// What a turn comes to.
enum Turn {
    Open,
    Done,
    Met(Meeting),
}

impl<'a> Both<'a> {
    /// Searches that have yet to begin.
    pub(super) fn new(index: &'a NetIndex<'a>, method: Method, run: Run<'a>) -> Self {
        let pruning = if method == Method::KarpMiller { Pruning::None } else { Pruning::Invariants };
        let (forward, backward) =
            (Forward::new(index, run.limits), Backward::new(index, pruning, run.limits));
        Self { index, run, method, forward, backward, forward_work: 0, backward_work: 0 }
    }

    /// Searches until there is an answer; none if so much work has been done before.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(super) fn search(&mut self, work: Option<u64>) -> Result<Option<Found>, Stop> {
        self.run.observer.event(Event::Phase("coverability".into()));
        let mut turn = self.start()?;
        let mut turns = 0;
        loop {
            match turn {
                Turn::Done => return self.proof().map(Some),
                Turn::Met(meeting) => return self.concrete(&meeting).map(Some),
                Turn::Open if work.is_some_and(|work| self.forward_work + self.backward_work > work) => {
                    return Ok(None);
                }
                Turn::Open => {}
            }
            turns += 1;
            self.tell(turns);
            turn = self.take_turn()?;
        }
    }

    /// The work of a turn includes looking for where the searches meet, in whichever's antichain.
    fn take_turn(&mut self) -> Result<Turn, Stop> {
        let before = self.forward.work() + self.backward.work();
        let forward = match self.method {
            Method::KarpMiller => true,
            Method::Backward => false,
            Method::Auto => self.forward_work <= self.backward_work,
        };
        let turn = if forward { self.forward_turn()? } else { self.backward_turn()? };
        let work = self.forward.work() + self.backward.work() - before;
        *(if forward { &mut self.forward_work } else { &mut self.backward_work }) += work;
        Ok(turn)
    }

    fn tell(&self, turns: u64) {
        if turns.is_multiple_of(PROGRESS) {
            let (nodes, elements) = (self.forward.nodes.len(), self.backward.elements.len());
            let text = format!("{nodes} nodes forward, {elements} elements backward");
            self.run.observer.event(Event::Progress(text));
        }
    }

    fn start(&mut self) -> Result<Turn, Stop> {
        let elements = self.backward.start()?;
        if let Some(meeting) = self.meeting_of_elements(&elements) {
            return Ok(Turn::Met(meeting));
        }
        if elements.is_empty() {
            return Ok(Turn::Done);
        }
        let nodes = if self.method == Method::Backward { Vec::new() } else { self.forward.start()? };
        Ok(self.meeting_of_nodes(&nodes).map_or(Turn::Open, Turn::Met))
    }

    fn forward_turn(&mut self) -> Result<Turn, Stop> {
        for _ in 0..TURN {
            match self.forward.step()? {
                karp_miller::Progress::Done => return Ok(Turn::Done),
                karp_miller::Progress::Nodes(nodes) => {
                    if let Some(meeting) = self.meeting_of_nodes(&nodes) {
                        return Ok(Turn::Met(meeting));
                    }
                }
            }
        }
        Ok(Turn::Open)
    }

    fn backward_turn(&mut self) -> Result<Turn, Stop> {
        for _ in 0..TURN {
            match self.backward.step()? {
                backward::Progress::Done => return Ok(Turn::Done),
                backward::Progress::Elements(elements) => {
                    if let Some(meeting) = self.meeting_of_elements(&elements) {
                        return Ok(Turn::Met(meeting));
                    }
                }
            }
        }
        Ok(Turn::Open)
    }

    fn meeting_of_nodes(&self, nodes: &[NodeId]) -> Option<Meeting> {
        nodes.iter().find_map(|&id| {
            let node = &self.forward.nodes[id];
            Some(Meeting::Node(id, self.backward.below(node.control, &node.tokens, None)?))
        })
    }

    fn meeting_of_elements(&self, elements: &[ElementId]) -> Option<Meeting> {
        elements.iter().find_map(|&id| {
            if let Some(configuration) = self.backward.initial(id) {
                return Some(Meeting::Initial(configuration, id));
            }
            let element = &self.backward.elements[id];
            Some(Meeting::Node(self.forward.above(element.control, &element.tokens)?, id))
        })
    }

    fn proof(&mut self) -> Result<Found, Stop> {
        #[cfg(debug_assertions)]
        self.check_proof()?;
        Ok(Found::Proof)
    }

    /// One of the searches has an inductive invariant.
    #[cfg(debug_assertions)]
    fn check_proof(&mut self) -> Result<(), Stop> {
        let forward = !self.forward.nodes.is_empty() && self.forward.is_inductive()?;
        assert!(forward || self.backward.is_inductive()?, "a proof that is not inductive");
        Ok(())
    }

    fn concrete(&self, meeting: &Meeting) -> Result<Found, Stop> {
        self.run.observer.event(Event::Phase("counterexample".into()));
        let (initial, steps, target) = match meeting {
            Meeting::Initial(configuration, element) => {
                let (steps, target) = way_to_target(&self.backward, *element);
                (configuration.clone(), steps, target)
            }
            Meeting::Node(node, element) => {
                let demand = self.backward.elements[*element].tokens.clone();
                let outline = outline(self.index.net, &self.forward, *node, demand, self.run.limits)?;
                let root = self.forward.nodes[outline.root].control;
                let initial = backward::initial_within(self.index, root, &outline.start);
                let Some(initial) = initial else { return Ok(Found::ClosureOnly) };
                let (rest, target) = way_to_target(&self.backward, *element);
                (initial, [outline.steps, rest].concat(), target)
            }
        };
        let run = follow(self.index.net, initial, &steps, target)?;
        Ok(run.map_or(Found::ClosureOnly, Found::Run))
    }

    /// Figures of the searches.
    pub(super) fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.add("control states", self.index.support.controls() as u64);
        statistics.add("transitions", self.index.net.transitions.len() as u64);
        statistics.add("nodes", self.forward.nodes.len() as u64);
        statistics.add("elements", self.backward.elements.len() as u64);
        statistics.add("pruned", self.backward.pruned);
        statistics
    }
}
