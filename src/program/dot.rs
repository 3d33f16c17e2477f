//! The program model for Graphviz (`boolero emit dot`): one cluster per procedure, dashed edges to what is called or
//! started.

use super::names::ProgramNames;
use super::text::{action_text, lines, location_name};
use super::{Action, Edge, LocationId, ProcedureId, Program};
use crate::ground::index::Index;

/// Longer labels are cut.
const LABEL: usize = 160;

/// The program as a directed graph in the DOT language.
#[must_use]
pub fn dot(program: &Program) -> String {
    let names = ProgramNames::new(program);
    let mut text = String::from(
        "digraph program {\n  node [shape=ellipse, fontname=monospace];\n  edge [fontname=monospace];\n",
    );
    for id in program.procedures.ids() {
        text.push_str(&cluster(&names, id));
    }
    for (id, procedure) in program.procedures.enumerate() {
        for edge in procedure.edges.iter() {
            text.push_str(&call(program, id, edge));
        }
    }
    let entry = node(program.entry, program.procedures[program.entry].entry);
    text.push_str(&format!("  start [shape=point];\n  start -> {entry};\n}}\n"));
    text
}

fn node(procedure: ProcedureId, location: LocationId) -> String {
    format!("p{}_{}", procedure.index(), location.index())
}

fn cluster(names: &ProgramNames<'_>, id: ProcedureId) -> String {
    let program = names.program();
    let procedure = &program.procedures[id];
    let mut text =
        format!("  subgraph cluster_{} {{\n    label=\"{}\";\n", id.index(), escape(&procedure.name));
    for (location, contents) in procedure.locations.enumerate() {
        let mut label = location_name(procedure, location);
        if !contents.label.is_empty() {
            label = format!("{label} {}", contents.label);
        }
        let place = lines(program, contents.place.as_slice());
        let label = if place.is_empty() { label } else { format!("{label}\n{place}") };
        let style = if location == procedure.exit { ", peripheries=2" } else { "" };
        text.push_str(&format!("    {} [label=\"{}\"{style}];\n", node(id, location), escape(&label)));
    }
    for edge in procedure.edges.iter() {
        text.push_str(&arrow(names, id, edge));
    }
    text.push_str("  }\n");
    text
}

fn arrow(names: &ProgramNames<'_>, id: ProcedureId, edge: &Edge) -> String {
    let program = names.program();
    let mut label = shorten(&action_text(names, &edge.action));
    if let Some(property) = edge.property {
        label = format!("{label}\nviolates {}", program.properties[property].id);
    }
    let style = match &edge.action {
        _ if edge.property.is_some() => ", color=red",
        Action::Unsupported(_) => ", color=orange",
        _ => "",
    };
    let (from, to) = (node(id, edge.from), node(id, edge.to));
    format!("    {from} -> {to} [label=\"{}\"{style}];\n", escape(&label))
}

fn call(program: &Program, id: ProcedureId, edge: &Edge) -> String {
    let (callee, label) = match &edge.action {
        Action::Call { procedure, .. } => (*procedure, "call"),
        Action::Start { procedure, .. } => (*procedure, "thread"),
        _ => return String::new(),
    };
    let (from, to) = (node(id, edge.from), node(callee, program.procedures[callee].entry));
    format!("  {from} -> {to} [style=dashed, constraint=false, label=\"{label}\"];\n")
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(LABEL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
