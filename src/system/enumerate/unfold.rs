//! Steps with what follows at once: one transition of the net is one step of a thread, and then all steps that are
//! merged with it ([`super::merge`]).
//!
//! A thread that is started in an atomic section could not step before the section is left; its own merged steps
//! are taken then, or not at all if the transition ends inside of the section.

use super::broadcast::{Broadcast, broadcasts};
use super::merge::Merging;
use super::moves::{Move, masked, moves};
use super::{Control, Local, Spawning};
use crate::ground::bits::Bits;
use crate::ground::index::IndexVec;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::template::{Atomicity, LocationId, Template};
use indexmap::IndexSet;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A moment on the way: the executing thread has done some steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The moment before; `None`: the start.
    pub before: Option<usize>,
    /// The step that led here.
    pub last: Move,
    /// What the executing thread chose, if that step was one with passive copies.
    pub broadcast: Option<Rc<Broadcast>>,
    /// All threads that were started on the way, in order.
    pub started: Vec<Local>,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfolded {
    /// The control state that it leads to.
    pub to: Control,
    /// The executing thread afterwards, if it still matters.
    pub thread: Option<Local>,
    /// The threads that it started, afterwards; `None`: one that does not matter.
    pub started: Vec<Option<Local>>,
    /// The last moment before threads take private steps.
    pub moment: usize,
}

/// The transitions of a thread in a control state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unfolding {
    /// The moments on the way.
    pub moments: Vec<Moment>,
    /// The transitions.
    pub transitions: Vec<Unfolded>,
}

/// Computes transitions.
pub(super) struct Unfolder<'a> {
    pub(super) template: &'a Template,
    pub(super) merging: &'a IndexVec<LocationId, Merging>,
    pub(super) spawning: Spawning,
    pub(super) limits: &'a Limits,
    settled: HashMap<Local, Rc<[Local]>>,
}

impl<'a> Unfolder<'a> {
    pub(super) fn new(
        template: &'a Template,
        merging: &'a IndexVec<LocationId, Merging>,
        spawning: Spawning,
        limits: &'a Limits,
    ) -> Self {
        Self { template, merging, spawning, limits, settled: HashMap::new() }
    }

    /// The transitions of a thread.
    pub(super) fn unfold(&mut self, shared: &Bits, local: &Local) -> Result<Unfolding, Stop> {
        let mut unfolding = Unfolding { moments: self.first(shared, local)?, transitions: Vec::new() };
        let mut seen = HashSet::new();
        let mut current = 0;
        while current < unfolding.moments.len() {
            self.limits.check()?;
            let moment = unfolding.moments[current].clone();
            let last = (moment.last.shared.clone(), moment.last.thread.clone());
            let origin = moment.broadcast.as_ref().map(Rc::as_ptr);
            if seen.insert((last, moment.started.clone(), origin)) {
                match moment.last.thread.as_ref().filter(|thread| self.goes_on_in_section(thread)) {
                    Some(thread) => {
                        let next =
                            moves(self.template, self.spawning, &moment.last.shared, thread, self.limits)?;
                        unfolding.moments.extend(next.into_iter().map(|next| after(current, &moment, next)));
                    }
                    None => self.finish(&mut unfolding.transitions, current, &moment)?,
                }
            }
            current += 1;
        }
        Ok(unfolding)
    }

    fn goes_on_in_section(&self, thread: &Local) -> bool {
        self.merging[thread.location] == Merging::GoesOn
            && self.template.locations[thread.location].atomicity == Atomicity::Held
    }

    /// The moments after the first step.
    fn first(&self, shared: &Bits, local: &Local) -> Result<Vec<Moment>, Stop> {
        let alone = moves(self.template, self.spawning, shared, local, self.limits)?;
        let moment = |last: Move| {
            let started = last.started.iter().cloned().collect();
            Moment { before: None, last, broadcast: None, started }
        };
        let mut found: Vec<Moment> = alone.into_iter().map(moment).collect();
        for broadcast in broadcasts(self.template, shared, local, self.limits)? {
            let target = self.template.locations[local.location].steps[broadcast.step].target;
            let thread = target
                .map(|location| Local { location, slots: masked(self.template, location, &broadcast.slots) });
            let last = Move { step: broadcast.step, shared: broadcast.shared.clone(), thread, started: None };
            let broadcast = Some(Rc::new(broadcast));
            found.push(Moment { before: None, last, broadcast, started: Vec::new() });
        }
        Ok(found)
    }

    /// The transitions that end after a moment and the private steps behind it.
    fn finish(&mut self, found: &mut Vec<Unfolded>, moment: usize, at: &Moment) -> Result<(), Stop> {
        let holder = at.last.thread.as_ref().map(|thread| self.template.locations[thread.location].atomicity);
        let atomicity = holder.unwrap_or(Atomicity::Free);
        let to = Control { shared: at.last.shared.clone(), atomicity };
        let mut ends: Vec<Vec<Option<Local>>> = vec![Vec::new()];
        for local in std::iter::once(at.last.thread.as_ref()).chain(at.started.iter().map(Some)) {
            let settled = match (local, atomicity) {
                (None, _) => vec![None],
                (Some(local), Atomicity::Held) => vec![Some(local.clone())],
                (Some(local), Atomicity::Free) => self.settle_or_lose(local)?,
            };
            let extended = ends.iter().flat_map(|end| {
                settled.iter().map(move |local| end.iter().chain(std::iter::once(local)).cloned().collect())
            });
            ends = extended.collect();
        }
        for mut end in ends {
            let started = end.split_off(1);
            found.push(Unfolded { to: to.clone(), thread: end.pop().flatten(), started, moment });
        }
        Ok(())
    }

    fn settle_or_lose(&mut self, local: &Local) -> Result<Vec<Option<Local>>, Stop> {
        let settled = self.settle(local)?;
        Ok(if settled.is_empty() { vec![None] } else { settled.iter().cloned().map(Some).collect() })
    }

    /// Where the private steps of a thread may lead; nowhere if it ends or blocks.
    fn settle(&mut self, local: &Local) -> Result<Rc<[Local]>, Stop> {
        if let Some(known) = self.settled.get(local) {
            return Ok(known.clone());
        }
        let walk = self.walk(local, |_| false)?;
        let ends = walk.locals.iter().filter(|local| !self.goes_on(local)).cloned();
        let ends: Rc<[Local]> = ends.collect();
        self.settled.insert(local.clone(), ends.clone());
        Ok(ends)
    }

    fn goes_on(&self, local: &Local) -> bool {
        self.merging[local.location] == Merging::GoesOn
            && self.template.locations[local.location].atomicity == Atomicity::Free
    }

    /// The private steps that lead a thread to a goal.
    pub(super) fn private_steps(&self, from: &Local, goal: &Local) -> Result<Option<Vec<Move>>, Stop> {
        let walk = self.walk(from, |local| local == goal)?;
        let Some(mut place) = walk.locals.get_index_of(goal) else { return Ok(None) };
        let mut steps = Vec::new();
        while let Some((before, last)) = &walk.reached[place] {
            steps.push(last.clone());
            place = *before;
        }
        steps.reverse();
        Ok(Some(steps))
    }

    /// Breadth first over private steps, until a local state is found.
    fn walk(&self, from: &Local, found: impl Fn(&Local) -> bool) -> Result<Walk, Stop> {
        let mut walk = Walk { locals: IndexSet::from([from.clone()]), reached: vec![None] };
        let nothing = Bits::new(self.template.shared);
        let mut current = 0;
        while let Some(local) = walk.locals.get_index(current).cloned() {
            if found(&local) {
                break;
            }
            if self.goes_on(&local) {
                for next in moves(self.template, self.spawning, &nothing, &local, self.limits)? {
                    if let Some(thread) = &next.thread
                        && walk.locals.insert(thread.clone())
                    {
                        walk.reached.push(Some((current, next)));
                    }
                }
            }
            current += 1;
        }
        Ok(walk)
    }
}

/// Local states reached by private steps, each with how it was reached.
struct Walk {
    locals: IndexSet<Local>,
    reached: Vec<Option<(usize, Move)>>,
}

fn after(before: usize, moment: &Moment, last: Move) -> Moment {
    let started = moment.started.iter().chain(&last.started).cloned().collect();
    Moment { before: Some(before), last, broadcast: moment.broadcast.clone(), started }
}
