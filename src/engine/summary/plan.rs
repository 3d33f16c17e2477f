//! The walk backwards: which nodes a counterexample goes through, and which sets it stays in.
//!
//! From a violating path edge the plan goes back, ring by ring, to the entry of its procedure; from there to a call
//! that led to this entry, and so on to the start of the program. A call that returned is one step of the plan;
//! what happens inside is planned when the step is made concrete. A target is a conjunction of literals over the
//! levels of path edges: every completion of it lies in its ring and can take the next step of the plan, so
//! dead variables stay open.

use super::history::{History, Ring, Stamps};
use super::transfer::Transfer;
use crate::bdd::Bdd;
use crate::boolean::cfg::{NodeId, Op, ProcedureId, Program};
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;

/// The exit of a callee: path edges at one of its returns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Exit {
    /// The return.
    pub node: NodeId,
    /// The stamp of the ring.
    pub stamp: u64,
    /// The path edges.
    pub edges: Bdd,
}

/// A step of a plan.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// Executes a node that is neither call nor return.
    Internal(NodeId),
    /// Calls, and comes back through this exit.
    Over(NodeId, Exit),
    /// Calls and stays in the callee; the target then is at the callee's entry, and this is the entry set.
    Enter(NodeId, Bdd),
}

/// A step and what is to be true after it.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// The step.
    pub step: Move,
    /// The node after it.
    pub next: NodeId,
    /// The path edges after it.
    pub target: Bdd,
}

/// A way from the entry of a procedure.
pub struct Plan {
    /// The path edges at the entry.
    pub start: Bdd,
    /// The steps.
    pub steps: Vec<Planned>,
}

/// A place in a ring.
#[derive(Clone, Copy)]
struct Place {
    node: NodeId,
    stamp: u64,
    target: Bdd,
}

/// A predecessor found in the rings.
struct Found {
    place: Place,
    step: Move,
    /// What the step depends on has at most this stamp: smaller is better.
    cost: u64,
}

/// Reads plans from a history.
pub struct Planner<'h> {
    history: &'h History,
    predecessors: IndexVec<NodeId, Vec<NodeId>>,
    returns: IndexVec<ProcedureId, Vec<NodeId>>,
    calls: IndexVec<ProcedureId, Vec<NodeId>>,
}

/// Why there is no plan.
pub enum Failure {
    /// A limit was reached.
    Stopped(Stop),
    /// The rings do not justify each other: a defect of the engine.
    Unjustified(NodeId),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl<'h> Planner<'h> {
    /// A planner for a history of a program.
    pub fn new(program: &Program, history: &'h History) -> Self {
        let mut planner = Self {
            history,
            predecessors: IndexVec::filled(Vec::new(), program.nodes.len()),
            returns: IndexVec::filled(Vec::new(), program.procedures.len()),
            calls: IndexVec::filled(Vec::new(), program.procedures.len()),
        };
        for (id, node) in program.nodes.enumerate() {
            node.successors.iter().for_each(|&next| planner.predecessors[next].push(id));
            match &node.op {
                Op::Return(_) => planner.returns[node.procedure].push(id),
                Op::Call { procedure, .. } => planner.calls[*procedure].push(id),
                _ => {}
            }
        }
        planner
    }

    /// A plan from the start of the program to path edges of a ring.
    pub fn plan_program(
        &self,
        transfer: &mut Transfer<'_>,
        node: NodeId,
        stamp: u64,
        edges: Bdd,
    ) -> Result<Plan, Failure> {
        let program = transfer.symbolic.program;
        let (mut plan, mut entry) = self.plan_procedure(transfer, node, stamp, edges)?;
        let mut procedure = program.nodes[node].procedure;
        while !(procedure == program.entry && entry.stamp == 0) {
            let (call, entries) = self.caller(transfer, procedure, entry, plan.start)?;
            let next = program.procedures[procedure].entry;
            let entering = Planned { step: Move::Enter(call.node, entries), next, target: plan.start };
            let (before, outer_entry) = self.plan_procedure(transfer, call.node, call.stamp, call.target)?;
            let mut steps = before.steps;
            steps.push(entering);
            steps.append(&mut plan.steps);
            plan = Plan { start: before.start, steps };
            entry = outer_entry;
            procedure = program.nodes[call.node].procedure;
        }
        Ok(plan)
    }

    /// A plan from the entry of the node's procedure to path edges of a ring, and the ring of entries it starts in.
    pub fn plan_procedure(
        &self,
        transfer: &mut Transfer<'_>,
        node: NodeId,
        stamp: u64,
        edges: Bdd,
    ) -> Result<(Plan, Ring), Failure> {
        let point = transfer.symbolic.point(edges)?.ok_or(Failure::Unjustified(node))?;
        let mut place = Place { node, stamp, target: point };
        let mut steps = Vec::new();
        loop {
            if let Some((start, ring)) = self.entry(transfer, place)? {
                steps.reverse();
                return Ok((Plan { start, steps }, ring));
            }
            let found = self.predecessor(transfer, place)?.ok_or(Failure::Unjustified(place.node))?;
            steps.push(Planned { step: found.step, next: place.node, target: place.target });
            place = found.place;
        }
    }

    /// Whether a place is the entry of its procedure, as a ring of entries justifies it.
    fn entry(&self, transfer: &mut Transfer<'_>, place: Place) -> Result<Option<(Bdd, Ring)>, Stop> {
        let program = transfer.symbolic.program;
        let procedure = program.nodes[place.node].procedure;
        if program.procedures[procedure].entry != place.node {
            return Ok(None);
        }
        for &ring in
            self.history.entries[procedure].iter().filter(|ring| self.enters(ring.stamp, place.stamp))
        {
            let seed = transfer.seed(procedure, ring.set)?;
            let both = transfer.symbolic.manager.and(seed, place.target)?;
            if let Some(start) = transfer.symbolic.point(both)? {
                return Ok(Some((start, ring)));
            }
        }
        Ok(None)
    }

    fn enters(&self, entry: u64, ring: u64) -> bool {
        match self.history.stamps {
            Stamps::Expansion => entry < ring,
            Stamps::Distance => entry == ring,
        }
    }

    /// The rings of a node that may be one step before a stamp.
    fn before(&self, node: NodeId, stamp: u64) -> &'h [Ring] {
        match self.history.stamps {
            Stamps::Expansion => self.history.earlier(node, stamp),
            Stamps::Distance => stamp.checked_sub(1).map_or(&[], |stamp| self.history.at(node, stamp)),
        }
    }

    fn predecessor(&self, transfer: &mut Transfer<'_>, place: Place) -> Result<Option<Found>, Stop> {
        let program = transfer.symbolic.program;
        let mut best: Option<Found> = None;
        for &node in &self.predecessors[place.node] {
            let found = match &program.nodes[node].op {
                Op::Call { procedure, .. } => self.through_call(transfer, node, *procedure, place)?,
                _ => self.through_node(transfer, node, place)?,
            };
            best = match (best, found) {
                (Some(a), Some(b)) if b.cost < a.cost => Some(b),
                (None, found) => found,
                (best, _) => best,
            };
        }
        Ok(best)
    }

    fn through_node(
        &self,
        transfer: &mut Transfer<'_>,
        node: NodeId,
        place: Place,
    ) -> Result<Option<Found>, Stop> {
        let relation = transfer.symbolic.step(node)?;
        let before = transfer.symbolic.preimage(place.target, relation)?;
        let found = first(transfer, self.before(node, place.stamp), node, before)?;
        Ok(found.map(|place| Found { place, step: Move::Internal(node), cost: place.stamp }))
    }

    fn through_call(
        &self,
        transfer: &mut Transfer<'_>,
        call: NodeId,
        callee: ProcedureId,
        place: Place,
    ) -> Result<Option<Found>, Stop> {
        match self.history.stamps {
            Stamps::Expansion => self.through_any_exit(transfer, call, callee, place),
            Stamps::Distance => self.through_application(transfer, call, place),
        }
    }

    /// A call and a return that were expanded before. The latest return is tried first: it is most often the one.
    fn through_any_exit(
        &self,
        transfer: &mut Transfer<'_>,
        call: NodeId,
        callee: ProcedureId,
        place: Place,
    ) -> Result<Option<Found>, Stop> {
        let returns = self.returns[callee].iter();
        let exits = returns.flat_map(|&node| {
            let rings = self.history.earlier(node, place.stamp).iter();
            rings.map(move |ring| Exit { node, stamp: ring.stamp, edges: ring.set })
        });
        let mut exits: Vec<Exit> = exits.collect();
        exits.sort_unstable_by_key(|exit| std::cmp::Reverse(exit.stamp));
        for exit in exits {
            let summaries = transfer.summarise(exit.node, exit.edges)?;
            let before = self.before_call(transfer, call, summaries, place)?;
            if let Some(place) = first(transfer, self.before(call, place.stamp), call, before)? {
                let cost = place.stamp.max(exit.stamp);
                return Ok(Some(Found { place, step: Move::Over(call, exit), cost }));
            }
        }
        Ok(None)
    }

    /// A call that is known to have led to this place.
    fn through_application(
        &self,
        transfer: &mut Transfer<'_>,
        call: NodeId,
        place: Place,
    ) -> Result<Option<Found>, Stop> {
        let known = self.history.applications.get(&(place.node, place.stamp));
        for application in known.into_iter().flatten().filter(|application| application.call == call) {
            let piece = application.piece;
            let before = self.before_call(transfer, call, piece.summaries, place)?;
            if let Some(found) = first(transfer, self.history.at(call, application.stamp), call, before)? {
                let exit = Exit { node: piece.node, stamp: piece.stamp, edges: piece.edges };
                return Ok(Some(Found {
                    place: found,
                    step: Move::Over(call, exit),
                    cost: application.stamp,
                }));
            }
        }
        Ok(None)
    }

    /// The path edges at a call that these summaries take to a place.
    fn before_call(
        &self,
        transfer: &mut Transfer<'_>,
        call: NodeId,
        summaries: Bdd,
        place: Place,
    ) -> Result<Bdd, Stop> {
        let relation = transfer.call_relation(call, summaries)?;
        transfer.symbolic.preimage(place.target, relation)
    }

    /// A call that led to an entry, and the entry set.
    fn caller(
        &self,
        transfer: &mut Transfer<'_>,
        procedure: ProcedureId,
        entry: Ring,
        start: Bdd,
    ) -> Result<(Place, Bdd), Failure> {
        let entries = transfer.entries_of(procedure, start)?;
        let entries = transfer.symbolic.manager.and(entries, entry.set)?;
        let stamp = match self.history.stamps {
            Stamps::Expansion => entry.stamp + 1,
            Stamps::Distance => entry.stamp,
        };
        for &call in &self.calls[procedure] {
            let site = transfer.call_site(call)?;
            let before = transfer.symbolic.manager.and_exists(site.arguments, entries, site.interface)?;
            if let Some(place) = first(transfer, self.before(call, stamp), call, before)? {
                return Ok((place, entries));
            }
        }
        Err(Failure::Unjustified(transfer.symbolic.program.procedures[procedure].entry))
    }
}

/// A point of the first ring that meets a set.
fn first(transfer: &mut Transfer<'_>, rings: &[Ring], node: NodeId, set: Bdd) -> Result<Option<Place>, Stop> {
    for ring in rings {
        let both = transfer.symbolic.manager.and(ring.set, set)?;
        if let Some(target) = transfer.symbolic.point(both)? {
            return Ok(Some(Place { node, stamp: ring.stamp, target }));
        }
    }
    Ok(None)
}
