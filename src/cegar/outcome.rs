//! What the loop finds out, and what each iteration did.

use super::learn::unmodelled;
use super::states::Seen;
use super::{Loop, Task, only, tell};
use crate::abstraction;
use crate::certify::proof::Certificate;
use crate::ground::assurance::Assurance;
use crate::ground::reason::Reason;
use crate::ground::verdict::{Overall, Verdict};
use crate::llvm::models::may_get_to;
use crate::predicate::{PathStep, Precision};
use crate::program::PropertyId;
use crate::program::text::not_covered;
use crate::simulate::Feasible;
use crate::smt::{Profiles, since};
use crate::vm::{Chosen, RunOutcome};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A run that violates a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The seed, if it was found by a random run; it may have become shorter since.
    pub seed: Option<u64>,
    /// The path of the run through the program model; empty if it is a random run.
    pub path: Vec<PathStep>,
    /// The values along the path.
    pub values: Feasible,
    /// The choices of the machine: the same choices make the same run.
    pub choices: Vec<Chosen>,
    /// What the machine saw.
    pub run: RunOutcome,
}

/// What came of an iteration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Iteration {
    /// Predicates that were tracked.
    pub predicates: usize,
    /// Steps that were excluded.
    pub exclusions: usize,
    /// Statements of the Boolean program.
    pub statements: usize,
    /// Queries of the abstraction to the solver, in this iteration.
    pub queries: u64,
    /// Its questions that were answered from memory.
    pub cache_hits: u64,
    /// The engine that checked the Boolean program.
    pub engine: &'static str,
    /// Steps of the counterexamples.
    pub steps: Vec<usize>,
    /// Where its new predicates come from: so many from each source.
    pub sources: IndexMap<String, usize>,
    /// The time that each phase took.
    pub times: Times,
    /// What came of it, in words: "3 new predicates", "2 steps excluded", "proven".
    pub result: String,
}

/// The time that each phase took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// Abstraction.
    pub abstraction: Duration,
    /// Checking Boolean programs.
    pub checking: Duration,
    /// Simulation of counterexamples, and their replay.
    pub simulation: Duration,
    /// Refinement.
    pub refinement: Duration,
    /// Certificates.
    pub certificate: Duration,
}

impl Times {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            abstraction: self.abstraction + other.abstraction,
            checking: self.checking + other.checking,
            simulation: self.simulation + other.simulation,
            refinement: self.refinement + other.refinement,
            certificate: self.certificate + other.certificate,
        }
    }
}

/// Whether proofs are checked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certificates {
    /// All of them.
    All,
    /// None.
    None,
}

/// How the proof of properties that hold was checked again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Certified {
    /// Nothing holds.
    #[default]
    Nothing,
    /// It was; what was checked, in words.
    Yes(String),
    /// It was not, or not all of it; why.
    No(String),
    /// It was, and it does not stand; why. Then nothing holds, and Boolero has a defect.
    Rejected(String),
}

/// What happens besides iterations.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// How many random runs were made,
    pub hunted: u64,
    /// and how long that took.
    pub hunting: Duration,
    /// Where a limit stopped the work: "during refinement, in iteration 3".
    pub stopped: Option<String>,
    /// How many fall-backs were tried.
    pub fallbacks: usize,
    /// Properties that there is no hope for, and why.
    pub given_up: BTreeMap<PropertyId, Reason>,
    /// What abstraction has cost in earlier stages.
    pub abstraction: abstraction::Statistics,
    /// What was certified so far, and how,
    pub certificates: Vec<(BTreeSet<PropertyId>, Certificate)>,
    /// and in words.
    pub certified: Certified,
    /// The assurances of the checks that proved something.
    pub checks: Vec<Assurance>,
    /// The steps of the only run, if the program has only one,
    pub only_run: Option<u64>,
    /// all states, if they were seen,
    pub all_states: Option<Seen>,
    /// how many were, in any case,
    pub explored: usize,
    /// and what the run or the states decided.
    pub by_run: BTreeSet<PropertyId>,
}

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The properties that were asked for, each with its verdict.
    pub verdicts: Vec<(PropertyId, Verdict<Violation>)>,
    /// How far they can be trusted, and what they rest on: the assurances of the program model and of the checks that proved
    /// something, and-combined.
    pub assurance: Assurance,
    /// What the last abstraction tracked.
    pub precision: Precision,
    /// Why not everything that was asked for is known, though no property is open: something is not modelled.
    pub unmodelled: Option<Reason>,
    /// How many random runs were made first.
    pub hunted: u64,
    /// How long they took.
    pub hunting: Duration,
    /// Where a limit stopped the work, if one did: "during refinement, in iteration 3".
    pub stopped: Option<String>,
    /// The iterations, in order.
    pub iterations: Vec<Iteration>,
    /// What the abstraction cost.
    pub abstraction: abstraction::Statistics,
    /// What the queries of all steps cost, by kind and mode.
    pub queries: Profiles,
    /// The certificate.
    pub certified: Certified,
}

impl Outcome {
    /// What the verdicts come to. Nothing holds as a whole if something is not modelled.
    #[must_use]
    pub fn overall(&self) -> Overall {
        let verdicts = self.verdicts.iter().map(|(_, verdict)| verdict);
        Overall::of(verdicts, &self.assurance, self.unmodelled.as_ref())
    }

    /// The time of all iterations.
    #[must_use]
    pub fn times(&self) -> Times {
        self.iterations.iter().fold(Times::default(), |sum, iteration| sum.plus(iteration.times))
    }
}

/// Functions whose calls are assertions.
const ASSERTIONS: [&str; 6] =
    ["__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail", "assert", "__VERIFIER_assert"];

/// The result if the work ends now, and what is open stays open for this reason.
pub(super) fn so_far(search: &Loop<'_>, reason: &Reason) -> Outcome {
    let verdict = |(&id, found): (&PropertyId, &Option<Verdict<Violation>>)| {
        let unknown = || Verdict::Unknown(why_open(search, id, reason));
        (id, found.clone().unwrap_or_else(unknown))
    };
    let by_run = only::decides_all(search);
    let looked = by_run || !search.verdicts.is_empty();
    let unmodelled = if looked { None } else { first_unmodelled(&search.task) };
    // The only run is looked at everywhere.
    let unmodelled = unmodelled.or_else(|| if by_run { None } else { unchecked(&search.task) });
    let Record { hunted, hunting, stopped, certified, .. } = search.record.clone();
    let stopped = stopped.map(|place| match tell::stuck(search) {
        Some(what) => format!("{place}, with {what}"),
        None => place,
    });
    Outcome {
        verdicts: search.verdicts.iter().map(verdict).collect(),
        assurance: assurance(search, unmodelled.is_none()),
        precision: search.precision.clone(),
        unmodelled,
        hunted,
        hunting,
        stopped,
        iterations: search.iterations.clone(),
        abstraction: search.record.abstraction.plus(search.abstractor.statistics()),
        queries: since(&search.asked_before),
        certified,
    }
}

/// Why a property stays open if the work ends for this reason.
fn why_open(search: &Loop<'_>, property: PropertyId, reason: &Reason) -> Reason {
    match (&search.unsupported, search.record.given_up.get(&property).unwrap_or(reason)) {
        // There is no progress since nothing can be proven any more.
        (Some(unsupported), Reason::NoProgress(_)) => unsupported.clone(),
        (_, reason) => reason.clone(),
    }
}

/// What the result rests on, if the program model left out what it says it leaves out, and nothing else.
fn assurance(search: &Loop<'_>, sound: bool) -> Assurance {
    let assumptions = search.task.program.assumptions.clone();
    let model = Assurance { sound, assumptions, ..Assurance::exact() };
    search.record.checks.iter().fold(model, Assurance::and)
}

/// A fault that was asked for, and is not looked for everywhere.
fn unchecked(task: &Task<'_>) -> Option<Reason> {
    let first = task.program.gaps.first()?;
    Some(not_covered(task.program, first))
}

/// Whether there is anything to violate: a fault was asked for, or the program mentions an error function, an assertion
/// or an error label where a run may get to, through whatever pointers; or clang has left out what it takes for unreachable.
fn may_be_violated(task: &Task<'_>) -> bool {
    let machine = &task.machine;
    let assertions = ASSERTIONS.iter().map(|&name| name.to_owned());
    let names = machine.error_functions.iter().cloned().chain(assertions).collect();
    !machine.checks.is_empty()
        || !machine.error_labels.is_empty()
        || task.program.leaves_code_out()
        || may_get_to(task.module, &machine.entry, &names)
}

/// Something that is not modelled and may hide a violation: without a property nobody has looked whether a run gets there.
fn first_unmodelled(task: &Task<'_>) -> Option<Reason> {
    let program = &task.program;
    if !may_be_violated(task) {
        return None;
    }
    let edges = program.procedures.iter().flat_map(|procedure| procedure.edges.iter());
    edges.filter_map(|edge| unmodelled(program, edge)).next()
}
