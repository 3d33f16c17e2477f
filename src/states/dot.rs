//! Small state spaces as graphs for Graphviz.

use super::expand::{To, expand_all};
use super::{Explored, Options};
use crate::ground::run::Run;
use crate::vm::Machine;
use std::fmt::Write;

/// The states and the steps between them. The names of nodes are numbers of states; edges say which thread goes on.
#[must_use]
pub fn dot(explored: &Explored, machine: &Machine<'_>, options: &Options, run: Run<'_>) -> String {
    let store = &explored.space.store;
    let options = Options { workers: 1, ..options.clone() };
    let mut text = "digraph states {\n  node [shape=circle, fontname=\"sans-serif\"];\n".to_owned();
    let works = expand_all(machine, &options, store, 0..store.len(), run.limits);
    for taken in works.into_iter().flat_map(|work| work.taken) {
        let (from, thread) = (taken.from, taken.thread);
        let _ = match taken.to {
            To::Known(to) => writeln!(text, "  {from} -> {to} [label=\"{thread}\"];"),
            To::New(_) => writeln!(text, "  {from} -> more [label=\"{thread}\", style=dashed];"),
            To::End(end, _) => {
                let color = if end.is_violation() { "red" } else { "black" };
                let name = end.name();
                let shape = "shape=box";
                let _ = writeln!(text, "  \"{name}\" [{shape}, color={color}];");
                writeln!(text, "  {from} -> \"{name}\" [label=\"{thread}\"];")
            }
        };
    }
    text + "}\n"
}
