//! The tree as a graph for Graphviz.

use super::tree::{NodeId, Stage, Taken, Tree};
use crate::bdd::Bdd;
use crate::boolean::cfg::Program;
use crate::engine::symmetry::LocalId;
use crate::ground::index::Index;
use crate::ground::reason::Stop;
use crate::ground::source::Span;
use std::fmt::Write;

/// Larger trees are not drawn.
pub(super) const LARGEST: usize = 2_000;

/// Draws a tree: a box per node with its shared values and counters, an arrow per step.
pub(super) fn draw(
    program: &Program,
    tree: &mut Tree<'_>,
    line: &dyn Fn(Span) -> usize,
) -> Result<String, Stop> {
    let mut text = String::from("digraph \"Karp–Miller\" {\n  node [shape=box, fontname=monospace];\n");
    for node in tree.nodes.ids().collect::<Vec<NodeId>>() {
        let label = label(program, tree, node, line)?;
        let style = match tree.nodes[node].state {
            Stage::Dropped => ", style=dashed",
            _ if tree.nodes[node].accelerations.is_empty() => "",
            _ => ", style=bold",
        };
        let number = node.index();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  n{number} [label=\"{label}\"{style}];");
        if let Some((parent, taken)) = tree.nodes[node].parent {
            let name = step_name(program, tree, taken, line);
            let _ = writeln!(text, "  n{} -> n{number} [label=\"{name}\"];", parent.index());
        }
    }
    text.push_str("}\n");
    Ok(text)
}

/// The shared variables that have one value, then one line per counter.
fn label(
    program: &Program,
    tree: &mut Tree<'_>,
    node: NodeId,
    line: &dyn Fn(Span) -> usize,
) -> Result<String, Stop> {
    let shared = tree.nodes[node].shared;
    let mut text = String::new();
    for (place, variable) in program.globals().enumerate() {
        if let Some(value) = fixed(tree, shared, place)? {
            let _ = write!(text, "{}={} ", program.variables[variable].name, u8::from(value));
        }
    }
    for &(local, count) in tree.nodes[node].marking.pairs() {
        let _ = write!(text, "\\n{count} × {}", place(program, tree, local, line));
    }
    Ok(text.replace('"', "'"))
}

/// The value that a shared variable has in all of some shared values.
fn fixed(tree: &mut Tree<'_>, shared: Bdd, variable: usize) -> Result<Option<bool>, Stop> {
    let level = tree.locals.relations.levels.shared[variable].now;
    let manager = tree.locals.manager();
    for value in [false, true] {
        let other = manager.literal(level, !value)?;
        if manager.and(shared, other)? == manager.constant(false) {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Where the threads of a local set are, with the number of the set.
fn place(program: &Program, tree: &Tree<'_>, local: LocalId, line: &dyn Fn(Span) -> usize) -> String {
    let location = &tree.locals.template().locations[tree.locals.get(local).location];
    let frame = location.top();
    let number = line(program.nodes[frame.node].span);
    format!("{}, line {number} #{}", program.procedures[frame.procedure].name, local.index())
}

fn step_name(program: &Program, tree: &Tree<'_>, taken: Taken, line: &dyn Fn(Span) -> usize) -> String {
    let step = tree.locals.relations.step(taken.transition.step);
    format!("line {}", line(program.nodes[step.node].span))
}
