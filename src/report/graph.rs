//! Control-flow graphs for people: as text, one line per node, and for Graphviz.
//!
//! They show the program as engines see it, so operations are printed from the graph and not from the
//! source. Nodes are numbered as in the program: `n0`, `n1`, …

use crate::boolean::cfg::{Copy, Expression, Node, NodeId, Op, ProcedureId, Program, Read, Target, Time};
use crate::boolean::expression_text::expression_text;
use crate::ground::index::{Index, IndexVec};
use crate::ground::source::SourceFile;
use std::fmt::Write as _;

/// The graphs as text.
#[must_use]
pub fn text(source: &SourceFile, program: &Program) -> String {
    let mut out = String::new();
    if program.global_count > 0 {
        let names: Vec<&str> = program.globals().map(|global| &*program.variables[global].name).collect();
        let _ = writeln!(out, "globals {}\n", names.join(", "));
    }
    let by_procedure = nodes(program);
    for (id, procedure) in program.procedures.enumerate() {
        let entry = if id == program.entry { ", where the program starts" } else { "" };
        let _ = writeln!(out, "{}: entry n{}{entry}", header(program, id), procedure.entry.index());
        if let Some(enforce) = &procedure.enforce {
            let _ = writeln!(out, "  enforce {}", expression(program, enforce));
        }
        for &node in &by_procedure[id] {
            let _ = writeln!(out, "{}", node_line(source, program, node, &program.nodes[node]));
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The graphs in the language of Graphviz, one cluster per procedure.
#[must_use]
pub fn dot(source: &SourceFile, program: &Program) -> String {
    let mut out = String::from("digraph program {\n  node [shape=box, fontname=monospace];\n");
    for (id, members) in nodes(program).enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{} {{", id.index());
        let _ = writeln!(out, "    label={};", quoted(&header(program, id)));
        for &node in members {
            let _ = writeln!(out, "    {}", dot_node(source, program, node, &program.nodes[node]));
        }
        out.push_str("  }\n");
    }
    for (id, node) in program.nodes.enumerate() {
        for successor in &node.successors {
            let _ = writeln!(out, "  n{} -> n{};", id.index(), successor.index());
        }
    }
    out.push_str("}\n");
    out
}

fn nodes(program: &Program) -> IndexVec<ProcedureId, Vec<NodeId>> {
    let mut nodes = IndexVec::filled(Vec::new(), program.procedures.len());
    for (id, node) in program.nodes.enumerate() {
        nodes[node.procedure].push(id);
    }
    nodes
}

fn header(program: &Program, id: ProcedureId) -> String {
    let procedure = &program.procedures[id];
    let names = |variables: &[_]| {
        let names: Vec<&str> = variables.iter().map(|&variable| &*program.variables[variable].name).collect();
        names.join(", ")
    };
    let mut text = match procedure.returns {
        0 => "void".to_owned(),
        1 => "bool".to_owned(),
        number => format!("bool<{number}>"),
    };
    let _ = write!(text, " {}({})", procedure.name, names(procedure.parameters()));
    let locals = &procedure.locals[procedure.parameter_count..];
    if !locals.is_empty() {
        let _ = write!(text, " locals {}", names(locals));
    }
    text
}

fn node_line(source: &SourceFile, program: &Program, id: NodeId, node: &Node) -> String {
    let successors: Vec<String> = node.successors.iter().map(|node| format!("n{}", node.index())).collect();
    let arrow = if successors.is_empty() { String::new() } else { format!(" -> {}", successors.join(", ")) };
    let line = source.line(node.span.start);
    format!(
        "  n{}: {}{arrow}   [{}line {line}]",
        id.index(),
        operation(program, node),
        remarks(program, node)
    )
}

/// The labels of a node and the properties that forbid it.
fn remarks(program: &Program, node: &Node) -> String {
    let mut text = String::new();
    for label in &node.labels {
        let _ = write!(text, "{label}: ");
    }
    for &property in &node.forbidden {
        let _ = write!(text, "forbidden by {}, ", program.properties[property].name);
    }
    text
}

fn dot_node(source: &SourceFile, program: &Program, id: NodeId, node: &Node) -> String {
    let line = source.line(node.span.start);
    let text = format!("n{}, line {line}\n{}", id.index(), super::shortened(operation(program, node), 60));
    let colour = match &node.op {
        _ if !node.forbidden.is_empty() => ", color=red",
        Op::Assert(..) => ", color=red",
        Op::Call { .. } | Op::Return(_) => ", color=blue",
        op if op.starts_thread() => ", color=darkgreen",
        _ => "",
    };
    let bold = if program.procedures[node.procedure].entry == id { ", penwidth=2" } else { "" };
    format!("n{} [label={}{colour}{bold}];", id.index(), quoted(&text))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// What a node does.
#[must_use]
pub fn operation(program: &Program, node: &Node) -> String {
    let all = |expressions: &[Expression]| {
        let texts: Vec<String> = expressions.iter().map(|e| expression(program, e)).collect();
        texts.join(", ")
    };
    let procedure_name = |id: ProcedureId| &program.procedures[id].name;
    match &node.op {
        Op::Skip => "skip".to_owned(),
        Op::Assume(e) => format!("assume {}", expression(program, e)),
        Op::Assert(e, property) => {
            format!("assert {} ({})", expression(program, e), program.properties[*property].name)
        }
        Op::Assign { targets, values, constrain } => {
            let targets: Vec<String> = targets.iter().map(|target| target_name(program, *target)).collect();
            let constrain = constrain.as_ref().map(|e| format!(" constrain {}", expression(program, e)));
            format!("{} := {}{}", targets.join(", "), all(values), constrain.unwrap_or_default())
        }
        Op::Call { procedure, arguments, results } => {
            let name = |result: &Option<_>| result.map_or("_", |variable| &*program.variables[variable].name);
            let results: Vec<&str> = results.iter().map(name).collect();
            let assigned =
                if results.is_empty() { String::new() } else { format!("{} := ", results.join(", ")) };
            format!("{assigned}{}({})", procedure_name(*procedure), all(arguments))
        }
        Op::Return(values) => format!("return {}", all(values)).trim_end().to_owned(),
        Op::StartLabel(node) => format!("start_thread n{}", node.index()),
        Op::StartThread { procedure, arguments } => {
            format!("start_thread {}({})", procedure_name(*procedure), all(arguments))
        }
        Op::EndThread => "end_thread".to_owned(),
        Op::AtomicBegin => "atomic_begin".to_owned(),
        Op::AtomicEnd => "atomic_end".to_owned(),
    }
}

fn target_name(program: &Program, target: Target) -> String {
    read_name(program, Read { variable: target.variable, time: Time::Now, copy: target.copy })
}

fn read_name(program: &Program, read: Read) -> String {
    let quote = if read.time == Time::Next { "'" } else { "" };
    let passive = if read.copy == Copy::Passive { "$" } else { "" };
    format!("{quote}{}{passive}", program.variables[read.variable].name)
}

/// An expression over variables of the program.
#[must_use]
pub fn expression(program: &Program, expression: &Expression) -> String {
    expression_text(expression, |read, text| text.push_str(&read_name(program, *read)))
}
