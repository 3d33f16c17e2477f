//! The verification of a C program as JSON; `grammar/verify.schema.json` describes it.

use super::{Report, violations};
use crate::cegar::{Certified, Iteration, Outcome, Violation};
use crate::ground::verdict::Verdict;
use crate::predicate::PredicateScope;
use crate::program::names::ProgramNames;
use crate::program::templates::{Count, Template, summary};
use crate::program::text::not_covered;
use crate::program::{PropertyId, PropertyKind};
use crate::report::json::{add_result, finish, head};
use crate::report::run::what;
use crate::smt::{Kind, Mode, Profile};
use serde_json::{Value, json};

/// The whole report.
#[must_use]
pub fn json(file: &str, report: &Report<'_>) -> String {
    let outcome = report.outcome;
    let mut document = head(file);
    add_result(&mut document, &outcome.overall());
    document.insert("properties".into(), properties(report));
    document.insert("predicates".into(), predicates(report));
    if report.program.starts_threads() {
        document.insert("threads".into(), threads(report));
    }
    let timed = report.usage.is_some();
    let iterations = outcome.iterations.iter().map(|one| iteration(one, timed));
    document.insert("iterations".into(), iterations.collect());
    document.insert("random_runs".into(), json!(outcome.hunted));
    if let Some(place) = &outcome.stopped {
        document.insert("stopped".into(), json!(place));
    }
    let certificate = match &outcome.certified {
        Certified::Nothing => json!({ "checked": false, "text": "nothing to certify" }),
        Certified::Yes(text) => json!({ "checked": true, "text": text }),
        Certified::No(text) => json!({ "checked": false, "text": text }),
        Certified::Rejected(why) => json!({ "checked": false, "text": format!("rejected: {why}") }),
    };
    document.insert("certificate".into(), certificate);
    let assumptions = outcome.assurance.assumptions.iter().map(ToString::to_string);
    document.insert("assumptions".into(), assumptions.collect());
    let gaps = report.program.gaps.iter().map(|gap| not_covered(report.program, gap).to_string());
    document.insert("not_checked".into(), gaps.collect());
    if let Some(usage) = report.usage {
        let usage = json!({ "seconds": usage.elapsed.as_secs_f64(), "memory_bytes": usage.memory });
        document.insert("usage".into(), usage);
        document.insert("queries".into(), queries(report.outcome));
    }
    finish(document)
}

/// What threads run, and how many of them there can be.
fn threads(report: &Report<'_>) -> Value {
    let entry = |template: Template| {
        let most = match template.count {
            Count::AtMost(count) => json!(count),
            Count::Any => Value::Null,
        };
        let places: Vec<String> =
            template.places.iter().map(|&place| report.program.place_text(place)).collect();
        json!({ "routine": template.name, "most": most, "started_at": places })
    };
    summary(report.program).into_iter().map(entry).collect()
}

fn properties(report: &Report<'_>) -> Value {
    let entry = |(id, verdict): &(PropertyId, Verdict<Violation>)| {
        let property = &report.program.properties[*id];
        let kind = match property.kind {
            PropertyKind::Assertion => "assertion",
            PropertyKind::ErrorReached => "error",
            PropertyKind::Fault(fault) => fault.name(),
        };
        let mut entry = json!({ "id": property.id, "kind": kind, "text": property.text });
        if let Some(place) = property.place {
            entry["file"] = json!(report.program.files[place.file]);
            entry["line"] = json!(place.line);
        }
        if let Some(reason) = verdict.reason() {
            entry["reason"] = json!(reason.to_string());
        }
        entry["verdict"] = json!(verdict.word());
        if let Some((_, run)) = report.runs.iter().find(|(property, _)| property == id) {
            let seed = violations(report.outcome).find(|(other, _)| other == id).and_then(|(_, it)| it.seed);
            let steps = run.trace.iter().map(|step| {
                json!({
                    "thread": step.location.thread,
                    "function": step.location.function,
                    "place": step.location.place.map(|place| report.program.place_text(place)),
                    "depth": step.depth,
                    "text": what(&step.event),
                })
            });
            entry["run"] = json!({ "seed": seed, "steps": steps.collect::<Vec<_>>() });
        }
        entry
    };
    report.outcome.verdicts.iter().map(entry).collect()
}

fn predicates(report: &Report<'_>) -> Value {
    let names = ProgramNames::new(report.program);
    let entry = |predicate: &crate::predicate::Predicate| {
        let procedure = match predicate.scope {
            PredicateScope::Global => None,
            PredicateScope::Local(procedure) => Some(report.program.procedures[procedure].name.clone()),
        };
        json!({
            "text": names.term(predicate.term),
            "procedure": procedure,
            "iteration": predicate.iteration,
            "reason": predicate.reason,
        })
    };
    report.outcome.precision.predicates.iter().map(entry).collect()
}

fn iteration(iteration: &Iteration, timed: bool) -> Value {
    let mut entry = json!({
        "predicates": iteration.predicates,
        "exclusions": iteration.exclusions,
        "statements": iteration.statements,
        "queries": iteration.queries,
        "cache_hits": iteration.cache_hits,
        "engine": iteration.engine,
        "counterexample_steps": iteration.steps,
        "sources": iteration.sources,
        "result": iteration.result,
    });
    if timed {
        let times = iteration.times;
        entry["seconds"] = json!({
            "abstraction": times.abstraction.as_secs_f64(),
            "checking": times.checking.as_secs_f64(),
            "simulation": times.simulation.as_secs_f64(),
            "refinement": times.refinement.as_secs_f64(),
            "certificate": times.certificate.as_secs_f64(),
        });
    }
    entry
}

/// What queries cost, by kind and mode.
fn queries(outcome: &Outcome) -> Value {
    let told = |(&(kind, mode), profile): (&(Kind, Mode), &Profile)| {
        json!({
            "kind": kind.name(),
            "mode": mode.name(),
            "sat": profile.sat,
            "unsat": profile.unsat,
            "unknown": profile.unknown,
            "seconds": profile.time.as_secs_f64(),
        })
    };
    outcome.queries.iter().map(told).collect()
}
