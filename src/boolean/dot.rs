//! Control-flow graphs for Graphviz: one cluster per procedure, dashed edges to what is called or started.

use super::cfg::{NodeId, Op, Program};
use super::cfg_text::print_op;
use crate::ground::index::Index;

/// The program as a directed graph in the DOT language.
#[must_use]
pub fn dot(program: &Program) -> String {
    let mut text = String::from(
        "digraph program {\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n",
    );
    let mut current = None;
    for (id, node) in program.nodes.enumerate() {
        if current != Some(node.procedure) {
            close(&mut text, current.is_some());
            current = Some(node.procedure);
            let name = escape(&program.procedures[node.procedure].name);
            text.push_str(&format!(
                "  subgraph cluster_{} {{\n    label=\"{name}\";\n",
                node.procedure.index()
            ));
        }
        text.push_str(&node_text(program, id));
    }
    close(&mut text, current.is_some());
    for (id, _) in program.nodes.enumerate() {
        text.push_str(&edges(program, id));
    }
    text.push_str(&format!(
        "  start [shape=point];\n  start -> n{};\n}}\n",
        program.procedures[program.entry].entry.index()
    ));
    text
}

fn close(text: &mut String, open: bool) {
    text.push_str(if open { "  }\n" } else { "" });
}

fn node_text(program: &Program, id: NodeId) -> String {
    let node = &program.nodes[id];
    let labels: String = node.labels.iter().map(|label| format!("{label}: ")).collect();
    let text = escape(&format!("{labels}{}", print_op(program, &node.op)));
    let style = match node.op {
        _ if !node.forbidden.is_empty() => ", color=red",
        Op::Assert(..) => ", color=red, shape=diamond",
        Op::Return(_) | Op::EndThread => ", peripheries=2",
        _ => "",
    };
    format!("    n{} [label=\"{text}\"{style}];\n", id.index())
}

fn edges(program: &Program, id: NodeId) -> String {
    let node = &program.nodes[id];
    let mut text = String::new();
    for target in &node.successors {
        text.push_str(&format!("  n{} -> n{};\n", id.index(), target.index()));
    }
    let other = match &node.op {
        Op::Call { procedure, .. } => Some((program.procedures[*procedure].entry, "call")),
        Op::StartThread { procedure, .. } => Some((program.procedures[*procedure].entry, "thread")),
        Op::StartLabel(target) => Some((*target, "thread")),
        _ => None,
    };
    if let Some((target, label)) = other {
        let style = "style=dashed, constraint=false";
        text.push_str(&format!("  n{} -> n{} [{style}, label=\"{label}\"];\n", id.index(), target.index()));
    }
    text
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
