//! The report as JSON. `grammar/report.schema.json` describes it; the field `schema` changes when it does.

use super::story::{self, Change, Line, Story, Value, What};
use super::{Report, Usage, condition_text, excerpt, property_text};
use crate::boolean::cfg::{Program, Property, PropertyKind, VariableId};
use crate::boolean::trace::Trace;
use crate::checker::proof::Proof;
use crate::ground::assurance::Assurance;
use crate::ground::event::Statistics;
use crate::ground::source::{SourceFile, Span};
use crate::ground::verdict::{Overall, Verdict};
use serde::Serialize;
use serde_json::{Map, json};

/// The version of the schema.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Location<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

fn location(source: &SourceFile, span: Span) -> Location<'_> {
    let (start, end) = (source.position(span.start), source.position(span.end));
    let (end_line, end_column) = (end.line, end.column);
    Location { file: source.name(), line: start.line, column: start.column, end_line, end_column }
}

/// What every document begins with.
pub(super) fn head(file: &str) -> Map<String, serde_json::Value> {
    let mut head = Map::new();
    head.insert("schema".into(), json!(SCHEMA));
    head.insert("tool".into(), json!({ "name": "boolero", "version": env!("CARGO_PKG_VERSION") }));
    head.insert("file".into(), json!(file));
    head
}

pub(super) fn finish(document: Map<String, serde_json::Value>) -> String {
    let mut text = serde_json::to_string_pretty(&document).expect("strings and numbers can be written");
    text.push('\n');
    text
}

pub(super) fn add_result(document: &mut Map<String, serde_json::Value>, overall: &Overall) {
    let (result, reason) = match overall {
        Overall::Holds => ("holds", None),
        Overall::Violated => ("violated", None),
        Overall::Unknown(reason) => ("unknown", Some(reason.to_string())),
    };
    document.insert("result".into(), json!(result));
    document.insert("reason".into(), json!(reason));
}

/// The whole report.
#[must_use]
pub fn report(report: &Report<'_>) -> String {
    let mut document = head(report.source.name());
    add_result(&mut document, &report.outcome.overall());
    document.insert("engine".into(), json!(report.outcome.engine));
    document.insert("why".into(), json!(report.outcome.why));
    let properties = report.outcome.verdicts.iter().map(|(id, verdict)| {
        let mut entry = property_entry(report.source, report.program, &report.program.properties[*id]);
        add_verdict(&mut entry, report, verdict);
        serde_json::Value::Object(entry)
    });
    document.insert("properties".into(), properties.collect());
    add_run(&mut document, &report.outcome.assurance, &report.outcome.statistics, report.usage);
    if let Some(proof) = &report.outcome.proof {
        document.insert("proof".into(), proof_entry(proof));
    }
    finish(document)
}

/// What became of the proof that was asked for.
fn proof_entry(proof: &Proof) -> serde_json::Value {
    match proof {
        Proof::Written { folder, formulas, bytes } => {
            json!({ "folder": folder, "formulas": formulas, "bytes": bytes })
        }
        Proof::None(why) => json!({ "none": why }),
    }
}

/// What the result rests on, and the figures of the run.
pub(super) fn add_run(
    document: &mut Map<String, serde_json::Value>,
    assurance: &Assurance,
    statistics: &Statistics,
    usage: Option<Usage>,
) {
    let assumptions = assurance.assumptions.iter().map(ToString::to_string);
    document.insert("assumptions".into(), assumptions.collect());
    let statistics = statistics.iter().map(|(name, value)| (name.to_owned(), json!(value)));
    document.insert("statistics".into(), serde_json::Value::Object(statistics.collect()));
    if let Some(usage) = usage {
        let usage = json!({ "seconds": usage.elapsed.as_secs_f64(), "memory_bytes": usage.memory });
        document.insert("usage".into(), usage);
    }
}

/// The report of a run that ended before it had anything to tell but this.
#[must_use]
pub fn broken_off(file: &str, reason: &str) -> String {
    let mut document = head(file);
    document.insert("result".into(), json!("unknown"));
    document.insert("reason".into(), json!(reason));
    document.insert("properties".into(), json!([]));
    finish(document)
}

/// The properties of a program.
#[must_use]
pub fn list(source: &SourceFile, program: &Program) -> String {
    let mut document = head(source.name());
    let entry = |property| serde_json::Value::Object(property_entry(source, program, property));
    document.insert("properties".into(), program.properties.iter().map(entry).collect());
    finish(document)
}

fn property_entry(
    source: &SourceFile,
    program: &Program,
    property: &Property,
) -> Map<String, serde_json::Value> {
    let kind = match &property.kind {
        PropertyKind::Assertion => "assertion",
        PropertyKind::ErrorLabel(_) => "label",
    };
    let mut entry = Map::new();
    entry.insert("id".into(), json!(property.name));
    entry.insert("kind".into(), json!(kind));
    entry.insert("location".into(), json!(location(source, property.span)));
    entry.insert("text".into(), json!(property_text(source, program, property, usize::MAX / 8)));
    entry
}

fn add_verdict(entry: &mut Map<String, serde_json::Value>, report: &Report<'_>, verdict: &Verdict<Trace>) {
    entry.insert("verdict".into(), json!(verdict.word()));
    match verdict {
        Verdict::Holds => {}
        Verdict::Unknown(reason) => {
            entry.insert("reason".into(), json!(reason.to_string()));
        }
        Verdict::Violated(trace) => {
            if let Some(length) = report.trace {
                let story = story::tell(report.program, trace, length);
                entry.insert("trace".into(), trace_object(report, &story));
            }
        }
    }
}

fn trace_object(report: &Report<'_>, story: &Story) -> serde_json::Value {
    let lines: Vec<_> = story.lines.iter().map(|line| line_object(report, line)).collect();
    let initial: Vec<_> = story.initial.iter().map(|value| value_object(report.program, value)).collect();
    json!({
        "steps": story.steps,
        "threads": story.threads,
        "context_switches": story.switches,
        "initial": initial,
        "lines": lines,
    })
}

fn line_object(report: &Report<'_>, line: &Line) -> serde_json::Value {
    let (kind, number) = match line.what {
        What::Statement => ("statement", None),
        What::Taken => ("taken", None),
        What::NotTaken => ("not taken", None),
        What::End => ("end", None),
        What::Started(thread) => ("started", Some(("started_thread", thread as u64))),
        What::Folded(steps) => ("folded", Some(("folded_steps", steps))),
        What::Gap(lines) => ("gap", Some(("omitted_lines", lines as u64))),
        What::Violation => ("violation", None),
    };
    let text = match line.what {
        What::Taken | What::NotTaken => condition_text(report.source, line.span, usize::MAX / 8),
        _ => excerpt(report.source, line.span, usize::MAX / 8),
    };
    let program = report.program;
    let procedure = &program.procedures[program.nodes[line.node].procedure].name;
    let given: Vec<_> = line.given.iter().map(|value| value_object(program, value)).collect();
    let changes: Vec<_> = line.changes.iter().map(|change| change_object(program, change)).collect();
    let mut object = json!({
        "kind": kind,
        "thread": line.thread,
        "depth": line.depth,
        "procedure": procedure,
        "location": location(report.source, line.span),
        "text": text,
        "given": given,
        "changes": changes,
    });
    if let Some((name, number)) = number {
        object[name] = json!(number);
    }
    object
}

/// The procedure of a local variable; null for a global one.
fn owner(program: &Program, variable: VariableId) -> Option<&str> {
    match program.variables[variable].scope {
        crate::boolean::cfg::Scope::Global(_) => None,
        crate::boolean::cfg::Scope::Local(procedure, _) => Some(&program.procedures[procedure].name),
    }
}

fn value_object(program: &Program, value: &Value) -> serde_json::Value {
    let name = &program.variables[value.variable].name;
    json!({ "variable": name, "procedure": owner(program, value.variable), "value": value.value })
}

fn change_object(program: &Program, change: &Change) -> serde_json::Value {
    let mut object = json!({
        "variable": program.variables[change.variable].name,
        "procedure": owner(program, change.variable),
        "before": change.before,
        "after": change.after,
    });
    if let Some(thread) = change.thread {
        object["thread"] = json!(thread);
    }
    object
}
