//! From a run with ω to a run with numbers.
//!
//! Backwards along the branch of the tree, with the number of threads that is still *needed* in every local set whose
//! counter is ω. Where a counter became ω, the loop that made it grow is put in as often as the need asks for; the
//! loop itself may need threads of counters that were ω before, and may contain such places again. When a counter has
//! become ω by one loop, the next loop at the same node may take from it with every repetition, although it was a
//! number when the loop was found: such counters are *pumped*, and what the loop takes from them is needed, too. The result is a list
//! of steps. It is then taken forwards, with sets of shared values and numbers of threads, and made concrete like any
//! abstract run. Whatever does not work out on the way means that there is no trace, never a wrong one.

use super::marking::Count;
use super::tree::{NodeId, Taken, Tree};
use crate::bdd::Bdd;
use crate::boolean::trace::Trace;
use crate::engine::symmetry::concretise::{self, End, Move};
use crate::engine::symmetry::{Hearing, LocalId, Spawn, Violation};
use crate::ground::reason::Stop;
use indexmap::IndexMap;
use std::rc::Rc;

/// The longest run that is tried.
const LONGEST: usize = 1 << 18;

/// How many threads are needed, by local sets with counter ω.
type Need = IndexMap<LocalId, u64>;

/// Numbers of threads, by local set.
type Population = IndexMap<LocalId, u32>;

/// The trace of a violation in a node; `None` if none was found.
pub(super) fn trace(tree: &mut Tree<'_>, node: NodeId, violation: Violation) -> Result<Option<Trace>, Stop> {
    let mut need = Need::new();
    demand(tree, node, &mut need, violation.violator, 1);
    if let Some((passive, _)) = violation.facing {
        let both = if passive == violation.violator { 2 } else { 1 };
        demand(tree, node, &mut need, passive, both);
    }
    let mut unrolling = Unrolling { tree, steps: Vec::new() };
    if !unrolling.branch(node, need)? {
        return Ok(None);
    }
    let mut steps = unrolling.steps;
    steps.reverse();
    forwards(tree, &steps, violation)
}

/// Needs at least this many threads of a local set, if its counter is ω in a node.
fn demand(tree: &Tree<'_>, node: NodeId, need: &mut Need, local: LocalId, count: u64) {
    if tree.nodes[node].marking.count(local) == Count::Omega {
        let needed = need.entry(local).or_default();
        *needed = (*needed).max(count);
    }
}

struct Unrolling<'t, 'a> {
    tree: &'t mut Tree<'a>,
    /// The steps, last first.
    steps: Vec<Taken>,
}

/// A part of a branch that waits to be unrolled, last things first.
enum Task {
    /// The accelerations of a node, from this one down to the first, while these counters are pumped.
    Accelerations(NodeId, usize, Pumped),
    /// The step to a node, and what is before it, down to this node, while these counters are pumped.
    Step(NodeId, Option<NodeId>, Pumped),
}

/// Local sets whose counters have become ω already when a loop is repeated, in order.
type Pumped = Rc<[LocalId]>;

impl Unrolling<'_, '_> {
    /// Puts in the steps from the start to a node so that afterwards what is needed is there. Tells whether that
    /// worked.
    fn branch(&mut self, to: NodeId, mut need: Need) -> Result<bool, Stop> {
        let nothing: Pumped = Rc::from([]);
        let mut tasks = vec![
            Task::Step(to, None, nothing.clone()),
            Task::Accelerations(to, self.accelerations(to), nothing),
        ];
        while let Some(task) = tasks.pop() {
            self.tree.run.limits.check()?;
            if self.steps.len() > LONGEST || tasks.len() > LONGEST {
                return Ok(false);
            }
            match task {
                Task::Accelerations(_, 0, _) => {}
                Task::Accelerations(node, number, pumped) => {
                    let (ancestor, repetitions) = self.repetitions(node, number - 1, &mut need);
                    if repetitions > LONGEST as u64 {
                        return Ok(false);
                    }
                    let more = self.pumped(node, number - 1, &pumped);
                    tasks.push(Task::Accelerations(node, number - 1, pumped));
                    // A loop is the branch from the ancestor to here, the later accelerations of this node left out.
                    for _ in 0..repetitions {
                        tasks.push(Task::Step(node, Some(ancestor), more.clone()));
                    }
                }
                Task::Step(node, until, pumped) => {
                    let Some((before, taken)) = self.tree.nodes[node].parent else { continue };
                    if !self.undo(before, taken, &pumped, &mut need)? {
                        return Ok(false);
                    }
                    self.steps.push(taken);
                    if Some(before) == until {
                        self.at_least_as_found(before, &pumped, &mut need);
                    } else {
                        tasks.push(Task::Step(before, until, pumped.clone()));
                        tasks.push(Task::Accelerations(before, self.accelerations(before), pumped));
                    }
                }
            }
        }
        Ok(true)
    }

    /// When a loop is repeated, what is pumped must be there at its start as it was when the loop was found.
    fn at_least_as_found(&self, ancestor: NodeId, pumped: &[LocalId], need: &mut Need) {
        for &local in pumped {
            if let Count::Exactly(number) = self.tree.nodes[ancestor].marking.count(local) {
                let needed = need.entry(local).or_default();
                *needed = (*needed).max(u64::from(number));
            }
        }
    }

    /// The counters that are ω at a node before one of its accelerations, and those that are pumped anyway.
    fn pumped(&self, node: NodeId, number: usize, already: &[LocalId]) -> Pumped {
        let node = &self.tree.nodes[node];
        let later = |local: LocalId| {
            let mut grown = node.accelerations[number..].iter().flat_map(|later| &later.grown);
            grown.any(|&(other, ..)| other == local)
        };
        let omega = node.marking.pairs().iter().filter(|pair| pair.1 == Count::Omega).map(|pair| pair.0);
        let mut all: Vec<LocalId> =
            omega.filter(|&local| !later(local)).chain(already.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all.into()
    }

    fn accelerations(&self, node: NodeId) -> usize {
        self.tree.nodes[node].accelerations.len()
    }

    /// How often a loop must run for what is needed; the need is then met.
    fn repetitions(&self, node: NodeId, number: usize, need: &mut Need) -> (NodeId, u64) {
        let acceleration = &self.tree.nodes[node].accelerations[number];
        let mut repetitions = 0;
        for &(local, count, below) in &acceleration.grown {
            let missing = need.shift_remove(&local).unwrap_or(0).saturating_sub(u64::from(count));
            repetitions = repetitions.max(missing.div_ceil(u64::from(count - below)));
        }
        (acceleration.ancestor, repetitions)
    }

    /// What is needed before a step: what it gives is needed no more, what it takes is needed besides.
    fn undo(
        &mut self,
        before: NodeId,
        taken: Taken,
        pumped: &[LocalId],
        need: &mut Need,
    ) -> Result<bool, Stop> {
        let transition = taken.transition;
        for local in transition.target.into_iter().chain(transition.started) {
            if let Some(needed) = need.get_mut(&local) {
                *needed = needed.saturating_sub(1);
            }
        }
        if let Some(class) = transition.class {
            let locals: Vec<LocalId> = self.tree.nodes[before].marking.locals().collect();
            let mut earlier = Need::new();
            for (needed, count) in std::mem::take(need) {
                let mut source = None;
                for &local in &locals {
                    let heard = match self.tree.locals.hear(local, class)? {
                        Hearing::Deaf => local,
                        Hearing::Moves(after) => after,
                        Hearing::Blocks => continue,
                    };
                    let is_omega = self.tree.nodes[before].marking.count(local) == Count::Omega;
                    if heard == needed && is_omega {
                        source = Some(local);
                    }
                }
                match source {
                    Some(source) => *earlier.entry(source).or_default() += count,
                    None if count == 0 => {}
                    None => return Ok(false),
                }
            }
            *need = earlier;
        }
        if self.tree.nodes[before].marking.count(taken.active) == Count::Omega
            || pumped.binary_search(&taken.active).is_ok()
        {
            *need.entry(taken.active).or_default() += 1;
        }
        Ok(true)
    }
}

/// Takes the steps with numbers instead of ω, and makes the run concrete.
fn forwards(tree: &mut Tree<'_>, steps: &[Taken], violation: Violation) -> Result<Option<Trace>, Stop> {
    let mut population = Population::from([(tree.locals.start(), 1)]);
    let mut shared = tree.locals.manager().constant(true);
    let mut states: Vec<(Bdd, Vec<(LocalId, u32)>)> = Vec::with_capacity(steps.len());
    for taken in steps {
        tree.run.limits.check()?;
        states.push((shared, pairs(&population)));
        shared = tree.locals.shared_after(shared, &taken.transition)?;
        if shared == tree.locals.manager().constant(false) || !take(tree, &mut population, taken)? {
            return Ok(None);
        }
    }
    let mut last = tree.locals.manager().and(shared, violation.shared)?;
    if last == tree.locals.manager().constant(false) {
        return Ok(None);
    }
    last = tree.locals.one_shared(last)?;
    let mut later = last;
    let mut moves = Vec::with_capacity(steps.len());
    for (taken, (before, population)) in steps.iter().zip(states).rev() {
        let before = tree.locals.shared_before(before, &taken.transition, later)?;
        let shared = tree.locals.one_shared(before)?;
        later = shared;
        let Taken { active, transition } = *taken;
        moves.push(Move { shared, population, active, transition, spawn: Spawn::Done });
    }
    moves.reverse();
    let end = End { shared: last, population: pairs(&population), violation };
    concretise::trace(tree.program, &mut tree.locals, &moves, &end)
}

/// One step on numbers; false if it is not possible.
fn take(tree: &mut Tree<'_>, population: &mut Population, taken: &Taken) -> Result<bool, Stop> {
    if !tree.locals.may_run(population.keys().copied(), taken.active) {
        return Ok(false);
    }
    match population.get_mut(&taken.active) {
        None => return Ok(false),
        Some(1) => {
            population.shift_remove(&taken.active);
        }
        Some(count) => *count -= 1,
    }
    if let Some(class) = taken.transition.class {
        let Some(after) = tree.locals.broadcast(&pairs(population), class)? else { return Ok(false) };
        population.clear();
        after.into_iter().for_each(|(local, count)| *population.entry(local).or_default() += count);
    }
    for local in taken.transition.target.into_iter().chain(taken.transition.started) {
        *population.entry(local).or_default() += 1;
    }
    Ok(true)
}

fn pairs(population: &Population) -> Vec<(LocalId, u32)> {
    population.iter().map(|(&local, &count)| (local, count)).collect()
}
