//! Counterexample-guided abstraction refinement: abstract, check, simulate, refine, until everything is decided
//! \[CGJLV00\].
//!
//! All properties are decided together. A property is violated when the machine has made a run that violates it. It
//! holds when no run of the Boolean program violates it and none gets to what is not modelled: what the Boolean program
//! cannot do, the C program cannot do either. The loop ends when every property is decided, when nothing refines the
//! abstraction any further, or when a limit is reached.

mod hunt;
mod initial;
mod outcome;
mod proof;
#[cfg(test)]
mod tests;

pub use hunt::Hunt;
pub use initial::{Initial, initial};
pub use outcome::{Certificates, Certified, Iteration, Outcome, Times, Verdict, Violation};

use crate::abstraction::{self, Abstraction, Abstractor, Goal};
use crate::boolean::cfg;
use crate::boolean::check::{CheckOptions, check};
use crate::checker;
use crate::engine::Run;
use crate::ground::event::Event;
use crate::ground::reason::{Reason, Stop};
use crate::ir::Module;
use crate::predicate::{PathStep, Precision};
use crate::program::{Action, Edge, Program, PropertyId};
use crate::refine::{Refinement, Refiner};
use crate::simulate::replay::{Confirmation, confirm};
use crate::simulate::{Simulation, simulate};
use crate::trace::Trace;
use crate::verdict;
use crate::vm;
use indexmap::IndexMap;
use proof::Proof;
use std::time::Instant;

/// How to verify.
#[derive(Clone, Debug)]
pub struct Options {
    /// How precise abstractions are.
    pub abstraction: abstraction::Options,
    /// How Boolean programs are checked.
    pub checker: checker::Options,
    /// So many iterations at most.
    pub iterations: usize,
    /// Whether proofs are checked again.
    pub certificate: Certificates,
    /// How long to hunt with random runs first.
    pub hunt: Hunt,
}

/// What to verify.
pub struct Task<'a> {
    /// The program as the machine runs it.
    pub module: &'a Module,
    /// How the machine runs it: as the model was made.
    pub machine: vm::Settings,
    /// The model, with large blocks.
    pub program: &'a mut Program,
    /// Why the model cannot be abstracted, if it cannot.
    pub unready: Option<String>,
    /// What to decide.
    pub properties: Vec<PropertyId>,
}

/// Watches the loop at work.
pub trait Watcher {
    /// The Boolean program of an iteration.
    fn abstraction(&mut self, iteration: usize, program: &Program, abstraction: &Abstraction);
    /// An iteration is done.
    fn iteration(&mut self, number: usize, iteration: &Iteration);
}

/// Decides properties.
pub fn verify(
    task: Task<'_>,
    precision: Precision,
    options: &Options,
    watcher: &mut dyn Watcher,
    run: Run<'_>,
) -> Outcome {
    let mut verdicts: IndexMap<PropertyId, Option<Verdict>> =
        task.properties.iter().map(|&property| (property, None)).collect();
    let (violations, hunted) = hunt::hunt(&task, options.hunt, run);
    for (property, violation) in violations {
        verdicts.insert(property, Some(Verdict::Violated(Box::new(violation))));
    }
    let abstractor = Abstractor::new(options.abstraction, run.limits);
    let mut search = Loop {
        task,
        options,
        run,
        abstractor,
        refiner: Refiner::new(run.limits),
        precision,
        verdicts,
        hunted,
        unsupported: None,
        iterations: Vec::new(),
        proofs: Vec::new(),
        certified: Certified::Nothing,
    };
    let reason = match search.iterate(watcher) {
        Ok(reason) => reason,
        Err(stop) => stop.into(),
    };
    search.certify();
    search.outcome(&reason)
}

struct Loop<'a> {
    task: Task<'a>,
    options: &'a Options,
    run: Run<'a>,
    abstractor: Abstractor,
    refiner: Refiner,
    precision: Precision,
    verdicts: IndexMap<PropertyId, Option<Verdict>>,
    hunted: u64,
    /// What is not modelled, if a run gets there: then nothing holds any more.
    unsupported: Option<String>,
    iterations: Vec<Iteration>,
    /// What proved what holds.
    proofs: Vec<Proof>,
    certified: Certified,
}

/// An abstract counterexample.
struct Counterexample {
    goal: Goal,
    path: Vec<PathStep>,
}

/// What a counterexample came to.
enum Lesson {
    /// A property, or an edge that is not modelled, is decided.
    Decided,
    /// The precision is finer; by how many predicates and excluded steps.
    Refined(usize, usize),
    /// It was no use, and why.
    Nothing(String),
}

impl Loop<'_> {
    /// The loop. Tells why what is open then stays open.
    fn iterate(&mut self, watcher: &mut dyn Watcher) -> Result<Reason, Stop> {
        if let Some(why) = &self.task.unready {
            return Ok(Reason::Unsupported(why.clone()));
        }
        for number in 0..self.options.iterations {
            if self.verdicts.values().all(Option::is_some) {
                break;
            }
            self.iterations.push(Iteration::default());
            let abstraction = self.abstracted(number)?;
            watcher.abstraction(number, self.task.program, &abstraction);
            let counterexamples = self.checked(number, abstraction)?;
            let mut lessons = Vec::new();
            for counterexample in counterexamples {
                lessons.push(self.learnt(number, &counterexample)?);
            }
            let result = summary(&lessons);
            self.iteration().result.clone_from(&result);
            watcher.iteration(number, &self.iterations[number]);
            if lessons.iter().all(|lesson| matches!(lesson, Lesson::Nothing(_) | Lesson::Refined(0, 0))) {
                return Ok(Reason::Unsupported(self.why_nothing(&lessons)));
            }
        }
        Ok(Stop::Bound(format!("{} iterations", self.options.iterations)).into())
    }

    fn why_nothing(&self, lessons: &[Lesson]) -> String {
        let why = lessons.iter().find_map(|lesson| match lesson {
            Lesson::Nothing(why) => Some(why.clone()),
            Lesson::Refined(..) => Some("no progress: the same counterexample again".to_owned()),
            Lesson::Decided => None,
        });
        why.or_else(|| self.unsupported.clone()).unwrap_or_else(|| "no progress".to_owned())
    }

    fn iteration(&mut self) -> &mut Iteration {
        let last = self.iterations.len() - 1;
        &mut self.iterations[last]
    }

    fn phase(&self, number: usize, phase: &str) -> Instant {
        let predicates = self.precision.predicates.len();
        let text = format!("iteration {number}, {predicates} predicates, {phase}");
        self.run.observer.event(Event::Phase(text));
        Instant::now()
    }

    /// The Boolean program of the precision.
    fn abstracted(&mut self, number: usize) -> Result<Abstraction, Stop> {
        let start = self.phase(number, "abstraction");
        let before = self.abstractor.statistics();
        let result = self.abstractor.abstract_program(self.task.program, &self.precision, self.run);
        let after = self.abstractor.statistics();
        let (predicates, exclusions) = (
            self.precision.predicates.len(),
            self.precision.contradictions.values().map(|all| all.len()).sum(),
        );
        let iteration = self.iteration();
        iteration.times.abstraction = start.elapsed();
        iteration.predicates = predicates;
        iteration.exclusions = exclusions;
        iteration.queries = after.queries - before.queries;
        iteration.cache_hits = after.cache_hits - before.cache_hits;
        result
    }

    /// Checks the Boolean program: what holds, holds; the rest has counterexamples. What is not modelled matters only
    /// when nothing else is left.
    fn checked(&mut self, number: usize, abstraction: Abstraction) -> Result<Vec<Counterexample>, Stop> {
        let start = self.phase(number, "checking");
        let program = check(&abstraction.program, &CheckOptions::default());
        let (program, _) =
            program.map_err(|errors| Stop::Bound(format!("the abstraction is no program: {errors:?}")))?;
        let outcome = checker::check_program(&program, &self.asked(&program, &abstraction), self.run);
        let iteration = self.iteration();
        iteration.engine = outcome.engine;
        iteration.statements = program.nodes.len();
        let mut traces: IndexMap<Goal, Option<Box<Trace>>> = IndexMap::new();
        for (id, verdict) in outcome.verdicts {
            let goal = abstraction.property(id);
            match verdict {
                verdict::Verdict::Holds => _ = traces.entry(goal).or_insert(None),
                verdict::Verdict::Violated(trace) => {
                    let known = traces.entry(goal).or_insert(None);
                    if known.as_ref().is_none_or(|known| trace.steps.len() < known.steps.len()) {
                        *known = Some(trace);
                    }
                }
                verdict::Verdict::Unknown(Reason::Stopped(stop)) => return Err(stop),
                verdict::Verdict::Unknown(reason) => return Err(Stop::Bound(reason.to_string())),
            }
        }
        self.iteration().times.checking = start.elapsed();
        Ok(self.open(program, abstraction, traces))
    }

    /// The question: properties that are open, and what is not modelled.
    fn asked(&self, program: &cfg::Program, abstraction: &Abstraction) -> checker::Options {
        let open = |id: &cfg::PropertyId| match abstraction.property(*id) {
            Goal::Property(property) => self.verdicts.get(&property).is_some_and(Option::is_none),
            Goal::Unsupported(..) => self.unsupported.is_none(),
        };
        let properties = program.properties.ids().filter(open).collect();
        checker::Options { properties: Some(properties), ..self.options.checker.clone() }
    }

    fn open(
        &mut self,
        program: cfg::Program,
        abstraction: Abstraction,
        traces: IndexMap<Goal, Option<Box<Trace>>>,
    ) -> Vec<Counterexample> {
        let all_modelled = self.unsupported.is_none()
            && !traces.iter().any(|(goal, trace)| matches!(goal, Goal::Unsupported(..)) && trace.is_some());
        let mut proven = false;
        for (goal, verdict) in self.verdicts.iter_mut().filter(|(_, verdict)| verdict.is_none()) {
            if all_modelled && traces.get(&Goal::Property(*goal)).is_none_or(Option::is_none) {
                *verdict = Some(Verdict::Holds);
                proven = true;
            }
        }
        let path = |(goal, trace): (Goal, Option<Box<Trace>>)| {
            Some(Counterexample { goal, path: abstraction.path(&program, trace.as_deref()?) })
        };
        let mut found: Vec<Counterexample> = traces.into_iter().filter_map(path).collect();
        if proven {
            self.proofs.push(Proof { precision: self.precision.clone(), abstraction, graph: program });
        }
        if found.iter().any(|one| matches!(one.goal, Goal::Property(_))) {
            found.retain(|one| matches!(one.goal, Goal::Property(_)));
        }
        found.sort_by_key(|one| one.path.len());
        found.truncate(AT_ONCE);
        self.iteration().steps = found.iter().map(|one| one.path.len()).collect();
        found
    }

    /// Simulates a counterexample, and learns from it.
    fn learnt(&mut self, number: usize, counterexample: &Counterexample) -> Result<Lesson, Stop> {
        let start = self.phase(number, "simulation");
        let path = &counterexample.path;
        let simulation = simulate(self.task.program, path, self.run.limits)?;
        let lesson = match simulation {
            Simulation::Feasible(values) => self.feasible(counterexample, values),
            Simulation::Unknown(why) => self.decide(counterexample.goal, Reason::Unsupported(why)),
            Simulation::Infeasible(found) => {
                self.iteration().times.simulation += start.elapsed();
                let start = self.phase(number, "refinement");
                let (program, precision) = (&mut *self.task.program, &self.precision);
                let refinement = self.refiner.refine(program, path, &found.cores, precision, number + 1)?;
                let lesson = self.refined(refinement);
                self.iteration().times.refinement += start.elapsed();
                return Ok(lesson);
            }
        };
        self.iteration().times.simulation += start.elapsed();
        Ok(lesson)
    }

    /// There is a run: the machine judges.
    fn feasible(&mut self, counterexample: &Counterexample, values: crate::simulate::Feasible) -> Lesson {
        let (path, task) = (&counterexample.path, &self.task);
        let Goal::Property(property) = counterexample.goal else {
            return self.decide(counterexample.goal, Reason::Unsupported(String::new()));
        };
        match confirm(task.module, &task.machine, task.program, path, &values, property, self.run.limits) {
            Confirmation::Confirmed(choices, run) => {
                let violation = Violation { seed: None, path: path.clone(), values, choices, run: *run };
                self.verdicts.insert(property, Some(Verdict::Violated(Box::new(violation))));
                Lesson::Decided
            }
            Confirmation::Mismatch(text) => self.decide(counterexample.goal, Reason::ReplayMismatch(text)),
        }
    }

    /// There will be no verdict on this.
    fn decide(&mut self, goal: Goal, reason: Reason) -> Lesson {
        match goal {
            Goal::Property(property) => {
                self.verdicts.insert(property, Some(Verdict::Unknown(reason)));
            }
            Goal::Unsupported(procedure, edge) => {
                let edge = &self.task.program.procedures[procedure].edges[edge];
                self.unsupported = unmodelled(self.task.program, edge);
            }
        }
        Lesson::Decided
    }

    fn refined(&mut self, refinement: Refinement) -> Lesson {
        match refinement {
            Refinement::Steps(steps, passive) => {
                let Precision { contradictions, passive: heard, .. } = &mut self.precision;
                let add = |(edge, step)| contradictions.entry(edge).or_default().insert(step);
                let new = steps.into_iter().map(add).filter(|&new| new).count();
                let add = |(edge, step)| heard.entry(edge).or_default().insert(step);
                let others = passive.into_iter().map(add).filter(|&new| new).count();
                Lesson::Refined(0, new + others)
            }
            Refinement::Predicates(predicates) => {
                let add = |predicate| self.precision.add(predicate).1;
                Lesson::Refined(predicates.into_iter().map(add).filter(|&new| new).count(), 0)
            }
            Refinement::NoProgress(why) | Refinement::Repeated(why) => {
                Lesson::Nothing(format!("no progress: {why}"))
            }
        }
    }

    /// Something that is not modelled: without a property nobody has looked whether a run gets there.
    fn first_unmodelled(&self) -> Option<Reason> {
        let program = &self.task.program;
        let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
        edges.filter_map(|edge| unmodelled(program, edge)).next().map(Reason::Unsupported)
    }

    fn outcome(self, reason: &Reason) -> Outcome {
        let reason = match &self.unsupported {
            Some(what) if !matches!(reason, Reason::Stopped(_)) => Reason::Unsupported(what.clone()),
            _ => reason.clone(),
        };
        let verdict = |verdict: Option<Verdict>| verdict.unwrap_or_else(|| Verdict::Unknown(reason.clone()));
        let unmodelled = if self.verdicts.is_empty() { self.first_unmodelled() } else { None };
        Outcome {
            verdicts: self.verdicts.into_iter().map(|(id, found)| (id, verdict(found))).collect(),
            precision: self.precision,
            unmodelled,
            hunted: self.hunted,
            iterations: self.iterations,
            abstraction: self.abstractor.statistics(),
            certified: self.certified,
        }
    }
}

/// What an edge stands for that is not modelled, and where.
fn unmodelled(program: &Program, edge: &Edge) -> Option<String> {
    let Action::Unsupported(what) = &edge.action else { return None };
    let place = edge.places.first();
    let place =
        place.map_or_else(String::new, |place| format!(" at {}:{}", program.files[place.file], place.line));
    Some(format!("unsupported: {what}{place}"))
}

/// So many counterexamples are learnt from in one iteration.
const AT_ONCE: usize = 8;

/// What an iteration came to, in words.
fn summary(lessons: &[Lesson]) -> String {
    let (mut predicates, mut steps, mut decided) = (0, 0, 0);
    for lesson in lessons {
        match lesson {
            Lesson::Refined(some, others) => (predicates, steps) = (predicates + some, steps + others),
            Lesson::Decided => decided += 1,
            Lesson::Nothing(_) => {}
        }
    }
    let part = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let parts = [part(predicates, "new predicates"), part(steps, "steps excluded"), part(decided, "decided")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match (parts.is_empty(), lessons.is_empty()) {
        (true, true) => "proven".to_owned(),
        (true, false) => "nothing new".to_owned(),
        _ => parts.join(", "),
    }
}
