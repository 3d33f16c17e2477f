//! The saved run of a verification of C.

use super::tables::{Numbers, files, spot};
use super::truths::add_truths;
use super::{
    Asked, CertificateText, Change, Counterexample, Iteration, KIND, Procedure, Property, Recorder, SCHEMA,
    SavedRun, Spot, Step, Template, Tool, answer, budget,
};
use crate::cegar::{self, Certified, Outcome, Times};
use crate::ground::verdict::Verdict;
use crate::ir::{Module, Place};
use crate::program::names::ProgramNames;
use crate::program::templates::{Count, summary};
use crate::program::text::{location_name, not_covered};
use crate::program::{Program, PropertyId, PropertyKind};
use crate::report::run::{ending, what};
use crate::report::verify::{Report, switches, told, violations};
use crate::vm::{Event, RunOutcome, TraceStep};
use indexmap::IndexMap;
use std::time::Duration;

/// The saved run of a verification, of what was told at its end and meanwhile.
#[must_use]
pub fn saved_verification(
    report: &Report<'_>,
    mut recorder: Recorder,
    Asked { command, settings, elapsed }: Asked,
) -> SavedRun {
    let Report { module, program, outcome, runs, .. } = *report;
    recorder.violated(program, outcome);
    let procedures = procedures(&mut recorder, program);
    let counterexamples = runs
        .iter()
        .take(budget::RUNS)
        .map(|(property, run)| counterexample(report, &mut recorder, *property, run))
        .collect();
    SavedRun {
        kind: KIND.to_owned(),
        schema: SCHEMA,
        tool: tool(),
        command,
        settings,
        language: "c".to_owned(),
        files: files(&module.files),
        result: answer(&outcome.overall()),
        assumptions: outcome.assurance.assumptions.iter().map(ToString::to_string).collect(),
        not_checked: program.gaps.iter().map(|gap| not_covered(program, gap).to_string()).collect(),
        certificate: certificate(&outcome.certified),
        properties: outcome.verdicts.iter().map(|(id, verdict)| property(program, *id, verdict)).collect(),
        threads: threads(program),
        procedures,
        iterations: iterations(&mut recorder, outcome),
        counterexamples,
        figures: figures(outcome),
        seconds: seconds(outcome, elapsed),
        statements: recorder.tables.statements(),
        predicates: recorder.tables.predicates(),
        invariants: recorder.invariants,
        left_out: recorder.left_out,
    }
}

pub(super) fn tool() -> Tool {
    Tool { name: "boolero".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
}

fn certificate(certified: &Certified) -> Option<CertificateText> {
    let told = |checked, text: &str| Some(CertificateText { checked, text: text.to_owned() });
    match certified {
        Certified::Nothing => None,
        Certified::Yes(text) => told(true, text),
        Certified::No(text) => told(false, text),
        Certified::Rejected(why) => told(false, &format!("rejected: {why}")),
    }
}

fn property(program: &Program, id: PropertyId, verdict: &Verdict<cegar::Violation>) -> Property {
    let property = &program.properties[id];
    let kind = match property.kind {
        PropertyKind::Assertion => "assertion",
        PropertyKind::ErrorReached => "error",
        PropertyKind::Fault(fault) => fault.name(),
    };
    Property {
        id: property.id.clone(),
        kind: kind.to_owned(),
        text: property.text.clone(),
        procedure: crate::program::templates::routine_name(program, property.procedure),
        place: property.place.map(spot),
        verdict: verdict.word().to_owned(),
        reason: verdict.reason().map(ToString::to_string),
    }
}

fn threads(program: &Program) -> Vec<Template> {
    if !program.starts_threads() {
        return Vec::new();
    }
    let template = |template: crate::program::templates::Template| {
        let most = match template.count {
            Count::AtMost(count) => Some(count),
            Count::Any => None,
        };
        let mut started_at: Vec<Spot> = template.places.iter().map(|&place| spot(place)).collect();
        started_at.sort_unstable();
        started_at.dedup();
        Template { routine: template.name, most, started_at }
    };
    summary(program).into_iter().map(template).collect()
}

/// The automata of the model, unless they are too large.
fn procedures(recorder: &mut Recorder, program: &Program) -> Vec<Procedure> {
    let all: usize = program.procedures.iter().map(|procedure| procedure.edges.len()).sum();
    if all > budget::STATEMENTS {
        recorder.left_out.push(format!("the automata of the model, which have {all} edges"));
        return Vec::new();
    }
    let names = ProgramNames::new(program);
    let mut numbers = Numbers::default();
    let mut found = Vec::new();
    for (id, procedure) in program.procedures.enumerate() {
        let line = |place: Option<Place>| place.map_or(0, |place| place.line);
        let location = |(id, contents): (_, &crate::program::Location)| {
            (location_name(procedure, id), line(contents.place))
        };
        let edges = procedure.edges.ids();
        let tables = &mut recorder.tables;
        let statements = edges.map(|edge| tables.edge(&names, &mut numbers, id, edge)).collect();
        found.push(Procedure {
            name: names.procedure(id).to_owned(),
            place: procedure.place.map(spot),
            locations: procedure.locations.enumerate().map(location).collect(),
            statements,
        });
    }
    found
}

/// The iterations: what was recorded, with the figures of the outcome.
fn iterations(recorder: &mut Recorder, outcome: &Outcome) -> Vec<Iteration> {
    let mut recorded = std::mem::take(&mut recorder.iterations).into_iter();
    let mut told = Vec::new();
    for iteration in &outcome.iterations {
        told.push(Iteration {
            exclusions: iteration.exclusions,
            statements: iteration.statements,
            queries: iteration.queries,
            cache_hits: iteration.cache_hits,
            engine: iteration.engine.to_owned(),
            sources: iteration.sources.clone(),
            result: iteration.result.clone(),
            seconds: phases(iteration.times),
            ..recorded.next().unwrap_or_default()
        });
    }
    told
}

fn phases(times: Times) -> IndexMap<String, f64> {
    let Times { abstraction, checking, simulation, refinement, certificate } = times;
    let phases = [
        ("abstraction", abstraction),
        ("checking", checking),
        ("simulation", simulation),
        ("refinement", refinement),
        ("certificate", certificate),
    ];
    phases.into_iter().map(|(name, time)| (name.to_owned(), rounded(time))).collect()
}

/// Seconds to a tenth of a millisecond.
pub(super) fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10_000.0
}

/// The seconds of all phases; those of `reading and rest` are what is left.
fn seconds(outcome: &Outcome, elapsed: Duration) -> IndexMap<String, f64> {
    let mut seconds = IndexMap::from([("random runs".to_owned(), rounded(outcome.hunting))]);
    seconds.extend(phases(outcome.times()));
    let rest = rounded(elapsed) - seconds.values().sum::<f64>();
    seconds.insert("reading and rest".to_owned(), (rest.max(0.0) * 10_000.0).round() / 10_000.0);
    seconds
}

fn figures(outcome: &Outcome) -> IndexMap<String, u64> {
    let mut figures = IndexMap::from([
        ("iterations".to_owned(), outcome.iterations.len() as u64),
        ("predicates".to_owned(), outcome.precision.predicates.len() as u64),
        ("excluded steps".to_owned(), outcome.precision.exclusions() as u64),
        ("random runs".to_owned(), outcome.hunted),
        ("queries of the abstraction".to_owned(), outcome.abstraction.queries),
        ("answered from memory".to_owned(), outcome.abstraction.cache_hits),
    ]);
    for ((kind, mode), profile) in &outcome.queries {
        figures.insert(format!("queries: {} ({})", kind.name(), mode.name()), profile.queries());
    }
    figures
}

/// A run of the machine, with the steps in the order in which they are told.
fn counterexample(
    report: &Report<'_>,
    recorder: &mut Recorder,
    property: PropertyId,
    run: &RunOutcome,
) -> Counterexample {
    let id = report.program.properties[property].id.clone();
    let trace = told(run);
    let switches = switches(&trace);
    let mut steps = without_middle(&trace, |step| step_of(report.module, step));
    add_truths(&mut recorder.tables, report.program, report.outcome, &mut steps);
    let statements = recorder.ways.get(&id).cloned().unwrap_or_default();
    let ending = ending(report.module, run);
    steps.push(Step {
        thread: run.location.thread as usize,
        procedure: run.location.function.clone(),
        place: run.location.place.map(spot),
        depth: run.stack.len().saturating_sub(1),
        kind: "violation".to_owned(),
        text: ending.lines().next().unwrap_or_default().to_owned(),
        ..Step::default()
    });
    let threads = steps.iter().map(|step| step.thread + 1).max().unwrap_or(1);
    let seed = violations(report.outcome).find(|(other, _)| *other == property).and_then(|(_, it)| it.seed);
    Counterexample { property: id, seed, threads, switches, steps, ending, statements }
}

/// The first and the last steps, if there are too many.
pub(super) fn without_middle<T>(all: &[T], step: impl Fn(&T) -> Step) -> Vec<Step> {
    let most = budget::STEPS;
    if all.len() <= 2 * most {
        return all.iter().map(step).collect();
    }
    let end = all.len() - most;
    let (kind, text) = ("gap".to_owned(), format!("{} steps are left out here", end - most));
    let gap = Step { kind, text, changes: Vec::new(), predicates: Vec::new(), ..step(&all[end]) };
    all[..most].iter().map(&step).chain([gap]).chain(all[end..].iter().map(&step)).collect()
}

/// Whether a function has a local variable that this is, or is a part of: `a` for `a[3]`.
fn is_local(module: &Module, function: &str, target: &str) -> bool {
    let root = target.split(['.', '[', '-']).next().unwrap_or_default();
    let function = module.function(function).map(|id| &module.functions[id]);
    function.is_some_and(|function| {
        let mut variables = function.values.iter().filter_map(|value| value.variable.as_ref());
        variables.any(|variable| variable.name == root)
    })
}

fn step_of(module: &Module, step: &TraceStep) -> Step {
    let location = &step.location;
    let (kind, changes) = match &step.event {
        Event::Store { target, value } => {
            let local = is_local(module, &location.function, target);
            let thread = local.then_some(location.thread as usize);
            ("store", vec![Change { name: target.clone(), value: value.clone(), thread }])
        }
        Event::Call { function, .. } if *function == location.function => ("call", Vec::new()),
        Event::Call { .. } => ("sync", Vec::new()),
        Event::Return { .. } => ("return", Vec::new()),
        Event::Choice { .. } => ("choice", Vec::new()),
        Event::Output(_) => ("output", Vec::new()),
        Event::Fault(_) => ("fault", Vec::new()),
    };
    Step {
        thread: location.thread as usize,
        procedure: location.function.clone(),
        place: location.place.map(spot),
        depth: step.depth.saturating_sub(1),
        kind: kind.to_owned(),
        text: what(&step.event),
        changes,
        predicates: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_runs_the_middle_is_left_out() {
        let step = |number: &usize| Step { text: number.to_string(), ..Step::default() };
        let numbers: Vec<usize> = (0..2 * budget::STEPS + 7).collect();
        let steps = without_middle(&numbers, step);
        assert_eq!(steps.len(), 2 * budget::STEPS + 1);
        let gap = &steps[budget::STEPS];
        assert_eq!((gap.kind.as_str(), gap.text.as_str()), ("gap", "7 steps are left out here"));
        assert_eq!(steps[budget::STEPS + 1].text, (budget::STEPS + 7).to_string());
        assert_eq!(without_middle(&numbers[7..], step).len(), 2 * budget::STEPS);
    }
}
