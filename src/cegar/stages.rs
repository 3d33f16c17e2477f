//! Which properties are worked on together, and on what part of the program.
//!
//! Properties share predicates, so at first all are worked on together, on a slice for all of them. What one of them needs costs
//! the others in every iteration, though. So a property has a budget of iterations as long as others are open: one that uses it
//! up is put off, and so is one that nothing refines; the others go on. Later each that was put off has a stage of its own, with a slice and predicates of its own, and
//! with four times the budget each time around; the last one has no budget. The easy ones are thus decided first, and
//! budgets are iterations, not time, so that the same program is verified in the same way each time.
//!
//! A slice does whatever the program does, and more. If a counterexample has a run in the slice that the machine does not make, or gets to
//! what is not modelled, what was sliced away is put back: the property is worked on again, on the whole program.

use super::learn::{Lesson, is_useless};
use super::task::{Model, Scope};
use super::{Loop, Watcher, proof};
use crate::abstraction::{Abstractor, Goal};
use crate::engine::Kept;
use crate::ground::reason::Reason;
use crate::predicate::Precision;
use crate::program::{Property, PropertyId};
use crate::refine::Refiner;
use crate::vm;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Budgets grow by this factor.
const MORE: usize = 4;

/// Properties that are worked on together.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    properties: BTreeSet<PropertyId>,
    /// Whether nothing of the program is sliced away.
    whole: bool,
    /// The budget of each.
    patience: usize,
    /// Whether there are other stages to come.
    others_wait: bool,
    /// The number of its first iteration.
    pub begun: usize,
    /// How many iterations have refined for each.
    efforts: BTreeMap<PropertyId, usize>,
    put_off: BTreeMap<PropertyId, PutOff>,
}

/// Why a property is not worked on any further in a stage.
#[derive(Clone, PartialEq, Debug)]
enum PutOff {
    /// It has used up its budget.
    Budget,
    /// Nothing refines for it. Other predicates may.
    Stuck(Reason),
    /// Nothing refines for what keeps all from being proven.
    Hopeless(Reason),
    /// Its counterexample may be due to what was sliced away.
    Sliced,
}

impl Stage {
    /// The first one: everything that was asked for.
    pub fn first(properties: &[PropertyId], whole: bool, patience: usize) -> Self {
        Self::new(properties.iter().copied().collect(), whole, patience)
    }

    fn new(properties: BTreeSet<PropertyId>, whole: bool, patience: usize) -> Self {
        let (efforts, put_off) = (BTreeMap::new(), BTreeMap::new());
        Self { properties, whole, patience, others_wait: false, begun: 0, efforts, put_off }
    }

    /// Whether a property is worked on, if it is open.
    pub fn concerns(&self, property: PropertyId) -> bool {
        self.properties.contains(&property) && !self.put_off.contains_key(&property)
    }

    /// The stages in which what was put off is tried again. What cannot be helped is told, with the reason.
    fn later(&mut self) -> (Vec<Self>, Vec<(PropertyId, Reason)>) {
        let (mut stages, mut given_up) = (Vec::new(), Vec::new());
        let mut sliced = BTreeSet::new();
        let alone = self.properties.len() == 1;
        for (property, why) in std::mem::take(&mut self.put_off) {
            match why {
                PutOff::Sliced => _ = sliced.insert(property),
                PutOff::Hopeless(reason) => given_up.push((property, reason)),
                PutOff::Stuck(reason) if alone => given_up.push((property, reason)),
                PutOff::Stuck(_) | PutOff::Budget => {
                    stages.push(Self::new(BTreeSet::from([property]), self.whole, self.patience * MORE));
                }
            }
        }
        if !sliced.is_empty() {
            stages.insert(0, Self::new(sliced, true, self.patience));
        }
        (stages, given_up)
    }
}

/// Decides what is open, stage by stage. Tells why what is open then stays open.
pub(super) fn decide(search: &mut Loop<'_>, watcher: &mut dyn Watcher) -> Result<Reason, Reason> {
    let mut waiting = VecDeque::new();
    let mut reason = search.iterate(watcher)?;
    loop {
        let (stages, given_up) = search.stage.later();
        waiting.extend(stages);
        search.record.given_up.extend(given_up);
        // Nothing can be proven any more, and what is left is what was hard to refute.
        let next = if search.unsupported.is_some() { None } else { waiting.pop_front() };
        let Some(next) = next else { return Ok(reason) };
        reason = match begin(search, Stage { others_wait: !waiting.is_empty(), ..next }, watcher) {
            Some(why) => Reason::Unsupported(why),
            None => search.iterate(watcher)?,
        };
    }
}

/// Begins a stage: with a model of its own, if there is one to be had. Tells why the model cannot be abstracted, if it cannot.
fn begin(search: &mut Loop<'_>, stage: Stage, watcher: &mut dyn Watcher) -> Option<String> {
    proof::certify(search, watcher);
    search.record.abstraction = search.record.abstraction.plus(search.abstractor.statistics());
    let scope = if stage.whole { Scope::Whole } else { Scope::Slice(&stage.properties) };
    let model = search.task.models.map(|models| models.model(scope));
    let unready = model.as_ref().and_then(|model| model.unready.clone());
    search.precision = match model {
        Some(model) => take(search, model),
        None => search.first_precision.clone(),
    };
    search.abstractor = Abstractor::new(search.options.abstraction, search.run.limits);
    search.refiner = Refiner::new(search.options.sources, search.run.limits);
    search.kept = Kept::default();
    search.proofs.clear();
    search.record.fallbacks = 0;
    search.stage = Stage { begun: search.iterations.len(), ..stage };
    let at_work: Vec<PropertyId> = search.stage.properties.iter().copied().collect();
    let on = if search.stage.whole { "the whole program" } else { "a slice of its own" };
    at_work
        .into_iter()
        .for_each(|property| search.tell_verdict(property, &format!("is tried again, on {on}")));
    if let Some(why) = &unready {
        let reason = Reason::Unsupported(why.clone());
        let given_up = search.stage.properties.iter().map(|&property| (property, reason.clone()));
        search.record.given_up.extend(given_up);
    }
    unready
}

/// The loop goes on with another model. Properties that random runs have added, and what the verdict rests on, belong to it as well.
fn take(search: &mut Loop<'_>, model: Model) -> Precision {
    let old = std::mem::replace(search.task.program, model.program);
    let program = &mut *search.task.program;
    for property in old.properties.into_vec().split_off(program.properties.len()) {
        program.properties.push(Property { edges: Vec::new(), ..property });
    }
    program.assumptions.extend(old.assumptions);
    model.precision
}

/// The properties that are worked on.
pub(super) fn at_work(search: &Loop<'_>) -> Vec<PropertyId> {
    search.verdicts.keys().copied().filter(|&property| search.is_at_work(property)).collect()
}

/// Whether counterexamples are about all properties that are worked on, or about what keeps all of them from being proven.
pub(super) fn concerns_all(search: &Loop<'_>, learnt: &Learnt) -> bool {
    let about = |wanted: PropertyId| learnt.iter().any(|(goal, _)| *goal == Goal::Property(wanted));
    let unmodelled = learnt.iter().any(|(goal, _)| matches!(goal, Goal::Unsupported(..)));
    unmodelled || at_work(search).into_iter().all(about)
}

/// A run that does not come to a violation of the slice in so many steps may be in a loop that was sliced away.
const STEPS: u64 = 3_000_000;

/// How the machine replays counterexamples of this stage. What takes it longer is looked at again on the whole program.
pub(super) fn machine(search: &Loop<'_>) -> vm::Settings {
    let settings = &search.task.machine;
    let steps = if search.stage.whole { settings.steps } else { settings.steps.min(STEPS) };
    vm::Settings { steps, ..settings.clone() }
}

/// If something was sliced away, a counterexample with a run may be none of the program: whoever it is about is put off. Tells
/// whether that is so.
pub(super) fn put_back(search: &mut Loop<'_>, goal: Goal) -> bool {
    if search.stage.whole {
        return false;
    }
    let concerned = match goal {
        Goal::Property(property) => vec![property],
        Goal::Unsupported(..) => at_work(search),
    };
    for property in concerned {
        search.tell_verdict(property, "has a counterexample that may be due to what was sliced away");
        search.stage.put_off.insert(property, PutOff::Sliced);
    }
    true
}

/// Puts properties off that have used up their budgets, unless no others are open.
pub(super) fn put_off_hard_ones(search: &mut Loop<'_>, learnt: &Learnt) {
    for (goal, lesson) in learnt {
        if let (Goal::Property(property), Lesson::Refined(..) | Lesson::Nothing(_)) = (goal, lesson) {
            *search.stage.efforts.entry(*property).or_default() += 1;
        }
    }
    let open = at_work(search);
    let alone = open.len() + search.stage.put_off.len() == 1 && !search.stage.others_wait;
    if alone {
        return;
    }
    for property in open {
        if search.stage.efforts.get(&property).is_some_and(|&effort| effort >= search.stage.patience) {
            search.tell_verdict(property, "is put off: it has used up its budget of iterations");
            search.stage.put_off.insert(property, PutOff::Budget);
        }
    }
}

/// Nothing refines any further: those whose counterexamples are to blame are put off. If these are about what is not
/// modelled, nothing can be proven.
pub(super) fn put_off_stuck_ones(search: &mut Loop<'_>, learnt: &Learnt, reason: &Reason) {
    for (goal, _) in learnt.iter().filter(|(_, lesson)| is_useless(lesson)) {
        match *goal {
            Goal::Property(property) => {
                search.tell_verdict(property, "is put off: nothing refines any further");
                search.stage.put_off.insert(property, PutOff::Stuck(reason.clone()));
            }
            Goal::Unsupported(..) => {
                for property in at_work(search) {
                    search.stage.put_off.insert(property, PutOff::Hopeless(reason.clone()));
                }
            }
        }
    }
}

/// What came of counterexamples, and what each was about.
pub(super) type Learnt = Vec<(Goal, Lesson)>;
