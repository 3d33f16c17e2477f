//! The report about a net as JSON.

use super::{COVER, NetReport, Rules, control_name, question, target_text, unbounded};
use crate::ground::verdict::Verdict;
use crate::report::json::{add_result, add_run, finish, head};
use crate::system::net::{Configuration, Net, NetTrace};
use serde_json::{Map, Value, json};

/// The whole report.
#[must_use]
pub fn report(report: &NetReport<'_>) -> String {
    let outcome = report.outcome;
    let mut document = head(report.source.name());
    add_result(&mut document, &outcome.overall());
    document.insert("engine".into(), json!(outcome.engine));
    document.insert("properties".into(), json!([property(report)]));
    add_run(&mut document, &outcome.assurance, &outcome.statistics, report.usage);
    finish(document)
}

fn property(report: &NetReport<'_>) -> Value {
    let asked = report.net.map_or_else(String::new, question);
    let mut entry = Map::new();
    let mut add = |name: &str, value: Value| drop(entry.insert(name.to_owned(), value));
    add("id", json!(COVER));
    add("kind", json!("cover"));
    match (&report.outcome.verdict, report.net) {
        (Verdict::Holds, _) => {
            add("text", json!(asked));
            add("verdict", json!("holds"));
        }
        (Verdict::Unknown(reason), _) => {
            add("text", json!(asked));
            add("verdict", json!("unknown"));
            add("reason", json!(reason.to_string()));
        }
        (Verdict::Violated(trace), net) => {
            let covered = net.and_then(|net| Some(target_text(net, net.targets.get(trace.target)?)));
            add("text", json!(covered.unwrap_or(asked)));
            add("verdict", json!("violated"));
            if let (Some(net), Some(_)) = (net, report.trace) {
                add("run", run(report, net, trace));
            }
        }
    }
    Value::Object(entry)
}

fn run(report: &NetReport<'_>, net: &Net, trace: &NetTrace) -> Value {
    let rules = Rules::new(report.source, report.format);
    let steps = trace.steps.iter().map(|(transition, after)| {
        let transition = &net.transitions[*transition];
        let text = rules.text(transition, usize::MAX / 8);
        json!({ "line": transition.line, "text": text, "after": configuration(net, after) })
    });
    let any: Vec<_> =
        unbounded(net, &trace.initial).into_iter().map(|place| json!(net.places.name(place))).collect();
    json!({
        "initial": configuration(net, &trace.initial),
        "any_number": any,
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn configuration(net: &Net, configuration: &Configuration) -> Value {
    let tokens = configuration
        .tokens
        .iter()
        .map(|&(place, count)| json!({ "place": net.places.name(place), "count": count }));
    json!({ "control": control_name(net, configuration.control), "tokens": tokens.collect::<Vec<_>>() })
}
