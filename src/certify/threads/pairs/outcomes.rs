//! What comes of an abstract step: the values that a statement permits.

use super::super::Failure;
use super::super::meaning::Place;
use super::super::relation::{Formula, Read, Relation, Values, Variable};
use super::state::Layout;

/// One step has no more outcomes than this.
const MOST: usize = 20_000;

/// A thread in the middle of a step: what is shared and what it knows, before and behind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Moment {
    pub shared: u128,
    pub place: Place,
    pub values: u128,
}

/// A step of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Step {
    pub before: Moment,
    pub behind: Moment,
}

impl Layout<'_, '_> {
    fn read(&self, moment: &Moment, variable: Variable) -> bool {
        self.value(moment.shared, moment.place, moment.values, variable)
    }

    /// Whether a condition can hold of a thread, without a step.
    pub fn can_hold(&self, conditions: &[Formula], now: &Moment) -> bool {
        conditions.iter().all(|condition| condition.values(|read| self.read(now, read.variable)).can_be_true)
    }

    /// The ways in which a thread can make a step to a place, other threads left aside.
    pub fn own(&self, relation: &Relation, before: Moment, to: Place) -> Result<Vec<Step>, Failure> {
        let start = Step { before, behind: Moment { place: to, ..before } };
        let read = |step: &Step, read: &Read| match read.next {
            true => self.read(&step.behind, read.variable),
            false => self.read(&step.before, read.variable),
        };
        self.outcomes(start, &relation.own, &relation.constraints, &read)
    }

    /// The ways in which the step of another thread changes what a thread knows.
    pub fn other(
        &self,
        relation: &Relation,
        active: &Step,
        place: Place,
        values: u128,
    ) -> Result<Vec<u128>, Failure> {
        let before = Moment { shared: active.before.shared, place, values };
        let start = Step { before, behind: Moment { shared: active.behind.shared, place, values } };
        let read = |step: &Step, read: &Read| {
            let whose = if read.passive { step } else { active };
            self.read(if read.next { &whose.behind } else { &whose.before }, read.variable)
        };
        let found = self.outcomes(start, &relation.others, &relation.about_others, &read)?;
        Ok(found.into_iter().map(|step| step.behind.values).collect())
    }

    /// Gives values to one variable after the other. What cannot be completed is dropped as soon as that is seen.
    fn outcomes(
        &self,
        start: Step,
        values: &Values,
        constraints: &[Formula],
        read: &dyn Fn(&Step, &Read) -> bool,
    ) -> Result<Vec<Step>, Failure> {
        // A constraint is looked at when all that it mentions has its value.
        let level = |constraint: &Formula| {
            let given = |read: &Read| values.iter().position(|(variable, _)| *variable == read.variable);
            let levels = constraint.variables().filter(|read| read.next).filter_map(given);
            levels.max().map_or(0, |last| last + 1)
        };
        let levels: Vec<usize> = constraints.iter().map(level).collect();
        let holds = |step: &Step, level: usize| {
            let here = constraints.iter().zip(&levels).filter(|(_, own)| **own == level);
            here.map(|(constraint, _)| constraint).all(|it| it.values(|it| read(step, it)).can_be_true)
        };
        let mut found: Vec<Step> = vec![start];
        found.retain(|step| holds(step, 0));
        for (number, (variable, formula)) in values.iter().enumerate() {
            let mut next = Vec::new();
            for step in found {
                for value in formula.values(|it| read(&step, it)).iter() {
                    // Flags say where a thread is: one that says otherwise is of no thread.
                    if matches!(variable, Variable::Flag(_)) && self.read(&step.behind, *variable) != value {
                        continue;
                    }
                    let mut step = step;
                    let Moment { shared, place, values } = &mut step.behind;
                    self.set(shared, *place, values, *variable, value);
                    if holds(&step, number + 1) {
                        next.push(step);
                    }
                }
            }
            found = next;
            if found.len() > MOST {
                return Err(Failure::bound("too large: a step has too many outcomes"));
            }
        }
        Ok(found)
    }
}
