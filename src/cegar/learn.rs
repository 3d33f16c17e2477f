//! What becomes of a counterexample: a violation that the machine has seen, or a finer precision, or nothing.

use super::check::Counterexample;
use super::fewer::fewer;
use super::{Finding, Loop, Phase, Study, Verdict, Violation, Watcher, stages};
use crate::abstraction::Goal;
use crate::ground::reason::{Defect, Reason, Stop};
use crate::predicate::{PathStep, Predicate, PredicateId};
use crate::program::overlay::Frozen;
use crate::program::{Action, Edge, Program};
use crate::refine::Refinement;
use crate::simulate::replay::{Confirmation, confirm};
use crate::simulate::{Feasible, Infeasible, Simulation, simulate_slice_first};

/// What a counterexample came to.
pub(super) enum Lesson {
    /// A property, or an edge that is not modelled, is decided.
    Decided,
    /// The precision is finer; by how many predicates and excluded steps.
    Refined(usize, usize),
    /// It was no use, and why: the text completes "no progress: …".
    Nothing(String),
}

/// Whether nothing was learnt.
pub(super) fn is_useless(lesson: &Lesson) -> bool {
    matches!(lesson, Lesson::Nothing(_) | Lesson::Refined(0, 0))
}

impl Loop<'_> {
    /// Simulates a counterexample, and learns from it.
    pub(super) fn learnt(
        &mut self,
        counterexample: &Counterexample,
        watcher: &mut dyn Watcher,
    ) -> Result<Lesson, Stop> {
        let simulation = self.timed(Phase::Simulation, |it| {
            let simulation = simulate_slice_first(it.task.program, &counterexample.path, it.run.limits)?;
            Ok(match simulation {
                Simulation::Feasible(values) => Ok(it.feasible(counterexample, values, watcher)),
                Simulation::Unknown(why) => Ok(it.decide(counterexample.goal, Reason::SolverGaveUp(why))),
                Simulation::NoPath(why) => Ok(it.decide(counterexample.goal, Defect::NoPath(why).into())),
                Simulation::Infeasible(found) => Err(found),
            })
        })?;
        match simulation {
            Ok(lesson) => {
                self.tell_study(
                    counterexample,
                    Finding::Decided(self.verdict_on(counterexample.goal)),
                    watcher,
                );
                Ok(lesson)
            }
            Err(found) => self.timed(Phase::Refinement, |it| it.refined(counterexample, &found, watcher)),
        }
    }

    /// What is known of what a counterexample violates.
    fn verdict_on(&self, goal: Goal) -> Option<&Verdict<Violation>> {
        let Goal::Property(property) = goal else { return None };
        self.verdicts.get(&property)?.as_ref()
    }

    /// Tells what was found out about a counterexample.
    fn tell_study(&self, counterexample: &Counterexample, finding: Finding<'_>, watcher: &mut dyn Watcher) {
        let Counterexample { goal, path } = counterexample;
        let (program, precision) = (&*self.task.program, &self.precision);
        watcher.studied(self.iterations.len() - 1, &Study { program, precision, goal: *goal, path, finding });
    }

    /// There is a run: the machine judges.
    fn feasible(
        &mut self,
        counterexample: &Counterexample,
        values: Feasible,
        watcher: &mut dyn Watcher,
    ) -> Lesson {
        let (path, task) = (&counterexample.path, &self.task);
        let Goal::Property(property) = counterexample.goal else {
            return self.decide(counterexample.goal, Reason::NotEveryRun);
        };
        let machine = stages::machine(self);
        match confirm(task.module, &machine, task.program, path, &values, property, self.run.limits) {
            Confirmation::Confirmed(choices, run) => {
                let mut violation = Violation { seed: None, path: path.clone(), values, choices, run: *run };
                fewer(task, property, &mut violation, self.run.limits);
                self.violated(property, violation, watcher);
                Lesson::Decided
            }
            Confirmation::Mismatch(text) => {
                let reason = forgotten(task.program, path).unwrap_or(Reason::ReplayMismatch(text));
                self.decide(counterexample.goal, reason)
            }
        }
    }

    /// There will be no verdict on this, unless what was sliced away is to blame.
    fn decide(&mut self, goal: Goal, reason: Reason) -> Lesson {
        if !matches!(reason, Reason::Defect(_)) && stages::put_back(self, goal) {
            return Lesson::Decided;
        }
        match goal {
            Goal::Property(property) => {
                self.verdicts.insert(property, Some(Verdict::Unknown(reason)));
            }
            Goal::Unsupported(procedure, edge) => {
                let edge = &self.task.program.procedures[procedure].edges[edge];
                // A defect must not look like something that is not modelled.
                let defect = matches!(reason, Reason::Defect(_)).then_some(reason);
                self.unsupported = defect.or_else(|| unmodelled(self.task.program, edge));
            }
        }
        Lesson::Decided
    }

    /// There is no run: the precision becomes finer.
    fn refined(
        &mut self,
        counterexample: &Counterexample,
        found: &Infeasible,
        watcher: &mut dyn Watcher,
    ) -> Result<Lesson, Stop> {
        let (precision, number) = (&self.precision, self.iterations.len());
        let path = &counterexample.path;
        let program = &mut Frozen::new(self.task.program);
        let refinement = self.refiner.refine(program, path, &found.cores, precision, number)?;
        self.tell_study(counterexample, Finding::NoRun(found, &refinement), watcher);
        let lesson = self.refined_by(refinement);
        let learnt = summary(std::iter::once(&lesson));
        self.tell_refinement(path, found.cores.first().map_or(&[], Vec::as_slice), &learnt);
        Ok(lesson)
    }

    /// Makes the precision finer.
    fn refined_by(&mut self, refinement: Refinement) -> Lesson {
        match refinement {
            Refinement::Steps(wrong) => {
                let new = wrong
                    .into_iter()
                    .filter_map(|(edge, step)| self.precision.exclude(edge, step).then_some(()));
                Lesson::Refined(0, new.count())
            }
            Refinement::Predicates(predicates) => {
                Lesson::Refined(predicates.into_iter().filter_map(|new| self.add(new)).count(), 0)
            }
            Refinement::NoProgress(why) | Refinement::Repeated(why) => Lesson::Nothing(why),
        }
    }

    /// Adds a predicate, if it is new.
    fn add(&mut self, predicate: Predicate) -> Option<PredicateId> {
        let source = predicate.reason.clone();
        let (id, new) = self.precision.add(predicate);
        new.then(|| {
            *self.iteration().sources.entry(source).or_default() += 1;
            id
        })
    }
}

/// Why nothing was learnt; the text completes "no progress: …".
pub(super) fn why_nothing<'l>(mut lessons: impl Iterator<Item = &'l Lesson>) -> Option<String> {
    lessons.find_map(|lesson| match lesson {
        Lesson::Nothing(why) => Some(why.clone()),
        Lesson::Refined(..) => Some("the same counterexample again".to_owned()),
        Lesson::Decided => None,
    })
}

/// What an edge stands for that is not modelled, and where.
pub(super) fn unmodelled(program: &Program, edge: &Edge) -> Option<Reason> {
    let Action::Unsupported(what) = &edge.action else { return None };
    let place = edge.places.first().map(|&place| program.place_text(place));
    Some(Reason::NotModelled { what: what.clone(), place })
}

/// What a path has forgotten: then it may be no run.
fn forgotten(program: &Program, path: &[PathStep]) -> Option<Reason> {
    let forgets = |step: &PathStep| {
        let edge = &program.procedures[step.procedure].edges[step.edge];
        let name = edge.forgets(program)?;
        let what = format!("what {name} has in its variables after it has called itself often");
        let place = edge.places.first().map(|&place| program.place_text(place));
        Some(Reason::NotModelled { what, place })
    };
    path.iter().find_map(forgets)
}

/// What an iteration came to, in words.
pub(super) fn summary<'l>(lessons: impl Iterator<Item = &'l Lesson>) -> String {
    let (mut predicates, mut steps, mut decided, mut some) = (0, 0, 0, false);
    for lesson in lessons {
        some = true;
        match lesson {
            Lesson::Refined(new, others) => (predicates, steps) = (predicates + new, steps + others),
            Lesson::Decided => decided += 1,
            Lesson::Nothing(_) => {}
        }
    }
    let part = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let parts = [part(predicates, "new predicates"), part(steps, "steps excluded"), part(decided, "decided")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match (parts.is_empty(), some) {
        (true, false) => "proven".to_owned(),
        (true, true) => "nothing new".to_owned(),
        _ => parts.join(", "),
    }
}
