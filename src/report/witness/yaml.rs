//! Witnesses in YAML, version 2.0 of the format.

use super::places::{Standing, end_of_call, standing};
use super::{data_model, specification, uuid};
use crate::report::saved::{Counterexample, Invariant, SavedRun, Spot, Step};
use std::fmt::Write as _;

/// A violation: what functions from outside returned, in order, and the statement that violates the property.
pub(super) fn violation(run: &SavedRun, found: &Counterexample, created: &str) -> String {
    let mut text = head(run, "violation_sequence", created);
    for step in &found.steps {
        if let (Some(value), Some(spot)) = (input(step), step.place) {
            let constraint = format!("\\result == {value}");
            let spot = Spot(spot.0, spot.1, end_of_call(run, spot).unwrap_or(0));
            waypoint(&mut text, run, "function_return", (spot, &step.procedure), Some(&constraint));
        }
    }
    if let Some((step, spot)) = found.steps.last().and_then(|step| Some((step, step.place?))) {
        waypoint(&mut text, run, "target", (spot, &step.procedure), None);
    }
    text
}

/// The value that a function from outside returned, if it is an integer.
pub(super) fn input(step: &Step) -> Option<&str> {
    let (kind, value) = step.text.strip_prefix("input ")?.split_once(": ")?;
    let is_integer = value.parse::<i128>().is_ok() && !["float", "double"].contains(&kind);
    (step.kind == "choice" && is_integer).then_some(value)
}

fn waypoint(
    text: &mut String,
    run: &SavedRun,
    kind: &str,
    (spot, procedure): (Spot, &str),
    constraint: Option<&str>,
) {
    let _ = write!(text, "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n");
    location(text, run, (spot, procedure), "        ");
    if let Some(constraint) = constraint {
        let _ = write!(
            text,
            "        constraint:\n          value: {}\n          format: ext_c_expression\n",
            quoted(constraint)
        );
    }
}

/// A proof: the invariants whose places can be named.
pub(super) fn correctness(run: &SavedRun, created: &str) -> String {
    let mut text = head(run, "invariant_set", created);
    let mut none = true;
    for invariant in run.invariants.iter().filter(|invariant| invariant.is_c) {
        if let Some(standing) = standing(run, invariant) {
            none = false;
            told(&mut text, run, invariant, standing);
        }
    }
    if none { text.trim_end().to_owned() + " []\n" } else { text }
}

fn told(text: &mut String, run: &SavedRun, invariant: &Invariant, standing: Standing) {
    let (kind, spot) = match standing {
        Standing::Loop(spot) => ("loop_invariant", spot),
        Standing::Entry(spot) => ("location_invariant", spot),
    };
    let _ = write!(text, "  - invariant:\n      type: {kind}\n");
    location(text, run, (spot, &invariant.procedure), "      ");
    let _ = write!(text, "      value: {}\n      format: c_expression\n", quoted(&invariant.text));
}

fn head(run: &SavedRun, kind: &str, created: &str) -> String {
    let mut text = format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n");
    let _ = write!(
        text,
        "    uuid: {}\n    creation_time: {}\n    producer:\n      name: Boolero\n      version: {}\n      command_line: {}\n",
        quoted(&uuid(run)),
        quoted(created),
        quoted(&run.tool.version),
        quoted(&run.command.join(" ")),
    );
    text.push_str("    task:\n      input_files:\n");
    let files = || run.files.iter().filter_map(|file| Some((&file.name, file.sha256.as_ref()?)));
    files().for_each(|(name, _)| _ = writeln!(text, "      - {}", quoted(name)));
    text.push_str("      input_file_hashes:\n");
    files().for_each(|(name, hash)| _ = writeln!(text, "        {}: {hash}", quoted(name)));
    let _ = write!(
        text,
        "      specification: {}\n      data_model: {}\n      language: C\n  content:\n",
        quoted(&specification(run)),
        data_model(run)
    );
    text
}

fn location(
    text: &mut String,
    run: &SavedRun,
    (Spot(file, line, column), procedure): (Spot, &str),
    indent: &str,
) {
    let name = run.files.get(file).map_or("", |file| &*file.name);
    let _ =
        write!(text, "{indent}location:\n{indent}  file_name: {}\n{indent}  line: {line}\n", quoted(name));
    if column > 0 {
        let _ = writeln!(text, "{indent}  column: {column}");
    }
    let _ = writeln!(text, "{indent}  function: {}", quoted(procedure));
}

/// A text in double quotes, as YAML and JSON have it.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
