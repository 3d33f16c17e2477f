//! A saved run as SARIF 2.1.0, the format in which CI systems and editors take results of analyses.
//!
//! A violated property is a result of kind `fail`, with a code flow that has one thread flow for each thread; `executionOrder`
//! says how they interleave. Properties that hold are results of kind `pass`, unknown ones of kind `open`. The fingerprint of a
//! result does not mention lines, so it stays the same when code above it changes.

use super::saved::{Counterexample, File, Property, SavedRun, Spot, Step, sha256};
use crate::ground::exit::Exit;
use indexmap::{IndexMap, IndexSet};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The document.
#[must_use]
pub fn sarif(run: &SavedRun) -> String {
    let rules: IndexSet<&str> = run.properties.iter().map(|property| property.kind.as_str()).collect();
    let mut earlier = IndexMap::new();
    let results = run.properties.iter().map(|property| result(run, property, &rules, &mut earlier));
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Boolero",
                "version": run.tool.version,
                "rules": rules.iter().map(|kind| rule(kind)).collect::<Vec<_>>(),
            }},
            "invocations": [invocation(run)],
            "artifacts": run.files.iter().map(artifact).collect::<Vec<_>>(),
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    });
    let mut text = serde_json::to_string_pretty(&document).expect("a value is JSON");
    text.push('\n');
    text
}

fn rule(kind: &str) -> Value {
    let claim = match kind {
        "assertion" => "Assertions hold".to_owned(),
        "error" => "Error functions and error labels are not reached".to_owned(),
        "label" => "Error labels are not reached".to_owned(),
        fault => format!("No fault of the kind `{fault}` happens"),
    };
    json!({ "id": kind, "shortDescription": { "text": claim }, "defaultConfiguration": { "level": "error" } })
}

fn invocation(run: &SavedRun) -> Value {
    let exit = match run.result.verdict.as_str() {
        "holds" => Exit::Holds,
        "violated" => Exit::Violated,
        _ => Exit::Unknown,
    };
    let mut invocation = json!({
        "executionSuccessful": true,
        "exitCode": exit.code(),
        "arguments": run.command,
    });
    if let Some(reason) = &run.result.reason {
        let text = format!("unknown: {reason}");
        invocation["toolExecutionNotifications"] =
            json!([{ "level": "warning", "message": { "text": text } }]);
    }
    invocation
}

fn artifact(file: &File) -> Value {
    let mut artifact = json!({ "location": { "uri": uri(&file.name) } });
    if let Some(hash) = &file.sha256 {
        artifact["hashes"] = json!({ "sha-256": hash });
    }
    artifact
}

/// The name of a file as a relative or a `file:` URI.
fn uri(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/+,=@".contains(&byte);
    let encode = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    let encoded: String = name.bytes().map(encode).collect();
    if name.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

fn result<'r>(
    run: &'r SavedRun,
    property: &'r Property,
    rules: &IndexSet<&str>,
    earlier: &mut IndexMap<[&'r str; 4], usize>,
) -> Value {
    let (kind, level) = match property.verdict.as_str() {
        "violated" => ("fail", "error"),
        "holds" => ("pass", "none"),
        _ => ("open", "none"),
    };
    let mut result = json!({
        "ruleId": property.kind,
        "ruleIndex": rules.get_index_of(property.kind.as_str()),
        "kind": kind,
        "level": level,
        "message": { "text": message(property) },
        "locations": [location(run, property.place, Some(&property.procedure))],
        "partialFingerprints": { "boolero/v1": fingerprint(run, property, earlier) },
        "properties": { "id": property.id },
    });
    let found: Vec<Value> = run
        .counterexamples
        .iter()
        .filter(|one| one.property == property.id)
        .map(|one| code_flow(run, one))
        .collect();
    if !found.is_empty() {
        result["codeFlows"] = json!(found);
    }
    result
}

fn message(property: &Property) -> String {
    let Property { id, text, verdict, reason, .. } = property;
    let reason = reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
    format!("{id}: {text}: {verdict}{reason}")
}

/// What a property claims and where, without lines; of several that claim the same there, which one it is.
fn fingerprint<'r>(
    run: &'r SavedRun,
    property: &'r Property,
    earlier: &mut IndexMap<[&'r str; 4], usize>,
) -> String {
    let file = property.place.and_then(|Spot(file, ..)| run.files.get(file)).map_or("", |file| &*file.name);
    let about = [property.kind.as_str(), file, &property.procedure, &property.text];
    let number = earlier.entry(about).or_default();
    *number += 1;
    let mut hash = sha256(format!("{}\0{number}", about.join("\0")).as_bytes());
    hash.truncate(32);
    hash
}

fn location(run: &SavedRun, place: Option<Spot>, procedure: Option<&str>) -> Value {
    let mut location = json!({});
    if let Some(Spot(file, line, column)) = place
        && let Some(contents) = run.files.get(file)
    {
        let mut region = json!({ "startLine": line.max(1) });
        if column > 0 {
            region["startColumn"] = json!(column);
        }
        let artifact = json!({ "uri": uri(&contents.name), "index": file });
        location["physicalLocation"] = json!({ "artifactLocation": artifact, "region": region });
    }
    if let Some(procedure) = procedure.filter(|procedure| !procedure.is_empty()) {
        location["logicalLocations"] = json!([{ "name": procedure, "kind": "function" }]);
    }
    location
}

/// A run, with a flow for each of its threads.
fn code_flow(run: &SavedRun, found: &Counterexample) -> Value {
    let threads: BTreeSet<usize> = found.steps.iter().map(|step| step.thread).collect();
    let flow = |thread: usize| {
        let own = found.steps.iter().enumerate().filter(|(_, step)| step.thread == thread);
        let locations: Vec<Value> = own.map(|(number, step)| flow_location(run, number, step)).collect();
        json!({ "id": format!("thread {thread}"), "locations": locations })
    };
    let flows: Vec<Value> = threads.into_iter().map(flow).collect();
    let ending = found.ending.lines().next().unwrap_or_default();
    json!({ "message": { "text": ending }, "threadFlows": flows })
}

fn flow_location(run: &SavedRun, number: usize, step: &Step) -> Value {
    let mut location = location(run, step.place, Some(&step.procedure));
    location["message"] = json!({ "text": step.text });
    let importance = match step.kind.as_str() {
        "violation" | "fault" => "essential",
        "store" | "return" | "gap" => "unimportant",
        _ => "important",
    };
    let mut entry = json!({
        "location": location,
        "executionOrder": number + 1,
        "nestingLevel": step.depth,
        "importance": importance,
    });
    if !step.changes.is_empty() {
        let values = step.changes.iter().map(|it| (it.name.clone(), json!({ "text": it.value })));
        entry["state"] = Value::Object(values.collect());
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    fn property(text: &str, line: u32) -> Property {
        Property {
            kind: "assertion".into(),
            text: text.into(),
            place: Some(Spot(0, line, 0)),
            ..Property::default()
        }
    }

    fn fingerprints(properties: Vec<Property>) -> Vec<String> {
        let files = vec![File { name: "a.c".into(), ..File::default() }];
        let run = SavedRun { files, properties, ..SavedRun::default() };
        let mut earlier = IndexMap::new();
        run.properties.iter().map(|property| fingerprint(&run, property, &mut earlier)).collect()
    }

    #[test]
    fn fingerprints_do_not_depend_on_lines_and_tell_properties_apart() {
        let before = fingerprints(vec![property("x == 1", 3), property("x == 1", 5), property("y", 7)]);
        let after = fingerprints(vec![property("x == 1", 13), property("x == 1", 25), property("y", 37)]);
        assert_eq!(before, after);
        assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), 3);
    }

    #[test]
    fn names_of_files_become_uris() {
        assert_eq!(uri("a dir/ä.c"), "a%20dir/%C3%A4.c");
        assert_eq!(uri("/x/y.c"), "file:///x/y.c");
    }
}
