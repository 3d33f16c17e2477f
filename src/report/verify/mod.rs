//! The verification of a C program, told: verdicts, the run that violates a property, predicates, times, assumptions.

mod json;
mod steps;

pub use json::json;
pub use steps::{Length, steps};
pub(super) use steps::{switches, told};

use super::text::{Colors, assumptions_line, columns, result_line};
use super::{Usage, grouped};
use crate::cegar::{Certified, Outcome, Times, Violation};
use crate::ir::Module;
use crate::predicate::PredicateScope;
use crate::program::names::ProgramNames;
use crate::program::templates::{Count, Template, routine_name, summary};
use crate::program::text::not_covered;
use crate::program::{Program, PropertyId};
use crate::smt::{Kind, Mode, Profile};
use crate::vm::RunOutcome;
use indexmap::IndexMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

/// A result and what is needed to tell it.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The program as the machine runs it.
    pub module: &'a Module,
    /// The model.
    pub program: &'a Program,
    /// The result.
    pub outcome: &'a Outcome,
    /// The runs that violate properties, with their steps written down.
    pub runs: &'a [(PropertyId, RunOutcome)],
    /// How much of them is told.
    pub length: Length,
    /// Time and memory, if they are to be told.
    pub usage: Option<Usage>,
}

/// The whole report.
#[must_use]
pub fn text(report: &Report<'_>, colors: Colors) -> String {
    let mut out = table(report, colors);
    for (property, run) in report.runs {
        let id = &report.program.properties[*property].id;
        let seed =
            violations(report.outcome).find(|(other, _)| other == property).and_then(|(_, it)| it.seed);
        let company = steps::company(run).map_or_else(String::new, |company| format!(", {company}"));
        let found = seed.map_or_else(String::new, |seed| format!(", found at random (seed {seed})"));
        let how = format!("{company}{found}");
        let _ = writeln!(out, "\n{}", colors.paint(&format!("a run that violates {id}{how}:"), "1"));
        out.push_str(&steps(report.module, run, report.length));
        out.push_str(&super::run::ending(report.module, run));
    }
    out.push('\n');
    out.push_str(&threads(report));
    out.push_str(&predicates(report));
    out.push_str(&figures(report));
    out.push_str(&certificate(&report.outcome.certified));
    out.push_str(&gaps(report));
    out.push_str(&assumptions_line(&report.outcome.assurance));
    out.push_str(&result_line(&report.outcome.overall(), colors));
    out
}

fn table(report: &Report<'_>, colors: Colors) -> String {
    if report.outcome.verdicts.is_empty() {
        return "no property to check\n".to_owned();
    }
    let rows = report.outcome.verdicts.iter().map(|(id, verdict)| {
        let property = &report.program.properties[*id];
        let place = property.place.map_or_else(String::new, |place| report.program.place_text(place));
        let why = verdict.reason().map_or_else(String::new, |reason| format!("   ({reason})"));
        let word = colors.verdict(&format!("{:8}", verdict.word()), verdict.word());
        vec![property.id.clone(), place, word, format!("{}{why}", property.text)]
    });
    columns(rows.collect())
}

/// What threads run, and how many of them there can be.
fn threads(report: &Report<'_>) -> String {
    if !report.program.starts_threads() {
        return String::new();
    }
    let tell = |template: Template| {
        let count = match template.count {
            Count::Any => "any number".to_owned(),
            Count::AtMost(1) => "1".to_owned(),
            Count::AtMost(count) => format!("at most {count}"),
        };
        let places: Vec<String> = template
            .places
            .iter()
            .map(|&place| report.program.place_text(place))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let started =
            if places.is_empty() { String::new() } else { format!("started at {}", places.join(", ")) };
        vec![format!("  {}:", template.name), count, started]
    };
    let mut out = format!("threads:\n{}", columns(summary(report.program).into_iter().map(tell).collect()));
    let engine = report.outcome.iterations.last().map_or("", |iteration| iteration.engine);
    if !engine.is_empty() {
        let _ = writeln!(out, "engine: {engine}");
    }
    out
}

/// The predicates, with where they come from.
fn predicates(report: &Report<'_>) -> String {
    let predicates = &report.outcome.precision.predicates;
    if predicates.is_empty() {
        return String::new();
    }
    let names = ProgramNames::new(report.program);
    let rows = predicates.iter().map(|predicate| {
        let scope = match predicate.scope {
            PredicateScope::Global => "global".to_owned(),
            PredicateScope::Local(procedure) => routine_name(report.program, procedure),
        };
        let text = super::shortened(names.term(predicate.term), 60);
        vec![
            format!("  {scope}:"),
            text,
            format!("iteration {}", predicate.iteration),
            predicate.reason.clone(),
        ]
    });
    format!("predicates:\n{}", columns(rows.collect()))
}

fn figures(report: &Report<'_>) -> String {
    let outcome = report.outcome;
    let statistics = outcome.abstraction;
    let mut out = format!(
        "iterations: {}, predicates: {}, queries of the abstraction: {} ({} more answered from memory)\n",
        outcome.iterations.len(),
        outcome.precision.predicates.len(),
        grouped(statistics.queries),
        grouped(statistics.cache_hits),
    );
    if let Some(place) = &outcome.stopped {
        let _ = writeln!(out, "stopped: {place}");
    }
    if let Some(usage) = report.usage {
        let _ = writeln!(out, "{}", sources(outcome));
        let _ = writeln!(out, "{}", split(outcome, usage.elapsed));
        out += &queries(outcome);
        if let Some(memory) = usage.memory {
            let _ = writeln!(out, "memory: {} MiB", grouped(memory.div_ceil(1 << 20)));
        }
    }
    out
}

/// Where the predicates come from.
fn sources(outcome: &Outcome) -> String {
    let mut sources: IndexMap<String, usize> = IndexMap::new();
    for predicate in outcome.precision.predicates.iter() {
        *sources.entry(predicate.reason.clone()).or_default() += 1;
    }
    let exclusions = grouped(outcome.precision.exclusions() as u64);
    format!("sources: {}; steps excluded: {exclusions}", sources_text(&sources))
}

/// `3 weakest precondition, 1 guard on the path`.
fn sources_text(sources: &IndexMap<String, usize>) -> String {
    let parts: Vec<String> = sources.iter().map(|(name, count)| format!("{count} {name}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join("; ") }
}

/// How the time is split.
fn split(outcome: &Outcome, all: Duration) -> String {
    let Times { abstraction, checking, simulation, refinement, certificate } = outcome.times();
    let parts = [
        ("random runs", outcome.hunting),
        ("abstraction", abstraction),
        ("checking", checking),
        ("simulation", simulation),
        ("refinement", refinement),
        ("certificate", certificate),
    ];
    let rest = all.saturating_sub(parts.iter().map(|(_, time)| *time).sum());
    let told = |(name, time): &(&str, Duration)| format!("{name} {:.2}", time.as_secs_f64());
    let parts: Vec<String> = parts.iter().chain(&[("reading and rest", rest)]).map(told).collect();
    format!("time: {:.2} s ({})", all.as_secs_f64(), parts.join(", "))
}

/// The kinds of queries, those that took the most time first.
fn queries(outcome: &Outcome) -> String {
    let mut all: Vec<_> = outcome.queries.iter().collect();
    all.sort_by_key(|(_, profile)| std::cmp::Reverse(profile.time));
    let told = |((kind, mode), profile): (&(Kind, Mode), &Profile)| {
        format!(
            "queries: {} ({}): {} in {:.2} s ({} sat, {} unsat, {} unknown)\n",
            kind.name(),
            mode.name(),
            grouped(profile.queries()),
            profile.time.as_secs_f64(),
            grouped(profile.sat),
            grouped(profile.unsat),
            grouped(profile.unknown),
        )
    };
    all.into_iter().map(told).collect()
}

fn certificate(certified: &Certified) -> String {
    match certified {
        Certified::Nothing => String::new(),
        Certified::Yes(what) => format!("certificate: {what}\n"),
        Certified::No(why) => format!("certificate: none ({why})\n"),
        Certified::Rejected(why) => format!("certificate: none (rejected: {why})\n"),
    }
}

/// So many places are told where a check does not look.
const GAPS: usize = 10;

/// Where checks that were asked for do not look.
fn gaps(report: &Report<'_>) -> String {
    let gaps = &report.program.gaps;
    let mut out: String =
        gaps.iter().take(GAPS).map(|gap| format!("{}\n", not_covered(report.program, gap))).collect();
    if gaps.len() > GAPS {
        let _ = writeln!(out, "… and {} more such places", gaps.len() - GAPS);
    }
    out
}

/// A row per iteration.
#[must_use]
pub fn csv(outcome: &Outcome) -> String {
    let mut out =
        "iteration,predicates,exclusions,queries,cache_hits,statements,engine,counterexample_steps,\
                   abstraction_s,checking_s,simulation_s,refinement_s,sources,result\n"
            .to_owned();
    for (number, iteration) in outcome.iterations.iter().enumerate() {
        let steps: Vec<String> = iteration.steps.iter().map(ToString::to_string).collect();
        let times = iteration.times;
        let _ = writeln!(
            out,
            "{number},{},{},{},{},{},{},{},{:.4},{:.4},{:.4},{:.4},\"{}\",\"{}\"",
            iteration.predicates,
            iteration.exclusions,
            iteration.queries,
            iteration.cache_hits,
            iteration.statements,
            iteration.engine,
            steps.join(" "),
            times.abstraction.as_secs_f64(),
            times.checking.as_secs_f64(),
            times.simulation.as_secs_f64(),
            times.refinement.as_secs_f64(),
            sources_text(&iteration.sources),
            iteration.result,
        );
    }
    out
}

/// The violations of a result.
pub fn violations(outcome: &Outcome) -> impl Iterator<Item = (PropertyId, &Violation)> {
    outcome.verdicts.iter().filter_map(|(id, verdict)| Some((*id, verdict.run()?)))
}
