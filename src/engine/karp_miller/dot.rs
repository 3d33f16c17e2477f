//! The tree as a graph for Graphviz.

use super::tree::{NodeId, Stage, Tree};
use crate::boolean::cfg::Program;
use crate::engine::symmetry::LocalId;
use crate::ground::index::Index;
use crate::ground::reason::Stop;
use std::fmt::Write;

/// Larger trees are not drawn.
const LARGEST: usize = 2_000;

/// Draws a tree: a box per node with its shared values and counters, an arrow per step.
pub(super) fn draw(program: &Program, tree: &mut Tree<'_>) -> Result<String, Stop> {
    if tree.nodes.len() > LARGEST {
        let text = format!("a Karp–Miller tree of {} nodes is too large to be drawn", tree.nodes.len());
        return Err(Stop::Bound(text));
    }
    let mut text = String::from("digraph \"Karp–Miller\" {\n  node [shape=box, fontname=monospace];\n");
    for node in tree.nodes.ids().collect::<Vec<NodeId>>() {
        let label = label(program, tree, node);
        let style = match tree.nodes[node].state {
            Stage::Dropped => ", style=dashed",
            _ if tree.nodes[node].accelerations.is_empty() => "",
            _ => ", style=bold",
        };
        let number = node.index();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  n{number} [label=\"{label}\"{style}];");
        if let Some((parent, taken)) = tree.nodes[node].parent {
            let name = step_name(program, tree, taken.active, taken.transition.step.number);
            let _ = writeln!(text, "  n{} -> n{number} [label=\"{name}\"];", parent.index());
        }
    }
    text.push_str("}\n");
    Ok(text)
}

/// The shared variables that are fixed, then one line per counter.
fn label(program: &Program, tree: &Tree<'_>, node: NodeId) -> String {
    let manager = &tree.locals.relations.manager;
    let levels = &tree.locals.relations.levels;
    let fixed = |set, level| {
        let support = manager.support(set);
        if !support.contains(&level) {
            return None;
        }
        let picked = manager.pick(set).unwrap_or_default();
        picked.into_iter().find(|(other, _)| *other == level).map(|(_, value)| value)
    };
    let shared = tree.nodes[node].shared;
    let mut text = String::new();
    for (name, pair) in program.globals().zip(&levels.shared) {
        if let Some(value) = fixed(shared, pair.now) {
            let _ = write!(text, "{}={} ", program.variables[name].name, u8::from(value));
        }
    }
    for &(local, count) in tree.nodes[node].marking.pairs() {
        let _ = write!(text, "\\n{count} × {}", place(program, tree, local));
    }
    text.replace('"', "'")
}

/// Where the threads of a local set are, with the number of the set.
fn place(program: &Program, tree: &Tree<'_>, local: LocalId) -> String {
    let location = &tree.locals.template().locations[tree.locals.get(local).location];
    let frame = location.top();
    let labels = &program.nodes[frame.node].labels;
    let at = labels.first().map_or_else(|| format!("node {}", frame.node.index()), ToString::to_string);
    format!("{}:{at} #{}", program.procedures[frame.procedure].name, local.index())
}

fn step_name(program: &Program, tree: &Tree<'_>, active: LocalId, number: usize) -> String {
    let location = tree.locals.get(active).location;
    let step = &tree.locals.template().locations[location].steps[number];
    let procedure = program.nodes[step.node].procedure;
    format!("{} node {}", program.procedures[procedure].name, step.node.index()).replace('"', "'")
}
