//! The automata of a saved run for Graphviz: a cluster for each procedure, the way of the first violation in bold.

use super::saved::{Procedure, SavedRun, Statement};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The graph.
#[must_use]
pub fn dot(run: &SavedRun) -> String {
    let way: BTreeSet<usize> =
        run.counterexamples.iter().take(1).flat_map(|one| &one.statements).copied().collect();
    let mut text =
        "digraph run {\n  node [shape=circle fontname=monospace];\n  edge [fontname=monospace];\n".to_owned();
    for (number, procedure) in run.procedures.iter().enumerate() {
        cluster(&mut text, run, (number, procedure), &way);
    }
    text.push_str("}\n");
    text
}

fn cluster(
    text: &mut String,
    run: &SavedRun,
    (number, procedure): (usize, &Procedure),
    way: &BTreeSet<usize>,
) {
    let _ = writeln!(text, "  subgraph cluster_{number} {{\n    label={};", quoted(&procedure.name));
    let name = |location: &str| quoted(&format!("{number} {location}"));
    for location in procedure.locations.keys() {
        let _ = writeln!(text, "    {} [label={}];", name(location), quoted(location));
    }
    for id in &procedure.statements {
        let Statement { from, to, text: label, violates, .. } = &run.statements[*id];
        let label =
            violates.as_ref().map_or(label.clone(), |property| format!("{label}\nviolates {property}"));
        let bold = if way.contains(id) { " style=bold color=red" } else { "" };
        let _ = writeln!(text, "    {} -> {} [label={}{bold}];", name(from), name(to), quoted(&label));
    }
    text.push_str("  }\n");
}

fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
