//! Counterexample-guided abstraction refinement: abstract, check, simulate, refine, until everything is decided
//! \[CGJLV00\].
//!
//! Properties are decided together, on a slice of the program; those that are hard are put off and tried again alone. A property is violated when the machine has made a run that violates it. It
//! holds when no run of the Boolean program violates it and none gets to what is not modelled: what the Boolean program
//! cannot do, the C program cannot do either. The loop ends when every property is decided, when nothing refines the
//! abstraction any further, or when a limit is reached.
//!
//! Here is the loop. What its steps do besides calling the modules that do the work is in `check` (the Boolean program
//! and its counterexamples), `learn` (what becomes of a counterexample), `fallback` (what is tried when refinement finds nothing), `stages` (which properties are worked on together, and for how long), `tell` (what it says of its work), `phase` (times) and `hunt` (random runs). `only`, `states`, `proof` and
//! `outcome` are functions over it: the only run comes first, certificates last, and the result can be told at any time.

mod check;
mod fallback;
mod fewer;
mod hunt;
mod initial;
mod learn;
mod only;
mod outcome;
mod phase;
mod proof;
mod stages;
mod states;
mod task;
mod tell;
#[cfg(test)]
mod tests;

pub use hunt::Hunt;
pub use initial::{Initial, initial};
pub use outcome::{Certificates, Certified, Iteration, Outcome, Times, Violation};
pub use phase::Phase;
pub use states::Engine;
pub use task::{Abstracted, Finding, Model, Models, Options, Proven, Scope, Study, Task, Watcher};

pub use crate::ground::verdict::Verdict;

use crate::abstraction::{Abstraction, Abstractor};
use crate::engine::Kept;
use crate::ground::reason::{Reason, Stop};
use crate::ground::run::Run;
use crate::predicate::Precision;
use crate::program::PropertyId;
use crate::program::tallies::seeds::late_seeds;
use crate::refine::Refiner;
use crate::smt::{Profiles, profiles};
use fewer::fewer;
use indexmap::IndexMap;
use learn::{is_useless, summary};
use proof::Proof;
use stages::{Learnt, Stage};
use std::time::Instant;

/// What has no proof after so many iterations may need an account of counters.
const LATE: usize = 5;

/// Decides properties.
pub fn verify(
    task: Task<'_>,
    precision: Precision,
    options: &Options,
    watcher: &mut dyn Watcher,
    run: Run<'_>,
) -> Outcome {
    let mut search = Loop::new(task, precision, options, run);
    let reason = search.decide_all(watcher).unwrap_or_else(|reason| reason);
    proof::certify(&mut search, watcher);
    outcome::so_far(&search, &reason)
}

/// A verification at work.
struct Loop<'a> {
    task: Task<'a>,
    options: &'a Options,
    run: Run<'a>,
    abstractor: Abstractor,
    refiner: Refiner,
    precision: Precision,
    /// What it was at first.
    first_precision: Precision,
    /// What is worked on.
    stage: Stage,
    /// What the check of a Boolean program leaves to that of the next one.
    kept: Kept,
    verdicts: IndexMap<PropertyId, Option<Verdict<Violation>>>,
    /// What is not modelled, if a run gets there: then nothing holds any more.
    unsupported: Option<Reason>,
    /// What proved what holds.
    proofs: Vec<Proof>,
    iterations: Vec<Iteration>,
    /// Figures besides those of iterations.
    record: outcome::Record,
    /// What queries had cost before.
    asked_before: Profiles,
}

impl<'a> Loop<'a> {
    fn new(task: Task<'a>, precision: Precision, options: &'a Options, run: Run<'a>) -> Self {
        Self {
            verdicts: task.properties.iter().map(|&property| (property, None)).collect(),
            abstractor: Abstractor::new(options.abstraction, run.limits),
            refiner: Refiner::new(options.sources, run.limits),
            stage: Stage::first(&task.properties, task.models.is_none(), options.patience),
            task,
            options,
            run,
            first_precision: precision.clone(),
            precision,
            kept: Kept::default(),
            unsupported: None,
            proofs: Vec::new(),
            iterations: Vec::new(),
            record: outcome::Record::default(),
            asked_before: profiles(),
        }
    }

    /// Runs come first: the only one, if there is one, and random ones, since many bugs are that near. Then all states, if that was asked for. Then the loop. Tells why
    /// what is open then stays open.
    fn decide_all(&mut self, watcher: &mut dyn Watcher) -> Result<Reason, Reason> {
        let violation = only::run(self);
        let hunted = if self.record.only_run.is_none() { self.hunt(watcher) } else { Ok(()) };
        if let Some((property, violation)) = violation
            && self.verdicts.get(&property).is_none_or(Option::is_none)
        {
            self.violated(property, violation, watcher);
        }
        hunted?;
        self.first_violation()?;
        states::run(self, watcher)?;
        self.first_violation()?;
        match &self.task.unready {
            Some(why) => Ok(Reason::Unsupported(why.clone())),
            None => stages::decide(self, watcher),
        }
    }

    fn hunt(&mut self, watcher: &mut dyn Watcher) -> Result<(), Stop> {
        let start = Instant::now();
        self.record.hunted = self.random_runs(watcher);
        for (&property, verdict) in &mut self.verdicts {
            if let Some(Verdict::Violated(violation)) = verdict {
                fewer(&self.task, property, violation, self.run.limits);
            }
        }
        self.record.hunting = start.elapsed();
        self.run.limits.check().inspect_err(|_| self.record.stopped = Some("during random runs".to_owned()))
    }

    /// Notes a violation at once: from now on it is part of the result, however the work ends.
    fn violated(&mut self, property: PropertyId, violation: Violation, watcher: &mut dyn Watcher) {
        self.verdicts.insert(property, Some(Verdict::Violated(Box::new(violation))));
        watcher.violated(self.task.program, &|reason| outcome::so_far(self, &reason));
    }

    /// Stops the work once there is a violation, if one is enough.
    fn first_violation(&self) -> Result<(), Reason> {
        let violated = self.verdicts.values().any(|verdict| matches!(verdict, Some(Verdict::Violated(_))));
        if self.options.stop_at_first && violated { Err(Reason::FirstViolationOnly) } else { Ok(()) }
    }

    /// The loop, for the properties of a stage.
    fn iterate(&mut self, watcher: &mut dyn Watcher) -> Result<Reason, Reason> {
        while self.iterations.len() < self.options.iterations {
            let number = self.iterations.len();
            if stages::at_work(self).is_empty() {
                return Ok(Reason::NoProgress(None));
            }
            if number == self.stage.begun + LATE {
                self.keep_account(number);
            }
            self.iterations.push(Iteration::default());
            let abstraction = self.timed(Phase::Abstraction, Self::abstracted)?;
            let (program, precision) = (&*self.task.program, &self.precision);
            watcher.abstraction(number, &Abstracted { program, precision, abstraction: &abstraction });
            let counterexamples = self.timed(Phase::Checking, |it| it.checked(abstraction))?;
            let mut learnt = Learnt::new();
            for counterexample in counterexamples {
                learnt.push((counterexample.goal, self.learnt(&counterexample, watcher)?));
                self.first_violation()?;
            }
            self.iteration().result = summary(learnt.iter().map(|(_, lesson)| lesson));
            watcher.iteration(number, &self.iterations[number]);
            if let Some(reason) = self.stuck(&learnt) {
                if learnt.is_empty() {
                    return Ok(reason);
                }
                stages::put_off_stuck_ones(self, &learnt, &reason);
            }
            stages::put_off_hard_ones(self, &learnt);
        }
        Err(Stop::Bound(format!("{} iterations", self.options.iterations)).into())
    }

    /// Whether a property is open, and worked on in this stage.
    fn is_at_work(&self, property: PropertyId) -> bool {
        self.verdicts.get(&property).is_some_and(Option::is_none) && self.stage.concerns(property)
    }

    /// Why nothing refines any further, if that is so. What nobody asked for is tried first.
    fn stuck(&mut self, learnt: &Learnt) -> Option<Reason> {
        let useless = learnt.iter().all(|(_, lesson)| is_useless(lesson));
        // Others go on without predicates that nobody asked for.
        let help = |it: &mut Self| stages::concerns_all(it, learnt) && fallback::fall_back(it);
        let stuck = useless && (learnt.is_empty() || !help(self));
        stuck.then(|| fallback::why_nothing(self, learnt))
    }

    /// Tries whether it helps that threads keep account of counters under locks.
    fn keep_account(&mut self, number: usize) {
        let program = &mut *self.task.program;
        let terms = late_seeds(program);
        initial::accounts(program, &mut self.precision, terms, number);
    }

    /// The Boolean program of the precision.
    fn abstracted(&mut self) -> Result<Abstraction, Stop> {
        let before = self.abstractor.statistics();
        let result = self.abstractor.abstract_program(self.task.program, &self.precision, self.run);
        let after = self.abstractor.statistics();
        let predicates = self.precision.predicates.len();
        let exclusions = self.precision.exclusions();
        let iteration = self.iteration();
        (iteration.predicates, iteration.exclusions) = (predicates, exclusions);
        iteration.queries = after.queries - before.queries;
        iteration.cache_hits = after.cache_hits - before.cache_hits;
        result
    }
}
