//! Violations with threads in GraphML, version 1.0 of the format of witnesses: a path of which each edge is a step of one thread.

use super::yaml::input;
use super::{data_model, specification};
use crate::report::saved::{Counterexample, SavedRun, Spot, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What nodes and edges say, and on what: the keys of the format.
const KEYS: [(&str, &str, &str); 15] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("startline", "int", "edge"),
    ("threadId", "int", "edge"),
    ("createThread", "int", "edge"),
    ("enterFunction", "string", "edge"),
    ("returnFromFunction", "string", "edge"),
];
/// The assumption of an edge, and the function that it is to be read in.
const ASSUMPTIONS: [(&str, &str, &str); 3] = [
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
];

/// The path.
pub(super) fn violation(run: &SavedRun, found: &Counterexample, created: &str) -> String {
    let mut text = head(run, created);
    text.push_str("    <node id=\"N0\">\n      <data key=\"entry\">true</data>\n    </node>\n");
    let last = found.steps.len();
    let created = created_threads(run, found);
    for (number, step) in found.steps.iter().enumerate() {
        let target = number + 1;
        let violated = if target == last { "\n      <data key=\"violation\">true</data>\n    " } else { "" };
        let _ = writeln!(text, "    <node id=\"N{target}\">{violated}</node>");
        edge(&mut text, run, (number, step), created.get(&number).copied());
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}

/// The steps that start threads, each with the number of its thread: those that write down who was started, in their order, and for
/// a thread without such a step the one before its first.
fn created_threads(run: &SavedRun, found: &Counterexample) -> BTreeMap<usize, usize> {
    let places: BTreeSet<(usize, u32)> =
        run.threads.iter().flat_map(|template| &template.started_at).map(|spot| (spot.0, spot.1)).collect();
    let mut created = BTreeMap::new();
    let mut known = BTreeSet::from([0]);
    for (number, step) in found.steps.iter().enumerate() {
        let starts =
            step.kind == "store" && step.place.is_some_and(|spot| places.contains(&(spot.0, spot.1)));
        if starts {
            let next = known.len();
            known.insert(next);
            created.insert(number, next);
        }
        if known.insert(step.thread) && number > 0 {
            created.insert(number - 1, step.thread);
        }
    }
    created
}

fn edge(text: &mut String, run: &SavedRun, (number, step): (usize, &Step), starts: Option<usize>) {
    let _ = writeln!(text, "    <edge source=\"N{number}\" target=\"N{}\">", number + 1);
    let mut data =
        |key: &str, value: &str| _ = writeln!(text, "      <data key=\"{key}\">{}</data>", escaped(value));
    data("threadId", &step.thread.to_string());
    if let Some(Spot(_, line, _)) = step.place {
        data("startline", &line.to_string());
    }
    if let Some(thread) = starts {
        data("createThread", &thread.to_string());
    }
    match step.kind.as_str() {
        "call" => data("enterFunction", &step.procedure),
        "return" => data("returnFromFunction", &step.procedure),
        _ => {}
    }
    if let (Some(value), Some(function)) = (input(step), called(run, step)) {
        data("assumption", &format!("\\result == {value};"));
        data("assumption.scope", &step.procedure);
        data("assumption.resultfunction", &function);
    }
    text.push_str("    </edge>\n");
}

/// The function whose result an input is: the name at its place.
fn called(run: &SavedRun, step: &Step) -> Option<String> {
    let Spot(file, line, column) = step.place?;
    let line = run.files.get(file)?.text.as_ref()?.lines().nth(line.checked_sub(1)? as usize)?;
    let rest = line.get((column as usize).checked_sub(1)?..)?;
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

fn head(run: &SavedRun, created: &str) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n".to_owned();
    for (name, kind, on) in KEYS.iter().chain(&ASSUMPTIONS) {
        let _ =
            writeln!(text, "  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{on}\"/>");
    }
    text.push_str("  <graph edgedefault=\"directed\">\n");
    let file = run.files.iter().find(|file| file.sha256.is_some());
    let architecture = if data_model(run) == "ILP32" { "32bit" } else { "64bit" };
    let data = [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", &format!("Boolero {}", run.tool.version)),
        ("specification", &specification(run)),
        ("programfile", file.map_or("", |file| &*file.name)),
        ("programhash", file.and_then(|file| file.sha256.as_deref()).unwrap_or_default()),
        ("architecture", architecture),
        ("creationtime", created),
    ];
    for (key, value) in data {
        let _ = writeln!(text, "    <data key=\"{key}\">{}</data>", escaped(value));
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
